package chart

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// texts returns all texts of a chart.
func texts(l *layout) []string {
	var ss []string
	for _, t := range record(l).texts {
		ss = append(ss, t.s)
	}
	return ss
}

func bar(vs ...float64) report.Chart {
	c := report.Chart{Kind: report.GroupedBars, Y: report.Axis{Title: locale.Lit("Throughput"), Unit: "tok/s"}}
	s := report.Series{}
	for i, v := range vs {
		c.Categories = append(c.Categories, locale.Lit(fmt.Sprint("c", i)))
		s.Points = append(s.Points, report.Point{Y: v, Missing: math.IsNaN(v)})
	}
	c.Series = []report.Series{s}
	return c
}

// TestBarsBecomeDots checks that bars are kept as long as the values can be compared by length, and that the
// title of the axis says if it is logarithmic.
func TestBarsBecomeDots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		values []float64
		scale  report.Scale
		log    bool
	}{
		{"span of 30", []float64{10, 300}, report.Auto, false},
		{"span above 30", []float64{10, 301}, report.Auto, true},
		{"a zero", []float64{0, 1, 301}, report.Auto, true},
		{"a zero and a span of 30", []float64{0, 10, 300}, report.Auto, false},
		{"a negative value", []float64{-1, 1, 301}, report.Auto, false},
		{"linear as asked for", []float64{10, 301}, report.Linear, false},
		{"log as asked for", []float64{10, 20}, report.Log, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			chart := bar(c.values...)
			chart.Y.Scale = c.scale
			l := arranged(t, chart, "en")
			if got := slices.Contains(texts(l), "Throughput (tok/s, log scale)"); got != c.log {
				t.Errorf("log is %v, want %v; the chart says %q", got, c.log, texts(l))
			}
			why := slices.ContainsFunc(texts(l), func(s string) bool { return strings.HasPrefix(s, "Dots on a log scale: ") })
			if want := c.log && c.scale == report.Auto; why != want {
				t.Errorf("a note says why is %v, want %v", why, want)
			}
		})
	}
}

func TestLogOfNegativeValuesIsLinearWithAWarning(t *testing.T) {
	t.Parallel()
	chart := bar(-1, 10)
	chart.Y.Scale = report.Log
	l := arranged(t, chart, "en")
	if ms := l.warnings(); len(ms) != 1 || ms[0].ID != "chart.log" {
		t.Errorf("warnings %v, want one of chart.log", ms)
	}
}

// TestMessagesNameTheirChart checks that a message names its chart, one without a title by its values.
func TestMessagesNameTheirChart(t *testing.T) {
	t.Parallel()
	for title, name := range map[string]string{"Speed": `"Speed"`, "": `"Throughput"`} {
		for id, draw := range map[string]func(*report.Chart){
			"chart.log":   func(c *report.Chart) { c.Y.Scale = report.Log },
			"chart.value": func(c *report.Chart) { c.Series[0].Points[1].Y = math.NaN() },
		} {
			c := bar(-1, 10, 12)
			c.Title = locale.Lit(title)
			draw(&c)
			if ms := arranged(t, c, "en").warnings(); len(ms) != 1 || ms[0].ID != id || !strings.HasPrefix(locale.English(ms[0].Text), name) {
				t.Errorf("%q: %v, want one of %s about %s", title, ms, id, name)
			}
		}
	}
}

// TestBarsBeginAtZero checks that the length of every bar is proportional to its value.
func TestBarsBeginAtZero(t *testing.T) {
	t.Parallel()
	for name, names := range map[string]string{"upright": "c", "lying": "a name so long that it has no room below a column "} {
		t.Run(name, func(t *testing.T) {
			chart := bar(5, 10, 20, 1, 3, 7)
			for i := range chart.Categories {
				chart.Categories[i] = locale.Lit(fmt.Sprint(names, i))
			}
			l := arranged(t, chart, "en")
			var lengths []float64
			colour := l.style(0).colour
			for _, r := range coloured(l, colour) {
				length := r.width()
				if name == "upright" {
					length = r.height()
				}
				lengths = append(lengths, length)
			}
			if len(lengths) != 6 {
				t.Fatalf("%d bars, want 6", len(lengths))
			}
			for i, v := range []float64{5, 10, 20, 1, 3, 7} {
				if ratio := lengths[i] / lengths[2]; math.Abs(ratio-v/20) > 0.01 {
					t.Errorf("the bar of %g is %.3f of that of 20", v, ratio)
				}
			}
		})
	}
}

func TestMissingIsSaid(t *testing.T) {
	t.Parallel()
	for _, kind := range []report.ChartKind{report.GroupedBars, report.Dots} {
		c := bar(5, math.NaN(), 7)
		c.Kind = kind
		if got := texts(arranged(t, c, "zh-CN")); !slices.Contains(got, "无数据") {
			t.Errorf("%s say nothing of a missing value: %q", kind, got)
		}
	}
	c := charts()["loads"]
	if got := texts(arranged(t, c, "en")); !slices.Contains(got, "No data: GGUF (high load)") {
		t.Errorf("the scatter says nothing of a missing point: %q", got)
	}
}

func TestValuesThatCannotBeDrawn(t *testing.T) {
	t.Parallel()
	c := bar(5, 7, 9)
	c.Series[0].Points[0].Y = math.Inf(1)
	c.Series[0].Points[1].Y = 1e200
	l := arranged(t, c, "en")
	ms := l.warnings()
	if len(ms) != 2 || ms[0].ID != "chart.value" || ms[1].ID != "chart.value" {
		t.Errorf("warnings %v, want two of chart.value", ms)
	}
	checkLayout(t, l)
}

func TestOddCharts(t *testing.T) {
	t.Parallel()
	forty := make([]float64, 40)
	for i := range forty {
		forty[i] = 1 + float64(i)
	}
	for name, c := range map[string]report.Chart{
		"one value":      bar(5),
		"all equal":      bar(7, 7, 7),
		"zeros":          bar(0, 0),
		"negative":       bar(-5, 3, 0, -0.5),
		"only negative":  bar(-5, -3.5, -4),
		"wide":           bar(1e-9, 1, 1e12),
		"forty":          bar(forty...),
		"nothing":        {Kind: report.Scatter},
		"only missing":   bar(math.NaN()),
		"more points":    {Kind: report.Dots, Series: []report.Series{{Points: []report.Point{{Y: 1}, {Y: 2}}}}},
		"one point":      {Kind: report.Scatter, Series: []report.Series{{Points: []report.Point{{X: 1, Y: 2, Label: locale.Lit("a")}}}}},
		"wrong frontier": {Kind: report.Scatter, Frontier: [][]int{{-1, 0, 7}}, Series: []report.Series{{Points: []report.Point{{X: 1, Y: 2}}}}},
	} {
		for _, kind := range []report.ChartKind{report.GroupedBars, report.Dots, report.Scatter} {
			t.Run(name+"/"+string(kind), func(t *testing.T) {
				c.Kind = kind
				l := arranged(t, c, "en")
				checkLayout(t, l)
				if len(l.crowded) > 0 {
					t.Errorf("no room for %q", l.crowded)
				}
			})
		}
	}
}

// TestLongNamesStayApart checks that long names that differ in their middle stay distinct.
func TestLongNamesStayApart(t *testing.T) {
	t.Parallel()
	c := bar(1, 2)
	for i := range c.Categories {
		c.Categories[i] = locale.Lit(fmt.Sprintf("Qwen3-Coder-30B-A3B-Instruct-variant-%d-with-a-name-that-goes-on-and-on", i))
	}
	got := strings.Join(texts(arranged(t, c, "en")), "")
	for i := range c.Categories {
		if !strings.Contains(got, fmt.Sprintf("variant-%d-", i)) {
			t.Errorf("variant %d is not to be seen in %q", i, got)
		}
	}
}

// TestCrowdedScatterNamesTheFrontier checks that, of names without room, those of dominated points are replaced
// by numbers first.
func TestCrowdedScatterNamesTheFrontier(t *testing.T) {
	t.Parallel()
	s := report.Series{}
	for i := range 60 {
		s.Points = append(s.Points, report.Point{
			X: float64(i % 8), Y: float64(i / 8),
			Label: locale.Lit(fmt.Sprintf("a rather long name %d", i)), Dominated: i%4 != 0,
		})
	}
	l := arranged(t, report.Chart{Kind: report.Scatter, Series: []report.Series{s}}, "en")
	checkLayout(t, l)
	got := texts(l)
	if !slices.Contains(got, "1") || !slices.Contains(got, "2") {
		t.Fatal("all names found room; the test wants a more crowded chart")
	}
	for i := 0; i < 60; i += 4 {
		name := fmt.Sprintf("a rather long name %d", i)
		if n := slices.Index(got, name); n < 0 {
			t.Errorf("%q is not to be seen", name)
		} else if _, err := strconv.Atoi(got[n-1]); err == nil && n > 0 {
			t.Errorf("%q is not dominated and has a number, %s", name, got[n-1])
		}
	}
}
