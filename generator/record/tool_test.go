package record

import (
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/shell"
)

func TestCommandsAreUnderstood(t *testing.T) {
	for line, want := range map[string]struct {
		name, pkg, engine, server string
		outputs                   []string
	}{
		"vllm bench serve --model Qwen/Qwen3-8B --max-concurrency 8 --base-url http://10.0.0.2:8000/v1 --save-result --result-dir out --result-filename a.json": {
			"vllm-bench-serve-Qwen3-8B-c8", "vllm", "", "http://10.0.0.2:8000", []string{"out/a.json"}},
		"vllm bench latency --model /models/Qwen3-8B/ --output-json=lat.json": {"vllm-bench-latency-Qwen3-8B", "vllm", "vllm", "", []string{"lat.json"}},
		"python3 -m sglang.bench_serving --host 0.0.0.0 --port 30000 --request-rate 4 --output-file r.jsonl": {
			"sglang.bench_serving-rate4", "sglang", "", "http://127.0.0.1:30000", []string{"r.jsonl"}},
		"env CUDA_VISIBLE_DEVICES=0 sudo ./llama-bench -m models/qwen3-8b-q4_k_m.gguf -o json": {"llama-bench-qwen3-8b-q4_k_m", "", "", "", []string{"json"}},
		"guidellm benchmark --target localhost:8000 --output-path x/":                          {"guidellm-benchmark", "guidellm", "", "http://localhost:8000", []string{"x/"}},
		"aiperf profile -m Qwen/Qwen3-8B --url http://a:b@h:1 --concurrency 16":                {"aiperf-profile-Qwen3-8B-c16", "aiperf", "", "http://h:1", nil},
		"sh -c 'vllm bench | tee x'":               {"sh", "", "", "", nil},
		"python bench.py --model ../../etc/passwd": {"bench-passwd", "", "", "", nil},
		"./模型测试 --model '坏 名字'":                    {"模型测试-坏-名字", "", "", "", nil},
		"x":                                        {"x", "", "", "", nil},
		"...":                                      {"run", "", "", "", nil},
		"x --model hf_abcdefghijkl --url '::bad::'": {"x", "", "", "", nil},
	} {
		words, err := shell.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		tool := toolOf(words)
		if got := NameOf(words); got != want.name {
			t.Errorf("%s\nis named %q, not %q", line, got, want.name)
		}
		if tool.pkg != want.pkg || tool.engine != want.engine || serverOf(words) != want.server {
			t.Errorf("%s\n%q %q %q", line, tool.pkg, tool.engine, serverOf(words))
		}
		if got := outputs(words); !slices.Equal(got, want.outputs) {
			t.Errorf("%s\nwrites %q, not %q", line, got, want.outputs)
		}
	}
}
