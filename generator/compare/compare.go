// Package compare compares two sets of results: which runs of one measured the same as runs of the other, what
// is better or worse, what was removed or added, and how else the sets differ.
//
// It reports only what the numbers support. Runs that no label distinguishes are reported as ambiguous and
// never matched by guessing. A metric of an excluded or unfinished run is uncertain. Settings that differ are
// shown beside the verdict.
package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Side is one of two sets of results.
type Side struct {
	Name    locale.Text      // its name: "HEAD", "runs/old", `{engine="vllm"}`
	Commit  string           // full commit id of a revision; otherwise ""
	Before  string           // prefix of the paths of its files if they are not in the working tree: "1a2b3c4:"
	Results []*result.Result // in any order
}

// At returns the position of a metric of the side as text.
func (s *Side) At(p result.Position) string { return s.Before + p.String() }

// Options determine how two sides are matched and what is compared.
type Options struct {
	By      []string                          // match by these labels only; nil: by all that distinguish runs
	Chosen  []string                          // labels by which the sides were chosen and so are expected to differ
	Metrics []string                          // metrics to compare; nil: those of vocabulary.Compared
	All     bool                              // compare all metrics
	Noise   float64                           // relative difference that single runs cannot show; 0: 0.03
	Noises  map[string]float64                // Noise for single metrics or latencies
	Titles  map[string]map[string]locale.Text // label → value → its title on the site
}

// Comparison is the comparison of two sides.
type Comparison struct {
	A, B      Side // the sides, with sorted results
	Subject   []string
	Pairs     []Pair
	Removed   []Cell // cells of A without a counterpart in B
	Added     []Cell // cells of B without a counterpart in A
	Ambiguous []Ambiguity
	Changed   []Shared // other labels in which pairs differ, the most frequent first

	Compared int // figures of both sides with a verdict
	Tested   int // of these, the number with a significance test

	options  Options
	given    []string        // labels of what is measured that are determined by the choice of sides
	fleeting map[string]bool // cache of passing
}

// Cell is the runs of one measurement: repeats of one another.
type Cell struct {
	Title locale.Text // distinguishes it from the others of the comparison
	Runs  []*result.Result
}

// Failed reports whether all runs of the cell failed.
func (c *Cell) Failed() bool {
	return !slices.ContainsFunc(c.Runs, func(r *result.Result) bool { return r.Status != result.Failed })
}

// Pair is a cell of A and the cell of B that measured the same.
type Pair struct {
	Title   locale.Text
	A, B    []*result.Result // repeats
	Changed []Change
	Mixed   []string // labels in which runs of a side differ, as Options.By allows
	Figures []Figure
}

// Count returns how many figures of the pair have a verdict.
func (p *Pair) Count(v Verdict) int {
	n := 0
	for i := range p.Figures {
		if p.Figures[i].Verdict == v {
			n++
		}
	}
	return n
}

// Lost reports whether A has results and all runs of B failed.
func (p *Pair) Lost() bool {
	return (&Cell{Runs: p.B}).Failed() && !(&Cell{Runs: p.A}).Failed()
}

// Change is a label in which the runs of a pair differ.
type Change struct {
	Label   string
	A, B    string // "" if unknown
	Setting bool   // a label in which runs have to agree to be compared
}

// Shared is a change and the number of pairs that have it.
type Shared struct {
	Change
	Pairs int
}

// Ambiguity is a set of cells that no label matches with each other.
type Ambiguity struct {
	Title  locale.Text
	A, B   []Cell
	Differ []string // labels by which the cells of a side differ
}

// Count returns how many figures of all pairs have a verdict.
func (c *Comparison) Count(v Verdict) int {
	n := 0
	for i := range c.Pairs {
		n += c.Pairs[i].Count(v)
	}
	return n
}

// Sides compares B with A.
func Sides(a, b Side, o Options) *Comparison {
	c := &Comparison{A: inOrder(a), B: inOrder(b), options: o, fleeting: map[string]bool{}}
	c.Subject = c.subject()
	for _, label := range slices.Concat(measured, loads) {
		if slices.Contains(c.Subject, label) || c.explained(label) && apart(valuesOf(c.A.Results, label), valuesOf(c.B.Results, label)) {
			c.given = append(c.given, label)
		}
	}
	c.match()
	for i := range c.Pairs {
		p := &c.Pairs[i]
		p.Changed = c.changes(p)
		p.Figures = c.figures(p)
	}
	c.conclude()
	c.share()
	c.name()
	return c
}

func inOrder(s Side) Side {
	s.Results = slices.Clone(s.Results)
	slices.SortStableFunc(s.Results, result.Compare)
	return s
}

// subject returns the labels that are compared: those by which the sides were chosen and of which they have no
// common value. A label with common values still distinguishes runs within the sides.
func (c *Comparison) subject() []string {
	var labels []string
	for _, label := range c.options.Chosen {
		if !slices.Contains(labels, label) && apart(valuesOf(c.A.Results, label), valuesOf(c.B.Results, label)) {
			labels = append(labels, label)
		}
	}
	return labels
}

// unreported lists labels that are not reported as changes: when, where and by which command a run was made,
// and facts that follow from the model and the machine.
var unreported = []string{
	"campaign", "phase", "power_scope", "status", "id", "format", "model_raw", "tokenizer", "base_model", "weight_size", "active_weight_size", "params", "active_params",
	"kv_cache_per_token", "memory", "memory_bandwidth", "compute_peak", "compute_type", "command",
	"x_started", "x_ended", "x_exit_code", "x_signal", "x_command", "x_sweep",
}

// also lists labels in which runs have to agree in addition to audit.Settings. Engines print them under their
// own names.
var also = []string{"max_model_len", "gpu_memory_utilization", "mem_fraction_static"}

// changes returns the labels in which the runs of a pair differ: first the settings as listed by audit, then
// other labels.
func (c *Comparison) changes(p *Pair) []Change {
	var out []Change
	settings := audit.Settings()
	for _, d := range audit.Differences(slices.Concat(p.A, p.B), c.Subject) {
		var a, b []string
		for _, v := range d.Values {
			if slices.ContainsFunc(v.Runs, among(p.A)) {
				a = append(a, v.Text)
			}
			if slices.ContainsFunc(v.Runs, among(p.B)) {
				b = append(b, v.Text)
			}
		}
		if len(a) > 0 && len(b) > 0 && !slices.Equal(sorted(a), sorted(b)) {
			out = append(out, Change{d.Setting, strings.Join(sorted(a), ", "), strings.Join(sorted(b), ", "), true})
		}
	}
	for _, label := range labelsOf(p.A, p.B) {
		if slices.Contains(unreported, label) || vocabulary.Incidental(label) || c.explained(label) || c.passing(label) {
			continue
		}
		a, b := valuesOf(p.A, label), valuesOf(p.B, label)
		if slices.Contains(settings, label) && a[len(a)-1] != "" && b[len(b)-1] != "" {
			continue // both sides state it, and audit has compared it
		}
		if !slices.Equal(a, b) {
			setting := slices.Contains(also, label) && a[len(a)-1] != "" && b[len(b)-1] != ""
			out = append(out, Change{label, strings.Join(a, ", "), strings.Join(b, ", "), setting})
		}
	}
	slices.SortStableFunc(out, func(a, b Change) int {
		switch {
		case a.Setting == b.Setting:
			return 0
		case a.Setting:
			return -1
		}
		return 1
	})
	return out
}

// passing reports whether a label defined by a tool differs in every run, as a time or an address does. Such a
// label says nothing about the sides.
func (c *Comparison) passing(label string) bool {
	if !strings.HasPrefix(label, "x_") || slices.Contains(also, label) {
		return false
	}
	passes, known := c.fleeting[label]
	if !known {
		passes = len(valuesOf(c.A.Results, label)) > 1 || len(valuesOf(c.B.Results, label)) > 1
		c.fleeting[label] = passes
	}
	return passes
}

// explained reports whether a label is compared, or follows from a compared label.
func (c *Comparison) explained(label string) bool {
	return slices.ContainsFunc(c.Subject, func(s string) bool { return s == label || audit.Explains(s, label) })
}

// share counts the changes of all pairs.
func (c *Comparison) share() {
	at := map[Change]int{}
	for i := range c.Pairs {
		for _, ch := range c.Pairs[i].Changed {
			n, known := at[ch]
			if !known {
				n = len(c.Changed)
				at[ch] = n
				c.Changed = append(c.Changed, Shared{Change: ch})
			}
			c.Changed[n].Pairs++
		}
	}
	slices.SortStableFunc(c.Changed, func(a, b Shared) int {
		if a.Setting != b.Setting {
			if a.Setting {
				return -1
			}
			return 1
		}
		return b.Pairs - a.Pairs
	})
}

// InAll reports whether all pairs have a change, so that it is reported only once.
func (c *Comparison) InAll(ch Change) bool {
	return slices.Contains(c.Changed, Shared{ch, len(c.Pairs)})
}

func among(rs []*result.Result) func(*result.Result) bool {
	return func(r *result.Result) bool { return slices.Contains(rs, r) }
}

// labelsOf returns the names of the labels that any of the runs has, sorted, and "tool", which always exists.
func labelsOf(sides ...[]*result.Result) []string {
	names := map[string]bool{"tool": true}
	for _, rs := range sides {
		for _, r := range rs {
			for name := range r.Labels.Values() {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// valuesOf returns the distinct values of a label in runs, sorted; "" for runs without it.
func valuesOf(rs []*result.Result, label string) []string {
	seen := map[string]bool{}
	for _, r := range rs {
		seen[r.Label(label)] = true
	}
	return sorted(slices.Collect(maps.Keys(seen)))
}

func sorted(values []string) []string {
	return slices.SortedFunc(slices.Values(values), result.NaturalCompare)
}

// apart reports whether two sets of values are disjoint and not empty.
func apart(a, b []string) bool {
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(v string) bool { return slices.Contains(b, v) })
}
