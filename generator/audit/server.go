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

// throttledShare is the accepted share of a run in which the clock was throttled: one sample in a minute or so
// is not significant.
const throttledShare = 0.05

// throttling checks that no limit of power or heat throttled the clock, as reported by the driver. A falling
// clock alone is no proof: clocks that are not locked follow the load.
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

// Prefix cache hits of random prompts that occur without an earlier run: a few blocks that are equal by chance,
// and a chat template before each prompt.
const (
	strayHits      = 0.05
	templateTokens = 64
)

// prefixCache checks that random prompts share no more than they were made to share. Further hits in the
// server's prefix cache are due to an earlier run, or to the request with which a benchmark tests the server,
// which mostly is the first prompt: if there are few prompts, it distorts TTFT just as much. Warm-ups also hit
// that prompt, and a preempted request hits its own tokens; neither affects TTFT.
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

// By how much the server's counts may exceed the client's, in addition to the requests with which the client
// tests and warms up the server. For the benchmarks of vLLM and SGLang these are known; other clients do not
// report all of them.
const (
	strayRequests = 0.10
	strayUnknown  = 0.50
)

// otherClients checks that the server counted what the client reports. If it counted more, another client
// shared the machine during the run. If it counted less, the counters belong to another server, or to one of
// several.
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
	extra := 1 + c.warmUps() + failed.Value // requests that the client does not report; one tests the server
	agreed := 0
	for _, pair := range []struct {
		server, client string
		each           float64 // amount for each unreported request
		template       float64 // amount for each request that the client does not see
		lost           bool    // a smaller count is a contradiction, too
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

// warmUps returns the number of requests that a benchmark was configured to send before those it measures.
func (c *judge) warmUps() float64 {
	n := c.labelled("x_num_warmups")
	if m := warmUpFlag().FindStringSubmatch(c.r.Label("x_command")); n == 0 && m != nil {
		n, _ = strconv.ParseFloat(m[1], 64)
	}
	return n
}

var warmUpFlag = lazy.Regexp(`--(?:num-warmups|warmup-requests|warmup-request-count)[ =](\d{1,6})\b`)

// labelled returns the number in a label, or 0.
func (c *judge) labelled(label string) float64 {
	v, _ := Quantity(c.r.Labels.Get(label))
	return v
}
