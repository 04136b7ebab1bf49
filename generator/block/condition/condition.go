// Package condition decides which runs may be compared: those that agree in all settings except the labels that are
// laid out over rows, columns, series or along a line.
//
//	condition.Of(rs, "model", "max_concurrency")  the other settings in which runs differ
//	condition.Apart(d, rs, []string{"model"}, "")  labels for rows, so that the runs of a cell are repeats
//	condition.Along(d, rs)  the swept label: concurrency, or a rate
//	condition.Stratum(d, rs, settings, "max_concurrency", fits)  the largest group that agrees
//
// Blocks, pages without an author's block, and composed posts use the same rules.
package condition

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// Machine lists the labels that describe what serves a model, the most important first.
var Machine = []string{"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine", "engine_version"}

// Settings lists the labels in which runs of a model may differ, the most important first.
var Settings = slices.Concat(Machine, []string{
	"load", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len",
	"output_len", "batch_size", "context_depth", "prefix_caching",
})

// Swept lists the labels that are often varied in steps, most of them numeric, the most important first.
var Swept = []string{"max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "parallelism", "accelerators", "num_prompts", "threads", "gpu_layers"}

// tuning lists the labels that describe how one variant is served.
var tuning = []string{"accelerators", "parallelism", "dp_attention", "disaggregated", "max_num_seqs", "max_num_batched_tokens",
	"chunked_prefill_size", "gpu_memory_utilization", "mem_fraction_static", "attention_backend", "enforce_eager"}

// Configures reports whether a label describes how one variant is served: the operator of a service chooses its value,
// such as the degree of parallelism. It includes labels that a tool names itself.
func Configures(label string) bool {
	return slices.Contains(tuning, label) || strings.HasPrefix(label, "x_")
}

// Along returns the swept label: the one with the most runs that differ in it and agree in all other settings. It is ""
// if there are no two such runs.
func Along(d *dataset.Selection, rs []*result.Result) string {
	best, most := "", 0
	for _, name := range Swept {
		if n := len(Paired(d, rs, name)); n > most {
			best, most = name, n
		}
	}
	return best
}

// Paired returns the runs that have a counterpart which differs in the label, and agrees in all other decisive settings
// except those that follow from the label. Only these runs show the effect of the label.
func Paired(d *dataset.Selection, rs []*result.Result, label string) []*result.Result {
	others := slices.DeleteFunc(Decisive(), func(setting string) bool { return setting == label || audit.Explains(label, setting) })
	var out []*result.Result
	for _, g := range d.Groups(dataset.Having(rs, label), others) {
		for _, alike := range dataset.ByMeasure(g.Runs) {
			if len(d.Values(alike, label)) > 1 {
				out = append(out, alike...)
			}
		}
	}
	return out
}

// Limits of what a reader can still compare.
const (
	mostExtra  = 4   // labels that distinguish runs
	mostGroups = 240 // groups of runs
)

// Apart extends the labels of rows until the runs of a row (and a value of across) are repeats. It also adds the
// decisive settings in which runs differ (Of), since runs are compared only if they agree in them. It is false if that
// takes too many labels or rows.
func Apart(d *dataset.Selection, rs []*result.Result, rows []string, across string) ([]string, bool) {
	return ApartBy(d, rs, rows, across, mostExtra, mostGroups)
}

// ApartBy does what [Apart] does, with given maximums of extra labels and of groups of runs.
func ApartBy(d *dataset.Selection, rs []*result.Result, rows []string, across string, extra, groups int) ([]string, bool) {
	for ; ; extra-- {
		by := rows
		if across != "" {
			by = append(slices.Clone(rows), across)
		}
		gs := d.Groups(rs, by)
		if len(gs) > groups {
			return nil, false
		}
		name := ""
		for _, g := range gs {
			if setting := Unsettled(g.Runs); setting != "" && (name == "" || rankOf(setting) < rankOf(name)) {
				name = setting
			}
		}
		for _, setting := range Of(rs, append(slices.Clone(rows), across)...) {
			if !slices.Contains(rows, setting) && (name == "" || rankOf(setting) < rankOf(name)) {
				name = setting
			}
		}
		if name == "" {
			return rows, true
		}
		if extra == 0 {
			return nil, false
		}
		rows = append(slices.Clone(rows), name)
	}
}

// passing lists the settings in which compared runs may differ. A footnote names the difference.
var passing = []string{"num_prompts", audit.AnswerLength, "seed", "tool", "tool_version", "driver", "power_scope", "image"}

// Decisive returns the settings in which runs must agree to be compared: all settings except those in passing.
func Decisive() []string {
	return slices.DeleteFunc(audit.Settings(), func(name string) bool { return slices.Contains(passing, name) })
}

// Of returns the decisive settings in which runs differ and that no laid-out label explains. Statements about the runs
// hold only within one value of each.
func Of(rs []*result.Result, laid ...string) []string {
	var names []string
	for _, diff := range audit.Differences(rs, laid) {
		if !slices.Contains(passing, diff.Setting) && !slices.Contains(names, diff.Setting) {
			names = append(names, diff.Setting)
		}
	}
	return names
}

// OneModel reports whether all runs have the same model label, or one of the laid-out labels explains the model. If
// only some runs name a model, comparing them with the others shows nothing.
func OneModel(rs []*result.Result, laid ...string) bool {
	if slices.ContainsFunc(laid, func(label string) bool { return label == "model" || audit.Explains(label, "model") }) {
		return true
	}
	return !slices.ContainsFunc(rs, func(r *result.Result) bool { return r.Label("model") != rs[0].Label("model") })
}

// Unsettled returns the most important label that distinguishes results which are not repeats of each other, "" if all
// are repeats.
func Unsettled(rs []*result.Result) string {
	best := ""
	for _, kind := range dataset.ByMeasure(rs) {
		for _, name := range dataset.Differing(kind) {
			if best == "" || rankOf(name) < rankOf(best) {
				best = name
			}
		}
		if best == "" && dataset.Unlabelled(kind) {
			best = "id"
		}
	}
	return best
}

// rankOf returns the rank of a label among those that distinguish runs. The model ranks before all settings, since it
// explains what was derived from it.
func rankOf(name string) int {
	if name == "model" {
		return -1
	}
	return dataset.Rank(Settings, name)
}

// Stratum groups results by settings and returns the group with the most values of a label. It skips groups that do not
// fit, and is false if none fits.
func Stratum(d *dataset.Selection, rs []*result.Result, settings []string, label string, fits func(dataset.Group) bool) (dataset.Group, bool) {
	gs := slices.DeleteFunc(d.Groups(rs, settings), func(g dataset.Group) bool { return !fits(g) })
	if len(gs) == 0 {
		return dataset.Group{}, false
	}
	return slices.MaxFunc(gs, func(a, b dataset.Group) int {
		return cmp.Or(cmp.Compare(len(d.Values(a.Runs, label)), len(d.Values(b.Runs, label))), cmp.Compare(len(a.Runs), len(b.Runs)))
	}), true
}
