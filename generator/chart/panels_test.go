package chart

import (
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
