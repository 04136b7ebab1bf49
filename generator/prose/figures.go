package prose

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Figures are what the runs of a post hold, arranged to be looked up. They are
// safe for concurrent use.
type Figures struct {
	results []*result.Result
	titles  map[string]map[string]locale.Text

	once   sync.Once
	held   [dimensions]bool // a metric or a label is of this dimension
	series []*series        // each metric, and each label that holds figures, over the runs
	keys   [][aspects]int   // what each run is in each aspect, numbered
	same   []int            // repeats of one run have the same number; -1 for a run without any
	names  []name           // the words by which a text names runs
}

// Of gives the figures of a post's data. Nothing is worked out before the
// first number is looked up.
func Of(d *dataset.Selection) *Figures { return &Figures{results: d.Results, titles: d.Titles} }

// point is one figure of a run.
type point struct {
	value  float64 // in the unit of its dimension
	run    int     // index of the result
	of     *series
	worked bool // the median or mean of repeats, of which run is the first
}

// series is one metric or label over the runs, sorted by value.
type series struct {
	name   string
	dim    dimension
	points []point
	alone  bool // another reading of a label, not to be compared

	grouped bool
	groups  [][]point // of runs that are apart in one aspect
}

// aspect is one of the three things in which runs are compared. Those that
// differ in more than one are not set against each other: nearly every ratio
// can be had from some two numbers.
type aspect int

const (
	ofModel  aspect = iota // which weights
	ofLoad                 // what was asked of them
	ofSystem               // what they ran on
	aspects  = 3
)

var aspectLabels = [aspects][]string{
	ofModel:  {"model", "quantization", "base_model"},
	ofLoad:   {"load", "scenario", "max_concurrency", "request_rate", "input_len", "output_len", "batch_size", "context_depth"},
	ofSystem: {"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine"},
}

// prepare reads the figures of the results.
func (f *Figures) prepare() { f.once.Do(f.collect) }

func (f *Figures) collect() {
	type key struct {
		name  string
		dim   dimension
		alone bool
	}
	found := map[key]*series{}
	add := func(k key, run int, value float64) {
		s := found[k]
		if s == nil {
			s = &series{name: k.name, dim: k.dim, alone: k.alone}
			found[k] = s
			f.series = append(f.series, s)
		}
		s.points = append(s.points, point{value: value, run: run, of: s})
	}
	type measure struct {
		dim    dimension
		factor float64
	}
	measures := map[string]measure{} // by the metric's unit
	words := map[string]bool{}       // labels that hold anything but figures
	for i, r := range f.results {
		for k := range r.Metrics {
			m := &r.Metrics[k]
			u, ok := measures[m.Unit]
			if !ok {
				u.dim, u.factor = metricUnit(m.Unit)
				measures[m.Unit] = u
			}
			if u.dim != noDimension {
				f.held[u.dim] = true
				add(key{m.Name, u.dim, false}, i, m.Value*u.factor)
			}
		}
		for l, text := range r.Labels.Values() {
			v, u, ok := labelFigure(l, text)
			switch {
			case !ok:
				words[l] = true
			case l == "params" || l == "active_params":
				add(key{l, parameters, false}, i, v*u.factor)
				add(key{l, u.dim, true}, i, v*u.factor) // 8.2 G, as the label has it
			default:
				add(key{l, u.dim, false}, i, v*u.factor)
				if u.binary != 0 {
					add(key{l, u.dim, true}, i, v*u.binary)
				}
			}
		}
	}
	f.number()
	for _, s := range f.series {
		// A label that is a name for some runs, as power_mode = "MAXN", says
		// nothing of what was measured.
		f.held[s.dim] = f.held[s.dim] || !words[s.name] && !s.alone
		s.points = append(s.points, f.ofRepeats(s.points)...)
		slices.SortFunc(s.points, func(a, b point) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.run, b.run)) })
	}
	f.names = f.nameRuns()
}

// metricUnit gives the dimension of a metric's unit, none for a count.
func metricUnit(text string) (dimension, float64) {
	switch text {
	case "B":
		return size, 1
	case "B/s":
		return bandwidth, 1
	case "FLOP/s":
		return computing, 1
	case "tok/s/user":
		return tokenRate, 1
	}
	u, n := readRate(text, false)
	if n == 0 {
		u, n = readUnit(text)
	}
	if n == 0 || n < len(text) {
		return noDimension, 0
	}
	return u.dim, u.factor
}

// labelFigure reads a label's value that is a number with its unit, as
// "8.9 G". A request rate goes without one.
func labelFigure(label, text string) (float64, unit, bool) {
	digits, n := readDigits(text)
	if digits == "" {
		return 0, unit{}, false
	}
	rest := strings.TrimSpace(text[n:])
	if rest == "" && label == "request_rate" {
		rest = "req/s"
	}
	u, n := readRate(rest, false)
	if n == 0 {
		u, n = readUnit(rest)
	}
	if n == 0 || n < len(rest) || u.dim == ratio {
		return 0, unit{}, false
	}
	return parse(digits), u, true
}

// number numbers what the runs are in each aspect, and which are repeats of one
// another.
func (f *Figures) number() {
	f.keys, f.same = make([][aspects]int, len(f.results)), dataset.RepeatSets(f.results)
	numbers := map[string]int{}
	number := func(key []byte) int {
		n, ok := numbers[string(key)]
		if !ok {
			n = len(numbers)
			numbers[string(key)] = n
		}
		return n
	}
	var key []byte
	runs := map[int]int{}
	for i, r := range f.results {
		for a, labels := range aspectLabels {
			key = key[:0]
			for _, l := range labels {
				key = append(append(key, r.Labels.Get(l)...), 0)
			}
			f.keys[i][a] = number(key)
		}
		runs[f.same[i]]++
	}
	for i, n := range f.same {
		if runs[n] == 1 {
			f.same[i] = -1
		}
	}
}

// ofRepeats gives the median and the mean of the runs that are repeats of one
// another: posts quote these.
func (f *Figures) ofRepeats(points []point) []point {
	values := map[int][]float64{}
	for _, p := range points {
		if n := f.same[p.run]; n >= 0 {
			values[n] = append(values[n], p.value)
		}
	}
	var more []point
	for _, p := range points {
		vs := values[f.same[p.run]]
		delete(values, f.same[p.run])
		if len(vs) < 2 {
			continue
		}
		slices.Sort(vs)
		sum := 0.0
		for _, v := range vs {
			sum += v
		}
		p.worked = true
		p.value = (vs[(len(vs)-1)/2] + vs[len(vs)/2]) / 2
		more = append(more, p)
		p.value = sum / float64(len(vs))
		more = append(more, p)
	}
	return more
}

// peers gives the figures of a series in groups of runs that are apart in one
// aspect, each sorted by value.
func (f *Figures) peers(s *series) [][]point {
	if s.grouped || s.alone {
		return s.groups
	}
	s.grouped = true
	for a := range aspects {
		index := make(map[[aspects]int]int, len(s.points))
		first := len(s.groups)
		for _, p := range s.points {
			key := f.keys[p.run]
			key[a] = -1
			n, ok := index[key]
			if !ok {
				n = len(s.groups)
				index[key] = n
				s.groups = append(s.groups, nil)
			}
			s.groups[n] = append(s.groups[n], p)
		}
		s.groups = append(s.groups[:first], slices.DeleteFunc(s.groups[first:], func(g []point) bool { return len(g) < 2 })...)
	}
	return s.groups
}

// isComparable tells whether any two runs of a series can be set against each
// other.
func (f *Figures) isComparable(s *series) bool { return len(f.peers(s)) > 0 }

// value finds the figure of a dimension that is nearest to want within lo and
// hi, the first of equals, among those that may be meant.
func (f *Figures) value(dim dimension, lo, want, hi float64, of valueScope) (best point, ok bool) {
	near := math.Inf(1)
	for _, s := range f.series {
		if s.dim != dim || of.metric != nil && !of.metric(s.name) {
			continue
		}
		first, _ := slices.BinarySearchFunc(s.points, lo, func(p point, v float64) int { return cmp.Compare(p.value, v) })
		for _, p := range s.points[first:] {
			if p.value > hi {
				break
			}
			if off := math.Abs(p.value - want); off < near && (of.runs == nil || of.runs[p.run]) {
				best, ok, near = p, true, off
			}
		}
	}
	return best, ok
}

// relation is how one figure is set against another, the base.
type relation uint8

const (
	itself   relation = iota // it is not: one figure counts
	quotient                 // figure / base
	gap                      // figure − base
)

// apply gives the figure that is in relation x to a base.
func (rel relation) apply(base, x float64) float64 {
	if rel == gap {
		return base + x
	}
	return base * x
}

// of gives the relation of a figure to a base.
func (rel relation) of(figure, base float64) float64 {
	if rel == gap {
		return figure - base
	}
	return figure / base
}

// scope says which figures a sentence may be about.
type scope struct {
	groups [][]point                   // of one metric and of runs apart in one aspect
	covers func(figure, base int) bool // whether the sentence may set two runs against each other
}

// pair finds the two figures of one metric whose relation is nearest to want
// within lo and hi; swap lets either be the base. One sweep over each sorted group finds it, so that posts
// over thousands of runs need no bound on what is compared.
func (s scope) pair(rel relation, lo, want, hi float64, swap bool) (figure, base point, ok bool) {
	covers := func(a, b point) bool {
		return a.run != b.run && (s.covers(a.run, b.run) || swap && s.covers(b.run, a.run))
	}
	near := math.Inf(1)
	for _, g := range s.groups {
		k := 0
		for _, b := range g {
			if b.value <= 0 {
				continue
			}
			for k < len(g) && g[k].value < rel.apply(b.value, want) {
				k++
			}
			for _, step := range []int{-1, 1} {
				i := k
				if step < 0 {
					i--
				}
				for ; i >= 0 && i < len(g); i += step {
					x := rel.of(g[i].value, b.value)
					if x < lo || x > hi || math.Abs(x-want) >= near {
						break
					}
					if covers(g[i], b) {
						near, figure, base, ok = math.Abs(x-want), g[i], b, true
						break
					}
				}
			}
		}
	}
	return figure, base, ok
}
