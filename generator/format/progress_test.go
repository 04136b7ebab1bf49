package format_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

const (
	serveArguments = "Namespace(backend='vllm', endpoint='/v1/completions', dataset_name='random', num_prompts=100, model='org/Chat-7B', max_concurrency=8, request_rate=inf, random_input_len=512)\n"
	serveStart     = "Starting initial single prompt test run...\nWaiting for endpoint to become up in 600 seconds\n |          | 00:12 elapsed, 09:12:00 remaining\r |          | 00:13 elapsed, 09:12:00 remaining\n" +
		"Initial test run completed.\nWarming up with 4 requests...\n100%|██████████| 4/4 [00:02<00:00,  1.90it/s]\nWarmup run completed.\nStarting main benchmark run...\n"
	serveTraffic = "Traffic request rate: inf\nBurstiness factor: 1.0 (Poisson process)\nMaximum request concurrency: 8\n"
	fewDone      = "\r  0%|          | 0/100 [00:00<?, ?it/s]\r  1%|          | 1/100 [00:02<03:24,  2.07s/it]\r 40%|████      | 40/100 [01:23<02:04,  2.07s/it]"
	allDone      = "\r100%|██████████| 100/100 [03:20<00:00,  2.00s/it]\n"
)

// unfinished reads a text that has exactly one unfinished run.
func unfinished(t *testing.T, text string) result.Unfinished {
	t.Helper()
	out := fixture.Sane(t, []byte(text))
	if len(out.Unfinished) != 1 {
		t.Fatalf("%d unfinished runs and %d results", len(out.Unfinished), len(out.Results))
	}
	return out.Unfinished[0]
}

// TestProgress checks that the progress of a run is read from the last update of its tool's bar.
func TestProgress(t *testing.T) {
	const eval = "Running generate_until requests:"
	for _, test := range []struct {
		name, text string
		want       result.Unfinished
	}{
		{"arguments alone", serveArguments, result.Unfinished{Tool: "vllm-serve", Total: 100, Left: -1, Source: at(1)}},
		{"no bar yet", serveArguments + serveStart, result.Unfinished{Tool: "vllm-serve", Total: 100, Left: -1, Source: at(9)}},
		{"a bar without a rate", serveArguments + serveStart + serveTraffic + "  0%|          | 0/100 [00:00<?, ?it/s]",
			result.Unfinished{Tool: "vllm-serve", Total: 100, Left: -1, Source: at(13)}},
		{"many updates", serveArguments + serveStart + serveTraffic + fewDone,
			result.Unfinished{Tool: "vllm-serve", Done: 40, Total: 100, Elapsed: 83 * time.Second, Left: 124 * time.Second, Rate: 1 / 2.07, Source: at(13)}},
		{"an update half written", serveArguments + serveStart + serveTraffic + fewDone + "\r 41%|████      | 41/100 [01:2",
			result.Unfinished{Tool: "vllm-serve", Done: 40, Total: 100, Elapsed: 83 * time.Second, Left: 124 * time.Second, Rate: 1 / 2.07, Source: at(13)}},
		{"colours", serveTraffic + "\r\x1b[32m 50%\x1b[0m|\x1b[36m█████     \x1b[0m| 50/100 [00:20<00:20, 2.50it/s]",
			result.Unfinished{Tool: "vllm-serve", Done: 50, Total: 100, Elapsed: 20 * time.Second, Left: 20 * time.Second, Rate: 2.5, Source: at(4)}},
		{"the bar of a terminal without signs", serveTraffic + "\r 50%|#####     | 50/100 [00:20<00:20, 2.50it/s]",
			result.Unfinished{Tool: "vllm-serve", Done: 50, Total: 100, Elapsed: 20 * time.Second, Left: 20 * time.Second, Rate: 2.5, Source: at(4)}},
		{"hours", serveTraffic + " 10%|█         | 10/100 [1:02:03<9:18:27, 372.30s/it]",
			result.Unfinished{Tool: "vllm-serve", Done: 10, Total: 100, Elapsed: 3723 * time.Second, Left: 33507 * time.Second, Rate: 1 / 372.3, Source: at(4)}},
		{"days", serveTraffic + " 10%|█         | 10/100 [1 day, 2:00:00<9 days, 18:00:00, 9360.00s/it]",
			result.Unfinished{Tool: "vllm-serve", Done: 10, Total: 100, Elapsed: 26 * time.Hour, Left: 234 * time.Hour, Rate: 1 / 9360.0, Source: at(4)}},
		{"more hours than a day has", serveTraffic + " 10%|█         | 10/100 [26:00:00<234:00:00, 9360.00s/it]",
			result.Unfinished{Tool: "vllm-serve", Done: 10, Total: 100, Elapsed: 26 * time.Hour, Left: 234 * time.Hour, Rate: 1 / 9360.0, Source: at(4)}},
		{"thousands", serveTraffic + " 12%|█▏        | 1.20k/10.0k [00:20<02:26, 60.0it/s]",
			result.Unfinished{Tool: "vllm-serve", Done: 1200, Total: 10000, Elapsed: 20 * time.Second, Left: 146 * time.Second, Rate: 60, Source: at(4)}},
		{"words of the server behind the bar", serveTraffic + " 50%|█████     | 50/100 [00:20<00:20, 2.50it/s]INFO 08-07 17:00:13 [metrics.py:417] Avg prompt throughput: 2.6 tokens/s\n",
			result.Unfinished{Tool: "vllm-serve", Done: 50, Total: 100, Elapsed: 20 * time.Second, Left: 20 * time.Second, Rate: 2.5, Source: at(4)}},
		{"updates in one line without returns", serveTraffic + "  1%|          | 1/100 [00:01<01:39, 1.00it/s] 50%|█████     | 50/100 [00:20<00:20, 2.50it/s]",
			result.Unfinished{Tool: "vllm-serve", Done: 50, Total: 100, Elapsed: 20 * time.Second, Left: 20 * time.Second, Rate: 2.5, Source: at(4)}},
		{"the rank of mpirun", "[1,0]<stdout>:Starting main benchmark run...\n[1,0]<stderr>: 50%|█████     | 50/100 [00:20<00:20, 2.50it/s]\n",
			result.Unfinished{Tool: "vllm-serve", Done: 50, Total: 100, Elapsed: 20 * time.Second, Left: 20 * time.Second, Rate: 2.5, Source: at(2)}},
		{"all done, and the title", serveTraffic + fewDone + allDone + "============ Serving Benchmark Result ============\n",
			result.Unfinished{Tool: "vllm-serve", Done: 100, Total: 100, Elapsed: 200 * time.Second, Rate: 0.5, Source: at(4)}},
		{"SGLang", "benchmark_args=Namespace(backend='sglang', num_prompts=64, request_rate=4.0, model='org/m')\n#Input tokens: 100\nStarting warmup with 1 sequences...\nWarmup completed with 1 sequences. Starting main benchmark run...\n\n  2%|▏         | 1/64 [00:49<51:35, 49.14s/it]",
			result.Unfinished{Tool: "sglang-serving", Done: 1, Total: 64, Elapsed: 49 * time.Second, Left: 3095 * time.Second, Rate: 1 / 49.14, Source: at(6)}},
		{"a latency benchmark", "Namespace(model='org/m', batch_size=8, num_iters=30)\nWarming up...\nWarmup iterations: 100%|██████████| 10/10 [00:14<00:00,  1.40s/it]\nProfiling iterations:  50%|█████     | 15/30 [00:21<00:21,  1.40s/it]\n",
			result.Unfinished{Tool: "vllm-latency", Done: 15, Total: 30, Elapsed: 21 * time.Second, Left: 21 * time.Second, Rate: 1 / 1.4, Unit: "it/s", Source: at(4)}},
		{"its warm-up", "Namespace(model='org/m', batch_size=8, num_iters=30)\nWarmup iterations:  50%|█████     | 5/10 [00:07<00:07,  1.40s/it]\n",
			result.Unfinished{Tool: "vllm-latency", Total: 30, Left: -1, Unit: "it/s", Source: at(2)}},
		{"a throughput benchmark", "$ vllm bench throughput --model org/m --num-prompts 200\nAdding requests: 100%|██████████| 200/200 [00:00<00:00, 1198.72it/s]\nProcessed prompts:  25%|██▌       | 50/200 [00:10<00:30,  5.00it/s, est. speed input: 10.5 toks/s, output: 72.08 toks/s]",
			result.Unfinished{Tool: "vllm-throughput", Done: 50, Total: 200, Elapsed: 10 * time.Second, Left: 30 * time.Second, Rate: 5, Source: at(3)}},
		{"lm-eval", eval + "   0%|          | 0/1319 [00:00<?, ?it/s]\r" + eval + "   8%|▊         | 100/1319 [02:00<24:23,  1.20s/it]",
			result.Unfinished{Tool: "lm-eval", Done: 100, Total: 1319, Elapsed: 2 * time.Minute, Left: 1463 * time.Second, Rate: 1 / 1.2, Source: at(1)}},
		{"AIPerf", "12:00:01.250 INFO     Starting AIPerf System\n12:00:05.100 INFO     AIPerf System is PROFILING\n\rProfiling: 1,200/10,000 |█         |  12% [00:24<02:56]\rProcessing Records: 900/10,000 |          |   9% [00:24<04:02]",
			result.Unfinished{Tool: "aiperf", Done: 1200, Total: 10000, Elapsed: 24 * time.Second, Left: 176 * time.Second, Source: at(3)}},
		{"an early AIPerf", "INFO AIPerf System is PROFILING\nRequests (Profiling): 12/40 |███       |  30% [00:24<00:56]",
			result.Unfinished{Tool: "aiperf", Done: 12, Total: 40, Elapsed: 24 * time.Second, Left: 56 * time.Second, Source: at(2)}},
		{"GuideLLM", "✔ Setup complete, starting benchmarks...\n╭─ Benchmarks ─╮\n│ [12:00:00] ⠋ 100% concurrent@8 (complete)   Req:    1.2 req/s │\n╰──╯\nGenerating... ━━━━━━━━━━╺━━━━━━━ (3/10) [ 0:01:23 < 0:03:14 ]\n",
			result.Unfinished{Tool: "guidellm", Done: 3, Total: 10, Elapsed: 83 * time.Second, Left: 194 * time.Second, Unit: "test/s", Source: at(5)}},
		{"frames of it, one over the other", "Generating... ━━━━ (1/4) [ 0:00:31 < 0:01:33 ]\n\x1b[2K\x1b[1A\x1b[2K\rGenerating... ━━━━ (2/4) [ 0:01:02 < 0:01:02 ]\n",
			result.Unfinished{Tool: "guidellm", Done: 2, Total: 4, Elapsed: 62 * time.Second, Left: 62 * time.Second, Unit: "test/s", Source: at(2)}},
		{"genai-perf, which has no bar", "$ genai-perf profile -m org/m --request-count 40 --concurrency 4\n2025-06-01 12:00 [INFO] genai_perf.wrapper:138 - Running Perf Analyzer : 'perf_analyzer -m org/m --async'\n",
			result.Unfinished{Tool: "genai-perf", Total: 40, Left: -1, Source: at(2)}},
		{"EvalScope", "2026-01-10 12:00:01,100 - evalscope - INFO - Test connection successful.\nProcessing:  90%|#########  | 36/40 [00:21<00:02]2026-01-10 12:00:30,100 - evalscope - INFO - {",
			result.Unfinished{Tool: "evalscope", Done: 36, Total: 40, Elapsed: 21 * time.Second, Left: 2 * time.Second, Source: at(2)}},
		{"TensorRT-LLM", "[01/18/2026-01:01:13] [TRT-LLM] [I] Setting up throughput benchmark.\n[01/18/2026-01:01:26] [TRT-LLM] [I] Running warmup.\n",
			result.Unfinished{Tool: "trtllm-bench", Left: -1, Source: at(1)}},
		{"llama-bench", "llama-bench: benchmark 1/4: starting\nllama-bench: benchmark 1/4: prompt run 5/5\nllama-bench: benchmark 2/4: starting\nllama-bench: benchmark 2/4: warmup generation run\nllama-bench: benchmark 2/4: generation run 3/5\n",
			result.Unfinished{Tool: "llama-bench", Done: 1, Total: 4, Left: -1, Unit: "test/s", Source: at(5)}},
		{"inference-perf, whose bar is of a whole", "Stage 0 progress:  40%|████      | 0.4/1.0 [00:12<00:18,  0.03it/s]",
			result.Unfinished{Tool: "inference-perf", Done: 40, Total: 100, Elapsed: 12 * time.Second, Left: 18 * time.Second, Unit: "%", Source: at(1)}},
		{"MLX", "Running warmup..\nTiming with prompt_tokens=512, generation_tokens=256, batch_size=4.\n",
			result.Unfinished{Tool: "mlx_lm.benchmark", Left: -1, Unit: "it/s", Source: at(2)}},
		{"another run in a log of finished ones", serveArguments + serveTraffic + fewDone + allDone + fixture.Table + serveArguments + serveTraffic + allDone + fixture.Table + serveArguments + serveTraffic + fewDone,
			result.Unfinished{Tool: "vllm-serve", Done: 40, Total: 100, Elapsed: 83 * time.Second, Left: 124 * time.Second, Rate: 1 / 2.07, Source: at(2*(5+strings.Count(fixture.Table, "\n")) + 5)}},
		{"a run that was broken off before one that has a result", serveArguments + serveTraffic + fewDone + "\nTraceback (most recent call last):\n" + serveArguments + serveTraffic + allDone + fixture.Table,
			result.Unfinished{Tool: "vllm-serve", Done: 40, Total: 100, Elapsed: 83 * time.Second, Left: 124 * time.Second, Rate: 1 / 2.07, Source: at(5), Failure: "Traceback (most recent call last):"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := unfinished(t, test.text)
			got.Labels = nil
			if test.want.Unit == "" {
				test.want.Unit = "req/s"
			}
			got.Rate, test.want.Rate = float64(float32(got.Rate)), float64(float32(test.want.Rate))
			if fmt.Sprint(got) != fmt.Sprint(test.want) {
				t.Errorf("%+v\nnot %+v", got, test.want)
			}
		})
	}
}

func at(line int) result.Position { return result.Position{File: "f", Line: line} }

// TestProgressLabels checks that the arguments that a run prints become its labels.
func TestProgressLabels(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"arguments":                         {serveArguments + serveTraffic + fewDone, "backend=vllm burstiness=1 dataset=random endpoint=/v1/completions input_len=512 max_concurrency=8 model_raw=org/Chat-7B num_prompts=100 request_rate=inf"},
		"a command":                         {"+ vllm bench serve --model org/m --max-concurrency 4 \\\n    --num-prompts 60\nStarting main benchmark run...\n" + fewDone, "max_concurrency=4 model_raw=org/m num_prompts=60"},
		"what it prints before it measures": {"Starting main benchmark run...\nTraffic request rate: 4.0\nMaximum request concurrency: 16\n" + fewDone, "max_concurrency=16 request_rate=4"},
		"AIPerf":                            {"$ aiperf profile -m org/m --concurrency 4 --request-count 40\nINFO AIPerf System is PROFILING\n", "max_concurrency=4 model_raw=org/m num_prompts=40"},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for label, value := range unfinished(t, test.text).Labels.Values() {
				if !strings.HasPrefix(label, "x_") {
					got = append(got, label+"="+value)
				}
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%s\nnot %s", strings.Join(got, " "), test.want)
			}
		})
	}
}

// TestNoProgress checks texts with bars that are not a run's: models, files and data sets are loaded with bars too, and
// pages quote them.
func TestNoProgress(t *testing.T) {
	for name, text := range map[string]string{
		"a finished run":                  serveArguments + serveStart + serveTraffic + fewDone + allDone + fixture.Table,
		"a bar alone":                     fewDone,
		"a model that is loaded":          "Loading safetensors checkpoint shards:  40% Completed | 2/5 [00:01<00:02,  1.50it/s]\nLoading weights:  40%|████      | 2/5 [00:01<00:02,  1.50it/s]\n",
		"a download":                      "model-00001-of-00005.safetensors:  40%|████      | 1.20G/4.98G [00:12<00:38, 98.1MB/s]\n",
		"a command in a page":             "Run it:\n\n```bash\nvllm bench serve --model org/m --num-prompts 100\n```\n\nIt takes a while.\n",
		"a page that quotes a log":        "It prints\n\n```\nStarting main benchmark run...\nTraffic request rate: inf\n" + fewDone + "\n```\n\nand so on.\n",
		"the same as HTML":                "<pre>\nStarting main benchmark run...\n" + fewDone + "\n</pre>\n",
		"a program":                       "    print(\"Starting main benchmark run...\")\nprint('Starting main benchmark run...')\n# Traffic request rate: inf\n",
		"an answer":                       "Generating... (1/3) of the text\n",
		"a sentence":                      "It says Starting main benchmark run... and then nothing.\n",
		"a server's arguments":            "INFO args: Namespace(host=None, port=8000, model='org/m')\n",
		"stages that are done":            "Stage 0 progress: 100%|██████████| 1.0/1.0 [00:30<00:00,  0.03it/s]\n",
		"errors of llama-bench in a file": "llama-bench: benchmark 2/2: starting\nllama-bench: benchmark 2/2: generation run 5/5\n",
		"a result saved elsewhere":        serveTraffic + allDone + strings.Repeat("the next step\n", 20+1),
		"a table of SGLang":               "============ Serving Benchmark Result ============\nBackend:                                 sglang    \nTraffic request rate:                    inf       \nMax request concurrency:                 8         \nSuccessful requests:                     10        \nBenchmark duration (s):                  11.66     \nRequest throughput (req/s):              0.86      \n==================================================\n",
	} {
		t.Run(name, func(t *testing.T) {
			if out := fixture.Sane(t, []byte(text)); len(out.Unfinished) > 0 {
				t.Errorf("a run in progress: %+v", out.Unfinished)
			}
		})
	}
}

// TestOtherBarsInARun checks that a bar that does not belong to the run does not change its progress.
func TestOtherBarsInARun(t *testing.T) {
	u := unfinished(t, serveTraffic+fewDone+"\nCapturing CUDA graphs:  90%|█████████ | 90/100 [00:03<00:00, 30.0it/s]\nLoading weights:  60%|██████    | 3/5 [00:01<00:02,  1.50it/s]\n")
	if u.Done != 40 || u.Total != 100 {
		t.Errorf("%d of %d", u.Done, u.Total)
	}
}

// TestCutAnywhere checks that a log cut at any place gives nothing yet, a run in progress, a partial result or a
// complete one, and that the progress never decreases.
func TestCutAnywhere(t *testing.T) {
	for name, log := range map[string]string{
		"vLLM":    serveArguments + serveStart + serveTraffic + fewDone + allDone + fixture.Table,
		"latency": "Namespace(model='org/m', batch_size=8, num_iters=30)\nWarming up...\nProfiling iterations:   0%|          | 0/30 [00:00<?, ?it/s]\rProfiling iterations:  50%|█████     | 15/30 [00:21<00:21,  1.40s/it]\rProfiling iterations: 100%|██████████| 30/30 [00:42<00:00,  1.40s/it]\nAvg latency: 1.4 seconds\n10% percentile latency: 1.3 seconds\n99% percentile latency: 1.5 seconds\n",
		"llama":   "llama-bench: benchmark 1/2: starting\nllama-bench: benchmark 1/2: prompt run 5/5\n| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | --: | --: |\n| llama 7B | 3.5 GiB | 6.7 B | CUDA | 99 | pp512 | 2000.00 ± 1.00 |\nllama-bench: benchmark 2/2: starting\nllama-bench: benchmark 2/2: generation run 5/5\n| llama 7B | 3.5 GiB | 6.7 B | CUDA | 99 | tg128 | 100.00 ± 1.00 |\n\nbuild: abc (1)\n",
	} {
		t.Run(name, func(t *testing.T) {
			const nothing, running, partial, complete = 0, 1, 2, 3
			stage, done := nothing, -1
			for n := range len(log) + 1 {
				out, err := format.Read("f", strings.NewReader(log[:n]))
				if err != nil {
					t.Fatal(err)
				}
				now, far := nothing, 0
				if len(out.Results) > 0 {
					now = complete
					if last := out.Results[len(out.Results)-1]; last.Status == result.Partial {
						now = partial
					}
				}
				for _, u := range out.Unfinished {
					if u.Tool == "llama-bench" { // its rows are results, one after the other
						now = running
						far = u.Done
						continue
					}
					if now != nothing {
						t.Fatalf("cut at %d: a result and a run in progress: %+v", n, u)
					}
					now, far = running, u.Done
				}
				if len(out.Unfinished) > 1 || now < stage || now == running && stage == running && far < done {
					t.Fatalf("cut at %d: stage %d after %d, %d done after %d", n, now, stage, far, done)
				}
				if (now == nothing) != (len(out.Results)+len(out.Unfinished) == 0) || locale.English(out.Reason) == "no known format" && now != nothing {
					t.Fatalf("cut at %d: %s", n, out.Reason)
				}
				stage, done = now, far
			}
			if stage != complete {
				t.Errorf("the whole log is at stage %d", stage)
			}
		})
	}
}

// TestCorpusProgress checks that one of the real logs is cut off in the middle of a run, and that all others have their
// results.
func TestCorpusProgress(t *testing.T) {
	known := map[string]string{"vllm-serve-text/v0.26-spark-rate-sweep-crlf-truncated.log": "unfinished: 9 of 100 requests after 0:26"}
	corpus := fixture.Shared(t, "corpus")
	err := filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(corpus, path)
		out, err := format.ReadFile(path, rel)
		if err != nil {
			return err
		}
		for _, u := range out.Unfinished {
			if said := locale.English(u.State()); known[filepath.ToSlash(rel)] != said {
				t.Errorf("%s: %s", u.Source, said)
			}
			delete(known, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil || len(known) > 0 {
		t.Errorf("error %v, not found: %v", err, known)
	}
}

func FuzzProgress(f *testing.F) {
	f.Add([]byte(serveArguments + serveStart + serveTraffic + fewDone))
	f.Add([]byte("llama-bench: benchmark 2/4: prompt run 3/5\nProfiling: 1,200/10,000 |█ | 12% [00:24<02:56]\n"))
	f.Add([]byte("Stage 0 progress:  40%|████      | 0.4/0.0 [00:12<00:18,  0.03it/s]\nRunning generate_until requests: 9%|| 1e9/.k [1 day, 2:3<9]"))
	f.Add([]byte("Stage 0 progress:  40%|████      | 0.4/0.10 [00:12<00:18]\n\nmain:  50%|█████     | 9e99G/20 [00:12<00:18]"))
	f.Add([]byte("llama-bench: benchmark 0/3: starting\nllama-bench: benchmark 4/3: starting\n"))
	for _, path := range fixture.All(f) {
		if data, err := os.ReadFile(path); err == nil && filepath.Ext(path) == ".log" {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { fixture.Sane(t, append([]byte(serveTraffic), data...)) })
}

// BenchmarkLongBar reads a bar of five megabytes: in a log without a known line that begins a run, and in one in which
// each update counts.
func BenchmarkLongBar(b *testing.B) {
	bar := strings.Repeat("\r 50%|██████████          | 50/100 [00:21<00:21, 2.3it/s]", 5<<20/78)
	for name, log := range map[string]string{"unknown": bar + "\n" + fixture.Table, "counted": serveArguments + serveTraffic + bar + "\n" + fixture.Table} {
		b.Run(name, func(b *testing.B) { fixture.BenchmarkRead(b, log, 1) })
	}
}
