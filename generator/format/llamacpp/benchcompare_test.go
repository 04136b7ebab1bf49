package llamacpp_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

// TestComparedBuilds checks that a table with a column of rates for each build has a result for each rate, for many
// names of the columns.
func TestComparedBuilds(t *testing.T) {
	for heads, want := range map[string]string{
		"t/s master | t/s 0a1b2c3d4 | Speedup":     "master: 100.5, 0a1b2c3d4: 200.25",
		"t/s (main) | **t/s (PR)** | speed ratio":  "main: 100.5, PR: 200.25",
		"main (t/s) | PR t/s | Δ":                  "main: 100.5, PR: 200.25",
		"tok/s (mla = 1) | tok/s mla = 2 | gain %": "mla = 1: 100.5, mla = 2: 200.25",
		"t/s | note | t/s (2nd run)":               ": 100.5, 2nd run: 1.99",
		"avg t/s | stddev t/s | n":                 ": 100.5",
	} {
		out := fixture.ReadText(t, "| model | Threads | test | "+heads+" |\n|---|---|---|---|---|---|\n| llama 8B Q4_0 | 8 | pp512 | 100.5 | 200.25 | 1.99 |\n")
		var got []string
		for _, r := range out.Results {
			m, _ := r.Metric("prefill_throughput")
			got = append(got, r.Label("x_run")+": "+m.Text())
			if r.Label("threads") != "8" || r.Label("input_len") != "512" || r.Label("engine") != "" {
				t.Errorf("%s: labels %v", heads, r.Labels)
			}
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, not %s", heads, got, want)
		}
		if len(out.Messages) != 1 && heads[0] != 'a' {
			t.Errorf("%s: the column that is none of rates is not reported: %v", heads, out.Messages)
		}
	}
}

// TestEngineOfComparedBuilds checks that only the tables of the script have the engine llama.cpp.
func TestEngineOfComparedBuilds(t *testing.T) {
	const row = "\n|---|---|---|---|---|\n| llama 8B Q4_0 | tg128 | 100.5 | 200.25 | 1.99 |\n"
	for head, want := range map[string]string{
		"| Model | Test | t/s master | t/s pr | Speedup |": "llama.cpp",
		"| Model | Test | t/s vLLM | t/s MLX | Notes |":    "",
	} {
		for _, r := range fixture.ReadText(t, head+row).Results {
			if r.Label("engine") != want {
				t.Errorf("%s: engine %q, not %q", head, r.Label("engine"), want)
			}
		}
	}
}

// TestTablesThatCompareNoBuilds checks that no figure is read from other tables that have a test and a rate.
func TestTablesThatCompareNoBuilds(t *testing.T) {
	for name, text := range map[string]string{
		"tests of another kind": "| Test | Result | t/s (limit) | t/s (found) |\n|---|---|---|---|\n| login | ok | 12.5 | 13.5 |\n",
		"rates of parts":        "| Test | Prefill t/s | Decode t/s | x |\n|---|---|---|---|\n| pp512+tg128 | 500.5 | 33.25 | 1 |\n",
		"no figures":            "| test | t/s (main) | t/s (PR) |\n|---|---|---|\n| pp512 | xxx | ~40 |\n",
		"a word with the unit":  "| test | get/s (a) | t/set |\n|---|---|---|\n| pp512 | 1.5 | 2.5 |\n",
		"one name twice":        "| model | test | t/s | t/s |\n|---|---|---|---|\n| a | pp512 | 1.5 | 2.5 |\n",
		"prose":                 "The test | pp512 gives 12.5 t/s (main) and 13.5 t/s (PR).\n",
	} {
		for _, r := range fixture.ReadText(t, text).Results {
			if r.Format == "llama-bench-compare-md" {
				t.Errorf("%s: %v", name, r.Metrics)
			}
		}
	}
}

// TestComparedBuildsBesideTheirOwnTables checks that a table that compares builds is reported and dropped as a summary
// if llama-bench's own table is in the same file.
func TestComparedBuildsBesideTheirOwnTables(t *testing.T) {
	const compared = "\n| model | test | t/s (a) | t/s (b) |\n|---|---|---|---|\n| qwen3 8B Q4_K - Medium | pp512 | 2714.36 ± 21.07 | 2800.50 ± 20.50 |\n"
	for _, text := range []string{pastedTable + compared, compared + "\n" + pastedTable} {
		out := fixture.ReadText(t, text)
		if len(out.Results) != 2 || len(out.Messages) != 1 || !strings.Contains(locale.English(out.Messages[0].Text), "summary") {
			t.Errorf("%d results, messages %v", len(out.Results), out.Messages)
		}
	}
}
