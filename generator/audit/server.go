package audit

import (
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// throttledShare is the share of a run up to which a clock that was held down is let
// pass: one sample in a minute or so says little.
const throttledShare = 0.05

// throttling: no limit of power or heat held the clock down, as the driver reports it.
// A clock that falls by itself is no proof of it: clocks that are not locked follow the
// load.
func (c *judge) throttling() {
	m, ok := c.r.Metric("throttled_share")
	if !ok {
		if c.r.Telemetry != nil {
			c.lack("check.lack.throttling")
		}
		return
	}
	share := m.Value / 100
	if share <= throttledShare {
		c.pass(func() locale.Text { return locale.T("check.throttled.pass", percent(share)) })
		return
	}
	c.raise(result.Warning, result.Check{Text: locale.T("check.throttled", percent(share)), Hint: locale.T("check.throttled.hint"),
		Figures: map[string]float64{"share": share}, Metrics: vocabulary.Speeds()})
}

// What random prompts may have in the prefix cache though no run before left it warm:
// a few blocks that are alike by chance, and a chat template before each prompt.
const (
	strayHits      = 0.05
	templateTokens = 64
)

// prefixCache: random prompts share no more than they were made to, so that what the
// server found of them in its prefix cache was left by a run before, or by the request
// with which a benchmark tries the server, which is mostly the first prompt: of few
// prompts it spoils TTFT just as well. Warm-ups find that prompt, too, and a request
// that was preempted its own tokens; neither is in TTFT.
func (c *judge) prefixCache() {
	rate, ok := c.r.Metric("prefix_cache_hit_rate")
	if !ok {
		return
	}
	share := rate.Value / 100
	if on(c.r.Label("prefix_caching")) {
		c.pass(func() locale.Text { return locale.T("check.prefix-cache.declared", percent(share)) })
		return
	}
	dataset := c.r.Label("dataset")
	if !strings.HasPrefix(dataset, "random") && dataset != "synthetic" {
		c.lack("check.lack.dataset", percent(share))
		return
	}
	if c.facts.requests == 0 || c.facts.input == 0 {
		c.lack("check.lack.prompts", percent(share))
		return
	}
	preemptions, _ := c.r.Metric("preemptions")
	shared := c.labelled("random_prefix_len") + templateTokens
	explained := strayHits + (c.warmUps()+preemptions.Value)/c.facts.requests + shared/c.facts.input
	if share <= explained {
		c.pass(func() locale.Text {
			return locale.T("check.prefix-cache.pass", percent(share), percent(math.Min(explained, 1)))
		})
		return
	}
	c.raise(result.Warning, result.Check{Text: locale.T("check.prefix-cache", percent(share), percent(explained)), Hint: locale.T("check.prefix-cache.hint"),
		Figures: map[string]float64{"share": share, "explained": explained},
		Metrics: []string{"ttft", "prefill_throughput", "prefill_flops", "input_throughput"}})
}

// By how much the server may have counted more than the client, beside the requests
// with which that tried and warmed up the server: those of vLLM's and SGLang's
// benchmarks are known, others do not report all.
const (
	strayRequests = 0.10
	strayUnknown  = 0.50
)

// otherClients: what the server counted is what the client reports. More came from
// somebody else, whom the figures then share the machine with; less, and the metrics
// are of another server, or of one of several.
func (c *judge) otherClients() {
	if c.facts.requests == 0 {
		return
	}
	room := strayUnknown
	if strings.HasPrefix(c.r.Tool, "vllm-") || strings.HasPrefix(c.r.Tool, "sglang-") {
		room = strayRequests
	}
	failed, _ := c.r.Metric("requests_failed")
	preemptions, _ := c.r.Metric("preemptions")
	extra := 1 + c.warmUps() + failed.Value // requests that the client does not report; one tries the server
	agreed := 0
	for _, pair := range []struct {
		server, client string
		each           float64 // of a request that is not reported
		template       float64 // that the client does not see, of each request
		lost           bool    // fewer are a contradiction
	}{
		{"server_requests", "requests_completed", 1, 0, true},
		{"server_output_tokens", "output_tokens", c.facts.output, 0, true},
		{"server_input_tokens", "input_tokens", c.facts.input, templateTokens, false},
	} {
		counted, ok := c.r.Metric(pair.server)
		reported, told := c.metric(pair.client)
		if !ok || !told {
			continue
		}
		most := reported.Value*(1+room) + extra*pair.each + c.facts.requests*pair.template
		if pair.template > 0 {
			most += preemptions.Value * pair.each
		}
		ck := result.Check{Figures: map[string]float64{"server": counted.Value, "client": reported.Value, "most": most}}
		args := []any{locale.MetricName(pair.client), number(counted.Value), number(reported.Value)}
		switch {
		case counted.Value > most:
			ck.Text, ck.Hint, ck.Metrics = locale.T("check.other-clients", args...), locale.T("check.other-clients.hint"), vocabulary.Speeds()
			c.raise(result.Warning, ck)
			return
		case pair.lost && counted.Value < reported.Value*(1-room):
			ck.Text, ck.Hint = locale.T("check.other-server", args...), locale.T("check.other-server.hint")
			ck.Metrics = []string{"server_requests", "server_output_tokens", "server_input_tokens", "prefix_cache_hit_rate", "preemptions"}
			c.raise(result.Warning, ck)
			return
		}
		agreed++
	}
	if agreed > 0 {
		c.pass(func() locale.Text { return locale.T("check.other-clients.pass") })
	}
}

// warmUps are the requests that a benchmark was asked to make before those it
// measures.
func (c *judge) warmUps() float64 {
	n := c.labelled("x_num_warmups")
	if m := warmUpFlag().FindStringSubmatch(c.r.Label("x_command")); n == 0 && m != nil {
		n, _ = strconv.ParseFloat(m[1], 64)
	}
	return n
}

var warmUpFlag = lazy.Regexp(`--(?:num-warmups|warmup-requests|warmup-request-count)[ =](\d{1,6})\b`)

// labelled is the number in a label, 0 for none.
func (c *judge) labelled(label string) float64 {
	v, _ := Quantity(c.r.Labels.Get(label))
	return v
}
