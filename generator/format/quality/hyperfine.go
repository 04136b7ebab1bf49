package quality

import (
	"fmt"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// hyperfine times a whole command many times. --export-json writes a list of commands under "results", with all times
// in seconds. It measures the wall time of a process, which includes the loading of a model, so no token rate can be
// computed from it.
//
// Versions 1.0 to 1.19 differ only in additional keys ("exit_codes", "parameters", "memory_usage_byte"). The standard
// deviation of a single run is null.
//
// Source: sharkdp/hyperfine, src/benchmark/benchmark_result.rs.
func isHyperfine(v *scan.Value) bool {
	first := v.Get("results").At(0)
	return first.Has("command", "mean", "user", "system")
}

func readHyperfine(in *draft.File, v *scan.Value) {
	results := v.Get("results")
	for r := range results.Children() {
		s := in.Begin("hyperfine", "hyperfine-json", r.Line)
		s.TakeAll(r, []draft.Member{
			{Key: "mean", Name: "duration", Unit: "s"},
			{Key: "median", Name: "x_duration_p50", Unit: "s"},
			{Key: "stddev", Name: "x_duration_std", Unit: "s"},
			{Key: "min", Name: "x_duration_min", Unit: "s"},
			{Key: "max", Name: "x_duration_max", Unit: "s"},
			{Key: "user", Name: "x_user", Unit: "s"},
			{Key: "system", Name: "x_system", Unit: "s"},
			{Key: "command", Name: "x_command"},
		})
		for p := range r.Get("parameters").Children() {
			s.Set("x_parameter_"+draft.Snake(p.Key), p)
		}
		if times := r.Get("times"); times.Is() {
			s.SetText("x_runs", fmt.Sprint(times.Count), times.Line)
		}
		n := len(in.Out.Results)
		s.EmitObject(r)
		if len(in.Out.Results) > n {
			in.Out.Results[n].Status = hyperfineStatus(in, r, in.Out.Results[n].Status)
		}
	}
	if results.Count > scan.HeldEntries {
		in.Message(results.Line, result.Warning, "format.too-many",
			locale.Textf("of %d commands the first %d are read", results.Count, scan.HeldEntries), locale.Textf("export fewer at a time"))
	}
}

// hyperfineStatus returns Failed if no run of the command succeeded: with --ignore-failure, failed runs are timed too.
// The code of a run that a signal ended is null.
func hyperfineStatus(in *draft.File, r *scan.Value, status result.Status) result.Status {
	codes := r.Get("exit_codes")
	failed := 0
	if codes != nil && codes.Numbers != nil {
		for _, code := range codes.Numbers.Values {
			if code != 0 { // also NaN
				failed++
			}
		}
	} else if codes.Is() {
		failed = codes.Count
	}
	switch {
	case failed == 0:
		return status
	case failed == codes.Count:
		return result.Failed
	}
	in.Message(codes.Line, result.Warning, "format.failed-runs",
		locale.Textf("%d of %d runs of %q failed, and the mean includes them", failed, codes.Count, strings.TrimSpace(r.Get("command").Text())), locale.Text{})
	return status
}
