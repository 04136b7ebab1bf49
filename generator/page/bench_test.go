package page

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/chromedp/chromedp"
)

// BenchmarkRunPages makes the pages of runs in both languages, with the copy
// of the raw file, and reports the time for one page.
func BenchmarkRunPages(b *testing.B) {
	s := fixture()
	builder, err := s.newBuilder()
	if err != nil {
		b.Fatal(err)
	}
	pages := len(builder.results) * len(builder.languages)
	b.ReportAllocs()
	for b.Loop() {
		for _, r := range builder.results {
			if _, err := builder.run(r)(); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*pages), "µs/page")
}

// BenchmarkRender makes a whole site of two thousand runs.
func BenchmarkRender(b *testing.B) {
	s := manyRuns(2000)
	for b.Loop() {
		n := 0
		if err := s.Render(func(string, []byte) error { n++; return nil }); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n), "files")
	}
}

// BenchmarkExplorer opens the page of results in Chromium and reports the time
// from the beginning of the navigation until the explorer can be used, the
// weight and the number of what is loaded, and how long the page is busy with a letter
// that is typed into the search, in the median of twelve.
func BenchmarkExplorer(b *testing.B) {
	for _, runs := range []int{100, 16000} {
		b.Run(fmt.Sprint(runs), func(b *testing.B) {
			s := manyRuns(runs - len(fixture().Results))
			dir := b.TempDir()
			weight := 0
			for path, data := range renderSome(b, s, func(artifact string) bool {
				return artifact == "results/index.html" || artifact == "assets" || strings.HasPrefix(artifact, "script/") || strings.HasPrefix(artifact, "data/columns/")
			}) {
				weight += len(data)
				name := filepath.Join(dir, filepath.FromSlash(path))
				if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644)); err != nil {
					b.Fatal(err)
				}
			}
			tab := browser.Open(b)
			base := "file://" + filepath.ToSlash(dir) + "/"
			total, key, requests := 0.0, 0.0, 0
			for b.Loop() {
				tab.Do(chromedp.Navigate("about:blank"))
				tab.Troubles(base)
				tab.Do(chromedp.Navigate(base + "results/index.html"))
				tab.Until(`performance.getEntriesByName("explored").length === 1`)
				total += browser.Eval[float64](tab, `performance.getEntriesByName("explored")[0].startTime`)
				_, requests = tab.Troubles(base)
				key += browser.Await[float64](tab, `(async () => {
					const search = document.querySelector("input[type=search]");
					const times = [];
					for (const letter of "qwen3-8b low") {
						const from = performance.now();
						search.value += letter;
						search.dispatchEvent(new Event("input"));
						times.push(performance.now() - from);
						await new Promise((done) => setTimeout(done, 400));
					}
					return times.sort((a, b) => a - b)[6];
				})()`)
			}
			b.ReportMetric(total/float64(b.N), "ms/interactive")
			b.ReportMetric(key/float64(b.N), "ms/key")
			b.ReportMetric(float64(requests), "requests")
			b.ReportMetric(float64(weight)/1024, "KiB")
		})
	}
}

// manyRuns returns the fixture with the runs of a sweep added.
func manyRuns(n int) *Site {
	s := fixture()
	raw := s.Raw
	texts := map[string]string{}
	for i := range n {
		m := fixtureModels[i%len(fixtureModels)]
		r, text := fixtureRun(fmt.Sprintf("sweep/%s/c=%d", m.name, i), m.name, m.quantization, "high", i, 100, m.high)
		r.Labels.Set(labelOf("campaign", "sweep"))
		s.Results = append(s.Results, r)
		texts[r.Source.File] = text
	}
	s.Raw = func(r *result.Result) (Raw, error) {
		if text, ok := texts[r.Source.File]; ok {
			return Whole([]byte(text)), nil
		}
		return raw(r)
	}
	return s
}

func labelOf(name, value string) result.Label { return result.Label{Name: name, Value: value} }
