// Package condition says which runs may be set side by side. Runs are compared that agree in
// everything but what is laid out over rows, columns, series or along a line.
//
//	condition.Of(rs, "model", "max_concurrency")  the settings in which runs differ otherwise
//	condition.Apart(d, rs, []string{"model"}, "", n)  labels for rows, so that those of a cell are repeats
//	condition.Along(d, rs)  what is swept: concurrency, or a rate
//	condition.Stratum(d, rs, settings, "max_concurrency", fits)  the largest group that agrees
//
// Blocks, pages that show what nobody asked for, and composed posts go by the same rules.
package condition

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// Machine are the labels of what serves a model, the most telling first.
var Machine = []string{"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine", "engine_version"}

// Settings are the labels in which runs of a model may differ, the most telling
// first.
var Settings = slices.Concat(Machine, []string{
	"load", "scenario", "max_concurrency", "request_rate", "num_prompts", "dataset", "input_len",
	"output_len", "batch_size", "context_depth", "prefix_caching",
})

// Swept are the labels, most of them of numbers, that are often varied in steps, the most telling first.
var Swept = []string{"max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "parallelism", "accelerators", "num_prompts", "threads", "gpu_layers"}

// tuning are the labels of how one variant is served.
var tuning = []string{"accelerators", "parallelism", "dp_attention", "disaggregated", "max_num_seqs", "max_num_batched_tokens",
	"chunked_prefill_size", "gpu_memory_utilization", "mem_fraction_static", "attention_backend", "enforce_eager"}

// Configures reports whether a label is of how one variant is served: a service chooses from
// its values, as the degree of parallelism, or what a tool calls by a name of its own.
func Configures(label string) bool {
	return slices.Contains(tuning, label) || strings.HasPrefix(label, "x_")
}

// Along returns the label in whose steps most runs differ that agree in all other settings:
// what is swept. It is "" where no two runs do.
func Along(d *dataset.Selection, rs []*result.Result) string {
	best, most := "", 0
	for _, name := range Swept {
		if n := len(Paired(d, rs, name)); n > most {
			best, most = name, n
		}
	}
	return best
}

// Paired returns the runs that another stands beside which differs from them in a label and in no other setting in
// which runs have to agree, but for what follows from the label: only these say what it does.
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

// What a reader can still compare.
const (
	mostExtra  = 4   // labels that tell runs apart
	mostGroups = 240 // of runs
)

// Apart adds to the labels that make rows those that it takes to tell the runs
// of a row apart, and those in whose values runs differ that are not compared
// with one another unless they agree (Of): rows say what was measured
// differently. It is false when that takes too many labels or rows.
func Apart(d *dataset.Selection, rs []*result.Result, rows []string, across string) ([]string, bool) {
	return ApartBy(d, rs, rows, across, mostExtra, mostGroups)
}

// ApartBy is Apart with so many more labels, and groups of runs, at the most.
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

// passing are the settings in which runs differ that may be compared: a footnote says so.
var passing = []string{"num_prompts", audit.AnswerLength, "seed", "tool", "tool_version", "driver", "power_scope", "image"}

// Decisive are the settings in which runs have to agree to be compared, but for those.
func Decisive() []string {
	return slices.DeleteFunc(audit.Settings(), func(name string) bool { return slices.Contains(passing, name) })
}

// Of returns the decisive settings in which runs differ though no label that is laid
// out explains it: what is said of the runs holds within one value of each.
func Of(rs []*result.Result, laid ...string) []string {
	var names []string
	for _, diff := range audit.Differences(rs, laid) {
		if !slices.Contains(passing, diff.Setting) && !slices.Contains(names, diff.Setting) {
			names = append(names, diff.Setting)
		}
	}
	return names
}

// OneModel reports whether runs are of one model, for all that is known, or of those that a label lays out. Where
// only some say which model ran, nothing follows from setting them against the others.
func OneModel(rs []*result.Result, laid ...string) bool {
	if slices.ContainsFunc(laid, func(label string) bool { return label == "model" || audit.Explains(label, "model") }) {
		return true
	}
	return !slices.ContainsFunc(rs, func(r *result.Result) bool { return r.Label("model") != rs[0].Label("model") })
}

// Unsettled gives the most telling label that results differ in which are no
// repeats, "" when all are.
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

// rankOf is the place of a label among those that tell runs apart: the model says more than
// any setting, and explains what was worked out from it.
func rankOf(name string) int {
	if name == "model" {
		return -1
	}
	return dataset.Rank(Settings, name)
}

// Stratum gives, of results that differ in settings, the group of the combination with
// the most values of a label. It is false when no group fits.
func Stratum(d *dataset.Selection, rs []*result.Result, settings []string, label string, fits func(dataset.Group) bool) (dataset.Group, bool) {
	gs := slices.DeleteFunc(d.Groups(rs, settings), func(g dataset.Group) bool { return !fits(g) })
	if len(gs) == 0 {
		return dataset.Group{}, false
	}
	return slices.MaxFunc(gs, func(a, b dataset.Group) int {
		return cmp.Or(cmp.Compare(len(d.Values(a.Runs, label)), len(d.Values(b.Runs, label))), cmp.Compare(len(a.Runs), len(b.Runs)))
	}), true
}
