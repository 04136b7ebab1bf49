package stats

import (
	"fmt"
	"slices"
)

// Observation is one measured value of a factorial design.
type Observation struct {
	Levels []string // one per factor, in the order of the factors
	Value  float64  // positive
}

// Design is a factorial design: all or some combinations of the levels of its factors have been measured.
// Effects are ratios.
type Design struct {
	levels [][]string
	cells  []cell // in the order of their levels
}

// cell is a measured combination of levels.
type cell struct {
	at    []int   // the index of its level, by factor
	value float64 // the median of its repeats
}

// Effect is the ratio by which the values change when a factor goes from one level to another. For two factors
// it is their interaction: the ratio by which the effect of one changes when the other goes from one level to
// another. An interaction of 1 means that the effects multiply independently.
type Effect struct {
	Changes []Change // one for an effect, two for an interaction

	// Ratio is the geometric mean over the strata, with equal weights. In a full design it is the effect, or
	// the interaction, of the logarithms as Montgomery defines them: Design and Analysis of Experiments, ch. 5.
	Ratio  float64
	Strata []Stratum // the completely measured strata, in the order of their levels

	// Incomplete is the number of strata that are left out because they were measured only in part: averaging
	// over them would mix the effect with others.
	Incomplete int
}

// Change is a factor going from one level to another.
type Change struct {
	Factor   int // its index
	From, To string
}

// Stratum is a combination of levels of the other factors.
type Stratum struct {
	Levels []string // one per factor; "" for the factors that change
	Ratio  float64  // the simple effect or the interaction within the stratum
}

// NewDesign returns the design with the given levels of each factor and observations. The other levels of a
// factor are compared with its first. Repeats of a combination are replaced by their median. It is an error if
// an observation does not have one known level per factor, if its value is not positive, or if a factor has the
// same level twice.
func NewDesign(levels [][]string, observations []Observation) (*Design, error) {
	for f, names := range levels {
		for i, name := range names {
			if slices.Contains(names[:i], name) {
				return nil, fmt.Errorf("factor %d has the level %q twice", f, name)
			}
		}
	}
	runs := make([]cell, len(observations))
	for i, o := range observations {
		if len(o.Levels) != len(levels) {
			return nil, fmt.Errorf("observation %d names %d levels, the design has %d factors", i, len(o.Levels), len(levels))
		}
		if !positive(o.Value) {
			return nil, fmt.Errorf("observation %d is %v; the ratio of an effect needs positive values", i, o.Value)
		}
		at := make([]int, len(levels))
		for f, name := range o.Levels {
			if at[f] = slices.Index(levels[f], name); at[f] < 0 {
				return nil, fmt.Errorf("observation %d has the level %q, which factor %d does not have", i, name, f)
			}
		}
		runs[i] = cell{at, o.Value}
	}
	slices.SortFunc(runs, func(a, b cell) int { return slices.Compare(a.at, b.at) })

	d := &Design{levels: levels}
	for len(runs) > 0 {
		var repeats []float64
		at := runs[0].at
		for len(runs) > 0 && slices.Equal(runs[0].at, at) {
			repeats = append(repeats, runs[0].value)
			runs = runs[1:]
		}
		d.cells = append(d.cells, cell{at, median(repeats)})
	}
	return d, nil
}

// Effects returns the effect of each factor at each of its levels compared with its first level, in the order
// of factors and levels. It leaves out effects without a complete stratum.
func (d *Design) Effects() []Effect {
	var effects []Effect
	for f := range d.levels {
		for level := 1; level < len(d.levels[f]); level++ {
			effects = d.appendEffect(effects, move{f, level})
		}
	}
	return effects
}

// Interactions returns the interactions of all pairs of factors f < g at all pairs of their levels other than
// the first: the effect of f at the level of g over the effect of f at the first level of g. It leaves out
// interactions without a complete stratum.
func (d *Design) Interactions() []Effect {
	var effects []Effect
	for f := range d.levels {
		for g := f + 1; g < len(d.levels); g++ {
			for i := 1; i < len(d.levels[f]); i++ {
				for j := 1; j < len(d.levels[g]); j++ {
					effects = d.appendEffect(effects, move{f, i}, move{g, j})
				}
			}
		}
	}
	return effects
}

// move is a factor going from its first level to another.
type move struct{ factor, level int }

// appendEffect appends the effect of the moves if a complete stratum shows it.
func (d *Design) appendEffect(effects []Effect, moves ...move) []Effect {
	var e Effect
	for _, m := range moves {
		names := d.levels[m.factor]
		e.Changes = append(e.Changes, Change{m.factor, names[0], names[m.level]})
	}
	var ratios []float64
	for _, start := range d.starts(moves) {
		ratio, complete := d.ratio(start, moves)
		if !complete {
			e.Incomplete++
			continue
		}
		s := Stratum{Levels: make([]string, len(d.levels)), Ratio: ratio}
		for f, level := range start {
			if !slices.ContainsFunc(moves, func(m move) bool { return m.factor == f }) {
				s.Levels[f] = d.levels[f][level]
			}
		}
		e.Strata = append(e.Strata, s)
		ratios = append(ratios, ratio)
	}
	if len(ratios) == 0 {
		return effects
	}
	e.Ratio, _ = GeoMean(ratios)
	return append(effects, e)
}

// starts returns the combination at which each stratum of the moves starts, for all strata with a measured
// cell.
func (d *Design) starts(moves []move) [][]int {
	var starts [][]int
	for _, c := range d.cells {
		start, belongs := slices.Clone(c.at), true
		for _, m := range moves {
			belongs = belongs && (c.at[m.factor] == 0 || c.at[m.factor] == m.level)
			start[m.factor] = 0
		}
		if belongs {
			starts = append(starts, start)
		}
	}
	slices.SortFunc(starts, slices.Compare)
	return slices.CompactFunc(starts, slices.Equal)
}

// ratio returns the value at a combination if there are no moves. Otherwise it returns the ratio that the other
// moves cause after the last move, divided by the ratio that they cause before it. It returns false if a cell
// is missing.
func (d *Design) ratio(at []int, moves []move) (float64, bool) {
	if len(moves) == 0 {
		i, found := slices.BinarySearchFunc(d.cells, at, func(c cell, at []int) int { return slices.Compare(c.at, at) })
		if !found {
			return 0, false
		}
		return d.cells[i].value, true
	}
	last := moves[len(moves)-1]
	moved := slices.Clone(at)
	moved[last.factor] = last.level
	before, ok := d.ratio(at, moves[:len(moves)-1])
	after, ok2 := d.ratio(moved, moves[:len(moves)-1])
	return after / before, ok && ok2
}
