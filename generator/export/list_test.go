package export

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// TestListsHoldAnyText: every list is valid JSON and CSV with the same cells, and each row is one line of text,
// for any labels.
func TestListsHoldAnyText(t *testing.T) {
	t.Parallel()
	odd := &result.Result{ID: "a\"\n,b", Source: result.Position{File: "runs/\x1b[31m.log", Line: 3}, Metrics: []result.Metric{{Kind: &result.Kind{Name: "x_odd", Unit: "1", Field: "=cmd()"}}, {Kind: &result.Kind{Name: "ttft_mean", Unit: "ms"}}}}
	odd.Labels.Set(result.Label{Name: "model", Value: "模型\n\"x\""})
	plain := &result.Result{ID: "b", Source: result.Position{File: "runs/b.log", Line: 1}}
	plain.Labels.Set(result.Label{Name: "model", Value: "=1+1"})
	d := &dataset.Selection{Results: []*result.Result{odd, plain}}
	for _, what := range Listings() {
		l, ok := List(what, d, d.Results, false)
		if !ok || len(l.Rows) == 0 {
			t.Fatalf("%s: %d rows", what, len(l.Rows))
		}
		var text, object, table bytes.Buffer
		for _, err := range []error{l.Text(&text), l.JSON(&object), l.CSV(&table)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if n := strings.Count(text.String(), "\n"); n != len(l.Rows)+1 || strings.Contains(text.String(), "\x1b") {
			t.Errorf("%s: %d lines of %d rows\n%s", what, n, len(l.Rows), text.String())
		}
		var document map[string]any
		if err := json.Unmarshal(object.Bytes(), &document); err != nil {
			t.Fatalf("%s: %v\n%s", what, err, object.String())
		}
		rows := document[what].([]any)
		cells, err := csv.NewReader(&table).ReadAll()
		if err != nil || len(cells) != len(rows)+1 || !slices.Equal(cells[0], l.Columns) {
			t.Fatalf("%s: %v, %d rows of CSV and %d of JSON", what, err, len(cells)-1, len(rows))
		}
		for _, row := range cells[1:] {
			if slices.ContainsFunc(row, func(cell string) bool { return strings.HasPrefix(cell, "=") }) {
				t.Errorf("%s: a spreadsheet would compute %q", what, row)
			}
		}
	}
	if _, ok := List("colours", d, d.Results, false); ok {
		t.Error("colours can be listed")
	}
	all, _ := List("metrics", d, d.Results, true)
	if len(all.Rows) < 40 {
		t.Errorf("%d metrics are known", len(all.Rows))
	}
}
