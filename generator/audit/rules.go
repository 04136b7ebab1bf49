package audit

import (
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// rule is one row of the table: a check of every run.
//
// Its texts are messages of the catalogue: "rule.ID" says what it requires, "rule.ID.title" what is wrong, and
// "rule.ID.SEVERITY" when it is raised, with the numbers of the bound. If its result is a share of a limit,
// "mark.ID.SEVERITY" is the footnote and "reason.ID" the clause about several runs, each with that share.
type rule struct {
	id      string
	raises  []string // ids of its checks; nil if its own id is the only one
	bounds  []bound  // the worst first
	share   string   // the name in Figures of the share of a limit; "" for none
	sources []string // keys in the catalogue of the works that it follows
	judge   func(*judge)
}

// bound is a severity and the numbers at which a rule is raised with it.
type bound struct {
	severity result.Severity
	numbers  []any
}

// rules is the table, in the order of docs/checks.md, in which runs are judged, listed and explained.
var rules = []rule{
	{id: "physics.memory-roofline", judge: (*judge).memoryRoofline, share: "mbu", sources: []string{"mbu"}, bounds: []bound{
		{result.Error, at(impossibleMemory, suspiciousMemory)},
		{result.Warning, at(suspiciousMemory)}}},
	{id: "physics.compute-roofline", judge: (*judge).computeRoofline, share: "share", sources: []string{"kaplan"}, bounds: []bound{
		{result.Warning, at(suspiciousCompute, impossibleCompute)}}},
	{id: "physics.memory-fit", judge: (*judge).memoryFit, bounds: []bound{{result.Warning, nil}}},
	{id: "physics.weight-size", judge: (*judge).weightSize, bounds: []bound{
		{result.Warning, at(leastSize, mostPlain, mostScaled, mostIn16Bit)}}},
	{id: "consistency.rates", judge: (*judge).rates, bounds: []bound{{result.Error, nil}},
		raises: []string{"consistency.output-throughput", "consistency.total-throughput", "consistency.request-throughput"}},
	{id: "consistency.percentiles", judge: (*judge).percentiles, bounds: []bound{{result.Error, nil}}},
	{id: "consistency.positive", judge: (*judge).positive, bounds: []bound{{result.Error, nil}}},
	{id: "consistency.littles-law", judge: (*judge).littlesLaw, sources: []string{"little"}, bounds: []bound{
		{result.Warning, at(slack, slackUneven)}}},
	{id: "consistency.latencies", judge: (*judge).latencies, bounds: []bound{
		{result.Error, nil},
		{result.Warning, at(apart)}}},
	{id: "consistency.parts", judge: (*judge).parts, bounds: []bound{{result.Warning, nil}}},
	{id: "consistency.prompt-length", judge: (*judge).prompts, bounds: []bound{{result.Warning, at(shortPrompt, longPrompt)}}},
	{id: "consistency.answer-length", judge: (*judge).lengths, bounds: []bound{{result.Warning, at(short, long)}}},
	{id: "consistency.failed-requests", judge: (*judge).failures, bounds: []bound{{result.Warning, nil}}},
	{id: "consistency.same-log", bounds: []bound{{result.Warning, nil}}}, // raised where runs are collected
	{id: "consistency.cut-off", judge: (*judge).cutOff, bounds: []bound{{result.Warning, nil}}},
	{id: "consistency.not-finite", bounds: []bound{{result.Warning, nil}}}, // raised by the reader of the file
	{id: "telemetry.throttled", judge: (*judge).throttling, share: "share", bounds: []bound{{result.Warning, at(throttledShare)}}},
	{id: "server.prefix-cache", judge: (*judge).prefixCache, share: "share", bounds: []bound{{result.Warning, at(strayHits)}}},
	{id: "server.other-clients", judge: (*judge).otherClients, bounds: []bound{{result.Warning, at(strayRequests, strayUnknown)}}},
}

// at formats shares as the numbers of a bound.
func at(shares ...float64) []any {
	var numbers []any
	for _, s := range shares {
		numbers = append(numbers, number(100*s)+"%")
	}
	return numbers
}

// Rules returns the rows of the table with their texts.
func Rules() []result.Rule {
	var out []result.Rule
	for _, r := range rules {
		worded := result.Rule{ID: r.id, Raises: r.ids(), Title: locale.T("rule." + r.id + ".title"), Asks: locale.T("rule." + r.id), Sources: r.sources}
		for _, b := range r.bounds {
			worded.Bounds = append(worded.Bounds, result.Bound{Severity: b.severity, When: locale.T("rule."+r.id+"."+b.severity.String(), b.numbers...)})
		}
		out = append(out, worded)
	}
	return out
}

// IDs returns the ids of the checks that a run can fail.
func IDs() []string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ids()...)
	}
	return ids
}

// ids returns the ids of the checks that a rule raises.
func (r *rule) ids() []string {
	if r.raises != nil {
		return r.raises
	}
	return []string{r.id}
}

// Share returns the share of a limit that a check found; ok is false if the check has no such share and is
// reported by itself.
func Share(ck *result.Check) (share float64, ok bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.id == ck.ID && r.share != "" })
	if i < 0 {
		return 0, false
	}
	return ck.Figures[rules[i].share], true
}

// Mark returns the footnote about runs for which a check found shares such as "92%" or "115–367%".
func Mark(ck *result.Check, shares string) locale.Text {
	return locale.T("mark."+ck.ID+"."+ck.Severity.String(), shares)
}

// Reason does what Mark does for a clause that says what is wrong with the runs.
func Reason(ck *result.Check, shares string) locale.Text {
	return locale.T("reason."+ck.ID, shares)
}
