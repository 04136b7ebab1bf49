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

// Figures holds the figures of a post's runs, arranged for lookup. It is safe for concurrent use.
type Figures struct {
	results []*result.Result
	titles  map[string]map[string]locale.Text

	once   sync.Once
	held   [dimensions]bool // whether a metric or label has this dimension
	series []*series        // each metric and each numeric label over the runs
	keys   [][aspects]int   // for each run, a number for its value in each aspect
	same   []int            // repeats of one run have the same number; -1 for a run without repeats
	names  []name           // the words by which a text names runs
}

// Of returns the figures of a post's data. They are computed when the first number is looked up.
func Of(d *dataset.Selection) *Figures { return &Figures{results: d.Results, titles: d.Titles} }

// point is one figure of a run.
type point struct {
	value  float64 // in the unit of its dimension
	run    int     // index of the result
	of     *series
	worked bool // it is the median or mean of repeats; run is the first of them
}

// series is one metric or label over the runs, sorted by value.
type series struct {
	name   string
	dim    dimension
	points []point
	alone  bool // an alternative reading of a label, used alone and not in comparisons

	grouped bool
	groups  [][]point // groups of runs that differ in only one aspect
}

// aspect is one of the three properties in which runs are compared. Runs that differ in more than one aspect
// are not compared: otherwise almost any ratio could be found between some two figures.
type aspect int

const (
	ofModel  aspect = iota // the weights
	ofLoad                 // the workload
	ofSystem               // the hardware and engine
	aspects  = 3
)

var aspectLabels = [aspects][]string{
	ofModel:  {"model", "quantization", "base_model"},
	ofLoad:   {"load", "scenario", "max_concurrency", "request_rate", "input_len", "output_len", "batch_size", "context_depth"},
	ofSystem: {"hardware", "accelerators", "parallelism", "power_mode", "clocks", "engine"},
}

// prepare computes the figures when it is first called.
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
	measures := map[string]measure{} // by unit of the metric
	words := map[string]bool{}       // labels that have a value that is not a number
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
				add(key{l, u.dim, true}, i, v*u.factor) // 8.2 G, as the label writes it
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
		// A label that is a name in some runs, such as power_mode = "MAXN", is not a measurement.
		f.held[s.dim] = f.held[s.dim] || !words[s.name] && !s.alone
		s.points = append(s.points, f.ofRepeats(s.points)...)
		slices.SortFunc(s.points, func(a, b point) int { return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.run, b.run)) })
	}
	f.names = f.nameRuns()
}

// metricUnit returns the dimension of a metric's unit and its factor, noDimension for a count.
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

// labelFigure parses a label's value that is a number with a unit, such as "8.9 G". The unit of a request rate
// is optional.
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

// number assigns numbers to the values of the runs in each aspect, and finds repeats.
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

// ofRepeats returns the median and the mean of each set of repeats, because posts quote them.
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

// peers returns the figures of a series in groups of runs that differ in only one aspect. Each group is sorted
// by value.
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

// isComparable reports whether any two runs of a series can be compared.
func (f *Figures) isComparable(s *series) bool { return len(f.peers(s)) > 0 }

// value returns the figure of a dimension between lo and hi that is nearest to want, the first of equally near
// ones. It considers only the figures in scope.
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

// relation is how a figure is compared with another, the base.
type relation uint8

const (
	itself   relation = iota // not compared: the figure itself
	quotient                 // figure / base
	gap                      // figure − base
)

// apply returns the figure that is in relation x to the base.
func (rel relation) apply(base, x float64) float64 {
	if rel == gap {
		return base + x
	}
	return base * x
}

// of returns the relation of a figure to the base.
func (rel relation) of(figure, base float64) float64 {
	if rel == gap {
		return figure - base
	}
	return figure / base
}

// scope limits the figures that a sentence may refer to.
type scope struct {
	groups [][]point                   // figures of one metric, of runs that differ in one aspect
	covers func(figure, base int) bool // whether the sentence may compare two runs
}

// pair returns the two figures of one metric between whose relation and want the difference is least, with the
// relation between lo and hi. If swap is true, either of the two may be the base. One pass over each sorted
// group suffices, so the number of runs needs no limit.
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
