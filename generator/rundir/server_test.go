package rundir

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// serverPage returns vLLM's metrics after a number of requests, each with 10 prompt tokens and 4 generated ones. The
// prompts of cached requests were in the prefix cache.
func serverPage(started, requests, cached int) string {
	return fmt.Sprintf(`# Answer of http://127.0.0.1:8000/metrics at 2026-01-15T09:30:12+08:00
process_start_time_seconds %d
vllm:prefix_cache_queries_total{engine="0"} %d.0
vllm:prefix_cache_hits_total{engine="0"} %d.0
vllm:num_preemptions_total{engine="0"} 0.0
vllm:prompt_tokens_total{engine="0"} %d.0
vllm:generation_tokens_total{engine="0"} %d.0
vllm:request_success_total{engine="0",finished_reason="length"} %d.0
`, started, 10*requests, 10*cached, 10*requests, 4*requests, requests)
}

const plainRun = `{"backend": "vllm", "model_id": "m", "num_prompts": 4, "duration": 10.0, "completed": 4, "total_input_tokens": 40, "total_output_tokens": 16,
"request_throughput": 0.4, "output_throughput": 1.6, "total_token_throughput": 5.6, "mean_ttft_ms": 200.1}`

// served loads a folder with the given files.
func served(t *testing.T, files map[string]string) *Dataset {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	d, err := Load(root, Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAServersCountersJoinTheirRun checks that the difference of two snapshots is joined to the run in their folder,
// with lines of the later one.
func TestAServersCountersJoinTheirRun(t *testing.T) {
	t.Parallel()
	d := served(t, map[string]string{
		"a/result.json": plainRun, "a/metrics-before.prom": serverPage(7, 100, 20), "a/metrics-after.prom": serverPage(7, 105, 23),
		"b/result.json": plainRun,
	})
	if len(d.Results) != 2 || len(d.Messages) != 0 || len(d.Unread) != 1 || locale.English(d.Unread[0].Reason) != "the same as runs/a/result.json" {
		t.Fatalf("%d results, %v, %v", len(d.Results), d.Messages, d.Unread)
	}
	for name, want := range map[string]float64{"server_requests": 5, "server_requests_length": 5, "server_input_tokens": 50,
		"server_output_tokens": 20, "prefix_cache_hit_rate": 60, "preemptions": 0} {
		m, ok := d.Results[0].Metric(name)
		if !ok || m.Value != want || !m.Derived || m.File != "runs/a/metrics-after.prom" || m.Line < 3 || !strings.Contains(m.Field, "vllm:") {
			t.Errorf("%s: %+v %v", name, m, ok)
		}
		if _, ok := d.Results[1].Metric(name); ok {
			t.Errorf("%s of a run without metrics", name)
		}
	}
	if len(d.Beside) != 2 || !slices.Equal(d.Beside[0].Runs, []string{"a/result"}) {
		t.Errorf("%+v", d.Beside)
	}
}

// TestWhoseCountersTheyAre checks that a console log and the file saved beside it count as one run, and that each of
// several runs in a folder may have snapshots named after it.
func TestWhoseCountersTheyAre(t *testing.T) {
	t.Parallel()
	named := served(t, map[string]string{
		"c1.json": plainRun, "c8.json": strings.Replace(plainRun, "200.1", "300.1", 1),
		"c8-metrics-before.txt": serverPage(7, 0, 0), "c8-metrics-after.txt": serverPage(7, 5, 1),
	})
	for _, r := range named.Results {
		if _, ok := r.Metric("server_requests"); ok != (r.ID == "c8") {
			t.Errorf("%s: %v", r.ID, ok)
		}
	}
	sides := served(t, map[string]string{ // results may have the same name in every folder
		"a/metrics.json": plainRun, "b/metrics.json": strings.Replace(plainRun, "200.1", "300.1", 1),
		"b/metrics-before.prom": serverPage(7, 0, 0), "b/metrics-after.prom": serverPage(7, 5, 1),
	})
	for _, r := range sides.Results {
		if _, ok := r.Metric("server_requests"); ok != (r.ID == "b/metrics") {
			t.Errorf("%s: %v", r.ID, ok)
		}
	}
}

// TestCountersAppearWithTheFirstEvent checks SGLang's counters: the one for cached tokens appears with the first hit,
// and all prompts are looked up.
func TestCountersAppearWithTheFirstEvent(t *testing.T) {
	t.Parallel()
	d := served(t, map[string]string{"r.json": plainRun,
		"metrics-before.prom": "sglang:prompt_tokens_total 10\nsglang:generation_tokens_total 4\n",
		"metrics-after.prom":  "sglang:prompt_tokens_total 60\nsglang:generation_tokens_total 24\nsglang:num_requests_total 6\nsglang:cached_tokens_total{cache_source=\"device\"} 25\n",
	})
	if m, _ := d.Results[0].Metric("prefix_cache_hit_rate"); m.Value != 50 {
		t.Errorf("%+v", m)
	}
	if m, ok := d.Results[0].Metric("server_requests"); ok { // the first file may be truncated
		t.Errorf("%+v", m)
	}
}

// TestCountersThatTellNothing checks that snapshots that say nothing about a single run give a reason and no metric.
func TestCountersThatTellNothing(t *testing.T) {
	t.Parallel()
	before, after := serverPage(7, 100, 20), serverPage(7, 105, 23)
	for _, c := range []struct {
		name  string
		files map[string]string
		why   string
	}{
		{"one alone", map[string]string{"r.json": plainRun, "metrics-before.prom": before}, "only from before the run"},
		{"the other alone", map[string]string{"r.json": plainRun, "metrics-after.prom": after}, "only from after the run"},
		{"the file before is cut off at once", map[string]string{"r.json": plainRun, "metrics-before.prom": before[:60], "metrics-after.prom": after}, "only from after the run"},
		{"two runs", map[string]string{"r.json": plainRun, "s.json": strings.Replace(plainRun, "200.1", "300.1", 1), "metrics-before.prom": before, "metrics-after.prom": after}, "cover 2 runs together"},
		{"started anew", map[string]string{"r.json": plainRun, "metrics-before.prom": before, "metrics-after.prom": serverPage(8, 105, 23)}, "restarted"},
		{"swapped", map[string]string{"r.json": plainRun, "metrics-before.prom": after, "metrics-after.prom": before}, "are swapped"},
		{"two engines", map[string]string{"r.json": plainRun, "metrics-before.prom": before, "metrics-after.prom": "sglang:generation_tokens_total 9\n"}, "are of vllm, those after it of sglang"},
	} {
		d := served(t, c.files)
		for _, r := range d.Results {
			for _, m := range r.Metrics {
				if strings.HasPrefix(m.Name, "server_") || m.Name == "prefix_cache_hit_rate" {
					t.Errorf("%s: %+v", c.name, m)
				}
			}
		}
		i := slices.IndexFunc(d.Messages, func(m result.Message) bool { return m.ID == "run.server-metrics" })
		if i < 0 || d.Messages[i].Severity != result.Info || !strings.Contains(locale.English(d.Messages[i].Text), c.why) || d.Messages[i].Pos.Line == 0 {
			t.Errorf("%s: %v", c.name, d.Messages)
		}
	}
	d := served(t, map[string]string{"r.json": plainRun, "metrics.prom": before, "empty/metrics-after.prom": after})
	if len(d.Messages) != 0 || len(d.Unread) != 2 {
		t.Errorf("%v, skipped %v", d.Messages, d.Unread)
	}
}

// TestCutOffMetrics checks that truncated snapshots, wherever they end, cause no error and no metric that complete ones
// do not give.
func TestCutOffMetrics(t *testing.T) {
	t.Parallel()
	before, after := serverPage(7, 100, 20), serverPage(7, 105, 23)
	for n := 0; n < 2*len(after); n += 11 {
		a, b := before, after
		if n < len(after) {
			b = after[:n]
		} else {
			a = before[:min(n-len(after), len(before))]
		}
		d := served(t, map[string]string{"r.json": plainRun, "metrics-before.prom": a, "metrics-after.prom": b})
		for name, want := range map[string]float64{"server_requests": 5, "server_input_tokens": 50, "server_output_tokens": 20, "prefix_cache_hit_rate": 60} {
			if m, ok := d.Results[0].Metric(name); ok && m.Value != want {
				t.Errorf("cut after %d bytes: %+v", n, m)
			}
		}
	}
}

// TestCountersAreJoinedOnce checks that a second Load with a Memory adds nothing twice.
func TestCountersAreJoinedOnce(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"r.json": plainRun, "metrics-before.prom": serverPage(7, 0, 0), "metrics-after.prom": serverPage(7, 5, 1)} {
		write(t, filepath.Join(root, name), text)
	}
	memory := NewMemory()
	var metrics int
	for i := range 3 {
		d, err := Load(root, Options{Name: "runs", Memory: memory})
		if err != nil || i > 0 && len(d.Results[0].Metrics) != metrics {
			t.Fatal(i, len(d.Results[0].Metrics), metrics, err)
		}
		metrics = len(d.Results[0].Metrics)
	}
}

// FuzzCounted checks that the metrics between any two snapshots are valid.
func FuzzCounted(f *testing.F) {
	f.Add(serverPage(7, 100, 20), serverPage(7, 105, 23))
	f.Add("sglang:prompt_tokens_total 10\n", "sglang:prompt_tokens_total 60\nsglang:cached_tokens_total{cache_source=\"device\"} 25\n")
	f.Add("vllm:gpu_prefix_cache_queries 1\n", "vllm:gpu_prefix_cache_queries 9007199254740992\nvllm:gpu_prefix_cache_hits 1e-300\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		read := func(text string) *result.Snapshot {
			out, err := format.Read("f", strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			return out.Snapshot
		}
		a, b := read(before), read(after)
		if a == nil || b == nil {
			return
		}
		metrics, why := counted(a, b)
		if !why.IsZero() && metrics != nil {
			t.Errorf("%v and %q", metrics, why)
		}
		for _, m := range metrics {
			if d, ok := vocabulary.Define(m.Name); !ok || d.Unit != m.Unit || !(m.Value >= 0 && m.Value <= 1e21) || m.Unit == "%" && m.Value > 100 || m.Line < 1 {
				t.Errorf("%+v", m)
			}
		}
	})
}
