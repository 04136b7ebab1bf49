package chart

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/benchpost/benchpost/generator/chart/font"
	"github.com/benchpost/benchpost/generator/chart/font/woff"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/report"
)

var update = flag.Bool("update", false, "write the golden images anew")

func printer(t testing.TB, lang string) locale.Printer {
	p, ok := locale.For(lang)
	if !ok {
		t.Fatalf("no language %q", lang)
	}
	return p
}

func draw(t testing.TB, c report.Chart, lang string) Image {
	t.Helper()
	img, err := Draw(c, printer(t, lang), DefaultTheme())
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func sketched(t testing.TB, c report.Chart, lang string, theme Theme) Image {
	t.Helper()
	img, err := Sketch(c, printer(t, lang), theme)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func decode(t testing.TB, b []byte) *image.Paletted {
	t.Helper()
	m, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	p, ok := m.(*image.Paletted)
	if !ok {
		t.Fatalf("the PNG is a %T, want *image.Paletted", m)
	}
	return p
}

// pictured lists the samples whose goldens are pictures. The goldens of all others are SVG.
var pictured = []string{"grouped", "frontier", "sweep", "history", "heatmap", "panels"}

// TestGoldens compares goldens of pictures by pixels, because another Go version may compress differently.
func TestGoldens(t *testing.T) {
	t.Parallel()
	for _, name := range pictured {
		c := charts()[name]
		for _, lang := range locale.Languages {
			t.Run(name+"/"+lang, func(t *testing.T) {
				t.Parallel()
				img := draw(t, c, lang)
				if len(img.Warnings) > 0 {
					t.Errorf("warnings: %v", img.Warnings)
				}
				if most := 60_000 * max(img.Height, 800) / 800; len(img.PNG) > most {
					t.Errorf("the image has %d bytes, want at most %d", len(img.PNG), most)
				}
				file := filepath.Join("testdata", name+"."+lang+".png")
				if got := decode(t, img.PNG).Rect; got.Dx() != img.Width || got.Dy() != img.Height {
					t.Errorf("the image is %v, but says %d×%d", got, img.Width, img.Height)
				}
				checkGolden(t, img.PNG, file)
			})
		}
	}
}

// TestDrawingsStayAsTheyAre compares the SVG of all other samples with the goldens, wide in English and narrow
// in Chinese, with one element per line.
func TestDrawingsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	for name, c := range charts() {
		if slices.Contains(pictured, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			english, err := Sketch(c, printer(t, "en"), DefaultTheme())
			if err != nil {
				t.Fatal(err)
			}
			chinese, err := Sketch(c, printer(t, "zh-CN"), DefaultTheme())
			if err != nil {
				t.Fatal(err)
			}
			for form, svg := range map[string][]byte{"en": english.SVG, "zh-CN.narrow": chinese.Narrow} {
				file := filepath.Join("testdata", name+"."+form+".svg")
				if svg == nil { // no room in a narrow form
					if _, err := os.Stat(file); err == nil {
						t.Errorf("%s is not drawn", file)
					}
					continue
				}
				got := bytes.ReplaceAll(svg, []byte("><"), []byte(">\n<"))
				if *update {
					if err := os.WriteFile(file, got, 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if bytes.Equal(got, want) {
					continue
				}
				before := strings.Split(string(want), "\n")
				for i, line := range strings.Split(string(got), "\n") {
					if i >= len(before) || line != before[i] {
						t.Errorf("%s:%d: %s; run with -update and look at it", file, i+1, line)
						break
					}
				}
			}
		})
	}
}

// checkGolden compares an image with a golden file. With -update it rewrites a file that differs.
func checkGolden(t *testing.T, img []byte, file string) {
	t.Helper()
	golden, err := os.ReadFile(file)
	differing := -1 // the size differs
	if err == nil {
		differing = difference(decode(t, img), decode(t, golden))
	}
	switch {
	case differing == 0:
	case *update:
		if err := os.WriteFile(file, img, 0o644); err != nil {
			t.Fatal(err)
		}
	case err != nil:
		t.Error(err)
	default:
		t.Errorf("%d pixels differ from %s; look at the new image, then run with -update", differing, file)
	}
}

// difference returns the number of pixels that differ, or -1 if the sizes do.
func difference(a, b *image.Paletted) int {
	if a.Rect != b.Rect {
		return -1
	}
	n := 0
	for y := range a.Rect.Dy() {
		for x := range a.Rect.Dx() {
			if a.At(x, y) != b.At(x, y) {
				n++
			}
		}
	}
	return n
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	c := charts()["loads"]
	want := draw(t, c, "zh-CN").PNG

	t.Run("drawn at the same time", func(t *testing.T) {
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				if img, err := Draw(c, printer(t, "zh-CN"), DefaultTheme()); err != nil || !bytes.Equal(img.PNG, want) {
					t.Error("another image", err)
				}
			})
		}
		wait.Wait()
	})
	t.Run("on one processor", func(t *testing.T) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		if !bytes.Equal(draw(t, c, "zh-CN").PNG, want) {
			t.Error("another image")
		}
	})
	t.Run("with fonts that remember no glyph", func(t *testing.T) {
		theme := DefaultTheme()
		for name, own := range map[string]*[]*font.Font{"Regular": &theme.Regular, "Bold": &theme.Bold} {
			packed, err := os.ReadFile("font/NotoSansSC-" + name + ".woff2")
			if err != nil {
				t.Fatal(err)
			}
			sfnt, err := woff.Decode(packed)
			if err != nil {
				t.Fatal(err)
			}
			parsed, err := font.Parse(sfnt)
			if err != nil {
				t.Fatal(err)
			}
			*own = []*font.Font{parsed}
		}
		img, err := Draw(c, printer(t, "zh-CN"), theme)
		if err != nil || !bytes.Equal(img.PNG, want) {
			t.Error("another image", err)
		}
	})
}

func TestLanguagesDiffer(t *testing.T) {
	t.Parallel()
	c := charts()["dots"]
	if bytes.Equal(draw(t, c, "zh-CN").PNG, draw(t, c, "en").PNG) {
		t.Error("the chart is the same in Chinese and English")
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	theme := DefaultTheme()
	theme.Scale = 2
	img, err := Draw(charts()["grouped"], printer(t, "en"), theme)
	if err != nil {
		t.Fatal(err)
	}
	if img.Width != 2400 || img.Height != 1350 {
		t.Errorf("at scale 2 the image is %d×%d, want 2400×1350", img.Width, img.Height)
	}
}

// TestColoursAreExact checks that the colours of a theme are in the image unblended.
func TestColoursAreExact(t *testing.T) {
	t.Parallel()
	theme := DefaultTheme()
	theme.Background, theme.Ink = rgb(0x101418), rgb(0xf0f0f0)
	theme.Series = []color.RGBA{rgb(0x12a0ff)}
	img, err := Draw(charts()["columns"], printer(t, "en"), theme)
	if err != nil {
		t.Fatal(err)
	}
	m := decode(t, img.PNG)
	count := map[color.Color]int{}
	for _, i := range m.Pix {
		count[m.Palette[i]]++
	}
	for name, c := range map[string]color.RGBA{"background": theme.Background, "ink": theme.Ink, "series": theme.Series[0]} {
		if count[c] < 500 {
			t.Errorf("the %s colour %v covers %d pixels, want at least 500", name, c, count[c])
		}
	}
	if m.At(0, 0) != theme.Background {
		t.Errorf("the corner is %v, want the background", m.At(0, 0))
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	theme := func(change func(*Theme)) Theme {
		th := DefaultTheme()
		change(&th)
		return th
	}
	many := report.Chart{Kind: report.Scatter, Series: []report.Series{{Points: make([]report.Point, mostPoints+1)}}}
	for _, c := range []struct {
		name  string
		chart report.Chart
		theme Theme
		want  string
	}{
		{"no kind", report.Chart{Kind: "pie"}, DefaultTheme(), `no chart is of kind "pie"`},
		{"too many points", many, DefaultTheme(), "a chart of 501 points in 0 categories is unreadable"},
		{"width", charts()["dots"], theme(func(t *Theme) { t.Width = 0 }), "a chart of 0×675 units cannot be drawn"},
		{"scale", charts()["dots"], theme(func(t *Theme) { t.Scale = 0 }), "a chart cannot be drawn at scale 0"},
		{"text", charts()["dots"], theme(func(t *Theme) { t.TextSize = 0 }), "text of size 0 cannot be drawn"},
		{"colours", charts()["dots"], theme(func(t *Theme) { t.Series = nil }), "a theme needs a colour for series"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Draw(c.chart, printer(t, "en"), c.theme)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

func FuzzDraw(f *testing.F) {
	for _, c := range slices.Sorted(maps.Keys(charts())) {
		f.Add([]byte(c), 1200, 675, 26.0)
	}
	f.Add([]byte("\x00\x05\x03Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit\xff\x00🚀\x7f"), 400, 300, 20.0)
	f.Fuzz(func(t *testing.T, b []byte, width, height int, size float64) {
		theme := DefaultTheme()
		theme.Width, theme.Height, theme.TextSize = width, height, size
		theme.Scale = 0.25
		c := bytesChart(b)
		l, err := newLayout(c, printer(t, "zh-CN"), theme)
		if err != nil {
			return
		}
		if err := l.arrange(); err != nil {
			return
		}
		// The canvas is drawn on only if that does not take long.
		if width < 1300 && l.height < 1300 {
			if _, err := Draw(c, printer(t, "zh-CN"), theme); err != nil {
				t.Error(err)
			}
		}
		if size <= 30 && width >= 800 {
			checkLayout(t, l)
		}
	})
}

// TestDrawAllocatesLittle limits the allocations of laying out a chart and drawing it as PNG and SVG: canvas,
// colours and compressor are reused, and placing names needs no list for each try.
func TestDrawAllocatesLittle(t *testing.T) {
	need.Allocations(t)
	samples := charts()
	p := printer(t, "en")
	for name, most := range map[string]float64{"columns": 420, "sweep": 1100, "scatter": 620, "numbered": 1750, "power": 690} {
		allocations := testing.AllocsPerRun(3, func() {
			l, err := lay(samples[name], p, DefaultTheme())
			if err != nil {
				t.Fatal(err)
			}
			encoded(l)
			l.vectors("", nil)
			l.warnings()
		})
		if allocations > most {
			t.Errorf("%s: %v allocations, want at most %v", name, allocations, most)
		}
		t.Log(name, allocations)
	}
}

// TestCanvasesAreUsedAgain checks that a reused canvas draws the same as a new one.
func TestCanvasesAreUsedAgain(t *testing.T) {
	samples := charts()
	want := draw(t, samples["sweep"], "en").PNG
	for _, other := range []string{"columns", "heatmap", "horizontal"} {
		draw(t, samples[other], "zh-CN")
		if got := draw(t, samples["sweep"], "en").PNG; !slices.Equal(got, want) {
			t.Errorf("after %s the chart has other bytes", other)
		}
	}
}

// TestALongTraceHasThePointsThatAreDrawn checks that a reader can point at the drawn values of a long trace:
// the first, the least, the greatest and the last in each column.
func TestALongTraceHasThePointsThatAreDrawn(t *testing.T) {
	t.Parallel()
	c := hardest()["trace of 100,000"]
	image, err := Sketch(c, printer(t, "en"), DefaultTheme())
	if err != nil {
		t.Fatal(err)
	}
	groups := regexp.MustCompile(`data-points="([^"]*)"`).FindAllSubmatch(image.SVG, -1)
	if len(groups) != len(c.Series) {
		t.Fatalf("%d of %d lines have points", len(groups), len(c.Series))
	}
	for i, s := range c.Series {
		shown := strings.Fields(string(groups[i][1]))
		if n := len(shown) / 2; n > 4*DefaultTheme().Width {
			t.Errorf("%s has %d points, more than are drawn", s.Name, n)
		}
		byHeight := func(a, b report.Point) int { return cmp.Compare(a.Y, b.Y) }
		for _, p := range []report.Point{s.Points[0], slices.MinFunc(s.Points, byHeight), slices.MaxFunc(s.Points, byHeight), s.Points[len(s.Points)-1]} {
			if y := strconv.FormatFloat(p.Y, 'g', 5, 64); !slices.Contains(shown, y) {
				t.Errorf("%s has no point at %s", s.Name, y)
			}
		}
	}
}
