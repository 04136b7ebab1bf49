package script

import (
	"bytes"
	"encoding/json"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
)

var update = flag.Bool("update", false, "write testdata anew")

// What Go and the scripts both compute is held together by tables of cases: this
// test holds them against Go, the modules' tests against the scripts.

type (
	fixedCase struct {
		Value    float64 `json:"value"`
		Decimals int     `json:"decimals"`
		Text     string  `json:"text"`
	}
	digitsCase struct {
		Value float64 `json:"value"`
		Unit  string  `json:"unit"`
		Text  string  `json:"text"`
	}
	groupCase struct {
		Text    string `json:"text"`
		Grouped string `json:"grouped"`
	}
	compareCase struct {
		A       []float64 `json:"a"`
		B       []float64 `json:"b"`
		Ratio   *float64  `json:"ratio"`
		Method  string    `json:"method"`
		P       *float64  `json:"p"`
		Verdict string    `json:"verdict"`
	}
	frontierCase struct {
		Points   [][]float64 `json:"points"`
		Better   []string    `json:"better"`
		Frontier []int       `json:"frontier"`
	}
	geomeanCase struct {
		Values []float64 `json:"values"`
		Mean   *float64  `json:"mean"`
	}
)

type cases struct {
	Fixed    []fixedCase    `json:"fixed"`
	Digits   []digitsCase   `json:"digits"`
	Grouped  []groupCase    `json:"grouped"`
	Compare  []compareCase  `json:"compare"`
	Frontier []frontierCase `json:"frontier"`
	Geomean  []geomeanCase  `json:"geomean"`
}

func TestTablesOfCases(t *testing.T) {
	var c cases
	for _, v := range []float64{0, 0.5, 1.5, 2.5, -0.5, 0.125, 0.375, -0.125, 1.005, 2.675, 298.07, 1e-7, 43688.415, 1e15 + 0.5, 0.045, 1023.9999, 99.995} {
		for decimals := range 4 {
			c.Fixed = append(c.Fixed, fixedCase{v, decimals, strconv.FormatFloat(v, 'f', decimals, 64)})
		}
	}
	for _, v := range []float64{0, 1, 0.05, 0.0999, 0.1, 0.000012345, 0.0001, 0.00099999, 0.012, 12800, 12800.5, 7.8417, 204169, 3.1e12} {
		for _, unit := range []string{"1", "tok", "ms", "tok/s"} {
			shown := unit
			if unit == "1" {
				shown = "" // as pages tell it
			}
			c.Digits = append(c.Digits, digitsCase{v, shown, result.Metric{Value: v, Unit: unit, Decimals: result.FullPrecision}.Digits()})
		}
	}
	for _, s := range []string{"0", "999", "1438.24", "9999.9", "10000", "43688.41", "-43688.41", "123456789", "1e-05", "abc", ""} {
		c.Grouped = append(c.Grouped, groupCase{s, locale.Group(s)})
	}
	c.compare()
	c.frontier()
	for _, values := range [][]float64{{1}, {2, 8}, {0.5, 2, 1.7}, {}, {1, 0}, {-1, 2}} {
		one := geomeanCase{Values: values}
		if mean, ok := stats.GeoMean(values); ok {
			one.Mean = &mean
		}
		c.Geomean = append(c.Geomean, one)
	}
	agree(t, "testdata/cases.json", c)
}

func (c *cases) compare() {
	add := func(a, b []float64) {
		got := stats.Compare(a, b, 0.03)
		one := compareCase{A: a, B: b,
			Method:  [...]string{"none", "single", "few", "u-test"}[got.Method],
			Verdict: [...]string{"unknown", "same", "different"}[got.Verdict]}
		if got.HasRatio {
			one.Ratio = &got.Ratio
		}
		if got.Tested() {
			one.P = &got.P
		}
		c.Compare = append(c.Compare, one)
	}
	for _, pair := range [][2][]float64{
		{{}, {1}}, {{100}, {100}}, {{100}, {102.9}}, {{100}, {103.1}}, {{0}, {0}}, {{0}, {1}}, {{-1}, {1}},
		{{100, 101}, {103, 110}}, {{100, 104}, {103, 110}}, {{1, 2, 3}, {4, 5, 6}}, {{1, 2, 3, 4}, {5, 6, 7, 8}},
		{{5, 6, 7, 8}, {1, 2, 3, 4}}, {{2, 2, 2}, {1, 1, 1, 1, 1}}, {{1, 1, 1, 1, 1}, {2, 2, 2}}, {{1, 2, 3, 4, 5}, {3, 4, 5, 6, 7}},
		{{1, 1, 2, 3}, {1, 2, 2, 4, 9}}, {{3, 3, 3, 3}, {3, 3, 3, 3}},
	} {
		add(pair[0], pair[1])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for _, sizes := range [][2]int{{5, 5}, {6, 11}, {20, 20}, {26, 26}, {30, 60}, {51, 51}} {
		for _, steps := range []float64{3, 1e6} { // with many values equal, and with none
			draw := func(n int, shift float64) []float64 {
				out := make([]float64, n)
				for i := range out {
					out[i] = 10 + math.Round(random.Float64()*steps)/steps + shift
				}
				return out
			}
			add(draw(sizes[0], 0), draw(sizes[1], 0.25))
		}
	}
}

func (c *cases) frontier() {
	add := func(points [][]float64, better ...result.Better) {
		one := frontierCase{Points: points, Frontier: stats.Frontier(points, better)}
		for _, b := range better {
			one.Better = append(one.Better, b.String())
		}
		c.Frontier = append(c.Frontier, one)
	}
	add([][]float64{{1, 1}}, result.Lower, result.Higher)
	add([][]float64{{1, 1}, {1, 1}, {2, 1}, {1, 2}, {0.5, 0.5}}, result.Lower, result.Higher)
	add([][]float64{{3, 1, 5}, {3, 1, 4}, {2, 2, 2}, {3, 2, 2}}, result.Lower, result.Higher, result.Lower)
	random := rand.New(rand.NewPCG(3, 4))
	for _, better := range [][]result.Better{{result.Lower, result.Higher}, {result.Higher, result.Higher}, {result.Lower, result.Lower}} {
		var points [][]float64
		for range 120 {
			points = append(points, []float64{math.Floor(random.Float64() * 30), math.Floor(random.Float64() * 30)})
		}
		add(points, better...)
	}
}

// agree holds a table of cases against the file, or writes it with -update.
func agree(t *testing.T, name string, c any) {
	t.Helper()
	got, err := json.MarshalIndent(c, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what Go computes: run the test with -update, and then the modules' tests", name)
	}
}
