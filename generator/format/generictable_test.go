package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// invented returns a table of a few known columns with random figures. The first column is a setting.
func invented(rng *rand.Rand) (header []string, rows [][]string) {
	all := []string{"P99 TTFT (ms)", "median_tpot_ms", "Output Tok/s", "total_tok_s", "Request throughput (req/s)", "e2e_p99_ms", "duration_s"}
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	header = append([]string{"name", "ttft_ms"}, all[:2+rng.IntN(5)]...)
	for i := range 1 + rng.IntN(4) {
		row := []string{fmt.Sprint("run ", i)}
		for range header[1:] {
			row = append(row, fmt.Sprintf("%.2f", 1+1000*rng.Float64()))
		}
		rows = append(rows, row)
	}
	return header, rows
}

// figuresOf formats the metrics of results, without positions.
func figuresOf(results []result.Result) string {
	var b strings.Builder
	for _, r := range results {
		for _, m := range r.Metrics {
			fmt.Fprintln(&b, m.Name, m.Text(), m.Unit)
		}
	}
	return b.String()
}

// TestTablesSayTheSame checks that a table gives the same results as CSV, as Markdown with emphasis, and with a run in
// each column.
func TestTablesSayTheSame(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 11))
	for range 100 {
		header, rows := invented(rng)
		csv := strings.Join(header, ",") + "\n"
		markdown := "# Title\n\n| " + strings.Join(header, " | ") + " |\n|" + strings.Repeat(" --- |", len(header)) + "\n"
		for _, row := range rows {
			csv += strings.Join(row, ",") + "\n"
			emphasised := append([]string{}, row...)
			i := 1 + rng.IntN(len(row)-1)
			emphasised[i] = "**" + emphasised[i] + "**"
			markdown += "| " + strings.Join(emphasised, " | ") + " |\n"
		}
		across, acrossCSV := "| metric |", "metric"
		for _, row := range rows {
			across, acrossCSV = across+" "+row[0]+" |", acrossCSV+","+row[0]
		}
		across += "\n|" + strings.Repeat("---|", len(rows)+1) + "\n"
		acrossCSV += "\n"
		for i, name := range header[1:] {
			across, acrossCSV = across+"| `"+name+"` |", acrossCSV+name
			for _, row := range rows {
				across, acrossCSV = across+" "+row[i+1]+" |", acrossCSV+","+row[i+1]
			}
			across, acrossCSV = across+"\n", acrossCSV+"\n"
		}
		want := fixture.ReadText(t, csv)
		if len(want.Results) != len(rows) {
			t.Fatalf("%d results of\n%s", len(want.Results), csv)
		}
		for _, text := range []string{markdown, across, acrossCSV} {
			if got := fixture.ReadText(t, text); figuresOf(got.Results) != figuresOf(want.Results) {
				t.Errorf("%s\ngives\n%s\nnot\n%s", text, figuresOf(got.Results), figuresOf(want.Results))
			}
		}
	}
}

// TestTablesThatAreNoResults checks that hand-made tables and summaries of a tool's output give no results.
func TestTablesThatAreNoResults(t *testing.T) {
	t.Parallel()
	const head = "| model | TTFT (ms) | output tok/s |\n|---|---|---|\n"
	for name, text := range map[string]string{
		"about":           head + "| a | ~50 | 90 |\n",
		"a range":         head + "| a | 50–80 | 90 |\n| b | 20 | 30 |\n",
		"a note":          head + "| a | 50* | 90 |\n",
		"a comparison":    "| model | TTFT speedup (ms) |\n|---|---|\n| a | 50 |\n",
		"a difference":    "| metric | Δ (ms) | gain (ms) |\n|---|---|---|\n| TTFT (ms) | 50 | 60 |\n",
		"targets":         "| model | TTFT (ms) | Target TTFT (ms) |\n|---|---|---|\n| a | 50 | 40 |\n",
		"no unit":         "| model | TTFT |\n|---|---|\n| a | 50 |\n",
		"no divider":      "| model | TTFT (ms) |\n| a | 50 |\n",
		"whose rate":      "| model | speed (tok/s) |\n|---|---|\n| a | 50 |\n",
		"statistics":      "Metric,avg,min,max\nTTFT (ms),1,2,3\n",
		"equal columns":   "Metric,8 x,8 x\nTTFT (ms),1,2\n",
		"what they mean":  "| metric | unit | meaning |\n|---|---|---|\n| TTFT | ms | first token |\n",
		"settings alone":  "| field | value |\n|---|---|\n| model | a |\n",
		"limits":          "| metric | value |\n|---|---|\n| TTFT (ms) | < 500 |\n",
		"a row cut short": head + "| a | 50 ",
	} {
		if out := fixture.ReadText(t, text); len(out.Results) > 0 {
			t.Errorf("%s: %s", name, figuresOf(out.Results))
		}
	}
	out := fixture.ReadText(t, fixture.Table+"\n"+head+"| a | 50 | 90 |\n")
	if len(out.Results) != 1 || out.Results[0].Format != "vllm-serve-text" {
		t.Errorf("beside a tool's output: %v", out.Results)
	}
}

// TestRowsThatAreRepeated checks that the same row in two tables of a page is one run, and that other rows of the
// tables are not repeats of each other.
func TestRowsThatAreRepeated(t *testing.T) {
	t.Parallel()
	const head = "| engine | TTFT (ms) | output tok/s |\n|---|---|---|\n"
	out := fixture.ReadText(t, head+"| a | 50 | 90 |\n\n"+head+"| a | 50 | 90 |\n| b | 60 | 80 |\n")
	if len(out.Results) != 2 || out.Results[0].Label("x_table") == out.Results[1].Label("x_table") {
		t.Errorf("%d results: %s", len(out.Results), figuresOf(out.Results))
	}
}

// TestBareRates checks that a rate without a name is the output's rate only if nothing contradicts that.
func TestBareRates(t *testing.T) {
	t.Parallel()
	for row, want := range map[string]string{
		"run,ttft_ms,tps\na,5,90\n":                         "output_throughput",
		"concurrency,ttft_ms,tps\n8,5,90\n":                 "x_tps",
		"concurrency,ttft_ms,tps\n1,5,90\n":                 "output_throughput",
		"run,tpot_ms,tps\na,10,100\n":                       "x_tps",
		"run,tpot_ms,tps\na,10,90\n":                        "output_throughput",
		"run,total_tok_s,tps\na,10,90\n":                    "x_tps",
		"concurrency,ttft_ms,qps\n8,5,90\n":                 "request_throughput",
		"run,ttft_ms,qps\na,5,90\n":                         "x_qps",
		"| run | TTFT (ms) | tps |\n|--|--|--|\n|a|5|90|\n": "output_throughput",
	} {
		r := fixture.One(t, row)
		if m, ok := r.Metric(want); !ok || m.Value != 90 && m.Value != 100 {
			t.Errorf("%q has no %s", row, want)
		}
	}
}

// TestColumnsOfSpeedTests checks that a table with a column for each test of llama-bench gives the same results as
// llama-bench's own table, which has a row for each test, in any notation of the columns. The same holds for a table
// with a row for each test and a column for each run.
func TestColumnsOfSpeedTests(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	for range 100 {
		var tests, rates []string
		for range 2 + rng.IntN(3) {
			test := []string{"pp", "tg"}[rng.IntN(2)] + fmt.Sprint(1+rng.IntN(9000))
			if len(tests) == 0 { // one of the tests that show what the table is about
				test = []string{"pp512", "tg128"}[rng.IntN(2)]
			} else if rng.IntN(3) == 0 {
				test += fmt.Sprint(" @ d", 1+rng.IntN(9000))
			}
			tests, rates = append(tests, test), append(rates, fmt.Sprintf("%.2f", 1+1000*rng.Float64()))
		}
		own := "| model | size | params | backend | test | t/s |\n|---|---|---|---|---|---|\n"
		head, csv, row := "| model |", "model", "| llama 8B Q4_0 |"
		across := "| Test | first | second |\n|---|---|---|\n"
		for i, test := range tests {
			own += "| llama 8B Q4_0 | 4 GiB | 8 B | CUDA | " + test + " | " + rates[i] + " ± 0.50 |\n"
			spelt := []string{test, strings.ToUpper(test), test + " (t/s)", test + " tok/s", strings.ReplaceAll(test, " ", "")}[rng.IntN(5)]
			head += " " + spelt + " |"
			csv += "," + spelt
			row += " **" + rates[i] + "** ± 0.50 |"
			across += "| " + test + " | " + rates[i] + " | |\n"
		}
		want := speedTestsOf(fixture.ReadText(t, own+"\nbuild: abcdef01 (7000)\n").Results)
		for _, text := range []string{
			head + "\n|" + strings.Repeat("---|", len(tests)+1) + "\n" + row + "\n",
			csv + "\nllama 8B Q4_0," + strings.Join(rates, ",") + "\n",
			across,
			`{"model": "llama 8B Q4_0", "` + strings.Join(tests, `": 1.25, "`) + "\": 1.25}\n",
		} {
			got := speedTestsOf(fixture.ReadText(t, text).Results)
			if text[0] == '{' {
				for _, rate := range rates {
					want = strings.Replace(want, rate, "1.25", 1)
				}
			}
			if got != want {
				t.Errorf("%s\ngives\n%s\nnot\n%s", text, got, want)
			}
		}
	}
}

// speedTestsOf formats the tests of results with their speeds.
func speedTestsOf(results []result.Result) string {
	var b strings.Builder
	for _, r := range results {
		for _, m := range r.Metrics {
			if !strings.HasPrefix(m.Name, "x_") {
				fmt.Fprintln(&b, r.Label("x_test"), r.Label("input_len"), r.Label("output_len"), m.Name, m.Text(), m.Unit)
			}
		}
	}
	return b.String()
}

// TestFiguresBesideSpeedTests checks that the other figures of a row belong to its test if there is one, and to none of
// the tests if there are several.
func TestFiguresBesideSpeedTests(t *testing.T) {
	t.Parallel()
	one := fixture.ReadText(t, "| model | tg128 | power_w |\n|---|---|---|\n| a | 20.5 | 90.5 |\n").Results
	if len(one) != 1 || figuresOf(one) != "power_mean 90.5 W\ndecode_throughput 20.5 tok/s\n" {
		t.Errorf("one test: %s", figuresOf(one))
	}
	several := fixture.ReadText(t, "| model | pp512 | tg128 | power_w |\n|---|---|---|---|\n| a | 900.5 | 20.5 | 90.5 |\n").Results
	for _, r := range several {
		if _, power := r.Metric("power_mean"); power && r.Label("x_test") != "" || len(r.Metrics) != 1 || r.Label("model_raw") != "a" {
			t.Errorf("several tests: %s", figuresOf(several))
		}
	}
	for _, head := range []string{"Vulkan pp512", "pp512 (ms)", "pp512 max", "pp", "tg64@pp512", "4K pp"} { // prefix, no rate, no mean, no length, ambiguous
		for _, r := range fixture.ReadText(t, "| model | "+head+" | TTFT (ms) |\n|---|---|---|\n| a | 900.5 | 20.5 |\n").Results {
			if r.Label("x_test") != "" || len(r.Metrics) > 2 {
				t.Errorf("%s is read: %s", head, figuresOf([]result.Result{r}))
			}
		}
	}
}

// TestNotesInTables checks that a note at a figure excludes its run, with a message, and no other run.
func TestNotesInTables(t *testing.T) {
	t.Parallel()
	for _, noted := range []string{"50*", "50.5†", "50 (est.)", "50 ms*", "1,050.5 💀", "50[1]", "50<sup>2</sup>", "50^a"} {
		for name, text := range map[string]string{
			"a row":    "| model | TTFT (ms) | output tok/s |\n|---|---|---|\n| a | 20.5 | 90 |\n| b | " + noted + " | 80 |\n",
			"a column": "| metric | a | b |\n|---|---|---|\n| TTFT (ms) | 20.5 | " + noted + " |\n| output tok/s | 90 | 80 |\n",
		} {
			out := fixture.ReadText(t, text)
			if len(out.Results) != 1 || figuresOf(out.Results) != "ttft_mean 20.5 ms\noutput_throughput 90 tok/s\n" {
				t.Errorf("%s with %s: %s", name, noted, figuresOf(out.Results))
			}
			if len(out.Messages) != 1 || !strings.Contains(locale.English(out.Messages[0].Text), strings.TrimSpace(noted)) {
				t.Errorf("%s with %s: %v", name, noted, out.Messages)
			}
		}
	}
}

// TestThousandsInTables checks that a comma before three digits separates thousands if a figure of the table above or
// below shows it, and is ambiguous otherwise.
func TestThousandsInTables(t *testing.T) {
	t.Parallel()
	const head = "| model | TTFT (ms) | version |\n|---|---|---|\n"
	for rows, want := range map[string]string{
		"| a | 4,390 | |\n| b | 21.5 | |\n":             "ttft_mean 4390 ms\nttft_mean 21.5 ms\n",
		"| a | 21.5 | |\n| b | 4,390 | |\n":             "ttft_mean 21.5 ms\nttft_mean 4390 ms\n",
		"| a | 4,390 | |\n| b | 1,234,567 | |\n":        "ttft_mean 4390 ms\nttft_mean 1234567 ms\n",
		"| a | 4,390 ± 3.5 | |\n| b | 1,024.5 ms | |\n": "ttft_mean 4390 ms\nttft_mean 1024.5 ms\n",
		"| a | 4,390 | |\n| b | 21 | |\n":               "ttft_mean 21 ms\n",
		"| a | 4,390 | |\n| b | 21,5 | |\n":             "ttft_mean 21.5 ms\n",
		"| a | 4,390 | |\n| b | 1.234 | |\n":            "ttft_mean 1.234 ms\n",
		"| a | 4,390 | 0.20.4 |\n| b | 21 | 0.20.4 |\n": "ttft_mean 21 ms\n",
	} {
		out := fixture.ReadText(t, head+rows)
		got := ""
		for line := range strings.Lines(figuresOf(out.Results)) {
			if !strings.HasPrefix(line, "x_") {
				got += line
			}
		}
		if got != want {
			t.Errorf("%s gives %s, not %s", rows, got, want)
		}
	}
}

// TestUnitsInCells checks that a speed left of the first metric of the head is not a setting, whether its unit is in
// the head or in the cell, and whatever it is the speed of.
func TestUnitsInCells(t *testing.T) {
	t.Parallel()
	out := fixture.ReadText(t, "| Config | Decode | Size | Wall | Per user | Aggregate t/s | TTFT (s) |\n|---|---|---|---|---|---|---|\n| a | **29.5 tok/s** | 3.5 GiB | 10 s | 5.5 t/s | 44.5 | 0.5 |\n")
	if figuresOf(out.Results) != "decode_throughput 29.5 tok/s\nx_per_user_t_s 5.5 tok/s\nx_aggregate_t_s 44.5 tok/s\nttft_mean 500 ms\n" || out.Results[0].Label("x_config") != "a" || out.Results[0].Label("x_size") != "3.5 GiB" {
		t.Errorf("%s %v", figuresOf(out.Results), out.Results[0].Labels)
	}
}

// TestComparingColumnsAreNamed checks that a column that compares others is skipped, as are tables that also have
// targets or have no metric. The message names the column, also in a file with results.
func TestComparingColumnsAreNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"| metric | a | b | Δ |\n|---|---|---|---|\n| TTFT (ms) | 50 | 60 | 10 |\n| TPOT (ms) | 5 | 6 | 1 ms |\n": "ttft_mean 50, tpot_mean 5; ttft_mean 60, tpot_mean 6",
		"| Δ | model | TTFT (ms) | vs a | TPOT (ms) |\n|---|---|---|---|---|\n| 2x | a | 50 | 1.2x | 5 |\n":       "ttft_mean 50, tpot_mean 5",
		"| Metric | Before | After | Improvement |\n|---|---|---|---|\n| TTFT (ms) | 60 | 50 | 17% |\n":           "ttft_mean 60; ttft_mean 50",
		"| 模型 | 首字延迟 (ms) | 提升 |\n|---|---|---|\n| a | 50 | 20 ms |\n":                                            "ttft_mean 50",
		"| model | TTFT (ms) | Δ | Target TTFT (ms) |\n|---|---|---|---|\n| a | 50 | 1 | 40 |\n":                  "",
		"| type | t/s (main) | t/s (PR) | Speedup |\n|---|---|---|---|\n| Q4_0 | 50.1 | 60.2 | 1.2 |\n":           "",
		"| metric | A vs B |\n|---|---|\n| TTFT (ms) | 50 |\n":                                                    "",
	} {
		for _, beside := range []string{"", "\n| model | TTFT (ms) |\n|---|---|\n| z | 51 |\n"} {
			out := fixture.ReadText(t, text+beside)
			var results []string
			for _, r := range out.Results {
				if r.Label("model_raw") == "z" {
					continue
				}
				var figures []string
				for _, m := range r.Metrics {
					figures = append(figures, m.Name+" "+m.Text())
				}
				results = append(results, strings.Join(figures, ", "))
			}
			if got := strings.Join(results, "; "); got != want {
				t.Errorf("%s%s gives %s, not %s", text, beside, got, want)
			}
			said := locale.English(out.Reason)
			for _, m := range out.Messages {
				said += locale.English(m.Text)
			}
			if !strings.Contains(said, "is not a measurement") {
				t.Errorf("%s%s: nothing is said of the column: %s", text, beside, said)
			}
		}
	}
	if out := fixture.ReadText(t, "| model | Size | Gain |\n|---|---|---|\n| a | 50 | 2 |\n"); strings.Contains(locale.English(out.Reason), "Gain") {
		t.Errorf("without figures: %s", locale.English(out.Reason))
	}
}

// TestDecimalCommasBeforeUnits checks that a decimal comma is recognised before a unit.
func TestDecimalCommasBeforeUnits(t *testing.T) {
	t.Parallel()
	out := fixture.ReadText(t, "| Modell | pp512 | tg128 | TTFT |\n|---|---|---|---|\n| a | **209,24 t/s** | 18,5 t/s | 1.250,5 ms |\n| b | 1,2,3 t/s | 18,5 t/s | 18,5 apples |\n")
	var got []string
	for _, r := range out.Results {
		for _, m := range r.Metrics {
			got = append(got, m.Name+" "+m.Text()+" "+m.Unit)
		}
	}
	if len(out.Results) > 0 && out.Reason.IsZero() {
		t.Errorf("a list is read as a figure: %s", got)
	}
	out = fixture.ReadText(t, "| Modell | pp512 | tg128 |\n|---|---|---|\n| a | **209,24 t/s** | 1.018,5 t/s |\n")
	if got := figuresOf(out.Results); !strings.Contains(got, "prefill_throughput 209.24 tok/s") || !strings.Contains(got, "decode_throughput 1018.5 tok/s") {
		t.Errorf("%s, reason %s", got, locale.English(out.Reason))
	}
}

// TestChineseTables checks that Chinese column names are understood like the English ones, with or without a blank
// beside Latin letters.
func TestChineseTables(t *testing.T) {
	out := fixture.ReadText(t, `
| 模型 | 量化方式 | 并发数 | 首 Token 延迟（毫秒） | 平均每token延迟 (ms) | 吞吐量（tokens/秒） | 显存 |
|---|---|---|---|---|---|---|
| Foo-8B | Q4_K_M | 1 | 310 | 16.5 | 61.5 | 6GB |
| Foo-8B | Q4_K_M | 8 | 402 | 21.5 | 361.5 | 7GB |
`)
	if len(out.Results) != 2 {
		t.Fatalf("%d results, reason %s", len(out.Results), out.Reason)
	}
	r := out.Results[1]
	for name, want := range map[string]string{"ttft_mean": "402", "tpot_mean": "21.5"} {
		if m, _ := r.Metric(name); m.Text() != want || m.Unit != "ms" {
			t.Errorf("%s is %s %s, not %s ms", name, m.Text(), m.Unit, want)
		}
	}
	if got := r.Label("model_raw") + " " + r.Label("quantization") + " " + r.Label("max_concurrency"); got != "Foo-8B Q4_K_M 8" {
		t.Errorf("labels %s", got)
	}
	for _, prose := range []string{
		"# 首字延迟与吞吐量\n\n首字延迟 (TTFT) 是 | 首个 token | 的时间，约 300 ms，吞吐量为 85.2 tokens/s。\n",
		"| 术语 | 含义 |\n|---|---|\n| 首字延迟 (ms) | 从请求到首 token 的时间 |\n| 吞吐量 (tokens/s) | 越高越好 |\n",
	} {
		if out := fixture.ReadText(t, prose); len(out.Results) > 0 {
			t.Errorf("%d results of %s", len(out.Results), prose)
		}
	}
}

// TestRowsOfAColumnWithoutAHead checks that the name of a row distinguishes it, also below an empty head, and that row
// numbers do not.
func TestRowsOfAColumnWithoutAHead(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"| | TTFT (ms) | Output tok/s |\n|---|---:|---:|\n| fast | 31.5 | 99.5 |\n| slow | 41.5 | 89.5 |\n": "x_run=fast; x_run=slow",
		"| | TTFT (ms) | Output tok/s |\n|---|---:|---:|\n| 0 | 31.5 | 99.5 |\n| 1 | 41.5 | 89.5 |\n":       "; ",
		",ttft_ms,output_tps\nfast,31.5,99.5\nslow,41.5,89.5\n":                                             "x_run=fast; x_run=slow",
		",ttft_ms,output_tps\n0,31.5,99.5\n1,41.5,89.5\n":                                                   "; ",
	} {
		if got := settingsOfAll(fixture.Read(t, text).Results); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", text, got, want)
		}
	}
}

// TestRowsThatContinueAGroup checks that empty first cells get the values of the row above, except in a row that
// summarises others.
func TestRowsThatContinueAGroup(t *testing.T) {
	t.Parallel()
	const head = "| Model | Quant | Concur | TTFT (ms) | Output tok/s |\n|---|---|---|---:|---:|\n"
	for rows, want := range map[string]string{
		"| m-a | q4 | 1 | 31.5 | 99.5 |\n| | | 8 | 41.5 | 89.5 |\n| | q8 | 1 | 51.5 | 79.5 |\n| m-b | | 1 | 61.5 | 69.5 |\n| | | 8 | 71.5 | 59.5 |\n": "max_concurrency=1 model_raw=m-a quantization=q4; max_concurrency=8 model_raw=m-a quantization=q4; " +
			"max_concurrency=1 model_raw=m-a quantization=q8; max_concurrency=1 model_raw=m-b; max_concurrency=8 model_raw=m-b",
		"| m-a | q4 | 1 | 31.5 | 99.5 |\n| | Average | | 41.5 | 89.5 |\n": "max_concurrency=1 model_raw=m-a quantization=q4; quantization=Average",
		"| Small models | | | | |\n| | q8 | 1 | 51.5 | 79.5 |\n":          "max_concurrency=1 quantization=q8",
	} {
		out := fixture.Read(t, head+rows)
		if got := settingsOfAll(out.Results); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", rows, got, want)
		}
		for _, r := range out.Results[1:] {
			if l, ok := r.Labels.Lookup("model_raw"); ok && (l.Origin == result.Guessed) != (l.Pos.Line != r.Source.Line) {
				t.Errorf("%s at line %d is %v of line %d", l.Value, r.Source.Line, l.Origin, l.Pos.Line)
			}
		}
	}
}

// TestRowsWithOtherCellsThanTheHead checks that a row with one bar too many is skipped with a message.
func TestRowsWithOtherCellsThanTheHead(t *testing.T) {
	t.Parallel()
	out := fixture.Read(t, "| Model | TTFT (ms) | Output tok/s |\n|---|---:|---:|\n| m-a | 31.5 | 99.5 |\n| m|b | 41.5 | 89.5 |\n| Notes |\n")
	if got := settingsOfAll(out.Results); got != "model_raw=m-a" {
		t.Error(got)
	}
	if m := out.Messages; len(m) != 1 || m[0].ID != "format.row" || m[0].Pos.Line != 4 {
		t.Errorf("%+v", m)
	}
}

// settingsOfAll returns the settings of each result.
func settingsOfAll(results []result.Result) string {
	var all []string
	for _, r := range results {
		all = append(all, fixture.SettingsOf(r))
	}
	return strings.Join(all, "; ")
}
