package loadgen_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

func TestCorpusHyperfine(t *testing.T) {
	fixture.CheckFigures(t, "hyperfine/json-one.json", 0, "duration=0.013317239 s", "x_duration_p50=13.25133 ms", "x_command:sleep 0.01")
	fixture.CheckFigures(t, "hyperfine/json-two.json", 0, "duration=0.107534464 s", "x_duration_std=3.217877 ms", "x_duration_min=102.474686 ms",
		"x_duration_max=115.336893 ms", "x_command:sleep 0.1", "x_runs:27")
	fixture.CheckFigures(t, "hyperfine/json-two.json", 1, "duration=0.208513999 s", "x_command:sleep 0.2", "x_runs:13")
}

func TestCorpusGoBench(t *testing.T) {
	fixture.CheckFigures(t, "go-bench/five.txt", 0, "x_ns_per_op=325 ns/op", "x_iterations=5000000 ", "x_benchmark:BenchmarkFib10-8", "x_goos:darwin", "x_goarch:amd64")
	fixture.CheckFigures(t, "go-bench/five.txt", 1, "x_ns_per_op=40537.123 ns/op", "x_benchmark:BenchmarkFib20")
	fixture.CheckFigures(t, "go-bench/five.txt", 4, "x_ns_per_op=40537.456 ns/op", "x_benchmark:BenchmarkFib/my/tabled/benchmark_-_20")
	fixture.CheckFigures(t, "go-bench/crc-old.txt", 0, "x_ns_per_op=44.6 ns/op", "x_mb_per_s=336.59 MB/s", "output_throughput=none")
	fixture.CheckFigures(t, "go-bench/crc-old.txt", 1, "x_ns_per_op=47.3 ns/op", "x_mb_per_s=317.29 MB/s", "x_benchmark:BenchmarkCRC32/poly=IEEE/size=15/align=0-8")
	if n := len(fixture.ReadSample(t, fixture.Shared(t, "corpus", "go-bench/five.txt")).Results); n != 5 {
		t.Errorf("%d results of 5 rows", n)
	}
}

func TestCorpusFwAI(t *testing.T) {
	fixture.CheckFigures(t, "fw-ai-benchmark/summary-batch100.log", 0, "ttft_mean=181.66 ms", "e2el_mean=181.84 ms", "request_throughput=3.82 req/s",
		"requests_completed=573 1", "ttft_p50=180.0 ms", "ttft_p99=240.0 ms", "ttft_p99_9=300.0 ms", "e2el_p90=190.0 ms", "max_concurrency:1",
		// A reranker generates no tokens: its zeros were not measured.
		"x_latency_per_token_mean=none", "tpot_incl_ttft_mean=none", "x_mean_input_len=none", "output_throughput=none")
	out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "fw-ai-benchmark/locust-stats-history-batch100.csv"))
	if len(out.Results) != 0 || !strings.Contains(locale.English(out.Reason), "mixes") {
		t.Errorf("%d results of a time series, reason %q", len(out.Results), out.Reason)
	}
}

// TestLocustWithoutMetrics checks that statistics of other locust tests are not read. Their row Aggregated is not a
// latency.
func TestLocustWithoutMetrics(t *testing.T) {
	out := fixture.ReadText(t, "Type,Name,Request Count,Failure Count,Average Response Time,Requests/s,50%\nGET,/index,100,0,25.5,10.0,25\n,Aggregated,100,0,25.5,10.0,25\n")
	if len(out.Results) != 0 || out.Reason.IsZero() {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
}

func TestCorpusOptimum(t *testing.T) {
	fixture.CheckFigures(t, "optimum-benchmark/benchmark_report-2025.json", 0, "load_time=15.598862 s", "x_forward_latency_mean=11329.571039 ms",
		"x_forward_latency_p50=11300.766841 ms", "x_forward_latency_p99=11547.69424 ms", "x_forward_throughput=5.648934084 samples/s",
		"output_throughput=none", "decode_throughput=none", "e2el_mean=none") // it generates no tokens
	fixture.CheckFigures(t, "optimum-benchmark/benchmark_report-2025.txt", 0, "load_time=15.598862 s", "x_forward_latency_mean=11329.571 ms",
		"x_forward_latency_p50=11300.767 ms", "x_forward_latency_p99=11547.694 ms", "x_forward_throughput=5.65 samples/s", "output_throughput=none")
	fixture.CheckFigures(t, "optimum-benchmark/inference_results-2023-bnb-batch-size-1-sequence-length-512-new.csv", 0, "e2el_mean=41200 ms",
		"output_throughput=24.3 tok/s", "x_forward_latency_mean=80.7 ms", "memory_used_max=8633000000 B")
	fixture.CheckFigures(t, "optimum-benchmark/inference_results-2023-bnb-batch-size-16-sequence-length-512-ne.csv", 0, "e2el_mean=74000 ms",
		"output_throughput=216.0 tok/s", "x_forward_latency_mean=868 ms", "decode_throughput=none")
}

// TestOptimumRates checks that the token rate of a batch is that of a stream only if the batch size is one, and that
// the rate of prefill is read by its unit.
func TestOptimumRates(t *testing.T) {
	const report = `{"config": {"backend": {"name": "vllm"}, "scenario": {"input_shapes": {"batch_size": SIZE}}}, "report": {
		"prefill": {"latency": {"unit": "s", "mean": 0.5}, "throughput": {"unit": "UNIT", "value": 100.5}},
		"decode": {"latency": {"unit": "s", "mean": 2}, "throughput": {"unit": "tokens/s", "value": 50.5}},
		"generate": {"latency": {"unit": "s", "mean": 2.5}, "throughput": {"unit": "samples/s", "value": 40.25}}}}`
	for _, c := range []struct {
		size, unit string
		want       map[string]string
	}{
		{"1", "tokens/s", map[string]string{"prefill_throughput": "100.5 tok/s", "decode_throughput": "50.5 tok/s", "x_generate_throughput": ""}},
		{"1", "samples/s", map[string]string{"prefill_throughput": "", "x_prefill_throughput": "100.5 samples/s", "decode_throughput": "50.5 tok/s"}},
		{"8", "tokens/s", map[string]string{"prefill_throughput": "", "decode_throughput": "", "x_decode_throughput": "50.5 tok/s", "ttft_mean": "500 ms", "e2el_mean": "2500 ms"}},
	} {
		r := &fixture.ReadText(t, strings.NewReplacer("SIZE", c.size, "UNIT", c.unit).Replace(report)).Results[0]
		fixture.Same(t, r, c.want)
	}
}

func TestCorpusEvalScope(t *testing.T) {
	fixture.CheckFigures(t, "vllm-serve-text/evalscope-compares-with-vllm-bench.md", 1, "duration=9.4961 s", "requests_completed=1000 1", "requests_failed=0 1",
		"output_throughput=10530.7 tok/s", "total_throughput=21061.2 tok/s", "request_throughput=105.307 req/s", "e2el_mean=466.3 ms",
		"ttft_mean=113.1 ms", "tpot_mean=3.6 ms", "itl_mean=3.7 ms", "ttft_p50=94.9 ms", "ttft_p99=430.2 ms", "tpot_p99=5.9 ms",
		"itl_p99=14.1 ms", "e2el_p99=816.1 ms", "itl_p10=none", "max_concurrency:50", "request_rate:inf", "num_prompts:1000")
	// vLLM's own output for the same server is read as vLLM's.
	fixture.CheckFigures(t, "evalscope/vllm-bench-same-run.txt", 0, "output_throughput=10808.22 tok/s", "ttft_mean=73.18 ms")
	// The data of the web page is not the output of a run.
	out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "evalscope/perf-single-run.json"))
	if len(out.Results) != 0 || out.Reason.IsZero() {
		t.Errorf("%d results of a web fixture, reason %q", len(out.Results), out.Reason)
	}
}

// TestEvalScopeUnits checks that the same metric is read in seconds and in milliseconds, and that there is no time to
// first token without streaming.
func TestEvalScopeUnits(t *testing.T) {
	const old = `{"Time taken for tests (s)": 10, "Succeed requests": 5, "Average latency (s)": 2.5, "Average time to first token (s)": 0.25, "Average time per output token (s)": 0.0125}`
	const now = `{"Test Duration (s)": 10, "Success Requests": 5, "Avg Latency (s)": 2.5, "TTFT (ms)": 250, "TPOT (ms)": 12.5}`
	const whole = `{"Test Duration (s)": 10, "Success Requests": 5, "Avg Latency (s)": 2.5, "TTFT (ms)": 2500, "TPOT (ms)": 0}`
	const first = `{"Time taken for tests (s)": 10, "Succeed requests": 5, "Throughput(average tokens/s)": 80, "Average latency (s)": 2.5, "Average time to first token (s)": 0.25, "Average time per output token (s)": 0.0125}`
	streamed := map[string]string{"e2el_mean": "2500 ms", "ttft_mean": "250 ms", "tpot_mean": "12.5 ms"}
	fixture.Same(t, &fixture.ReadText(t, old).Results[0], streamed)
	fixture.Same(t, &fixture.ReadText(t, now).Results[0], streamed)
	fixture.Same(t, &fixture.ReadText(t, whole).Results[0], map[string]string{"e2el_mean": "2500 ms", "ttft_mean": "", "tpot_mean": ""})
	fixture.Same(t, &fixture.ReadText(t, first).Results[0], map[string]string{"ttft_mean": "250 ms", "tpot_mean": "", "x_time_per_output_token_mean": "12.5 ms", "output_throughput": "80 tok/s"})
}

// TestAISBenchWithoutCountedPrompts checks that neither input tokens nor totals are read if AISBench did not count the
// tokens of prompts, as for images.
func TestAISBenchWithoutCountedPrompts(t *testing.T) {
	t.Parallel()
	r := fixture.One(t, `{"Benchmark Duration": {"total": "10200.5 ms"}, "Total Requests": {"total": 8}, "Success Requests": {"total": 8},
		"Total Input Tokens": {"total": 0}, "Prefill Token Throughput": {"total": "0.0 token/s"}, "Total Generated Tokens": {"total": 2000},
		"Input Token Throughput": {"total": "0.0 token/s"}, "Output Token Throughput": {"total": "196.0688 token/s"}, "Total Token Throughput": {"total": "196.0688 token/s"}}`)
	var names []string
	for _, m := range r.Metrics {
		names = append(names, m.Name)
	}
	if got := strings.Join(names, " "); got != "duration requests_completed output_tokens output_throughput" {
		t.Error(got)
	}
}

// TestTGITraps checks that the rate of prefill is not read as tokens if it counts requests, which have the same unit,
// and that percentiles of an unsorted list are not read.
func TestTGITraps(t *testing.T) {
	const run = "| Sequence Length | 10 |\n| Decode Length | 8 |\n\n" +
		"| Step | Batch Size | Average | Lowest | Highest | p50 | p90 | p99 |\n|---|---|---|---|---|---|---|---|\n" +
		"| Prefill | 2 | 40.00 ms | 39.00 ms | 41.00 ms | 40.00 ms | 41.00 ms | 41.00 ms |\n" +
		"| Decode (token) | | 30.00 ms | 29.00 ms | 31.00 ms | 30.00 ms | 29.00 ms | 29.00 ms |\n\n" +
		"| Step | Batch Size | Average | Lowest | Highest |\n|---|---|---|---|---|\n| Prefill | 2 | RATE tokens/secs | 1.00 tokens/secs | 2.00 tokens/secs |\n"
	for rate, want := range map[string]map[string]string{
		"50.10":  {"x_prefill_request_throughput": "50.10 req/s", "x_batch_prefill_throughput": "", "prefill_throughput": ""},
		"500.20": {"x_prefill_request_throughput": "", "x_batch_prefill_throughput": "500.20 tok/s", "prefill_throughput": ""},
		"123.00": {"x_prefill_request_throughput": "", "x_batch_prefill_throughput": "", "prefill_throughput": ""},
	} {
		r := &fixture.ReadText(t, strings.Replace(run, "RATE", rate, 1)).Results[0]
		fixture.Same(t, r, want)
		fixture.Same(t, r, map[string]string{"ttft_p99": "41.00 ms", "tpot_mean": "30.00 ms", "tpot_p99": "", "tpot_p50": ""})
		if r.Label("batch_size") != "2" {
			t.Errorf("a batch of %q", r.Label("batch_size"))
		}
	}
}

// TestMLPerf checks that inferred token rates are not read as measured rates, that invalid results get a label, that
// summaries without a title are read, and that a page's example and the log of events have no results.
func TestMLPerf(t *testing.T) {
	const head = "================================================\nMLPerf Results Summary\n================================================\nSUT name : s\n"
	const tail = "Mean latency (ns) : 5000000\nTest Parameters Used\n"
	offline := &fixture.ReadText(t, head+"Scenario : Offline\nSamples per second: 2.5\nTokens per second (inferred): 90\nResult is : VALID\n"+tail).Results[0]
	fixture.Same(t, offline, map[string]string{"request_throughput": "2.5 req/s", "output_throughput": "", "e2el_mean": "", "x_offline_latency_mean": "5.000000 ms"})
	server := &fixture.ReadText(t, head+"Scenario : Server\nCompleted tokens per second: 90.5\nResult is : INVALID\n"+tail).Results[0]
	fixture.Same(t, server, map[string]string{"output_throughput": "90.5 tok/s", "e2el_mean": "5.000000 ms"})
	if server.Label("x_result") != "INVALID" {
		t.Errorf("an invalid result is %q", server.Label("x_result"))
	}
	_, untitled, _ := strings.Cut(head, "Summary\n")
	both := fixture.ReadText(t, untitled+"Scenario : Offline\nSamples per second: 2.5\n"+tail+untitled+"Scenario : Server\nCompleted tokens per second: 90.5\n"+tail).Results
	if len(both) != 2 || both[0].Label("x_scenario") != "Offline" || both[1].Label("x_scenario") != "Server" || both[1].Label("x_sut_name") != "s" {
		t.Errorf("without titles %+v", both)
	}
	for _, none := range []string{
		head + "Scenario : Server\nCompleted tokens per second: 41.2\nResult is : VALID/INVALID\n",
		":::MLLOG {\"key\": \"result_validity\", \"value\": \"VALID\", \"time_ms\": 12.5}\n",
	} {
		if out := fixture.ReadText(t, none); len(out.Results) != 0 || locale.English(out.Reason) == "no known format" {
			t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
		}
	}
}

// TestGoBenchLookalikes checks that prose that begins like a row of a benchmark is not read.
func TestGoBenchLookalikes(t *testing.T) {
	for _, line := range []string{
		"Benchmark 1 took 300 ns/op\n",
		"Benchmarking summary: 12 ns/op\n",
		"BenchmarkX-8 100 fast ns/op\n",
		"BenchmarkX-8 1.5 300 ns/op\n",
		"BenchmarkX-8 100 NaN ns/op\n",
		"BenchmarkX-8 100 300 ns/op 12\n",
	} {
		if out := fixture.ReadText(t, line); len(out.Results) != 0 {
			t.Errorf("%q was read", line)
		}
	}
}

// TestMLPerfMultiStream checks that MultiStream gives only latencies of whole queries.
func TestMLPerfMultiStream(t *testing.T) {
	t.Parallel()
	const rule = "================================================\n"
	r := fixture.One(t, rule+"MLPerf Results Summary\n"+rule+"SUT name : PySUT\nScenario : MultiStream\nMode     : PerformanceOnly\n99th percentile latency (ns) : 731735\nResult is : VALID\n\n"+
		rule+"Additional Stats\n"+rule+"Per-query latency:\nMean latency (ns)                : 690000\n99.00 percentile latency (ns)   : 731735\n")
	if m, ok := r.Metric("x_query_latency_mean"); !ok || m.Text()+" "+m.Unit != "0.690000 ms" {
		t.Errorf("mean is %s %s", m.Text(), m.Unit)
	}
}

// TestHTTPLoad checks that reports on HTTP requests give a reason why they are not read, while a script that contains
// their names does not.
func TestHTTPLoad(t *testing.T) {
	for text, tool := range map[string]string{
		"Type     Name          # reqs      # fails |    Avg     Min     Max    Med |   req/s  failures/s\nPOST     /v1/completions   150     0(0.00%) |   1350     750    3125   1300 |    5.25        0.00\n": "locust",
		"http_req_duration..............: avg=2.25s min=1.05s med=2.15s\n":                 "k6",
		"  Thread Stats   Avg      Stdev     Max   +/- Stdev\nRequests/sec:     18.25\n":   "wrk",
		"Summary:\n  Requests/sec:	40.5000\n\nResponse time histogram:\n  0.105 [1]   |\n": "oha",
		"export const options = { thresholds: { http_req_duration: ['p(95)<500'] } };\n":   "",
	} {
		out := fixture.ReadText(t, text)
		if reason := locale.English(out.Reason); len(out.Results) != 0 || strings.Contains(reason, "HTTP requests") != (tool != "") || !strings.Contains(reason, tool) {
			t.Errorf("%q: %d results, reason %q", text, len(out.Results), reason)
		}
	}
}
