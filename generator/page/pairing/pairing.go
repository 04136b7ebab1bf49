// Package pairing finds runs that are worth comparing: two quantizations of one model at the same load on the same
// machine, two engines, two power modes.
//
//	for _, p := range pairing.Of(runs, 12) {
//		p.Label      // "quantization": in what the two differ
//		p.A, p.B     // the repeats of each
//		p.Loads      // how many loads both were measured at
//	}
//
// For each label the pairs are found in one pass over the runs. Runs that are excluded or incomplete, or have neither a
// throughput nor a latency, are in no pair.
package pairing

import (
	"cmp"
	"math"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// Pair is two sets of repeats that differ in one label.
type Pair struct {
	Label string
	A, B  []*result.Result
	Loads int // number of loads at which both variants were measured
}

// labels lists the labels in which pairs differ, the most interesting first.
var labels = []string{"quantization", "engine", "power_mode", "hardware", "engine_version", "clocks"}

// variant lists the other labels in which the runs of a pair agree, besides the model.
var variant = []string{"quantization", "hardware", "accelerators", "parallelism", "engine", "engine_version", "power_mode", "clocks", "tool"}

// load lists the labels in which runs with the same load agree.
var load = []string{"load", "scenario", "max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "dataset", "num_prompts"}

// Of returns at most most pairs. It takes the labels in turn. Pairs of models with the most runs come first; a second
// pair of a model comes after the first pairs of all models.
func Of(rs []*result.Result, most int) []Pair {
	sound := slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Excluded() || r.Status != result.Complete || speed(r) == 0 })
	bases := make([]string, len(sound))
	known := map[string]string{}
	model := keysOf([]string{"model", "model_raw", "base_model"})
	for i, r := range sound {
		key := model(r)
		base, ok := known[key]
		if !ok {
			base = audit.BaseModel(r)
			known[key] = base
		}
		bases[i] = base
	}
	found := make([][]Pair, len(labels))
	for i, label := range labels {
		if hasSeveral(sound, label) {
			found[i] = differing(sound, bases, label)
		}
	}
	var out []Pair
	for round := 0; len(out) < most; round++ {
		any := false
		for _, pairs := range found {
			if round < len(pairs) && len(out) < most {
				out, any = append(out, pairs[round]), true
			}
		}
		if !any {
			break
		}
	}
	return out
}

// hasSeveral reports whether a label has several values.
func hasSeveral(rs []*result.Result, label string) bool {
	first, of := "", result.Labelled(label)
	return slices.ContainsFunc(rs, func(r *result.Result) bool {
		value := of(r)
		first = cmp.Or(first, value)
		return value != "" && value != first
	})
}

// speed returns the value by which pairs are ranked: higher is better, 0 if unknown.
func speed(r *result.Result) float64 {
	if m, ok := r.Metric("output_throughput"); ok {
		return m.Value
	}
	if m, ok := r.Metric("tpot_mean"); ok && m.Value > 0 {
		return 1000 / m.Value
	}
	return 0
}

// place holds runs that agree in everything except a label, by load and value of the label.
type place struct {
	base   string
	loads  map[string]map[string][]*result.Result // load → value → runs
	runs   int
	values []string // in order of occurrence
}

// differing returns the pairs for a label, one for each place. It uses the load with the most measured values, and
// pairs the first value with the value whose speed differs most from it.
func differing(rs []*result.Result, bases []string, label string) []Pair {
	others := slices.DeleteFunc(slices.Clone(variant), func(name string) bool { return name == label || audit.Explains(label, name) && name != "engine" })
	var places []*place
	at := map[string]*place{}
	valueOf, otherKey, loadKey := result.Labelled(label), keysOf(others), keysOf(load)
	machine, campaign := result.Labelled("hardware"), result.Labelled("campaign")
	some := slices.ContainsFunc(rs, func(r *result.Result) bool { return machine(r) != "" })
	for i, r := range rs {
		value := valueOf(r)
		if value == "" || bases[i] == "" {
			continue
		}
		key := bases[i] + "\x00" + otherKey(r)
		if some && machine(r) == "" {
			key += campaign(r) // the machine is unknown; runs of one campaign are assumed to share it
		}
		p := at[key]
		if p == nil {
			p = &place{base: bases[i], loads: map[string]map[string][]*result.Result{}}
			at[key] = p
			places = append(places, p)
		}
		under := loadKey(r)
		if p.loads[under] == nil {
			p.loads[under] = map[string][]*result.Result{}
		}
		p.loads[under][value] = append(p.loads[under][value], r)
		p.runs++
		if !slices.Contains(p.values, value) {
			p.values = append(p.values, value)
		}
	}
	places = slices.DeleteFunc(places, func(p *place) bool { return len(p.values) < 2 })
	slices.SortStableFunc(places, func(a, b *place) int { return cmp.Compare(b.runs, a.runs) })
	var first, later []Pair
	seen := map[string]bool{}
	for _, p := range places {
		pair, ok := p.pair(label)
		switch {
		case !ok:
		case seen[p.base]:
			later = append(later, pair)
		default:
			seen[p.base] = true
			first = append(first, pair)
		}
	}
	return append(first, later...)
}

func (p *place) pair(label string) (Pair, bool) {
	slices.SortFunc(p.values, result.NaturalCompare)
	best, size := Pair{Label: label}, -1.0
	keys := make([]string, 0, len(p.loads))
	for key := range p.loads {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(p.loads[b]), len(p.loads[a])), result.NaturalCompare(a, b))
	})
	byValue := p.loads[keys[0]]
	var from []*result.Result
	for _, value := range p.values {
		of := repeats(byValue[value])
		switch {
		case of == nil:
		case from == nil:
			from = of
		default:
			if d := math.Abs(math.Log(speed(of[0]) / speed(from[0]))); d > size {
				best.A, best.B, size = from, of, d
			}
		}
	}
	if size < 0 {
		return Pair{}, false
	}
	a, b := best.A[0].Label(label), best.B[0].Label(label)
	for _, by := range p.loads {
		if len(by[a]) > 0 && len(by[b]) > 0 {
			best.Loads++
		}
	}
	return best, true
}

// repeats returns the largest set of repeats among runs, the first one if there are several, nil if there are no runs.
func repeats(rs []*result.Result) []*result.Result {
	sets := map[int][]*result.Result{}
	var best []*result.Result
	for i, set := range dataset.RepeatSets(rs) {
		sets[set] = append(sets[set], rs[i])
	}
	for set := range len(rs) {
		if len(sets[set]) > len(best) {
			best = sets[set]
		}
	}
	return best
}

// keysOf returns a function that makes a key of the values of some labels. It must not be called concurrently.
func keysOf(labels []string) func(*result.Result) string {
	values := make([]func(*result.Result) string, len(labels))
	for i, label := range labels {
		values[i] = result.Labelled(label)
	}
	var key []byte
	return func(r *result.Result) string {
		key = key[:0]
		for _, value := range values {
			key = append(append(key, value(r)...), 0)
		}
		return string(key)
	}
}
