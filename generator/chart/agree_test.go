package chart

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// The charts of pages are drawn by scripts (generator/page/script/chart) that lay them
// out as this package does. The tables of cases written here hold both together: this
// test holds them against Go, the modules' tests against the scripts.

const (
	casesFile    = "testdata/agree.json"
	advancesFile = "../page/script/chart/advances.js"
)

type (
	numberCase struct {
		Value    float64 `json:"value"`
		Exponent int     `json:"exponent"`
		Tick     string  `json:"tick"`  // to the place 10^exponent
		Label    string  `json:"label"` // on its own
	}
	axisCase struct {
		Scale report.Scale `json:"scale"`
		Min   float64      `json:"min"`
		Max   float64      `json:"max"`
		Zero  float64      `json:"zero,omitempty"`  // where a log axis becomes linear
		Whole bool         `json:"whole,omitempty"` // counts
		Wide  bool         `json:"wide,omitempty"`  // logarithmic when left open
		Ends  [2]float64   `json:"ends"`            // on the canvas
		Pads  [2]float64   `json:"pads"`
		At    []float64    `json:"at"`    // where the least, the middle and the greatest lie
		Ticks []any        `json:"ticks"` // places and labels in turn
	}
	wrapCase struct {
		Text  string   `json:"text"`
		Width float64  `json:"width"`
		Lines []string `json:"lines"`
		Name  []string `json:"name"` // in at most two lines
	}
	listCase struct {
		Lang  string   `json:"lang"`
		Items []string `json:"items"`
		List  string   `json:"list"`
	}
	// chartCase is a chart and all that is drawn of it.
	chartCase struct {
		Name    string          `json:"name"`
		Lang    string          `json:"lang"`
		Theme   map[string]any  `json:"theme"`
		Spec    json.RawMessage `json:"spec"`
		Width   float64         `json:"width"`
		Height  float64         `json:"height"`
		Crowded int             `json:"crowded,omitempty"` // texts without a place
		Items   []item          `json:"items"`
	}
)

// item is what is drawn: its kind, its colour, and its numbers and texts, one after
// the other.
type item []any

// scribe is a canvas that notes what is drawn.
type scribe struct {
	items   []item
	colours map[color.RGBA]string
}

// tenth rounds lengths: pictures do not differ by less.
func tenth(v float64) float64 { return math.Round(v*10) / 10 }

func flat(points []point) (out []any) {
	for _, p := range points {
		out = append(out, tenth(p.x), tenth(p.y))
	}
	return out
}

func (r *scribe) add(kind string, c color.RGBA, rest ...any) {
	r.items = append(r.items, append(item{kind, r.colours[c]}, rest...))
}

func (r *scribe) rect(b box, c color.RGBA) {
	r.add("rect", c, tenth(b.x0), tenth(b.y0), tenth(b.x1), tenth(b.y1))
}
func (r *scribe) polygon(corners []point, c color.RGBA) { r.add("polygon", c, flat(corners)...) }
func (r *scribe) disc(at point, radius float64, c color.RGBA) {
	r.add("disc", c, tenth(at.x), tenth(at.y), tenth(radius))
}
func (r *scribe) line(points []point, width float64, dash []float64, c color.RGBA) {
	r.add("line", c, append([]any{width, len(dash)}, flat(points)...)...)
}
func (r *scribe) text(s string, left, baseline float64, f face, c color.RGBA) {
	r.add("text", c, s, tenth(left), tenth(baseline), f.size, f.bold, tenth(f.width(s)))
}

func TestTablesOfCases(t *testing.T) {
	cases := struct {
		Numbers []numberCase                 `json:"numbers"`
		Axes    []axisCase                   `json:"axes"`
		Wraps   []wrapCase                   `json:"wraps"`
		Lists   []listCase                   `json:"lists"`
		Colours map[string]string            `json:"colours"` // the light theme's
		Words   map[string]map[string]string `json:"words"`
		Charts  []chartCase                  `json:"charts"`
	}{Numbers: numberCases(), Axes: axisCases(t), Wraps: wrapCases(t), Colours: map[string]string{}, Words: map[string]map[string]string{}}
	for _, c := range DefaultTheme().classes() {
		cases.Colours[c.class] = hexColour(c.colour)
	}
	for _, lang := range locale.Languages {
		p := printer(t, lang)
		cases.Words[lang] = p.Forms("chart.")
		for _, items := range [][]string{{}, {"a"}, {"a", "b"}, {"FP8", "量化", "BF16"}, {"高负载", "低负载"}} {
			cases.Lists = append(cases.Lists, listCase{lang, items, p.List(items)})
		}
	}
	samples := charts()
	names := make([]string, 0, len(samples))
	for name := range samples {
		names = append(names, name)
	}
	slices.Sort(names)
	narrow := DefaultTheme()
	narrow.Width = NarrowWidth
	for _, name := range names {
		cases.Charts = append(cases.Charts, caseOf(t, name, samples[name], "en", DefaultTheme()), caseOf(t, name, samples[name], "zh-CN", narrow))
	}
	for seed := range uint64(6) {
		c := randomChart(rand.New(rand.NewPCG(seed, 1)))
		c.Size.Title = locale.Lit("Weights") // what sizes that are of nothing are left out for
		cases.Charts = append(cases.Charts, caseOf(t, fmt.Sprint("random ", seed), c, "en", DefaultTheme()))
	}
	cases.Charts = append(cases.Charts, caseOf(t, "nights", nights(61), "en", DefaultTheme()))
	same(t, casesFile, encodeCases(t, cases))
}

// nights is a history of so many points.
func nights(n int) report.Chart {
	c := report.Chart{Kind: report.Lines, Title: locale.Lit("Output throughput"), X: report.Axis{Title: locale.Lit("Date")}, Y: report.Axis{Unit: "tok/s", Better: result.Higher}}
	one := report.Series{Name: locale.Lit("Qwen3-8B")}
	for i := range n {
		c.Ticks = append(c.Ticks, report.Tick{At: float64(i), Text: locale.Lit(fmt.Sprintf("%02d-%02d", 1+i/28, 1+i%28))})
		y := 200 + float64(i*7%5)
		if i > 40 {
			y -= 12
		}
		one.Points = append(one.Points, report.Point{X: float64(i), Y: y, Label: locale.Lit(fmt.Sprint(y))})
	}
	c.Series = []report.Series{one}
	c.Steps = []report.Step{{Point: 41, Text: locale.Lit("−6.0%"), Worse: true}}
	return c
}

// Of many places that have a name only those whose name is written have a line: all
// lines together would be a grey ground.
func TestLinesOfManyNames(t *testing.T) {
	for n, want := range map[int]int{12: 12, 61: 13} {
		lines := 0
		for _, it := range caseOf(t, "", nights(n), "en", DefaultTheme()).Items {
			if it[0] == "rect" && it[1] == "grid" && it[4].(float64)-it[2].(float64) == 1 {
				lines++
			}
		}
		if lines != want {
			t.Errorf("%d places have %d lines, not %d", n, lines, want)
		}
	}
}

func numberCases() (cs []numberCase) {
	for _, v := range []float64{0, 0.5, 1.5, 2.5, 0.05, 0.125, 12, 12.5, 99.995, 100, 999.95, 999.96, 1000, 1000.5, 1001.5, 9999.5, 12345.6, 123456, 1234567, 9999999, 1e7, 12345678, 999999999, 1e9, 1.5e12,
		1e-9, 1.234e-9, 0.00001234, 0.0001, 0.00012345, 0.001, 0.0625, 0.99995, 3.14159, -1, -0.05, -1234.5, -99999.5, -1e-6, 1e60} {
		for _, exponent := range []int{-9, -3, -1, 0, 1, 3, 6} {
			cs = append(cs, numberCase{v, exponent, tickLabel(v, exponent), valueLabel(v)})
		}
	}
	return cs
}

func axisCases(t *testing.T) (cs []axisCase) {
	l := &layout{theme: DefaultTheme(), width: 1200}
	regular, _, err := l.theme.weights()
	if err != nil {
		t.Fatal(err)
	}
	l.small = face{weight: regular, size: 23}
	spans := []span{{0, 1}, {0, 100}, {0, 3.7}, {1, 1}, {0, 0}, {-5, -5}, {-3, 12}, {-120, -7}, {40, 60}, {99.99, 100.01}, {1e-9, 3e-9}, {0, 1e-9}, {0, 5e5}, {0, 1.2e6}, {0, 4e8}, {0, 1e12},
		{1e11, 1e12}, {1, 30}, {1, 31}, {1, 64}, {2, 9}, {0.001, 1000}, {1e-9, 1e12}, {3, 7000}, {12345, 123456789}, {1, 1.0000001}}
	for _, s := range spans {
		for _, ends := range [][2]float64{{100, 1100}, {600, 90}, {250, 420}} {
			for _, scale := range []report.Scale{report.Linear, report.Log} {
				a := axis{log: scale == report.Log, start: ends[0], end: ends[1]}
				c := axisCase{Scale: scale, Min: s.min, Max: s.max, Wide: s.wide(), Ends: ends, Pads: [2]float64{0, 30}}
				switch {
				case a.log && s.min < 0, a.log && s.max == 0:
					continue
				case a.log && s.min == 0:
					a.zero = s.max / 50
				case !a.log && s.max == math.Trunc(s.max):
					a.whole = true
				}
				c.Zero, c.Whole = a.zero, a.whole
				a = a.fit(s, c.Pads[0], c.Pads[1])
				for _, v := range []float64{s.min, (s.min + s.max) / 2, s.max} {
					c.At = append(c.At, a.at(v))
				}
				need := l.needBeside
				if ends[0] > ends[1] {
					need = func(_, _ string) float64 { return 2 * l.small.size }
				}
				for _, tick := range a.ticks(need) {
					c.Ticks = append(c.Ticks, tick.at, tick.label)
				}
				cs = append(cs, c)
			}
		}
	}
	return cs
}

func wrapCases(t *testing.T) (cs []wrapCase) {
	regular, _, err := DefaultTheme().weights()
	if err != nil {
		t.Fatal(err)
	}
	f := face{weight: regular, size: 26}
	for _, s := range []string{"", "FP8", "Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit", "meta-llama/Llama-3.1-8B", "量化后的千问模型，八十亿参数（FP8）", "Output throughput, 2048 tokens in and 128 out · median of n = 3", "µs × 10⁻³ ≤ ½ • “quoted”", strings.Repeat("x", 60)} {
		for _, width := range []float64{60, 200, 420} {
			lines, _ := wrap(s, f, width)
			cs = append(cs, wrapCase{s, width, lines, nameLines(s, f, width, 2)})
		}
	}
	return cs
}

func caseOf(t *testing.T, name string, c report.Chart, lang string, theme Theme) chartCase {
	t.Helper()
	p := printer(t, lang)
	spec, err := export.Chart(c, p)
	if err != nil {
		t.Fatal(err)
	}
	l, err := lay(c, p, theme)
	if err != nil {
		t.Fatal(err)
	}
	r := &scribe{colours: map[color.RGBA]string{}}
	for _, named := range theme.classes() {
		r.colours[named.colour] = named.class
	}
	for _, draw := range l.items {
		draw(r)
	}
	return chartCase{Name: name + " " + fmt.Sprint(theme.Width), Lang: lang, Theme: map[string]any{"width": theme.Width}, Spec: spec, Width: l.width, Height: l.height, Crowded: len(l.crowded), Items: r.items}
}

// encodeCases writes an item, an axis or a number a line.
func encodeCases(t *testing.T, v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	for _, begin := range []string{`["rect`, `["polygon`, `["disc`, `["line`, `["text`, `{"value`, `{"scale`, `{"text`, `{"lang`, `{"name":`} {
		data = bytes.ReplaceAll(data, []byte(","+begin), []byte(",\n"+begin))
	}
	return append(data, '\n')
}

// TestAdvances holds the widths that scripts give characters against the embedded fonts:
// of those that are not as wide as a Chinese one.
func TestAdvances(t *testing.T) {
	regular, err := embeddedRegular()
	if err != nil {
		t.Fatal(err)
	}
	bold, err := embeddedBold()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("// The widths of characters in the fonts that charts are laid out with, in thousandths of the\n" +
		"// size: from a code point on those of Noto Sans SC Regular and, where they differ, Bold.\n" +
		"// Other characters are as wide as high. Written by generator/chart (go test -update).\n\n" +
		"/** @type {[number, string, string][]} */\nexport const advances = [\n")
	var first rune
	var regulars, bolds []string
	flush := func() {
		if len(regulars) > 0 {
			second := strings.Join(bolds, " ")
			if slices.Equal(regulars, bolds) {
				second = ""
			}
			fmt.Fprintf(&b, "  [%#x, %q, %q],\n", first, strings.Join(regulars, " "), second)
		}
		regulars, bolds = nil, nil
	}
	for r := rune(0x20); r < 0xffa0; r++ {
		wr, _ := regular.advance(r)
		wb, _ := bold.advance(r)
		if !regular.has(r) || wr == 1 && wb == 1 {
			flush()
			continue
		}
		if len(regulars) == 0 {
			first = r
		}
		regulars, bolds = append(regulars, fmt.Sprint(math.Round(wr*1000))), append(bolds, fmt.Sprint(math.Round(wb*1000)))
	}
	flush()
	b.WriteString("];\n")
	same(t, advancesFile, []byte(b.String()))
}

// same holds what was made against a file, or writes it with -update.
func same(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what Go computes: run the test with -update, and then the modules' tests", file)
	}
}
