package audit

import (
	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

// Rules are what is asked of a run, in the order of docs/checks.md, with the
// numbers it is judged by.
func Rules() []bench.Rule {
	when := func(s bench.Severity, key string, numbers ...any) bench.Bound {
		return bench.Bound{Severity: s, When: locale.T("rule."+key+"."+s.String(), numbers...)}
	}
	rule := func(id string, bounds ...bench.Bound) bench.Rule {
		return bench.Rule{ID: id, Raises: []string{id}, Asks: locale.T("rule." + id), Bounds: bounds}
	}
	share := func(of float64) string { return number(100*of) + "%" }
	rates := rule("consistency.rates", when(bench.Error, "consistency.rates"))
	rates.Raises = []string{"consistency.output-throughput", "consistency.total-throughput", "consistency.request-throughput"}
	return []bench.Rule{
		rule("physics.memory-roofline",
			when(bench.Error, "physics.memory-roofline", share(impossibleMemory), share(suspiciousMemory)),
			when(bench.Warning, "physics.memory-roofline", share(suspiciousMemory))),
		rule("physics.compute-roofline",
			when(bench.Warning, "physics.compute-roofline", share(suspiciousCompute), share(impossibleCompute))),
		rule("physics.memory-fit",
			when(bench.Error, "physics.memory-fit"),
			when(bench.Warning, "physics.memory-fit")),
		rates,
		rule("consistency.percentiles", when(bench.Error, "consistency.percentiles")),
		rule("consistency.positive", when(bench.Error, "consistency.positive")),
		rule("consistency.littles-law", when(bench.Warning, "consistency.littles-law", share(slack), share(slackUneven))),
		rule("consistency.answer-length", when(bench.Warning, "consistency.answer-length", share(short), share(long))),
		rule("consistency.failed-requests", when(bench.Warning, "consistency.failed-requests")),
		rule("consistency.cut-off", when(bench.Warning, "consistency.cut-off")),
		rule("consistency.not-finite", when(bench.Warning, "consistency.not-finite")),
		rule("telemetry.throttled", when(bench.Warning, "telemetry.throttled", share(throttledShare))),
		rule("server.prefix-cache", when(bench.Warning, "server.prefix-cache", share(strayHits))),
		rule("server.other-clients", when(bench.Warning, "server.other-clients", share(strayRequests), share(strayUntold))),
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
