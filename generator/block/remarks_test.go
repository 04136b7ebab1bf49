package block_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

func chartNotes(t *testing.T, d *dataset.Selection, body string) (*report.Chart, string) {
	t.Helper()
	block, ms := block.Evaluate(d, "chart", []byte(body), result.Position{})
	for _, m := range ms {
		if m.Severity == result.Error {
			t.Fatal(m)
		}
	}
	var notes []string
	for _, n := range block.Chart.Notes {
		notes = append(notes, locale.English(n))
	}
	return block.Chart, strings.Join(notes, "\n")
}

// A note calls marks hollow only where some are, and repeats left out of a median
// are said to be.
func TestNotesOfWhatIsExcluded(t *testing.T) {
	exclude := func(ids ...string) *dataset.Selection {
		d := &dataset.Selection{Results: []*result.Result{
			run("a1 model=A repeat=1 load=low output_throughput:10"), run("a2 model=A repeat=2 load=low output_throughput:11"),
			run("b1 model=B repeat=1 load=low output_throughput:20"), run("b2 model=B repeat=2 load=low output_throughput:22"),
		}}
		for _, r := range d.Results {
			if slices.Contains(ids, r.ID) {
				r.Checks = []result.Check{{ID: "x", Severity: result.Error, Text: locale.Lit("broken")}}
			}
		}
		return d
	}
	for _, test := range []struct {
		ids  []string
		want string
	}{
		{[]string{"a2"}, "Excluded, so in no median: broken."},
		{[]string{"a1", "a2"}, "Hollow, excluded: broken."},
		{[]string{"a1", "a2", "b1"}, "Excluded, so hollow or in no median: broken."},
	} {
		if _, notes := chartNotes(t, exclude(test.ids...), "kind = 'bars'\nvalue = 'output_throughput'"); !strings.Contains(notes, test.want) {
			t.Errorf("%v: %q lacks %q", test.ids, notes, test.want)
		}
	}
	if _, notes := chartNotes(t, exclude(), "kind = 'heatmap'\nseries = 'load'\nvalue = 'output_throughput'"); strings.Contains(notes, "thin bars") {
		t.Errorf("a heat map has no bars: %q", notes)
	}
}

// Telemetry beside one of several repeats makes the others no other runs.
func TestTelemetryOfOneRepeat(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a1 model=A repeat=1 output_throughput:10"),
		run("a2 model=A repeat=2 power_scope=gpu output_throughput:11"),
		run("a3 model=A repeat=3 output_throughput:12"),
	}}
	body := []byte("kind = 'bars'\nvalue = 'output_throughput'")
	if _, ms := block.Evaluate(d, "chart", body, result.Position{}); len(ms) > 0 {
		t.Errorf("%v", ms)
	}
	d.Results = append(d.Results, run("a4 model=A repeat=4 power_scope=wall output_throughput:11"))
	_, ms := block.Evaluate(d, "chart", body, result.Position{})
	if want := "they differ in power_scope (gpu, wall): name one in where, or make it a row or column"; len(ms) == 0 || ms[0].Hint != want {
		t.Errorf("%v", ms)
	}
}

// The alternative text of a history reports its steps.
func TestHistoryReportsItsSteps(t *testing.T) {
	d := &dataset.Selection{}
	for i, v := range []string{"0.8.5", "0.9.0", "0.9.2", "0.10.0", "0.10.2", "0.11.0"} {
		for _, repeat := range []string{"1", "2", "3"} {
			speed := map[bool]string{true: "100." + repeat, false: "120." + repeat}[i < 3]
			d.Results = append(d.Results, run("v"+v+"-"+repeat+" model=A engine_version="+v+" repeat="+repeat+" output_throughput:"+speed))
		}
	}
	c, _ := chartNotes(t, d, "kind = 'history'\nover = 'engine_version'\nvalue = 'output_throughput'")
	if alt := locale.English(c.Alt); !strings.Contains(alt, "A: better by a step of +20.0% at 0.10.0.") {
		t.Errorf("%s", alt)
	}
}

// A key that a kind of chart makes no use of is not passed over in silence.
func TestKeysThatAKindDoesNotHave(t *testing.T) {
	_, ms := block.Evaluate(sample(), "chart", []byte("kind = 'cdf'\nvalue = 'ttft'\nsort = 'value'"), result.Position{File: "a.md", Line: 1})
	if len(ms) != 1 || ms[0].Text != `kind = "cdf" makes no use of sort` || ms[0].Hint != "it has value, series, scale" || ms[0].Pos.Line != 4 {
		t.Errorf("%v", ms)
	}
}
