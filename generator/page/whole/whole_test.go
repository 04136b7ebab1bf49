package whole_test

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/census"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/page/whole"
	"github.com/benchpost/benchpost/generator/result"
)

// figure returns a figure with its best, median and worst run.
func figure(name, unit string, better result.Better, best, median, worst float64) census.Figure {
	kind := &result.Kind{Name: name, Unit: unit, Better: better}
	reading := func(v float64, run string) census.Reading {
		return census.Reading{Metric: result.Metric{Kind: kind, Value: v, Decimals: 2}, Run: run + strings.Repeat("/and-a-long-name", 6)}
	}
	return census.Figure{Runs: 3, Best: reading(best, "models/a"), Median: reading(median, "models/b"), Worst: reading(worst, "models/c")}
}

// large returns an archive of many parts, some of whose names are awkward in paths.
func large(parts, models int) *census.Census {
	c := &census.Census{Results: 1000 * parts, Runs: 900 * parts}
	names := []string{"models", "zh-CN", "index.html"}
	for i := range parts {
		name := fmt.Sprintf("campaign %05d", i)
		if i < len(names) {
			name = names[i]
		}
		p := census.Part{Name: name, Results: 1000, Runs: 900, Hardware: []string{"board"}, Engines: []string{"vllm"}}
		for j := range 30 {
			p.Models = append(p.Models, fmt.Sprintf("org/A-model-of-%d-billion-parameters-that-was-tuned-for-instructions-GPTQ-Int4", j))
		}
		c.Parts = append(c.Parts, p)
	}
	for i := range models {
		for _, load := range []string{"high", "", "site/<b>&\"x\""} {
			row := census.Row{Runs: 3 * parts}
			for _, l := range [][2]string{{"engine", "vllm"}, {"hardware", []string{"board", "Board"}[i%2]}, {"load", load}, {"max_concurrency", fmt.Sprint(i)}, {"model", fmt.Sprintf("site/model-%d", i%7)}} {
				if l[1] != "" {
					row.Labels.Set(result.Label{Name: l[0], Value: l[1]})
				}
			}
			for p := range parts {
				row.Parts = append(row.Parts, census.Share{Part: p, Runs: 3})
			}
			row.Figures = []census.Figure{figure("output_throughput", "tok/s", result.Higher, 300, 200, 100), figure("ttft_mean", "ms", result.Lower, 1, 2, 3), figure("tpot_mean", "ms", result.Lower, 1, 2, 3)}
			if i%5 == 0 {
				row.Figures = []census.Figure{figure("prefill_throughput", "tok/s", result.Higher, 3, 2, 1)}
			}
			if i%9 == 0 {
				row.Figures = nil // like those of a quality test
			}
			c.Rows = append(c.Rows, row)
		}
	}
	return c
}

// rendered makes all pages. Every second file of the parts exists.
func rendered(t *testing.T, c *census.Census) map[string]string {
	t.Helper()
	a := whole.Archive{Title: locale.By(map[string]string{"en": "All <of> it", "zh-CN": "全部"}, ""), Author: "A & B", Languages: []string{"en", "zh-CN"}, Census: c, Has: func(name string) bool { return len(name)%2 == 0 }}
	pages := map[string]string{}
	if err := a.Render(func(path string, data []byte) error {
		if _, twice := pages[path]; twice {
			t.Errorf("%s is made twice", path)
		}
		pages[path] = string(data)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return pages
}

var reference = regexp.MustCompile(`href="([^"#]+)"`)

// TestPagesStaySmallAndLeadSomewhere checks that the size of pages does not depend on the number of parts, that their
// links lead to existing pages, and that they exist in every language.
func TestPagesStaySmallAndLeadSomewhere(t *testing.T) {
	t.Parallel()
	pages := rendered(t, large(1500, 40))
	unescape := strings.NewReplacer("%20", " ", "&amp;", "&")
	for name, text := range pages {
		if len(text) > 300_000 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		if strings.Contains(text, "<script") || strings.Contains(text, "<b>&") {
			t.Errorf("%s has a script, or what is not escaped", name)
		}
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			to := path.Join(path.Dir(name), unescape.Replace(m[1]))
			if ending := path.Base(to); ending == "style.css" || ending == "favicon.svg" {
				if strings.Contains(to, "/") {
					t.Errorf("%s has its style at %s", name, to)
				}
				continue
			}
			if _, there := pages[to]; !there && !strings.Contains(to, "/site/") {
				t.Errorf("%s leads to %s, which is not there", name, m[1])
			}
			if strings.Contains(to, "/site/") && len(to)%2 != 0 {
				t.Errorf("%s leads to %s, which is in no part", name, m[1])
			}
		}
		other, inLanguage := strings.CutPrefix(name, "zh-CN/")
		if !inLanguage {
			other = "zh-CN/" + name
		}
		if _, both := pages[other]; !both {
			t.Errorf("%s is in one language", name)
		}
	}
	for _, name := range []string{"index.html", "parts/index~p10.html", "models/site~2Fmodel-3.html", "models/site~2Fmodel-3~p10.html", "loads/high~p2.html"} {
		if pages[name] == "" {
			t.Errorf("there is no %s among %d pages", name, len(pages))
		}
	}
	if n := strings.Count(strings.Join(slices.Sorted(maps.Keys(pages)), "\n"), "hardware/board"); n == 0 || strings.Count(strings.ToLower(strings.Join(slices.Sorted(maps.Keys(pages)), "\n")), "hardware/board.html") != 0 {
		t.Errorf("board and Board share a page on some disks: %d", n)
	}
}

// TestPagesAreReproducible checks that the same archive has the same pages.
func TestPagesAreReproducible(t *testing.T) {
	t.Parallel()
	if one, two := rendered(t, large(40, 20)), rendered(t, large(40, 20)); !maps.Equal(one, two) {
		t.Errorf("%d and %d pages", len(one), len(two))
	}
}

// TestAnEmptyArchiveHasPages checks that an archive without a run that counts has a front page and empty lists.
func TestAnEmptyArchiveHasPages(t *testing.T) {
	t.Parallel()
	pages := rendered(t, &census.Census{})
	if !strings.Contains(pages["index.html"], "0 results in 0 parts") || pages["models/index.html"] == "" {
		t.Errorf("%v", slices.Sorted(maps.Keys(pages)))
	}
}

// TestPagesAreValid checks that the pages are valid HTML.
func TestPagesAreValid(t *testing.T) {
	t.Parallel()
	need.Thorough(t, "html-validate checks pages")
	dir := t.TempDir()
	var files []string
	for name, text := range rendered(t, large(30, 40)) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	checker.Markup(t, files...)
}
