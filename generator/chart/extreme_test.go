package chart

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
)

// clouds has arrangements of sixty points.
var clouds = map[string]func(r *rand.Rand, i int) (x, y float64){
	"scattered":   func(r *rand.Rand, _ int) (x, y float64) { return r.Float64(), r.Float64() },
	"exponential": func(r *rand.Rand, _ int) (x, y float64) { return 10 * r.ExpFloat64(), 1000 * r.ExpFloat64() },
	"on a line":   func(r *rand.Rand, i int) (x, y float64) { return float64(i), 100 - float64(i) },
	"one place":   func(r *rand.Rand, _ int) (x, y float64) { return 3, 5 },
	"two crowds": func(r *rand.Rand, i int) (x, y float64) {
		return float64(i%2) + r.Float64()/30, float64(i%2) + r.Float64()/30
	},
	"far apart": func(r *rand.Rand, _ int) (x, y float64) {
		return math.Pow(10, 21*r.Float64()-9), math.Pow(10, 21*r.Float64()-9)
	},
}

// TestEveryPointOfAScatterIsNamed checks that each of sixty points has its name beside it, or a number that the
// key explains, and that nothing overlaps.
func TestEveryPointOfAScatterIsNamed(t *testing.T) {
	t.Parallel()
	for name, cloud := range clouds {
		for seed := range uint64(2) {
			for _, lang := range locale.Languages {
				t.Run(fmt.Sprint(name, seed, lang), func(t *testing.T) {
					t.Parallel()
					if (lang == "en") == (seed == 0) {
						need.Thorough(t, "the same clouds are named in the other language")
					}
					r := rand.New(rand.NewPCG(seed, 60))
					c := report.Chart{Kind: report.Scatter, Title: both("六十个点", "Sixty points"), Size: report.Axis{Unit: "GB"}}
					var names []string
					for k := range 3 {
						s := report.Series{Name: locale.Lit(fmt.Sprint("group ", k))}
						for i := range 20 {
							x, y := cloud(r, 20*k+i)
							p := report.Point{X: x, Y: y, Dominated: r.IntN(3) == 0, Warned: r.IntN(5) == 0, Excluded: r.IntN(9) == 0}
							if seed%2 == 1 {
								p.Low, p.High, p.Spread, p.Size = 0.8*y, 1.3*y, true, r.ExpFloat64()
							}
							names = append(names, fmt.Sprintf("Qwen3-%d%s", 20*k+i, strings.Repeat("-AWQ", r.IntN(4))))
							p.Label = locale.Lit(names[len(names)-1])
							s.Points = append(s.Points, p)
						}
						c.Series = append(c.Series, s)
					}
					l := arranged(t, c, lang)
					checkLayout(t, l)
					if len(l.crowded) > 0 {
						t.Errorf("no room for %q", l.crowded)
					}
					rec := record(l)
					count := map[string]int{}
					for _, text := range rec.texts {
						count[text.s]++
						for _, mark := range rec.marks {
							if text.grow(-2).overlaps(mark.grow(-2)) {
								t.Errorf("%q at %v lies over the mark at %v", text.s, text.box, mark)
							}
						}
					}
					for _, name := range names {
						if count[name] != 1 {
							t.Errorf("%q is written %d times", name, count[name])
						}
					}
				})
			}
		}
	}
}

// TestNumbersOfAScatter checks that numbers ascend from left to right, and that the key lists them in order.
func TestNumbersOfAScatter(t *testing.T) {
	t.Parallel()
	for _, lang := range locale.Languages {
		got := texts(arranged(t, charts()["numbered"], lang))
		first := slices.Index(got, "Qwen3-FP8-c11") - 1
		var numbers []string
		for i := first; i < len(got)-1; i += 2 {
			numbers = append(numbers, got[i])
		}
		if s := strings.Join(numbers, " "); s != "1 2 3 4 5 6 7 8 9 10" {
			t.Errorf("the key's numbers are %s", s)
		}
	}
}

// extremes has values that are rare in reports.
var extremes = map[string][]float64{
	"one value":        {5},
	"all equal":        {7, 7, 7, 7},
	"zeros":            {0, 0, 0},
	"zero among wide":  {0, 0.01, 3, 4000},
	"negative":         {-5, 3, 0, -0.5},
	"only negative":    {-5, -3.5, -4000},
	"21 decades":       {1e-9, 1e-3, 1, 1e6, 1e12},
	"nothing":          {},
	"200":              ascending(200),
	"missing and zero": {math.NaN(), 0, math.NaN()},
}

func ascending(n int) []float64 {
	vs := make([]float64, n)
	for i := range vs {
		vs[i] = float64(i + 1)
	}
	return vs
}

func TestExtremeValues(t *testing.T) {
	t.Parallel()
	for name, vs := range extremes {
		for _, kind := range []report.ChartKind{report.GroupedBars, report.Dots, report.Scatter} {
			for _, scale := range []report.Scale{report.Auto, report.Linear, report.Log} {
				for _, lang := range locale.Languages {
					t.Run(fmt.Sprint(name, kind, scale, lang), func(t *testing.T) {
						if (lang == "en") == (scale == report.Linear) {
							need.Thorough(t, "it is laid out in the other language")
						}
						t.Parallel()
						c := bar(vs...)
						c.Kind, c.Y.Scale = kind, scale
						for i := range c.Series[0].Points {
							p := &c.Series[0].Points[i]
							p.X, p.Label = float64(i), c.Categories[i]
							p.Low, p.High, p.Spread = p.Y-2*math.Abs(p.Y), p.Y+2*math.Abs(p.Y), i%2 == 0 // extends below zero
							p.Warned, p.Excluded, p.Size = i%3 == 1, i%5 == 2, p.Y
						}
						l := arranged(t, c, lang)
						checkLayout(t, l)
						if len(l.crowded) > 0 && !(kind == report.Scatter && len(vs) > mostNumbers) {
							t.Errorf("no room for %q", l.crowded)
						}
					})
				}
			}
		}
	}
}

// TestLabelsKeepClearOfIntervals checks that no value label covers the interval of a value.
func TestLabelsKeepClearOfIntervals(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"repeats", "lying", "intervals", "bubbles"} {
		l := arranged(t, charts()[name], "en")
		rec := record(l)
		intervals := 0
		for _, series := range l.series {
			for _, v := range series.values {
				if v.spread {
					intervals++
				}
			}
		}
		// An interval is a thin line with two thin ends, drawn in the same colour one after another. The thin
		// lines of the grid have other colours.
		var thin []box
		for _, r := range rec.rects {
			grid := r.RGBA == l.theme.Grid || r.RGBA == l.theme.MinorGrid || r.RGBA == l.theme.Line || r.RGBA == l.theme.Background
			if !grid && min(r.width(), r.height()) <= 3 {
				thin = append(thin, r.box)
			}
		}
		if len(thin) < 3*intervals || intervals == 0 {
			t.Errorf("%s: %d thin lines for %d intervals", name, len(thin), intervals)
		}
		for _, text := range rec.texts {
			for _, b := range thin {
				if text.overlaps(b) {
					t.Errorf("%s: %q at %v lies over the interval at %v", name, text.s, text.box, b)
				}
			}
		}
	}
}

// TestLegendOfDoubts checks that the legend explains rings, hollow marks and intervals.
func TestLegendOfDoubts(t *testing.T) {
	t.Parallel()
	for _, kind := range []report.ChartKind{report.GroupedBars, report.Dots, report.Scatter} {
		c := bar(5, 7, 9)
		c.Kind = kind
		has := func(key string) bool {
			l := arranged(t, c, "zh-CN")
			return slices.Contains(texts(l), l.words.Words(key))
		}
		if has("chart.interval") || has("chart.warned") {
			t.Errorf("%s explain what they do not show", kind)
		}
		c.Series[0].Points[0].Spread, c.Series[0].Points[0].Low, c.Series[0].Points[0].High = true, 4, 6
		c.Series[0].Points[1].Warned = true
		if !has("chart.interval") || !has("chart.warned") {
			t.Errorf("%s do not explain error bars or rings", kind)
		}
	}
}

// TestAreaOfMarks checks that the area of marks is proportional to their size, and that the legend shows two
// round sizes.
func TestAreaOfMarks(t *testing.T) {
	t.Parallel()
	c := charts()["bubbles"]
	l := arranged(t, c, "en")
	if r := (scatterChart{l}).radius(16); r != bubble {
		t.Errorf("the radius of the largest is %g, want %d", r, bubble)
	}
	if r := (scatterChart{l}).radius(4); r != bubble/2 {
		t.Errorf("the radius of a quarter of the largest is %g, want %d", r, bubble/2)
	}
	for _, want := range []string{"2 GB", "10 GB", "Area of a mark: Size of the weights (GB)."} {
		if got := texts(l); !slices.Contains(got, want) {
			t.Errorf("%q is not in %q", want, got)
		}
	}
	for v, want := range map[float64]float64{1: 1, 1.9: 1, 4.9: 2, 9.9: 5, 16: 10, 0.3: 0.2} {
		if got := roundBelow(v); math.Abs(got-want) > 1e-12 {
			t.Errorf("roundBelow(%g) = %g, want %g", v, got, want)
		}
	}
}

// TestTicksOfCounts checks that axes of counts have only whole numbers, unlike axes with a unit or decimals.
func TestTicksOfCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		unit   string
		values []float64
		halves bool
	}{
		{"1", []float64{1, 2}, false}, {"", []float64{1, 2}, false}, {"", []float64{0.5, 2}, true}, {"ms", []float64{1, 2}, true},
	} {
		chart := bar(c.values...)
		chart.Y.Unit = c.unit
		if got := slices.Contains(texts(arranged(t, chart, "en")), "1.5"); got != c.halves {
			t.Errorf("unit %q, values %v: a tick at 1.5 is %v", c.unit, c.values, got)
		}
	}
}

// TestShortenedNamesHaveTitles checks that the title of a shortened name is its full name.
func TestShortenedNamesHaveTitles(t *testing.T) {
	t.Parallel()
	c := bar(1, 2)
	long := strings.Repeat("Qwen3-Coder-30B-A3B-Instruct-", 8) + "<4bit>"
	c.Categories[0] = locale.Lit(long)
	svg := draw(t, c, "en").SVG
	if want := "<title>" + strings.Replace(strings.Replace(long, "<", "&lt;", 1), ">", "&gt;", 1) + "</title>"; !bytes.Contains(svg, []byte(want)) {
		t.Errorf("%s is not in the SVG", want)
	}
	if n := bytes.Count(svg, []byte("<title>")); n != 1 {
		t.Errorf("%d titles, want that of the one shortened name", n)
	}
}
