package importer

import (
	"strings"
	"testing"
)

func show(facets []facet) string {
	var out []string
	for _, f := range facets {
		out = append(out, f.label+"="+f.value)
	}
	return strings.Join(out, " ")
}

// TestTitles checks the facets of a heading, and whether the same text is also a title as a bare line.
func TestTitles(t *testing.T) {
	for _, test := range []struct {
		text, heading, bare string
	}{
		{"Qwen3-8B-FP8", "model=Qwen3-8B-FP8", "model=Qwen3-8B-FP8"},
		{"Qwen/Qwen3-8B", "model=Qwen3-8B", "model=Qwen3-8B"},
		{"3.2 Results for `okwinds/Qwen3-8B-Int4-W4A16` 🚀", "model=Qwen3-8B-Int4-W4A16", "model=Qwen3-8B-Int4-W4A16"},
		{"[Llama-3.1-8B](https://example.org/Qwen3-8B)", "model=Llama-3.1-8B", "model=Llama-3.1-8B"},
		{"https://example.org/Qwen3-8B", "", ""},
		{"Mixtral 8x7B Instruct", "model=Mixtral 8x7B Instruct", "model=Mixtral 8x7B Instruct"},
		{"gpt-oss-20b", "model=gpt-oss-20b", "model=gpt-oss-20b"},
		{"Phi-4", "model=Phi-4", "model=Phi-4"},
		{"qwen3", "", ""},
		{"Why Qwen3-8B is slow", "model=Qwen3-8B", ""},
		{"Qwen3-8B or Qwen3-4B", "", ""},
		{"A100-80GB", "hardware=A100-80GB", "hardware=A100-80GB"},
		{"高负载", "load=high", "load=high"},
		{"低并发场景", "load=low", "load=low"},
		{"High load:", "load=high", "load=high"},
		{"Light load (single user)", "load=low", "load=low"},
		{"High", "load=high", "load=high"},
		{"Highlights", "", ""},
		{"Running with concurrency 16", "max_concurrency=16", "max_concurrency=16"},
		{"并发数 32, 输入 1024, 输出 128", "max_concurrency=32 input_len=1024 output_len=128", "max_concurrency=32 input_len=1024 output_len=128"},
		{"qps inf", "request_rate=inf", "request_rate=inf"},
		{"2.5 req/s", "request_rate=2.5", "request_rate=2.5"},
		{"2. 对话场景", "scenario=chat", "scenario=chat"},
		{"高吞吐量场景", "scenario=throughput", "scenario=throughput"},
		{"长上下文场景", "scenario=long-context", "scenario=long-context"},
		{"1. 预热", "scenario=warmup", "scenario=warmup"},
		{"Long-context", "scenario=long-context", "scenario=long-context"},
		{"Code review scenario", "scenario=code-review", "scenario=code-review"},
		{"Chatting about it", "", ""},
		{"MAXN + jetson_clocks", "power_mode=MAXN clocks=locked", "power_mode=MAXN clocks=locked"},
		{"120W", "power_mode=120W", "power_mode=120W"},
		{"a 65 W charger", "power_mode=65W", ""},
		{"8xH200, TP=8, FP8", "parallelism=tp8 accelerators=8 hardware=H200 quantization=FP8", "parallelism=tp8 accelerators=8 hardware=H200 quantization=FP8"},
		{"vLLM 0.11.0", "engine=vllm engine_version=0.11.0", "engine=vllm engine_version=0.11.0"},
		{"vLLM 0.11...", "engine=vllm", ""},
		{"Using vLLM benchmark", "", ""},
		{"no request-rate setting", "request_rate=", "request_rate="},
		{"性能分析", "", ""},
		{"", "", ""},
	} {
		words := cleanTitle(test.text)
		if got := show(facetsOf(words, true)); got != test.heading {
			t.Errorf("as a heading %q says %q, not %q", test.text, got, test.heading)
		}
		if got := show(bareFacets(words)); got != test.bare {
			t.Errorf("as a bare line %q says %q, not %q", test.text, got, test.bare)
		}
	}
}

func TestStatements(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"- 模型/精度:Qwen3-8B-FP8", "model=Qwen3-8B-FP8"},
		{"- 输入序列长度:2048 tokens", "input_len=2048"},
		{"**Output length**: 1,024", "output_len=1024"},
		{"GPU: 2x RTX 4090, vLLM: 0.6.3", "hardware=RTX 4090 accelerators=2 engine=vllm engine_version=0.6.3"},
		{"- 硬件:Jetson AGX Thor 128GB", "hardware=Jetson AGX Thor 128GB"},
		{"镜像版本: `nvcr.io/nvidia/vllm:25.09-py3`", "image=nvcr.io/nvidia/vllm:25.09-py3"},
		{"Engine: SGLang 0.4.6", "engine=sglang engine_version=0.4.6"},
		{"max-concurrency: 1, no request-rate setting", "max_concurrency=1 request_rate="},
		{"Load: heavy", "load=high"},
		{"Workload: RAG", "scenario=rag"},
		{"Power mode: 30W", "power_mode=30W"},
		{"Test date: 2026-01-02 10:00", "date=2026-01-02"},
		{"vLLM version: 0.10.1...", ""},
		{"Image: $IMAGE", ""},
		{"Model: the big one", ""},
		{"Concurrency: many", ""},
		{"Weather: fine", ""},
		{"GPU:", ""},
	} {
		var got []facet
		for _, s := range statementFacts(cleanTitle(test.text)) {
			got = append(got, s.facet)
		}
		if show(got) != test.want {
			t.Errorf("%q says %q, not %q", test.text, show(got), test.want)
		}
	}
}

func TestCommands(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"vllm serve /models/Qwen/Qwen3-8B --served-model-name qwen3", "engine=vllm model=Qwen3-8B"},
		{"(venv) me@box:~/x$ VLLM_X=1 nohup vllm serve Qwen/Qwen3-8B -tp 2 > log &", "engine=vllm model=Qwen3-8B parallelism=tp2"},
		{"python3 -m vllm.entrypoints.openai.api_server --model Qwen/Qwen3-8B --quantization fp8", "engine=vllm model=Qwen3-8B quantization=FP8"},
		{"python benchmarks/benchmark_serving.py --model Qwen/Qwen3-8B --num-prompts 8", "model=Qwen3-8B num_prompts=8"},
		{"python -m sglang.launch_server --model-path Qwen/Qwen3-8B --tp 4", "engine=sglang model=Qwen3-8B parallelism=tp4"},
		{"llama-server -m models/Qwen3-8B-Q4_K_M.gguf", "engine=llama.cpp model=Qwen3-8B-Q4_K_M"},
		{"vllm bench serve --model qwen3 --dataset-name random --random-input-len 2048 --max-concurrency=8 --ignore-eos", "dataset=random input_len=2048 max_concurrency=8 ignore_eos=true"},
		{"docker exec -it box vllm bench serve --model Qwen/Qwen3-8B", "model=Qwen3-8B"},
		{"docker run --rm -it --gpus all -p 8000:8000 vllm/vllm-openai:v0.9.1 --model Qwen/Qwen3-8B", "image=vllm/vllm-openai:v0.9.1 engine=vllm model=Qwen3-8B"},
		{"docker run -d prom/prometheus:v2", ""},
		{"pip install 'vllm==0.9.1'", "engine=vllm engine_version=0.9.1"},
		{"sudo nvpmodel -m 0", "power_mode=MAXN"},
		{"sudo nvpmodel -q", ""},
		{"sudo jetson_clocks", "clocks=locked"},
		{"sudo jetson_clocks --show", ""},
		{"jetson_clocks", ""},
		{"sudo nvidia-smi -pl 300", "power_mode=300W"},
		{"vllm serve is the command to use", ""},
		{"# vllm serve Qwen/Qwen3-8B", ""},
		{"echo vllm serve Qwen/Qwen3-8B", ""},
		{"vllm bench serve --model 'unclosed", ""},
	} {
		r := reader{outline: &outline{lines: []string{test.line}}}
		facts, _, _ := r.shell(0)
		if got := show(facts); got != test.want {
			t.Errorf("%q says %q, not %q", test.line, got, test.want)
		}
	}
}

func TestQuantizationInAName(t *testing.T) {
	for name, want := range map[string]string{
		"Qwen3-8B": "", "Qwen3-8B-FP8": "FP8", "Qwen3-8B-FP4": "FP4", "Llama-3.1-8B-NVFP4": "NVFP4", "Qwen3-8B-AWQ": "AWQ",
		"Qwen3-8B-GPTQ-Int4": "GPTQ-Int4", "Qwen3-8B-GPTQ-Int8": "GPTQ-Int8", "Qwen3-8B-Int4-W4A16": "W4A16", "Qwen3-8B-Int8-W8A16": "W8A16",
		"Qwen3-Coder-30B-A3B-Instruct-AWQ-4bit": "AWQ-4bit", "Qwen3-Coder-30B-A3B-Instruct-AWQ-8bit": "AWQ-8bit", "Qwen3-8B-GGUF": "GGUF",
		"Qwen3-8B-Q5_K_M": "Q5_K_M", "Qwen3-8B-Q8_0": "Q8_0", "llama-2-7b.IQ4_XS": "IQ4_XS", "Qwen3-4B-FP8-dynamic": "FP8",
		"Llama-2-7b-chat-quantized.w8a8": "W8A8", "x-bnb-4bit": "BNB-4bit", "Qwen3-30B-A3B": "",
	} {
		if got := quantizationIn(name); got != want {
			t.Errorf("%s: %q, not %q", name, got, want)
		}
	}
}
