package quality_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// evaluation is the model, task and shots of a run.
type evaluation struct{ model, task, shots string }

func (e evaluation) command() string {
	return fmt.Sprintf("$ lm_eval --model vllm --model_args pretrained=%s,tensor_parallel_size=2 \\\n    --tasks %s --num_fewshot %s\n", e.model, e.task, e.shots)
}

func (e evaluation) table() string {
	return "|Tasks|Version|     Filter     |n-shot|  Metric   |   |Value |   |Stderr|\n|-----|------:|----------------|-----:|-----------|---|-----:|---|-----:|\n" +
		fmt.Sprintf("|%s|      3|flexible-extract|     %s|exact_match|↑  |0.8500|±  |0.0098|\n|     |       |strict-match    |     %s|exact_match|↑  |0.8100|±  |0.0099|\n", e.task, e.shots, e.shots)
}

// TestCommandsOfEvaluations checks that a table gets the model of the command with its task and shots, in any order of
// commands and tables.
func TestCommandsOfEvaluations(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(5, 5))
	all := []evaluation{{"org/a", "gsm8k", "5"}, {"org/b", "gsm8k", "8"}, {"org/c", "arc_challenge", "25"}, {"org/d", "mmlu_pro", "5"}}
	for range 300 {
		var text strings.Builder
		var ran []evaluation
		for range 1 + rng.IntN(6) {
			if e := all[rng.IntN(len(all))]; rng.IntN(2) == 0 {
				text.WriteString(e.command())
			} else {
				text.WriteString(e.table() + "\nWords.\n\n\n\n\n")
				ran = append(ran, e, e)
			}
		}
		out := fixture.Read(t, text.String())
		if len(out.Results) != len(ran) {
			t.Fatalf("%d results of %d:\n%s", len(out.Results), len(ran), text.String())
		}
		for i, e := range ran {
			if model := out.Results[i].Label("model_raw"); model != "" && model != e.model {
				t.Fatalf("row %d of %s is of %s:\n%s", i, e.model, model, text.String())
			}
		}
	}
	for _, e := range all {
		for _, r := range fixture.Read(t, e.command()+e.table()).Results {
			if got := fixture.SettingsOf(r); !strings.Contains(got, "backend=vllm") || r.Label("model_raw") != e.model || r.Label("parallelism") != "tp2" || strings.Contains(got, "x_command_") {
				t.Errorf("%s: %s", e.model, got)
			}
		}
	}
}
