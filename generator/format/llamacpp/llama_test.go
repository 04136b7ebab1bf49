package llamacpp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// TestCorpusLlama checks the samples of llama.cpp and its relatives: the number of results in each, and figures of some
// results. The figures are from the manifest, or were read off by eye.
func TestCorpusLlama(t *testing.T) {
	type figures map[int][]string // by index
	samples := []struct {
		file    string
		results int
		want    figures
	}{
		{"llama-bench/csv-b1275-rtx3090ti-2023.csv", 2, figures{ // 27 values for 26 names
			0: {"prefill_throughput=2413.341687 tok/s", "x_prefill_throughput_std=8.305961 tok/s", "x_avg_ns=212155977 ns",
				"x_cuda:1", "x_opencl:0", "x_metal:0", "x_gpu_blas:1", "gpu:NVIDIA GeForce RTX 3090 Ti", "threads:16", "gpu_layers:99",
				"input_len:512", "output_len:", "quantization:Q4_0", "model_raw:models/7B/ggml-model-q4_0.gguf", "date:2023-09-23T12:09:01Z"},
			1: {"decode_throughput=132.052051 tok/s", "x_decode_throughput_std=0.371342 tok/s", "output_len:128", "x_test:tg128"},
		}},
		{"llama-bench/csv-b6321-fork-with-ttft-columns.csv", 2, figures{
			0: {"prefill_throughput=81.102409 tok/s", "ttft_mean=none", "ttft_std=none", "tpot_mean=none", "e2el_mean=6313.008195 ms"},
			1: {"decode_throughput=23.230240 tok/s", "x_decode_throughput_std=0.280041 tok/s", "ttft_mean=42.929458 ms", "tpot_mean=43.053333 ms",
				"tpot_std=0.522383 ms", "e2el_mean=5510.702782 ms", "quantization:IQ4_XS", "engine_version:b6321-69f7e7116"},
		}},
		{"llama-bench/json-b1275-rtx3090ti-2023.json", 2, figures{
			0: {"prefill_throughput=2410.974041 tok/s", "x_prefill_throughput_std=11.163766 tok/s", "x_repetitions:5", "x_cuda:1", "x_metal:0"},
			1: {"decode_throughput=130.965708 tok/s", "x_decode_throughput_std=1.238924 tok/s", "engine:llama.cpp", "engine_version:b1275-3469684"},
		}},
		{"llama-bench/jsonl-b6865-gptoss20b-rep1.jsonl", 10, figures{ // with one repetition there is no spread
			0: {"prefill_throughput=1472.012844 tok/s", "x_prefill_throughput_std=none", "x_test:pp512", "context_depth:0", "x_repetitions:1"},
			1: {"decode_throughput=49.924186 tok/s", "x_test:tg128", "quantization:F16"},
			2: {"prefill_throughput=1387.579598 tok/s", "x_test:pp512 @ d1024", "context_depth:1024", "input_len:512"},
			3: {"decode_throughput=49.269793 tok/s", "context_depth:1024"},
			4: {"prefill_throughput=1175.717826 tok/s", "context_depth:4096"},
			5: {"decode_throughput=48.147182 tok/s", "context_depth:4096"},
			9: {"decode_throughput=34.758679 tok/s", "context_depth:65536", "flash_attention:true"},
		}},
		{"llama-bench/jsonl-single-row.jsonl", 1, figures{
			0: {"decode_throughput=192.744119 tok/s", "quantization:Q4_K_M", "x_model_type:llama 1B Q4_K - Medium"},
		}},
		{"llama-bench/md-multi-table-vulkan-7900xtx.txt", 6, figures{
			0: {"prefill_throughput=3229.07 tok/s", "x_prefill_throughput_std=53.81 tok/s", "logical_batch_size:512", "gpu_layers:100", "flash_attention:true",
				"engine_version:b7361-a81a56957", "gpu:AMD Radeon RX 7900 XTX (RADV NAVI31) (radv)", "backend:Vulkan"},
			1: {"decode_throughput=150.97 tok/s", "x_decode_throughput_std=0.05 tok/s"},
			2: {"prefill_throughput=3290.92 tok/s", "x_prefill_throughput_std=37.67 tok/s"},
			3: {"decode_throughput=172.86 tok/s", "x_decode_throughput_std=0.23 tok/s"},
			4: {"prefill_throughput=2546.13 tok/s", "x_prefill_throughput_std=18.25 tok/s",
				"gpu:AMD Radeon RX 7900 XTX (RADV NAVI31) (radv), AMD Radeon RX 7900 XTX (RADV NAVI31) (radv)"},
			5: {"decode_throughput=129.80 tok/s", "x_decode_throughput_std=0.34 tok/s"},
		}},
		{"llama-bench/md-old-style-test-names.md", 40, figures{ // the manifest counts 39, without the row that two bars close
			0:  {"decode_throughput=132.19 tok/s", "x_decode_throughput_std=0.55 tok/s", "x_test:tg128", "quantization:Q4_0"},
			1:  {"decode_throughput=129.37 tok/s", "output_len:256"},
			2:  {"decode_throughput=123.83 tok/s", "output_len:512"},
			3:  {"decode_throughput=82.17 tok/s", "model_raw:llama 13B mostly Q4_0"},
			4:  {"decode_throughput=80.74 tok/s"},
			5:  {"decode_throughput=78.08 tok/s", "x_decode_throughput_std=0.07 tok/s"},
			6:  {"prefill_throughput=1436.51 tok/s", "logical_batch_size:128", "input_len:1024", "gpu_layers:99"},
			10: {"prefill_throughput=6.17 tok/s", "threads:1", "gpu_layers:", "backend:CPU"},
			21: {"decode_throughput=16.41 tok/s", "threads:32"}, // closed by two bars
			39: {"decode_throughput=131.42 tok/s", "x_decode_throughput_std=0.59 tok/s"},
		}},
		{"llama-bench/md-vulkan-7900xtx-first-run.txt", 12, figures{
			0:  {"prefill_throughput=490.97 tok/s", "flash_attention:false", "engine_version:b7356-34ce48d97"},
			1:  {"decode_throughput=86.06 tok/s"},
			2:  {"prefill_throughput=644.10 tok/s", "flash_attention:true"},
			3:  {"decode_throughput=129.07 tok/s"},
			4:  {"prefill_throughput=152.35 tok/s"},
			5:  {"decode_throughput=32.04 tok/s"},
			11: {"max_concurrency:1", "output_len:128"},
		}},
		{"llama-batched-bench/md-a100-llama7b.md", 12, figures{
			0: {"prefill_throughput=1186.64 tok/s", "decode_throughput=41.57 tok/s", "total_throughput=80.32 tok/s", "ttft_mean=108 ms",
				"duration=3.187 s", "batch_size:1", "input_tokens=128 tok", "output_tokens=128 tok", "model_raw:"}, // the file does not say which command it was
			5: {"decode_throughput=465.40 tok/s", "batch_size:32", "max_concurrency:32", "ttft_mean=3408 ms", "tpot_mean=68.758 ms",
				"input_tokens=4096 tok", "output_tokens=4096 tok", "total_throughput=670.96 tok/s", "output_throughput=335.490 tok/s"},
			11: {"decode_throughput=426.15 tok/s", "output_len:256", "e2el_mean=22633 ms"},
		}},
		{"llama-sweep-bench/log-full-load-qwen3-235b.log", 32, figures{ // lines end in CR LF
			0: {"prefill_throughput=15.56 tok/s", "decode_throughput=14.26 tok/s", "context_depth:0", "input_len:512", "output_len:128",
				"threads:48", "gpu_layers:-1", "ttft_mean=none", "x_t_pp=32900 ms",
				"model_raw:/mnt/srv/slush/gguf/Qwen3-235B-A22B-GGUF-ik-llama/Qwen3-235B-A22B-mix-IQ6_K-00001-of-00005.gguf"},
			31: {"prefill_throughput=13.65 tok/s", "decode_throughput=7.77 tok/s", "context_depth:15872", "input_len:512", "output_len:128"},
		}},
		{"llama-sweep-bench/md-and-jsonl-readme.md", 22, figures{
			0:  {"prefill_throughput=465.51 tok/s", "decode_throughput=55.38 tok/s", "context_depth:0"},
			16: {"prefill_throughput=233.15 tok/s", "decode_throughput=33.21 tok/s", "context_depth:8192"},
			17: {"prefill_throughput=468.086884 tok/s", "decode_throughput=71.897514 tok/s", "context_depth:0", "micro_batch_size:512"},
			21: {"prefill_throughput=376.291595 tok/s", "context_depth:2048"},
		}},
		{"llama-cli/perf_context_print-bitnet-cpu.log", 1, figures{ // not the 8521.84 of sampling
			0: {"prefill_throughput=21.02 tok/s", "decode_throughput=20.77 tok/s", "load_time=0.39049 s", "ttft_mean=380.52 ms", "tpot_mean=48.14 ms",
				"x_eval_time=6114.10 ms", "duration=6.53061 s", "e2el_mean=6530.61 ms", "input_tokens=8 tok", "x_eval_runs=127 ", "output_tokens=128 tok"},
		}},
		{"llama-cli/print_timings-bitnet-cpu.log", 1, figures{
			0: {"prefill_throughput=41.54 tok/s", "ttft_mean=96.29 ms", "decode_throughput=12.87 tok/s", "load_time=1.53060 s", "input_tokens=4 tok",
				"output_tokens=255 tok", "engine:llama.cpp", "engine_version:b3668-6c23618c"},
		}},
		{"llama-server/print_timings-xeon-amx.log", 1, figures{
			0: {"prefill_throughput=57.59 tok/s", "ttft_mean=336582.34 ms", "input_tokens=19383 tok", "decode_throughput=9.19 tok/s",
				"x_eval_time=42214.69 ms", "output_tokens=388 tok", "tpot_mean=108.80 ms", "e2el_mean=378797.03 ms", "duration=378.79703 s"},
		}},
		{"llama-server/print_timings-xeon-info-style.log", 2, figures{
			0: {"prefill_throughput=6.41 tok/s", "ttft_mean=197624.81 ms", "input_tokens=1266 tok", "decode_throughput=2.31 tok/s", "output_tokens=861 tok",
				"x_eval_time=372468.51 ms", "e2el_mean=570093.32 ms"},
			1: {"input_tokens=168 tok", "prefill_throughput=17.31 tok/s", "output_tokens=76 tok", "decode_throughput=2.91 tok/s", "e2el_mean=35864.19 ms"},
		}},
		{"llama-benchy/log-0.4.0-gptoss20b-dgxspark-chat.log", 6, figures{
			0: {"prefill_throughput=11792.96 tok/s", "max_concurrency:1", "x_est_ppt_mean=74.98 ms", "x_ttfr_mean=153.26 ms", "ttft_mean=216.94 ms",
				"tool_version:0.4.0", "date:2026-08-14T11:45:39", "x_latency_mode:generation", "model_raw:gpt-oss-20b-mxfp4"},
			1: {"decode_throughput=46.47 tok/s", "output_len:1024", "peak_output_throughput=48.00 tok/s", "ttft_mean=none"},
			3: {"decode_throughput=129.65 tok/s", "output_throughput_per_user=30.34 tok/s", "max_concurrency:5"},
			4: {"ttft_mean=1189.77 ms", "ttft_std=20.56 ms", "max_concurrency:10"},
			5: {"decode_throughput=180.39 tok/s", "output_throughput_per_user=24.06 tok/s", "x_peak_req_throughput=29.59 tok/s"},
		}},
		{"llama-benchy/sample-0.2.2.json", 2, figures{
			0: {"prefill_throughput=987.10 tok/s", "decode_throughput=49.98 tok/s", "max_concurrency:1", "input_len:2048", "output_len:32",
				"ttft_mean=2076.043 ms", "x_est_ppt_mean=2074.770 ms", "prefix_caching:true"},
			1: {"prefill_throughput=1968.50 tok/s", "decode_throughput=98.70 tok/s", "output_throughput_per_user=49.92 tok/s", "max_concurrency:2"},
		}},
	}
	covered := map[string]bool{}
	for _, s := range samples {
		covered[s.file] = true
		out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.file))
		if len(out.Results) != s.results {
			t.Errorf("%s: %d results, not %d", s.file, len(out.Results), s.results)
		}
		for i := range out.Results {
			fixture.Sound(t, &out.Results[i])
			if out.Results[i].Status != result.Complete {
				t.Errorf("%s, result %d: %v", s.file, i, out.Results[i].Status)
			}
		}
		for n, want := range s.want {
			fixture.CheckFigures(t, s.file, n, want...)
		}
	}
	for _, folder := range []string{"llama-bench", "llama-batched-bench", "llama-sweep-bench", "llama-cli", "llama-server", "llama-benchy"} {
		for _, s := range fixture.Manifest(t, folder) {
			if !covered[s.File] {
				t.Errorf("%s is not read by this test", s.File)
			}
		}
	}
}

// TestLlamaBenchInAnotherToolsPage reads a page with runs of another tool that has tables of llama-bench too.
func TestLlamaBenchInAnotherToolsPage(t *testing.T) {
	out := fixture.ReadSample(t, fixture.Shared(t, "corpus", "vllm-serve-text", "v0.10-strix-halo-11-blocks.md"))
	rates := map[string]string{}
	for _, r := range out.Results {
		if m, ok := r.Metric("prefill_throughput"); ok && r.Format == "llama-bench-md" {
			rates[m.Text()] = r.Label("quantization")
		}
	}
	for rate, quantization := range map[string]string{"878.31": "Q4_0", "972.75": "Q4_0", "873.74": "Q4_K_M", "958.96": "Q4_K_M",
		"859.40": "Q8_0", "944.45": "Q8_0", "1056.97": "F16", "1189.21": "F16"} {
		if rates[rate] != quantization {
			t.Errorf("%s t/s is of %q, not %q", rate, rates[rate], quantization)
		}
	}
	if len(rates) != 8 {
		t.Errorf("%d rows of prefill, not 8: %v", len(rates), rates)
	}
}

// TestLlamaLookalikes checks text that looks like a result and is not one, or of which no figure may be read.
func TestLlamaLookalikes(t *testing.T) {
	const table = "| model | size | params | backend | ngl | test | t/s |\n| --- | --- | --- | --- | --- | --- | --- |\n"
	for name, text := range map[string]string{
		"a header alone":                       table,
		"placeholders":                         table + "| your model | x GiB | y B | CUDA | 99 | pp512 | xxx.xx ± x.xx |\n",
		"a rate of zero":                       table + "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | 0.00 ± 0.00 |\n",
		"no number":                            table + "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | nan ± nan |\n",
		"a row that is being written":          table + "| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | 123",
		"another table":                        "| model | params | backend | speed |\n|---|---|---|---|\n| a | 7 B | CUDA | 12 |\n",
		"CSV without rows":                     "build_commit,build_number,n_prompt,n_gen,avg_ts,stddev_ts\n",
		"CSV of which values are missing":      "build_commit,build_number,n_prompt,n_gen,avg_ts,stddev_ts\n\"a\",\"1\",\"512\",\"0\",\"12\"\n",
		"SQL without rows":                     "CREATE TABLE IF NOT EXISTS llama_bench (\n  build_commit TEXT\n);\n",
		"JSON without a test":                  `{"build_commit": "a", "build_number": 1, "n_prompt": 0, "n_gen": 0, "avg_ts": 12.5}`,
		"an empty batched bench":               "|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |\n",
		"prose about the eval time":            "The eval time = 12 seconds, and the total time = 13.5 ms / 3 tokens.\n",
		"the time of sampling alone":           "llama_perf_sampler_print:    sampling time =      15.96 ms /   136 runs   (    0.12 ms per token,  8521.84 tokens per second)\n",
		"nothing evaluated":                    "prompt eval time =       0.00 ms /     1 tokens (    0.00 ms per token,      inf tokens per second)\n",
		"an answer of one token":               "       eval time =       0.00 ms /     1 tokens (    0.00 ms per token, 1000000.00 tokens per second)\n",
		"timings that were not taken":          `{"timings": {"prompt_n": -1, "prompt_ms": 0, "predicted_n": -1, "predicted_ms": 0, "predicted_per_second": 0}}`,
		"a speed of any program":               "19.08 tok/sec\n\n\n\n\n\n1.2s to first token\n",
		"a wait of any program":                "It took 1.2s to first token.\n",
		"OpenVINO's rows without a unit":       "Load time: 12\nGenerate time: 3 ± 1\nTTFT: 3 ± 1\nTPOT: 2 ± 1\n",
		"load time of any program":             "Load time: 12.5 ms\n",
		"mlx_lm before its first trial":        "Timing with prompt_tokens=512, generation_tokens=1024, batch_size=1.\n",
		"mlx_lm's decoding without its prompt": "Generation: 100 tokens, 12.500 tokens-per-sec\n",
	} {
		t.Run(name, func(t *testing.T) {
			if out := fixture.Sane(t, []byte(text)); len(out.Results) != 0 || out.Reason.IsZero() {
				t.Errorf("%s", fixture.Describe(out))
			}
		})
	}
}

// TestTotalsBelowATableAreNoResult checks that the totals below a benchmark's table are not a result: they add up the
// whole benchmark, and count parallel decoding as prompt evaluation.
func TestTotalsBelowATableAreNoResult(t *testing.T) {
	const totals = `llama_perf_context_print: prompt eval time =    4301.20 ms /  4864 tokens (    0.88 ms per token,  1130.85 tokens per second)
llama_perf_context_print:        eval time =    1000.10 ms /    64 runs   (   15.63 ms per token,    63.99 tokens per second)
llama_perf_context_print:       total time =    7250.00 ms /  4928 tokens
`
	const rows = `|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |
|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|
|   256 |     64 |    8 |   2560 |    0.800 |  2560.00 |    1.600 |   320.00 |    2.400 |  1066.67 |
`
	if out := fixture.Sane(t, []byte(rows+"\n"+totals)); len(out.Results) != 1 || out.Results[0].Tool != "llama-batched-bench" {
		t.Errorf("below a table: %s", fixture.Describe(out))
	}
	out := fixture.Sane(t, []byte(totals))
	if len(out.Results) != 1 {
		t.Fatalf("alone: %s", fixture.Describe(out))
	}
	r := out.Results[0]
	if _, ok := r.Metric("ttft_mean"); ok || r.Label("max_concurrency") != "" {
		t.Error("of totals that may be those of many answers, TTFT and one stream were claimed")
	}
	if m, _ := r.Metric("decode_throughput"); m.Value != 63.99 {
		t.Errorf("decoding at %v", m.Value)
	}
}

// TestTimingsWithoutARate checks timings of older versions without a rate. The rate is computed and marked as such.
func TestTimingsWithoutARate(t *testing.T) {
	out := fixture.Sane(t, []byte(`llama_print_timings:      sample time =    10.00 ms /    51 runs   (    0.20 ms per run)
llama_print_timings: prompt eval time =   500.00 ms /    10 tokens (   50.00 ms per token)
llama_print_timings:        eval time =  2500.00 ms /    50 runs
llama_print_timings:       total time =  3100.00 ms
`))
	if len(out.Results) != 1 {
		t.Fatal(fixture.Describe(out))
	}
	for name, want := range map[string]float64{"prefill_throughput": 20, "decode_throughput": 20, "tpot_mean": 50} {
		if m, ok := out.Results[0].Metric(name); !ok || m.Value != want || !m.Derived {
			t.Errorf("%s is %v (present: %v, derived: %v), not %v", name, m.Value, ok, m.Derived, want)
		}
	}
}

// TestLlamaTableSurroundings checks that devices and the build belong to the table next to them.
func TestLlamaTableSurroundings(t *testing.T) {
	row := func(rate string) string {
		return "| model | size | params | backend | test | t/s |\n|---|---|---|---|---|---|\n| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | tg128 | " + rate + " ± 0.10 |\n"
	}
	text := "  Device 0: NVIDIA A10, compute capability 8.6, VMM: yes\n" + row("11.00") + "\nbuild: abc1234 (77)\n" +
		row("12.00") + "\nbuild: unknown (0)\n" +
		"ggml_metal_init: GPU name:   Apple M2\n" + strings.Repeat("a line of a log\n", 40) + row("13.00")
	out := fixture.Sane(t, []byte(text))
	if len(out.Results) != 3 {
		t.Fatal(fixture.Describe(out))
	}
	for i, want := range []struct{ gpu, version string }{{"NVIDIA A10", "b77-abc1234"}, {"", ""}, {"", ""}} {
		r := out.Results[i]
		if r.Label("gpu") != want.gpu || r.Label("engine_version") != want.version {
			t.Errorf("table %d: on %q, %q, not %q, %q", i, r.Label("gpu"), r.Label("engine_version"), want.gpu, want.version)
		}
	}
}

// TestCarriageReturnAndNewlineAreOneEnd checks that CR LF ends one line, wherever a buffer ends.
func TestCarriageReturnAndNewlineAreOneEnd(t *testing.T) {
	table := "| model | size | params | backend | test | t/s |\n|---|---|---|---|---|---|\n" +
		strings.Repeat("| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | tg128 | 11.00 ± 0.10 |\n", 2000)
	unix := fixture.Sane(t, []byte(table))
	windows := fixture.Sane(t, []byte(strings.ReplaceAll(table, "\n", "\r\n")))
	if len(unix.Results) != 2000 || len(windows.Results) != 2000 {
		t.Fatalf("%d and %d results, not 2000", len(unix.Results), len(windows.Results))
	}
	if a, b := unix.Results[1999].Source.Line, windows.Results[1999].Source.Line; a != 2002 || b != a {
		t.Errorf("the last row is in line %d and %d, not in 2002", a, b)
	}
}

// TestLlamaSQLOf2023 checks the SQL of 2023, which had one value more than names: opencl, after cuda.
func TestLlamaSQLOf2023(t *testing.T) {
	t.Parallel()
	const names = "build_commit, build_number, cuda, metal, gpu_blas, blas, cpu_info, gpu_info, model_filename, model_type, model_size, model_n_params, " +
		"n_batch, n_threads, f16_kv, n_gpu_layers, main_gpu, mul_mat_q, tensor_split, n_prompt, n_gen, test_time, avg_ns, stddev_ns, avg_ts, stddev_ts"
	values := []string{"1a2b3c4", "1500", "1", "0", "0", "1", "1", "A CPU", "A GPU", "m.gguf", "llama 7B mostly Q4_0", "3825065984", "6738415616",
		"512", "16", "1", "99", "0", "1", "0.00", "512", "0", "2023-10-30T12:00:00Z", "212155977", "732372", "2413.25", "8.31"}
	out := fixture.ReadText(t, "INSERT INTO test ("+names+") VALUES ('"+strings.Join(values, "', '")+"');\n")
	if len(out.Results) != 1 {
		t.Fatalf("%d results, reason %q", len(out.Results), out.Reason)
	}
	fixture.Has(t, &out.Results[0], "prefill_throughput=2413.25 tok/s")
	if got := out.Results[0].Label("weight_size") + ", " + out.Results[0].Label("params") + ", " + out.Results[0].Label("quantization"); got != "3825065984 B, 6738415616, Q4_0" {
		t.Errorf("%s", got)
	}
}

// TestLlamaDeviceFeatures checks that the features of a device that depend on its driver distinguish runs: a machine
// without matrix cores is another machine.
func TestLlamaDeviceFeatures(t *testing.T) {
	t.Parallel()
	table := "| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | --: | ---: |\n" +
		"| llama 8B Q4_0 | 4.50 GiB | 8.00 B | Vulkan | 99 | pp512 | %s ± 1.00 |\n\nbuild: 1a2b3c4 (7000)\n"
	device := "ggml_vulkan: 0 = A Card (a driver) | uma: 0 | fp16: 1 | warp size: 64 | shared memory: 65536 | int dot: 1 | matrix cores: %s\n"
	text := fmt.Sprintf(device, "none") + fmt.Sprintf(table, "758.00") + fmt.Sprintf(device, "KHR_coopmat") + fmt.Sprintf(table, "2530.00")
	out := fixture.ReadText(t, text)
	if len(out.Results) != 2 {
		t.Fatalf("%d results", len(out.Results))
	}
	for i, want := range []string{"none", "KHR_coopmat"} {
		r := out.Results[i]
		if got := r.Label("x_matrix_cores"); got != want || r.Label("x_int_dot") != "1" || r.Label("x_warp_size") != "64" || r.Label("gpu") != "A Card (a driver)" {
			t.Errorf("result %d: matrix cores %q, %v", i, got, r.Labels)
		}
	}
}

// TestKoboldBenchmarksAreOneRun checks that the line of an answer belongs to KoboldCpp's benchmark if it is directly
// above it, and is a result of its own otherwise.
func TestKoboldBenchmarksAreOneRun(t *testing.T) {
	const (
		answer    = "CtxLimit:4096/4096, Amt:100/100, Init:0.07s, Process:2.12s (0.5ms/T = 1884.91T/s), Generate:2.32s (23.2ms/T = 43.10T/s), Total:4.44s (22.52T/s)\n"
		benchmark = "Benchmark Completed - v1.93 Results:\n======\nModel: foo-8B-Q4_K_M\nMaxCtx: 4096\nGenAmount: 100\n-----\nProcessingTime: 2.121s\nProcessingSpeed: 1884.91T/s\n" +
			"GenerationTime: 2.320s\nGenerationSpeed: 43.10T/s\nTotalTime: 4.441s\n"
	)
	for text, want := range map[string]int{
		answer + benchmark:                      1,
		answer + "\n" + benchmark:               1,
		answer:                                  1,
		benchmark:                               1,
		answer + answer + benchmark:             2,
		answer + "Output: ok\n" + benchmark:     2,
		answer + "koboldcpp --model b.gguf\n":   1,
		benchmark + answer + "\n\nIt goes on\n": 2,
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != want {
			t.Errorf("%d results, not %d, of\n%s", len(out.Results), want, text)
		}
		for _, r := range out.Results {
			if m, _ := r.Metric("decode_throughput"); m.Text() != "43.10" {
				t.Errorf("decode_throughput %s of\n%s", m.Text(), text)
			}
		}
	}
}
