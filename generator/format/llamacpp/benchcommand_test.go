package llamacpp_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// file is a model: its file name, its description in llama-bench's table, and its quantization.
type file struct{ name, description, size, params, quantization string }

var files = []file{
	{"Qwen3.5-35B-A3B-MXFP4_MOE.gguf", "qwen35moe ?B Q4_K - Medium", "18.42 GiB", "34.66 B", "MXFP4"},
	{"Qwen3.5-35B-A3B-UD-Q4_K_XL.gguf", "qwen35moe ?B Q4_K - Medium", "19.17 GiB", "34.66 B", "Q4_K_XL"},
	{"llama-2-7b.Q4_0.gguf", "llama 7B Q4_0", "3.56 GiB", "6.74 B", "Q4_0"},
	{"Qwen3-8B-Q8_0.gguf", "qwen3 8B Q8_0", "8.11 GiB", "8.19 B", "Q8_0"},
	{"Llama-4-Scout-17B-16E-Instruct-Q4_K_M.gguf", "llama4 17Bx16E (Scout) Q4_K - Medium", "60.86 GiB", "107.77 B", "Q4_K_M"},
}

func (f file) table() string {
	return "| model                          |       size |     params | backend    | ngl |            test |                  t/s |\n" +
		"| ------------------------------ | ---------: | ---------: | ---------- | --: | --------------: | -------------------: |\n" +
		fmt.Sprintf("| %s | %s | %s | CUDA | 99 | pp512 | 1234.56 ± 1.20 |\n| %s | %s | %s | CUDA | 99 | tg128 | 81.50 ± 0.20 |\n\nbuild: 9e10bd2ea (8234)\n",
			f.description, f.size, f.params, f.description, f.size, f.params)
}

// TestCommandsNameTheModel checks that the file in a command is the model of the rows below it. It mixes commands and
// tables in random order: no row may get a model whose size contradicts the row.
func TestCommandsNameTheModel(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 8))
	for range 300 {
		var text strings.Builder
		var ran []file
		for range 1 + rng.IntN(6) {
			if f := files[rng.IntN(len(files))]; rng.IntN(2) == 0 {
				fmt.Fprintf(&text, "$ ./build/bin/llama-bench -m models/%s \\\n    -ngl 99 -p 512\n", f.name)
			} else {
				text.WriteString(f.table())
				ran = append(ran, f, f)
			}
		}
		out := fixture.Read(t, text.String())
		if len(out.Results) != len(ran) {
			t.Fatalf("%d results of %d", len(out.Results), len(ran))
		}
		for i, f := range ran {
			r := &out.Results[i]
			name := strings.TrimPrefix(r.Label("model_raw"), "models/")
			if name == f.description {
				continue
			}
			for _, other := range files {
				if other.name == name && (other.params != f.params || other.quantization != r.Label("quantization")) || r.Label("x_model_type") != f.description {
					t.Fatalf("row %d of %s is of %s, %s:\n%s", i, f.name, name, r.Label("quantization"), text.String())
				}
			}
		}
	}
	for _, f := range files {
		out := fixture.Read(t, "llama-bench -m "+f.name+"\n"+f.table())
		for i := range out.Results {
			if r := &out.Results[i]; r.Label("model_raw") != f.name || r.Label("quantization") != f.quantization || r.Label("x_command_model") != "" {
				t.Errorf("%s: model %s, quantisation %s", f.name, r.Label("model_raw"), r.Label("quantization"))
			}
		}
	}
}

// TestCommandsOfOtherTables checks that a command with several models, other tests or other settings does not name the
// model.
func TestCommandsOfOtherTables(t *testing.T) {
	t.Parallel()
	f := files[3]
	for _, command := range []string{
		"llama-bench -m a.gguf -m " + f.name, "llama-bench -m a.gguf,b.gguf", "llama-bench -m " + f.name + " -p 2048", "llama-bench -m " + f.name + " -n 32",
		"llama-bench -m " + f.name + " -ngl 0 -ngl 1 -t 4 -d 4096", "llama-bench -m Qwen3-14B-Q8_0.gguf", "llama-bench -m Qwen3-8B-Q4_K_M.gguf",
		"llama-bench -m $MODEL", "llama-bench -m " + f.name + " -ngl 30",
	} {
		for _, r := range fixture.Read(t, command+"\n"+f.table()).Results {
			if r.Label("model_raw") != f.description {
				t.Errorf("%s: model %s", command, r.Label("model_raw"))
			}
		}
	}
}
