package stats

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

// observe parses "bf16 off 100" as the levels bf16 and off and the value 100.
func observe(t *testing.T, lines ...string) []Observation {
	t.Helper()
	var observations []Observation
	for _, line := range lines {
		fields := strings.Fields(line)
		last := len(fields) - 1
		observations = append(observations, Observation{fields[:last], number(t, fields[last])})
	}
	return observations
}

func TestEffects(t *testing.T) {
	quantisation, speculation := []string{"bf16", "fp8"}, []string{"off", "on"}
	for _, c := range []struct {
		what                  string
		levels                [][]string
		observations          []Observation
		effects, interactions []Effect
	}{
		{
			// Quantisation: 160/100 = 1.6 without speculation, 216/150 = 1.44
			// with it, √(1.6 × 1.44) = √2.304. Speculation: 150/100 = 1.5 and
			// 216/160 = 1.35, √2.025. Both ways 1.44/1.6 = 1.35/1.5 = 0.9.
			what:   "two factors",
			levels: [][]string{quantisation, speculation},
			observations: observe(t,
				"bf16 off 100", "bf16 on 150",
				"fp8  off 160", "fp8  on 216"),
			effects: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}}, Ratio: math.Sqrt(2.304),
					Strata: []Stratum{{[]string{"", "off"}, 1.6}, {[]string{"", "on"}, 1.44}}},
				{Changes: []Change{{1, "off", "on"}}, Ratio: math.Sqrt(2.025),
					Strata: []Stratum{{[]string{"bf16", ""}, 1.5}, {[]string{"fp8", ""}, 1.35}}},
			},
			interactions: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}, {1, "off", "on"}}, Ratio: 0.9,
					Strata: []Stratum{{[]string{"", ""}, 0.9}}},
			},
		},
		{
			// Comparing all of fp8 with all of bf16 would mix in speculation.
			what:         "a missing cell is no stratum",
			levels:       [][]string{quantisation, speculation},
			observations: observe(t, "bf16 off 100", "bf16 on 150", "fp8 off 160"),
			effects: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}}, Ratio: 1.6,
					Strata: []Stratum{{[]string{"", "off"}, 1.6}}, Incomplete: 1},
				{Changes: []Change{{1, "off", "on"}}, Ratio: 1.5,
					Strata: []Stratum{{[]string{"bf16", ""}, 1.5}}, Incomplete: 1},
			},
		},
		{
			what:         "factors changed together show no effect of either",
			levels:       [][]string{quantisation, speculation},
			observations: observe(t, "bf16 off 100", "fp8 on 216"),
		},
		{
			what:         "repeats give their median",
			levels:       [][]string{quantisation},
			observations: observe(t, "bf16 90", "bf16 100", "bf16 500", "fp8 120", "fp8 140"),
			effects: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}}, Ratio: 1.3, Strata: []Stratum{{[]string{""}, 1.3}}},
			},
		},
		{
			what:         "more levels are compared with the first",
			levels:       [][]string{{"fp16", "awq", "gptq"}},
			observations: observe(t, "awq 150", "fp16 100", "gptq 120"),
			effects: []Effect{
				{Changes: []Change{{0, "fp16", "awq"}}, Ratio: 1.5, Strata: []Stratum{{[]string{""}, 1.5}}},
				{Changes: []Change{{0, "fp16", "gptq"}}, Ratio: 1.2, Strata: []Stratum{{[]string{""}, 1.2}}},
			},
		},
		{
			// With speculation only gptq was measured, which is not in a stratum of awq against fp16.
			what:         "a stratum is of two levels only",
			levels:       [][]string{{"fp16", "awq", "gptq"}, speculation},
			observations: observe(t, "fp16 off 100", "awq off 150", "gptq on 200"),
			effects: []Effect{
				{Changes: []Change{{0, "fp16", "awq"}}, Ratio: 1.5, Strata: []Stratum{{[]string{"", "off"}, 1.5}}},
			},
		},
		{
			// The interaction of the first two is (3/2)/(2/1) = 0.75 on a, and
			// on b, where (fp8, on) is missing, unknown.
			what:   "an interaction has strata too",
			levels: [][]string{quantisation, speculation, {"a", "b"}},
			observations: observe(t,
				"bf16 off a 1", "fp8 off a 2", "bf16 on a 2", "fp8 on a 3",
				"bf16 off b 4", "fp8 off b 4", "bf16 on b 8"),
			effects: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}}, Ratio: math.Cbrt(2 * 1 * 1.5), // off a, off b, on a
					Strata:     []Stratum{{[]string{"", "off", "a"}, 2}, {[]string{"", "off", "b"}, 1}, {[]string{"", "on", "a"}, 1.5}},
					Incomplete: 1},
				{Changes: []Change{{1, "off", "on"}}, Ratio: math.Cbrt(2 * 2 * 1.5), // bf16 a, bf16 b, fp8 a
					Strata:     []Stratum{{[]string{"bf16", "", "a"}, 2}, {[]string{"bf16", "", "b"}, 2}, {[]string{"fp8", "", "a"}, 1.5}},
					Incomplete: 1},
				{Changes: []Change{{2, "a", "b"}}, Ratio: math.Cbrt(4 * 4 * 2), // bf16 off, bf16 on, fp8 off
					Strata:     []Stratum{{[]string{"bf16", "off", ""}, 4}, {[]string{"bf16", "on", ""}, 4}, {[]string{"fp8", "off", ""}, 2}},
					Incomplete: 1},
			},
			interactions: []Effect{
				{Changes: []Change{{0, "bf16", "fp8"}, {1, "off", "on"}}, Ratio: 0.75,
					Strata: []Stratum{{[]string{"", "", "a"}, 0.75}}, Incomplete: 1},
				{Changes: []Change{{0, "bf16", "fp8"}, {2, "a", "b"}}, Ratio: 0.5, // (4/4)/(2/1)
					Strata: []Stratum{{[]string{"", "off", ""}, 0.5}}, Incomplete: 1},
				{Changes: []Change{{1, "off", "on"}, {2, "a", "b"}}, Ratio: 1, // (8/4)/(2/1)
					Strata: []Stratum{{[]string{"bf16", "", ""}, 1}}, Incomplete: 1},
			},
		},
	} {
		d, err := NewDesign(c.levels, c.observations)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		if got := d.Effects(); !sameEffects(got, c.effects) {
			t.Errorf("%s: effects\n%+v, want\n%+v", c.what, got, c.effects)
		}
		if got := d.Interactions(); !sameEffects(got, c.interactions) {
			t.Errorf("%s: interactions\n%+v, want\n%+v", c.what, got, c.interactions)
		}
	}
}

// sameEffects reports whether effects are equal, ratios except for rounding.
func sameEffects(got, want []Effect) bool {
	if len(got) != len(want) {
		return false
	}
	for i, g := range got {
		w := want[i]
		if len(g.Strata) != len(w.Strata) || !near(g.Ratio, w.Ratio) || g.Incomplete != w.Incomplete || !reflect.DeepEqual(g.Changes, w.Changes) {
			return false
		}
		for k := range g.Strata {
			if !near(g.Strata[k].Ratio, w.Strata[k].Ratio) || !reflect.DeepEqual(g.Strata[k].Levels, w.Strata[k].Levels) {
				return false
			}
		}
	}
	return true
}

func TestADesignNamesWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		levels      [][]string
		observation Observation
		want        string
	}{
		{[][]string{{"a", "b", "a"}}, Observation{[]string{"a"}, 1}, `factor 0 has the level "a" twice`},
		{[][]string{{"a", "b"}}, Observation{[]string{"a", "x"}, 1}, "observation 0 names 2 levels, the design has 1 factors"},
		{[][]string{{"a", "b"}}, Observation{[]string{"c"}, 1}, `observation 0 has the level "c", which factor 0 does not have`},
		{[][]string{{"a", "b"}}, Observation{[]string{"a"}, 0}, "observation 0 is 0; the ratio of an effect needs positive values"},
	} {
		if _, err := NewDesign(c.levels, []Observation{c.observation}); err == nil || err.Error() != c.want {
			t.Errorf("%v, %v: %v, want %s", c.levels, c.observation, err, c.want)
		}
	}
}
