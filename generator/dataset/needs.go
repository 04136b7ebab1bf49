package dataset

import (
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// The labels needed to repeat a measurement, in the order in which they are shown; for served requests also
// those of their load.
var (
	needed        = []string{"tool", "tool_version", "engine", "engine_version", "image", "hardware", "model_raw", "model_revision"}
	neededToServe = slices.Concat(needed, []string{"server_command", "dataset", "input_len", "output_len", "num_prompts", "max_concurrency", "request_rate", "seed"})
)

// Needs returns the labels needed to repeat a measurement, and those of them that are missing. The concurrency
// or the rate is enough to define a load.
func Needs(r *result.Result) (all, missing []string) {
	all = needed
	if slices.ContainsFunc([]string{"ttft", "ttft_mean", "ttft_p50", "request_throughput"}, func(name string) bool { _, ok := r.Metric(name); return ok }) {
		all = neededToServe
	}
	for _, name := range all {
		switch {
		case r.Label(name) != "":
		case name == "request_rate", name == "max_concurrency" && r.Label("request_rate") != "":
		default:
			missing = append(missing, name)
		}
	}
	return all, missing
}
