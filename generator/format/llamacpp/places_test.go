package llamacpp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// benchOf returns a table of llama-bench with columns in addition to those that are always there.
func benchOf(columns, values string) string {
	return "| model | size | params | backend |" + columns + " test | t/s |\n| --- | ---: | ---: | --- |" + strings.Repeat(" --: |", strings.Count(columns, "|")) + " --: | --: |\n" +
		"| qwen3moe 235B.A22B Q4_K - Medium | 132.39 GiB | 235.09 B | CUDA |" + values + " tg128 | 17.25 ± 0.11 |\n"
}

// TestWeightsOnTheCPU checks the label cpu_offload: a command or a column says that weights stay in the host's memory.
func TestWeightsOnTheCPU(t *testing.T) {
	t.Parallel()
	plain := benchOf(" ngl |", " 99 |")
	const (
		served = "prompt eval time =     120.50 ms /    40 tokens (    3.01 ms per token,   331.95 tokens per second)\n" +
			"       eval time =    2500.00 ms /    50 tokens (   50.00 ms per token,    20.00 tokens per second)\n      total time =    2620.50 ms /    90 tokens\n"
		swept = "|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |\n|-------|--------|--------|----------|----------|----------|----------|\n" +
			"|   512 |    128 |      0 |    1.450 |   353.10 |   11.275 |    11.35 |\n"
	)
	for text, want := range map[string]string{
		"llama-bench -m a.gguf -ot exps=CPU\n" + plain:                                     "true",
		"llama-bench -m a.gguf --override-tensor \"exps=CPU\" -ngl 99\n" + plain:           "true",
		"llama-bench -m a.gguf -ot \"a=CPU\" -ot \"b=CUDA1\"\n" + plain:                    "true",
		"llama-bench -m a.gguf \\\n    -ot 'blk\\.[2-9]\\.ffn=CPU,x=CUDA1' \\\n\n" + plain: "true",
		"llama-bench -m a.gguf -ot \"b=CUDA1\"\n" + plain:                                  "",
		"llama-bench -m a.gguf -ncmoe 20\n" + plain:                                        "true",
		"llama-bench -m a.gguf --n-cpu-moe 0\n" + plain:                                    "",
		"llama-bench -m a.gguf\n" + plain:                                                  "",
		plain:                                                                              "",
		benchOf(" ngl | ot |", " 99 | exps=CPU |"):                                         "true",
		benchOf(" ngl | ot |", " 99 | exps=CUDA1 |"):                                       "",
		benchOf(" ngl | n_cpu_moe |", " 99 | 20 |"):                                        "true",
		benchOf(" ngl | n_cpu_moe |", " 99 | 0 |"):                                         "",
		benchOf(" ngl |", " 0 |"):                                                          "true",
		"llama-bench -m a.gguf -ncmoe 0,20\n" + plain:                                      "",
		"llama-bench -ncmoe 0,20\n" + benchOf(" n_cpu_moe |", " 20 |"):                     "true",
		"llama-bench -ngl 0\n" + benchOf(" threads |", " 8 |"):                             "true",
		"./llama-server -m a.gguf -ot exps=CPU -ngl 99\n" + served:                         "true",
		"./llama-server -m a.gguf --cpu-moe\n" + served:                                    "true",
		"./llama-server -m a.gguf --n-cpu-moe 12 -c 4096\n" + served:                       "true",
		"./llama-server -m a.gguf -ngl 99\n" + served:                                      "",
		"./llama-sweep-bench -m a.gguf -ot exps=CPU\n" + swept:                             "true",
		"./llama-sweep-bench -m a.gguf -ngl 99\n" + swept:                                  "",
		// A command may ask for several values; the column states the value of its row.
		"llama-bench -ot \"a=CPU\" -ot \"b=CUDA1\"\n" + benchOf(" ot |", " b=CUDA1 |"): "",
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != 1 || out.Results[0].Label("cpu_offload") != want {
			t.Errorf("%d results, cpu_offload %q, not %q:\n%s", len(out.Results), out.Results[0].Label("cpu_offload"), want, text)
		}
	}
}

// TestDevicesShareTheModel checks that devices of the same kind share the model by layers, or by rows if the split mode
// says so. If a setting chooses among the devices, nothing is known.
func TestDevicesShareTheModel(t *testing.T) {
	t.Parallel()
	devices := func(names ...string) string {
		var b strings.Builder
		for i, name := range names {
			fmt.Fprintf(&b, "  Device %d: NVIDIA %s, compute capability 8.9, VMM: yes\n", i, name)
		}
		return b.String()
	}
	row := func(gpus, settings string) string {
		return fmt.Sprintf(`{"build_commit": "abc1234", "build_number": 6000, "gpu_info": %q, "model_filename": "a.gguf", %s "n_prompt": 512, "n_gen": 0, "avg_ts": 100.5}`+"\n", gpus, settings)
	}
	for text, want := range map[string]string{
		devices("L40S", "L40S", "L40S") + benchOf(" ngl |", " 99 |"):                                                             "pp3",
		devices("L40S", "L40S") + benchOf(" ngl | sm |", " 99 | row |"):                                                          "tp2",
		devices("L40S", "L40S") + benchOf(" ngl | sm |", " 99 | none |"):                                                         "",
		devices("L40S", "L40S") + benchOf(" ngl | ts |", " 99 | 1.00/0.00 |"):                                                    "",
		devices("L40S", "L40S") + benchOf(" ngl | dev |", " 99 | CUDA0 |"):                                                       "",
		devices("L40S", "L40S") + benchOf(" ngl |", " 0 |"):                                                                      "",
		devices("L40S", "L4") + benchOf(" ngl |", " 99 |"):                                                                       "",
		devices("L40S") + benchOf(" ngl |", " 99 |"):                                                                             "",
		benchOf(" ngl |", " 99 |"):                                                                                               "",
		devices("L40S", "L40S") + "| model | test | t/s |\n| - | - | - |\n| qwen3 8B | tg128 | 17.25 ± 0.11 |\n":                 "",
		row("NVIDIA L40S, NVIDIA L40S", `"split_mode": "layer", "tensor_split": "0.00", "devices": "auto", "n_gpu_layers": 99,`): "pp2",
		row("NVIDIA L40S/NVIDIA L40S", `"tensor_split": "0.00/0.00",`):                                                           "pp2",
		row("NVIDIA L40S, NVIDIA L40S", `"split_mode": "none",`):                                                                 "",
		row("NVIDIA L40S, NVIDIA L40S", `"tensor_split": "3.00/1.00",`):                                                          "",
		row("NVIDIA L40S, NVIDIA L40S", `"devices": "CUDA1",`):                                                                   "",
		row("NVIDIA L40S", ""): "",
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != 1 || out.Results[0].Label("parallelism") != want {
			t.Errorf("%d results, parallelism %q, not %q:\n%s", len(out.Results), out.Results[0].Label("parallelism"), want, text)
		}
	}
}
