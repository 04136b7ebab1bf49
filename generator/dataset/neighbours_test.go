package dataset

import (
	"fmt"
	"maps"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
)

// settled returns the settings of a result, of which neighbours differ in one.
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

// apart returns the settings in which two results differ.
func apart(a, b *result.Result) (names []string) {
	x, y := settled(a), settled(b)
	for name := range x {
		if x[name] != y[name] {
			names = append(names, name)
		}
	}
	for name := range y {
		if _, both := x[name]; !both {
			names = append(names, name)
		}
	}
	return names
}

// invented returns random results, in order, whose settings have few values.
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

// TestNeighboursDifferInOneSetting checks that each neighbour differs in exactly the named setting. Without a
// limit, the neighbours in a setting are all such results of the campaign or, if there are none, all of other
// campaigns.
func TestNeighboursDifferInOneSetting(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(9))
	for round := range 30 {
		rs := invented(random, 2+random.Intn(40))
		n := NewNeighbours(rs)
		for place, r := range rs {
			got := map[string]map[string]bool{} // the settings of the others, by setting
			for _, v := range n.Of(place, len(rs)) {
				if v.More {
					t.Errorf("round %d: %s leaves values out", round, r.ID)
				}
				for _, other := range v.Runs {
					if settings := apart(r, other); len(settings) != 1 || r.Label(v.Label) == other.Label(v.Label) && settled(r)[follows[v.Label]] == settled(other)[follows[v.Label]] {
						t.Fatalf("round %d: %v and %v differ in %v; %s is named", round, r.Labels, other.Labels, settings, v.Label)
					}
					if other.Excluded() {
						t.Errorf("round %d: %s is excluded, and a neighbour", round, other.ID)
					}
					add(got, apart(r, other)[0], other)
				}
			}
			own, any := map[string]map[string]bool{}, map[string]map[string]bool{}
			for _, other := range rs {
				if settings := apart(r, other); len(settings) == 1 && len(settled(r)) == len(settled(other)) && !other.Excluded() && known(n, r) {
					add(any, settings[0], other)
					if other.Label("campaign") == r.Label("campaign") {
						add(own, settings[0], other)
					}
				}
			}
			maps.Copy(any, own)
			if !reflect.DeepEqual(got, any) {
				t.Fatalf("round %d: the neighbours of %v are %v, want %v", round, r.Labels, got, any)
			}
		}
	}
}

// add records the settings of a result that differs in one.
func add(to map[string]map[string]bool, setting string, r *result.Result) {
	if to[setting] == nil {
		to[setting] = map[string]bool{}
	}
	to[setting][fmt.Sprint(settled(r))] = true
}

// known reports whether a result that is not excluded has the settings of r.
func known(n *Neighbours, r *result.Result) bool {
	set := n.sets[total(n.settingsOf(r, nil))]
	return set != nil && n.sound[set.place]
}

// TestNeighboursOfWhatIsExcludedSince checks that the neighbours are correct after results are excluded or no
// longer excluded, and that Beside returns all results whose neighbours change.
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

// sweep returns results of a campaign that differ in their concurrency.
func sweep(campaign string, concurrency ...int) []*result.Result {
	var rs []*result.Result
	for _, c := range concurrency {
		r := &result.Result{ID: fmt.Sprintf("%s/c%d", campaign, c), Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput"}, Value: 1}}}
		r.Labels.Set(result.Label{Name: "campaign", Value: campaign, Origin: result.Guessed})
		r.Labels.Set(result.Label{Name: "model", Value: "m"})
		r.Labels.Set(result.Label{Name: "dataset", Value: "random"})
		r.Labels.Set(result.Label{Name: "max_concurrency", Value: fmt.Sprint(c)})
		r.Labels.Set(result.Label{Name: "num_prompts", Value: fmt.Sprint(10 * c)})
		rs = append(rs, r)
	}
	return rs
}

// TestNeighboursAreBounded checks that only the nearest of many values are returned, in order; of results with
// the same settings, the one in the nearest folder; and results of other campaigns only if the own campaign has
// no other value.
func TestNeighboursAreBounded(t *testing.T) {
	t.Parallel()
	rs := slices.Concat(sweep("a", 1, 2, 3, 4, 5, 6, 7, 8, 9), sweep("b", 1, 2, 3, 4, 5, 6, 7, 8, 9), sweep("c", 3, 5), sweep("d", 6), sweep("e", 20))
	n := NewNeighbours(rs)
	for _, c := range []struct {
		of, near string
		more     bool
	}{
		{"a/c1", "a/c2 a/c3 a/c4", true},
		{"a/c5", "a/c3 a/c4 a/c6", true},
		{"a/c9", "a/c6 a/c7 a/c8", true},
		{"b/c5", "b/c3 b/c4 b/c6", true},
		{"c/c5", "c/c3", false},
		{"d/c6", "c/c5 b/c7 b/c4", true},
		{"e/c20", "b/c7 b/c8 b/c9", true},
	} {
		got := n.Of(slices.IndexFunc(rs, func(r *result.Result) bool { return r.ID == c.of }), 3)
		if len(got) != 1 || got[0].Label != "max_concurrency" || got[0].More != c.more {
			t.Fatalf("%s: got %+v", c.of, got)
		}
		var ids, want = map[string]bool{}, map[string]bool{}
		for _, r := range got[0].Runs {
			ids[r.ID] = true
		}
		for _, id := range strings.Fields(c.near) {
			want[id] = true
		}
		if !maps.Equal(ids, want) {
			t.Errorf("%s: got %v, want %v", c.of, ids, want)
		}
	}
}

// TestAResultIsNearInItsCampaign checks with a thousand equal campaigns that a new model or a new concurrency
// changes only the neighbours of results of its own campaign.
func TestAResultIsNearInItsCampaign(t *testing.T) {
	t.Parallel()
	var before []*result.Result
	for i := range 1000 {
		before = append(before, sweep(fmt.Sprint("c", i), 1, 2, 4)...)
	}
	now := slices.Concat(before, sweep("c500", 3))
	slices.SortFunc(now, result.Compare)
	was, is := NewNeighbours(before), NewNeighbours(now)
	ids := func(vs []Variation) (all []string) {
		for _, v := range vs {
			for _, r := range v.Runs {
				all = append(all, v.Label+" "+r.ID+" "+fmt.Sprint(v.More))
			}
		}
		return all
	}
	for place, r := range before {
		at, _ := slices.BinarySearchFunc(now, r, result.Compare)
		if changed := !slices.Equal(ids(was.Of(place, 3)), ids(is.Of(at, 3))); changed != (r.Label("campaign") == "c500") {
			t.Fatalf("%s: changed %t", r.ID, changed)
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
