package block_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// curvesOf evaluates a chart of curves.
func curvesOf(t *testing.T, rs []*result.Result, body string) (*report.Chart, *report.Table) {
	t.Helper()
	b, ms := block.Evaluate(&dataset.Selection{Results: rs}, "chart", []byte("kind = \"curves\"\n"+body), result.Position{File: "post.md", Line: 10})
	if faults(ms) != nil || b.Chart == nil {
		t.Fatalf("messages %v", ms)
	}
	return b.Chart, b.Table
}

// curveOf writes the points of a chart: the label and the place of each.
func curveOf(c *report.Chart) string {
	var lines []string
	for _, s := range c.Series {
		line, part := english().Say(s.Name)+":", ""
		for _, p := range s.Points {
			if now := english().Say(p.Part); now != part {
				part = now
				line += " [" + part + "]"
			}
			line += fmt.Sprintf(" %s(%g, %g)", english().Say(p.Label), p.X, p.Y)
			if p.Excluded {
				line += "!"
			}
			if p.Dominated {
				line += "-"
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// served returns a sweep of a model at four steps, with the tokens per second of a user and of all users.
func served(model, labels string, speed float64) []*result.Result {
	var out []*result.Result
	for _, n := range []float64{1, 2, 4, 8} {
		user := speed / (1 + n/8)
		out = append(out, run(fmt.Sprintf("%s/%s/%g model=%s max_concurrency=%g %s interactivity:%.2f output_throughput:%.2f", model, strings.ReplaceAll(labels, " ", ","), n, model, n, labels, user, user*n)))
	}
	return out
}

func TestCurvesChooseWhatTheyShow(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"axes, sweep and variants", "where = '{model=~\"A|B\"}'", "A: 1(88.89, 88.89) 2(80, 160) 4(66.67, 266.67) 8(50, 400)\nB: 1(44.44, 44.44) 2(40, 80) 4(33.33, 133.33) 8(25, 200)"},
		// With tp4, each accelerator has less throughput than with tp2, and each user has more.
		{"configurations, and throughput of each accelerator", "where = '{model=\"C\"}'",
			"C: [tp2] 1(26.67, 13.34)- 2(24, 24)- 4(20, 40)- 8(15, 60) [tp4] 1(44.44, 11.11) 2(40, 20) 4(33.33, 33.33) 8(25, 50)"},
		{"another metric, and another series", "where = '{model=~\"A|B\"}'\nx = \"output_throughput\"\ny = \"interactivity\"\nseries = \"model\"\nover = \"max_concurrency\"",
			"A: 1(88.89, 88.89) 2(160, 80) 4(266.67, 66.67) 8(400, 50)\nB: 1(44.44, 44.44) 2(80, 40) 4(133.33, 33.33) 8(200, 25)"},
		{"along parallelism", "where = '{model=\"C\", max_concurrency=\"8\"}'", "C: tp2(15, 60) tp4(25, 50)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			rs := slices.Concat(served("A", "", 100), served("B", "", 50), served("C", "parallelism=tp2 accelerators=2", 30), served("C", "parallelism=tp4 accelerators=4", 50))
			for _, r := range rs {
				if n := r.Accelerators(); n > 1 {
					total, _ := r.Metric("output_throughput")
					total.Kind = total.With(func(k *result.Kind) { k.Name = "output_throughput_per_accelerator" })
					total.Value = float64(int(100*total.Value/n+0.5)) / 100
					r.Metrics = append(r.Metrics, total)
				}
			}
			chart, _ := curvesOf(t, rs, c.body)
			if got := curveOf(chart); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// TestCurvesOfRunsThatKnowLess checks that the axes are the metrics that most runs have: a few runs with a figure per
// accelerator do not exclude the others.
func TestCurvesOfRunsThatKnowLess(t *testing.T) {
	rs := slices.Concat(served("A", "", 100), served("B", "", 50))
	total, _ := rs[0].Metric("output_throughput")
	total.Kind = total.With(func(k *result.Kind) { k.Name = "output_throughput_per_accelerator" })
	rs[0].Metrics = append(rs[0].Metrics, total)
	chart, _ := curvesOf(t, rs, "")
	if got := english().Say(chart.Y.Title); got != "Output throughput" || len(chart.Series) != 2 || len(chart.Series[1].Points) != 4 {
		t.Errorf("%s of %s", got, curveOf(chart))
	}
}

// TestCurvesJoinNothingUnlike checks that runs under other conditions have curves of their own, that repeats give
// medians, and that excluded runs are neither on a frontier nor read off.
func TestCurvesJoinNothingUnlike(t *testing.T) {
	rs := slices.Concat(served("A", "input_len=1024", 100), served("A", "input_len=8192", 60))
	rs = append(rs, run("A/again model=A max_concurrency=8 input_len=8192 repeat=2 interactivity:34.00 output_throughput:272.00"))
	rs[2].Checks = []result.Check{{ID: "x", Severity: result.Error, Text: locale.Lit("impossible")}}
	chart, table := curvesOf(t, rs, "limits = { interactivity = 60 }")
	want := "Input length 1024: 1(88.89, 88.89) 2(80, 160) 4(66.67, 266.67)! 8(50, 400)\nInput length 8192: 1(53.33, 53.33) 2(48, 96) 4(40, 160) 8(32, 256)"
	if got := curveOf(chart); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// The run between 2 and 8 is excluded: they are not joined. The second variant never reaches 60.
	if got := show(table); !strings.Contains(got, "Input length 1024 | ≥ 160.00 [1] | 2\n") || !strings.Contains(got, "Input length 8192 | — | —\n") {
		t.Errorf("the table is\n%s", got)
	}
}

func TestCurvesAreReadOffAtALevel(t *testing.T) {
	rs := slices.Concat(served("A", "", 100), served("B", "", 50))
	for _, r := range rs { // energy of a token: 8, 4, 2 and 1 J
		var n float64
		fmt.Sscan(r.Label("max_concurrency"), &n)
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "energy_per_output_token", Unit: "J/tok", Better: result.Lower},
			Value: 8 / n, Decimals: 1})
	}
	// 60 is 0.4 of the way from 66.67 at 4 to 50 at 8: 266.67 + 0.4 · 133.33 = 320, 2 − 0.4 = 1.6 J.
	_, at := curvesOf(t, rs, "limits = { interactivity = 60 }")
	if got, want := show(at), `Model | Interactivity ≥ 60 tok/s/user · Output throughput (tok/s) | Interactivity ≥ 60 tok/s/user · Concurrency | Interactivity ≥ 60 tok/s/user · Energy per output token (J/tok)
A | ≈ 320 [1] | 4 to 8 | ≈ 1.60 [1]
B | — | — | —
[1] ≈ was not measured: it is interpolated linearly between two neighbouring points of one curve.
`; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	cell := at.Rows[0].Cells[1]
	if why := english().Say(cell.Why); why != "between 4: 266.67 tok/s (A//4) and 8: 400.00 tok/s (A//8)" || cell.Run != "A//4" || !slices.Equal(cell.Others, []string{"A//8"}) {
		t.Errorf("it rests on %s, %v: %s", cell.Run, cell.Others, why)
	}
	// A limit equal to a measured value is not interpolated; a limit beyond the sweep is open.
	_, at = curvesOf(t, rs, "limits = { interactivity = 40, output_throughput = 160 }")
	for _, want := range []string{"A | ≥ 400.00 [1] | 8 | 1.0 | *80.00 | 2 | 4.0", "B | 80.00 | 2 | 4.0 | ≈ 30.0 [2] | 4 to 8 | ≈ 1.60 [2]"} {
		if got := show(at); !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}

// TestCurvesOfAnyRuns checks random runs in random order: a line joins only runs that agree in all settings except the
// swept one; no point of the frontier is beaten by one of the same variant; interpolated values are between their
// neighbours.
func TestCurvesOfAnyRuns(t *testing.T) {
	p := english()
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 7))
		var rs []*result.Result
		seen := map[string]bool{}
		byID := map[string]*result.Result{}
		for range 10 + random.IntN(50) {
			pick := func(values ...string) string { return values[random.IntN(len(values))] }
			step := []string{pick("A", "B"), pick("1024", "8192"), pick("tp2", "tp4"), pick("1", "2", "4", "8", "16")}
			if seen[strings.Join(step, " ")] {
				continue
			}
			seen[strings.Join(step, " ")] = true
			labels := fmt.Sprintf("model=%s input_len=%s parallelism=%s max_concurrency=%s", step[0], step[1], step[2], step[3])
			user := 1 + 50*random.Float64()
			total := user * 10 * random.Float64()
			r := run(fmt.Sprintf("r%d %s interactivity:%.2f output_throughput:%.2f", len(rs), labels, user, total))
			if random.IntN(5) == 0 {
				again := run(fmt.Sprintf("r%d-2 %s repeat=2 interactivity:%.2f output_throughput:%.2f", len(rs), labels, 1.01*user, 0.99*total))
				rs, byID[again.ID] = append(rs, again), again
			}
			if random.IntN(10) == 0 {
				r.Checks = []result.Check{{ID: "x", Severity: result.Error, Text: locale.Lit("impossible")}}
			}
			rs, byID[r.ID] = append(rs, r), r
		}
		slices.SortStableFunc(rs, result.Compare) // in the order of datasets
		const body = "limits = { interactivity = 20 }\nover = \"max_concurrency\""
		chart, table := curvesOf(t, rs, body)
		points := map[int]report.Point{}
		series := map[int]int{}
		for i, s := range chart.Series {
			for k, pt := range s.Points {
				n := len(points)
				points[n], series[n] = pt, i
				if k == 0 || p.Say(s.Points[k-1].Part) != p.Say(pt.Part) {
					continue
				}
				a, b := byID[s.Points[k-1].Run], byID[pt.Run]
				if differ := condition.Of([]*result.Result{a, b}, "max_concurrency"); len(differ) > 0 || a.Label("max_concurrency") == b.Label("max_concurrency") {
					t.Fatalf("seed %d: a line joins %v and %v", seed, a.Labels, b.Labels)
				}
			}
		}
		for _, front := range chart.Frontier {
			for _, i := range front {
				for k, other := range points {
					if on := points[i]; on.Excluded || series[k] == series[i] && !other.Excluded && other.X >= on.X && other.Y >= on.Y && (other.X > on.X || other.Y > on.Y) {
						t.Fatalf("seed %d: %v is on the frontier, though excluded or beaten by %v", seed, on, other)
					}
				}
			}
		}
		for _, row := range table.Rows {
			cell := row.Cells[1]
			if cell.Rule != "curve.between" {
				continue
			}
			var ends []float64
			for _, pt := range points {
				for _, id := range append([]string{cell.Run}, cell.Others...) {
					if pt.Run == id || slices.Contains(pt.Others, id) {
						ends = append(ends, pt.Y)
					}
				}
			}
			if slices.Sort(ends); cell.Value < ends[0] || cell.Value > ends[len(ends)-1] {
				t.Fatalf("seed %d: %g does not lie among %v", seed, cell.Value, ends)
			}
		}
		want := string(export.Points(chart, p)) + show(table)
		random.Shuffle(len(rs), func(i, k int) { rs[i], rs[k] = rs[k], rs[i] })
		slices.SortStableFunc(rs, result.Compare)
		again, below := curvesOf(t, rs, body)
		if got := string(export.Points(again, p)) + show(below); got != want {
			t.Fatalf("seed %d: the order of runs matters:\n%s\nand\n%s", seed, want, got)
		}
	}
}

func TestCurvesSayWhatIsWrong(t *testing.T) {
	rs := served("A", "", 100)
	for _, c := range []struct{ body, want string }{
		{"x = \"weight_size\"", "neither a metric nor a label"},
		{"over = \"context_depth\"", "context_depth"},
		{"limits = { ttft_mean = 500 }", `"ttft_mean" is on neither axis`},
		{"limits = { interactivity = \"20 ms\" }", "is not in the unit of the metric"},
		{"where = '{max_concurrency=\"1\"}'", "no setting is swept"},
		{"value = \"ttft\"", "does not use value"},
	} {
		_, ms := block.Evaluate(&dataset.Selection{Results: rs}, "chart", []byte("kind = \"curves\"\n"+c.body), result.Position{File: "post.md", Line: 10})
		if len(ms) != 1 || ms[0].Severity != result.Error || !strings.Contains(locale.English(ms[0].Text)+locale.English(ms[0].Hint), c.want) {
			t.Errorf("%s: %v", c.body, ms)
		}
	}
}
