package audit

import "slices"

// ids are the checks of runs, in the order of docs/checks.md.
var ids = []string{
	"physics.memory-roofline", "physics.compute-roofline", "physics.memory-fit",
	"consistency.output-throughput", "consistency.total-throughput", "consistency.request-throughput",
	"consistency.percentiles", "consistency.positive", "consistency.littles-law", "consistency.answer-length",
	"consistency.failed-requests", "consistency.cut-off", "consistency.not-finite",
}

// IDs are the ids of the checks that a run can fail.
func IDs() []string { return slices.Clone(ids) }
