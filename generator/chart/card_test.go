package chart

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cards are a usual one and one with too much to say.
var cards = map[string]map[string]Card{
	"card": {
		"zh-CN": {"Qwen3-8B 八种量化在 Jetson AGX Thor 上的实测", "同样的请求发给 Qwen3-8B 的九个量化版本，每个数字都可以追溯到它所在的那一行。", "Jetson Thor 推理实测", "2025 年 10 月 4 日"},
		"en":    {"Eight quantizations of Qwen3-8B on Jetson AGX Thor", "The same requests, sent to nine variants of Qwen3-8B; each figure is traced to the line it was printed on.", "Inference on Jetson Thor", "4 October 2025"},
	},
	"card-long": {
		"zh-CN": {strings.Repeat("一个很长的标题里写了所有模型、所有设置与所有结论", 5), strings.Repeat("还有同样长的说明。", 30), "站点", ""},
		"en":    {strings.Repeat("A title that names all models, all settings and all conclusions ", 5), strings.Repeat("And a description as long. ", 20), "Site", ""},
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
