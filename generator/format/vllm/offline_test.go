package vllm_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCorpusLatency(t *testing.T) {
	for _, s := range fixture.Manifest(t, "vllm-latency") {
		out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
		key, value, figure := strings.Cut(s.Expected, "=")
		if !figure { // the driver's log only reports that runs were made
			if len(out.Results) != 0 || out.Reason.IsZero() {
				t.Errorf("%s: %d results, reason %q", s.File, len(out.Results), out.Reason)
			}
			continue
		}
		if len(out.Results) != 1 || len(out.Messages) != 0 {
			t.Fatalf("%s: %d results, messages %v", s.File, len(out.Results), out.Messages)
		}
		fixture.Sound(t, &out.Results[0])
		fixture.Expect(t, &out.Results[0], key, value)
	}
	fixture.CheckFigures(t, "vllm-latency/v0.9.1-mi300x-latency.json", 0, "batch_latency_p10=716.384768707212 ms",
		"batch_latency_p50=716.8599735596 ms", "batch_latency_p99=718.898645367 ms", "x_iterations=10 ", "engine:vllm", "batch_size:")
	fixture.CheckFigures(t, "vllm-latency/v0.9.1-mi300x-latency.log", 0, "batch_latency_p25=716.50176704861 ms", "batch_latency_p75=717.640602001 ms",
		"batch_latency_p90=718.1383826304 ms", "batch_size:1", "input_len:128", "output_len:128", "dtype:float16", "parallelism:tp1",
		"engine_version:0.9.2.dev364+gb432b7a28", "gpu_memory_utilization:0.8", "x_num_iters:10", "quantization:",
		"model_raw:/models/models--meta-llama--Llama-3.1-8B-Instruct/snapshots/main")
}

// TestLatencyLogIsTheJSON checks that the log of a run and the file that it saved have the same figures.
func TestLatencyLogIsTheJSON(t *testing.T) {
	root := fixture.Shared(t, "corpus", "dirs", "cmontemuino-mi300x", "sample-results")
	logs, err := filepath.Glob(filepath.Join(root, "logs", "Llama*.log"))
	if err != nil || len(logs) != 4 {
		t.Fatalf("%d logs, %v", len(logs), err)
	}
	for _, log := range logs {
		saved := strings.Replace(strings.TrimSuffix(log, ".log")+".json", "/logs/", "/containerized/", 1)
		a, b := fixture.ReadSample(t, log).Results[0], fixture.ReadSample(t, saved).Results[0]
		for _, m := range a.Metrics {
			if other, ok := b.Metric(m.Name); !ok || other.Value != m.Value || other.Unit != m.Unit {
				t.Errorf("%s: %s is %v in the log and %v in the JSON", filepath.Base(log), m.Name, m.Value, other.Value)
			}
		}
		if name := "_bs" + a.Label("batch_size") + "_in" + a.Label("input_len") + "_out" + a.Label("output_len") + "_"; !strings.Contains(log, name) {
			t.Errorf("%s holds a run of %s", filepath.Base(log), name)
		}
	}
}

// TestOfflineBenchmarksInPages reads pages that have the lines of the latency and throughput benchmarks next to tables.
func TestOfflineBenchmarksInPages(t *testing.T) {
	const ascend = "vllm-serve-text/v0.8-ascend-qps-blocks-latency-throughput.md"
	fixture.CheckFigures(t, ascend, 4, "batch_latency_mean=4944.929537673791 ms", "batch_latency_p99=5052.476694583893 ms", "engine:vllm", "model_raw:")
	fixture.CheckFigures(t, ascend, 5, "request_throughput=4.64 req/s", "total_throughput=2000.51 tok/s", "output_throughput=1010.54 tok/s",
		"input_tokens=42659 tok", "output_tokens=43545 tok")
	fixture.CheckFigures(t, "vllm-serve-text/v0.11-ascend-perf-doc.md", 1, "request_throughput=2.73 req/s", "total_throughput=699.93 tok/s",
		"output_throughput=349.97 tok/s", "input_tokens=1280 tok", "model_raw:Qwen/Qwen3-8B", "input_len:128", "output_len:128")
	// The other results in these pages are those of vLLM's serving benchmark.
	for file, want := range map[string]int{ascend: 6, "vllm-serve-text/v0.11-ascend-perf-doc.md": 4} {
		if out := fixture.ReadSample(t, fixture.Shared(t, "corpus", file)); len(out.Results) != want {
			t.Errorf("%s: %d results, not %d", file, len(out.Results), want)
		}
	}
}

// TestThroughputLine reads the line of the throughput benchmark. Until 0.6.3 its only token rate included prompts and
// answers.
func TestThroughputLine(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Throughput: 4.63 requests/s, 2041.98 tokens/s\n", "request_throughput=4.63 req/s; total_throughput=2041.98 tok/s; output_throughput=none"},
		{"[1,0]<stdout>:Throughput: 1.00 requests/s, 20.00 total tokens/s, 5.00 output tokens/s\n",
			"request_throughput=1.00 req/s; total_throughput=20.00 tok/s; output_throughput=5.00 tok/s"},
		{"With warm up: `Throughput: 1.00 requests/s, 20.00 total tokens/s, 5.00 output tokens/s`\n",
			"request_throughput=1.00 req/s; total_throughput=20.00 tok/s; output_throughput=5.00 tok/s"},
	} {
		if got := fixture.Figures(fixture.One(t, test.text), fixture.NamesOf(test.want)...); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	for _, text := range []string{
		"Throughput: 3.20 requests/s\n", // printed by other scripts
		"Throughput: ... requests/s, ... total tokens/s, ... output tokens/s\n",
		"INFO: Avg prompt throughput: 1.0 tokens/s, Avg generation throughput: 2.0 tokens/s\n",
		"Throughput: 4.63 requests/s, 2041.9", // still being written
		"Avg latency: 0.25 seconds\n",         // other tools print this line too
		"Avg latency: 0.25 ms\n50% percentile latency: 0.2 ms\n",
		"STARTUP TIME BENCHMARK RESULTS\nCOLD STARTUP:\nAvg total startup time: xx seconds\n",
	} {
		if out := fixture.Read(t, text); len(out.Results) != 0 {
			t.Errorf("%q gives %v", text, out.Results[0].Metrics)
		}
	}
}

// TestCorrectRate checks that the rate of correct answers is read below a table of structured outputs, and nowhere
// else.
func TestCorrectRate(t *testing.T) {
	const rate = "correct_rate(%) 98.5 \n"
	if r := fixture.One(t, fixture.Table+rate); r.Metrics[len(r.Metrics)-1].Name != "x_correct_rate" || r.EndLine != strings.Count(fixture.Table, "\n")+1 {
		t.Errorf("to line %d: %v", r.EndLine, r.Metrics)
	}
	for _, text := range []string{rate + fixture.Table, fixture.Table + strings.Repeat("\n", 9) + rate, fixture.Table + "correct_rate(%) None\n", fixture.Table + "correct_rate(%) 9"} {
		if got := fixture.Figures(fixture.One(t, text), "x_correct_rate"); got != "x_correct_rate=none" {
			t.Errorf("%s", got)
		}
	}
	if got := fixture.Figures(fixture.One(t, fixture.Object(`"outputs": [{"generated": "x"}], "correct_rate(%)": 98.5`)), "x_correct_rate"); got != "x_correct_rate=98.5 %" {
		t.Error(got)
	}
}

// TestTPOTBefore040 checks the versions with the misspelt key, in which TPOT included the first token.
func TestTPOTBefore040(t *testing.T) {
	r := fixture.One(t, `{"model_id": "m", "request_inthroughput": 1.5, "mean_tpot_ms": 30.5, "mean_ttft_ms": 9}`)
	if got := fixture.Figures(r, "tpot_mean", "tpot_incl_ttft_mean", "ttft_mean"); got != "tpot_mean=none; tpot_incl_ttft_mean=30.5 ms; ttft_mean=9 ms" {
		t.Error(got)
	}
}

// TestPyTorchRecordsCutOff checks that a list of records that was cut off gives a partial result.
func TestPyTorchRecordsCutOff(t *testing.T) {
	const record = `{"benchmark": {"name": "vLLM benchmark"}, "model": {"name": "m"}, "metric": {"name": "mean_ttft_ms", "benchmark_values": [3.5], "extra_info": {"duration": 2}}}`
	if r := fixture.One(t, "["+record+"]"); r.Status != result.Complete || r.Tool != "vllm-serve" {
		t.Errorf("%v, %s", r.Status, r.Tool)
	}
	out := fixture.Read(t, "["+record+`, {"benchmark": {"name": "vLLM benchmark"}, "metric": {"name": "mean_tpot_ms", "benchmark_values": [1`)
	if len(out.Results) != 1 || out.Results[0].Status != result.Partial || len(out.Results[0].Metrics) != 2 {
		t.Errorf("%+v", out.Results)
	}
	if out := fixture.Read(t, `[{"benchmark": {"name": "other"}, "metric": {"name": "x", "benchmark_values": [1]}}]`); len(out.Results) != 0 {
		t.Errorf("%+v", out.Results)
	}
}

func TestSummariesOfVLLM(t *testing.T) {
	for _, text := range []string{
		`{"latency": {}, "throughput": {}, "serving": {"Test name": {"0": "a"}, "Mean TTFT (ms)": {"0": 3.5}}}`,
		"| Test name | GPU |   Tput (req/s) |   P99 |\n|:--|:--|--:|--:|\n| a | H100 | 3.5 | 4.5 |\n",
	} {
		if out := fixture.Read(t, text); len(out.Results) != 0 || locale.English(out.Reason) != "a summary of result files; the files themselves are read" {
			t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
		}
	}
}
