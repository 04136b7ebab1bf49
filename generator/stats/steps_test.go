package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// history parses "100 101/102 -" as three points: one run, two runs, none.
func history(t *testing.T, text string) [][]float64 {
	t.Helper()
	var series [][]float64
	for _, field := range strings.Fields(text) {
		var runs []float64
		for value := range strings.SplitSeq(field, "/") {
			if value != "-" {
				runs = append(runs, number(t, value))
			}
		}
		series = append(series, runs)
	}
	return series
}

// change has the fields of a step that the tests compare.
type change struct {
	index         int
	before, after float64
	lasting       bool
}

func TestSteps(t *testing.T) {
	for _, c := range []struct {
		what, series string
		noise        float64
		want         []change
	}{
		{"a level", "100 101 100 99 100", 0.03, nil},
		// The distances of neighbours are about 0.010, 0.010, 0.18, 0.008 and
		// 0.008: σ = 1.048 × 0.010, and 3σ = 0.031 is less than 0.18.
		{"one step up", "100 101 100 120 121 120", 0.03, []change{{3, 100, 120, true}}},
		{"one step down", "120 121 120 100 101 100", 0.03, []change{{3, 120, 100, true}}},
		{"under the noise", "100 100 100 102 102 102", 0.03, nil},
		{"the same over a smaller noise", "100 100 100 102 102 102", 0.01, []change{{3, 100, 102, true}}},
		// Twelve runs against twelve are distinguished, and still by 2 % only.
		{"under the noise, though a test shows it", "100/100/100/100 100/100/100/100 100/100/100/100 102/102/102/102 102/102/102/102 102/102/102/102", 0.03, nil},
		// Neither 2.5 % nor 1.5 % is enough. Without the smaller cut there are
		// 100 and (102.5+104)/2 = 103.25, 3.25 % apart.
		{"two cuts under the noise make a step over it", "100 100 100 102.5 102.5 102.5 104 104 104", 0.03, []change{{3, 100, 103.25, true}}},
		// The same with the smaller cut first: 100 and 101.5 make 100.75, from
		// which 104 is 3.2 % apart.
		{"also where the smaller cut is first", "100 100 100 101.5 101.5 101.5 104 104 104", 0.03, []change{{6, 100.75, 104, true}}},
		{"a point half way belongs to the level after", "100 100 200 400 400", 0.03, []change{{2, 100, 400, true}}},
		{"two steps", "100 100 100 120 120 120 150 150 150", 0.03, []change{{3, 100, 120, true}, {6, 120, 150, true}}},
		// Halving the series nowhere parts 130 from 100: the medians of the
		// halves stay at 100.
		{"a fault and its repair", "100 100 100 100 130 130 130 100 100 100 100", 0.03, []change{{4, 100, 130, true}, {7, 130, 100, true}}},
		{"an outlier does not hide a step", "100 100 100 300 100 100 130 130 130 130", 0.03, []change{{6, 100, 130, true}}},

		{"an outlier that comes back", "100 100 150 100 100", 0.03, nil},
		{"and does so at the very end", "100 100 100 150 100", 0.03, nil},
		{"two points of a new level", "100 100 100 150 150", 0.03, []change{{3, 100, 150, true}}},
		{"one point of a new level, the last", "100 100 100 100 150", 0.03, []change{{4, 100, 150, false}}},
		{"the first point stands alone", "150 100 100 100", 0.03, []change{{1, 150, 100, true}}},
		{"three points", "100 100 150", 0.03, []change{{2, 100, 150, false}}},
		{"two points", "100 150", 0.03, []change{{1, 100, 150, false}}},
		{"one point", "100", 0.03, nil},
		{"no points", "", 0.03, nil},

		// The median distance is ln(110/100) = 0.095: σ = 0.100, and the step
		// from 105 to 125, ln(125/105) = 0.174, is less than 3σ = 0.300.
		{"a step within the scatter", "100 110 100 110 100 110 120 130 120 130 120 130", 0.03, nil},
		// ln(220/105) = 0.740 is more.
		{"a step beyond the scatter", "100 110 100 110 100 110 210 230 210 230 210 230", 0.03, []change{{6, 105, 220, true}}},
		// The median distance is ln(105/100) = 0.049: 3σ = 0.153, which is less
		// than ln(120/102.5) = 0.158. But two cuts cost 2 × 0.153 and leave
		// distances of 2 × 0.049 within the levels, 0.40 together; without a
		// cut the distances are 2 × ln(120/100) = 0.36.
		{"a bump that scatter may have made", "105 100 120 120 100 105", 0.03, nil},

		// The medians differ by 5 %, but runs of the first point are above
		// runs of the second in 1+1+2+3 = 7 of 16 pairs: p = 2 × 31/70.
		{"repeats that overlap", "90/95/105/110 80/104/106/120", 0.03, nil},
		{"repeats that do not", "98/99/101/102 104/105/105/106", 0.03, []change{{1, 100, 105, false}}},
		{"points without runs are passed over", "100 - 100 - 150 150", 0.03, []change{{4, 100, 150, true}}},
	} {
		steps, ok := Steps(history(t, c.series), c.noise)
		var got []change
		for _, s := range steps {
			got = append(got, change{s.Index, s.Before, s.After, s.Lasting})
		}
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v, want %v", c.what, got, ok, c.want)
		}
	}
}

func TestAStepComparesAllRunsOfBothLevels(t *testing.T) {
	steps, _ := Steps(history(t, "98/102 99/101 104/106 103/107"), 0.03)
	if len(steps) != 1 {
		t.Fatalf("%+v", steps)
	}
	// Four against four that do not overlap: p = 2/70. The medians are
	// (99+101)/2 = 100 and 105.
	if c := steps[0].Comparison; c.N1 != 4 || c.N2 != 4 || !near(c.Ratio, 1.05) || !near(c.P, 2.0/70) {
		t.Errorf("%+v", c)
	}
}

func TestStepsNeedPositiveValues(t *testing.T) {
	for _, series := range []string{"100 0 100", "100 -5", "100/NaN 100"} {
		if steps, ok := Steps(history(t, series), 0.03); ok {
			t.Errorf("%s: %v", series, steps)
		}
	}
}

// TestScatterIsTheStandardDeviation checks that the scatter of normally distributed values is their standard
// deviation at any level, and that a step among many values hardly increases it.
func TestScatterIsTheStandardDeviation(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for _, c := range []struct{ level, sigma, step float64 }{{0, 1, 0}, {1000, 1, 0}, {100, 7, 0}, {100, 7, 300}} {
		values := make([]float64, 5000)
		for i := range values {
			values[i] = c.level + c.sigma*random.NormFloat64()
			if i > len(values)/2 {
				values[i] += c.step
			}
		}
		if got := scatter(values); math.Abs(got-c.sigma) > 0.05*c.sigma {
			t.Errorf("values around %v with σ = %v: %v", c.level, c.sigma, got)
		}
	}
}
