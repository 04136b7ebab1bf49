package site

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// detailedSite makes a site with its own thresholds, one run with single requests and telemetry, and runs without
// either.
func detailedSite(t *testing.T) string {
	t.Helper()
	var ttfts, itls, lens, starts, errors []string
	for i := range 40 {
		x := math.Sin(float64(i))
		ttfts = append(ttfts, fmt.Sprintf("%.4f", 0.2+0.05*x))
		itls = append(itls, fmt.Sprintf("[%.4f, %.4f, %.4f]", 0.02+0.004*x, 0.021, 0.03+0.01*x*x))
		lens, starts, errors = append(lens, "4"), append(starts, fmt.Sprintf("%.2f", 100+0.1*float64(i))), append(errors, `""`)
	}
	list := func(values []string) string { return "[" + strings.Join(values, ", ") + "]" }
	detailed := fmt.Sprintf(`{"date": "20251011-120005", "backend": "vllm", "model_id": "</script><b>", "num_prompts": 40, "request_rate": "inf", "max_concurrency": 8,
"duration": 4.2, "completed": 40, "total_input_tokens": 4000, "total_output_tokens": 160, "request_throughput": 9.523809523809524, "output_throughput": 38.095238095238095, "total_token_throughput": 990.4761904761905,
"mean_ttft_ms": 200.1, "median_ttft_ms": 201.2, "p99_ttft_ms": 249.9,
"ttfts": %s, "itls": %s, "output_lens": %s, "start_times": %s, "errors": %s}`, list(ttfts), list(itls), list(lens), list(starts), list(errors))
	var power strings.Builder
	for i := range 8 {
		fmt.Fprintf(&power, "10-11-2025 12:00:%02d RAM 8300/125749MB (lfb 31x4MB) CPU [90%%@2601,off] GR3D_FREQ 88%%@[1574,1574] tj@%dC/67C VDD_GPU 38000mW/9000mW VIN %d000mW/36000mW\n", i, 50+i, 40+10*(i%4))
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"site.toml": `title = "One run"
base_url = "https://bench.example/x/"
[thresholds]
noise = 0.07
[slo]
ttft_p99 = 500
[[waive]]
check = "physics.compute-roofline"
where = '{campaign="plain"}'
reason = "a shared prompt"
`,
		"runs/detailed/high.json":       detailed,
		"runs/detailed/power-high.log":  power.String(),
		"runs/plain/model=A/low.log":    "vllm bench serve --model org/A --num-prompts 1\n" + lowBlock,
		"runs/plain/model=A/run.toml":   `hardware = "jetson-agx-thor"` + "\n",
		"runs/declared/model=B/low.log": lowBlock,
		"runs/declared/run.toml":        "dataset = \"random\"\ninput_len = \"2048\"\nnum_prompts = \"1\"\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const lowBlock = `============ Serving Benchmark Result ============
Successful requests:                     1
Benchmark duration (s):                  4.39
Total input tokens:                      2048
Total generated tokens:                  128
Request throughput (req/s):              0.23
Output token throughput (tok/s):         29.14
Total Token throughput (tok/s):          495.41
---------------Time to First Token----------------
Mean TTFT (ms):                          148.53
Median TTFT (ms):                        148.53
P99 TTFT (ms):                           148.53
==================================================
`

func build(t *testing.T, dir string) (Summary, map[string][]byte) {
	t.Helper()
	summary, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil || summary.Broken {
		t.Fatalf("broken: %v, %v, %v", summary.Broken, err, ms)
	}
	return summary, files(t, filepath.Join(dir, "public", "site"))
}

// TestRunsWithDetailsHaveCharts checks that the charts of a run are on its page in both languages, in no file of their
// own, and drawn once; a run without details has none.
func TestRunsWithDetailsHaveCharts(t *testing.T) {
	t.Parallel()
	dir := detailedSite(t)
	_, site := build(t, dir)
	for _, lang := range []string{"", "en/"} {
		at := lang + "runs/detailed/high"
		page := string(site[at+".html"])
		for _, name := range []string{"cdf", "ttft", "itl", "tpot", "e2el", "telemetry"} {
			_, figure, _ := strings.Cut(page, `data-chart="`+name+`"`)
			if _, csv, ok := strings.Cut(figure, ` data-csv="`); !ok || strings.Contains(csv[:strings.IndexByte(csv, '"')], "<") {
				t.Errorf("%s.html does not show %s with its figures", at, name)
			}
			for _, ext := range []string{".png", ".csv"} {
				if site[at+"~"+name+ext] != nil {
					t.Errorf("%s is in a file", name+ext)
				}
			}
		}
		if n := strings.Count(page, `role="img"`); n < 12 {
			t.Errorf("%s.html contains %d drawings; wide and narrow there should be more", at, n)
		}
		if strings.Contains(page, "</script><b>") {
			t.Errorf("%s.html contains the markup of the model's name", at)
		}
	}
	if page := string(site["en/runs/plain/model=A/low.html"]); strings.Contains(page, "<svg") {
		t.Error("a plain run has a chart")
	}
	kept, _ := filepath.Glob(filepath.Join(dir, cache.Name, "charts", "*"))
	if len(kept) < 12 {
		t.Fatalf("%d pictures are kept", len(kept))
	}
	later, err := os.Create(filepath.Join(dir, "runs", "later.txt")) // something to build
	if err != nil {
		t.Fatal(err)
	}
	later.Close()
	_, again := build(t, dir)
	now, _ := filepath.Glob(filepath.Join(dir, cache.Name, "charts", "*"))
	if strings.Join(now, "\n") != strings.Join(kept, "\n") {
		t.Error("the pictures were not those kept")
	}
	if !bytes.Equal(again["en/runs/detailed/high.html"], site["en/runs/detailed/high.html"]) {
		t.Error("the page from kept pictures is another")
	}
}

// TestRunsShowHowToReproduceThem checks that pages show recorded commands, and commands composed from labels.
func TestRunsShowHowToReproduceThem(t *testing.T) {
	t.Parallel()
	_, site := build(t, detailedSite(t))
	for page, want := range map[string]string{
		"plain/model=A/low":    "<code>vllm bench serve --model org/A --num-prompts 1</code>",
		"declared/model=B/low": "<code>vllm bench serve \\\n  --dataset-name random \\\n  --random-input-len 2048 \\\n  --num-prompts 1</code>",
		"detailed/high":        "No command was recorded. What is known:",
	} {
		if text := string(site["en/runs/"+page+".html"]); !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", page, want)
		}
	}
}

// TestMethodologyIsThatOfTheSite checks that the methodology page has an entry for every check, the thresholds, waivers
// and service levels of site.toml, and the formula of every derived figure.
func TestMethodologyIsThatOfTheSite(t *testing.T) {
	t.Parallel()
	dir := detailedSite(t)
	_, site := build(t, dir)
	for name, wants := range map[string][]string{
		"methodology/index.html":    {"差异达到 7% 且各次数值不重叠", "a shared prompt", "≤ 500 ms"},
		"en/methodology/index.html": {"a difference counts from 7% on", "a shared prompt", "{campaign=&#34;plain&#34;}", "≤ 500 ms"},
	} {
		page := string(site[name])
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s lacks %q", name, want)
			}
		}
		for _, id := range audit.IDs() {
			if !strings.Contains(page, `id="check-`+id+`"`) {
				t.Errorf("%s has no entry of %s", name, id)
			}
		}
	}
	c, _ := config.Read(dir)
	set, err := Dataset(dir, &c, nil)
	if err != nil {
		t.Fatal(err)
	}
	derived := 0
	for _, r := range set.Results {
		for _, m := range r.Metrics {
			if m.Derived && m.Line == 0 {
				derived++
				if want := "<code>" + m.Field + "</code>"; !bytes.Contains(site["en/methodology/index.html"], []byte(want)) {
					t.Errorf("%s: no entry has the formula %s", m.Name, m.Field)
				}
			}
		}
		for _, c := range append(r.Checks, audit.Judge(&r).Passed...) {
			if !bytes.Contains(site["en/methodology/index.html"], []byte(`id="check-`+c.ID+`"`)) {
				t.Errorf("no entry is about %s", c.ID)
			}
		}
	}
	if derived == 0 || len(set.Results) < 3 {
		t.Errorf("%d figures of %d results are derived", derived, len(set.Results))
	}
	if set.Results[0].Source == (result.Position{}) {
		t.Error("a result has no source")
	}
}
