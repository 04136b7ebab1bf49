package loadgen_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestInferencePerfCorpus(t *testing.T) {
	fixture.CheckFigures(t, "inference-perf/stage2-vllm-eagle.json", 0,
		"output_throughput=2191.22 tok/s", "input_throughput=7015.2215 tok/s", "total_throughput=9206.4464 tok/s", "request_throughput=34.807943 req/s",
		"ttft_mean=40.272149 ms", "ttft_p50=39.186919 ms", "ttft_p99=53.849165 ms", "ttft_p99_9=153.196228 ms", "ttft_max=1055.340385 ms",
		"tpot_mean=7.502280 ms", "itl_mean=7.509485 ms", "itl_p50=0.040166 ms", "e2el_mean=895.064963 ms", "tpot_incl_ttft_mean=14.319311 ms",
		"requests_completed=2119 1", "requests_failed=0 1", "request_rate:35.33", "max_concurrency:",
		"x_mean_output_len=62.951864 tok", "output_tokens=133395 tok", "input_tokens=427065 tok", "duration=60.8769 s")
	fixture.CheckFigures(t, "inference-perf/stage6-vllm.json", 0,
		"output_throughput=6431.06 tok/s", "ttft_mean=2943.244268 ms", "ttft_p50=2886.545159 ms", "ttft_p99=3347.431583 ms",
		"tpot_mean=9.292918 ms", "itl_mean=9.292893 ms", "itl_p50=0.048495 ms", "e2el_mean=4143.004814 ms", "requests_completed=11002 1", "requests_failed=0 1",
		"request_rate:183.38", "x_achieved_rate=106.547597 req/s",
		"tpot_incl_ttft_mean=none") // a request without tokens counts as 0
	fixture.CheckFigures(t, "inference-perf/summary-vllm-batchsize.json", 0,
		"output_throughput=4646.50 tok/s", "ttft_mean=1543.453612 ms", "ttft_p50=2106.196198 ms", "ttft_p99=2739.560961 ms",
		"tpot_mean=11.391460 ms", "itl_p50=0.047093 ms", "e2el_mean=3014.152930 ms", "requests_completed=47002 1", "requests_failed=0 1",
		"request_rate:", "output_tokens=2952808 tok")
	fixture.CheckFigures(t, "inference-perf/summary-prometheus-vllm.json", 0,
		"requests_completed=81418 1", "output_throughput=7730.933732 tok/s", "input_throughput=24647.005411 tok/s", "request_throughput=120.799209 req/s",
		"ttft_mean=2063.155 ms", "ttft_p50=3053.933 ms", "ttft_p99=4961.079 ms", "tpot_mean=17.29 ms", "e2el_mean=3152.401 ms", "e2el_p99=4962.979 ms",
		"x_mean_input_len=none", "x_mean_output_len=none", "duration=none", "x_view:server")
}

// TestInferencePerfPrometheusZeros checks that zeros in a report from Prometheus are read as missing: counters that the
// server does not have, and the duration.
func TestInferencePerfPrometheusZeros(t *testing.T) {
	r := fixture.Only(t, `{"benchmark_time_seconds": 0.0, "load_summary": {}, "successes": {"count": 9, "rate": 0, "prompt_len": {"mean": 0, "rate": 0},
 "time_to_first_token": {"mean": 0, "median": 0, "p99": 0}, "request_latency": {"mean": 2.5, "median": 2.25}}, "failures": {}}`)
	fixture.Has(t, r, "requests_completed=9 1", "request_throughput=none", "input_throughput=none", "ttft_mean=none", "ttft_p99=none",
		"e2el_mean=2500 ms", "e2el_p50=2250 ms", "duration=none")
}

// TestInferencePerfMissing checks that statistics of tokens are missing without streaming, where they are null, and
// that a run without a successful request is failed.
func TestInferencePerfMissing(t *testing.T) {
	r := fixture.Only(t, `{"load_summary": {"count": 2}, "successes": {"count": 2, "latency": {"request_latency": {"mean": 1.5}, "time_to_first_token": null,
 "inter_token_latency": null}, "throughput": {"requests_per_sec": 0.5, "output_tokens_per_sec": 0.0}}, "failures": {"count": 1}}`)
	fixture.Has(t, r, "e2el_mean=1500 ms", "ttft_mean=none", "itl_mean=none", "duration=4 s", "output_tokens=none", "requests_failed=1 1")
	r = fixture.Only(t, `{"successes": {"count": 0, "latency": {"request_latency": null}}, "failures": {"count": 3}}`)
	if r.Status != result.Failed {
		t.Errorf("no request succeeded, and the run is %v", r.Status)
	}
}

// TestInferencePerfRequestsCut checks that a file of requests that was cut off gives a partial result of those before.
func TestInferencePerfRequestsCut(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "fixtures", "inference-perf-requests.json"))
	if err != nil {
		t.Fatal(err)
	}
	whole := string(data)
	second := strings.Index(whole, `"start_time": 5001`)
	r := fixture.Only(t, whole[:second+len(`"start_time": 5001`)])
	fixture.Has(t, r, "requests_completed=1 1", "tpot_mean=62.5 ms")
	if r.Status != result.Partial {
		t.Errorf("what broke off is %v", r.Status)
	}
	if r := fixture.Only(t, whole[:strings.LastIndex(whole, "]")]); r.Status != result.Partial {
		t.Errorf("a list without its end is %v", r.Status)
	}
}
