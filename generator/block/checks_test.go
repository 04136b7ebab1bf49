package block_test

import (
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestChecksAreListed checks that each finding has a row, errors first, with all of its runs. Findings of severity info
// have no row; waived ones show the reason.
func TestChecksAreListed(t *testing.T) {
	found := func(r *result.Result, severity result.Severity, text, waived string) {
		r.Checks = append(r.Checks, result.Check{ID: "failed-requests", Severity: severity, Text: locale.Lit(text), Waived: waived})
	}
	a, b, c := run("a model=A load=high output_throughput:1"), run("b model=B max_concurrency=8 output_throughput:2"), run("c output_throughput:3")
	found(a, result.Warning, "some requests failed", "")
	found(b, result.Warning, "some requests failed", "")
	found(b, result.Info, "worth knowing", "")
	found(c, result.Error, "impossible", "")
	found(c, result.Error, "as impossible", "the clock was wrong")
	d := &dataset.Selection{Results: []*result.Result{a, b, c}}
	shown, ms := block.Evaluate(d, "checks", nil, result.Position{})
	if len(ms) > 0 {
		t.Fatal(ms)
	}
	var got []string
	for _, row := range shown.Table.Rows {
		for _, cell := range row.Cells {
			got = append(got, locale.English(cell.Text))
		}
		got = append(got, row.Cells[2].Run)
		got = append(got, row.Cells[2].Others...)
	}
	want := []string{
		"error: excluded", "impossible", "c", "c",
		"warning", "some requests failed", "A · High load and B · Concurrency 8", "a", "b",
		"waived", "as impossible " + locale.English(locale.T("report.waived", "failed-requests", "the clock was wrong")), "c", "c",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nnot\n%q", got, want)
	}
}

// TestNoFindingIsATable checks that the table says if there are no findings, so that fixing a fault breaks no post.
func TestNoFindingIsATable(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{run("a model=A output_throughput:1"), run("b model=B output_throughput:2")}}
	shown, ms := block.Evaluate(d, "checks", nil, result.Position{})
	if len(ms) > 0 || len(shown.Table.Rows) != 1 {
		t.Fatal(ms, shown.Table)
	}
	if got := locale.English(shown.Table.Rows[0].Cells[1].Text); got != "no check found a fault in 2 runs" {
		t.Error(got)
	}
}
