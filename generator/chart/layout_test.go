package chart

import (
	"encoding/binary"
	"fmt"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// recorder is a canvas that records what is drawn where.
type recorder struct {
	texts []placed
	rects []painted
	marks []box // polygons and discs
	all   []box
}

type placed struct {
	s string
	box
}

type painted struct {
	box
	color.RGBA
}

func (r *recorder) rect(b box, c color.RGBA) {
	r.rects, r.all = append(r.rects, painted{b, c}), append(r.all, b)
}

func (r *recorder) rule(b box, _ bool, c color.RGBA) { r.rect(b, c) }
func (r *recorder) open(group)                       {}
func (r *recorder) close()                           {}
func (r *recorder) silent() bool                     { return false }

func (r *recorder) polygon(corners []point, _ color.RGBA) {
	b := bounds(corners)
	r.marks, r.all = append(r.marks, b), append(r.all, b)
}

func (r *recorder) disc(c point, radius float64, _ color.RGBA) {
	b := square(c, radius)
	r.marks, r.all = append(r.marks, b), append(r.all, b)
}

func (r *recorder) line(points []point, width float64, _ []float64, _ color.RGBA) {
	r.all = append(r.all, bounds(points).grow(width/2))
}

func (r *recorder) text(s string, left, baseline float64, f font.Face, _ color.RGBA) {
	b := boxOf(f, s, left, baseline)
	r.texts, r.all = append(r.texts, placed{s, b}), append(r.all, b)
}

func bounds(points []point) box {
	b := box{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for _, p := range points {
		b = box{min(b.x0, p.x), min(b.y0, p.y), max(b.x1, p.x), max(b.y1, p.y)}
	}
	return b
}

func record(l *layout) *recorder {
	r := &recorder{}
	for _, draw := range l.items {
		draw(r)
	}
	return r
}

// coloured returns the rectangles of a colour.
func coloured(l *layout, c color.RGBA) []box {
	var bs []box
	for _, r := range record(l).rects {
		if r.RGBA == c {
			bs = append(bs, r.box)
		}
	}
	return bs
}

// checkLayout checks what must hold for every chart: nothing is outside the canvas, no two texts overlap, and
// no coordinate is NaN.
func checkLayout(t *testing.T, l *layout) {
	t.Helper()
	r := record(l)
	canvas := box{0, 0, l.width, l.height}
	for _, b := range r.all {
		if !b.within(canvas.grow(0.5)) {
			t.Errorf("%v leaves the canvas %v", b, canvas)
		}
	}
	for i, a := range r.texts {
		for _, b := range r.texts[:i] {
			if a.overlaps(b.box) {
				t.Errorf("%q at %v overlaps %q at %v", a.s, a.box, b.s, b.box)
			}
		}
	}
}

func TestLayoutOfSamples(t *testing.T) {
	t.Parallel()
	for name, c := range charts() {
		for _, lang := range locale.Languages {
			t.Run(name+"/"+lang, func(t *testing.T) { checkLayout(t, arranged(t, c, lang)) })
		}
	}
}

func arranged(t testing.TB, c report.Chart, lang string) *layout {
	t.Helper()
	return arrangedIn(t, c, lang, DefaultTheme())
}

func arrangedIn(t testing.TB, c report.Chart, lang string, theme Theme) *layout {
	t.Helper()
	l, err := lay(c, printer(t, lang), theme)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestLayoutOfRandomCharts(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomChart(r)
		t.Run(fmt.Sprint(seed, c.Kind), func(t *testing.T) {
			t.Parallel()
			if seed >= 60 {
				need.Thorough(t, "sixty charts are laid out before")
			}
			l := arranged(t, c, locale.Languages[r.IntN(2)])
			checkLayout(t, l)
			if c.Kind != report.Scatter && len(l.crowded) > 0 {
				t.Errorf("no room for %q", l.crowded)
			}
			if c.Kind != report.Scatter {
				return
			}
			rec := record(l)
			for _, text := range rec.texts {
				for _, mark := range rec.marks {
					if text.grow(-2).overlaps(mark.grow(-2)) {
						t.Errorf("%q at %v lies over the mark at %v", text.s, text.box, mark)
					}
				}
			}
		})
	}
}

// randomChart returns a chart like those of reports.
func randomChart(r *rand.Rand) report.Chart {
	models := []string{"BF16", "FP8", "GPTQ-Int4", "Qwen3-8B-NVFP4", "Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit", "量化后的千问模型", "c=16"}
	c := report.Chart{
		Kind:     []report.ChartKind{report.GroupedBars, report.Dots, report.Scatter}[r.IntN(3)],
		Title:    both("输出吞吐", strings.Repeat("Output throughput ", 1+r.IntN(6))),
		Subtitle: both(strings.Repeat("并发 8，", r.IntN(30)), "Concurrency 8"),
		Source:   source,
		X:        report.Axis{Title: both("平均 TTFT", "Mean TTFT"), Unit: "ms", Better: result.Lower},
		Y:        report.Axis{Title: both("输出吞吐", "Output throughput"), Unit: "tok/s", Better: result.Higher},
	}
	doubts, sized := r.IntN(3) == 0, r.IntN(3) == 0
	n, spread := 1+r.IntN(24), math.Pow(10, 3*r.Float64())
	for i := range n {
		c.Categories = append(c.Categories, locale.Lit(fmt.Sprintf("%s %d", models[r.IntN(len(models))], i)))
	}
	for k := range 1 + r.IntN(4) {
		s := report.Series{Name: locale.Lit(fmt.Sprintf("load %d", k))}
		for i := range n {
			v := 10 * math.Pow(spread, r.Float64())
			p := report.Point{Y: v, X: 1e4 / v, Missing: r.IntN(10) == 0, Excluded: r.IntN(10) == 0}
			if c.Kind == report.Scatter {
				p.X *= 0.5 + r.Float64()
				p.Label, p.Dominated = c.Categories[i], r.IntN(2) == 0
			}
			if doubts {
				p.Low, p.High, p.Spread, p.Warned = v*(1-0.4*r.Float64()), v*(1+0.4*r.Float64()), r.IntN(2) == 0, r.IntN(5) == 0
			}
			if sized {
				p.Size = v
			}
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
	return c
}

// bytesChart returns an arbitrary chart for the fuzzer's bytes.
func bytesChart(b []byte) report.Chart {
	next := func() int {
		if len(b) == 0 {
			return 0
		}
		v := int(b[0])
		b = b[1:]
		return v
	}
	text := func() locale.Text {
		n := min(next()%60, len(b))
		s := string(b[:n])
		b = b[n:]
		return locale.Lit(s)
	}
	number := func() float64 {
		switch kind := next() % 8; {
		case kind == 0 && len(b) >= 8:
			v := math.Float64frombits(binary.LittleEndian.Uint64(b))
			b = b[8:]
			return v
		case kind < 3:
			return math.Pow(10, float64(next()%40-20))
		case kind < 4:
			return -float64(next())
		}
		return float64(next()) / 4
	}
	axis := func() report.Axis {
		return report.Axis{
			Title: text(), Unit: "tok/s",
			Scale:  []report.Scale{report.Auto, report.Linear, report.Log}[next()%3],
			Better: result.Better(next() % 3),
		}
	}
	every := slices.Sorted(maps.Keys(kinds))
	c := report.Chart{
		Kind:  every[next()%len(every)],
		Form:  []report.LineForm{report.Straight, report.Stair, report.Trace}[next()%3],
		Title: text(), Subtitle: text(), Source: text(), X: axis(), Y: axis(),
	}
	for range next() % 3 {
		c.Notes = append(c.Notes, text())
	}
	for range next() % 40 {
		c.Categories = append(c.Categories, text())
	}
	for range next() % 9 {
		s := report.Series{Name: text()}
		for range next() % 40 {
			p := report.Point{X: number(), Y: number()}
			flags := next()
			p.Missing, p.Excluded, p.Dominated = flags&7 == 1, flags&8 != 0, flags&16 != 0
			if p.Spread = flags&64 != 0; p.Spread {
				p.Low, p.High = number(), number()
				p.Five = [5]float64{p.Low, p.Low, p.Y, p.High, p.High}
			}
			if flags&32 != 0 {
				p.Label = text()
			}
			if flags&64 != 0 {
				p.Low, p.High, p.Spread = number(), number(), true
			}
			if flags&128 != 0 {
				p.Warned, p.Size = true, number()
			}
			s.Points = append(s.Points, p)
		}
		c.Series = append(c.Series, s)
	}
	for range next() % 10 {
		if next()%4 == 0 || len(c.Frontier) == 0 {
			c.Frontier = append(c.Frontier, nil)
		}
		last := len(c.Frontier) - 1
		c.Frontier[last] = append(c.Frontier[last], next()-2)
	}
	for range next() % 4 {
		c.Ticks = append(c.Ticks, report.Tick{At: number(), Text: text()})
		c.Bands = append(c.Bands, report.Band{From: number(), To: number(), Text: text()})
		c.Steps = append(c.Steps, report.Step{Series: next() % 9, Point: next() % 40, Text: text(), Worse: next()%2 == 0})
	}
	return c
}

// TestPlotsOfLinesAreLarge checks that the plot of lines stays large, however long legend and notes are.
func TestPlotsOfLinesAreLarge(t *testing.T) {
	t.Parallel()
	for _, lines := range []int{1, 4, 8} {
		c := charts()["sweep"]
		one := c.Series[0]
		c.Series = nil
		for i := range lines {
			s := one
			s.Name = both(strings.Repeat("名称", 12), "A rather long name of a model "+strings.Repeat("x", i))
			c.Series = append(c.Series, s)
		}
		c.Notes = append(c.Notes, both("说明。", strings.Repeat("A note. ", 20)))
		l := arranged(t, c, "en")
		svg, _ := l.vectors("", nil)
		_, rest, _ := strings.Cut(string(svg), `data-plot="`)
		var plot box
		if _, err := fmt.Sscanf(rest, "%g %g %g %g", &plot.x0, &plot.y0, &plot.x1, &plot.y1); err != nil {
			t.Fatal(err)
		}
		if share := plot.height() / l.height; share < 0.45 {
			t.Errorf("%d lines: the plot is %.0f %% of the picture", lines, 100*share)
		}
	}
}
