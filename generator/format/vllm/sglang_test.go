package vllm_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// TestCorpusSGLangText reads every block of the pages in the corpus, and compares the first and the last with the
// manifest.
func TestCorpusSGLangText(t *testing.T) {
	for _, s := range fixture.Manifest(t, "sglang-serving-text") {
		t.Run(filepath.Base(s.File), func(t *testing.T) {
			out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
			for _, m := range out.Messages {
				t.Errorf("a message on a sound file: %v", m)
			}
			fields := strings.Split(s.Expected, "; ")
			blocks, _ := strings.CutPrefix(fields[0], "blocks=")
			if strconv.Itoa(len(out.Results)) != blocks {
				t.Fatalf("%d results, not %s", len(out.Results), blocks)
			}
			for _, field := range fields[1:] {
				key, value, _ := strings.Cut(field, "=")
				r := &out.Results[0]
				if rest, last := strings.CutPrefix(key, "last."); last {
					key, r = rest, &out.Results[len(out.Results)-1]
				}
				fixture.Expect(t, r, key, value)
			}
			for i := range out.Results {
				r := &out.Results[i]
				fixture.Sound(t, r)
				if r.Tool != "sglang-serving" || r.Status != result.Complete || len(r.Checks) > 0 {
					t.Errorf("line %d: %s, %v, checks %v", r.Source.Line, r.Tool, r.Status, r.Checks)
				}
			}
		})
	}
}

func TestCorpusSGLangTextFigures(t *testing.T) {
	const page = "sglang-serving-text/v0.5.6-cookbook-deepseek-r1-9-blocks.md"
	fixture.CheckFigures(t, page, 0, "model_raw:deepseek-ai/DeepSeek-R1-0528", "dataset:random", "input_len:1000", "output_len:1000", // from the command
		"num_prompts:10", "max_concurrency:1", "request_rate:inf", "engine:sglang",
		"effective_concurrency=1.00 1", "peak_concurrency=2 1", "peak_output_throughput=110.00 tok/s",
		"x_total_generated_tokens_retokenized=4205 tok", "e2el_p50=3207.53 ms", "tpot_p99=9.21 ms", "itl_p95=9.47 ms", "itl_max=15.45 ms")
	fixture.CheckFigures(t, "sglang-serving-text/v0.5.x-cookbook-glm-5.md", 1, "acceptance_length=3.50 tok", "e2el_p90=57009.82 ms")
	fixture.CheckFigures(t, "sglang-serving-text/v0.5.x-cookbook-gemma4-20-blocks.md", 1, "dataset:image", "x_total_input_vision_tokens=5340 tok",
		"input_len:", "output_len:")
	fixture.CheckFigures(t, "sglang-serving-text/diffusion-qwen-image-partial.md", 1, "requests_completed=14 1", "requests_failed=6 1",
		"e2el_mean=154536.8 ms", "e2el_p99=285460.3 ms", "request_rate:inf", "max_concurrency:20", "model_raw:Qwen/Qwen-Image",
		"dataset:vbench", "x_task:text-to-image", "x_peak_memory_max=48030310000 B", "output_throughput=none", "ttft_mean=none")
	fixture.CheckFigures(t, "sglang-serving-text/sglang-gateway-golang-benchmark.md", 1, "request_rate:20", "output_throughput=686.35 tok/s")
}

func TestCorpusSGLangJSONL(t *testing.T) {
	for _, s := range fixture.Manifest(t, "sglang-serving-jsonl") {
		t.Run(filepath.Base(s.File), func(t *testing.T) {
			out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File))
			docs, fields := "1", strings.Split(s.Expected, "; ")
			if n, several := strings.CutPrefix(fields[0], "docs="); several {
				docs, fields = n, fields[1:]
			}
			if strconv.Itoa(len(out.Results)) != docs || len(out.Messages) > 0 {
				t.Fatalf("%d results, not %s; messages %v", len(out.Results), docs, out.Messages)
			}
			for _, field := range fields {
				key, value, _ := strings.Cut(field, "=")
				r := &out.Results[0]
				if rest, last := strings.CutPrefix(key, "last."); last {
					key, r = rest, &out.Results[len(out.Results)-1]
				}
				fixture.Expect(t, r, key, value)
			}
			for i := range out.Results {
				fixture.Sound(t, &out.Results[i])
			}
		})
	}
	fixture.CheckFigures(t, "sglang-serving-jsonl/v0.4.0-h200-deepseek-dp-mla.jsonl", 0, "dataset:random", "input_len:1", "output_len:512",
		"random_range_ratio:1", "backend:sglang", "engine:sglang", "model_raw:", "input_tokens=10000 tok", "output_tokens=5120000 tok",
		"x_total_generated_tokens_retokenized=5115342 tok", "e2el_p50=374559.58758 ms", "itl_p50=371.844899 ms", "ttft_mean=none")
}

// TestSGLangUnits checks that keys of July 2024, which have no unit in their names, are read in milliseconds. Keys with
// the same names in vLLM's files are in seconds.
func TestSGLangUnits(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{`{"backend": "sglang", "total_output_retokenized": 9, "output_token_throughput": 5.5, "median_ttft": 88.5, "mean_e2e_latency": 1200.0, "benchmark_duration": 2}`,
			"output_throughput=5.5 tok/s; ttft_p50=88.5 ms; e2el_mean=1200 ms; duration=2 s"},
		{`{"backend": "sglang", "total_output_tokens_retokenized": 9, "output_throughput": 5.5, "median_ttft_ms": 88.5, "total_throughput": 7, "concurrency": 3.5}`,
			"output_throughput=5.5 tok/s; ttft_p50=88.5 ms; total_throughput=7 tok/s; effective_concurrency=3.5 1"},
		{fixture.Object(`"median_ttft": 0.0885`), "ttft_p50=88.5 ms"},
	} {
		if got := fixture.Figures(fixture.One(t, test.text), fixture.NamesOf(test.want)...); got != test.want {
			t.Errorf("%s\ngot  %s\nwant %s", test.text, got, test.want)
		}
	}
}

// TestSGLangLengths checks that only the lengths of the dataset that was used are read, although the object has those
// of all datasets.
func TestSGLangLengths(t *testing.T) {
	const lengths = `"sharegpt_output_len": 200, "random_input_len": 1024, "random_output_len": 512, "random_range_ratio": 0.5`
	for dataset, want := range map[string]string{
		"random":                  "dataset=random input_len=1024 output_len=512 random_range_ratio=0.5",
		"random-ids":              "dataset=random-ids input_len=1024 output_len=512 random_range_ratio=0.5",
		"sharegpt":                "dataset=sharegpt output_len=200",
		"generated-shared-prefix": "dataset=generated-shared-prefix",
	} {
		r := fixture.One(t, `{"dataset_name": "`+dataset+`", `+lengths+`, "total_output_tokens_retokenized": 1, "output_throughput": 2.5}`)
		if got := fixture.SettingsOf(r); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// TestOneBatchServerThroughput checks that the latency shows what an output throughput is, which depends on the
// version: 16 × 16 tokens in 0.8 s are 320 tokens per second.
func TestOneBatchServerThroughput(t *testing.T) {
	for rate, want := range map[string]string{
		"320.0":  "output_throughput=320.0 tok/s; decode_throughput=none",
		"321.5":  "output_throughput=321.5 tok/s; decode_throughput=none", // rounded
		"640.0":  "output_throughput=none; decode_throughput=640.0 tok/s",
		"-1":     "output_throughput=none; decode_throughput=none",
		`"none"`: "output_throughput=none; decode_throughput=none",
	} {
		r := fixture.One(t, `{"batch_size": 16, "input_len": 1024, "output_len": 16, "latency": 0.8, "overall_throughput": 20800.0, "output_throughput": `+rate+`}`)
		if got := fixture.Figures(r, "output_throughput", "decode_throughput"); got != want {
			t.Errorf("%s: got %s, want %s", rate, got, want)
		}
	}
}

func TestCorpusGenAIBench(t *testing.T) {
	// The output rate of the old file excludes the waits for first tokens: 3200 tokens in a minute are not 54.9 per
	// second.
	fixture.CheckFigures(t, "genai-bench/mock_run_data.json", 0, "max_concurrency:1", "x_traffic_scenario:D(100,100)", "input_len:100", "output_len:100",
		"x_mean_output_throughput=54.891401311421 tok/s", "output_throughput=none", "total_throughput=101.715157 tok/s",
		"request_throughput=0.53332542 req/s", "duration=60.00089 s", "requests_completed=32 1", "requests_failed=0 1",
		"input_tokens=2903 tok", "output_tokens=3200 tok", "x_mean_input_len=90.71875 tok",
		"ttft_mean=52.35532717779 ms", "ttft_p99=472.345793899 ms", "ttft_std=110.849242115 ms", "tpot_mean=17.9120868997 ms",
		"e2el_p50=1821.252558380 ms", "e2el_max=2530.956199393 ms", "output_throughput_per_user=55.8308934135 tok/s")
	out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "genai-bench", "mock_experiment_data.json"))
	for name, want := range map[string]string{"engine": "sglang", "engine_version": "v0.6.0", "gpu": "H100", "accelerators": "4",
		"model_raw": "Meta-Llama-3.1-70B-Instruct", "backend": "openai", "tool_version": ""} {
		if got := out.Captured.Get(name); got != want {
			t.Errorf("%s is %q, not %q", name, got, want)
		}
	}
	if out.Capture != "genai-bench-metadata-json" || len(out.Results) != 0 {
		t.Errorf("%q, %d results", out.Capture, len(out.Results))
	}
}

// TestLookalikesOfSGLang checks that other objects and texts that share a few words with SGLang's are not read.
func TestLookalikesOfSGLang(t *testing.T) {
	for _, text := range []string{
		`{"total_latency": 3.5, "name": "x"}`,
		`{"successful_requests": 12, "failed": 3}`,
		`{"overall_throughput": 12.5, "latency": 3}`,
		`{"aggregated_metrics": {"f1": 0.5}}`,
		`{"server_gpu_type": "H100"}`,
		"batch size: 16\nlearning rate: 0.1\n",
		"Warmup ...\nBenchmark ...\ndone\n",
		"Prefill. latency: x s, throughput: y token/s\n",
	} {
		if out := fixture.Read(t, text); len(out.Results)+len(out.Captured) != 0 || out.Reason.IsZero() {
			t.Errorf("%q gives %d results, reason %q", text, len(out.Results), out.Reason)
		}
	}
}
