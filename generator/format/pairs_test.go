package format_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// asked is what one run of a benchmark asks for, and what its result counts.
type asked struct{ input, output, prompts, atOnce int }

// served returns the table of a serving benchmark, with the benchmark's own first rows.
func (a asked) served(first string) string {
	return "============ Serving Benchmark Result ============\n" + first +
		fmt.Sprintf("Benchmark duration (s):                  40.00\nTotal input tokens:                      %d\nTotal generated tokens:                  %d\n", a.prompts*a.input, a.prompts*a.output) +
		"Mean TTFT (ms):                          31.50\n==================================================\n"
}

// pairing is a benchmark that prints its settings only in its command.
type pairing struct {
	name           string
	command, table func(a asked) string
}

var pairings = []pairing{
	{"vLLM serve",
		func(a asked) string {
			return fmt.Sprintf("$ vllm bench serve --model m --dataset-name random --random-input-len %d \\\n  --random-output-len %d --num-prompts %d --max-concurrency %d --ignore-eos\n",
				a.input, a.output, a.prompts, a.atOnce)
		},
		func(a asked) string {
			return a.served(fmt.Sprintf("Successful requests:                     %d\nMaximum request concurrency:             %d\n", a.prompts, a.atOnce))
		}},
	{"SGLang",
		func(a asked) string {
			return fmt.Sprintf("python3 -m sglang.bench_serving --backend sglang --dataset-name random --random-input-len %d --random-output-len %d --random-range-ratio 1 --num-prompts %d --max-concurrency %d\n",
				a.input, a.output, a.prompts, a.atOnce)
		},
		func(a asked) string {
			return a.served(fmt.Sprintf("Backend:                                 sglang\nMax request concurrency:                 %d\nSuccessful requests:                     %d\n", a.atOnce, a.prompts))
		}},
	{"vLLM throughput",
		func(a asked) string {
			return fmt.Sprintf("vllm bench throughput --model m --input-len %d --output-len %d --num-prompts %d\n", a.input, a.output, a.prompts)
		},
		func(a asked) string {
			return fmt.Sprintf("Throughput: %.2f requests/s, %.2f total tokens/s, %.2f output tokens/s\nTotal num prompt tokens:  %d\nTotal num output tokens:  %d\n",
				10.0, 10.0*float64(a.input+a.output), 10.0*float64(a.output), a.prompts*a.input, a.prompts*a.output)
		}},
	{"vLLM throughput of 2024",
		func(a asked) string {
			return fmt.Sprintf("python benchmarks/benchmark_throughput.py --model m --input-len %d --output-len %d --num-prompts %d\n", a.input, a.output, a.prompts)
		},
		func(a asked) string {
			return fmt.Sprintf("Throughput: 10.00 requests/s, %.2f tokens/s\n", 10.0*float64(a.input+a.output))
		}},
	{"SGLang one batch",
		func(a asked) string {
			return fmt.Sprintf("python -m sglang.bench_one_batch --model-path m --batch-size %d --input-len %d --output-len %d\n", a.atOnce, a.input, a.output)
		},
		func(a asked) string {
			prefill, all := float64(a.atOnce*a.input), float64(a.atOnce*(a.input+a.output))
			return fmt.Sprintf("Benchmark ...\nPrefill. latency: 0.50000 s, throughput: %.2f token/s\nDecode.  median latency: 0.01000 s, median throughput: 100.00 token/s\n"+
				"Total. latency: 4.000 s, throughput: %.2f token/s\n", prefill/0.5, all/4)
		}},
}

// supportedBy returns a label of a result that contradicts the settings of the run, or "".
func supportedBy(r *result.Result, ran asked) string {
	for _, of := range []struct {
		name string
		want int
	}{{"input_len", ran.input}, {"output_len", ran.output}, {"num_prompts", ran.prompts}, {"max_concurrency", ran.atOnce}, {"batch_size", ran.atOnce}} {
		if got := r.Label(of.name); got != "" && got != strconv.Itoa(of.want) {
			return of.name + "=" + got
		}
	}
	return ""
}

// TestCommandsAndResultsInAnyOrder checks, for commands and results in any order, that no result has a label that its
// own counts contradict. If each result follows its own command, they are paired in order.
func TestCommandsAndResultsInAnyOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 18))
	sizes := []asked{{128, 2048, 20, 4}, {1024, 128, 40, 8}, {1024, 512, 60, 16}, {8192, 64, 80, 32}, {32, 32, 200, 64}}
	for _, p := range pairings {
		for range 300 {
			var text strings.Builder
			var ran []asked
			for range 1 + rng.IntN(6) {
				a := sizes[rng.IntN(len(sizes))]
				if rng.IntN(2) == 0 {
					text.WriteString(p.command(a) + strings.Repeat("Words between.\n", rng.IntN(3)))
				} else {
					text.WriteString("\n" + p.table(a) + "\nWords below.\n\n\n\n")
					ran = append(ran, a)
				}
			}
			out := fixture.Read(t, text.String())
			if len(out.Results) != len(ran) {
				t.Fatalf("%s: %d results of %d:\n%s", p.name, len(out.Results), len(ran), text.String())
			}
			for i := range ran {
				if wrong := supportedBy(&out.Results[i], ran[i]); wrong != "" {
					t.Fatalf("%s: result %d has %s:\n%s", p.name, i, wrong, text.String())
				}
			}
		}
		for range 50 {
			var commands, tables, mixed strings.Builder
			n := 1 + rng.IntN(4)
			runs := make([]asked, n)
			for i := range runs {
				runs[i] = sizes[rng.IntN(len(sizes))]
				commands.WriteString(p.command(runs[i]))
				tables.WriteString(p.table(runs[i]) + "\n\n\n\n\n")
				mixed.WriteString(p.command(runs[i]) + p.table(runs[i]) + "\n\n\n\n\n")
			}
			for _, text := range []string{commands.String() + tables.String(), mixed.String()} {
				out := fixture.Read(t, text)
				for i := range out.Results {
					r := &out.Results[i]
					if got, want := r.Label("input_len")+" "+r.Label("output_len"), fmt.Sprintf("%d %d", runs[i].input, runs[i].output); got != want || supportedBy(r, runs[i]) != "" {
						t.Fatalf("%s: result %d has lengths %s, not %s:\n%s", p.name, i, got, want, text)
					}
				}
			}
		}
	}
}

// TestCommandsAreTakenInOrder checks that commands with equal counts are paired by their order, and that the line of
// each label is that of its command.
func TestCommandsAreTakenInOrder(t *testing.T) {
	t.Parallel()
	a := asked{1024, 128, 40, 8}
	for _, p := range pairings {
		var text strings.Builder
		for i := range 3 {
			text.WriteString(strings.Replace(p.command(a), "--", fmt.Sprintf("--seed %d --", i), 1))
		}
		for range 3 {
			text.WriteString("\n\n\n\n" + p.table(a))
		}
		out := fixture.Read(t, text.String())
		if len(out.Results) != 3 {
			t.Fatalf("%s: %d results", p.name, len(out.Results))
		}
		for i := range out.Results {
			if got := out.Results[i].Label("seed"); got != strconv.Itoa(i) {
				t.Errorf("%s: result %d has seed %q", p.name, i, got)
			}
		}
	}
}

// TestContradictedCommandIsReported checks that a command is reported and gives no label if its dataset has other
// lengths than the requests.
func TestContradictedCommandIsReported(t *testing.T) {
	t.Parallel()
	p := pairings[0]
	out := fixture.Read(t, p.command(asked{256, 128, 40, 8})+p.table(asked{2042, 128, 40, 8}))
	if len(out.Results) != 1 || out.Results[0].Label("input_len")+out.Results[0].Label("model_raw") != "" {
		t.Fatalf("%+v", out.Results)
	}
	if len(out.Messages) != 1 || out.Messages[0].ID != "format.command" || out.Messages[0].Pos.Line != 1 || !strings.Contains(locale.English(out.Messages[0].Text), "input_len=256") {
		t.Errorf("messages %v", out.Messages)
	}
	// A command for many more requests is rejected, too; some requests may have failed without being counted.
	for completed, label := range map[int]string{3: "", 30: "256"} {
		out := fixture.Read(t, p.command(asked{256, 128, 40, 8})+p.table(asked{256, 128, completed, 8}))
		if got := out.Results[0].Label("input_len"); got != label || (len(out.Messages) == 1) != (label == "") {
			t.Errorf("%d of 40 requests: input_len %q, %v", completed, got, out.Messages)
		}
	}
	// Additional tokens of a chat template or a prefix do not contradict the command.
	for _, extra := range []string{"--endpoint-type openai-chat --backend openai-chat", "--random-prefix-len 100"} {
		text := strings.Replace(p.command(asked{256, 128, 40, 8}), "--model", extra+" --model", 1) + p.table(asked{351, 128, 40, 8})
		if out := fixture.Read(t, text); len(out.Messages) > 0 || out.Results[0].Label("input_len") != "256" {
			t.Errorf("%s: %v", extra, out.Messages)
		}
	}
}
