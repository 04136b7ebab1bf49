package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// serving returns a chart of curves that is still empty.
func serving(title locale.Text) report.Chart {
	return report.Chart{Kind: report.Curves, Title: title, Source: source, Along: both("并发数", "Concurrency"),
		X: report.Axis{Title: both("交互速度", "Interactivity"), Unit: "tok/s/user", Better: result.Higher},
		Y: report.Axis{Title: both("单加速器输出吞吐量", "Output throughput per accelerator"), Unit: "tok/s", Better: result.Higher}}
}

// curves returns the curves of two engines, each on two, four and eight accelerators, with the frontier of each
// and a latency level.
func curves() report.Chart {
	c := serving(both("每加速器吞吐与交互速度", "Throughput per accelerator against interactivity"))
	c.Subtitle = both("1024 词元输入、1024 词元输出", "1024 tokens in, 1024 out")
	c.Levels = []report.Level{{At: 40, Text: locale.Lit("≥ 40 tok/s/user")}}
	for i, name := range []string{"vLLM", "SGLang"} {
		s := report.Series{Name: locale.Lit(name)}
		for k, n := range []float64{2, 4, 8} {
			single := (70 + 22*float64(i)) * math.Pow(n/8, 0.6)
			for _, load := range []float64{4, 8, 16, 32, 64, 128} {
				user := single / (1 + load/(9*math.Pow(n, 0.7)))
				s.Points = append(s.Points, report.Point{X: user, Y: user * load / n * math.Pow(8/n, 0.25), Label: locale.Lit(strconv.Itoa(int(load))),
					Part: locale.Lit("tp" + strconv.Itoa(int(n))), Excluded: i == 0 && k == 1 && load == 16})
			}
		}
		c.Series = append(c.Series, s)
	}
	outlined(&c)
	return c
}

// crowd returns as many curves as a chart can have. One is a single point, and two are equal.
func crowd() report.Chart {
	c := serving(both("十二条曲线", "Twelve curves"))
	c.Levels = []report.Level{{At: 30, Text: locale.Lit("≥ 30 tok/s/user")}, {Across: true, At: 500, Text: locale.Lit("≥ 500 tok/s")}}
	for i := range 12 {
		s := report.Series{Name: locale.Lit(fmt.Sprintf("Qwen3-%s-%d", quantisations[i%9], i+1))}
		for _, load := range []float64{1, 2, 4, 8, 16, 32, 64, 128} {
			k := float64(i - i%12/11) // the last two are the same
			user := (25 + 9*k) / (1 + load/(10+4*k))
			s.Points = append(s.Points, report.Point{X: user, Y: user * load, Label: locale.Lit(strconv.Itoa(int(load))), Spread: i == 3, Low: 0.9 * user * load, High: 1.1 * user * load, Warned: i == 5 && load == 8})
		}
		if i == 2 {
			s.Points = s.Points[:1]
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// outlined adds the frontier of each series to a chart of curves.
func outlined(c *report.Chart) {
	before := 0
	for _, s := range c.Series {
		var on []int
		for i := range s.Points {
			p := &s.Points[i]
			for _, q := range s.Points {
				p.Dominated = p.Dominated || !q.Excluded && q.X >= p.X && q.Y >= p.Y && (q.X > p.X || q.Y > p.Y)
			}
			if !p.Dominated && !p.Excluded {
				on = append(on, before+i)
			}
		}
		slices.SortFunc(on, func(a, b int) int { return cmp.Compare(s.Points[a-before].X, s.Points[b-before].X) })
		c.Frontier = append(c.Frontier, on)
		before += len(s.Points)
	}
}

// TestCurvesJoinTheirParts checks that a line joins the points of one part, in their order, without excluded
// ones.
func TestCurvesJoinTheirParts(t *testing.T) {
	t.Parallel()
	c := curves()
	c.Frontier = nil // its lines join parts
	l := arranged(t, c, "en")
	segments := 0
	for i := range l.series {
		var p placer
		x, y := newAxis(false, span{0, 100}, 0, 1000, 0, 0), newAxis(false, span{0, 1000}, 0, 1000, 0, 0)
		curveChart{l}.joined(i, x, y, &p)
		segments += len(p.lines)
		for _, line := range p.lines {
			joins := false
			for k := 1; k < len(l.series[i].values); k++ {
				a, b := l.series[i].values[k-1], l.series[i].values[k]
				joins = joins || a.part == b.part && !a.hollow && !b.hollow && line.a == point{x.at(a.x), y.at(a.y)} && line.b == point{x.at(b.x), y.at(b.y)}
			}
			if !joins {
				t.Errorf("series %d: %v joins no two neighbours of one part", i, line)
			}
		}
	}
	if segments != 2*3*5-2 { // two fewer around the excluded one
		t.Errorf("%d lines between points, want 28", segments)
	}
}

// TestCurvesHaveCards checks that the card of a point has its step and its part, even if there is no room for
// them beside it.
func TestCurvesHaveCards(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string][]string{"en": {`data-title="Concurrency 64"`, `data-names="Configuration&#10;`, `data-rows="tp4&#10;`, "≥ 40 tok/s/user"}, "zh-CN": {`data-title="并发数 64"`, `data-names="配置&#10;`, `data-rows="tp4&#10;`}} {
		drawing, err := Draw(curves(), printer(t, lang), DefaultTheme())
		if err != nil {
			t.Fatal(err)
		}
		image := string(drawing.SVG)
		for _, text := range want {
			if !strings.Contains(image, text) {
				t.Errorf("%s: the drawing lacks %q", lang, text)
			}
		}
		if n := strings.Count(image, `data-mark="`); n != 36 {
			t.Errorf("%s: %d points can be pointed at, want 36", lang, n)
		}
	}
}
