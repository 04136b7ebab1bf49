package compare

import (
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/result"
)

// Subjects lists the labels by which two runs or two variants may be compared, in order of precedence: if runs
// differ in model and engine, the models are compared, and the difference of the engines is reported.
var Subjects = []string{
	"model", "quantization", "hardware", "engine", "engine_version", "power_mode", "clocks", "accelerators", "parallelism",
	"load", "scenario", "max_concurrency", "request_rate", "batch_size", "context_depth", "section",
}

// Runs compares B with A as one pair, regardless of what their runs measured. The runs of each side are repeats
// of one another.
func Runs(a, b Side, o Options) *Comparison {
	o.By, o.Chosen = []string{}, subjectOf(a.Results, b.Results)
	return Sides(a, b, o)
}

// Variants compares all runs of two variants, with a pair for each load that both were measured at. Runs of a
// side with the same load are treated as repeats of one another.
func Variants(a, b Side, o Options) *Comparison {
	o.Chosen = subjectOf(a.Results, b.Results)
	o.By = slices.DeleteFunc(loadLabels(a.Results, b.Results), func(label string) bool { return slices.Contains(o.Chosen, label) })
	return Sides(a, b, o)
}

// subjectOf returns the first of Subjects that all runs have and of which the sides have no common value.
func subjectOf(a, b []*result.Result) []string {
	for _, label := range Subjects {
		if x, y := valuesOf(a, label), valuesOf(b, label); !slices.Contains(x, "") && !slices.Contains(y, "") && apart(x, y) {
			return []string{label}
		}
	}
	return nil
}

// named lists the labels that name a load.
var named = []string{"load", "scenario", "task"}

// conditions lists the labels that define a load.
var conditions = []string{"max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "dataset"}

// loadLabels returns the labels in which runs of a load agree: its names, and those of its conditions that
// further distinguish runs of a side. It returns all conditions if loads have no name.
func loadLabels(sides ...[]*result.Result) []string {
	labels := slices.Clone(named)
	unnamed := false
	for _, rs := range sides {
		unnamed = unnamed || slices.ContainsFunc(rs, func(r *result.Result) bool { return r.Label("load") == "" && r.Label("scenario") == "" })
	}
	for _, label := range conditions {
		more := append(slices.Clone(labels), label)
		if unnamed || slices.ContainsFunc(sides, func(rs []*result.Result) bool { return distinct(rs, more) > distinct(rs, labels) }) {
			labels = more
		}
	}
	return labels
}

// distinct returns the number of distinct combinations of values of some labels.
func distinct(rs []*result.Result, labels []string) int {
	seen := map[string]bool{}
	for _, r := range rs {
		seen[keyOf(r, labels)] = true
	}
	return len(seen)
}

// Rules has the data with which a script reaches the same verdicts as Runs and Variants.
type Rules struct {
	Subjects   []string            `json:"subjects"`
	Explains   map[string][]string `json:"explains"`   // subject → settings that follow from it
	Settings   []string            `json:"settings"`   // labels in which runs have to agree to be compared
	Plain      []string            `json:"plain"`      // of these, those that are numbers or switches
	Also       []string            `json:"also"`       // further labels in which runs have to agree, as printed by engines
	Named      []string            `json:"named"`      // labels that name a load
	Conditions []string            `json:"conditions"` // labels that define a load
	Tolerance  float64             `json:"tolerance"`  // accepted relative difference in the length of answers
	Headline   []string            `json:"headline"`   // metrics of the sentence at the top; p99: the highest percentile of both sides
	Noise      map[string]float64  `json:"noise"`      // metric → threshold
}

// RulesOf returns the rules for some metrics.
func RulesOf(o Options, metrics []string) Rules {
	c := &Comparison{options: o}
	r := Rules{
		Subjects: Subjects, Explains: map[string][]string{}, Settings: audit.Settings(), Plain: audit.Plain(), Also: also, Named: named, Conditions: conditions,
		Tolerance: audit.Tolerance, Headline: o.listed(), Noise: map[string]float64{},
	}
	for _, label := range Subjects {
		r.Explains[label] = append([]string{}, audit.Explained(label)...)
	}
	for _, name := range metrics {
		r.Noise[name] = c.Threshold(name)
	}
	return r
}
