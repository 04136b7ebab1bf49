package audit

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// cutOff: a run whose output ends early may lack figures, and those it has may
// be of a part.
func (c *judge) cutOff() {
	if c.r.Status == result.Partial {
		c.raise(result.Warning, result.Check{Text: locale.T("check.cut-off"), Hint: locale.T("check.cut-off.hint"), Line: c.r.EndLine})
		return
	}
	c.pass(func() locale.Text { return locale.T("check.cut-off.pass") })
}

// positive: times and rates of a run that completed requests are above zero.
// Answers of one token have no time between tokens.
func (c *judge) positive() {
	if c.facts.requests == 0 {
		return
	}
	found := false
	for _, m := range c.r.Metrics {
		family, stat, latency := vocabulary.Statistic(m.Name)
		between := family == "tpot" || family == "itl"
		rate := m.Name == "duration" || m.Name == "request_throughput" || m.Name == "output_throughput" || m.Name == "total_throughput"
		// A rate may be so small that its printed digits are all zero.
		zero := m.Value == 0 && (rate && m.Decimals == result.FullPrecision || m.Name == "duration" || latency && stat == "mean" && !(between && c.facts.output <= 1))
		if m.Value < 0 && (rate || latency) || zero && family != "queue" {
			found = true
			c.raise(result.Error, result.Check{Text: locale.T("check.positive", locale.MetricName(m.Name), written(m)), Hint: locale.T("check.positive.hint"),
				Metrics: []string{m.Name}, Line: m.Line, Figures: map[string]float64{m.Name: m.Value}})
		}
	}
	if !found {
		c.pass(func() locale.Text { return locale.T("check.positive.pass") })
	}
}

// rates: a throughput is a count over the duration, within what rounding to
// the printed digits allows.
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
			Metrics: []string{rate.name}, Line: m.Line})
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

// percentiles rise: min ≤ p50 ≤ p90 ≤ p99 ≤ max, and the mean is between the
// least and the greatest.
func (c *judge) percentiles() {
	type ranked struct {
		family string
		rank   float64 // −1 for the mean
		m      *result.Metric
	}
	var room [32]ranked
	all := room[:0]
	for i := range c.r.Metrics {
		m := &c.r.Metrics[i]
		family, stat, ok := vocabulary.Statistic(m.Name)
		if rank, isRank := Rank(stat); ok && isRank {
			all = append(all, ranked{family, rank, m})
		} else if ok && stat == "mean" {
			all = append(all, ranked{family, -1, m})
		}
	}
	if len(all) == 0 {
		return
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(strings.Compare(a.family, b.family), cmp.Compare(a.rank, b.rank))
	})
	found := false
	above := func(a, b ranked) {
		if a.m.Value-half(*a.m) <= b.m.Value+half(*b.m) {
			return
		}
		found = true
		c.raise(result.Error, result.Check{
			Text: locale.T("check.percentiles", locale.MetricName(a.m.Name), a.m.Text(), locale.MetricName(b.m.Name), b.m.Text()), Hint: locale.T("check.rate.hint"),
			Figures: map[string]float64{a.m.Name: a.m.Value, b.m.Name: b.m.Value}, Metrics: []string{a.family}, Line: b.m.Line})
	}
	for i := 1; i < len(all); i++ {
		a, b := all[i-1], all[i]
		switch {
		case a.family != b.family || a.rank == b.rank:
		case a.rank >= 0:
			above(a, b)
		case b.rank == 0: // the mean stands before the least
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
		i = last + 1
	}
	if !found {
		c.pass(func() locale.Text { return locale.T("check.percentiles.pass") })
	}
}

// Rank gives the percentile a statistic stands for: 99.9 for p99_9, 0 for min,
// 100 for max; ok is false for mean and std.
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
	return rank, err == nil && rank <= 100 // p999 may be 99.9, and may be anything
}

// failures: what failed is not in the figures, and often the slowest.
func (c *judge) failures() {
	failed, ok := c.r.Metric("requests_failed")
	if ok && failed.Value > 0 {
		ck := result.Check{Text: locale.T("check.failed.some", int(failed.Value)), Hint: locale.T("check.failed.hint"),
			Figures: map[string]float64{"requests_failed": failed.Value}, Line: failed.Line, Metrics: survivors}
		if done, ok := c.r.Metric("requests_completed"); ok {
			all := failed.Value + done.Value
			ck.Text, ck.Figures["requests"] = locale.T("check.failed", int(failed.Value), number(all)), all
		}
		c.raise(result.Warning, ck)
		return
	}
	if ok {
		c.pass(func() locale.Text { return locale.T("check.failed.pass") })
	}
}

// survivors are the figures that only the requests which did not fail are in.
var survivors = []string{"request_throughput", "output_throughput", "input_throughput", "total_throughput", "ttft", "tpot", "itl", "e2el"}

// short is the share of the tokens asked for under which answers count as
// ended early, and long the share over which they count as more than asked.
const (
	short = 0.90
	long  = 1.02
)

// lengths: answers as long as asked for. Shorter ones look faster.
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
	ck := result.Check{Figures: map[string]float64{"output_tokens_per_request": c.facts.output, "output_len": asked}, Line: m.Line,
		Metrics: []string{"request_throughput", "e2el"}}
	if share < short {
		ck.Text, ck.Hint = locale.T("check.short", number(c.facts.output), number(asked), percent(share)), locale.T("check.short.hint")
	} else {
		ck.Text, ck.Hint = locale.T("check.long", number(c.facts.output), number(asked)), locale.T("check.long.hint")
	}
	c.raise(result.Warning, ck)
}

// answerLength gives the tokens that every answer was asked to have; ok is
// false when nobody tells or the tool drew lengths from a range. In vLLM's
// benchmark a ratio of 0 is none, in SGLang's and LMDeploy's it is 0 to the length
// asked for, which is their default.
func answerLength(r *result.Result) (tokens float64, ok bool) {
	ratio := r.Labels.Get("random_range_ratio")
	if ratio != "" && ratio != "0" && ratio != "1" {
		return 0, false
	}
	if ratio != "1" && strings.HasPrefix(r.Labels.Get("dataset"), "random") &&
		(strings.HasPrefix(r.Tool, "sglang-") || r.Tool == "lmdeploy") {
		return 0, false
	}
	return Quantity(r.Labels.Get("output_len"))
}

// slack is what the mean of products may differ from the product of means when
// the time of a request has to be put together from TTFT and TPOT: more where
// answers differ in length, since short ones often have the longer gaps.
const (
	slack       = 0.05
	slackUneven = 0.25
)

// littlesLaw: the requests in flight, N·mean(E2EL)/duration (Little, 1961),
// are no more than were allowed.
func (c *judge) littlesLaw() {
	n, exact, ok := inFlight(c.r, c.facts)
	if !ok || c.facts.cap == 0 {
		return
	}
	limit := c.facts.cap * 1.001
	asked, even := answerLength(c.r)
	switch {
	case exact:
	case even && c.facts.output >= short*asked && c.facts.output <= long*asked:
		limit = c.facts.cap * (1 + slack)
	default:
		limit = c.facts.cap * (1 + slackUneven)
	}
	duration, _ := c.r.Metric("duration")
	if n*duration.Value/(duration.Value+half(duration)) > limit { // a short duration may be rounded by much
		c.raise(result.Warning, result.Check{Text: locale.T("check.little", decimals(n, 2), number(c.facts.cap)), Hint: locale.T("check.little.hint"),
			Figures: map[string]float64{"effective_concurrency": n, "max_concurrency": c.facts.cap},
			Metrics: []string{"request_throughput", "output_throughput", "input_throughput", "total_throughput"}})
		return
	}
	c.pass(func() locale.Text { return locale.T("check.little.pass", decimals(n, 2), number(c.facts.cap)) })
}

// inFlight gives the mean number of requests in flight. It is exact when the
// tool reports E2EL; otherwise E2EL ≈ TTFT + TPOT·(mean output − 1).
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

// number writes a figure without digits that say nothing: 12419, 124.2.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// written gives a figure as the tool printed it, and of one that was stored with
// all its bits the first five digits.
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

// percent writes a share without decimals where they would be noise.
func percent(share float64) string {
	if share < 0.1 {
		return decimals(100*share, 1) + "%"
	}
	return decimals(100*share, 0) + "%"
}
