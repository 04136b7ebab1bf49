package compare

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// measured lists the labels of what is measured: runs that differ in one of them are never paired, unless the
// sides were chosen by it.
var measured = []string{"model", "quantization", "hardware", "load", "scenario", "task", "quality_metric", "fewshot", "filter"}

// loads lists further labels of what is measured for runs without the labels load and scenario. For other runs
// they are settings.
var loads = []string{"max_concurrency", "request_rate", "batch_size", "context_depth"}

// versions lists labels that may change when the same is measured again.
var versions = []string{"engine", "engine_version", "image", "tool", "tool_version", "driver", "os"}

// match pairs the cells of the sides.
//
// Runs belong to the same place if they agree in what is measured. Within a place, a label distinguishes cells
// if both sides have some value of it in common. A label without a common value cannot match cells: it is what
// changed between the sides. Cells that agree in all labels of the first kind are a pair if there is one on
// each side. If there are several, those from the same file are paired; otherwise the match is unknown and
// reported as ambiguous.
//
// Of the remaining cells, those whose runs have an id in common are paired: the file still exists, and what it
// measured is unchanged.
//
// Labels of versions are then also ignored if the remaining cells of the place have no value in common: if only
// one of two power modes was measured again with a newer engine, both are pairs.
func (c *Comparison) match() {
	for _, place := range c.places() {
		free := c.without(place, func(string) bool { return true })
		left := c.pairByID(c.pair(place, free))
		left = c.pair(left, append(free, c.without(left, isVersion)...))
		c.Removed = append(c.Removed, left[0]...)
		c.Added = append(c.Added, left[1]...)
	}
	byRun := func(a, b Cell) int { return result.Compare(a.Runs[0], b.Runs[0]) }
	slices.SortStableFunc(c.Removed, byRun)
	slices.SortStableFunc(c.Added, byRun)
	slices.SortStableFunc(c.Pairs, func(a, b Pair) int { return result.Compare(a.A[0], b.A[0]) })
}

// cells has the cells of A and of B.
type cells [2][]Cell

// runs returns the first run of each cell of a side. The other runs do not differ in relevant labels.
func (p *cells) runs(side int) []*result.Result {
	rs := make([]*result.Result, len(p[side]))
	for i := range rs {
		rs[i] = p[side][i].Runs[0]
	}
	return rs
}

// places groups the results of both sides into cells, and the cells by what they measured.
func (c *Comparison) places() []*cells {
	var places []*cells
	at := map[string]*cells{}
	for side, rs := range [][]*result.Result{c.A.Results, c.B.Results} {
		for _, cell := range c.repeats(rs) {
			key := c.place(cell.Runs[0])
			if at[key] == nil {
				at[key] = &cells{}
				places = append(places, at[key])
			}
			at[key][side] = append(at[key][side], cell)
		}
	}
	return places
}

// repeats groups the runs of a side that are repeats of one another: by the rules of reports, or by the labels
// of Options.By.
func (c *Comparison) repeats(rs []*result.Result) []Cell {
	var out []Cell
	if c.options.By == nil {
		for i, set := range dataset.RepeatSets(rs) {
			if set == len(out) {
				out = append(out, Cell{})
			}
			out[set].Runs = append(out[set].Runs, rs[i])
		}
		return withMute(out)
	}
	at := map[string]int{}
	for _, r := range rs {
		key := keyOf(r, c.options.By)
		if _, known := at[key]; !known {
			at[key] = len(out)
			out = append(out, Cell{})
		}
		out[at[key]].Runs = append(out[at[key]].Runs, r)
	}
	return out
}

// withMute adds runs without a known metric, such as failed runs, to the first cell with the same labels.
func withMute(cells []Cell) []Cell {
	var firsts []*result.Result
	for i := range cells {
		firsts = append(firsts, cells[i].Runs[0])
	}
	labels := dataset.Telling(firsts)
	muted := slices.DeleteFunc(slices.Clone(cells), func(cell Cell) bool { return !mute(cell) })
	speaking := slices.DeleteFunc(cells, mute)
	var out []Cell
	at := map[string]int{} // the first cell with these labels
	for _, cell := range append(speaking, muted...) {
		key := keyOf(cell.Runs[0], labels)
		first, known := at[key]
		if !known {
			at[key] = len(out)
		}
		if known && mute(cell) {
			out[first].Runs = append(out[first].Runs, cell.Runs...)
			continue
		}
		out = append(out, cell)
	}
	return out
}

// place returns a key of what a run measured.
func (c *Comparison) place(r *result.Result) string {
	if c.options.By != nil {
		return keyOf(r, c.options.By)
	}
	labels := measured
	if r.Label("load") == "" && r.Label("scenario") == "" {
		labels = slices.Concat(measured, loads)
	}
	return keyOf(r, slices.DeleteFunc(slices.Clone(labels), func(label string) bool { return slices.Contains(c.given, label) }))
}

func keyOf(r *result.Result, labels []string) string {
	var key strings.Builder
	for _, label := range labels {
		key.WriteString(label + "\x00" + r.Label(label) + "\x00")
	}
	return key.String()
}

// without returns the labels of which the sides of a place have no value in common.
func (c *Comparison) without(place *cells, may func(label string) bool) []string {
	var free []string
	for _, label := range labelsOf(place.runs(0), place.runs(1)) {
		if may(label) && apart(valuesOf(place.runs(0), label), valuesOf(place.runs(1), label)) {
			free = append(free, label)
		}
	}
	return free
}

func isVersion(label string) bool {
	return slices.Contains(versions, label) || strings.HasSuffix(label, "_version")
}

// pair pairs the cells of a place that agree in all labels except the free ones, and returns the rest.
func (c *Comparison) pair(place *cells, free []string) *cells {
	if len(place[0]) == 0 || len(place[1]) == 0 {
		return place
	}
	left := &cells{}
	var telling []string
	if c.options.By == nil {
		telling = slices.DeleteFunc(dataset.Telling(slices.Concat(place.runs(0), place.runs(1))), func(label string) bool {
			return slices.Contains(c.Subject, label) || slices.Contains(free, label)
		})
	}
	var groups []*cells
	at := map[string][]*cells{}
	for side := range place {
		for _, cell := range place[side] {
			key := keyOf(cell.Runs[0], telling)
			i := slices.IndexFunc(at[key], func(g *cells) bool { return c.options.By != nil || g.measures(cell) })
			if i < 0 {
				i = len(at[key])
				groups = append(groups, &cells{})
				at[key] = append(at[key], groups[len(groups)-1])
			}
			at[key][i][side] = append(at[key][i][side], cell)
		}
	}
	for _, g := range groups {
		switch a, b := len(g[0]), len(g[1]); {
		case a == 1 && b == 1:
			c.Pairs = append(c.Pairs, Pair{A: g[0][0].Runs, B: g[1][0].Runs, Mixed: mixed(g[0][0].Runs, g[1][0].Runs)})
		case a == 0 || b == 0:
			left[0], left[1] = append(left[0], g[0]...), append(left[1], g[1]...)
		default:
			if g = c.pairByFile(g); len(g[0]) > 0 && len(g[1]) > 0 {
				c.Ambiguous = append(c.Ambiguous, Ambiguity{A: g[0], B: g[1], Differ: differing(g)})
				break
			}
			left[0], left[1] = append(left[0], g[0]...), append(left[1], g[1]...)
		}
	}
	return left
}

// mute reports whether a cell has no metric that shows what it measured.
func mute(cell Cell) bool { return !dataset.MeasureAlike(cell.Runs[0], cell.Runs[0]) }

// pairByFile does what pairByID does for cells that no label matches. It skips files in which the sides have
// different numbers of cells, because it is unknown which cell was added.
func (c *Comparison) pairByFile(place *cells) *cells {
	var of [2]map[string]int // id → cells in its file
	for side := range place {
		files := map[string]int{}
		for _, r := range place.runs(side) {
			files[r.Source.File]++
		}
		of[side] = map[string]int{}
		for _, r := range place.runs(side) {
			of[side][r.ID] = files[r.Source.File]
		}
	}
	certain, rest := &cells{}, &cells{}
	for side := range place {
		for _, cell := range place[side] {
			to := rest
			if id := cell.Runs[0].ID; of[0][id] == of[1][id] {
				to = certain
			}
			to[side] = append(to[side], cell)
		}
	}
	left := c.pairByID(certain)
	return &cells{append(left[0], rest[0]...), append(left[1], rest[1]...)}
}

// pairByID pairs cells of a place whose runs have an id in common, if neither has an id in common with another
// cell, and returns the rest.
func (c *Comparison) pairByID(place *cells) *cells {
	var at [2]map[string]int // id → its cell
	for side := range place {
		at[side] = map[string]int{}
		for i := range place[side] {
			for _, r := range place[side][i].Runs {
				at[side][r.ID] = i
			}
		}
	}
	partners := func(cell Cell, side int) []int {
		var found []int
		for _, r := range cell.Runs {
			if i, ok := at[side][r.ID]; ok && !slices.Contains(found, i) {
				found = append(found, i)
			}
		}
		return found
	}
	left := &cells{}
	taken := map[int]bool{}
	for _, a := range place[0] {
		of := partners(a, 1)
		if len(of) != 1 || len(partners(place[1][of[0]], 0)) != 1 {
			left[0] = append(left[0], a)
			continue
		}
		taken[of[0]] = true
		c.Pairs = append(c.Pairs, Pair{A: a.Runs, B: place[1][of[0]].Runs})
	}
	for i, b := range place[1] {
		if !taken[i] {
			left[1] = append(left[1], b)
		}
	}
	return left
}

// measures reports whether a cell has a metric in common with one of these. Cells without any metric match all
// others, because they might have measured the same.
func (p *cells) measures(cell Cell) bool {
	for side := range p {
		for i := range p[side] {
			if mute(p[side][i]) || mute(cell) || dataset.MeasureAlike(p[side][i].Runs[0], cell.Runs[0]) {
				return true
			}
		}
	}
	return false
}

// differing returns the labels in which the cells of a side differ.
func differing(g *cells) []string {
	var out []string
	for _, label := range dataset.Telling(slices.Concat(g.runs(0), g.runs(1))) {
		if len(valuesOf(g.runs(0), label)) > 1 || len(valuesOf(g.runs(1), label)) > 1 {
			out = append(out, label)
		}
	}
	return out
}

// mixed returns the labels in which runs of one side differ although they are treated as repeats.
func mixed(a, b []*result.Result) []string {
	var out []string
	for _, label := range dataset.Telling(slices.Concat(a, b)) {
		if !slices.Contains(unreported, label) && (len(valuesOf(a, label)) > 1 || len(valuesOf(b, label)) > 1) {
			out = append(out, label)
		}
	}
	return out
}

// naming lists the labels that are used in titles of cells, the most informative first.
var naming = []string{
	"model", "quantization", "hardware", "accelerators", "parallelism", "engine", "power_mode", "clocks", "load", "scenario", "max_concurrency", "request_rate",
	"batch_size", "context_depth", "input_len", "output_len", "dataset", "num_prompts", "task", "prefix_caching", "campaign",
}

// name sets the title of each cell: as few labels as distinguish it from the others, or its id if none do. If
// the values of a label differ between the sides, the title has both.
func (c *Comparison) name() {
	var firsts []*result.Result
	for i := range c.Pairs {
		firsts = append(firsts, c.Pairs[i].A[0])
	}
	for _, list := range [][]Cell{c.Removed, c.Added} {
		for i := range list {
			firsts = append(firsts, list[i].Runs[0])
		}
	}
	for i := range c.Ambiguous {
		firsts = append(firsts, c.Ambiguous[i].A[0].Runs[0])
	}
	labels := telling(firsts, slices.ContainsFunc(c.Pairs, func(p Pair) bool { return p.A[0].Label("model") != p.B[0].Label("model") }))
	names := map[string]int{}
	for _, r := range firsts {
		names[keyOf(r, labels)]++
	}
	between := func(r, other *result.Result) locale.Text {
		var parts []locale.Text
		for _, label := range labels {
			switch value, becomes := r.Label(label), other.Label(label); {
			case value != "" && becomes != "" && value != becomes:
				parts = append(parts, locale.Join(" → ", c.held(label, value), c.held(label, becomes)))
			case value != "":
				parts = append(parts, c.held(label, value))
			}
		}
		if len(parts) == 0 || names[keyOf(r, labels)] > 1 {
			parts = append(parts, locale.Lit(r.ID))
		}
		return locale.Join(" · ", parts...)
	}
	title := func(r *result.Result) locale.Text { return between(r, r) }
	for i := range c.Pairs {
		c.Pairs[i].Title = between(c.Pairs[i].A[0], c.Pairs[i].B[0])
	}
	for _, list := range [][]Cell{c.Removed, c.Added} {
		for i := range list {
			list[i].Title = title(list[i].Runs[0])
		}
	}
	for i := range c.Ambiguous {
		a := &c.Ambiguous[i]
		a.Title = title(a.A[0].Runs[0])
		for _, list := range [][]Cell{a.A, a.B} {
			for n := range list {
				list[n].Title = locale.Lit(list[n].Runs[0].ID)
			}
		}
	}
}

// telling returns the labels that distinguish runs, each of them further than those before it. It includes the
// model unless it is the same in all.
func telling(rs []*result.Result, models bool) []string {
	labels := []string{"model"}
	if !models && len(rs) > 1 && len(valuesOf(rs, "model")) == 1 {
		labels = nil
	}
	for _, label := range naming {
		if more := append(slices.Clone(labels), label); distinct(rs, more) > distinct(rs, labels) {
			labels = more
		}
	}
	return labels
}

// held returns the title of a value of a label. A bare number gets the name of its label.
func (c *Comparison) held(label, value string) locale.Text {
	if t, ok := c.options.Titles[label][value]; ok {
		return t
	}
	if strings.Trim(value, "0123456789.") == "" || value == "inf" {
		return locale.T("finding.held", locale.LabelName(label), value)
	}
	return locale.LabelValue(label, value)
}
