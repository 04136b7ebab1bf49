package reached

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// run returns a run of a model on a machine at a load.
func run(id, machine, load, model, size string, speed float64) *result.Result {
	r := &result.Result{ID: id, Metrics: []result.Metric{{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher}, Value: speed, Decimals: 1}}}
	for name, value := range map[string]string{"hardware": machine, "load": load, "model": model, "weight_size": size} {
		if value != "" {
			r.Labels.Set(result.Label{Name: name, Value: value})
		}
	}
	return r
}

func table(runs []*result.Result) string {
	printer, _ := locale.For("en")
	return string(Table{Runs: runs, Home: "../", L: &parts.Reader{Printer: printer}, Models: map[string]string{"A": "../models/A.html"}}.HTML())
}

// row returns the cells of a model's row.
func row(t *testing.T, html, model string) []string {
	t.Helper()
	_, rest, found := strings.Cut(html, ">"+model+"</a></th>")
	if !found {
		t.Fatalf("no row of %s in %s", model, html)
	}
	rest, _, _ = strings.Cut(rest, "</tr>")
	var cells []string
	for _, cell := range strings.Split(rest, "</td>") {
		cells = append(cells, strings.TrimSpace(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(cell, "")))
	}
	return cells[:len(cells)-1]
}

// TestBestAndMiddle checks the best and the median run of each model, without excluded ones, and the mark of models for
// which no other is smaller and faster.
func TestBestAndMiddle(t *testing.T) {
	t.Parallel()
	excluded := run("c/x", "m", "high", "A", "16 G", 9999)
	excluded.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
	failed := run("c/y", "m", "high", "A", "16 G", 8888)
	failed.Status = result.Failed
	runs := []*result.Result{excluded, failed,
		run("c/1", "m", "high", "A", "16 G", 10), run("c/2", "m", "high", "A", "16 G", 30), run("c/3", "m", "high", "A", "16 G", 20),
		run("c/4", "m", "high", "B", "8 G", 40), run("c/5", "m", "low", "B", "8 G", 5), run("c/6", "m", "high", "C", "4 G", 39)}
	html := table(runs)
	for model, want := range map[string]string{
		"A": "16 G|30.0|20.0|—|—|3",
		"B": "8 G|◆ 40.0|40.0|5.0|5.0|2",
		"C": "4 G|◆ 39.0|39.0|—|—|1",
	} {
		got := strings.Join(row(t, html, model), "|")
		if dashes := regexp.MustCompile(`—[^|]*`); dashes.ReplaceAllString(got, "—") != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
	if !strings.Contains(html, `<a href="../runs/c/2.html">30.0</a>`) {
		t.Error("the best figure does not lead to its run")
	}
	if table(nil) != "" {
		t.Error("of nothing there is a table")
	}
}

// TestSizeDoesNotDependOnRuns checks that the tables have the same text for any number and order of runs.
func TestSizeDoesNotDependOnRuns(t *testing.T) {
	t.Parallel()
	var runs []*result.Result
	for i := range 4000 {
		runs = append(runs, run(fmt.Sprintf("c%d/r", i), fmt.Sprint("m", i%20), fmt.Sprint("l", i%7), fmt.Sprint("model-", i%90), "", float64(i)))
	}
	whole := table(runs)
	if n := strings.Count(whole, "<table"); n != mostMachines {
		t.Errorf("%d machines", n)
	}
	for i, j := 0, len(runs)-1; i < j; i, j = i+1, j-1 {
		runs[i], runs[j] = runs[j], runs[i]
	}
	if table(runs) != whole {
		t.Error("it depends on the order of the runs")
	}
	if len(table(runs[:2000])) < len(whole)/2 {
		t.Error("half of the runs are half of the page")
	}
}
