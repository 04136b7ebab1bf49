package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// TestSettingsAbove checks the settings read from lines above a block. The block itself states max_concurrency=8.
func TestSettingsAbove(t *testing.T) {
	for _, test := range []struct{ name, above, want string }{
		{"nothing", "", "max_concurrency=8"},
		{"arguments", "Namespace(subparser='bench', dispatch_function=<function BenchmarkServingSubcommand.cmd at 0x7f01>, seed=0, " +
			"num_prompts=100, dataset_name='random', dataset_path=None, random_input_len=2048, random_output_len=128, " +
			"random_mm_limit_mm_per_prompt={'image': 255, 'video': 0}, random_mm_bucket_config={(256, 256, 1): 0.5}, " +
			"sharegpt_output_len=None, backend='vllm', max_concurrency=8, model='Qwen/Qwen3-8B', tokenizer='/models/Qwen, new', " +
			"request_rate=inf, burstiness=1.0, ignore_eos=False, extra_body='{\"a\": 1}')\n",
			"backend=vllm burstiness=1 dataset=random ignore_eos=false input_len=2048 max_concurrency=8 model_raw=Qwen/Qwen3-8B num_prompts=100 " +
				"output_len=128 request_rate=inf seed=0 tokenizer=/models/Qwen, new"},
		{"lengths of another dataset", "Namespace(num_prompts=100, dataset_name='sharegpt', random_input_len=1024, random_output_len=128, sharegpt_output_len=256)\n",
			"dataset=sharegpt max_concurrency=8 num_prompts=100 output_len=256"},
		{"a length for any dataset", "Namespace(num_prompts=100, dataset_name='random', input_len=7, random_input_len=1024, random_output_len=128)\n",
			"dataset=random input_len=7 max_concurrency=8 num_prompts=100 output_len=128"},
		{"lines before the run", "Traffic request rate: 3.50\nBurstiness factor: 0.7 (Gamma distribution)\nMaximum request concurrency: 99\n",
			"burstiness=0.7 max_concurrency=8 request_rate=3.5"},
		{"lines with prefix", "(bench pid=3) Traffic request rate: inf RPS.\n(bench pid=3) Maximum request concurrency: None\n",
			"max_concurrency=8 request_rate=inf"},
		{"lines are nearer than arguments", "Namespace(request_rate=1.0)\nTraffic request rate: 2.0\n", "max_concurrency=8 request_rate=2"},
		{"command", "$ vllm bench serve \\\n  --model Qwen/Qwen3-8B --dataset-name=random \\\n  --random-input-len 2048 --random_output_len 128 \\\n" +
			"  --num-prompts 100 --max-concurrency=8 --ignore-eos\n\nSome words.\n",
			"dataset=random ignore_eos=true input_len=2048 max_concurrency=8 model_raw=Qwen/Qwen3-8B num_prompts=100 output_len=128"},
		{"script", "> python3 benchmarks/benchmark_serving.py --backend vllm \\\n> --model 'a b' --seed 3 2>&1 | tee x.log\n",
			"backend=vllm max_concurrency=8 model_raw=a b seed=3"},
		{"shortened flags", "vllm bench serve --dataset-name random --random-input 2048 --random-output 128 --num-prompt 100\n",
			"dataset=random input_len=2048 max_concurrency=8 num_prompts=100 output_len=128"},
		{"shell variables", "vllm bench serve --model $MODEL --num-prompts ${N} --seed 1;\n", "max_concurrency=8 seed=1"},
		{"a warning that names the command", "vllm bench serve --seed 1\nWARNING: vllm bench serve no longer sets temperature==0\n",
			"max_concurrency=8 seed=1"},
		{"the last command counts", "vllm bench serve --seed 1 --model a\nvllm bench serve --seed 2\n", "max_concurrency=8 seed=2"},
		{"arguments replace the command", "vllm bench serve --model m --seed 1\nNamespace(num_prompts=100, seed=2)\n",
			"max_concurrency=8 num_prompts=100 seed=2"},
		{"arguments of the server", "Namespace(num_prompts=100, seed=2)\nargs: Namespace(subparser='serve', model_tag='m', seed=9)\n",
			"max_concurrency=8 num_prompts=100 seed=2"},
		{"a command of another concurrency", "vllm bench serve --model m --max-concurrency 1\n", "max_concurrency=8"},
		{"a command with fewer prompts than ran", "vllm bench serve --model m --num-prompts 10\n", "max_concurrency=8"},
		{"a command far above", "vllm bench serve --model m\n" + strings.Repeat("words\n", 201), "max_concurrency=8"},
		{"a run without result between", "Namespace(num_prompts=100, seed=1)\n" + strings.Repeat("=", 12) + " Serving Benchmark Result " + strings.Repeat("=", 12) + "\n",
			"max_concurrency=8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := fixture.SettingsOf(fixture.One(t, test.above+fixture.Table)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestSettingsBelongToOneBlock checks that lines above one block do not apply to the next.
func TestSettingsBelongToOneBlock(t *testing.T) {
	out := fixture.Read(t, "Namespace(num_prompts=100, seed=1)\n"+fixture.Table+fixture.Table+"Namespace(num_prompts=100, seed=3)\n"+fixture.Table)
	if len(out.Results) != 3 {
		t.Fatal(len(out.Results))
	}
	for i, want := range []string{"1", "", "3"} {
		if got := out.Results[i].Label("seed"); got != want {
			t.Errorf("block %d has seed %q, not %q", i, got, want)
		}
	}
	if l, _ := out.Results[2].Labels.Lookup("seed"); l.Pos.Line != 46 {
		t.Errorf("the label is from line %d", l.Pos.Line)
	}
}

func ExampleRead() {
	const log = `vllm bench serve --model Qwen/Qwen3-8B --max-concurrency 8
============ Serving Benchmark Result ============
Successful requests: 100
Maximum request concurrency: 8
Mean TTFT (ms): 495.44
==================================================
`
	out, err := format.Read("high.log", strings.NewReader(log))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range out.Results {
		fmt.Println(r.Source, r.Label("model_raw"))
		for _, m := range r.Metrics {
			fmt.Println(m.Line, m.Name, m.Text(), m.Unit)
		}
	}
	// Output:
	// high.log:2 Qwen/Qwen3-8B
	// 3 requests_completed 100 1
	// 5 ttft_mean 495.44 ms
}
