package site

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// sampleDiff compares the runs of the sample site with a changed copy of them, as one HTML file for each language.
func sampleDiff(t *testing.T) []string {
	t.Helper()
	dir := filepath.Join("..", "..")
	c, ms := config.Read(dir)
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	set, err := Dataset(dir, &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := Counted(&c, set.Results, result.Selector{})
	var b []*result.Result
	cut := a[slices.IndexFunc(a, func(r *result.Result) bool { return len(r.Checks) == 0 })]
	for i, r := range a {
		other := *r
		other.Labels, other.Metrics = slices.Clone(r.Labels), slices.Clone(r.Metrics)
		other.Labels.Set(result.Label{Name: "engine_version", Value: `<b onclick="x">0.11</b>`})
		for m := range other.Metrics {
			if i%5 == 1 && m%3 == 0 || cut == r {
				other.Metrics[m].Value *= 1.2
			}
		}
		if cut == r {
			other.Status = result.Partial
		}
		if i != 4 {
			b = append(b, &other)
		}
	}
	added := *a[0]
	added.ID, added.Labels = "<script>", slices.Clone(added.Labels)
	added.Labels.Set(result.Label{Name: "model", Value: "a\x1b<script>&amp;"})
	of := compare.Sides(compare.Side{Name: locale.Lit("</title><script>alert(1)</script>"), Before: "1a2b3c4d5e:", Results: a}, compare.Side{Name: locale.T("diff.worktree"), Results: append(b, &added)}, CompareOptions(&c))
	out := t.TempDir()
	var files []string
	for _, lang := range []string{"en", "zh-CN"} {
		data, err := DiffPage(dir, &c, of, lang)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := DiffPage(dir, &c, of, lang); !bytes.Equal(data, again) {
			t.Error("made twice it is not the same")
		}
		name := filepath.Join(out, "diff."+lang+".html")
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, name)
	}
	return files
}

// TestDiffPageIsOneFile checks that the page of a comparison needs no other file, and that labels are shown as text.
func TestDiffPageIsOneFile(t *testing.T) {
	t.Parallel()
	files := sampleDiff(t)
	for _, problem := range checker.Problems(t, files...) {
		if !strings.Contains(problem, "(void-style)") && !strings.Contains(problem, "(attribute-empty-style)") { // html.Render writes so
			t.Error(problem)
		}
	}
	for i, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page := string(data)
		if !strings.Contains(page, `http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; img-src data:;`) {
			t.Errorf("%s has no policy", name)
		}
		for _, link := range regexp.MustCompile(`(?:src|href)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
			if to := link[1]; !strings.HasPrefix(to, "#") && !strings.HasPrefix(to, "data:") && !strings.HasPrefix(to, "https://benchpost.example/jetson-thor/") {
				t.Errorf("%s leads to %s", name, to)
			}
		}
		for _, wrong := range []string{"<b onclick", "alert(1)</script>", "a\x1b", "onclick=\"x\""} {
			if strings.Contains(page, wrong) {
				t.Errorf("%s contains %q", name, wrong)
			}
		}
		for _, right := range []string{[]string{"worse", "变差"}[i], "1a2b3c4d5e:runs/", []string{"did not end", "未运行完"}[i], []string{"line 8", "第 8 行"}[i]} {
			if !strings.Contains(page, right) {
				t.Errorf("%s lacks %q", name, right)
			}
		}
	}
}

func TestDiffPageIsAccessible(t *testing.T) {
	tab := browser.Open(t)
	for _, name := range sampleDiff(t) {
		for _, theme := range []string{"light", "dark"} {
			prefer(t, tab, theme)
			for _, width := range []int64{320, 1280} {
				tab.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate("file://"+filepath.ToSlash(name)))
				for _, v := range checker.Accessibility(t, tab) {
					t.Errorf("%s, %s, %d wide: %s", name, theme, width, v)
				}
				if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > width {
					t.Errorf("%s is %d wide in a window of %d", name, wide, width)
				}
			}
		}
	}
}
