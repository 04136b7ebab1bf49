package nvidia_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCorpusGenAIPerf(t *testing.T) {
	fixture.CheckFigures(t, "genai-perf/console-2024-llm-metrics.txt", 0,
		"ttft_mean=16.26 ms", "ttft_p99=17.09 ms", "ttft_p50=none", "tpot_mean=1.85 ms", "tpot_p75=1.92 ms", "itl_mean=none",
		"e2el_mean=499.20 ms", "e2el_p99=548.69 ms", "output_throughput=520.87 tok/s", "request_throughput=1.99 req/s",
		"x_mean_output_len=261.90 tok", "x_mean_input_len=550.06 tok", "status:complete")
	fixture.CheckFigures(t, "genai-perf/console-2025-tgi-nonstream.txt", 0,
		"e2el_mean=6675.95 ms", "e2el_p99=50240.69 ms", "e2el_max=54474.75 ms", "output_throughput=52.05 tok/s",
		"request_throughput=0.15 req/s", "requests_completed=10 1", "x_mean_input_len=10164.10 tok", "x_mean_output_len=347.50 tok",
		"ttft_mean=none", "tpot_mean=none")
	fixture.CheckFigures(t, "genai-perf/console-embeddings.txt", 0,
		"e2el_mean=42.21 ms", "e2el_p99=56.50 ms", "request_throughput=23.63 req/s", "output_throughput=none")
	fixture.CheckFigures(t, "genai-perf/console-goodput.txt", 0,
		"ttft_mean=78.10 ms", "ttft_p99=109.61 ms", "tpot_mean=19.32 ms", "e2el_mean=6740.76 ms", "output_throughput=51.20 tok/s",
		"request_throughput=0.15 req/s", "goodput=0.12 req/s", "x_mean_input_len=550 tok", "x_mean_output_len=345.80 tok")
	fixture.CheckFigures(t, "genai-perf/console-gpu-power-tables.txt", 0,
		"power_mean=63.55 W", "power_max=111.39 W", "gpu_utilization=28 %", "memory_used_max=45990000000 B", "power_scope:gpu",
		"energy=none") // 67.33 MJ is the driver's counter
}

func TestCorpusAIPerf(t *testing.T) {
	fixture.CheckFigures(t, "aiperf/console-0.1-goodput.txt", 0,
		"ttft_mean=50.04 ms", "ttft_p50=51.80 ms", "ttft_p99=59.53 ms", "ttft_std=6.52 ms", "tpot_mean=3.40 ms", "e2el_mean=3651.23 ms",
		"output_throughput=287.44 tok/s", "output_throughput_per_user=294.11 tok/s", "goodput=0.14 req/s", "requests_completed=20 1",
		"x_mean_input_len=550 tok", "x_mean_output_len=1058.45 tok", "request_throughput=0.27 req/s")
	fixture.CheckFigures(t, "aiperf/console-0.1-readme.txt", 0,
		"ttft_mean=18.26 ms", "ttft_p99=68.82 ms", "ttft_p50=none", "tpot_mean=11.23 ms", "e2el_mean=487.30 ms", "e2el_p99=715.99 ms",
		"output_throughput=10944.03 tok/s", "output_throughput_per_user=89.23 tok/s", "request_throughput=255.54 req/s",
		"requests_completed=711 1", "x_mean_input_len=10 tok", "x_mean_output_len=42.83 tok")
	fixture.CheckFigures(t, "aiperf/csv-0.8.0-agentic-mi355x-c4.csv", 0,
		"output_throughput=162.00 tok/s", "ttft_mean=12695.26 ms", "ttft_p99=76915.20 ms", "ttft_p50=5834.38 ms", "requests_completed=547 1",
		"tpot_mean=22.90 ms", "itl_mean=22.92 ms", "e2el_mean=37328.36 ms", "output_tokens=589666 tok", "input_tokens=44360550 tok",
		"total_throughput=12348.96 tok/s", "input_throughput=12186.96 tok/s", "effective_concurrency=5.61 1",
		"x_benchmark_duration=3625.94 s", "duration=none")
	fixture.CheckFigures(t, "aiperf/json-0.8.0-agentic-mi355x-c4.json", 0,
		"output_throughput=162.00 tok/s", "ttft_mean=12695.26 ms", "ttft_p50=5834.38 ms", "ttft_p99=76915.20 ms", "tpot_mean=22.90 ms",
		"e2el_mean=37328.36 ms", "requests_completed=547 1", "x_mean_input_len=81097.9 tok", "x_mean_output_len=1078.0 tok",
		"tool_version:0.8.0", "model_raw:amd/Kimi-K2.7-Code-MXFP4", "date:2026-07-09T10:23:29.033942", "ignore_eos:true", "seed:42",
		// Rates are over the phase of 3640 s. Four sessions branched, so more than four requests were in flight.
		"duration=3640.000743 s", "x_benchmark_duration=3625.94 s", "x_concurrency:4", "max_concurrency:", "effective_concurrency=5.61 1")
	fixture.CheckFigures(t, "aiperf/json-0.8.0-agentic-mi355x-c8.json", 0,
		"output_throughput=198.41 tok/s", "ttft_mean=14911.04 ms", "ttft_p50=11957.93 ms", "ttft_p99=62497.25 ms", "tpot_mean=38.76 ms",
		"e2el_mean=45819.67 ms", "requests_completed=873 1", "x_mean_input_len=87276.8 tok", "x_mean_output_len=825.0 tok")
	out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "aiperf/server_metrics-0.8.0-agentic-mi355x-c4.csv"))
	if len(out.Results) != 0 || !strings.Contains(locale.English(out.Reason), "counters of the server") {
		t.Errorf("%d results of the server's counters, reason %q", len(out.Results), out.Reason)
	}
}

func TestCorpusPerfAnalyzer(t *testing.T) {
	fixture.CheckFigures(t, "perf_analyzer/console-concurrency-resnet50-tfs.txt", 0,
		"max_concurrency:1", "model_raw:resnet50", "batch_size:1", "request_throughput=165.8 req/s", "requests_completed=829 1",
		"e2el_mean=6.032 ms", "e2el_std=0.569 ms", "e2el_p50=5.863 ms", "e2el_p90=6.655 ms", "e2el_p95=6.974 ms", "e2el_p99=8.093 ms",
		"output_throughput=none")
	for i, want := range [][]string{
		{"max_concurrency:1", "request_throughput=69.2 req/s", "e2el_p50=13.891 ms", "e2el_p99=21.018 ms", "queue_mean=0.064 ms"},
		{"max_concurrency:3", "request_throughput=84.2 req/s", "e2el_p90=43.984 ms"},
		{"max_concurrency:4", "request_throughput=84.2 req/s", "e2el_p99=64.886 ms"},
		{"max_concurrency:2", "request_throughput=87.2 req/s", "e2el_p99=34.766 ms"},
	} {
		fixture.CheckFigures(t, "perf_analyzer/csv-inception-concurrency.csv", i, append(want, "model_raw:inception_graphdef")...)
	}
	for file, runs := range map[string]int{"console-concurrency-resnet50-tfs.txt": 1, "csv-inception-concurrency.csv": 4} {
		if out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "perf_analyzer", file)); len(out.Results) != runs {
			t.Errorf("%s: %d results, not %d", file, len(out.Results), runs)
		}
	}
}

func TestCorpusTensorRT(t *testing.T) {
	fixture.CheckFigures(t, "trtllm-bench/throughput-0.17-pytorch-llama31-8b.txt", 0,
		"output_throughput=20685.5510 tok/s", "total_throughput=none", "request_throughput=161.6059 req/s", "duration=18.5636825 s",
		"requests_completed=3000 1", "output_tokens=384000 tok", "engine_version:0.17.0", "quantization:FP8", "parallelism:tp1",
		"model_raw:meta-llama/Llama-3.1-8B", "kv_cache_dtype:")
	fixture.CheckFigures(t, "trtllm-bench/throughput-0.19-multimodal-latency-breakdown.txt", 0,
		"output_throughput=185.8351 tok/s", "total_throughput=780.1607 tok/s", "e2el_mean=3671.8441 ms", "e2el_p50=3936.3022 ms",
		"e2el_p99=5514.4701 ms", "e2el_min=2397.1047 ms", "effective_concurrency=5.3019 1", "max_concurrency:",
		"x_mean_input_len=411.6 tok", "x_mean_output_len=128.7 tok", "input_tokens=4116 tok", "output_tokens=1287 tok", "ttft_mean=none",
		"output_throughput_per_user=none", "x_per_user_output_throughput=38.1959 tok/s/user")
	fixture.CheckFigures(t, "tensorrt-edge-llm/profile-orin-nano-text.json", 0,
		"prefill_throughput=648.9226684570312 tok/s", "decode_throughput=62.26123809814453 tok/s", "memory_used_max=4540526592 B",
		"x_prefill_average_time_per_run=29.279 ms", "x_generation_average_time_per_token=16.061357 ms", "x_llm_generation_runs=5 1",
		"ttft_mean=none", "tpot_mean=none") // the times are the GPU's, not a client's
	fixture.CheckFigures(t, "tensorrt-edge-llm/summary-orin-nano-text.log", 0,
		"prefill_throughput=648.9 tok/s", "decode_throughput=62.3 tok/s", "x_generation_average_time_per_token=16.0614 ms",
		"memory_used_max=4540526592 B", "x_prefill_computed_tokens=95 tok", "x_generated_tokens=415 tok", "output_tokens=none")
}

// TestNvidiaRules compares the metrics of the result of a text with "name=value unit" ("none" for a missing metric), or
// checks that the text has no result.
func TestNvidiaRules(t *testing.T) {
	const head = "Metric,avg,min,max,p99,p95,p90,p75,p50,p25\n"
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a header alone is no run": {head + "\nMetric,Value\n", nil},
		"another table of metrics": {"Metric,avg,min,max,p99\nAccuracy,0.5,0.1,0.9,0.9\n", nil},
		"a unit that is no time":   {head + "Request Latency (pages),3,1,5,5,5,5,4,3,2\n", nil},
		"nanoseconds":              {head + "Request Latency (ns),\"3,500,000\",1,5,5,5,5,4,3,2\n", []string{"e2el_mean=3.5 ms"}},
		"an empty console table":   {"NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃ min ┃\n└──┴──┴──┘\n", nil},
		"a title in a sentence":    {"See the NVIDIA AIPerf | LLM Metrics table of the documents.\n", nil},
		"N/A is missing":           {"NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃ p99 ┃\n│ Request Latency (ms) │ 3.5 │ N/A │\n└──┴──┴──┘\n", []string{"e2el_mean=3.5 ms", "e2el_p99=none"}},
		"a table of something else below": {"NVIDIA AIPerf | LLM Metrics\n┃ Metric ┃ avg ┃\n│ Request Latency (ms) │ 3.5 │\n└──┴──┘\n| Metric | avg |\n|---|---|\n| Time to First Token (ms) | 9.5 |\n",
			[]string{"e2el_mean=3.5 ms", "ttft_mean=none"}},
		"statistics of GPUs are no zero": {"Metric,GPU,avg,min,max,p99\nGPU Power Usage (W),0,90.50,0.00,0.00,0.00\n", []string{"power_mean=90.5 W", "power_max=none"}},
		"JSON of another tool":           {`{"input_config": {"model": "m"}, "request_latency": 3}`, nil},
		"no streaming, no first token": {`{"request_latency": {"unit": "ms", "avg": 9}, "time_to_first_token": {"unit": "ms", "avg": 9},
			"input_config": {"streaming": false}}`, []string{"e2el_mean=9 ms", "ttft_mean=none"}},
		"records of the warm-up": {`{"metadata": {"benchmark_phase": "warmup"}, "metrics": {"request_latency": {"value": 3, "unit": "ms"}}}`, nil},
		"a record in another unit": {`{"metadata": {"benchmark_phase": "profiling"}, "metrics": {"request_latency": {"value": 3, "unit": "s"}}}`,
			[]string{"requests_completed=1 1", "e2el_mean=none"}},
		"a report that names no unit":   {"= PERFORMANCE OVERVIEW\nToken Throughput (pages/sec): 3\n", nil},
		"a percentile is no average":    {"Inferences/Second vs. Client p99 Batch Latency\nConcurrency: 2, throughput: 9.5 infer/sec, latency 1000 usec\n", []string{"request_throughput=9.5 req/s", "e2el_mean=none"}},
		"a batch is several inferences": {"$ perf_analyzer -m m -b 8\nConcurrency,Inferences/Second,Client Send,p50 latency\n1,80,1,100\n", []string{"request_throughput=10 req/s", "x_inference_throughput=80 infer/s"}},
		"nothing completed":             {"[BENCHMARK] num_samples 0\n[BENCHMARK] num_error_samples 5\n[BENCHMARK] avg_sequence_latency(ms) 0.00\n", []string{"requests_failed=5 1", "e2el_mean=none"}},
		"a heading and no profile":      {"=== Performance Summary ===\n=== LLM Prefill ===\n", nil},
		"a rate that was not told":      {"timestamp, hostname, api, model, precision, input_tokens, output_tokens, prefill_time, prefill_rate, decode_time, decode_rate, memory\n20240612 14:03:27, h, mlc, m, q, 16, 128, -16.0, -1, -128.0, -1, 5\n", nil},
	} {
		t.Run(name, func(t *testing.T) {
			out := fixture.Sane(t, []byte(c.text))
			if c.want == nil {
				if len(out.Results) != 0 {
					t.Errorf("read as\n%s", fixture.Describe(out))
				}
				return
			}
			if len(out.Results) != 1 {
				t.Fatalf("%d results, reason %q", len(out.Results), out.Reason)
			}
			for _, w := range c.want {
				name, value, _ := strings.Cut(w, "=")
				number, unit, _ := strings.Cut(value, " ")
				m, ok := out.Results[0].Metric(name)
				wanted, _ := strconv.ParseFloat(number, 64)
				if ok == (number == "none") || ok && (m.Value != wanted || m.Unit != unit) {
					t.Errorf("%s is %v %s (present: %v), not %s", name, m.Value, m.Unit, ok, value)
				}
			}
		})
	}
}

// TestRecordsStillBeingWritten checks that a run is partial while AIPerf writes its last record.
func TestRecordsStillBeingWritten(t *testing.T) {
	const record = `{"metadata": {"benchmark_phase": "profiling"}, "metrics": {"request_latency": {"value": 3, "unit": "ms"}}}` + "\n"
	out := fixture.Sane(t, []byte(record+record[:60]))
	if len(out.Results) != 1 || out.Results[0].Status != result.Partial {
		t.Fatalf("read as\n%s", fixture.Describe(out))
	}
	if m, _ := out.Results[0].Metric("requests_completed"); m.Value != 1 {
		t.Errorf("%v requests, not the one that is whole", m.Value)
	}
}

// TestRecordsTellRunsApart checks that two runs that differ in one request have different digests.
func TestRecordsTellRunsApart(t *testing.T) {
	record := func(latency string) string {
		return `{"metadata": {"benchmark_phase": "profiling"}, "metrics": {"request_latency": {"value": ` + latency + `, "unit": "ms"}}}` + "\n"
	}
	one := fixture.Sane(t, []byte(record("3")+record("5"))).Results[0]
	other := fixture.Sane(t, []byte(record("3")+record("6"))).Results[0]
	if one.Digest == other.Digest {
		t.Error("both have the same digest")
	}
}
