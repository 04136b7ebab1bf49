package chart

import (
	"bytes"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
)

// cards has a usual card and one with too much content.
var cards = map[string]map[string]Card{
	"card": {
		"zh-CN": {"Qwen3-8B 八种量化在 Jetson AGX Thor 上的实测", "同样的请求发给 Qwen3-8B 的九个量化版本，每个数字都可以追溯到它所在的那一行。", "Jetson Thor 推理实测", "2025 年 10 月 4 日", nil},
		"en":    {"Eight quantizations of Qwen3-8B on Jetson AGX Thor", "The same requests, sent to nine variants of Qwen3-8B; each figure is traced to the line it was printed on.", "Inference on Jetson Thor", "4 October 2025", nil},
	},
	"card-long": {
		"zh-CN": {strings.Repeat("一个很长的标题里写了所有模型、所有设置与所有结论", 5), strings.Repeat("还有同样长的说明。", 30), "站点", "", nil},
		"en":    {strings.Repeat("A title that names all models, all settings and all conclusions ", 5), strings.Repeat("And a description as long. ", 20), "Site", "", nil},
	},
}

func TestCards(t *testing.T) {
	t.Parallel()
	for name, langs := range cards {
		for lang, c := range langs {
			img, err := DrawCard(c, printer(t, lang), DefaultTheme())
			if err != nil || len(img.Warnings) > 0 || img.Width != 1200 || img.Height != 630 || len(img.PNG) > 45_000 {
				t.Errorf("%s, %s: %d×%d, %d bytes, warnings %v, error %v", name, lang, img.Width, img.Height, len(img.PNG), img.Warnings, err)
			}
			file := filepath.Join("testdata", name+"."+lang+".png")
			if *update {
				if err := os.WriteFile(file, img.PNG, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			golden, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got, want := decode(t, img.PNG), decode(t, golden)
			for i := range want.Pix {
				if got.Palette[got.Pix[i]] != want.Palette[want.Pix[i]] {
					t.Errorf("%s, %s: differs from %s", name, lang, file)
					break
				}
			}
		}
	}
}

// TestCardsShowAChart checks that a card shows a chart below the title and above its foot, or the text if the
// chart has too many rows to be legible.
func TestCardsShowAChart(t *testing.T) {
	t.Parallel()
	c := Card{Title: strings.Repeat("A long title ", 9), Text: "What it is about.", Site: "Site"}
	plain := decode(t, cardPNG(t, c))
	rows := func(n int) *report.Chart {
		spec := &report.Chart{Kind: report.GroupedBars, Title: locale.Lit("Throughput"), Notes: []locale.Text{locale.Lit(strings.Repeat("A note. ", 40))}, Series: []report.Series{{}}}
		for i := range n {
			spec.Categories = append(spec.Categories, locale.Lit("Model"+strings.Repeat("x", i%9)))
			spec.Series[0].Points = append(spec.Series[0].Points, report.Point{Y: float64(i + 1), Label: locale.Lit("1")})
		}
		return spec
	}
	c.Chart = rows(4)
	with := decode(t, cardPNG(t, c))
	blue := 0
	for i, p := range with.Pix {
		x, y := i%CardWidth, i/CardWidth
		colour := with.Palette[p]
		if x > 24 && y > 130 && y < CardHeight-92 && colour == color.Color(DefaultTheme().Series[0]) {
			blue++
		}
		if y >= CardHeight-95 && colour != plain.Palette[plain.Pix[i]] {
			t.Fatalf("the chart reaches the foot, at %d, %d", x, y)
		}
	}
	if blue < 5000 {
		t.Errorf("%d pixels of bars", blue)
	}
	c.Chart = rows(60)
	if crowded := decode(t, cardPNG(t, c)); !bytes.Equal(crowded.Pix, plain.Pix) {
		t.Error("a chart of 60 rows is on the card")
	}
}

func cardPNG(t *testing.T, c Card) []byte {
	t.Helper()
	img, err := DrawCard(c, printer(t, "en"), DefaultTheme())
	if err != nil {
		t.Fatal(err)
	}
	return img.PNG
}

// TestCardsOfLittle checks cards that lack any of their texts.
func TestCardsOfLittle(t *testing.T) {
	t.Parallel()
	for missing := range 16 {
		text := func(bit int, s string) string {
			if missing>>bit&1 == 1 {
				return ""
			}
			return s
		}
		c := Card{Title: text(0, "A title"), Text: text(1, "What it says."), Site: text(2, "Site"), Date: text(3, "4 October 2025")}
		if img, err := DrawCard(c, printer(t, "en"), DefaultTheme()); err != nil || len(img.PNG) == 0 {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
