package block_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func selector(t *testing.T, text string) result.Selector {
	t.Helper()
	s, err := result.ParseSelector(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// planned returns the sample with a plan of four models at two loads, except one combination.
func planned(t *testing.T) *dataset.Selection {
	d := sample()
	d.Plans = []dataset.Plan{{
		Name: "thor",
		Labels: []dataset.PlanLabel{
			{Name: "load", Values: []string{"high", "low"}},
			{Name: "model", Values: []string{"Qwen3-8B", "Qwen3-8B-FP4", "Qwen3-8B-GPTQ-Int8", "Qwen3-8B-AWQ"}},
		},
		Except:  []result.Selector{selector(t, `{model="Qwen3-8B-AWQ", load="high"}`)},
		Repeats: 1,
	}}
	return d
}

func resultOf(d *dataset.Selection, id string) *result.Result {
	for _, r := range d.Results {
		if r.ID == id {
			return r
		}
	}
	panic("no run " + id)
}

// TestCoverageShowsWhatIsThereOfAPlan: the plan has 4 models × 2 loads − 1 = 7 cells. The runs of BF16 and FP4 and the
// one of Int8 fill 5; Int8 and AWQ lack the low load. The 2 runs of FP8 are outside.
func TestCoverageShowsWhatIsThereOfAPlan(t *testing.T) {
	d := planned(t)
	d.Links = map[string]string{"Qwen3-8B": "https://example.org/8b"}
	got := table(t, d, "coverage", "notes = ['Own.']")
	want := `
Model | High load | Low load
Qwen3-8B | done | done
Qwen3-8B-FP4 | done | done
Qwen3-8B-GPTQ-Int8 | done | missing
Qwen3-8B-AWQ | — | missing
[1] 5 of 7 planned cells are done; missing: Qwen3-8B-GPTQ-Int8 · Low load and Qwen3-8B-AWQ · Low load
[2] — is not planned
[3] 2 runs lie outside the plan: Qwen3-8B-FP8 · High load and Qwen3-8B-FP8 · Low load
[4] Own.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
	b, _ := block.Evaluate(d, "coverage", nil, result.Position{})
	cell := b.Table.Rows[0].Cells[1]
	if cell.Run != "a/high" || cell.Rule != "coverage.done" {
		t.Errorf("run %q, rule %q", cell.Run, cell.Rule)
	}
	if url := b.Table.Rows[0].Cells[0].URL; url != "https://example.org/8b" {
		t.Errorf("model leads to %q", url)
	}
	if rule := b.Table.Rows[3].Cells[1].Rule; rule != "coverage.unplanned" {
		t.Errorf("rule %q of what is not planned", rule)
	}
	zh, _ := locale.For("zh")
	if got, want := zh.Say(b.Table.Notes[0].Text), "计划的 7 项中已完成 5 项；缺失：Qwen3-8B-GPTQ-Int8 · 低负载和 Qwen3-8B-AWQ · 低负载"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestTheStateOfACellIsThatOfItsBestRun checks that the most advanced run gives the state of a cell: done before
// partial, partial before excluded, excluded before failed.
func TestTheStateOfACellIsThatOfItsBestRun(t *testing.T) {
	roofline := []result.Check{
		{ID: "consistency.rates", Severity: result.Warning, Text: locale.Lit("rates differ")},
		{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("3.7 times the bandwidth")},
	}
	waived := []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Waived: "speculative decoding"}}
	sound := result.Result{}
	partial, failed := result.Result{Status: result.Partial}, result.Result{Status: result.Failed}
	excluded := result.Result{Checks: roofline}
	brokenOff := result.Result{Status: result.Partial, Checks: roofline}
	nothing := result.Result{Status: result.Failed, Checks: roofline}
	for _, c := range []struct {
		name            string
		runs            []result.Result
		repeats         int
		rule, text, why string
	}{
		{"no run", nil, 1, "coverage.missing", "missing", ""},
		{"no run of three", nil, 3, "coverage.missing", "missing", ""},
		{"one", []result.Result{sound}, 1, "coverage.done", "done", ""},
		{"a waived check", []result.Result{{Checks: waived}}, 1, "coverage.done", "done", ""},
		{"two of three", []result.Result{sound, excluded, sound}, 3, "coverage.partial", "2 of 3 done", ""},
		{"three of three", []result.Result{sound, sound, sound}, 3, "coverage.done", "3 of 3 done", ""},
		{"more than wanted", []result.Result{sound, sound, sound}, 2, "coverage.done", "2 of 2 done", ""},
		{"one running", []result.Result{partial}, 1, "coverage.partial", "partial", "the tool's output is incomplete"},
		{"one running, checked", []result.Result{brokenOff}, 1, "coverage.partial", "partial", "the tool's output is incomplete"},
		{"one running after one that is done", []result.Result{partial, sound}, 1, "coverage.done", "done", ""},
		{"one running after one excluded", []result.Result{excluded, partial}, 1, "coverage.partial", "partial", "the tool's output is incomplete"},
		{"excluded", []result.Result{excluded, excluded}, 1, "coverage.excluded", "excluded", "3.7 times the bandwidth"},
		{"excluded after a failure", []result.Result{failed, excluded}, 1, "coverage.excluded", "excluded", "3.7 times the bandwidth"},
		{"failed", []result.Result{failed}, 1, "coverage.failed", "failed", ""},
		{"failed, checked", []result.Result{nothing}, 3, "coverage.failed", "failed", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &dataset.Selection{Site: dataset.Site{Plans: []dataset.Plan{{Name: "one", Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"A"}}}, Repeats: c.repeats}}}}
			for _, r := range c.runs {
				r.Labels = nil
				r.Labels.Set(result.Label{Name: "model", Value: "A"})
				d.Results = append(d.Results, &r)
			}
			b, ms := block.Evaluate(d, "coverage", nil, result.Position{})
			if len(ms) > 0 {
				t.Fatal(ms)
			}
			cell := b.Table.Rows[0].Cells[1]
			p := english()
			if p.Say(cell.Text) != c.text || cell.Rule != c.rule || p.Say(cell.Why) != c.why {
				t.Errorf("got %q, %s, because %q", p.Say(cell.Text), cell.Rule, p.Say(cell.Why))
			}
		})
	}
}

// TestCoverageIsCountedByState has seven cells: 2 done, 2 missing, and one of each other state.
func TestCoverageIsCountedByState(t *testing.T) {
	d := planned(t)
	resultOf(d, "a/low").Status = result.Failed
	resultOf(d, "b/high").Status = result.Partial
	resultOf(d, "b/low").Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
	want := coverage.Count{Planned: 7, Done: 2, Partial: 1, Excluded: 1, Failed: 1, Missing: 2}
	if got := coverage.Of(d, d.Plans[0]); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	tables := coverage.Tables(d)
	if len(tables) != 1 {
		t.Fatalf("%d tables", len(tables))
	}
	if got, want := english().Say(tables[0].Notes[0].Text), "2 of 7 planned cells are done; partial: Qwen3-8B-FP4 · High load; excluded: Qwen3-8B-FP4 · Low load; failed: Qwen3-8B · Low load; missing: "; !strings.HasPrefix(got, want) {
		t.Errorf("got %s", got)
	}
}

// TestAPlanNeedsNoRuns: without runs all 7 cells are missing, of which 6 are named.
func TestAPlanNeedsNoRuns(t *testing.T) {
	d := planned(t)
	d.Results = nil
	got := table(t, d, "coverage", "")
	if want := "[1] 0 of 7 planned cells are done; missing: Qwen3-8B · High load, Qwen3-8B · Low load, Qwen3-8B-FP4 · High load, " +
		"Qwen3-8B-FP4 · Low load, Qwen3-8B-GPTQ-Int8 · High load, Qwen3-8B-GPTQ-Int8 · Low load and 1 more\n"; !strings.Contains(got, want) {
		t.Errorf("got%s", got)
	}
}

// TestCoverageCountsWhatWherePicks checks that runs not selected by the plan or the block do not count, nor runs that
// lack one of the labels.
func TestCoverageCountsWhatWherePicks(t *testing.T) {
	d := planned(t)
	d.Plans[0].Where = selector(t, `{num_prompts="100"}`)
	d.Results = append(d.Results, run("e model=Qwen3-8B-AWQ num_prompts=100"))
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 7, Done: 2, Missing: 5}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	got := table(t, d, "coverage", `where = '{model="Qwen3-8B-FP4"}'`)
	if !strings.Contains(got, "1 of 7 planned cells is done") || strings.Contains(got, "outside") {
		t.Errorf("got%s", got)
	}
}

// TestCoverageOfThreeLabels: the label with the most values makes the rows, the others make groups of columns, unless
// the block says otherwise.
func TestCoverageOfThreeLabels(t *testing.T) {
	d := &dataset.Selection{
		Site: dataset.Site{Plans: []dataset.Plan{{Name: "p", Title: locale.Lit("Thor"), Repeats: 1, Labels: []dataset.PlanLabel{
			{Name: "clocks", Values: []string{"free", "locked"}}, {Name: "load", Values: []string{"high", "low"}}, {Name: "model", Values: []string{"A", "B", "C"}},
		}}}},
		Results: []*result.Result{run("a model=A load=high clocks=locked")},
	}
	for _, c := range []struct{ body, header, row string }{
		{"", "Model | free · High load | free · Low load | locked · High load | locked · Low load", "A | missing | missing | done | missing"},
		{"columns = ['load', 'clocks']", "Model | High load · free | High load · locked | Low load · free | Low load · locked", "A | missing | done | missing | missing"},
		{"rows = 'load'\ncolumns = ['model', 'clocks']", "Load | A · free | A · locked | B · free", "High load | missing | done | missing"},
	} {
		got := table(t, d, "coverage", c.body)
		if !strings.Contains(got, "\n"+c.header) || !strings.Contains(got, "\n"+c.row) {
			t.Errorf("%s: got%s", c.body, got)
		}
	}
	if got := english().Say(coverage.Tables(d)[0].Caption); got != "Thor" {
		t.Errorf("caption %q", got)
	}
}

func TestCoverageSaysWhatIsWrong(t *testing.T) {
	one, two, none := planned(t), planned(t), sample()
	two.Plans = append(two.Plans, dataset.Plan{Name: "orin", Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"A"}}}, Repeats: 1})
	for _, c := range []struct {
		name string
		d    *dataset.Selection
		body string
		want string
		hint string
	}{
		{"no plan", none, "", "p.md:1: error: there is no plan", "declare a [[plan]] in site.toml"},
		{"one plan need not be named", one, "", "", ""},
		{"two have to", two, "", "p.md:1: error: there are 2 plans", "name one of: thor, orin"},
		{"unknown plan", two, "plan = 'thro'", `p.md:2: error: no plan is called "thro"`, "did you mean thor? there are: thor, orin"},
		{"unknown row", one, "rows = 'modle'", `p.md:2: error: "modle" is not a label of the plan thor`, "did you mean model? its labels: load, model"},
		{"unknown column", one, "rows = 'model'\ncolumns = ['power_mode']", `p.md:3: error: "power_mode" is not a label of the plan thor`, "its labels: load, model"},
		{"row and column", one, "rows = 'model'\ncolumns = ['model']", `p.md:3: error: "model" is used twice`, "use a label once, as row or as column"},
		{"column left out", one, "rows = 'model'\ncolumns = []", `p.md:3: error: the plan's label "load" is neither row nor column`, "add it to columns"},
		{"no rows", one, "columns = ['model', 'load']", "p.md:2: error: all labels of the plan are columns: none is left for the rows", "name fewer columns"},
		{"where picks nothing", one, `where = '{model="Qwen"}'`, `p.md:2: error: no run matches {model="Qwen"}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ms := block.Evaluate(c.d, "coverage", []byte(c.body), result.Position{File: "p.md", Line: 1})
			got, hint := "", ""
			if len(ms) > 0 {
				got, hint = ms[0].Error(), locale.English(ms[0].Hint)
			}
			if got != c.want || c.hint != "" && hint != c.hint {
				t.Errorf("got %q, %q", got, hint)
			}
		})
	}
}
