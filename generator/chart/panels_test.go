package chart

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// What has no value is said at the foot: where a line is broken, which line is
// missing, and in which of several small charts.
func TestLinesSayWhatIsMissing(t *testing.T) {
	line := func(name string, missing ...int) report.Series {
		s := report.Series{Name: locale.Lit(name)}
		for i, x := range []float64{1, 2, 4, 8} {
			s.Points = append(s.Points, report.Point{X: x, Y: 10 * x, Missing: slices.Contains(missing, i)})
		}
		return s
	}
	of := func(series ...report.Series) report.Chart {
		return report.Chart{Kind: report.Lines, Series: series, Y: report.Axis{Unit: "tok/s", Better: bench.Higher}}
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
		{grid(of(line("a"), line("b", 2)), of(line("a"), line("b", 3))), "MAXN: No data: b (4)|30W: No data: b (8)"},
	} {
		if got := strings.Join(arranged(t, test.chart, "en").notes, "|"); got != test.want {
			t.Errorf("the chart says %q, want %q", got, test.want)
		}
	}
}

// A chart for a phone says the same as the wide one, and all of it has room.
func TestNarrow(t *testing.T) {
	theme := DefaultTheme()
	narrow := theme
	narrow.Width = NarrowWidth
	for name, c := range charts() {
		for _, lang := range locale.Languages {
			t.Run(name+"/"+lang, func(t *testing.T) {
				svg := string(Narrow(c, printer(t, lang), theme))
				if !strings.HasPrefix(svg, "<svg ") || !strings.Contains(svg, fmt.Sprintf(`viewBox="0 0 %d `, NarrowWidth)) {
					t.Fatalf("there is no narrow picture: %.200s", svg)
				}
				checkLayout(t, arrangedIn(t, c, lang, narrow))
			})
		}
	}
	if svg := Narrow(charts()["sweep"], printer(t, "en"), narrow); svg != nil {
		t.Error("a narrow chart is drawn twice")
	}
	crowded := report.Chart{Kind: report.Slope, Categories: literals(quantisations[:9])}
	one := report.Series{Name: locale.Lit("Qwen3-8B")}
	for i := range 9 {
		one.Points = append(one.Points, report.Point{Y: float64(i)})
	}
	crowded.Series = []report.Series{one}
	if svg := Narrow(crowded, printer(t, "en"), theme); svg != nil {
		t.Error("a narrow picture leaves texts out")
	}
}

// Every kind of chart can stand small beside others. Where values have no labels,
// all numbers are those of axes, and each of them stands in both charts.
func TestSmallChartsOfEveryKind(t *testing.T) {
	narrow := DefaultTheme()
	narrow.Width = NarrowWidth
	for name, c := range charts() {
		if len(c.Panels) > 0 || name == "empty" {
			continue
		}
		half := c
		half.Series = nil
		for _, s := range c.Series {
			s.Points = slices.Clone(s.Points)
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
			half.Series = append(half.Series, s)
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
				if c.Kind != report.Boxes && c.Kind != report.Histogram && c.Kind != report.Lines {
					continue
				}
				times := map[string]int{}
				for _, text := range said {
					if _, err := strconv.ParseFloat(text, 64); err == nil {
						times[text]++
					}
				}
				for number, n := range times {
					if n%2 != 0 {
						t.Errorf("%q stands %d times", number, n)
					}
				}
				if len(times) < 3 {
					t.Errorf("only %d numbers at the axes", len(times))
				}
			}
		})
	}
}
