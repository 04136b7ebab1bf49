package format_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// written are ways in which one table is written: its head and rows.
var written = map[string]func(rows [][]string) string{
	"Markdown": func(rows [][]string) string {
		return bars(rows[:1], "| ", " | ", " |") + "|" + strings.Repeat("---|", len(rows[0])) + "\n" + bars(rows[1:], "| ", " | ", " |")
	},
	"HTML, a row in each line": func(rows [][]string) string {
		return "<table>\n" + bars(rows[:1], "<tr><th>", "</th><th>", "</th></tr>") + bars(rows[1:], "<tr><td>", "</td><td>", "</td></tr>") + "</table>\n"
	},
	"HTML in one line": func(rows [][]string) string {
		return "<p>Results:</p><table><tbody>" + strings.ReplaceAll(bars(rows, "<tr><td>", "</td><td>", "</td></tr>"), "\n", "") + "</tbody></table> <p>The end</p>\n"
	},
	"HTML without ends": func(rows [][]string) string {
		return "<TABLE class=x>\n" + bars(rows[:1], "<TR><TH>", "<TH>", "") + bars(rows[1:], "<TR>\n<TD align=right><b>", "</b>\n<TD>", "") + "</TABLE>\n"
	},
}

func bars(rows [][]string, before, between, after string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(before + strings.Join(row, between) + after + "\n")
	}
	return b.String()
}

// However a table is written, it holds the same runs.
func TestTablesAreReadHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][][]string{
		"runs":   {{"Model", "Concurrency", "TTFT (ms)", "Output tok/s"}, {"Qwen3-8B", "1", "123.4", "45.6"}, {"Qwen3-8B", "8", "323.4", "245.6"}, {"千问 A", "8", "-", "201"}},
		"a page": {{"Metric", "Value"}, {"TTFT (ms)", "11.5"}, {"TPOT (ms)", "2.25"}},
	} {
		want := fixture.Read(t, "# Notes\n\n"+written["Markdown"](rows)+"\nText\n")
		if len(want.Results) == 0 {
			t.Fatalf("%s: no run", name)
		}
		for how, write := range written {
			for _, end := range []string{"\n", "\r\n"} {
				text := strings.ReplaceAll("# Notes\n\n"+write(rows)+"\nText\n", "\n", end)
				if got := fixture.Read(t, text); fixture.Placeless(got) != fixture.Placeless(want) {
					t.Errorf("%s as %s: got\n%s\nwant\n%s", name, how, fixture.Placeless(got), fixture.Placeless(want))
				}
			}
		}
	}
}

// The figures of a table of HTML are in the lines where their rows begin; a cell goes on in the rows and columns that it
// spans.
func TestCellsOfHTMLSpan(t *testing.T) {
	t.Parallel()
	out := fixture.Read(t, `<h2>Results</h2>
<table>
<thead>
<tr><th rowspan="2">Model</th><th rowspan=2>Concurrency</th><th colspan="2">TTFT (ms)</th></tr>
<tr><th>mean</th><th>P99</th></tr>
</thead>
<tr>
  <td rowspan="2">Qwen3-8B</td>
  <td>1</td><td>123.4</td><td>200.1</td></tr>
<tr><td>8</td><td>323.4</td><td>400.1</td></tr>
</table>
`)
	var got strings.Builder
	for _, r := range out.Results {
		model := r.Labels.Get("model_raw")
		concurrency := r.Labels.Get("max_concurrency")
		fmt.Fprintf(&got, "%s %s:", model, concurrency)
		for _, m := range r.Metrics {
			fmt.Fprintf(&got, " %s %s@%d", m.Name, m.Digits(), m.Line)
		}
		got.WriteString("\n")
	}
	if want := "Qwen3-8B 1: ttft_mean 123.4@8 ttft_p99 200.1@8\nQwen3-8B 8: ttft_mean 323.4@10 ttft_p99 400.1@10\n"; got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

// What a page only lays out as a table, as two logs side by side, is read as it was.
func TestLayoutsAreNoTables(t *testing.T) {
	t.Parallel()
	want := fixture.Placeless(fixture.Read(t, fixture.Table))
	for name, around := range map[string][2]string{
		"a fence":       {"<table><tr><th>Log</th></tr><tr><td>\n\n```\n", "```\n\n</td></tr></table>\n"},
		"<pre>":         {"<table><tr><th>Log</th><th>b</th></tr>\n<tr><td>\n<pre>\n", "</pre></td><td>x</td></tr></table>\n"},
		"one cell":      {"<table><tr><td>\n", "</td></tr></table>\n"},
		"without cells": {"<table>\n", "</table>\n"},
		"without end":   {"<table>\n", "\n"},
		"in another":    {"<table><tr><td><table><tr><td>x</td></tr></table>\n", "</td></tr></table>\n"},
	} {
		if got := fixture.Placeless(fixture.Read(t, around[0]+fixture.Table+around[1])); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
}

// A table is read wherever in a file it is.
func TestTablesAreReadWhereverTheyAre(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"Model", "TTFT (ms)"}, {"A", "123.4"}, {"B", "323.4"}, {"C", "523.4"}}
	for how, write := range written {
		for before := 1 << 16; before > 1<<16-len(write(rows))-4; before -= 3 {
			text := strings.Repeat("A line of notes, which goes on.\n", before/32) + strings.Repeat("x", before%32) + "\n" + write(rows)
			if got := fixture.Read(t, text); len(got.Results) != 3 || got.Results[2].Metrics[0].Digits() != "523.4" {
				t.Fatalf("%s behind %d bytes: %d results", how, before, len(got.Results))
			}
		}
	}
}
