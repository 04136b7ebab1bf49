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

// remembered makes results of the past: one a day from 2026-01-01 on.
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

// What is there comes after what a repository remembers; a point and a step name their
// commits, and no point of the past claims a page.
func TestATrendOfThePast(t *testing.T) {
	now := run("n/run model=A output_throughput:90.0")
	d := &dataset.Selection{Results: []*result.Result{now}, Past: remembered("A", "100.0", "100.2", "99.9", "90.1", "90.2", "89.9")}
	ts := trends.All(d)
	if len(ts) != 1 || !ts[0].Changed || !ts[0].Remembered() || ts[0].Ended() {
		t.Fatalf("%+v", ts)
	}
	trend := &ts[0]
	if got := show(trend.Steps()); !strings.Contains(got, "2026-01-04 | nothing that a label tells (between abc0000002 and abc0000003) | 100.0 → 90.0 (0.90×, worse)") {
		t.Errorf("got\n%s", got)
	}
	points := trend.Points()
	last := points.Rows[len(points.Rows)-1]
	if len(points.Rows) != 7 || english().Say(last.Cells[0].Text) != "now" || last.Cells[2].Run != "n/run" {
		t.Errorf("got\n%s", show(points))
	}
	first := points.Rows[0].Cells
	if english().Say(first[1].Text) != "abc0000000 Night 100.0" || first[2].Run != "" || first[2].URL != "https://example.org/abc0000000" || !strings.HasPrefix(first[2].Source.File, "abc0000000:") {
		t.Errorf("got %+v", first)
	}
	for i, p := range trend.Chart().Series[0].Points {
		if (p.Run != "") != (i == 6) {
			t.Errorf("point %d leads to %q", i, p.Run)
		}
	}
	if ticks := trend.Chart().Ticks; english().Say(ticks[0].Text) != "01-01" || english().Say(ticks[6].Text) != "now" {
		t.Errorf("%v", ticks)
	}
	if len(trend.Lately().Rows) != 7 {
		t.Errorf("got\n%s", show(trend.Lately()))
	}
	if now.Label("date") != "" {
		t.Error("the run itself got a date")
	}
}

// Elsewhere the past is nothing.
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

// A long past is listed as far as a reader reads, and drawn whole.
func TestALongPast(t *testing.T) {
	var values []string
	for i := range 400 {
		values = append(values, fmt.Sprintf("%.1f", 100+float64(i*7919%13)/10))
	}
	d := &dataset.Selection{Past: remembered("A", values...)}
	trend := &trends.All(d)[0]
	points := trend.Points()
	if !trend.Ended() || len(points.Rows) != view.MostRows || !strings.Contains(reported(points, "en"), "The last 60 of 400") || len(trend.Chart().Series[0].Points) != 400 {
		t.Errorf("%d rows\n%s", len(points.Rows), reported(points, "en"))
	}
	if ticks := trend.Chart().Ticks; english().Say(ticks[0].Text) != "26-01-01" || english().Say(ticks[399].Text) != "27-02-04" {
		t.Errorf("%v to %v", english().Say(ticks[0].Text), english().Say(ticks[399].Text))
	}
}

// What changed for the better or worse, and lasts, is reported once for each metric, in
// either language; a step of the last point is not yet.
func TestEvents(t *testing.T) {
	rs := over("date", "A", "output_throughput", "2026-01-01=100 2026-01-02=101 2026-01-03=100 2026-01-04=80 2026-01-05=81 2026-01-06=80 2026-01-07=60")
	for i, r := range rs {
		r.Labels.Set(result.Label{Name: "hardware", Value: "H100"})
		r.Labels.Set(result.Label{Name: "engine_version", Value: []string{"0.10", "0.11"}[i/3%2]})
	}
	rs[6].Labels.Set(result.Label{Name: "engine_version", Value: "0.11"})
	ts := trends.All((&dataset.Selection{Results: rs}))
	if len(ts) != 1 {
		t.Fatalf("%d trends", len(ts))
	}
	events := ts[0].Events()
	if len(events) != 1 || events[0].Day != "2026-01-04" || events[0].Metric != "output_throughput" {
		t.Fatalf("%+v", events)
	}
	for lang, want := range map[string]string{
		"en":    "A on H100: output throughput −20.0% since 2026-01-04 (0.10 → 0.11)",
		"zh-CN": "A（H100）：输出吞吐量自 2026-01-04 起 −20.0%（0.10 → 0.11）",
	} {
		p, _ := locale.For(lang)
		if got := p.Say(events[0].Title); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
	if !slices.ContainsFunc(ts[0].Steps().Rows, func(r report.Row) bool { return r.Anchor == events[0].Anchor }) {
		t.Error("no row of the steps has its anchor")
	}
	if later := trends.All((&dataset.Selection{Results: rs[:6]})); later[0].Anchor != ts[0].Anchor || later[0].Events()[0].Anchor != events[0].Anchor {
		t.Error("with a day less it is another event")
	}
}
