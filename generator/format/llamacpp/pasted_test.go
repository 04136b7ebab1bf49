package llamacpp_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

const pastedTable = `| model | size | params | backend | ngl | test | t/s |
| --- | ---: | ---: | --- | --: | --: | --: |
| qwen3 8B Q4_K - Medium | 4.68 GiB | 8.19 B | CUDA | 99 | pp512 | 2714.36 ± 21.07 |
| qwen3 8B Q4_K - Medium | 4.68 GiB | 8.19 B | CUDA | 99 | tg128 | 71.28 ± 0.41 |
`

// TestPastedTables checks that a table of llama-bench is read the same in all the forms in which people paste it.
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

// TestTrimmedTables checks tables from which people left out columns. The rates are known, the values of these columns
// are not. x_table distinguishes the tables, because the missing values may differ.
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

// TestRowsWithoutNames checks that rows without a header, or with more or fewer values than the header has names, are
// reported.
func TestRowsWithoutNames(t *testing.T) {
	header, rows, _ := strings.Cut(pastedTable, "\n")
	divider, rows, _ := strings.Cut(rows, "\n")
	for name, text := range map[string]string{
		"no header":         rows,
		"a broken header":   strings.Replace(header, "| backend", "| back\nend", 1) + "\n" + divider + "\n" + rows,
		"a column too many": strings.Replace(header, "| ngl ", "", 1) + "\n" + strings.Replace(divider, " --: |", "", 1) + "\n" + rows,
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != 0 || out.Reason.IsZero() && len(out.Messages) == 0 {
			t.Errorf("%s: %d results, reason %q, messages %v", name, len(out.Results), out.Reason, out.Messages)
		}
	}
}

// TestCommandsOfTwoTables checks that a command applies to the table below it, but not to another tool's table further
// below.
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

// TestBrokenTables checks headers and rows that a narrow window broke. If broken at a bar, they are joined. If broken
// elsewhere, they give no other figure and are reported.
func TestBrokenTables(t *testing.T) {
	wide := fixture.Read(t, pastedTable)
	lines := strings.SplitAfter(pastedTable, "\n")
	note := "A line of a page that is far wider than the window which broke the table below, so that no width of it is known. " + strings.Repeat("It goes on. ", 9) + "\n\n"
	for _, which := range []int{0, 2, 3} {
		for at := 3; at < len(lines[which])-3; at++ {
			broken := strings.Join(lines[:which], "") + strings.TrimRight(lines[which][:at], " ") + "\n" + lines[which][at:] + strings.Join(lines[which+1:], "")
			out := fixture.Read(t, note+broken)
			fixture.NothingNew(t, wide, out)
			bar := strings.HasSuffix(strings.TrimRight(lines[which][:at], " "), "|") || strings.HasPrefix(strings.TrimLeft(lines[which][at:], " "), "|")
			switch {
			case bar && (which > 0 || at > len("| model |")) && len(out.Results) != len(wide.Results):
				t.Errorf("broken at a bar: %d results of\n%s", len(out.Results), broken)
			case len(out.Results) < len(wide.Results) && len(out.Messages) == 0 && out.Reason.IsZero():
				t.Errorf("nothing is said of\n%s", broken)
			}
		}
	}
}

// TestRowsWithoutTheLastBar checks that a row without its last bar is read if its rate has all digits, and reported if
// digits are missing.
func TestRowsWithoutTheLastBar(t *testing.T) {
	lines := strings.SplitAfter(pastedTable, "\n")
	row := strings.TrimRight(lines[2], " |\n")
	read := func(row string) format.Output {
		return fixture.Read(t, lines[0]+lines[1]+row+"\n"+strings.Join(lines[3:], ""))
	}
	if got, want := figures(read(row)), figures(fixture.Read(t, pastedTable)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for cut := 1; cut < len(" ± 0.41"); cut++ {
		out := read(row[:len(row)-cut])
		if len(out.Results) != len(fixture.Read(t, pastedTable).Results)-1 || len(out.Messages) == 0 {
			t.Errorf("%q: %d results, %d messages", row[len(row)-cut-9:len(row)-cut], len(out.Results), len(out.Messages))
		}
	}
}

// TestHeadersWithoutUnderscores checks that tables of llama-sweep-bench and llama-batched-bench are read the same if a
// page took the underscores in their headers for emphasis.
func TestHeadersWithoutUnderscores(t *testing.T) {
	for _, table := range []string{
		"|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |\n|-------|--------|--------|----------|----------|----------|----------|\n" +
			"|  2048 |    512 |      0 |   11.449 |   178.88 |   60.180 |     8.51 |\n|  2048 |    512 |   2048 |   12.103 |   169.21 |   61.508 |     8.32 |\n",
		"|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |\n|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|\n" +
			"|   128 |    128 |    4 |   1024 |    0.270 |  1896.30 |    3.437 |   148.97 |    3.707 |   276.23 |\n",
	} {
		want := figures(fixture.Read(t, table))
		header, rows, _ := strings.Cut(table, "\n")
		for name, change := range map[string]func(string) string{
			"blanks":  func(h string) string { return strings.ReplaceAll(h, "_", " ") },
			"nothing": func(h string) string { return strings.ReplaceAll(h, "_", "") },
			"the first pair": func(h string) string {
				return strings.Replace(strings.Replace(h, "N_KV", "N KV", 1), "T_PP", "T PP", 1)
			},
			"escapes": func(h string) string { return strings.ReplaceAll(h, "_", `\_`) },
		} {
			if got := figures(fixture.Read(t, change(header)+"\n"+rows)); got != want {
				t.Errorf("with %s for underscores: got\n%s\nwant\n%s", name, got, want)
			}
		}
		out := fixture.Read(t, strings.Replace(header, "PP |", "", 1)+"\n"+rows)
		if len(out.Results) != 0 || out.Reason.IsZero() {
			t.Errorf("a header without a column: %d results, reason %v", len(out.Results), out.Reason)
		}
	}
}

// figures returns the metrics and labels of results as text, without the names that the tool uses.
func figures(out format.Output) string {
	var b strings.Builder
	for _, r := range out.Results {
		for _, m := range r.Metrics {
			fmt.Fprintf(&b, "%s=%s ", m.Name, m.Text())
		}
		for _, l := range r.Labels {
			fmt.Fprintf(&b, "%s=%s ", l.Name, l.Value)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestDevicesOfRows checks that the devices of a row are those that it names, else those of its backend. With several
// backends they are unknown.
func TestDevicesOfRows(t *testing.T) {
	const found = "ggml_cuda_init: found 2 CUDA devices:\n  Device 0: NVIDIA A, compute capability 8.9, VMM: yes\n  Device 1: NVIDIA B, compute capability 8.9, VMM: yes\n" +
		"ggml_cuda_init: found 1 ROCm devices:\n  Device 0: Radeon C, gfx1100 (0x1100), VMM: no, Wave Size: 32\n" +
		"ggml_vulkan: Found 1 Vulkan devices:\nggml_vulkan: 0 = Radeon C (RADV) (radv) | uma: 0 | fp16: 1 | warp size: 64 | matrix cores: none\n"
	for row, want := range map[string]string{
		"CUDA | auto":            "NVIDIA A, NVIDIA B/",
		"ROCm,Vulkan | ROCm0":    "Radeon C/",
		"CUDA,Vulkan | CUDA1":    "NVIDIA B/",
		"CUDA,Vulkan | Vulkan0":  "Radeon C (RADV) (radv)/64",
		"CUDA | CUDA0/CUDA1":     "NVIDIA A, NVIDIA B/",
		"Vulkan,RPC | auto":      "Radeon C (RADV) (radv)/64",
		"CUDA,Vulkan | auto":     "/",
		"CUDA,RPC | RPC[a:1]":    "/",
		"CPU | auto":             "/",
		"CUDA,Vulkan | Vulkan10": "/",
	} {
		out := fixture.Read(t, found+"| model | size | params | backend | dev | test | t/s |\n| --- | --- | --- | --- | --- | --- | --- |\n| a 1B Q4_0 | 1 GiB | 1 B | "+row+" | pp512 | 1.50 ± 0.01 |\n")
		if len(out.Results) != 1 {
			t.Fatalf("%s: %d results", row, len(out.Results))
		}
		if got := out.Results[0].Label("gpu") + "/" + out.Results[0].Label("x_warp_size"); got != want {
			t.Errorf("%s: %s, not %s", row, got, want)
		}
	}
}
