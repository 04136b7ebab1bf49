package block_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// viewed writes a table as shown to a reader, one row per line.
func viewed(t *report.Table) string {
	var lines []string
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r.Cells {
			text := locale.English(c.Text)
			if c.Missing {
				text = "—"
			}
			if c.Best {
				text = "*" + text
			}
			if c.Excluded {
				text = "~" + text
			}
			if change := locale.English(c.Change); change != "" {
				text += " (" + change + ")"
			}
			cells = append(cells, text)
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	return strings.Join(lines, "\n")
}

func sorted(rs ...*result.Result) *dataset.Selection { return &dataset.Selection{Results: rs} }

// TestViewTellsRunsApart checks that runs that differ in one setting have rows of their own, and that the chart shows
// the setting with the most models. Models measured under several settings are not ranked.
func TestViewTellsRunsApart(t *testing.T) {
	d := sorted(
		run("a1 model=A load=high power_mode=MAXN output_throughput:10 ttft_mean:100"),
		run("a2 model=A load=high power_mode=15W output_throughput:5 ttft_mean:200"),
		run("b model=B load=high power_mode=MAXN output_throughput:20 ttft_mean:50"),
		run("c model=C load=high power_mode=MAXN output_throughput:15 ttft_mean:300"),
		run("d model=D load=low power_mode=MAXN output_throughput:1 ttft_mean:10"),
	)
	vs := view.OfLoad(d, "load", "high", map[string]string{"B": "../b.html"})
	if len(vs) != 1 || len(vs[0].Tables) != 1 || len(vs[0].Charts) != 1 {
		t.Fatalf("%+v", vs)
	}
	want := "A | 15W | 5 | 200\nA | MAXN | 10 | 100\nB | MAXN | 20 | 50\nC | MAXN | 15 | 300"
	if got := viewed(vs[0].Tables[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := vs[0].Tables[0].Rows[2].Cells[0].URL; got != "../b.html" {
		t.Errorf("B leads to %q", got)
	}
	c := vs[0].Charts[0]
	if c.Kind != report.Scatter || locale.English(c.Subtitle) != "MAXN" || len(c.Series[0].Points) != 3 || len(c.Frontier) != 1 || len(c.Frontier[0]) != 1 || c.Series[0].Points[c.Frontier[0][0]].Run != "b" {
		t.Errorf("%s of %d points, under %s, with the frontier %v", c.Kind, len(c.Series[0].Points), locale.English(c.Subtitle), c.Frontier)
	}
}

// TestViewsKeepTheRules checks that excluded runs are struck through and not on the frontier, as in a post.
func TestViewsKeepTheRules(t *testing.T) {
	d := sorted(
		run("a model=A load=high output_throughput:10 ttft_mean:100"),
		run("b model=B load=high output_throughput:900 ttft_mean:1"),
		run("c model=C load=high output_throughput:15 ttft_mean:90"),
	)
	d.Results[1].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast")}}
	v := view.OfLoad(d, "load", "high", nil)[0]
	if got, want := viewed(v.Tables[0]), "A | 10 | 100 | —\nB | ~900 | ~1 | —\nC | *15 | *90 | "+builder.FrontierMark; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if f := v.Charts[0].Frontier; len(f) != 1 || len(f[0]) != 1 || v.Charts[0].Series[0].Points[f[0][0]].Run != "c" {
		t.Errorf("the frontier is %v", f)
	}
}

// TestViewsByMachineAndByLoad checks that a load has a part for each machine, and a machine a part for each kind of
// load.
func TestViewsByMachineAndByLoad(t *testing.T) {
	d := sorted(
		run("1 model=A load=high hardware=x output_throughput:10"), run("2 model=A load=high hardware=y output_throughput:20"),
		run("3 model=A scenario=chat hardware=x output_throughput:30"), run("4 model=A hardware=x output_throughput:40"),
	)
	var titles []string
	for _, v := range append(view.OfLoad(d, "load", "high", nil), view.OfHardware(d, "x", nil)...) {
		titles = append(titles, locale.English(v.Title)+": "+viewed(v.Tables[0]))
	}
	want := "[x: A | 10 y: A | 20 By load: A | 10 By scenario: A | 30 Other runs: A | 40]"
	if got := fmt.Sprint(titles); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestModelAgainstItsBase checks that a variant is compared with its base under the same settings, but not under
// settings in which only one of them was measured.
func TestModelAgainstItsBase(t *testing.T) {
	d := sorted(
		run("b1 model=B load=high clocks=free output_throughput:10"), run("b2 model=B load=high clocks=locked output_throughput:20"),
		run("b3 model=B load=low clocks=free output_throughput:1"),
		run("q1 model=Q load=high clocks=free output_throughput:30"), run("q2 model=Q load=high clocks=locked output_throughput:50"),
		run("q3 model=Q load=low clocks=locked output_throughput:9"), run("r model=R load=high clocks=free output_throughput:60"),
	)
	vs := view.OfModel(d, "Q", []string{"B", "Q", "R"}, nil)
	want := strings.NewReplacer("high |", "High load |", "low |", "Low load |").Replace("high | free | B | 10\nhigh | free | Q | 30 (3.00×)\nhigh | locked | B | 20\nhigh | locked | Q | 50 (2.50×)\nlow | locked | Q | 9")
	if got := viewed(vs[0].Tables[0]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := viewed(view.OfModel(d, "B", []string{"B", "Q", "R"}, nil)[0].Tables[0]); !strings.Contains(got, "High load | free | R | 60 (6.00×)") {
		t.Errorf("the base does not show what was made of it:\n%s", got)
	}
	if vs := view.OfModel(d, "R", []string{"R"}, nil); len(vs) != 0 {
		t.Errorf("a model alone is compared: %+v", vs)
	}
}

// TestModelWithASweep checks that a sweep is drawn with the models that were swept under the same settings.
func TestModelWithASweep(t *testing.T) {
	d := &dataset.Selection{}
	for _, c := range []int{1, 2, 4, 8} {
		for _, m := range []string{"A", "B"} {
			d.Results = append(d.Results, run(fmt.Sprintf("%s%d model=%s max_concurrency=%d output_throughput:%d", m, c, m, c, 10*c)))
		}
	}
	vs := view.OfModel(d, "A", []string{"A", "B"}, nil)
	if len(vs) == 0 || len(vs[0].Charts) != 1 || vs[0].Charts[0].Kind != report.Lines || len(vs[0].Charts[0].Series) != 2 || len(vs[0].Charts[0].Series[0].Points) != 4 {
		t.Fatalf("%+v", vs)
	}
}

// TestViewOfTooMuch checks that runs that cannot be compared have no view, and that this takes little time.
func TestViewOfTooMuch(t *testing.T) {
	d := &dataset.Selection{}
	for i := range 500 {
		d.Results = append(d.Results, run(fmt.Sprintf("r%d model=M%d load=high hardware=x output_throughput:%d", i, i, i)))
	}
	if vs := append(view.OfLoad(d, "load", "high", nil), view.OfHardware(d, "x", nil)...); len(vs) != 0 {
		t.Errorf("%d views", len(vs))
	}
	if vs := view.OfLoad((&dataset.Selection{}), "load", "high", nil); len(vs) != 0 {
		t.Errorf("%d views of nothing", len(vs))
	}
}

// versions returns runs of one variant, with a figure for each version.
func versions(model string, figures ...float64) []*result.Result {
	var rs []*result.Result
	for i, v := range figures {
		rs = append(rs, run(fmt.Sprintf("%s%d model=%s date=2026-01-%02d engine_version=0.%d.0 driver=%d output_throughput:%g", model, i, model, i+1, i+8, 570+i/3, v)))
	}
	return rs
}

// TestTrends checks that a trend reports its steps with what changed, and that changed trends come first.
func TestTrends(t *testing.T) {
	d := sorted(append(versions("A", 100, 100, 100, 100), versions("B", 100, 100, 101, 120, 121, 120)...)...)
	ts := trends.All(d)
	if len(ts) != 2 || ts[0].Model != "B" || !ts[0].Changed || ts[1].Changed || ts[0].Over != "date" {
		t.Fatalf("%+v", ts)
	}
	// Three runs against three are too few for a test.
	want := `Step: 2026-01-04
Metric | Before | After | Change | Verdict | Evidence
Output throughput | 100 | 120 tok/s | +20.0% | Not confirmed | cannot be judged: too few runs for a test (n = 3 and 3)
Label | Before | After
driver | 570 | 571
Engine version | 0.10.0 | 0.11.0
Side | Date | Run
Before | 2026-01-03 | B2
After | 2026-01-04 | B3
Compare before and after |  | 
`
	if got := stepsOf(&ts[0]); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if stepsOf(&ts[1]) != "" || len(ts[1].Points().Rows) != 4 {
		t.Errorf("%+v", ts[1])
	}
	if c := ts[0].Chart(0); len(c.Steps) != 1 || locale.English(c.Ticks[0].Text) != "2026-01-01" || c.X.Scale != report.Time {
		t.Errorf("the chart has the steps %v and the ticks %v", c.Steps, c.Ticks)
	}
}

// TestTrendsOfOneDay checks that versions are used if dates do not distinguish runs. If neither does, each kind of run
// is a variant of its own.
func TestTrendsOfOneDay(t *testing.T) {
	d := sorted(run("1 model=A date=2026-01-01 engine_version=0.9.0 output_throughput:10"), run("2 model=A date=2026-01-01 engine_version=0.10.0 output_throughput:20"))
	if ts := trends.All(d); len(ts) != 1 || ts[0].Over != "engine_version" || locale.English(ts[0].Chart(0).Ticks[1].Text) != "0.10.0" {
		t.Errorf("%+v", ts)
	}
	d = &dataset.Selection{}
	for day := 1; day < 3; day++ {
		for _, os := range []string{"jammy", "noble"} {
			d.Results = append(d.Results, run(fmt.Sprintf("%s%d model=A os=%s date=2026-01-%02d output_throughput:%d", os, day, os, day, 10*day)))
		}
	}
	if ts := trends.All(d); len(ts) != 2 || locale.English(ts[0].Conditions) != "jammy" {
		t.Errorf("%+v", ts)
	}
	d = sorted(run("1 model=A date=2026-01-01 output_throughput:10"), run("2 model=A date=2026-01-01 repeat=2 output_throughput:11"), run("3 model=B output_throughput:1"))
	if ts := trends.All(d); len(ts) != 0 {
		t.Errorf("one day is a history: %+v", ts)
	}
}
