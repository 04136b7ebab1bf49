package site

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/benchpost/benchpost/generator/internal/browser"
	"github.com/benchpost/benchpost/generator/internal/checker"
)

const begunLog = "Starting main benchmark run...\nTraffic request rate: inf\nMaximum request concurrency: 8\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]\n"

const cutLog = `============ Serving Benchmark Result ============
Successful requests:                     90
Benchmark duration (s):                  20.00
Output token throughput (tok/s):         500.00
`

func runningSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"site.toml":          "title = \"Going on\"\nlanguages = [\"en\"]\n[[plan]]\nname = \"p\"\n[plan.labels]\nmodel = [\"A\", \"B\", \"C\"]\n",
		"runs/a/going.log":   begunLog,
		"runs/a/run.toml":    "model = \"A\"\n",
		"runs/b/retried.log": begunLog + "Traceback\n" + begunLog + cutLog,
		"runs/b/run.toml":    "model = \"B\"\nnum_prompts = \"100\"\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func built(t *testing.T, opt Options) (front, coverage string) {
	t.Helper()
	s, ms, err := Build(context.Background(), opt)
	if err != nil || s.Broken {
		t.Fatal(err, ms)
	}
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(opt.Dir, "public", "site", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return string(bytes.TrimSpace(data))
	}
	return read("index.html"), read("coverage/index.html")
}

// TestWhatRunsIsKnownFromOutside checks that Options.Alive determines what is running. In a file that is being written,
// only the last run is running: one without a result, or one whose result is being printed.
func TestWhatRunsIsKnownFromOutside(t *testing.T) {
	t.Parallel()
	dir := runningSite(t)
	plain, _ := built(t, Options{Dir: dir})
	if strings.Contains(plain, "<progress") {
		t.Error("a plain build shows what runs")
	}
	asked := map[string]bool{}
	front, coverage := built(t, Options{Dir: dir, Alive: func(file string) bool { asked[file] = true; return true }})
	if strings.Count(front, "<progress") != 2 || !strings.Contains(front, "40 of 100 requests") || !strings.Contains(front, "90 of 100 requests") {
		t.Errorf("the front page does not show the two that run: %s", front)
	}
	if !asked["runs/a/going.log"] || !asked["runs/b/retried.log"] {
		t.Errorf("asked for %v", asked)
	}
	for _, text := range []string{"running 40/100", "running 90/100", ">planned<"} {
		if !strings.Contains(coverage, text) {
			t.Errorf("the plan lacks %q", text)
		}
	}

	// The next plain build does not reuse these pages.
	if again, _ := built(t, Options{Dir: dir}); again != plain {
		t.Error("a plain build after one that knew what runs differs from the one before")
	}
}

// TestNobodyWrites checks that the pages are those of a plain build if no file is being written.
func TestNobodyWrites(t *testing.T) {
	t.Parallel()
	dir := runningSite(t)
	plain, plan := built(t, Options{Dir: dir})
	front, coverage := built(t, Options{Dir: dir, Alive: func(string) bool { return false }})
	if front != plain || coverage != plan {
		t.Error("the pages differ from those of a plain build")
	}
}

// TestRunningPagesAreSound checks that the pages that show running benchmarks are valid, accessible, and fit on a
// phone.
func TestRunningPagesAreSound(t *testing.T) {
	dir := runningSite(t)
	built(t, Options{Dir: dir, Alive: func(string) bool { return true }})
	pages := filepath.Join(dir, "public", "site")
	names := []string{"index.html", "results/index.html", "coverage/index.html", "problems/index.html"}
	var paths []string
	for _, name := range names {
		paths = append(paths, filepath.Join(pages, filepath.FromSlash(name)))
	}
	checker.Markup(t, paths...)
	for _, theme := range []string{"light", "dark"} {
		tab := browser.Open(t)
		prefer(t, tab, theme)
		for _, path := range paths {
			tab.Do(chromedp.EmulateViewport(320, 800), chromedp.Navigate("file://"+filepath.ToSlash(path)))
			for _, v := range checker.Accessibility(t, tab) {
				t.Errorf("%s, %s: %s", path, theme, v)
			}
			if wide := browser.Eval[int64](tab, `document.documentElement.scrollWidth`); wide > 320 {
				t.Errorf("%s is %d wide in a window of 320", path, wide)
			}
		}
	}
}
