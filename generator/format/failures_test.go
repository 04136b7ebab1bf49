package format_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

const (
	llamaHead = "| model                          |       size |     params | backend    | ngl |            test |                  t/s |\n" +
		"| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |\n"
	llamaRow  = "| llama 7B Q4_0                  |   3.56 GiB |     6.74 B | CUDA       |  99 |           pp512 |      1234.56 ± 12.34 |\n"
	refused   = "Traceback (most recent call last):\n  File \"/x/serve.py\", line 12, in main\n    asyncio.run(go())\nValueError: Initial test run failed\n"
	trial     = "Starting initial single prompt test run...\n"
	arguments = "Namespace(backend='vllm', dataset_name='random', model='org/m', num_prompts=100, random_input_len=1024, random_output_len=128, request_rate=inf, max_concurrency=8)\n"
)

// TestFailedRuns checks that a run that ended with an error becomes an unfinished run, with the reason and its known
// labels.
func TestFailedRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, state, labels string }{
		"a table without rows": {llamaHead + "/opt/ggml/ggml-rpc.cpp:724: Remote RPC server crashed or returned malformed response\n/lib64/libggml.so(+0x35) [0x7f]\n",
			"failed: /opt/ggml/ggml-rpc.cpp:724: Remote RPC server crashed or returned malformed response", ""},
		"some rows": {llamaHead + llamaRow + "ggml_vulkan: Device memory allocation failed.\nvk::DeviceLostError: ErrorDeviceLost\n",
			"failed after 1 tests: vk::DeviceLostError: ErrorDeviceLost", ""},
		"an error before the head": {"llama-bench: benchmark 1/2: starting\nmain: error: failed to load model '/a/b'\n" + llamaHead + "llama-bench: benchmark 1/1: starting\nllama-bench: benchmark 1/1: prompt run 1/1\n" + llamaHead + llamaRow,
			"failed: main: error: failed to load model '/a/b'", ""},
		"a stack before the error": {"/lib64/libllama.so(llama_decode+0xe) [0x7f]\n/usr/bin/llama-bench() [0x4066fb]\n/lib64/libc.so.6(+0x35) [0x7f]\nterminate called after throwing an instance of 'vk::DeviceLostError'\n  what():  vk::Queue::submit: ErrorDeviceLost\n",
			"failed: terminate called after throwing an instance of 'vk::DeviceLostError'", ""},
		"no table": {"+ llama-bench -m a/Qwen3-8B-Q4_K_M.gguf \\\n  -p 512 -ngl 99\nmain: error: failed to load model 'a/Qwen3-8B-Q4_K_M.gguf'\n",
			"failed: main: error: failed to load model 'a/Qwen3-8B-Q4_K_M.gguf'", "gpu_layers=99 input_len=512 model_raw=a/Qwen3-8B-Q4_K_M.gguf"},
		"no server": {arguments + "Starting initial single prompt test run...\n" + refused, "failed after 0 of 100 requests: ValueError: Initial test run failed",
			"backend=vllm dataset=random input_len=1024 max_concurrency=8 model_raw=org/m num_prompts=100 output_len=128 request_rate=inf"},
		"a command alone": {"$ vllm bench serve --model org/m --num-prompts 10\n" + refused, "failed: ValueError: Initial test run failed", "model_raw=org/m num_prompts=10"},
		"out of memory": {"$ vllm bench throughput --model org/m --input-len 8\nINFO loading\n[rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n",
			"failed: [rank0]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB", "input_len=8 model_raw=org/m"},
		"killed":              {"lm_eval --model hf --tasks gsm8k\nKilled\n", "failed: Killed", "task=gsm8k"},
		"the second run":      {arguments + fixture.Table + "vllm bench serve --model b --num-prompts 10\nTraceback (most recent call last):\nConnectionRefusedError: no\n", "failed: ConnectionRefusedError: no", "model_raw=b num_prompts=10"},
		"no command was kept": {trial + refused, "failed: ValueError: Initial test run failed", ""},
		"while it measured": {trial + "Starting main benchmark run...\nTraffic request rate: inf\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]\nTraceback (most recent call last):\nKeyboardInterrupt\n",
			"failed after 40 of 100 requests: KeyboardInterrupt", "request_rate=inf"},
		"the second run of which no command was kept": {trial + fixture.Table + trial + refused, "failed: ValueError: Initial test run failed", ""},
		"SGLang's warm-up":                            {"Starting warmup with 1 sequences...\n" + refused, "failed: ValueError: Initial test run failed", ""},
	} {
		out := fixture.Read(t, c.text)
		if len(out.Unfinished) != 1 {
			t.Errorf("%s: %d runs without a result", name, len(out.Unfinished))
			continue
		}
		u := out.Unfinished[0]
		var labels []string
		for label, value := range u.Labels.Values() {
			labels = append(labels, label+"="+value)
		}
		if got := locale.English(u.State()); got != c.state || strings.Join(labels, " ") != c.labels {
			t.Errorf("%s: %s; %s", name, got, strings.Join(labels, " "))
		}
		if m := u.Message(); m.ID != "run.failed" || m.Pos.Line == 0 {
			t.Errorf("%s: %+v", name, m)
		}
	}
}

// TestErrorsThatEndNoRun checks that an error is not a failure if the run survives it, if a page quotes it, or if no
// benchmark run precedes it.
func TestErrorsThatEndNoRun(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"before the result":                 arguments + refused + fixture.Table,
		"after the result":                  arguments + fixture.Table + refused,
		"after the last row":                llamaHead + llamaRow + "\nbuild: 9e10bd2ea (8234)\n",
		"before a result without a command": trial + refused + fixture.Table,
		"in a page":                         "Run:\n```\nvllm bench serve --model m --num-prompts 10\n" + refused + "```\nThen restart.\n",
		"without a run":                     "INFO start\n" + refused,
		"of a server":                       "args: Namespace(subparser='serve', model_tag='m')\ntorch.OutOfMemoryError: CUDA out of memory.\n",
	} {
		for _, u := range fixture.Read(t, text).Unfinished {
			t.Errorf("%s: %s", name, locale.English(u.State()))
		}
	}
}
