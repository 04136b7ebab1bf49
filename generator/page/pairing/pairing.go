// Package pairing finds runs that are worth comparing: two quantisations of one model at the same load on the
// same machine, two engines, two power modes.
//
//	for _, p := range pairing.Of(runs, 12) {
//		p.Label      // "quantization": in what the two differ
//		p.A, p.B     // the repeats of each
//		p.Loads      // how many loads both were measured at
//	}
//
// The pairs are found in one pass over the runs for each label, however many runs there are. Runs that
// are excluded, unfinished, or without a throughput or a latency are in no pair.
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
	Loads int // that both variants were measured at, this one among them
}

// labels are what pairs differ in, the most interesting first.
var labels = []string{"quantization", "engine", "power_mode", "hardware", "engine_version", "clocks"}

// variant is in what else the runs of a pair agree: what they are, beside the model.
var variant = []string{"quantization", "hardware", "accelerators", "parallelism", "engine", "engine_version", "power_mode", "clocks", "tool"}

// load is what runs of one load agree in.
var load = []string{"load", "scenario", "max_concurrency", "request_rate", "batch_size", "context_depth", "input_len", "output_len", "dataset", "num_prompts"}

// Of returns so many pairs at the most, in turn of each label, those of models with the most runs first and of
// each model one before a second.
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

// speed is what pairs are ranked by: higher is better; 0 without one.
func speed(r *result.Result) float64 {
	if m, ok := r.Metric("output_throughput"); ok {
		return m.Value
	}
	if m, ok := r.Metric("tpot_mean"); ok && m.Value > 0 {
		return 1000 / m.Value
	}
	return 0
}

// place is runs that agree in everything but a label: by its values.
type place struct {
	base   string
	loads  map[string]map[string][]*result.Result // load → value → runs
	runs   int
	values []string // in the order in which they come
}

// differing returns the pairs of a label, one a place: at the load at which most values were measured, the value that
// comes first beside the one whose speed differs most.
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
			key += campaign(r) // on which machine, nobody knows: those of one folder agree in it
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

// repeats returns the largest set of repeats among runs, the first of several; nil of none.
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

// keysOf returns what makes a key of the values of some labels, for one goroutine.
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
