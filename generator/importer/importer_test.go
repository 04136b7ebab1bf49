package importer

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

var update = flag.Bool("update", false, "write what is there now as what is wanted")

// TestNotes imports notes as other people write them. What is stated, guessed, contradictory and unknown is in the
// golden files.
func TestNotes(t *testing.T) {
	names, _ := filepath.Glob("testdata/notes/*")
	for _, name := range names {
		if strings.HasSuffix(name, ".golden") {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			plan, messages := Read([]File{{filepath.Base(name), data}}, nil)
			golden(t, name+".golden", describe(plan, messages))
		})
	}
	if len(names) == 0 {
		t.Fatal("no notes")
	}
}

// describe formats messages, report and run.toml files.
func describe(plan *Plan, messages []result.Message) string {
	var b strings.Builder
	for _, m := range messages {
		fmt.Fprintf(&b, "%s\n\t%s\n", m.Error(), locale.English(m.Hint))
	}
	plan.Report(&b)
	for _, f := range plan.Outputs() {
		if strings.HasSuffix(f.Name, ".toml") {
			fmt.Fprintf(&b, "\n-- %s --\n%s", f.Name, f.Data)
		}
	}
	return b.String()
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s:%d: not as wanted (-update writes it anew)\n got %q\nwant %q", name, i+1, at(g, i), at(w, i))
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(nothing)"
}

// block returns a result of n requests, each with 100 input and 50 output tokens. Blocks of different durations are
// different runs.
func block(n, concurrency int, duration float64) string {
	cap := ""
	if concurrency > 0 {
		cap = fmt.Sprintf("Maximum request concurrency: %d\n", concurrency)
	}
	return fmt.Sprintf(`============ Serving Benchmark Result ============
Successful requests: %d
%sBenchmark duration (s): %.2f
Total input tokens: %d
Total generated tokens: %d
==================================================`, n, cap, duration, n*100, n*50)
}

// fill replaces each line "RESULT [requests [concurrency]]" by a result.
func fill(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "RESULT"); ok {
			n, c := 10, 0
			fmt.Sscan(rest, &n, &c)
			lines[i] = block(n, c, float64(i)+1)
		}
	}
	return strings.Join(lines, "\n")
}

// labelsOf returns the labels of each result in the order of the text, such as "load=high model=A". It omits irrelevant
// ones.
func labelsOf(plan *Plan, only ...string) []string {
	runs := slices.Clone(plan.Runs)
	slices.SortFunc(runs, func(a, b Run) int { return a.Sources[0].Line - b.Sources[0].Line })
	var out []string
	for _, r := range runs {
		var told []string
		for name, value := range r.Labels.Values() {
			if slices.Contains(only, name) {
				told = append(told, name+"="+value)
			}
		}
		out = append(out, strings.Join(told, " "))
	}
	return out
}

// TestContext checks which labels the text around a result gives it.
func TestContext(t *testing.T) {
	for _, test := range []struct {
		name, only, text string
		want             []string
	}{
		{"headings are a stack", "model load", `
# Benchmarks
## Llama-3.1-8B
### High load
RESULT
### Low load
RESULT
## Qwen3-8B
RESULT
`, []string{"load=high model=Llama-3.1-8B", "load=low model=Llama-3.1-8B", "model=Qwen3-8B"}},

		{"no heading, no model", "model load quantization", `
Here is what I got:
RESULT
`, []string{""}},

		{"a heading that is neither ends the one before it", "model load", `
## Llama-3.1-8B
RESULT
## Thoughts
RESULT
`, []string{"model=Llama-3.1-8B", ""}},

		{"a title about two models is about neither", "model", `
## Llama-3.1-8B against Qwen3-8B
RESULT
`, []string{""}},

		{"a heading underlined", "model", `
Llama-3.1-8B
============

RESULT
`, []string{"model=Llama-3.1-8B"}},

		{"a name written with spaces", "model quantization", `
## 2. Llama 3.1 8B Instruct (FP8)
RESULT
`, []string{"model=Llama 3.1 8B Instruct quantization=FP8"}},

		{"bare titles: model, then loads", "model load", `
Qwen3-8B
- high load
RESULT
- low load
RESULT
Qwen3-8B-FP8
- high load
RESULT
`, []string{"load=high model=Qwen3-8B", "load=low model=Qwen3-8B", "load=high model=Qwen3-8B-FP8"}},

		{"bare titles: load, then models", "model load", `
High load
Qwen3-8B
RESULT
Qwen3-8B-FP8
RESULT
Low load
Qwen3-8B
RESULT
`, []string{"load=high model=Qwen3-8B", "load=high model=Qwen3-8B-FP8", "load=low model=Qwen3-8B"}},

		{"bare titles: what had no result does not go over to the next", "model load", `
Qwen3-8B
High load
RESULT
Low load
Out of memory, no result.
Qwen3-8B-FP8
RESULT
`, []string{"load=high model=Qwen3-8B", "model=Qwen3-8B-FP8"}},

		{"a list of models is no title", "model", `
I tried these:
- Qwen3-8B
- Qwen3-8B-FP8

RESULT
`, []string{""}},

		{"a sentence with a name is no title", "model", `
Qwen3-8B is the one I like best.
RESULT
`, []string{""}},

		{"Chinese loads and scenarios", "model load scenario", `
## 一、Qwen3-8B
- 高负载
RESULT
**低负载**
RESULT
### 对话场景
RESULT
### 代码补全场景
RESULT
`, []string{"load=high model=Qwen3-8B", "load=low model=Qwen3-8B", "model=Qwen3-8B scenario=chat", "model=Qwen3-8B scenario=代码补全"}},

		{"folded parts of a page", "model max_concurrency", `
<details><summary>Qwen3-8B-FP8, concurrency 16</summary>

RESULT

</details>
`, []string{"max_concurrency=16 model=Qwen3-8B-FP8"}},

		{"power modes, and clocks where titles tell them", "power_mode clocks", `
## MAXN
RESULT
## MAXN + jetson_clocks
RESULT
## 30 W
RESULT
`, []string{"clocks=free power_mode=MAXN", "clocks=locked power_mode=MAXN", "clocks=free power_mode=30W"}},

		{"nobody spoke of clocks", "power_mode clocks", `
## 300W
RESULT
`, []string{"power_mode=300W"}},

		{"concurrency and lengths in titles", "max_concurrency input_len output_len", `
## concurrency 16, input 100, output 50
RESULT
## c=4
RESULT
`, []string{"input_len=100 max_concurrency=16 output_len=50", "max_concurrency=4"}},

		{"hardware in titles", "hardware accelerators", `
## 2x RTX 4090
RESULT
## H100 80GB
RESULT
`, []string{"accelerators=2 hardware=RTX 4090", "hardware=H100 80GB"}},

		{"settings before the results hold for all of them", "hardware engine engine_version image", `
# Notes
- GPU: RTX 4090
- vLLM: v0.6.3.post1
- Docker image: vllm/vllm-openai:v0.6.3.post1
## A
RESULT
## B
RESULT
`, []string{"engine=vllm engine_version=0.6.3.post1 hardware=RTX 4090 image=vllm/vllm-openai:v0.6.3.post1", "engine=vllm engine_version=0.6.3.post1 hardware=RTX 4090 image=vllm/vllm-openai:v0.6.3.post1"}},

		{"settings after the last result hold for those before", "hardware", `
## A
RESULT
## B
RESULT
## Environment
- GPU: RTX 4090
`, []string{"hardware=RTX 4090", "hardware=RTX 4090"}},

		{"settings in a section hold there", "hardware engine_version", `
## One
- GPU: RTX 4090
RESULT
## Two
- GPU: A100
- vLLM version: 0.9.1
RESULT
- vLLM version: 0.9.2
RESULT
`, []string{"hardware=RTX 4090", "engine_version=0.9.1 hardware=A100", "engine_version=0.9.2 hardware=A100"}},

		{"a key whose value is in the next line", "image engine_version", `
- Image:
vllm/vllm-openai:v0.9.1
- vLLM version:
0.9.1+abc
RESULT
`, []string{"engine_version=0.9.1+abc image=vllm/vllm-openai:v0.9.1"}},

		{"a table of settings", "hardware engine_version", `
| Item | Value |
|---|---|
| GPU | RTX 3090 |
| vLLM version | 0.10.2 |

RESULT
`, []string{"engine_version=0.10.2 hardware=RTX 3090"}},

		{"a load in the key is a condition", "input_len load", `
- 高负载输入长度: 100
## High load
RESULT
## Low load
RESULT
`, []string{"input_len=100 load=high", "load=low"}},

		{"said in passing", "engine engine_version", `
Tested with vLLM 0.6.3 on a rainy day.
RESULT
`, []string{"engine=vllm engine_version=0.6.3"}},

		{"what is demanded or cut short is not what was run", "engine engine_version", `
You need vLLM 0.6.3 or later.
- vLLM version: 0.10.1...
RESULT
`, []string{""}},

		{"a command above its result", "model model_raw dataset input_len output_len num_prompts request_rate seed", `
    $ vllm bench serve --model /models/Qwen/Qwen3-8B \
        --dataset-name random --random-input-len=100 --random_output_len 50 \
        --num-prompts 10 --request-rate inf --seed 7

RESULT
`, []string{"dataset=random input_len=100 model=Qwen3-8B model_raw=/models/Qwen/Qwen3-8B num_prompts=10 output_len=50 request_rate=inf seed=7"}},

		{"each result has its own command", "seed", `
vllm bench serve --model x --seed 1
RESULT
vllm bench serve --model x --seed 2
RESULT
`, []string{"seed=1", "seed=2"}},

		{"of several commands the one that fits", "num_prompts seed", `
vllm bench serve --model x --num-prompts 10 --max-concurrency 8 --seed 1
vllm bench serve --model x --num-prompts 1 --max-concurrency 1 --seed 2
RESULT 1 1
RESULT 10 8
`, []string{"num_prompts=1 seed=2", "num_prompts=10 seed=1"}},

		{"a command given once for each load", "load seed", `
## How to run
### High load
vllm bench serve --model x --seed 1
### Low load
vllm bench serve --model x --seed 2
## A
- low load
RESULT
- high load
RESULT
RESULT
`, []string{"load=low seed=2", "load=high seed=1", "load=high seed=1"}},

		{"the server's command", "engine model parallelism prefix_caching", `
~~~
CUDA_VISIBLE_DEVICES=0,1 vllm serve meta-llama/Llama-3.1-8B -tp 2 --no-enable-prefix-caching
~~~
RESULT
`, []string{"engine=vllm model=Llama-3.1-8B parallelism=tp2 prefix_caching=false"}},

		{"a name to be served under is no model", "model", `
vllm bench serve --model qwen3 --num-prompts 10
RESULT
`, []string{""}},

		{"a tokenizer is a hint", "model", `
vllm bench serve --model qwen3 --tokenizer Qwen/Qwen3-8B
RESULT
`, []string{"model=Qwen3-8B"}},

		{"the command of one model says nothing about results that have none", "model engine", `
vllm serve Qwen/Qwen3-8B
## Qwen3-8B
RESULT
## Qwen3-8B-FP8
RESULT
## A friend's
RESULT
`, []string{"engine=vllm model=Qwen3-8B", "engine=vllm model=Qwen3-8B-FP8", ""}},

		{"a command says a short title's name in full", "model", `
## Qwen2.5VL-72B
vllm bench serve --model Qwen/Qwen2.5-VL-72B-Instruct
RESULT
`, []string{"model=Qwen2.5-VL-72B-Instruct"}},

		{"an image run, and its command", "image engine model", `
docker run --rm -it --gpus all -v ~/m:/m vllm/vllm-openai:v0.9.1 --model Qwen/Qwen3-8B
RESULT
`, []string{"engine=vllm image=vllm/vllm-openai:v0.9.1 model=Qwen3-8B"}},

		{"an image that is only fetched", "image", `
docker pull vllm/vllm-openai:v0.9.1
RESULT
`, []string{""}},

		{"placeholders are no values", "model image num_prompts", `
docker run $IMAGE
vllm bench serve --model <your model> --num-prompts $N
RESULT
`, []string{""}},

		{"output beside the part with the command", "hardware model", `
## Benchmarks
### FP8 on 8xH200
vllm bench serve --model Qwen/Qwen3-8B
### Expected output
RESULT
`, []string{"hardware=H200 model=Qwen3-8B"}},

		{"a fence that is never closed is none", "model", "```bash\nls\n## Qwen3-8B\nRESULT\n", []string{"model=Qwen3-8B"}},

		{"a comment in a text that lost its fences is no heading", "model", `
Qwen3-8B
docker ps
# list what runs
docker images
- high load
RESULT
`, []string{"model=Qwen3-8B"}},

		{"comments in a console are titles", "model", "```\n# Qwen3-8B (16 GB)\nRESULT\n# Qwen3-8B-FP8 (9 GB)\nRESULT\n```\n",
			[]string{"model=Qwen3-8B", "model=Qwen3-8B-FP8"}},

		{"in a page's text a new benchmark begins anew", "model power_mode engine", `
Power benchmark
vllm serve Qwen/Qwen3-8B
MAXN
RESULT
Scenario benchmark
Qwen3-8B-FP8
RESULT
`, []string{"engine=vllm model=Qwen3-8B power_mode=MAXN", "model=Qwen3-8B-FP8"}},

		{"in a page's text a closing part speaks for the results above", "model input_len power_mode", `
Power benchmark
MAXN
RESULT
30W
RESULT
Analysis
High load
Test configuration
- Model: Qwen3-8B-FP8
- Input length: 100 tokens
Scenario benchmark
RESULT
`, []string{"input_len=100 model=Qwen3-8B-FP8 power_mode=MAXN", "input_len=100 model=Qwen3-8B-FP8 power_mode=30W", ""}},

		{"a file's name gives the quantization of that model", "quantization", `
Get Qwen3-8B-Q5_K_M.gguf, it is the best of them.
## Qwen3-8B-GGUF
RESULT
## Qwen3-4B-GGUF
RESULT
`, []string{"quantization=Q5_K_M", "quantization=GGUF"}},

		{"a model's name is nearer than a heading above it", "quantization", `
## FP8 and the rest: FP8 first
### Qwen3-8B-AWQ
RESULT
### Qwen3-8B
RESULT
`, []string{"quantization=AWQ", "quantization=FP8"}},

		{"what the client printed is nearer than any title", "model seed", `
## Qwen3-8B
Namespace(seed=3, num_prompts=10, model='Qwen/Qwen3-14B', dataset_name='random')
RESULT
`, []string{"model=Qwen3-14B seed=3"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, _ := Read([]File{{"notes.md", []byte(fill(test.text))}}, nil)
			if got := labelsOf(plan, strings.Fields(test.only)...); !slices.Equal(got, test.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(test.want, "\n\t"))
			}
		})
	}
}

// TestContradictions checks which contradictions are reported and which value is kept.
func TestContradictions(t *testing.T) {
	for _, test := range []struct{ name, text, message, label, want string }{
		{"more requests than asked for", "vllm bench serve --model x --num-prompts 5\nRESULT 10\n",
			"notes.md:2: warning: the command in line 1 asks for 5 requests, but the result has 10", "num_prompts", "10"},
		{"fewer, and failures are not counted", "vllm bench serve --model x --num-prompts 50\nRESULT 10\n",
			"notes.md:2: warning: the command in line 1 asks for 50 requests, but the result has 10", "num_prompts", ""},
		{"a few may have failed", "vllm bench serve --model x --num-prompts 11\nRESULT 10\n", "", "num_prompts", "11"},
		{"longer prompts than asked for", "- Input length: 4096\nRESULT\n",
			"notes.md:2: warning: line 1 says input_len of 4096, but the result has 100 per request", "input_len", ""},
		{"lengths that vary", "vllm bench serve --model x --dataset-name random --random-input-len 110 --random-range-ratio 0.9\nRESULT\n", "", "input_len", "110"},
		{"answers may stop early", "- Output length: 64\nRESULT\n", "", "output_len", "64"},
		{"another concurrency", "- Concurrency: 4\nRESULT 10 8\n",
			"notes.md:2: warning: max_concurrency is 8 in the result, but line 1 says 4", "max_concurrency", ""},
		{"a concurrency that the others print", "vllm bench serve --model x --max-concurrency 4\n## A\nRESULT 10 4\n## B\nRESULT 11\n",
			"notes.md:11: warning: the command in line 1 asks for a concurrency of 4, but the result prints none as the others do", "max_concurrency", ""},
		{"a command under another name", "## Qwen3-8B\nvllm serve Qwen/Qwen3-14B\nRESULT\n",
			"notes.md:3: warning: model is Qwen3-8B in line 1, but the command in line 2 says Qwen3-14B", "model", "Qwen3-8B"},
		{"a setting under another title", "## concurrency 4\n- Concurrency: 8\nRESULT\n",
			"notes.md:3: warning: max_concurrency is 4 in line 1, but line 2 says 8", "max_concurrency", "4"},
		{"two images", "docker run a/vllm:1\ndocker run a/vllm:2\nRESULT\n",
			"notes.md:3: warning: image is a/vllm:1 in line 1 and a/vllm:2 in line 2, and neither is closer", "image", ""},
		{"a list says two things of a section below", "- GPU: A100\n- GPU: H100\n## A\nRESULT\n",
			"notes.md:4: warning: hardware is A100 in line 1 and H100 in line 2, and neither is closer", "hardware", ""},
		{"one result under two titles", "## Qwen3-8B\n" + block(10, 8, 3) + "\n## Qwen3-4B\n" + block(10, 8, 3) + "\n",
			"notes.md:10: warning: the same figures are at notes.md:2, with model=Qwen3-8B there (notes.md:1) and Qwen3-4B here (notes.md:9)", "model", "Qwen3-8B"},
		{"no result at all", "# Qwen3-8B\nIt was fast.\n", "notes.md: warning: no result here: no known format", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, messages := Read([]File{{"notes.md", []byte(fill(test.text))}}, nil)
			var got []string
			for _, m := range messages {
				if m.ID != "format.cut-off" {
					got = append(got, m.Error())
				}
			}
			if strings.Join(got, "\n") != test.message {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n"), test.message)
			}
			for _, r := range plan.Runs[max(0, len(plan.Runs)-1):] {
				if v := r.Labels.Get(test.label); v != test.want {
					t.Errorf("%s is %q, not %q", test.label, v, test.want)
				}
			}
		})
	}
}

// TestLineEnds checks that a result keeps its bytes with any line ends.
func TestLineEnds(t *testing.T) {
	text := strings.ReplaceAll(fill("\ufeff---\ndate: 2026-01-02\n---\n## Qwen3-8B\nRESULT"), "\n", "\r\n")
	plan, _ := Read([]File{{"notes.md", []byte(text)}}, nil)
	if got := labelsOf(plan, "model", "published"); !slices.Equal(got, []string{"model=Qwen3-8B published=2026-01-02"}) {
		t.Error(got)
	}
	if _, after, _ := strings.Cut(text, "## Qwen3-8B\r\n"); string(plan.Runs[0].Raw) != after {
		t.Errorf("%q", plan.Runs[0].Raw)
	}
}

// TestDocument checks that a tool's own file becomes a run unchanged, with its model.
func TestDocument(t *testing.T) {
	text := `{"date": "20260102-030405", "model_id": "Qwen/Qwen3-8B-FP8", "num_prompts": 10, "max_concurrency": 4, "request_rate": "inf",
"duration": 2.5, "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 500, "request_throughput": 4.0,
"output_throughput": 200.0, "total_token_throughput": 600.0, "mean_ttft_ms": 10.5}`
	plan, messages := Read([]File{{"runs/a.json", []byte(text)}}, nil)
	if len(plan.Runs) != 1 || len(messages) != 0 {
		t.Fatal(plan.Runs, messages)
	}
	if run := plan.Runs[0]; run.Path != "qwen3-8b-fp8/c4.json" || string(run.Raw) != text || run.Labels.Get("quantization") != "FP8" || slices.Contains(run.Unknown, "num_prompts") {
		t.Errorf("%s %v %v\n%s", run.Path, run.Labels, run.Unknown, run.Raw)
	}
}

// TestGiven checks that given labels win over the text, but not over the result.
func TestGiven(t *testing.T) {
	given := result.Labels{}
	given.Set(result.Label{Name: "model", Value: "mine"})
	given.Set(result.Label{Name: "max_concurrency", Value: "2"})
	plan, messages := Read([]File{{"notes.md", []byte(fill("## Qwen3-8B\nRESULT 10 8\n"))}}, given)
	run := plan.Runs[0]
	if run.Path != "mine/c8.log" || run.Labels.Get("model") != "mine" || run.Labels.Get("max_concurrency") != "" {
		t.Errorf("%s %v", run.Path, run.Labels)
	}
	if len(messages) != 1 || locale.English(messages[0].Text) != "max_concurrency=2 is given, but the result says 8" {
		t.Error(messages)
	}
}

// TestManyResults checks that memory grows linearly with the number of results, not quadratically.
func TestManyResults(t *testing.T) {
	need.Allocations(t)
	allocated := func(results int) float64 {
		var log strings.Builder
		for i := range results {
			fmt.Fprintf(&log, "vllm bench serve --model Qwen/Qwen3-8B --num-prompts 100 --request-rate %d\n"+
				"============ Serving Benchmark Result ============\nSuccessful requests: 100\nBenchmark duration (s): %d.50\n"+
				"==================================================\n", i+1, i+1)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		plan, _ := Read([]File{{"sweep.log", []byte(log.String())}}, nil)
		runtime.ReadMemStats(&after)
		if last := plan.Runs[len(plan.Runs)-1]; len(plan.Runs) != results || last.Labels.Get("request_rate") != fmt.Sprint(results) {
			t.Fatalf("%d runs, the last with %v", len(plan.Runs), last.Labels)
		}
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := allocated(500), allocated(1000); many > 3*few {
		t.Errorf("%.0f bytes for 500 results, %.0f for 1,000", few, many)
	}
}
