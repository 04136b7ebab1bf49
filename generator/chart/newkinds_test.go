package chart

import (
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// curved lists the kinds whose layout depends on many values or series. The forms of lines count as kinds.
var curved = []report.Chart{
	{Kind: report.Lines},
	{Kind: report.Lines, Form: report.Stair},
	{Kind: report.Lines, Form: report.Trace},
	{Kind: report.Boxes},
	{Kind: report.Histogram},
	{Kind: report.HeatMap},
	{Kind: report.Slope},
}

func kindName(c report.Chart) string { return string(c.Kind) + string(c.Form) }

// chartOf returns a chart of a kind whose series have these values: over their index, as edges of bars, or as
// quantiles, as the kind requires.
func chartOf(kind report.Chart, names []string, values [][]float64) report.Chart {
	c := kind
	c.Title, c.Source = both("首词元延迟", "Time to first token"), source
	c.X = report.Axis{Title: both("并发数", "Concurrency")}
	c.Y = report.Axis{Title: both("TTFT", "TTFT"), Unit: "ms", Better: result.Lower}
	for k, vs := range values {
		s := report.Series{Name: locale.Lit(names[k])}
		for i, v := range vs {
			p := report.Point{X: float64(i), Y: v, Missing: math.IsNaN(v)}
			if kind.Kind == report.Histogram {
				p.Low, p.High = float64(i), float64(i+1)
			}
			if kind.Kind == report.Boxes {
				p.Five = [5]float64{v / 2, v * 0.8, v, v * 1.5, v * 4}
				if v < 0 {
					p.Five = [5]float64{v * 4, v * 1.5, v, v * 0.8, v / 2}
				}
			}
			s.Points = append(s.Points, p)
		}
		for i := len(c.Categories); i < len(vs) && kind.Kind != report.Lines && kind.Kind != report.Histogram; i++ {
			c.Categories = append(c.Categories, locale.Lit(fmt.Sprintf("Qwen3-8B-c%d", i)))
		}
		c.Series = append(c.Series, s)
	}
	return c
}

func repeated(n int, vs ...float64) (many [][]float64, names []string) {
	for k := range n {
		many, names = append(many, vs), append(names, fmt.Sprintf("Qwen3-8B-FP8 %d", k))
	}
	return many, names
}

// TestOddValuesOfNewKinds checks that a chart with any values is laid out correctly, or refused with advice.
func TestOddValuesOfNewKinds(t *testing.T) {
	t.Parallel()
	nan, inf := math.NaN(), math.Inf(1)
	rising := make([]float64, 200)
	for i := range rising {
		rising[i] = 3 + float64(i)
	}
	for _, c := range []struct {
		name   string
		series int
		values []float64
	}{
		{"nothing", 0, nil},
		{"series without points", 3, nil},
		{"one value", 1, []float64{5}},
		{"one value, many series", 9, []float64{5}},
		{"all equal", 3, []float64{7, 7, 7, 7}},
		{"zeros", 2, []float64{0, 0, 0}},
		{"a zero", 2, []float64{0, 3, 900}},
		{"negative", 2, []float64{-5, 3, 0, -0.5}},
		{"only negative", 2, []float64{-5, -3, -4}},
		{"far apart", 2, []float64{1e-9, 1, 1e12}},
		{"far apart, with zero", 2, []float64{0, 1e-9, 1, 1e12}},
		{"tiny", 2, []float64{1e-9, 2e-9, 3e-9}},
		{"huge", 2, []float64{1e12, 2e12, 3e12}},
		{"close together", 2, []float64{1000000.001, 1000000.002, 1000000.003}},
		{"missing", 2, []float64{nan, 3, nan, 5, nan}},
		{"only missing", 2, []float64{nan, nan}},
		{"infinite", 2, []float64{inf, 3, -inf, 5}},
		{"sixty series", 60, []float64{1, 2, 3, 4}},
		{"two hundred values", 2, rising},
		{"sixty by two hundred", 60, rising},
	} {
		for _, kind := range curved {
			for _, scale := range []report.Scale{report.Auto, report.Linear, report.Log} {
				t.Run(c.name+"/"+kindName(kind)+"/"+string(scale), func(t *testing.T) {
					values, names := repeated(c.series, c.values...)
					chart := chartOf(kind, names, values)
					chart.X.Scale, chart.Y.Scale = scale, scale
					l, err := newLayout(chart, printer(t, "en"), DefaultTheme())
					if err != nil {
						t.Fatal(err)
					}
					if err := l.arrange(); err != nil {
						if !strings.Contains(err.Error(), "show fewer") {
							t.Errorf("the error does not say what to do: %v", err)
						}
						return
					}
					checkLayout(t, l)
				})
			}
		}
	}
}

// TestLayoutOfRandomNewKinds checks charts like those of reports: a few series with short and long names,
// values that differ by some powers of ten, and marks of every kind.
func TestLayoutOfRandomNewKinds(t *testing.T) {
	t.Parallel()
	models := []string{"BF16", "FP8", "Qwen3-8B-NVFP4", "Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit", "量化后的千问模型", "c=16"}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		kind := curved[r.IntN(len(curved))]
		t.Run(fmt.Sprint(seed, kindName(kind)), func(t *testing.T) {
			if seed >= 100 {
				need.Thorough(t, "a hundred charts are laid out before")
			}
			t.Parallel()
			n, apart := 1+r.IntN(14), math.Pow(10, 4*r.Float64())
			if kind.Form != report.Straight {
				n = 200 + r.IntN(800)
			}
			var values [][]float64
			var names []string
			for k := range 1 + r.IntN(7) {
				var vs []float64
				for range n {
					vs = append(vs, 10*math.Pow(apart, r.Float64()))
				}
				values, names = append(values, vs), append(names, fmt.Sprintf("%s %d", models[r.IntN(len(models))], k))
			}
			c := chartOf(kind, names, values)
			for _, s := range c.Series {
				for i := range s.Points {
					p := &s.Points[i]
					p.Missing, p.Excluded, p.Warned = r.IntN(10) == 0, r.IntN(10) == 0, r.IntN(10) == 0
					if kind.Kind == report.Lines && r.IntN(3) == 0 {
						p.Spread, p.Low, p.High = true, p.Y*0.9, p.Y*1.2
					}
					if kind.Form == report.Straight && r.IntN(2) == 0 {
						p.X = math.Exp2(float64(i))
					}
				}
			}
			if kind.Kind == report.Lines && r.IntN(2) == 0 {
				for i := range n {
					c.Ticks = append(c.Ticks, report.Tick{At: float64(i), Text: locale.Lit(fmt.Sprintf("0.%d.%d", i/3, i%3))})
				}
			}
			if kind.Kind != report.Slope && r.IntN(2) == 0 {
				from := float64(r.IntN(n))
				c.Bands = []report.Band{{From: from, To: from + 3, Text: both("运行", "run")}, {From: from + 4, To: from + 9, Text: both("预热之后", "after the warm-up")}}
			}
			for k := range c.Series {
				c.Steps = append(c.Steps, report.Step{Series: k, Point: r.IntN(n), Text: locale.Lit("+12.5%"), Worse: r.IntN(2) == 0})
			}
			l := arranged(t, c, locale.Languages[r.IntN(2)])
			checkLayout(t, l)
			rec := record(l)
			for _, text := range rec.texts {
				for _, mark := range rec.marks {
					if text.grow(-3).overlaps(mark.grow(-2)) {
						t.Errorf("%q at %v lies over the mark at %v", text.s, text.box, mark)
					}
				}
			}
		})
	}
}

// TestValuesStandNextToSlopes checks that the values of a slope chart are next to its lines and the names
// beyond them, whichever direction the names are read in.
func TestValuesStandNextToSlopes(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{"Qwen3-8B", "Gemma-3-27B"}, {"מודל עברית RTL 3", "نموذج عربي-7B"}, {"通义千问", "书生"}} {
		c := report.Chart{Kind: report.Slope, Categories: literals([]string{"free", "locked"}), Y: report.Axis{Unit: "tok/s"}}
		for i, name := range names {
			c.Series = append(c.Series, report.Series{Name: locale.Lit(name), Points: []report.Point{{Y: 101 + 40*float64(i)}, {Y: 115 + 40*float64(i)}}})
		}
		at := map[string][]box{}
		for _, text := range record(arranged(t, c, "en")).texts {
			at[text.s] = append(at[text.s], text.box)
		}
		for i, name := range names {
			before, after := at[fmt.Sprint(101+40*i)], at[fmt.Sprint(115+40*i)]
			if len(before) != 1 || len(after) != 1 || len(at[name]) != 2 {
				t.Fatalf("%s: %d and %d values, %d names", name, len(before), len(after), len(at[name]))
			}
			left, right := at[name][0], at[name][1]
			if left.x0 > right.x0 {
				left, right = right, left
			}
			if left.x1 > before[0].x0 || before[0].x1 > after[0].x0 || after[0].x1 > right.x0 {
				t.Errorf("%s: a name, its values and the name are at %v %v %v %v", name, left, before[0], after[0], right)
			}
		}
	}
}

// TestBothEndsOfASlopeAreNamed checks that both ends of a slope have names, however long these are.
func TestBothEndsOfASlopeAreNamed(t *testing.T) {
	t.Parallel()
	lengths := []int{1, 12, 40, 120}
	for _, letter := range []string{"x", "字", "ab "} {
		for _, first := range lengths {
			for _, last := range lengths {
				for _, width := range []int{NarrowWidth, DefaultTheme().Width} {
					c := report.Chart{Kind: report.Slope, Categories: []locale.Text{locale.Lit("free" + strings.Repeat(letter, first)), locale.Lit("locked" + strings.Repeat(letter, last))}}
					for _, name := range []string{"A", strings.Repeat("Qwen3-", 9)} {
						c.Series = append(c.Series, report.Series{Name: locale.Lit(name), Points: []report.Point{{Y: 101}, {Y: 115}}})
					}
					theme := DefaultTheme()
					theme.Width = width
					l := arrangedIn(t, c, "en", theme)
					checkLayout(t, l)
					written := texts(l)
					for _, begins := range []string{"f", "l"} {
						if !slices.ContainsFunc(written, func(s string) bool { return strings.HasPrefix(s, begins) }) {
							t.Errorf("names of %d and %d %q in a width of %d: %q is not among %q", first, last, letter, width, begins, written)
						}
					}
				}
			}
		}
	}
}

// TestABoxOfEqualValuesIsSeen checks that a box of equal values, such as zeros, is visible under everything
// drawn over it.
func TestABoxOfEqualValuesIsSeen(t *testing.T) {
	t.Parallel()
	for _, v := range []float64{0, 1e-9, 50, 100} {
		c := report.Chart{Kind: report.Boxes, Categories: literals([]string{"equal", "spread"}), Series: []report.Series{{Points: []report.Point{
			{Y: v, Five: [5]float64{v, v, v, v, v}}, {Y: 50, Five: [5]float64{10, 30, 50, 70, 100}},
		}}}}
		theme := DefaultTheme()
		l := arranged(t, c, "en")
		image := l.paint().Image
		seen := 0 // pixels of the upper box
		for y := range image.Rect.Dy() / 2 {
			for x := range image.Rect.Dx() {
				if image.At(x, y) == theme.Series[0] {
					seen++
				}
			}
		}
		if seen < 40 {
			t.Errorf("of a box at %g, %d pixels are seen", v, seen)
		}
	}
}

// TestManyLines checks that the most important of many lines have names and distinct colours and lie above the
// others, that a note says which they are, and that the author gets advice.
func TestManyLines(t *testing.T) {
	t.Parallel()
	for _, kind := range []report.ChartKind{report.Slope, report.Lines} {
		for _, better := range []result.Better{result.Higher, result.Lower, result.Neutral} {
			for _, lines := range []int{mostLines, mostLines + 1, 40} {
				c := report.Chart{Kind: kind, Categories: literals([]string{"a", "b"}), Y: report.Axis{Better: better}}
				for i := range lines {
					end := 100 + float64(i)
					if kind == report.Lines && better == result.Lower {
						end = 500 - end
					}
					c.Series = append(c.Series, report.Series{Name: locale.Lit(fmt.Sprint("m", i)), Points: []report.Point{{X: 1, Y: 100}, {X: 2, Y: end}}})
				}
				l := arranged(t, c, "en")
				var coloured []string
				colours, shapes := map[color.RGBA]bool{}, map[int]bool{}
				for i, s := range l.series {
					if !s.dim {
						coloured = append(coloured, s.name)
						colours[l.style(i).colour], shapes[l.style(i).shape] = true, true
					}
				}
				want, warned, notes := lines, "", 0
				if lines > mostLines {
					want, warned, notes = namedLines, "chart.lines", 1
				}
				if len(coloured) != want || coloured[len(coloured)-1] != fmt.Sprint("m", lines-1) || want == namedLines && (len(colours) != want || len(shapes) != want) {
					t.Errorf("%s, %v: of %d lines %v are in colour, in %d", kind, better, lines, coloured, len(colours))
				}
				ids := ""
				for _, m := range l.warnings() {
					ids += m.ID
				}
				if ids != warned || len(l.notes) != notes {
					t.Errorf("%s: %d lines: warnings %q and notes %q, want %q", kind, lines, ids, l.notes, warned)
				}
				order := behind(l.series)
				for n := 1; n < len(order); n++ {
					if l.series[order[n]].dim && !l.series[order[n-1]].dim {
						t.Errorf("%s: of %d lines a grey one is drawn over one in colour", kind, lines)
					}
				}
			}
		}
	}
}

// TestLargeHeatMaps checks heat maps of usual sizes: values are written if all have room, columns have names or
// numbers that a note explains, and a key shows the shades.
func TestLargeHeatMaps(t *testing.T) {
	t.Parallel()
	for _, cells := range []int{5, 30, 100} {
		c := report.Chart{Kind: report.HeatMap, Y: report.Axis{Unit: "tok/s"}}
		for i := range cells {
			c.Categories = append(c.Categories, locale.Lit(fmt.Sprint("row ", i)))
			s := report.Series{Name: locale.Lit(fmt.Sprintf("a column with a name %d", i))}
			for k := range cells {
				s.Points = append(s.Points, report.Point{Y: float64(100 + i*k)})
			}
			c.Series = append(c.Series, s)
		}
		l := arranged(t, c, "en")
		checkLayout(t, l)
		if len(l.warnings()) > 0 {
			t.Errorf("%d: %v", cells, l.warnings())
		}
		all := texts(l)
		if written := slices.Contains(all, "101"); written != (cells == 5) {
			t.Errorf("%d×%[1]d cells: values are written: %v", cells, written)
		}
		if !slices.Contains(all, "100 tok/s") {
			t.Errorf("%d: the key of shades is not in %q", cells, all)
		}
		if numbered := strings.Contains(strings.Join(l.notes, " "), "1 a column with a name 0"); numbered != (cells > 5) {
			t.Errorf("%d: notes %q", cells, l.notes)
		}
	}
}
