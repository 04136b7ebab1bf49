package chart

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// TestLinesSayWhatIsMissing checks that the foot says what has no value: where a line is interrupted, which
// line is missing, and in which of several small charts.
func TestLinesSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	line := func(name string, missing ...int) report.Series {
		s := report.Series{Name: locale.Lit(name)}
		for i, x := range []float64{1, 2, 4, 8} {
			s.Points = append(s.Points, report.Point{X: x, Y: 10 * x, Missing: slices.Contains(missing, i)})
		}
		return s
	}
	of := func(series ...report.Series) report.Chart {
		return report.Chart{Kind: report.Lines, Series: series, Y: report.Axis{Unit: "tok/s", Better: result.Higher}}
	}
	grid := func(panels ...report.Chart) report.Chart {
		c := report.Chart{Kind: report.Lines}
		for i, p := range panels {
			c.Panels = append(c.Panels, report.Panel{Title: locale.Lit([]string{"MAXN", "30W"}[i]), Chart: p})
		}
		return c
	}
	for _, test := range []struct {
		chart report.Chart
		want  string
	}{
		{of(line("a"), line("b")), ""},
		{of(line("a", 1, 3), line("b")), "No data: a (2 and 8)"},
		{of(line("a"), line("b", 0, 1, 2, 3)), "No data: b"},
		{grid(of(line("a"), line("b")), of(line("a"))), "30W: No data: b"},
		{grid(of(line("a"), line("b", 2)), of(line("a"), line("b", 2))), "No data: b (4)"},
		{grid(of(line("MAXN")), of(line("30W"))), ""}, // the panels are the series
		{grid(of(line("MAXN", 2)), of(line("30W"))), "MAXN: No data: MAXN (4)"},
		{grid(of(line("a"), line("b", 2)), of(line("a"), line("b", 3))), "MAXN: No data: b (4)|30W: No data: b (8)"},
	} {
		if got := strings.Join(arranged(t, test.chart, "en").notes, "|"); got != test.want {
			t.Errorf("the chart says %q, want %q", got, test.want)
		}
	}
}

// TestNarrow checks that a chart for a phone has the same content as the wide one, and that all of it has room.
func TestNarrow(t *testing.T) {
	t.Parallel()
	theme := DefaultTheme()
	narrow := theme
	narrow.Width = NarrowWidth
	for name, c := range charts() {
		for _, lang := range locale.Languages {
			t.Run(name+"/"+lang, func(t *testing.T) {
				svg := string(sketched(t, c, lang, theme).Narrow)
				if !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, fmt.Sprintf(`viewBox="0 0 %d `, NarrowWidth)) {
					t.Fatalf("there is no narrow picture: %.200s", svg)
				}
				checkLayout(t, arrangedIn(t, c, lang, narrow))
			})
		}
	}
	if svg := sketched(t, charts()["sweep"], "en", narrow).Narrow; svg != nil {
		t.Error("a narrow chart is drawn twice")
	}
	crowded := report.Chart{Kind: report.Slope, Categories: literals(quantisations[:9])}
	one := report.Series{Name: locale.Lit("Qwen3-8B")}
	for i := range 9 {
		one.Points = append(one.Points, report.Point{Y: float64(i)})
	}
	crowded.Series = []report.Series{one}
	if svg := string(sketched(t, crowded, "en", theme).Narrow); strings.Count(svg, "data-mark=") != 9 {
		t.Errorf("a narrow picture that leaves texts out shows not all values: %.200s", svg)
	}
}

// TestSmallChartsOfEveryKind checks that small charts of every kind share their axes, however long the names
// and labels of one are.
func TestSmallChartsOfEveryKind(t *testing.T) {
	t.Parallel()
	narrow := DefaultTheme()
	narrow.Width = NarrowWidth
	for name, c := range charts() {
		if len(c.Panels) > 0 || name == "empty" {
			continue
		}
		labelled := func(c report.Chart, label string) report.Chart {
			series := c.Series
			c.Series = nil
			for _, s := range series {
				s.Points = slices.Clone(s.Points)
				for i := range s.Points {
					if c.Kind != report.Scatter {
						s.Points[i].Label = locale.Lit(label)
					}
				}
				c.Series = append(c.Series, s)
			}
			return c
		}
		c := labelled(c, "v")
		half := labelled(c, "about this")
		if len(half.Categories) > 0 && half.Kind != report.Slope {
			half.Categories = slices.Clone(half.Categories)
			half.Categories[0] = locale.Lit("Qwen3-Coder-30B-A3B-Instruct")
		}
		for _, s := range half.Series {
			for i := range s.Points {
				p := &s.Points[i]
				p.Y /= 2
				if c.Kind != report.Histogram {
					p.Low, p.High = p.Low/2, p.High/2
				}
				for k := range p.Five {
					p.Five[k] /= 2
				}
			}
		}
		c.Title, half.Title, c.Subtitle, half.Subtitle = locale.Text{}, locale.Text{}, locale.Text{}, locale.Text{}
		grid := report.Chart{Kind: c.Kind, Title: both("并排", "Side by side"), Source: source,
			Panels: []report.Panel{{Title: locale.Lit("MAXN"), Chart: c}, {Title: locale.Lit("30W"), Chart: half}}}
		t.Run(name, func(t *testing.T) {
			for _, theme := range []Theme{DefaultTheme(), narrow} {
				l := arrangedIn(t, grid, "zh-CN", theme)
				checkLayout(t, l)
				said := texts(l)
				for _, title := range []string{"并排", "MAXN", "30W"} {
					if !slices.Contains(said, title) {
						t.Errorf("%q is not written", title)
					}
				}
				if c.Kind == report.Slope || c.Kind == report.HeatMap || name == "numbered" {
					continue // these have no axis, or numbers as names
				}
				times := map[string]int{}
				for _, text := range said {
					if _, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err == nil {
						times[text]++
					}
				}
				for number, n := range times {
					if n%2 != 0 {
						t.Errorf("%q appears %d times", number, n)
					}
				}
				if len(times) < 2 {
					t.Errorf("only %d numbers at the axes", len(times))
				}
			}
		})
	}
}

// lineOf returns a series of consecutive values.
func lineOf(name string, values ...float64) report.Series {
	s := report.Series{Name: locale.Lit(name)}
	for i, v := range values {
		s.Points = append(s.Points, report.Point{X: float64(i), Y: v, Missing: v < 0})
	}
	return s
}

func narrowed(t *testing.T, c report.Chart) *layout {
	theme := DefaultTheme()
	theme.Width = NarrowWidth
	l := arrangedIn(t, c, "en", theme)
	checkLayout(t, l)
	if len(l.crowded) > 0 {
		t.Errorf("no room for %q", l.crowded)
	}
	return l
}

// TestSmallScattersWithoutAreas checks that small scatter charts without sizes have no legend of sizes.
func TestSmallScattersWithoutAreas(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.Scatter}
	for _, title := range []string{"MAXN", "120W"} {
		one := lineOf("", 10, 20, 30)
		for i := range one.Points {
			one.Points[i].Label = locale.Lit(string(rune('a' + i)))
		}
		c.Panels = append(c.Panels, report.Panel{Title: locale.Lit(title), Chart: report.Chart{Kind: report.Scatter, Series: []report.Series{one}}})
	}
	c.Panels[1].Chart.Series[0].Points[1].Excluded = true
	c.Panels[1].Chart.Frontier = [][]int{{0, 2}}
	l := arranged(t, c, "en")
	if len(l.notes) > 0 {
		t.Errorf("the chart says %q", l.notes)
	}
	for _, s := range []string{"excluded: failed a check", "Pareto frontier"} { // also those of the second chart
		if !slices.Contains(texts(l), s) {
			t.Errorf("%q is not in the legend: %q", s, texts(l))
		}
	}
}

// TestStepsOfOnePointStandAboveEachOther checks that if all series change their level at one release, each step
// is written with its series.
func TestStepsOfOnePointStandAboveEachOther(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.Lines, Series: []report.Series{lineOf("a", 1, 1, 2, 2), lineOf("b", 2, 2, 3, 3), lineOf("c", 4, 4, 6, 6)}}
	for i, v := range []string{"0.9.0", "0.9.1", "0.10.0", "0.10.1"} {
		c.Ticks = append(c.Ticks, report.Tick{At: float64(i), Text: locale.Lit(v)})
	}
	for i, by := range []string{"+100.0%", "+50.0%", "+50.0%"} {
		c.Steps = append(c.Steps, report.Step{Series: i, Point: 2, Text: locale.Lit(by)})
	}
	n := 0
	for _, s := range texts(narrowed(t, c)) {
		if strings.HasPrefix(s, "▲ ") {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d of 3 steps are said", n)
	}
}

// TestSlopesNameWhatHasNoRightEnd checks that a series without a value at the right end of a slope chart is
// named, and that a note says what is missing.
func TestSlopesNameWhatHasNoRightEnd(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.Slope, Categories: literals([]string{"MAXN", "120W"}),
		Series: []report.Series{lineOf("Qwen3-8B-FP8", 191.44, 155.22), lineOf("Qwen3-8B-NVFP4", 296.05, -1)}}
	l := narrowed(t, c)
	if !slices.Contains(texts(l), "Qwen3-8B-NVFP4") {
		t.Errorf("a series has no name: %q", texts(l))
	}
	if want := []string{"No data: Qwen3-8B-NVFP4 (120W)"}; !slices.Equal(l.notes, want) {
		t.Errorf("the chart says %q, not %q", l.notes, want)
	}
}

// TestDotsOnAPhone checks that on a phone the values of dots are above them and the marks use the whole width.
func TestDotsOnAPhone(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.Dots, Categories: literals([]string{"Qwen3-8B", "Qwen3-8B-FP8", "Qwen3-8B-AWQ"}),
		Series: []report.Series{lineOf("low", 177.42, 115.93, 0.25), lineOf("high", 1193.71, 118.31, 1064.97)}}
	l := narrowed(t, c)
	marks := span{l.width, 0}
	for _, b := range record(l).marks {
		if b.y0 > 70 { // below the legend
			marks.add(b.x0)
			marks.add(b.x1)
		}
	}
	if marks.max-marks.min < l.width/2 {
		t.Errorf("the marks take %.0f of %.0f", marks.max-marks.min, l.width)
	}
	for _, s := range []string{"177.4", "1194", "115.9", "118.3", "0.25", "1065"} {
		if !slices.Contains(texts(l), s) {
			t.Errorf("%s is not written", s)
		}
	}
}

// TestHeatMapOnAPhone checks that the names of a heat map are above its rows if the cells would be too small
// beside them.
func TestHeatMapOnAPhone(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.HeatMap, Categories: literals([]string{"Qwen3-8B-GPTQ-Int4", "Qwen3-8B-AWQ"})}
	for i := range 6 {
		c.Series = append(c.Series, lineOf(fmt.Sprint(1<<i), 130.12*float64(i+1), 91.77))
	}
	narrowed(t, c)
}

// TestSmallDotsHaveCommonAxes checks that small charts of dots have axes of the same length, even if one lacks
// a value.
func TestSmallDotsHaveCommonAxes(t *testing.T) {
	t.Parallel()
	c := report.Chart{Kind: report.Dots}
	for i, missing := range []float64{-1, 12345.67} {
		c.Panels = append(c.Panels, report.Panel{Title: locale.Lit([]string{"MAXN", "120W"}[i]), Chart: report.Chart{Kind: report.Dots,
			Categories: literals([]string{"a", "b"}), Series: []report.Series{lineOf("low", 10, 20), lineOf("high", 15, missing)}}})
	}
	l := arranged(t, c, "en")
	var marks []box
	for _, b := range record(l).marks {
		if b.y0 > 70 && b.width() == 2*dotRadius { // discs below the legend
			marks = append(marks, b)
		}
	}
	n := len(marks)
	if n != 5 { // including the one beside "no data"
		t.Fatalf("there are %d marks", n)
	}
	if a, b := marks[1].x0-marks[0].x0, marks[n-1].x0-marks[n-2].x0; a != b {
		t.Errorf("10 and 20 lie %g apart in one chart, %g in the other", a, b)
	}
}

// TestAStairThatIsSetAside checks that the stair of an excluded run is one line with hollow marks.
func TestAStairThatIsSetAside(t *testing.T) {
	t.Parallel()
	one := lineOf("a", 0, 25, 50, 75, 100)
	for i := range one.Points {
		one.Points[i].Excluded = true
	}
	l := arranged(t, report.Chart{Kind: report.Lines, Form: report.Stair, Series: []report.Series{one}}, "en")
	if !slices.Contains(texts(l), "excluded: failed a check") {
		t.Errorf("%q", texts(l))
	}
	x := axis{low: 0, high: 4, end: 400}
	if runs := (lineChart{l}).runs(0, x, x); len(runs) != 1 {
		t.Errorf("there are %d lines", len(runs))
	}
	if !(lineChart{l}).marked(0, 2) {
		t.Error("no mark shows that it is hollow")
	}
}

// TestNamesShortenedAlikeAreNumbered checks that points whose long names are shortened to the same text have
// numbers instead.
func TestNamesShortenedAlikeAreNumbered(t *testing.T) {
	t.Parallel()
	one := lineOf("", 10, 20, 30)
	for i, middle := range []string{"alpha", "beta", "delta"} {
		one.Points[i].Label = locale.Lit("Llama-4-Maverick-17B-128E-Instruct-FP8-" + middle + "-rev2")
	}
	got := texts(narrowed(t, report.Chart{Kind: report.Scatter, Series: []report.Series{one}}))
	for _, s := range []string{"1", "2", "3"} {
		if !slices.Contains(got, s) {
			t.Errorf("%s is not among %q", s, got)
		}
	}
}

// TestLanesShareTheirTime checks that lanes share an x axis: their plots start and end at the same x and do not
// overlap, each has a y axis of its own, and a time is at the same x in each.
func TestLanesShareTheirTime(t *testing.T) {
	t.Parallel()
	lane := func(unit string, from, by float64, count int) report.Panel {
		one := report.Series{}
		for i := range count {
			one.Points = append(one.Points, report.Point{X: 3 + float64(i), Y: from + by*float64(i)})
		}
		return report.Panel{Chart: report.Chart{Kind: report.Lines, Form: report.Trace, X: report.Axis{Unit: "s", Scale: report.Linear},
			Y: report.Axis{Title: locale.Lit("Quantity"), Unit: unit, Scale: report.Linear}, Series: []report.Series{one}}}
	}
	c := report.Chart{Kind: report.Lines, Lanes: true, Title: locale.Lit("Lanes"),
		Panels: []report.Panel{lane("W", 0, 1e4, 50), lane("%", 3, 0.001, 20), lane("", 1, 2, 70)}}
	for _, draw := range []func() []byte{
		func() []byte { return sketched(t, c, "en", DefaultTheme()).SVG },
		func() []byte { return sketched(t, c, "en", DefaultTheme()).Narrow },
	} {
		var plots [][4]float64
		for _, m := range regexp.MustCompile(`data-plot="([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+)"`).FindAllStringSubmatch(string(draw()), -1) {
			var plot [4]float64
			for i := range plot {
				plot[i], _ = strconv.ParseFloat(m[i+1], 64)
			}
			plots = append(plots, plot)
		}
		if len(plots) != 3 {
			t.Fatalf("%d plots", len(plots))
		}
		for i, plot := range plots {
			if plot[0] != plots[0][0] || plot[2] != plots[0][2] {
				t.Errorf("lane %d goes from %g to %g, the first from %g to %g", i, plot[0], plot[2], plots[0][0], plots[0][2])
			}
			if i > 0 && plot[1] <= plots[i-1][3] {
				t.Errorf("lane %d begins at %g, above the end of that before it, %g", i, plot[1], plots[i-1][3])
			}
		}
		scales := regexp.MustCompile(`data-axis="([xy])" data-scale="([^"]*)"`).FindAllStringSubmatch(string(draw()), -1)
		seen := map[string]map[string]bool{"x": {}, "y": {}}
		for _, s := range scales {
			seen[s[1]][s[2]] = true
		}
		if len(seen["x"]) != 1 || len(seen["y"]) != 3 {
			t.Errorf("the lanes have %d scales of time and %d of values, want 1 and 3", len(seen["x"]), len(seen["y"]))
		}
	}
}
