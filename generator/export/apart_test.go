package export

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/result"
)

// TestRowsOfTheTerminalDiffer: rows of the terminal's table and of the list of runs differ in more than the id
// if the labels of the runs differ, and no more columns are added than are needed for that.
func TestRowsOfTheTerminalDiffer(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 29))
	names := []string{"model", "hardware", "max_concurrency", "flash_attention", "x_kv", "power_mode"}
	needed := 0
	for range 400 {
		d := &dataset.Selection{}
		for i := range 2 + random.IntN(7) {
			r := &result.Result{ID: fmt.Sprintf("r%02d", i), Source: result.Position{File: fmt.Sprintf("runs/r%02d.log", i)}}
			for _, name := range names {
				if random.IntN(4) > 0 {
					r.Labels.Set(result.Label{Name: name, Value: fmt.Sprintf("%s%d", name[:1], random.IntN(2))})
				}
			}
			d.Results = append(d.Results, r)
		}
		telling := len(dataset.Apart(d.Results))
		kinds := map[string]bool{}
		for _, r := range d.Results {
			key := ""
			for _, name := range names {
				key += r.Label(name) + "\x00"
			}
			kinds[key] = true
		}
		var table bytes.Buffer
		if err := Table(&table, Set{Results: d.Results}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(table.String()), "\n")
		head, after := lines[0], strings.Index(lines[0], "  ") // the end of the ids
		for i := range d.Results {
			after = max(after, len(d.Results[i].ID))
		}
		rows := map[string]bool{}
		for _, line := range lines[1:] {
			rows[line[after:]] = true
		}
		if telling <= most && len(rows) != len(kinds) {
			t.Fatalf("%d rows that differ, %d kinds of runs:\n%s", len(rows), len(kinds), table.String())
		}
		if columns := len(strings.Fields(head)) - 2; columns > most+dataset.MostTelling {
			t.Fatalf("%d columns of labels:\n%s", columns, table.String())
		}
		listed, ok := List("runs", d, d.Results, false)
		if !ok {
			t.Fatal("there is no list of runs")
		}
		seen := map[string]bool{}
		for _, row := range listed.Rows {
			seen[fmt.Sprint(row[1:len(row)-2])] = true
		}
		if len(seen) != len(kinds) {
			t.Fatalf("%d rows that differ, %d kinds of runs: %v", len(seen), len(kinds), listed.Rows)
		}
		if strings.Contains(head, "flash_attention") || strings.Contains(head, "x_kv") {
			needed++
		}
	}
	if needed < 50 {
		t.Errorf("%d tables need an unusual label", needed)
	}
}
