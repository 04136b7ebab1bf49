package format

import (
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// hyperfine times a command as a whole, many times over; --export-json writes a
// list of commands under "results", all times in seconds. What it measures is
// the wall time of a process, so that a model's loading is part of it and no
// token rate follows from it.
//
// Versions 1.0 to 1.19 differ in additions alone ("exit_codes", "parameters",
// "memory_usage_byte"). A single run has no standard deviation: null.
//
// Source: sharkdp/hyperfine, src/benchmark/benchmark_result.rs.
func isHyperfine(v *value) bool {
	first := v.get("results").at(0)
	return first.has("command", "mean", "user", "system")
}

func readHyperfine(in *input, v *value) {
	results := v.get("results")
	for r := range results.children() {
		s := in.begin("hyperfine", "hyperfine-json", r.line)
		s.takeAll(r, []member{
			{"mean", "duration", "s"},
			{"median", "x_duration_p50", "s"},
			{"stddev", "x_duration_std", "s"},
			{"min", "x_duration_min", "s"},
			{"max", "x_duration_max", "s"},
			{"user", "x_user", "s"},
			{"system", "x_system", "s"},
			{"command", "x_command", ""},
		})
		for p := range r.get("parameters").children() {
			s.setting("x_parameter_"+snake(p.key), p)
		}
		if times := r.get("times"); times.is() {
			s.said("x_runs", fmt.Sprint(times.count), times.line)
		}
		n := len(in.out.Results)
		s.finish(r)
		if len(in.out.Results) > n {
			in.out.Results[n].Status = hyperfineStatus(in, r, in.out.Results[n].Status)
		}
	}
	if results.count > heldEntries {
		in.message(results.line, result.Warning, "format.too-many",
			fmt.Sprintf("of %d commands the first %d are read", results.count, heldEntries), "export fewer at a time")
	}
}

// hyperfineStatus is failed when no run of the command succeeded: --ignore-failure
// times those as well. A run that a signal ended has null for a code.
func hyperfineStatus(in *input, r *value, status result.Status) result.Status {
	codes := r.get("exit_codes")
	failed := 0
	if codes != nil && codes.numbers != nil {
		for _, code := range codes.numbers.values {
			if code != 0 { // NaN too
				failed++
			}
		}
	} else if codes.is() {
		failed = codes.count
	}
	switch {
	case failed == 0:
		return status
	case failed == codes.count:
		return result.Failed
	}
	in.message(codes.line, result.Warning, "format.failed-runs",
		fmt.Sprintf("%d of %d runs of %q failed, and are part of the mean", failed, codes.count, strings.TrimSpace(r.get("command").string())), "")
	return status
}
