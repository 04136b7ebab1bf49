package chart

import (
	"fmt"
	"slices"
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
