package block_test

import (
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// going returns a run without a result, with 40 of 100 requests done after 20 seconds.
func going(labels string, running bool) *result.Unfinished {
	r := run("x " + labels)
	return &result.Unfinished{ID: "x", Source: result.Position{File: "runs/x.log", Line: 4}, Labels: r.Labels,
		Done: 40, Total: 100, Elapsed: 20 * time.Second, Left: 30 * time.Second, Rate: 2, Unit: "req/s", Running: running}
}

// lasting returns a finished run that measured for the given number of seconds.
func lasting(labels string, seconds float64) *result.Result {
	r := run(labels)
	r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "duration", Unit: "s"}, Value: seconds})
	return r
}

// sweeping returns a plan of two models at two loads, of which two runs are finished.
func sweeping() *dataset.Selection {
	return &dataset.Selection{
		Site: dataset.Site{Plans: []dataset.Plan{{Name: "p", Repeats: 1, Labels: []dataset.PlanLabel{{Name: "load", Values: []string{"high", "low"}}, {Name: "model", Values: []string{"A", "B"}}}}}},
		Results: []*result.Result{
			lasting("a/high model=A load=high", 600),
			lasting("a/low model=A load=low", 3600),
		},
	}
}

// TestCoverageOfWhatRuns checks that missing cells are planned while a run of the plan is in progress. If no run is
// written any more, it is unfinished, and missing cells stay missing.
func TestCoverageOfWhatRuns(t *testing.T) {
	d := sweeping()
	d.Unfinished = []*result.Unfinished{going("model=B load=high", true)}
	// 30 s are left of the run, and low load took an hour.
	want := `
Load | A | B
High load | done | running 40/100
Low load | done | planned
[1] 2 of 4 planned cells are done; running: High load · B; planned: Low load · B
[2] About 1 h left: each remaining run is assumed to take as long as similar ones among the 2 finished, one after the other; loading and warm-up are not counted
`
	if got := table(t, d, "coverage", "rows = 'load'"); got != want {
		t.Errorf("got%swant%s", got, want)
	}
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 4, Done: 2, Running: 1, Missing: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	d.Unfinished[0].Running = false
	want = `
Load | A | B
High load | done | unfinished
Low load | done | missing
[1] 2 of 4 planned cells are done; unfinished: High load · B; missing: Low load · B
`
	if got := table(t, d, "coverage", "rows = 'load'"); got != want {
		t.Errorf("got%swant%s", got, want)
	}
	if got, want := coverage.Of(d, d.Plans[0]), (coverage.Count{Planned: 4, Done: 2, Unfinished: 1, Missing: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestTheStateOfACellThatRuns checks that the most advanced run gives the state of a cell, with or without a result.
func TestTheStateOfACellThatRuns(t *testing.T) {
	running, stopped := going("model=A", true), going("model=A", false)
	unknown := *running
	unknown.Done, unknown.Total = 0, 0
	for _, c := range []struct {
		name       string
		runs       []*result.Result
		begun      []*result.Unfinished
		repeats    int
		rule, text string
	}{
		{"running", nil, []*result.Unfinished{running}, 1, "coverage.running", "running 40/100"},
		{"running, with no total", nil, []*result.Unfinished{&unknown}, 1, "coverage.running", "running"},
		{"stopped", nil, []*result.Unfinished{stopped}, 1, "coverage.unfinished", "unfinished"},
		{"stopped, and tried again", nil, []*result.Unfinished{stopped, running}, 1, "coverage.running", "running 40/100"},
		{"done after one that stopped", []*result.Result{run("a model=A")}, []*result.Unfinished{stopped}, 1, "coverage.done", "done"},
		{"running once more than is wanted", []*result.Result{run("a model=A")}, []*result.Unfinished{running}, 1, "coverage.done", "done"},
		{"the second of three", []*result.Result{run("a model=A")}, []*result.Unfinished{running}, 3, "coverage.running", "1 of 3 done, running 40/100"},
		{"one of three, and one that stopped", []*result.Result{run("a model=A")}, []*result.Unfinished{stopped}, 3, "coverage.partial", "1 of 3 done"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &dataset.Selection{Site: dataset.Site{Plans: []dataset.Plan{{Name: "one", Labels: []dataset.PlanLabel{{Name: "model", Values: []string{"A"}}}, Repeats: c.repeats}}}, Results: c.runs, Unfinished: c.begun}
			b, ms := block.Evaluate(d, "coverage", nil, result.Position{})
			if len(ms) > 0 {
				t.Fatal(ms)
			}
			if cell := b.Table.Rows[0].Cells[1]; english().Say(cell.Text) != c.text || cell.Rule != c.rule {
				t.Errorf("%s, %q", cell.Rule, english().Say(cell.Text))
			}
		})
	}
}

// TestTimeLeft checks that the estimate exists while a run is in progress and another is finished.
func TestTimeLeft(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*dataset.Selection)
		left   time.Duration // 0 for unknown
	}{
		{"the bar's own time, and an hour at low load", func(d *dataset.Selection) {}, time.Hour + 30*time.Second},
		{"a bar that knows the rate alone", func(d *dataset.Selection) { d.Unfinished[0].Left, d.Unfinished[0].Rate = -1, 1 }, time.Hour + time.Minute},
		{"no bar: ten minutes at high load, less 20 seconds", func(d *dataset.Selection) { d.Unfinished[0].Left, d.Unfinished[0].Rate = -1, 0 }, time.Hour + 10*time.Minute - 20*time.Second},
		{"longer than usual", func(d *dataset.Selection) {
			d.Unfinished[0].Left, d.Unfinished[0].Rate, d.Unfinished[0].Elapsed = -1, 0, time.Hour
		}, time.Hour},
		{"two of each wanted", func(d *dataset.Selection) { d.Plans[0].Repeats = 2 }, 30*time.Second + 10*time.Minute + 10*time.Minute + 3*time.Hour},
		{"a cell that failed is not waited for", func(d *dataset.Selection) {
			failed := run("b model=B load=low")
			failed.Status = result.Failed
			d.Results = append(d.Results, failed)
		}, 30 * time.Second},
		{"nothing runs", func(d *dataset.Selection) { d.Unfinished[0].Running = false }, 0},
		{"nothing is finished", func(d *dataset.Selection) { d.Results = nil }, 0},
		{"nothing tells how long it took", func(d *dataset.Selection) { d.Results = []*result.Result{run("a model=A load=low")} }, 0},
		{"what runs is not planned", func(d *dataset.Selection) { d.Unfinished[0] = going("model=C load=high", true) }, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := sweeping()
			d.Unfinished = []*result.Unfinished{going("model=B load=high", true)}
			c.change(d)
			left, _, ok := coverage.TimeLeft(d, d.Plans[0])
			if ok != (c.left != 0) || left != c.left {
				t.Errorf("%v left (known: %v), not %v", left, ok, c.left)
			}
		})
	}
}

// TestCoverageWhereNothingIsFinished checks that a block that selects only runs without a result shows them.
func TestCoverageWhereNothingIsFinished(t *testing.T) {
	d := sweeping()
	d.Unfinished = []*result.Unfinished{going("model=B load=high", true), going("model=A load=high", true)}
	got := table(t, d, "coverage", `where = '{model="B"}'`)
	if !strings.Contains(got, "running: High load · B; planned: High load · A") {
		t.Errorf("got%s", got)
	}
	zh, _ := locale.For("zh")
	b, _ := block.Evaluate(d, "coverage", nil, result.Position{})
	if got, want := zh.Say(b.Table.Notes[0].Text), "计划的 4 项中已完成 2 项；运行中：高负载 · B；待测：低负载 · B"; got != want {
		t.Errorf("%s\nnot %s", got, want)
	}
}
