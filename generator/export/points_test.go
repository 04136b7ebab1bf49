package export

import (
	"regexp"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// TestPoints: a file has the columns for which its chart has values, and states for each point whether it
// counts.
func TestPoints(t *testing.T) {
	y := report.Axis{Title: both("吞吐量", "Throughput"), Unit: "tok/s", Better: result.Higher}
	series := func(name string, points ...report.Point) []report.Series {
		return []report.Series{{Name: locale.Lit(name), Points: points}}
	}
	for name, test := range map[string]struct {
		chart report.Chart
		want  string
	}{
		"bars": {
			report.Chart{Kind: report.GroupedBars, Y: y, Categories: []locale.Text{both("甲", "A"), locale.Lit("B, C")},
				Series: series("high", report.Point{Y: 1.5, Low: 1, High: 2, Spread: true, Run: "a"}, report.Point{Missing: true, Low: 7, Spread: true})},
			"series,category,Throughput [tok/s],low,high,run,note\nhigh,A,1.5,1,2,a,\nhigh,\"B, C\",,,,,missing\n",
		},
		"scatter": {
			report.Chart{Kind: report.Scatter, X: report.Axis{Title: both("大小", "Size"), Unit: "G"}, Y: y, Size: report.Axis{Title: both("功率", "Power"), Unit: "W"},
				Series: series("low", report.Point{X: 6, Y: 9, Size: 40, Label: locale.Lit("FP4"), Run: "b", Excluded: true})},
			"series,category,Size [G],Throughput [tok/s],Power [W],run,note\nlow,FP4,6,9,40,b,excluded\n",
		},
		"lines": {
			report.Chart{Kind: report.Lines, X: report.Axis{Title: both("并发", "Concurrency")}, Y: y, Series: series("", report.Point{X: 8, Y: 3, Warned: true})},
			"Concurrency,Throughput [tok/s],note\n8,3,in doubt\n",
		},
		"named places": {
			report.Chart{Kind: report.Lines, Y: y, Ticks: []report.Tick{{At: 0, Text: locale.Lit("v0.11")}}, Series: series("", report.Point{Y: 3})},
			"x,Throughput [tok/s]\nv0.11,3\n",
		},
		"boxes": {
			report.Chart{Kind: report.Boxes, Y: y, Categories: []locale.Text{locale.Lit("A")}, Series: series("", report.Point{Y: 3, Five: [5]float64{1, 2, 3, 4, 5}})},
			"category,Throughput [tok/s],p5,p25,p75,p95\nA,3,1,2,4,5\n",
		},
		"panels": {
			report.Chart{Kind: report.Lines, X: report.Axis{Title: both("并发", "Concurrency")}, Y: y, Panels: []report.Panel{
				{Title: locale.Lit("MAXN"), Chart: report.Chart{Kind: report.Lines, Series: series("A", report.Point{X: 1, Y: 2})}},
				{Title: locale.Lit("30W"), Chart: report.Chart{Kind: report.Lines, Series: series("A", report.Point{X: 1, Y: 1})}},
			}},
			"panel,series,Concurrency,Throughput [tok/s]\nMAXN,A,1,2\n30W,A,1,1\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			en, _ := locale.For("en")
			if got := string(Points(&test.chart, en)); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			zh, _ := locale.For("zh")
			for _, word := range regexp.MustCompile(`\[[^\]]*\]|[a-z]{2,}`).FindAllString(string(Points(&test.chart, zh)), -1) {
				if word[0] != '[' && word != "high" && word != "low" { // units, and names of series
					t.Errorf("the Chinese file has the word %q", word)
				}
			}
		})
	}
}
