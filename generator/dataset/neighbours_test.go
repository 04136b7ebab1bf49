package dataset

import (
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// settled returns what a result was measured under, by setting: what neighbours may differ in once.
func settled(r *result.Result) map[string]string {
	all := map[string]string{}
	for _, l := range r.Labels {
		if name := settingOf(&l); name != "" {
			all[name] += l.Name + "=" + l.Value + "\n"
		}
	}
	all["tool"] += r.Tool
	return all
}

// apart counts the settings in which two results differ.
func apart(a, b *result.Result) int {
	x, y := settled(a), settled(b)
	n := 0
	for name := range x {
		if x[name] != y[name] {
			n++
		}
	}
	for name := range y {
		if _, both := x[name]; !both {
			n++
		}
	}
	return n
}

// invented returns results with settings from few values, in order.
func invented(random *rand.Rand, count int) []*result.Result {
	var rs []*result.Result
	for i := range count {
		r := &result.Result{ID: fmt.Sprintf("c%d/r%d", i%3, i), Tool: []string{"vllm-serve", "sglang"}[random.Intn(2)],
			Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s"}, Value: 1}}}
		set := func(name, value string, origin result.Origin) {
			r.Labels.Set(result.Label{Name: name, Value: value, Origin: origin})
		}
		model := random.Intn(3)
		set("model", fmt.Sprint("m", model), result.Declared)
		set("quantization", []string{"FP8", "BF16", "FP8"}[model], result.Declared)
		set("dataset", "random", result.Declared)
		for _, name := range []string{"max_concurrency", "power_mode", "x_flag"} {
			if random.Intn(4) > 0 {
				set(name, fmt.Sprint(1+random.Intn(3)), result.Measured)
			}
		}
		set("campaign", fmt.Sprint("c", i%3), result.Guessed)
		set("x_host_uuid", fmt.Sprint(i), result.Captured)
		set("driver", fmt.Sprint(random.Intn(9)), result.Captured)
		set("date", fmt.Sprintf("2026-01-%02d", 1+i%28), result.Measured)
		if random.Intn(12) == 0 {
			r.Checks = []result.Check{{Severity: result.Error}}
		}
		rs = append(rs, r)
	}
	slices.SortFunc(rs, result.Compare)
	return rs
}

// TestNeighboursDifferInOneSetting: each neighbour differs in exactly one setting, that which is named; all that do,
// and have another value of it, are found; and with room for all, the relation is symmetric.
func TestNeighboursDifferInOneSetting(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(9))
	for round := range 30 {
		rs := invented(random, 2+random.Intn(40))
		n := NewNeighbours(rs)
		near := map[string]map[string]bool{} // by id, the settings of the others
		for place, r := range rs {
			near[r.ID] = map[string]bool{}
			for _, v := range n.Of(place, len(rs)) {
				if v.More != 0 {
					t.Errorf("round %d: %s leaves out %d", round, r.ID, v.More)
				}
				for _, other := range v.Runs {
					if got := apart(r, other); got != 1 || r.Label(v.Label) == other.Label(v.Label) && settled(r)[follows[v.Label]] == settled(other)[follows[v.Label]] {
						t.Fatalf("round %d: %v and %v differ in %d settings; %s is named", round, r.Labels, other.Labels, got, v.Label)
					}
					if other.Excluded() {
						t.Errorf("round %d: %s is excluded, and a neighbour", round, other.ID)
					}
					near[r.ID][fmt.Sprint(settled(other))] = true
				}
			}
		}
		for _, r := range rs {
			for _, other := range rs {
				want := apart(r, other) == 1 && len(settled(r)) == len(settled(other)) && !other.Excluded()
				if got := near[r.ID][fmt.Sprint(settled(other))]; got != want && !other.Excluded() && known(n, r) {
					t.Fatalf("round %d: %v is a neighbour of %v: %t, want %t", round, other.Labels, r.Labels, got, want)
				}
				if !r.Excluded() && !other.Excluded() && near[r.ID][fmt.Sprint(settled(other))] != near[other.ID][fmt.Sprint(settled(r))] {
					t.Fatalf("round %d: %s and %s: one is the neighbour of the other alone", round, r.ID, other.ID)
				}
			}
		}
	}
}

// known reports whether some result that is not excluded has the settings of one.
func known(n *Neighbours, r *result.Result) bool {
	set := n.sets[total(n.settingsOf(r, nil))]
	return set != nil && n.sound[set.place]
}

// TestNeighboursOfWhatIsExcludedSince: when results are excluded, or no longer are, their neighbours are those that
// would be found anew, and all that have others are known beforehand.
func TestNeighboursOfWhatIsExcludedSince(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(4))
	for round := range 60 {
		before := invented(random, 2+random.Intn(40))
		now := slices.Clone(before)
		old := NewNeighbours(before)
		beside := map[int32]bool{}
		for range 1 + random.Intn(3) {
			place := random.Intn(len(now))
			other := *now[place]
			other.Checks = nil
			if !now[place].Excluded() {
				other.Checks = []result.Check{{Severity: result.Error}}
			}
			now[place] = &other
			for _, at := range old.Beside(place) {
				beside[at] = true
			}
		}
		kept, anew := old.Among(now), NewNeighbours(now)
		for place := range now {
			got, want := kept.Of(place, 2), anew.Of(place, 2)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("round %d: %s has %v, not %v", round, now[place].ID, got, want)
			}
			places := func(vs []Variation) (all []any) {
				for _, v := range vs {
					all = append(all, v.Label, v.Places, v.More)
				}
				return all
			}
			if !beside[int32(place)] && !reflect.DeepEqual(places(old.Of(place, 2)), places(got)) {
				t.Fatalf("round %d: %s has other neighbours unforeseen", round, now[place].ID)
			}
		}
	}
}

// TestNeighboursAreBounded: of many values the nearest are shown in order and the others counted; of results with
// the same settings the one in the nearest folder is; and the order of the results is no part of it.
func TestNeighboursAreBounded(t *testing.T) {
	t.Parallel()
	var rs []*result.Result
	for _, campaign := range []string{"a", "b"} {
		for c := 1; c <= 9; c++ {
			r := &result.Result{ID: fmt.Sprintf("%s/c%d", campaign, c), Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput"}, Value: 1}}}
			r.Labels.Set(result.Label{Name: "model", Value: "m"})
			r.Labels.Set(result.Label{Name: "dataset", Value: "random"})
			r.Labels.Set(result.Label{Name: "max_concurrency", Value: fmt.Sprint(c)})
			r.Labels.Set(result.Label{Name: "num_prompts", Value: fmt.Sprint(10 * c)})
			rs = append(rs, r)
		}
	}
	n := NewNeighbours(rs)
	for i, want := range map[int]string{0: "a/c2 a/c3 a/c4", 4: "a/c3 a/c4 a/c6", 8: "a/c6 a/c7 a/c8", 13: "b/c3 b/c4 b/c6"} {
		got := n.Of(i, 3)
		if len(got) != 1 || got[0].Label != "max_concurrency" || got[0].More != 5 {
			t.Fatalf("%s: got %+v", rs[i].ID, got)
		}
		ids := ""
		for _, r := range got[0].Runs {
			ids += r.ID + " "
		}
		if ids != want+" " {
			t.Errorf("%s: got %s, want %s", rs[i].ID, ids, want)
		}
	}
}

func BenchmarkNeighbours(b *testing.B) {
	rs := invented(rand.New(rand.NewSource(1)), 16_000)
	for i, r := range rs {
		for k := range 12 {
			r.Labels.Set(result.Label{Name: fmt.Sprint("x_setting", k), Value: fmt.Sprint(i % (k + 2)), Origin: result.Measured})
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		n := NewNeighbours(rs)
		for place := range rs {
			n.Of(place, 3)
		}
	}
}
