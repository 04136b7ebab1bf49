package format_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// written lists notations of a table, given its head and rows.
var written = map[string]func(rows [][]string) string{
	"Markdown": func(rows [][]string) string {
		return bars(rows[:1], "| ", " | ", " |") + "|" + strings.Repeat("---|", len(rows[0])) + "\n" + bars(rows[1:], "| ", " | ", " |")
	},
	"Markdown without bars at the ends": func(rows [][]string) string {
		return bars(rows[:1], "", " | ", "") + strings.Repeat("---|", len(rows[0])-1) + "---\n" + bars(rows[1:], "", " | ", "")
	},
	"org-mode": func(rows [][]string) string {
		return "|" + strings.Repeat("--+", len(rows[0])-1) + "--|\n" + bars(rows[:1], "| ", " | ", " |") + "|" + strings.Repeat("--+", len(rows[0])-1) + "--|\n" + bars(rows[1:], "| ", " | ", " |")
	},
	"a grid":           drawn{"+-++", "+=++", "+-++", "+-++", [3]string{"| ", " | ", " |"}}.write,
	"MySQL":            drawn{"+-++", "+-++", "", "+-++", [3]string{"| ", " | ", " |"}}.write,
	"PostgreSQL":       drawn{"", " -+ ", "", "", [3]string{" ", " | ", " "}}.write,
	"rich":             drawn{"┏━┳┓", "┡━╇┩", "", "└─┴┘", [3]string{"│ ", " │ ", " │"}}.write,
	"a frame":          drawn{"╭─┬╮", "├─┼┤", "├─┼┤", "╰─┴╯", [3]string{"│ ", " │ ", " │"}}.write,
	"a double frame":   drawn{"╔═╦╗", "╠═╬╣", "╟─╫╢", "╚═╩╝", [3]string{"║ ", " ║ ", " ║"}}.write,
	"tabulate":         drawn{"", " -  ", "", "", [3]string{"", "  ", ""}}.write,
	"reStructuredText": drawn{" =  ", " =  ", "", " =  ", [3]string{"", "  ", ""}}.write,
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

// drawn is a table in columns with rules at the top, below the heads, between rows and at the bottom. Each rule
// consists of its begin, line, joint and end; a blank means that the part is absent.
type drawn struct {
	top, heads, rows, bottom string
	bars                     [3]string // before, between and after cells
}

func (d drawn) write(rows [][]string) string {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	rule := func(signs string) string {
		if signs == "" {
			return ""
		}
		s := strings.Split(signs, "")
		if s[2] == " " { // blanks are between the columns
			parts := make([]string, len(widths))
			for i, n := range widths {
				parts[i] = strings.Repeat(s[1], n)
			}
			return strings.Join(parts, d.bars[1]) + "\n"
		}
		parts := make([]string, len(widths))
		for i, n := range widths {
			parts[i] = strings.Repeat(s[1], n+2)
		}
		return strings.TrimSpace(s[0]+strings.Join(parts, s[2])+s[3]) + "\n"
	}
	text := rule(d.top)
	for i, row := range rows {
		padded := make([]string, len(row))
		for c, cell := range row {
			if padded[c] = strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell)) + cell; c == 0 {
				padded[c] = cell + strings.Repeat(" ", widths[c]-utf8.RuneCountInString(cell))
			}
		}
		text += strings.TrimRight(d.bars[0]+strings.Join(padded, d.bars[1])+d.bars[2], " ") + "\n"
		switch {
		case i == 0:
			text += rule(d.heads)
		case i < len(rows)-1:
			text += rule(d.rows)
		}
	}
	return text + rule(d.bottom)
}

func bars(rows [][]string, before, between, after string) string {
	var b strings.Builder
	for _, row := range rows {
		b.WriteString(before + strings.Join(row, between) + after + "\n")
	}
	return b.String()
}

// TestTablesAreReadHoweverTheyAreWritten checks that a table gives the same runs in every notation.
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

// TestCellsOfHTMLSpan checks that the figures of an HTML table are at the lines where their rows begin, and that a cell
// fills all rows and columns that it spans.
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

// TestLayoutsAreNoTables checks that a page with a table for layout, such as two logs side by side, is read as without
// the table.
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

// TestTablesAreReadWhereverTheyAre checks that a table is read at any position in a file, also if the first window ends
// inside one of its characters.
func TestTablesAreReadWhereverTheyAre(t *testing.T) {
	t.Parallel()
	rows := [][]string{{"Model", "TTFT (ms)"}, {"A", "123.4"}, {"B", "323.4"}, {"C", "523.4"}}
	for how, write := range written {
		size := len(write(rows))
		for back, step := 0, 1; back < size+4; back += step {
			if back == 8 { // all bytes of a first character were across the end
				step = 29
			}
			before := 1<<16 - back
			text := strings.Repeat("A line of notes, which goes on.\n", before/32) + strings.Repeat("x", before%32) + "\n" + write(rows)
			if got := fixture.Read(t, text); len(got.Results) != 3 || got.Results[2].Metrics[0].Digits() != "523.4" {
				t.Fatalf("%s behind %d bytes: %d results", how, before, len(got.Results))
			}
		}
	}
}

// TestTablesThatAreCutOff checks that what is read from a table cut off anywhere is part of what the whole table gives.
// If only the last line end is missing, everything is read, except a last row whose end is unknown.
func TestTablesThatAreCutOff(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][][]string{
		"runs":   {{"Model", "Concurrency", "TTFT (ms)"}, {"Qwen3-8B", "1", "123.4"}, {"千问", "8", "323.4"}},
		"a page": {{"Metric", "Value"}, {"TTFT (ms)", "11.25"}, {"TPOT (ms)", "12.25"}},
	} {
		for how, write := range written {
			text := write(rows)
			alone := fixture.Read(t, text)
			for n := range text {
				fixture.NothingNew(t, alone, fixture.Read(t, text[:n]))
			}
			got := fixture.Read(t, strings.TrimRight(text, "\n"))
			leftOut := slices.ContainsFunc(got.Messages, func(m result.Message) bool { return m.ID == "format.row" })
			if unknown := strings.HasPrefix(how, "Markdown without") || how == "PostgreSQL"; unknown != leftOut || !unknown && fixture.Placeless(got) != fixture.Placeless(alone) {
				t.Errorf("%s as %s without its last line end: got\n%s\nwant\n%s", name, how, fixture.Placeless(got), fixture.Placeless(alone))
			}
		}
	}
}

// TestAPageOfTwoRunsIsRefused checks that a page with two figures for one metric belongs to two runs: neither is read,
// and the reason is given.
func TestAPageOfTwoRunsIsRefused(t *testing.T) {
	t.Parallel()
	for how, write := range written {
		out := fixture.Read(t, write([][]string{{"Metric", "Value"}, {"TTFT (ms)", "11.5"}, {"TTFT (ms)", "21.5"}, {"TPOT (ms)", "2.25"}}))
		if len(out.Results) != 0 || !strings.Contains(locale.English(out.Reason), `two of "TTFT (ms)"`) {
			t.Errorf("%s: %d results: %s", how, len(out.Results), locale.English(out.Reason))
		}
	}
}
