package llamacpp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

const pastedTable = `| model | size | params | backend | ngl | test | t/s |
| --- | ---: | ---: | --- | --: | --: | --: |
| qwen3 8B Q4_K - Medium | 4.68 GiB | 8.19 B | CUDA | 99 | pp512 | 2714.36 ± 21.07 |
| qwen3 8B Q4_K - Medium | 4.68 GiB | 8.19 B | CUDA | 99 | tg128 | 71.28 ± 0.41 |
`

// A table of llama-bench reads alike however people paste it.
func TestPastedTables(t *testing.T) {
	want := fixture.Placeless(fixture.Read(t, pastedTable))
	each := func(from, to string) string { return regexp.MustCompile(`(?m)`+from).ReplaceAllString(pastedTable, to) }
	for name, text := range map[string]string{
		"without blanks":               strings.NewReplacer(" | ", "|", "| ", "|", " |", "|").Replace(pastedTable),
		"without bars at the ends":     each(`^\| | \|$`, ""),
		"some rows without the first":  each(`^\| qwen3`, "qwen3"),
		"between tabs, as of browsers": strings.NewReplacer(" | ", "\t", "| ", "", " |", "").Replace(strings.Replace(pastedTable, "| --- | ---: | ---: | --- | --: | --: | --: |\n", "", 1)),
	} {
		if got := fixture.Placeless(fixture.Read(t, text)); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Columns that people leave out are not known; the rates are. Tables that lack them are
// told apart, as what was left out may differ.
func TestTrimmedTables(t *testing.T) {
	columns := strings.Split("model size params backend ngl", " ")
	for left := range 1 << len(columns) {
		var keep []int
		for i := range columns {
			if left&(1<<i) != 0 {
				keep = append(keep, i)
			}
		}
		var b strings.Builder
		for line := range strings.Lines(pastedTable) {
			cells := strings.Split(strings.Trim(line, "|\n "), " | ")
			for _, i := range append(keep, len(cells)-2, len(cells)-1) {
				fmt.Fprintf(&b, "| %s ", cells[i])
			}
			b.WriteString("|\n")
		}
		out := fixture.Read(t, b.String()+"\n"+b.String())
		if len(out.Results) != 4 {
			t.Fatalf("%d results of\n%s", len(out.Results), b.String())
		}
		for i, want := range []string{"prefill_throughput 2714.36", "decode_throughput 71.28"} {
			name, value, _ := strings.Cut(want, " ")
			if m, ok := out.Results[i].Metric(name); !ok || m.Text() != value {
				t.Errorf("%s is %q in\n%s", want, m.Text(), b.String())
			}
		}
		whole := left&0b1111 == 0b1111
		if same := out.Results[0].Label("x_table") == out.Results[2].Label("x_table"); same != whole {
			t.Errorf("two tables of\n%s are x_table %q and %q", b.String(), out.Results[0].Label("x_table"), out.Results[2].Label("x_table"))
		}
	}
}

// Rows whose columns are not named, or are others than named, are reported.
func TestRowsWithoutNames(t *testing.T) {
	header, rows, _ := strings.Cut(pastedTable, "\n")
	divider, rows, _ := strings.Cut(rows, "\n")
	for name, text := range map[string]string{
		"no header":         rows,
		"a broken header":   strings.Replace(header, "| backend", "\n   | backend", 1) + "\n" + divider + "\n" + rows,
		"a column too many": strings.Replace(header, "| ngl ", "", 1) + "\n" + strings.Replace(divider, " --: |", "", 1) + "\n" + rows,
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != 0 || out.Reason.IsZero() && len(out.Messages) == 0 {
			t.Errorf("%s: %d results, reason %q, messages %v", name, len(out.Results), out.Reason, out.Messages)
		}
	}
}

// The command above a table made its rows, not those of another tool's table below it.
func TestCommandsOfTwoTables(t *testing.T) {
	out := fixture.Read(t, "$ ./llama-bench -m models/a.gguf -t 8\n\n"+pastedTable+`
|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |
|-------|--------|--------|----------|----------|----------|----------|
|   512 |    128 |      0 |    1.450 |   353.10 |   11.275 |    11.35 |
|   512 |    128 |    512 |    1.475 |   347.12 |   11.500 |    11.13 |
`)
	if len(out.Results) != 4 {
		t.Fatalf("%d results", len(out.Results))
	}
	for i, want := range []string{"models/a.gguf", "models/a.gguf", "", ""} {
		if got := out.Results[i].Label("model_raw"); got != want {
			t.Errorf("the model of %s in line %d is %q, not %q", out.Results[i].Tool, out.Results[i].Source.Line, got, want)
		}
	}
}
