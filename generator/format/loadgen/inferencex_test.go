package loadgen_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestInferenceXCorpus(t *testing.T) {
	fixture.CheckFigures(t, "inferencex/agg-kimik25-1k1k-mi355x-mtp-conc4.json", 0,
		"output_throughput_per_accelerator=27.678 tok/s", "output_throughput=221.42 tok/s", "total_throughput=445.0136 tok/s",
		"ttft_mean=317.0863 ms", "ttft_p99=585.9901 ms", "ttft_p99_9=659.1278 ms", "tpot_mean=17.294129 ms", "itl_mean=48.698899 ms", "e2el_mean=16175.8824 ms",
		"interactivity=57.823093 tok/s/user", "x_interactivity_std=none", "x_std_intvty=none",
		"max_concurrency:4", "input_len:1024", "output_len:1024", "model_raw:moonshotai/Kimi-K2.5", "engine:vllm", "engine_version:0.21.0",
		"quantization:INT4", "accelerators:8", "parallelism:tp8", "gpu:mi355x", "speculative_decoding:mtp", "dp_attention:false")
	fixture.CheckFigures(t, "inferencex/agg-kimik25-8k1k-mi355x-mtp-conc64.json", 0,
		"output_throughput_per_accelerator=26.013 tok/s", "output_throughput=208.10 tok/s", "ttft_mean=3538.8 ms", "ttft_p99=25793.9 ms", "tpot_mean=300.136 ms",
		"max_concurrency:64", "input_len:8192", "output_len:1024")
	fixture.CheckFigures(t, "inferencex/log-trace-replay-b200.log", 0,
		"output_throughput=280 tok/s", "input_throughput=7764 tok/s", "ttft_mean=2490 ms", "ttft_p50=720 ms", "ttft_p95=5260 ms", "ttft_max=58050 ms",
		"requests_completed=182 1", "duration=1860.1 s", "x_peak_concurrent_users=11 1", "x_peak_working_set=1285504 tok", "x_workload_cache_hit_rate=95.3 %",
		"model_raw:nvidia/DeepSeek-R1-0528-FP4", "max_concurrency:8", "date:2026-04-21T05:05:53")
}

// TestInferenceXTokenPositions reads the files of an experiment of the client with positions of tokens. It saves the
// keys of vLLM's client in seconds, and is read as vLLM's.
func TestInferenceXTokenPositions(t *testing.T) {
	fixture.CheckFigures(t, "dirs/infx-tokenpos-glm5/results/glm5_fp8_vllm_tp8_isl10240_osl128_conc16.json", 0,
		"ttft_p50=3138.2447 ms", "output_throughput=95.41597717 tok/s", "requests_completed=160 1")
	if out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "lookalikes", "infx-tokenpos-seconds.json")); out.Results[0].Format != "vllm-serve-json" {
		t.Errorf("read as %s", out.Results[0].Format)
	}
}

// TestInferenceXGPUs checks that the system's rate is computed from the rate per GPU only if the number of GPUs by
// which it was divided is known.
func TestInferenceXGPUs(t *testing.T) {
	for shape, want := range map[string][]string{
		`"tp": 8`: {"output_throughput=800 tok/s", "output_throughput_per_accelerator=100 tok/s"},
		`"tp": 4, "ep": 4, "dp_attention": "true"`:       {"output_throughput=400 tok/s", "output_throughput_per_accelerator=100 tok/s"},
		`"tp": 2, "pp": 2, "pcp_size": 2, "dcp_size": 2`: {"output_throughput=800 tok/s"},
		`"is_multinode": true, "num_prefill_gpu": 12, "num_decode_gpu": 8, "tp": 4`: {"output_throughput=800 tok/s",
			"output_throughput_per_accelerator=40 tok/s", "x_output_tput_per_decode_gpu=100 tok/s/GPU", "total_throughput=6000 tok/s"},
		`"is_multinode": true, "num_prefill_gpu": 8, "num_decode_gpu": 0`: {"output_throughput=800 tok/s", "output_throughput_per_accelerator=100 tok/s"},
		`"is_multinode": true, "tp": 4`:                                   {"output_throughput=none", "output_throughput_per_accelerator=none", "x_output_tput_per_gpu=100 tok/s/GPU"},
		`"ep": 8`:                                                         {"output_throughput=none", "x_output_tput_per_gpu=100 tok/s/GPU"},
	} {
		r := fixture.Only(t, fmt.Sprintf(`{"hw": "h", "conc": 2, %s, "tput_per_gpu": 300.0, "output_tput_per_gpu": 100.0, "mean_ttft": 1.5}`, shape))
		fixture.Has(t, r, append(want, "ttft_mean=1500 ms")...)
	}
}

// TestInferenceXFlatReplay checks the flat schema for agents' traces: its ITL is the time per output token, its rates
// are those of the system, and power is read if it is valid.
func TestInferenceXFlatReplay(t *testing.T) {
	r := fixture.Only(t, `{"hw": "h", "conc": 2, "tp": 4, "scenario_type": "agentic-coding", "output_tput_per_gpu": 25.0, "output_tput_tps": 100.0,
 "mean_itl": 0.02, "mean_tpot": 0.02, "power_valid": 1, "avg_total_gpu_power_w": 900.5, "avg_power_w": 225.125}`)
	fixture.Has(t, r, "itl_mean=none", "tpot_mean=20 ms", "output_throughput=100 tok/s", "power_mean=900.5 W", "x_avg_power_per_gpu=225.125 W")
	if r.Label("power_scope") != "gpu" {
		t.Error("the scope of the power is not told")
	}
}

// TestInferenceXReplay checks that a log that was cut off gives the figures of the whole run in its last period, and
// that a log in which no request was completed gives no result.
func TestInferenceXReplay(t *testing.T) {
	line := func(text string) string { return "[2026-05-02 08:00:00,101] INFO - " + text + "\n" }
	head := line("Trace Replay Performance Tester v1.0") + line("Assessment Period 1")
	done := line("  TTFT (cumulative): avg=0.75s | p50=0.70s | p95=1.10s | p99=1.20s (6 reqs)") +
		line("  Throughput: 0 input tok/s | 5 output tok/s") + line("  Throughput (cumulative): 2,048 input tok/s | 96 output tok/s | 0.20 req/s")
	r := fixture.Only(t, head+done)
	fixture.Has(t, r, "ttft_p99=1200 ms", "requests_completed=6 1", "output_throughput=96 tok/s", "input_throughput=2048 tok/s", "request_throughput=0.20 req/s")
	if r.Status != result.Partial {
		t.Errorf("a run without its end is %v", r.Status)
	}
	none := strings.NewReplacer("0.75s", "0.00s", "(6 reqs)", "(0 reqs)").Replace(head + done)
	if out := fixture.ReadText(t, none); len(out.Results) != 0 {
		t.Errorf("nothing completed gives %d results", len(out.Results))
	}
}
