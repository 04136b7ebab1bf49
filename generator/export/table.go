package export

import (
	"bufio"
	"io"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// most is the maximum number of labels in the table.
const most = 4

// Table writes an overview for the terminal: the id, the labels in which the runs differ, and the metrics of
// the terminal's list that any run has. Columns are aligned by display width, which differs for Chinese. Each
// row is one line, with control characters made visible.
func Table(w io.Writer, set Set) error {
	var usual []string
	for _, name := range []string{"model", "quantization", "hardware", "power_mode", "clocks", "load", "scenario", "max_concurrency", "request_rate", "input_len", "output_len", "repeat"} {
		if varies(set.Results, name) {
			usual = append(usual, name)
		}
	}
	labels := dataset.Columns(set.Results, usual, most)
	type column struct {
		name, unit string
		figure     bool
	}
	columns := []column{{name: "id"}}
	for _, l := range labels {
		columns = append(columns, column{name: l})
	}
	for _, name := range vocabulary.Listed(vocabulary.Console) {
		for _, r := range set.Results {
			if m, ok := r.Metric(name); ok {
				columns = append(columns, column{name, m.Unit, true})
				break
			}
		}
	}
	columns = append(columns, column{name: "status"})
	rows := make([][]string, 1, len(set.Results)+1)
	for _, c := range columns {
		rows[0] = append(rows[0], strings.TrimSpace(c.name+strings.ReplaceAll(unitSuffix(c.unit), " ", "")))
	}
	for _, r := range set.Results {
		var row []string
		for _, c := range columns {
			cell := ""
			if c.figure {
				if m, ok := r.Metric(c.name); ok {
					cell = m.Digits()
				}
			} else {
				cell = r.Label(c.name)
			}
			if c.name == "status" && r.Excluded() {
				cell += ", excluded"
			}
			row = append(row, visible.Line(cell))
		}
		rows = append(rows, row)
	}
	widths := make([]int, len(columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], locale.Width(cell))
		}
	}
	b := bufio.NewWriter(w)
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-locale.Width(cell))
			if columns[i].figure {
				line.WriteString(pad + cell + "  ")
			} else {
				line.WriteString(cell + pad + "  ")
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.Flush()
}

// varies reports whether a label has more than one value among the results.
func varies(rs []*result.Result, name string) bool {
	for _, r := range rs[min(1, len(rs)):] {
		if r.Labels.Get(name) != rs[0].Labels.Get(name) {
			return true
		}
	}
	return false
}
