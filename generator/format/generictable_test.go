package format_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// invented is a table of a few known columns with figures drawn at random, the first
// column a setting.
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

// figuresOf writes the metrics of results, without where they are.
func figuresOf(results []result.Result) string {
	var b strings.Builder
	for _, r := range results {
		for _, m := range r.Metrics {
			fmt.Fprintln(&b, m.Name, m.Text(), m.Unit)
		}
	}
	return b.String()
}

// A table means the same as CSV and as Markdown, with signs of emphasis and with a run in
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

// What is made for people to read, and what sums up a tool's output, is no result.
func TestTablesThatAreNoResults(t *testing.T) {
	t.Parallel()
	const head = "| model | TTFT (ms) | output tok/s |\n|---|---|---|\n"
	for name, text := range map[string]string{
		"about":           head + "| a | ~50 | 90 |\n",
		"a range":         head + "| a | 50–80 | 90 |\n| b | 20 | 30 |\n",
		"a note":          head + "| a | 50* | 90 |\n",
		"a comparison":    "| model | TTFT (ms) | Speedup |\n|---|---|---|\n| a | 50 | 1.2 |\n",
		"a difference":    "| metric | a | b | Δ |\n|---|---|---|---|\n| TTFT (ms) | 50 | 60 | 10 |\n",
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

// The same row in two tables of a page is one run, and other rows of them are not
// repeats of each other.
func TestRowsThatAreRepeated(t *testing.T) {
	t.Parallel()
	const head = "| engine | TTFT (ms) | output tok/s |\n|---|---|---|\n"
	out := fixture.ReadText(t, head+"| a | 50 | 90 |\n\n"+head+"| a | 50 | 90 |\n| b | 60 | 80 |\n")
	if len(out.Results) != 2 || out.Results[0].Label("x_table") == out.Results[1].Label("x_table") {
		t.Errorf("%d results: %s", len(out.Results), figuresOf(out.Results))
	}
}

// A rate per second of no one named is the output's only where nothing speaks against it.
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
