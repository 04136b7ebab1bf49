package dataset

import (
	"slices"

	"github.com/benchpost/benchpost/generator/result"
)

// What it takes to measure again, in the order in which it is shown; of requests
// that were served also their load.
var (
	needed        = []string{"tool", "tool_version", "engine", "engine_version", "image", "hardware", "model_raw", "model_revision"}
	neededToServe = slices.Concat(needed, []string{"server_command", "dataset", "input_len", "output_len", "num_prompts", "max_concurrency", "request_rate", "seed"})
)

// Needs returns the labels that it takes to measure a run again, and those of them that
// are unknown. A load is bounded by its concurrency or its rate.
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
