package block_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// remembered returns past results: one a day from 2026-01-01 on.
func remembered(model string, values ...string) []*result.Result {
	var rs []*result.Result
	for i, v := range values {
		at := time.Date(2026, 1, 1+i, 2, 0, 0, 0, time.UTC)
		commit := fmt.Sprintf("%010x", 0xabc0000000+i)
		r := run(fmt.Sprintf("n/run#%s model=%s date=%s past_commit=%s output_throughput:%s", commit, model, at.Format(time.DateOnly), commit, v))
		r.Revision = &result.Revision{Commit: commit + "ffff", Subject: "Night " + v, Time: at, URL: "https://example.org/" + commit}
		rs = append(rs, r)
	}
	return rs
}

// TestATrendOfThePast checks that present results come after past ones, that points and steps name their commits, and
// that past points have no pages.
func TestATrendOfThePast(t *testing.T) {
	now := run("n/run model=A output_throughput:90.0")
	d := &dataset.Selection{Results: []*result.Result{now}, Past: remembered("A", "100.0", "100.2", "99.9", "100.1", "90.1", "90.2", "89.9")}
	ts := trends.All(d)
	if len(ts) != 1 || !ts[0].Changed || !ts[0].Remembered() || ts[0].Ended() {
		t.Fatalf("%+v", ts)
	}
	trend := &ts[0]
	want := `Step: 2026-01-05
Metric | Before | After | Change | Verdict | Evidence
Output throughput | 100.0 | 90.0 tok/s | −10.0% | Regression | p = 0.029, n = 4 and 4
Label | Before | After
no label says what | — | —
Side | Date | Run | Commit
Before | 2026-01-04 | abc0000003:runs/n/run#abc0000003.log | abc0000003 Night 100.1
After | 2026-01-05 | abc0000004:runs/n/run#abc0000004.log | abc0000004 Night 90.1
between abc0000003 and abc0000004 |  |  | 
`
	if got := stepsOf(trend); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	points := trend.Points()
	last := points.Rows[len(points.Rows)-1]
	if len(points.Rows) != 8 || english().Say(last.Cells[0].Text) != "now" || last.Cells[2].Run != "n/run" {
		t.Errorf("got\n%s", show(points))
	}
	first := points.Rows[0].Cells
	if english().Say(first[1].Text) != "abc0000000 Night 100.0" || first[2].Run != "" || first[2].URL != "https://example.org/abc0000000" || !strings.HasPrefix(first[2].Source.File, "abc0000000:") {
		t.Errorf("got %+v", first)
	}
	for i, p := range trend.Chart(0).Series[0].Points {
		if (p.Run != "") != (i == 7) {
			t.Errorf("point %d leads to %q", i, p.Run)
		}
	}
	if ticks := trend.Chart(0).Ticks; english().Say(ticks[0].Text) != "2026-01-01" || ticks[6].Apart || !ticks[7].Apart || english().Say(ticks[7].Text) != "now" {
		t.Errorf("%v", ticks)
	}
	if len(trend.Lately().Rows) != 8 {
		t.Errorf("got\n%s", show(trend.Lately()))
	}
	if now.Label("date") != "" {
		t.Error("the run itself got a date")
	}
}

// stepsOf returns the steps of a trend as shown on its page.
func stepsOf(t *trends.Trend) string {
	var b strings.Builder
	for _, v := range t.Views(func(before, after string) string { return before + "|" + after }) {
		if title := english().Say(v.Title); strings.HasPrefix(title, "Step") {
			b.WriteString(title + "\n")
			for _, table := range v.Tables {
				b.WriteString(show(table))
			}
		}
	}
	return b.String()
}

// TestThePastIsSelectedByNobody checks that blocks do not select past results.
func TestThePastIsSelectedByNobody(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{run("n/run model=A date=2026-02-01 output_throughput:90.0")}, Past: remembered("A", "100.0", "100.2")}
	for kind, body := range map[string]string{"table": `columns = ["output_throughput"]`, "history": `value = "output_throughput"`} {
		b, ms := block.Evaluate(d, kind, []byte(body), result.Position{})
		if faults(ms) != nil || len(b.Table.Rows) != 1 || strings.Contains(show(b.Table), "100") {
			t.Errorf("%s: %v", kind, ms)
		}
	}
	if text, err := inline.Evaluate(d, `count{model="A"}`, english()); err != nil || text.Text != "1" {
		t.Errorf("%v %v", text, err)
	}
}

// TestALongPast checks that the list of a long past is shortened, and that its chart is complete.
func TestALongPast(t *testing.T) {
	var values []string
	for i := range 400 {
		values = append(values, fmt.Sprintf("%.1f", 100+float64(i*7919%13)/10))
	}
	d := &dataset.Selection{Past: remembered("A", values...)}
	trend := &trends.All(d)[0]
	points := trend.Points()
	if !trend.Ended() || len(points.Rows) != view.MostRows || !strings.Contains(reported(points, "en"), "The last 60 of 400") || len(trend.Chart(0).Series[0].Points) != 400 {
		t.Errorf("%d rows\n%s", len(points.Rows), reported(points, "en"))
	}
	if ticks := trend.Chart(0).Ticks; english().Say(ticks[0].Text) != "2026-01-01" || english().Say(ticks[399].Text) != "2027-02-04" {
		t.Errorf("%v to %v", english().Say(ticks[0].Text), english().Say(ticks[399].Text))
	}
}

// TestEvents checks that lasting changes for better or worse are announced once for each metric, in either language,
// but not a step at the last point.
func TestEvents(t *testing.T) {
	rs := over("date", "A", "output_throughput", "2026-01-01=100 2026-01-02=101 2026-01-03=100 2026-01-04=101 2026-01-05=80 2026-01-06=81 2026-01-07=80 2026-01-08=81 2026-01-09=60")
	for i, r := range rs {
		r.Labels.Set(result.Label{Name: "hardware", Value: "H100"})
		r.Labels.Set(result.Label{Name: "engine_version", Value: []string{"0.10", "0.11"}[min(1, i/4)]})
	}
	ts := trends.All((&dataset.Selection{Results: rs}))
	if len(ts) != 1 {
		t.Fatalf("%d trends", len(ts))
	}
	events := ts[0].Events()
	if len(events) != 1 || events[0].Day != "2026-01-05" || events[0].Metric != "output_throughput" {
		t.Fatalf("%+v", events)
	}
	for lang, want := range map[string]string{
		"en":    "A on H100: output throughput −19.9% since 2026-01-05 (0.10 → 0.11)",
		"zh-CN": "A（H100）：输出吞吐量自 2026-01-05 起 −19.9%（0.10 → 0.11）",
	} {
		p, _ := locale.For(lang)
		if got := p.Say(events[0].Title); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	steps := ts[0].Views(func(_, _ string) string { return "" })[3].Tables[0]
	if !slices.ContainsFunc(steps.Rows, func(r report.Row) bool { return r.Anchor == events[0].Anchor }) {
		t.Error("no row of the steps has its anchor")
	}
	if later := trends.All((&dataset.Selection{Results: rs[:8]})); later[0].Anchor != ts[0].Anchor || later[0].Events()[0].Anchor != events[0].Anchor {
		t.Error("with a day less it is another event")
	}
}
