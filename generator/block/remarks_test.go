package block_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/builder"
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

// TestNotesOfWhatIsExcluded checks that a note mentions hollow marks only if there are some, and that it mentions
// repeats left out of a median.
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

// TestTelemetryOfOneRepeat checks that telemetry of one repeat does not make it a different variant.
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
	if want := "they differ in power_scope (gpu, wall): name one in where, or make it a row or column"; len(ms) == 0 || locale.English(ms[0].Hint) != want {
		t.Errorf("%v", ms)
	}
}

// TestHistoryReportsItsSteps checks that the alternative text of a history contains its steps.
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

// TestPanelsReportDistantRepeats checks that a chart reports repeats that were measured at very different times once,
// with panels and without.
func TestPanelsReportDistantRepeats(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{}
	for _, load := range []string{"low", "high"} {
		for _, of := range []string{"date=2026-01-01 repeat=1", "date=2026-03-01 repeat=2"} {
			d.Results = append(d.Results, run("a/"+load+" model=A load="+load+" "+of+" output_throughput:50.0"))
		}
	}
	for _, panel := range []string{"", "panel = 'load'"} {
		body := "kind = 'bars'\ncategory = 'model'\nvalue = 'output_throughput'\n" + panel
		if panel == "" {
			body += "series = 'load'"
		}
		v, ms := block.Evaluate(d, "chart", []byte(body), result.Position{File: "a.md", Line: 1})
		ms = slices.DeleteFunc(ms, func(m result.Message) bool { return m.ID != builder.FarApart })
		if v.Chart == nil || len(ms) != 1 || !slices.ContainsFunc(v.Chart.Notes, func(n locale.Text) bool { return strings.Contains(locale.English(n), "2026-03-01") }) {
			t.Errorf("%s: %v", body, ms)
		}
	}
}

// TestKeysThatAKindDoesNotHave checks that a key that a kind of chart does not use is an error.
func TestKeysThatAKindDoesNotHave(t *testing.T) {
	_, ms := block.Evaluate(sample(), "chart", []byte("kind = 'cdf'\nvalue = 'ttft'\nsort = 'value'"), result.Position{File: "a.md", Line: 1})
	if len(ms) != 1 || locale.English(ms[0].Text) != `kind = "cdf" does not use sort` || locale.English(ms[0].Hint) != "it has value, series, scale" || ms[0].Pos.Line != 4 {
		t.Errorf("%v", ms)
	}
}

// TestChartsOfNothing checks that a chart without points is an error. The message has the line of the key, and names
// what the runs have.
func TestChartsOfNothing(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A max_concurrency=1 output_throughput:50.0"),
		run("b model=A max_concurrency=2 output_throughput:90.0"),
		run("c model=B max_concurrency=1 interactivity:20.0"),
	}}
	for _, c := range []struct {
		body, text string
		line       int
	}{
		{"kind = 'lines'\ny = 'output_throughput'\nx = 'output_throughput_per_user'", "3 runs have no output_throughput_per_user", 4},
		{"kind = 'lines'\ny = 'output_throughput'\nx = 'interactivity'", "no run has all that the chart shows: output_throughput, interactivity", 1},
		{"kind = 'bars'\nvalue = 'request_throughput'\nseries = 'max_concurrency'", "3 runs have no request_throughput", 3},
		{"kind = 'scatter'\nx = 'output_throughput'\ny = 'ttft_mean'\nseries = 'max_concurrency'", "3 runs have no ttft_mean", 4},
		{"kind = 'lines'\npanel = 'model'\ny = 'ttft_mean'", "3 runs have no ttft_mean", 4},
	} {
		_, ms := block.Evaluate(d, "chart", []byte(c.body), result.Position{File: "a.md", Line: 1})
		if len(ms) != 1 || locale.English(ms[0].Text) != c.text || ms[0].Pos.Line != c.line || ms[0].Hint.IsZero() || ms[0].Severity != result.Error {
			t.Errorf("%s: %v", c.body, ms)
		}
	}
}

// TestAnAxisOfDatesIsOneOfTime checks that days are placed by the calendar, and versions at equal distances.
func TestAnAxisOfDatesIsOneOfTime(t *testing.T) {
	t.Parallel()
	for over, want := range map[string][]float64{
		"date=2026-01-01 date=2026-01-02 date=2026-03-01":                                             {0, 1, 59},
		"date=2026-01-01 date=2026-01-02 date=now":                                                    {0, 1, 2},
		"date=2026-01-01 date=2026-01-01_(2) date=2026-01-01_(3) date=2026-01-02 date=2026-01-02_(2)": {0, 1. / 3, 2. / 3, 1, 1.5},
		"date=2025-12 date=2026-01 date=2026-02-02":                                                   {0, 31, 63},
		"date=2026-01-01 date=early date=later":                                                       {0, 1, 2},
		"engine_version=1 engine_version=2":                                                           {0, 1},
	} {
		d := &dataset.Selection{}
		for i, label := range strings.Fields(over) {
			d.Results = append(d.Results, run(fmt.Sprintf("r%d model=A %s output_throughput:50.%d", i, label, i)))
			d.Results[i].Labels.Set(result.Label{Name: "date", Value: strings.ReplaceAll(d.Results[i].Label("date"), "_", " ")})
		}
		name, _, _ := strings.Cut(over, "=")
		c, _ := chartNotes(t, d, "kind = 'history'\nvalue = 'output_throughput'\nover = '"+name+"'")
		var got []float64
		for i, p := range c.Series[0].Points {
			got = append(got, math.Round(60*(p.X-c.Series[0].Points[0].X))/60)
			if c.Ticks[i].At != p.X {
				t.Errorf("%s: the name of point %d is at %g", over, i, c.Ticks[i].At)
			}
		}
		inTime := name == "date" && !strings.Contains(over, "later")
		if (c.X.Scale == report.Time) != inTime {
			t.Errorf("%s: the axis is %q", over, c.X.Scale)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: points at %v, want %v", over, got, want)
		}
	}
}

// TestReleasesAreMarked checks that a date is marked if all its runs have another version than before. It is not marked
// if its runs differ in the version or have none.
func TestReleasesAreMarked(t *testing.T) {
	t.Parallel()
	for over, want := range map[string]string{
		"0.9 0.9 0.10 0.10 0.9": "2: 0.9 → 0.10, 4: 0.10 → 0.9",
		"0.9 - 0.10 -":          "2: 0.9 → 0.10",
		"- 0.9 0.9":             "",
		"0.9 0.9/0.10 0.10":     "2: 0.9 → 0.10",
	} {
		d := &dataset.Selection{}
		for i, versions := range strings.Fields(over) {
			for n, version := range strings.Split(versions, "/") {
				r := run(fmt.Sprintf("r%d-%d model=A date=2026-01-%02d output_throughput:50.%d", i, n, i+1, i))
				if version != "-" {
					r.Labels.Set(result.Label{Name: "engine_version", Value: version, Origin: result.Captured})
				}
				d.Results = append(d.Results, r)
			}
		}
		c, _ := chartNotes(t, d, "kind = 'history'\nvalue = 'output_throughput'\nover = 'date'")
		var got []string
		for _, b := range c.Bands {
			if b.From != b.To {
				t.Errorf("%s: a band of %v", over, b.To-b.From)
			}
			got = append(got, fmt.Sprintf("%v: %s", b.From-c.Ticks[0].At, locale.English(b.Text)))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s, want %s", over, got, want)
		}
	}
}
