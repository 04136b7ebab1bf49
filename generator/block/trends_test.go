package block_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// dates returns runs of a model, several a day, for one day per level. They scatter by a share around the level of the
// day.
func dates(random *rand.Rand, model string, repeats int, scatter float64, levels ...float64) []*result.Result {
	var rs []*result.Result
	for day, level := range levels {
		for n := range repeats {
			rs = append(rs, run(fmt.Sprintf("%s/%d/%d model=%s date=2026-%02d-%02d repeat=%d engine_version=0.%d.0 output_throughput:%.2f ttft_mean:%.2f", model, day, n, model,
				1+day/28, 1+day%28, n+1, 9+day/10, level*math.Exp(scatter*random.NormFloat64()), 50*math.Exp(scatter*random.NormFloat64()))))
		}
	}
	return rs
}

// list returns the rows of trends as shown in the history, with the anchors that they link to.
func list(ts []trends.Trend) string {
	var own []*trends.Trend
	for i := range ts {
		own = append(own, &ts[i])
	}
	var b strings.Builder
	for _, v := range trends.List(own, trends.Names(own), func(t *trends.Trend) string { return t.Anchor }) {
		b.WriteString("# " + english().Say(v.Title) + "\n" + show(v.Tables[0]))
		for _, r := range v.Tables[0].Rows {
			b.WriteString(r.Anchor + " " + r.Cells[0].URL + " " + r.Cells[len(r.Cells)-1].URL + "\n")
		}
	}
	return b.String()
}

// TestScatterIsNoRegression checks that scatter alone is hardly ever called a regression or an improvement, whatever
// its size. It never is if there are too few runs for a test: fewer than four single runs on a side, or the last day
// alone.
func TestScatterIsNoRegression(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	called, judged := 0, 0
	for i := range 400 {
		levels := slices.Repeat([]float64{100}, 2+random.IntN(40))
		repeats := 1 + i%3
		for _, trend := range trends.All(&dataset.Selection{Results: dates(random, "A", repeats, []float64{0.005, 0.02, 0.08}[i%3], levels...)}) {
			judged++
			if v := trend.Verdict(); v == report.Regression || v == report.Improvement {
				called++
				if len(levels)*repeats < 8 {
					t.Errorf("%d runs are called a %s:\n%s", len(levels)*repeats, v, list([]trends.Trend{trend}))
				}
			}
		}
	}
	if judged < 300 || called*50 > judged {
		t.Errorf("%d of %d trends of scatter alone are called regressions or improvements", called, judged)
	}
	for _, c := range []struct {
		repeats int
		levels  []float64
		want    report.Verdict
	}{
		{1, []float64{100, 100, 100, 60, 60, 60}, report.Unsettled},
		{1, []float64{100, 60}, report.Unsettled},
		{9, []float64{100, 100, 60}, report.Unsettled}, // the last day may be an outlier
		{1, []float64{100, 100, 100, 100, 60, 60, 60, 60}, report.Regression},
		{2, []float64{100, 100, 60, 60}, report.Regression},
		{1, []float64{60, 60, 60, 60, 100, 100, 100, 100}, report.Improvement},
		{1, []float64{60, 60, 60, 60, 100, 100, 100, 100, 20}, report.Improvement}, // the last step is unsupported
		{1, []float64{100, 100, 100, 100}, report.Steady},
	} {
		ts := trends.All(&dataset.Selection{Results: dates(random, "A", c.repeats, 0.002, c.levels...)})
		if len(ts) != 1 || ts[0].Verdict() != c.want {
			t.Errorf("%v, each %d times: %s", c.levels, c.repeats, list(ts))
		}
	}
}

// varied returns a site of several variants, some of which changed.
func varied(random *rand.Rand) []*result.Result {
	var rs []*result.Result
	for m := range 2 + random.IntN(5) {
		levels := slices.Repeat([]float64{100 + 10*float64(m)}, 6+random.IntN(20))
		for i := random.IntN(len(levels)); i < len(levels); i++ {
			levels[i] *= []float64{1, 0.8, 1.3}[m%3]
		}
		rs = append(rs, dates(random, fmt.Sprintf("M%d", m), 1+m%2, 0.01, levels...)...)
	}
	return rs
}

// TestTrendsDoNotDependOnOrder checks that the order of results has no effect, and that moving all dates by some years
// does not change the verdicts.
func TestTrendsDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		rs := varied(random)
		want := list(trends.All(&dataset.Selection{Results: rs}))
		shuffled := slices.Clone(rs)
		random.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		slices.SortFunc(shuffled, result.Compare)
		slices.SortFunc(rs, result.Compare)
		if got := list(trends.All(&dataset.Selection{Results: shuffled})); got != list(trends.All(&dataset.Selection{Results: rs})) {
			t.Fatalf("in another order:\n%s\nnot\n%s", got, want)
		}
		for _, r := range shuffled {
			r.Labels.Set(result.Label{Name: "date", Value: strings.Replace(r.Label("date"), "2026", "2021", 1)})
		}
		later := func(s string) string { // the anchors of steps depend on dates
			var lines []string
			for line := range strings.Lines(s) {
				line, _, _ = strings.Cut(line, "#step")
				lines = append(lines, strings.ReplaceAll(line, "2021", "2026"))
			}
			return strings.Join(lines, "\n")
		}
		if got := later(list(trends.All(&dataset.Selection{Results: shuffled}))); got != later(want) {
			t.Fatalf("five years before:\n%s\nnot\n%s", got, later(want))
		}
	}
}

// TestDatesPermuteNothingElse checks that swapping the dates of runs swaps what is shown at these dates, and loses no
// figure.
func TestDatesPermuteNothingElse(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	for range 40 {
		rs := dates(random, "A", 1, 0.05, slices.Repeat([]float64{100}, 4+random.IntN(20))...)
		days := make([]string, len(rs))
		for i, r := range rs {
			days[i] = r.Label("date")
		}
		random.Shuffle(len(days), func(i, j int) { days[i], days[j] = days[j], days[i] })
		want := map[string]string{}
		for i, r := range rs {
			r.Labels.Set(result.Label{Name: "date", Value: days[i]})
			m, _ := r.Metric("output_throughput")
			want[days[i]] = m.Digits()
		}
		ts := trends.All(&dataset.Selection{Results: rs})
		c := ts[0].Chart(0)
		for i, p := range c.Series[0].Points {
			day := english().Say(c.Ticks[i].Text)
			if got := english().Say(p.Label); got != want[day] {
				t.Fatalf("%s shows %s, not %s", day, got, want[day])
			}
			if i > 0 && p.X <= c.Series[0].Points[i-1].X {
				t.Fatalf("%s is not after the day before", day)
			}
		}
		if len(c.Series[0].Points) != len(want) {
			t.Fatalf("%d points of %d days", len(c.Series[0].Points), len(want))
		}
	}
}

// TestARowsFiguresAreInItsDetails checks that the page of a trend contains the figures of its row in the list, and the
// step.
func TestARowsFiguresAreInItsDetails(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	rows := 0
	for range 25 {
		ts := trends.All(&dataset.Selection{Results: varied(random)})
		for i := range ts {
			trend := &ts[i]
			var page strings.Builder
			anchors := map[string]bool{}
			for _, v := range trend.Views(func(a, b string) string { return a + b }) {
				for _, table := range v.Tables {
					page.WriteString(show(table))
					for _, r := range table.Rows {
						anchors[r.Anchor] = true
					}
				}
			}
			own := []*trends.Trend{trend}
			for _, v := range trends.List(own, trends.Names(own), func(*trends.Trend) string { return "page" }) {
				for _, r := range v.Tables[0].Rows {
					rows++
					for _, c := range r.Cells[2:] {
						for _, text := range []string{english().Say(c.Text), english().Say(c.Change)} {
							if strings.HasPrefix(text, "also ") {
								continue
							}
							if !strings.Contains(page.String(), text) {
								t.Fatalf("%q is not in\n%s", text, page.String())
							}
						}
						if _, step, ok := strings.Cut(c.URL, "page#"); ok && !anchors[step] {
							t.Fatalf("no row is %s", step)
						}
					}
				}
			}
		}
	}
	if rows < 50 {
		t.Errorf("only %d rows", rows)
	}
}

// TestTrendsOfExcludedRuns checks that a trend is listed and has a page even if some or all of its runs are excluded.
func TestTrendsOfExcludedRuns(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	for excluded := range 1 << 5 {
		rs := dates(random, "A", 1, 0.01, 100, 100, 100, 80, 80)
		for i, r := range rs {
			if excluded>>i&1 == 1 {
				r.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
			}
		}
		ts := trends.All(&dataset.Selection{Results: rs})
		if got := list(ts); len(ts) > 0 && !strings.Contains(got, "A") {
			t.Errorf("%05b: %s", excluded, got)
		}
		for i := range ts {
			show(ts[i].Summary("page"))
			ts[i].Points()
			for _, v := range ts[i].Views(func(before, after string) string { return before + after }) {
				for _, table := range v.Tables {
					show(table)
				}
			}
		}
	}
}
