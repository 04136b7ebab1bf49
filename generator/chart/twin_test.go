package chart

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/script"
)

// In a page a script draws every chart anew, and nobody should see it: of all samples,
// in both languages, wide and narrow, both drawings are the same picture.
func TestTheTwinDrawsTheSamePicture(t *testing.T) {
	tab := browser.Open(t)
	bundle, err := script.Bundle("chart")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	samples := charts()
	for _, lang := range locale.Languages {
		p := printer(t, lang)
		var words []string
		for key, form := range p.Forms("chart.") {
			words = append(words, fmt.Sprintf("%q:%q", key, form))
		}
		slices.Sort(words)
		page := `<!DOCTYPE html><html lang="` + lang + `"><meta charset="utf-8"><script type="application/json" id="words">{` + strings.Join(words, ",") + `}</script><script src="chart.js"></script>`
		write(t, dir, "index."+lang+".html", []byte(page))
		write(t, dir, "chart.js", bundle)
		tab.Do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/index."+lang+".html"))
		for name, c := range samples {
			for _, width := range []int{1200, NarrowWidth} {
				theme := DefaultTheme()
				theme.Width = width
				l, err := lay(c, p, theme)
				if err != nil {
					t.Fatal(err)
				}
				spec, err := export.Chart(c, p)
				if err != nil {
					t.Fatal(err)
				}
				drawn, err := json.Marshal(string(l.vectors("")))
				if err != nil {
					t.Fatal(err)
				}
				got := browser.Await[float64](tab, fmt.Sprintf(`(%s)(%s, %d, %s)`, differing, spec, width, drawn))
				if got > 0.0002 {
					t.Errorf("%s, %s, %d wide: %.3f%% of the pixels differ", name, lang, width, 100*got)
				}
			}
		}
		if troubles, _ := tab.Troubles("file://"); len(troubles) > 0 {
			t.Error(troubles)
		}
	}
}

// differing gives the share of pixels in which two drawings of a chart plainly differ.
const differing = `async (spec, width, drawn) => {
	const { svg } = benchpost.chart.draw(spec, { width });
	svg.removeAttribute("aria-label");
	const { width: w, height: h } = svg.viewBox.baseVal;
	const pixels = async (text) => {
		const image = new Image();
		image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text.replace("<svg ", '<svg width="' + w + '" height="' + h + '" '));
		await image.decode();
		const canvas = new OffscreenCanvas(w, h).getContext("2d");
		canvas.drawImage(image, 0, 0);
		return canvas.getImageData(0, 0, w, h).data;
	};
	const [a, b] = await Promise.all([pixels(drawn), pixels(new XMLSerializer().serializeToString(svg))]);
	let n = 0;
	for (let i = 0; i < a.length; i += 4) {
		if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 120) n++;
	}
	return n / (w * h);
}`

func write(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// BenchmarkTwin draws charts of many points in Chromium: the drawing, and that with what a
// reader uses it by.
func BenchmarkTwin(b *testing.B) {
	bundle, err := script.Bundle("chart")
	if err != nil {
		b.Fatal(err)
	}
	dir := b.TempDir()
	write(b, dir, "index.html", []byte(`<!DOCTYPE html><meta charset="utf-8"><script src="chart.js"></script><div id="chart"></div>`))
	write(b, dir, "chart.js", bundle)
	tab := browser.Open(b)
	tab.Do(chromedp.EmulateViewport(1200, 800), chromedp.Navigate("file://"+filepath.ToSlash(dir)+"/index.html"))
	for _, kind := range []string{"scatter", "lines"} {
		for _, n := range []int{100, 5000} {
			b.Run(fmt.Sprint(kind, "/", n), func(b *testing.B) {
				total := 0.0
				for b.Loop() {
					total += browser.Await[float64](tab, fmt.Sprintf(`(async (kind, n) => {
						const points = (k) => Array.from({ length: n / 5 }, (_, i) => ({ x: 1 + (i * 7919 + k) %% 1000, y: 1 + (i * 104729 + 31 * k) %% 997, label: k + "-" + i, run: "r" + i }));
						const spec = { kind, x: {}, y: {}, series: [0, 1, 2, 3, 4].map((k) => ({ name: "series " + k, points: points(k) })) };
						const before = performance.now();
						const chart = benchpost.chart.mount(document.getElementById("chart"), spec, { theme: { named: 60 } });
						document.body.getBoundingClientRect();
						const took = performance.now() - before;
						chart.destroy();
						return took;
					})(%q, %d)`, kind, n))
				}
				b.ReportMetric(total/float64(b.N), "ms/chart")
			})
		}
	}
}
