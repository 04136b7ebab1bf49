package audit

import (
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Rules are what is asked of a run, in the order of docs/checks.md, with the
// numbers it is judged by.
func Rules() []result.Rule {
	when := func(s result.Severity, key string, numbers ...any) result.Bound {
		return result.Bound{Severity: s, When: locale.T("rule."+key+"."+s.String(), numbers...)}
	}
	rule := func(id string, bounds ...result.Bound) result.Rule {
		return result.Rule{ID: id, Raises: []string{id}, Asks: locale.T("rule." + id), Bounds: bounds}
	}
	share := func(of float64) string { return number(100*of) + "%" }
	rates := rule("consistency.rates", when(result.Error, "consistency.rates"))
	rates.Raises = []string{"consistency.output-throughput", "consistency.total-throughput", "consistency.request-throughput"}
	return []result.Rule{
		rule("physics.memory-roofline",
			when(result.Error, "physics.memory-roofline", share(impossibleMemory), share(suspiciousMemory)),
			when(result.Warning, "physics.memory-roofline", share(suspiciousMemory))),
		rule("physics.compute-roofline",
			when(result.Warning, "physics.compute-roofline", share(suspiciousCompute), share(impossibleCompute))),
		rule("physics.memory-fit",
			when(result.Error, "physics.memory-fit"),
			when(result.Warning, "physics.memory-fit")),
		rates,
		rule("consistency.percentiles", when(result.Error, "consistency.percentiles")),
		rule("consistency.positive", when(result.Error, "consistency.positive")),
		rule("consistency.littles-law", when(result.Warning, "consistency.littles-law", share(slack), share(slackUneven))),
		rule("consistency.answer-length", when(result.Warning, "consistency.answer-length", share(short), share(long))),
		rule("consistency.failed-requests", when(result.Warning, "consistency.failed-requests")),
		rule("consistency.cut-off", when(result.Warning, "consistency.cut-off")),
		rule("consistency.not-finite", when(result.Warning, "consistency.not-finite")),
		rule("telemetry.throttled", when(result.Warning, "telemetry.throttled", share(throttledShare))),
		rule("server.prefix-cache", when(result.Warning, "server.prefix-cache", share(strayHits))),
		rule("server.other-clients", when(result.Warning, "server.other-clients", share(strayRequests), share(strayUntold))),
	}
}

// IDs are the ids of the checks that a run can fail.
func IDs() []string {
	var ids []string
	for _, r := range Rules() {
		ids = append(ids, r.Raises...)
	}
	return ids
}
