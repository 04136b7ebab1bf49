package audit

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// cutOff checks that the output is complete. A run whose output ends early may lack metrics, or have metrics of
// only a part of the run.
func (c *judge) cutOff() {
	if c.r.Status == result.Partial {
		c.raise(result.Warning, result.Check{Text: locale.T("check.cut-off"), Hint: locale.T("check.cut-off.hint"), Line: c.r.EndLine})
		return
	}
	c.pass(func() locale.Text { return locale.T("check.cut-off.pass") })
}

// positive checks that times and rates of a run that completed requests are above zero. Answers of one token
// have no time between tokens.
func (c *judge) positive() {
	if c.facts.requests == 0 {
		return
	}
	found := false
	for i, m := range c.r.Metrics {
		family, stat, latency := c.statistics[i].family, c.statistics[i].stat, c.statistics[i].family != ""
		between := family == "tpot" || family == "itl"
		rate := m.Name == "duration" || m.Name == "request_throughput" || m.Name == "output_throughput" || m.Name == "total_throughput"
		// A rate may be so small that all its printed digits are zero.
		zero := m.Value == 0 && (rate && m.Decimals == result.FullPrecision || m.Name == "duration" || latency && stat == "mean" && !(between && c.facts.output <= 1))
		if m.Value < 0 && (rate || latency) || zero && family != "queue" {
			found = true
			c.raise(result.Error, result.Check{Text: locale.T("check.positive", locale.MetricName(m.Name), written(m)), Hint: locale.T("check.positive.hint"),
				Metrics: []string{m.Name}, Line: int(m.Line), Figures: map[string]float64{m.Name: m.Value}})
		}
	}
	if !found {
		c.pass(func() locale.Text { return locale.T("check.positive.pass") })
	}
}

// rates checks that each throughput is a count divided by the duration, within the rounding of the printed
// digits.
func (c *judge) rates() {
	duration, ok := c.metric("duration")
	if !ok {
		return
	}
	in, hasIn := c.r.Metric("input_tokens")
	out, hasOut := c.r.Metric("output_tokens")
	done, hasDone := c.r.Metric("requests_completed")
	var room [3]string
	agreed := room[:0]
	for _, rate := range []struct {
		name  string
		count float64
		ok    bool
	}{
		{"request_throughput", done.Value, hasDone},
		{"output_throughput", out.Value, hasOut},
		{"total_throughput", in.Value + out.Value, hasIn && hasOut},
	} {
		m, ok := c.r.Metric(rate.name)
		if !ok || !rate.ok {
			continue
		}
		low := rate.count / (duration.Value + half(duration))
		high := rate.count / math.Max(duration.Value-half(duration), math.SmallestNonzeroFloat64)
		if m.Value+half(m) >= low && m.Value-half(m) <= high {
			agreed = append(agreed, rate.name)
			continue
		}
		c.raise(result.Error, result.Check{ID: "consistency." + strings.ReplaceAll(rate.name, "_", "-"),
			Text:    locale.T("check.rate", locale.MetricName(rate.name), written(m)+" "+m.Unit, number(rate.count), written(duration), number(rate.count/duration.Value)),
			Hint:    locale.T("check.rate.hint"),
			Figures: map[string]float64{"reported": m.Value, "count": rate.count, "duration_s": duration.Value, "computed": rate.count / duration.Value},
			Metrics: []string{rate.name}, Line: int(m.Line)})
	}
	if len(agreed) > 0 {
		c.pass(func() locale.Text {
			var names []locale.Text
			for _, name := range agreed {
				names = append(names, locale.MetricName(name))
			}
			return locale.T("check.rate.pass", locale.List(names...))
		})
	}
}

// rounding returns the greatest rounding error of a number: half a unit in the last printed digit. Locust
// rounds percentiles to two significant digits: for a percentile with two, it is half a unit of the second
// digit.
func rounding(m *result.Metric, rank float64) float64 {
	allowed := half(*m)
	if rank <= 0 || rank >= 100 || m.Value < 100 {
		return allowed
	}
	unit := math.Pow10(int(math.Log10(m.Value)) - 1)
	if math.Mod(m.Value, unit) == 0 {
		return max(allowed, unit/2)
	}
	return allowed
}

// percentiles checks that percentiles rise (min ≤ p50 ≤ p90 ≤ p99 ≤ max), and that the mean is between the
// least and the greatest value. The mean must also be at least what a percentile and the values above it
// contribute to it (Markov's inequality): half of the median, a hundredth of the 99th percentile.
func (c *judge) percentiles() {
	all := c.order
	if len(all) == 0 {
		return
	}
	for i := range all {
		all[i].m = &c.r.Metrics[all[i].at]
	}
	found := false
	above := func(a, b ranked) {
		if a.m.Value-rounding(a.m, a.rank) <= b.m.Value+rounding(b.m, b.rank) {
			return
		}
		found = true
		c.raise(result.Error, result.Check{
			Text: locale.T("check.percentiles", locale.MetricName(a.m.Name), a.m.Text(), locale.MetricName(b.m.Name), b.m.Text()), Hint: locale.T("check.rate.hint"),
			Figures: map[string]float64{a.m.Name: a.m.Value, b.m.Name: b.m.Value}, Metrics: []string{a.family}, Line: int(b.m.Line)})
	}
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		switch {
		case a.family != b.family || a.rank == b.rank:
		case a.rank >= 0:
			above(a, b)
		case b.rank == 0: // the mean is sorted before the least
			above(b, a)
		}
	}
	for i := 0; i < len(all); {
		last := i
		for last+1 < len(all) && all[last+1].family == all[i].family {
			last++
		}
		if all[i].rank < 0 && all[last].rank == 100 {
			above(all[i], all[last])
		}
		if mean := all[i]; mean.rank < 0 && mean.m.Value > 0 {
			for _, q := range all[i+1 : last+1] {
				// The share of the values above the percentile contributes to the mean.
				least := (q.m.Value - rounding(q.m, q.rank)) * (1 - q.rank/100)
				if q.rank == 0 || least <= (mean.m.Value+half(*mean.m))*1.001 {
					continue
				}
				found = true
				c.raise(result.Error, result.Check{
					Text:    locale.T("check.percentiles.mean", locale.MetricName(mean.m.Name), mean.m.Text(), locale.MetricName(q.m.Name), q.m.Text(), number(least)),
					Hint:    locale.T("check.rate.hint"),
					Figures: map[string]float64{mean.m.Name: mean.m.Value, q.m.Name: q.m.Value, "least_mean": least}, Metrics: []string{mean.family}, Line: int(mean.m.Line)})
			}
		}
		i = last + 1
	}
	if !found {
		c.pass(func() locale.Text { return locale.T("check.percentiles.pass") })
	}
}

// Rank returns the percentile of a statistic: 99.9 for p99_9, 0 for min, 100 for max; ok is false for mean and
// std.
func Rank(stat string) (rank float64, ok bool) {
	switch stat {
	case "min":
		return 0, true
	case "max":
		return 100, true
	}
	if len(stat) < 2 || stat[0] != 'p' {
		return 0, false
	}
	digits := []byte(stat[1:])
	if i := slices.Index(digits, '_'); i >= 0 {
		digits[i] = '.'
	}
	rank, err := strconv.ParseFloat(string(digits), 64)
	return rank, err == nil && rank <= 100 // p999 may mean 99.9 or anything else
}

// failures checks that no requests failed. Failed requests are not part of the metrics, and often were the
// slowest. If fewer requests were completed than the tool was configured to send and no failures are reported,
// the others count as failed.
func (c *judge) failures() {
	if done, ok := c.r.Metric("requests_completed"); ok {
		failed, told := c.r.Metric("requests_failed")
		sent, _ := Quantity(c.r.Label("num_prompts"))
		sent = math.Ceil(sent / max(c.labelled("prompts_per_request"), 1))
		if lost := sent - done.Value - failed.Value; lost >= 1 && !c.timed() && countsPrompts(c.r.Tool) {
			c.raise(result.Warning, result.Check{Text: locale.T("check.failed.lost", number(lost), number(sent)), Hint: locale.T("check.failed.hint"),
				Figures: map[string]float64{"num_prompts": sent, "requests_completed": done.Value, "requests_failed": failed.Value}, Line: int(done.Line), Metrics: survivors})
			if !told || failed.Value == 0 {
				return
			}
		}
	}
	failed, ok := c.r.Metric("requests_failed")
	if ok && failed.Value > 0 {
		ck := result.Check{Text: locale.T("check.failed.some", int(failed.Value)), Hint: locale.T("check.failed.hint"),
			Figures: map[string]float64{"requests_failed": failed.Value}, Line: int(failed.Line), Metrics: survivors}
		if done, ok := c.r.Metric("requests_completed"); ok {
			all := failed.Value + done.Value
			ck.Text, ck.Figures["requests"] = locale.T("check.failed", int(failed.Value), number(all)), all
			if done.Value == 0 {
				ck.Text = locale.T("check.failed.all", number(all))
			}
		}
		c.raise(result.Warning, ck)
		return
	}
	if ok {
		c.pass(func() locale.Text { return locale.T("check.failed.pass") })
	}
}

// countsPrompts reports whether a tool sends all the prompts of its setting in one run. Others spread them over
// several rates.
func countsPrompts(tool string) bool {
	return strings.HasPrefix(tool, "vllm-") || strings.HasPrefix(tool, "sglang-") || tool == "lmdeploy"
}

// timed reports whether a run was configured to end after a time, regardless of the number of requests.
func (c *judge) timed() bool {
	for _, l := range c.r.Labels {
		if v, ok := Quantity(l.Value); ok && v > 0 && slices.Contains(timeLimits, strings.TrimPrefix(l.Name, "x_")) {
			return true
		}
	}
	return false
}

// timeLimits lists the settings with which tools end a run after a time.
var timeLimits = []string{"max_seconds", "max_duration", "duration", "benchmark_duration", "time_limit", "max_time", "timeout", "run_time", "test_duration", "request_timeout"}

// survivors lists the metrics that cover only requests that did not fail.
var survivors = []string{"request_throughput", "output_throughput", "input_throughput", "total_throughput", "ttft", "tpot", "itl", "e2el"}

// short is the share of the requested tokens below which answers count as ended early, and long the share above
// which they count as longer than requested.
const (
	short = 0.90
	long  = 1.10 // a client that tokenises the answer again counts up to a tenth more
)

// lengths checks that answers are as long as requested. Shorter answers look faster.
func (c *judge) lengths() {
	asked, ok := answerLength(c.r)
	if !ok || c.facts.output == 0 {
		return
	}
	share := c.facts.output / asked
	if share >= short && share <= long {
		c.pass(func() locale.Text { return locale.T("check.length.pass", number(c.facts.output), number(asked)) })
		return
	}
	m, _ := c.r.Metric("output_tokens")
	ck := result.Check{Figures: map[string]float64{"output_tokens_per_request": c.facts.output, "output_len": asked}, Line: int(m.Line),
		Metrics: []string{"request_throughput", "e2el"}}
	if share < short {
		ck.Text, ck.Hint = locale.T("check.short", number(c.facts.output), number(asked), percent(share)), locale.T("check.short.hint")
	} else {
		ck.Text, ck.Hint = locale.T("check.long", number(c.facts.output), number(asked)), locale.T("check.long.hint")
	}
	c.raise(result.Warning, ck)
}

// The range of prompt lengths relative to the requested tokens: another tokeniser counts differently, and a
// chat template adds some.
const (
	shortPrompt = 0.70
	longPrompt  = 1.50
)

// prompts checks that prompts are as long as requested. If not, the label belongs to another run, or the server
// truncated them.
func (c *judge) prompts() {
	asked, _ := Quantity(c.r.Label("input_len"))
	asked *= max(c.labelled("prompts_per_request"), 1)
	if asked == 0 || c.facts.input == 0 || drawn(c.r) {
		return
	}
	share := c.facts.input / asked
	m, _ := c.r.Metric("input_tokens")
	if share >= shortPrompt && c.facts.input <= longPrompt*(asked+c.labelled("random_prefix_len"))+templateTokens {
		c.pass(func() locale.Text { return locale.T("check.prompts.pass", number(c.facts.input), number(asked)) })
		return
	}
	c.raise(result.Warning, result.Check{Text: locale.T("check.prompts", number(c.facts.input), number(asked)), Hint: locale.T("check.prompts.hint"), Line: int(m.Line),
		Figures: map[string]float64{"input_tokens_per_request": c.facts.input, "input_len": asked}, Metrics: []string{"ttft", "prefill_throughput", "input_throughput", "total_throughput"}})
}

// answerLength returns the number of tokens requested for every answer; ok is false if it is unknown or if the
// tool drew lengths from a range. In vLLM's benchmark a range ratio of 0 means no range. In SGLang's and
// LMDeploy's, where it is the default, it means lengths from 0 to the requested length.
func answerLength(r *result.Result) (tokens float64, ok bool) {
	if drawn(r) {
		return 0, false
	}
	return Quantity(r.Label("output_len"))
}

// drawn reports whether a tool drew lengths from a range.
func drawn(r *result.Result) bool {
	ratio := r.Label("random_range_ratio")
	if ratio != "" && ratio != "0" && ratio != "1" {
		return true
	}
	return ratio != "1" && strings.HasPrefix(r.Label("dataset"), "random") &&
		(strings.HasPrefix(r.Tool, "sglang-") || r.Tool == "lmdeploy")
}

// slack is the accepted relative difference between the mean of products and the product of means if the time
// of a request has to be computed from TTFT and TPOT. slackUneven applies if answers differ in length, because
// short ones often have the longer gaps.
const (
	slack       = 0.05
	slackUneven = 0.25
)

// littlesLaw checks that the mean number of requests in flight, N·mean(E2EL)/duration (Little, 1961), does not
// exceed the configured limit. Requests at the edges of the measured time count entirely although a part of
// them lies outside, so N is too large by at most the limit. A count of requests in flight by the tool itself
// takes precedence. If no time of a request is known, the requests that are generating are counted instead: the
// rate of tokens times the time per token.
func (c *judge) littlesLaw() {
	if c.facts.cap == 0 {
		return
	}
	limit := c.facts.cap * 1.001
	n, exact, ok := inFlight(c.r, c.facts)
	if own, counted := c.r.Metric("effective_concurrency"); counted && !own.Derived {
		n, exact, ok = own.Value, true, true
		limit += half(own)
	} else if exact {
		limit *= 1 + c.facts.cap/c.facts.requests
	} else if !ok {
		n, ok = generating(c.r, c.facts)
	}
	if !ok {
		return
	}
	if !exact {
		limit = c.facts.cap * (1 + slackUneven)
		if c.even() {
			limit = c.facts.cap * (1 + slack)
		}
	}
	if duration, _ := c.r.Metric("duration"); duration.Value > 0 {
		limit *= 1 + half(duration)/duration.Value // rounding may change a short duration considerably
	}
	if n > limit {
		c.raise(result.Warning, result.Check{Text: locale.T("check.little", decimals(n, 2), number(c.facts.cap)), Hint: locale.T("check.little.hint"),
			Figures: map[string]float64{"effective_concurrency": n, "max_concurrency": c.facts.cap},
			Metrics: []string{"request_throughput", "output_throughput", "input_throughput", "total_throughput"}})
		return
	}
	c.pass(func() locale.Text { return locale.T("check.little.pass", decimals(n, 2), number(c.facts.cap)) })
}

// even reports whether the mean length of the answers is about the requested length.
func (c *judge) even() bool {
	asked, ok := answerLength(c.r)
	return ok && c.facts.output >= short*asked && c.facts.output <= long*asked
}

// generating returns the mean number of requests that are generating, a lower bound of the requests in flight:
// output throughput · TPOT, without the first token of each answer.
func generating(r *result.Result, f facts) (n float64, ok bool) {
	rate, hasRate := r.Metric("output_throughput")
	tpot, hasTPOT := r.Metric("tpot_mean")
	if !hasRate || !hasTPOT || f.output == 1 {
		return 0, false
	}
	n = rate.Value * tpot.Value / 1000
	if f.output > 1 {
		n *= 1 - 1/f.output
	}
	return n, n > 0
}

// apart is the accepted relative difference between mean E2EL and mean TTFT + mean TPOT·(mean output − 1) if
// answers have the same length.
const apart = 0.05

// latencies checks that the latencies of a run agree. No request ends before its first token, so no statistic
// of E2EL is below that of TTFT. E2EL = TTFT + TPOT·(output tokens − 1) holds for each request, and on average
// if answers have the same length.
func (c *judge) latencies() {
	compared := false
	for i := range c.r.Metrics {
		first, is := &c.r.Metrics[i], &c.statistics[i]
		if is.whole == "" {
			continue
		}
		whole, ok := c.r.Metric(is.whole)
		if !ok {
			continue
		}
		compared = true
		if rank := max(is.rank, 0); first.Value-rounding(first, rank) > whole.Value+rounding(&whole, rank) {
			c.raise(result.Error, result.Check{Line: int(whole.Line), Hint: locale.T("check.rate.hint"), Metrics: []string{"ttft", "e2el"},
				Text:    locale.T("check.percentiles", locale.MetricName(first.Name), written(*first), locale.MetricName(whole.Name), written(whole)),
				Figures: map[string]float64{first.Name: first.Value, whole.Name: whole.Value}})
			return
		}
	}
	e2el, hasE2EL := c.r.Metric("e2el_mean")
	ttft, hasTTFT := c.r.Metric("ttft_mean")
	tpot, hasTPOT := c.r.Metric("tpot_mean")
	if hasE2EL && hasTTFT && hasTPOT && c.facts.output >= 2 && e2el.Value > 0 && c.even() {
		compared = true
		gaps := c.facts.output - 1
		parts := ttft.Value + tpot.Value*gaps
		if math.Abs(e2el.Value-parts) > apart*parts+half(e2el)+half(ttft)+half(tpot)*gaps {
			c.raise(result.Warning, result.Check{Line: int(e2el.Line), Hint: locale.T("check.latencies.hint"), Metrics: []string{"e2el", "tpot"},
				Text:    locale.T("check.latencies", written(e2el), written(ttft), written(tpot), number(c.facts.output), decimals(parts, 1)),
				Figures: map[string]float64{"e2el_mean": e2el.Value, "parts": parts}})
			return
		}
	}
	if compared {
		c.pass(func() locale.Text { return locale.T("check.latencies.pass") })
	}
}

// parts checks that parts do not exceed the whole: goodput counts a part of the requests that request
// throughput counts, and the peak of a rate is at least its mean. A tool that counts chunks undercounts the
// peak if chunks have several tokens.
func (c *judge) parts() {
	compared := false
	for _, pair := range []struct {
		part, whole string
		inChunks    bool   // with speculative decoding, it counts chunks of several tokens
		doubted     string // the metric that is wrong
		hint        string
	}{
		{"goodput", "request_throughput", false, "goodput", "check.rate.hint"},
		{"output_throughput", "peak_output_throughput", true, "peak_output_throughput", "check.parts.hint"},
	} {
		part, hasPart := c.r.Metric(pair.part)
		whole, hasWhole := c.r.Metric(pair.whole)
		if !hasPart || !hasWhole || part.Unit != whole.Unit || pair.inChunks && Speculation(c.r) != "" {
			continue
		}
		compared = true
		least := part.Value - half(part)
		if duration, _ := c.r.Metric("duration"); pair.part == "output_throughput" && duration.Value > 0 {
			least *= duration.Value / (math.Floor(duration.Value) + 1) // peaks are per second, and the last second is not full
		}
		if least > (whole.Value+half(whole))*1.01 {
			c.raise(result.Warning, result.Check{Line: int(part.Line), Hint: locale.T(pair.hint), Metrics: []string{pair.doubted},
				Text:    locale.T("check.percentiles", locale.MetricName(part.Name), written(part), locale.MetricName(whole.Name), written(whole)),
				Figures: map[string]float64{part.Name: part.Value, whole.Name: whole.Value}})
			return
		}
	}
	if compared {
		c.pass(func() locale.Text { return locale.T("check.parts.pass") })
	}
}

// inFlight returns the mean number of requests in flight. It is exact if the tool reports E2EL; otherwise E2EL
// ≈ TTFT + TPOT·(mean output − 1).
func inFlight(r *result.Result, f facts) (n float64, exact, ok bool) {
	duration, has := r.Metric("duration")
	if !has || duration.Value <= 0 || f.requests == 0 {
		return 0, false, false
	}
	if e2el, has := r.Metric("e2el_mean"); has {
		return f.requests * e2el.Value / 1000 / duration.Value, true, true
	}
	ttft, hasTTFT := r.Metric("ttft_mean")
	tpot, hasTPOT := r.Metric("tpot_mean")
	if !hasTTFT || !hasTPOT || f.output == 0 {
		return 0, false, false
	}
	e2el := ttft.Value + tpot.Value*math.Max(f.output-1, 0)
	return f.requests * e2el / 1000 / duration.Value, false, true
}

// number formats a number without insignificant digits: 12419, 124.2.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// written returns a number as the tool printed it, or a full-precision number with five digits, from 1000 on
// with one decimal.
func written(m result.Metric) string {
	switch {
	case m.Decimals != result.FullPrecision:
		return m.Text()
	case math.Abs(m.Value) >= 1000:
		return strconv.FormatFloat(m.Value, 'f', 1, 64)
	}
	return strconv.FormatFloat(m.Value, 'g', 5, 64)
}

func decimals(v float64, n int) string { return strconv.FormatFloat(v, 'f', n, 64) }

// percent formats a share, with one decimal below 10 %.
func percent(share float64) string {
	if share < 0.1 {
		return decimals(100*share, 1) + "%"
	}
	return decimals(100*share, 0) + "%"
}
