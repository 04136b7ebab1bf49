package block_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// show writes a table as text: best values with *, changes in brackets.
func show(t *report.Table) string {
	p := english()
	var b strings.Builder
	line := func(cells []string) { b.WriteString(strings.Join(cells, " | ") + "\n") }
	var cells []string
	for _, c := range t.Columns {
		h := p.Say(c.Title)
		if group := p.Say(c.Group); group != "" {
			h = group + " · " + h
		}
		if c.Unit != "" {
			h += " (" + c.Unit + ")"
		}
		cells = append(cells, h)
	}
	line(cells)
	for _, r := range t.Rows {
		cells = nil
		for _, c := range r.Cells {
			s := p.Say(c.Text)
			if c.Missing {
				s = "—"
			}
			if c.Best {
				s = "*" + s
			}
			if !c.Change.IsZero() {
				s += " (" + p.Say(c.Change) + ")"
			}
			for _, n := range c.Notes {
				s += fmt.Sprintf(" [%d]", n)
			}
			cells = append(cells, s)
		}
		line(cells)
	}
	for i, n := range t.Notes {
		b.WriteString(fmt.Sprintf("[%d] %s\n", i+1, p.Say(n.Text)))
	}
	return b.String()
}

func table(t *testing.T, d *dataset.Selection, kind, body string) string {
	t.Helper()
	b, ms := block.Evaluate(d, kind, []byte(body), result.Position{File: "post.md", Line: 10})
	if faults(ms) != nil || b.Table == nil {
		t.Fatalf("messages %v", ms)
	}
	return "\n" + show(b.Table)
}

// faults returns the messages except warnings: the sample's runs differ in their prompts.
func faults(ms []result.Message) []result.Message {
	var out []result.Message
	for _, m := range ms {
		if m.Severity == result.Error {
			out = append(out, m)
		}
	}
	return out
}

func TestSummary(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"one load, best marked", `
where = '{load="high"}'
columns = ["weight_size", "output_throughput", "ttft_mean"]
`, `
Model | Weights (G) | Output throughput (tok/s) | Mean TTFT (ms)
Qwen3-8B | 16 | 82.47 | 974.57
Qwen3-8B-FP4 | 6 | 167.20 | 570.92
Qwen3-8B-FP8 | 8.9 | *298.07 | *495.44
Qwen3-8B-GPTQ-Int8 | 9 | 79.23 | 2225.45
[1] Prompts: 200 for Qwen3-8B-GPTQ-Int8, 100 for the others.
[2] Single runs (n = 1): differences below 3% cannot be told from noise.
`},
		{"both loads side by side, sorted, against a baseline", `
columns = ["output_throughput"]
split = "load"
sort = "-output_throughput"
baseline = '{model="Qwen3-8B"}'
change = "ratio"
best = false
`, `
Model | High load · Output throughput (tok/s) | Low load · Output throughput (tok/s)
Qwen3-8B-FP8 | 298.07 (3.61×) | 111.15 (7.08×)
Qwen3-8B-FP4 | 167.20 (2.03×) | 40.26 (2.57×)
Qwen3-8B | 82.47 | 15.69
Qwen3-8B-GPTQ-Int8 | 79.23 (0.96×) | —
[1] High load – Prompts: 200 for Qwen3-8B-GPTQ-Int8, 100 for the others.
[2] Single runs (n = 1): differences below 3% cannot be told from noise.
`},
		{"per cent, own words, own note", `
where = '{load="low"}'
columns = ["tpot_mean"]
titles = { tpot_mean = "per token" }
baseline = '{model="Qwen3-8B"}'
change = "percent"
notes = ["one run each"]
`, `
Model | per token (ms)
Qwen3-8B | 63.63
Qwen3-8B-FP4 | 24.73 (−61.1%)
Qwen3-8B-FP8 | *8.88 (−86.0%)
[1] one run each
[2] Single runs (n = 1): differences below 3% cannot be told from noise.
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := table(t, sample(), "table", c.body); got != c.want {
				t.Errorf("got%swant%s", got, c.want)
			}
		})
	}
}

// TestSummaryOfGapsTiesAndRepeats checks that ties are all marked as best, that rows without a value come last in
// either direction, that a column without a baseline shows no change, and that notes are numbered in order of
// occurrence.
func TestSummaryOfGapsTiesAndRepeats(t *testing.T) {
	d := sample()
	d.Results = []*result.Result{
		run("a/high model=A load=high ttft_mean:20.0"),
		run("b/high model=B load=high ttft_mean:10.0"),
		run("b/low model=B load=low ttft_mean:5.0"),
		run("c/high.1 model=C load=high repeat=1 ttft_mean:9.0"),
		run("c/high.2 model=C load=high repeat=2 ttft_mean:11.0"),
		run("d/low model=D load=low ttft_mean:6.0"),
		run("e model=E ttft_mean:1.0"),
	}
	d.Results[5].Status = result.Partial
	new(audit.Auditor).Complete(d.Results[5]) // adds a check, which keeps the run from being the best
	got := table(t, d, "table", `
columns = ["ttft_mean"]
split = "load"
sort = "-ttft_mean"
baseline = '{model="A"}'
change = "percent"
notes = ["Own."]
`)
	want := `
Model | High load · Mean TTFT (ms) | Low load · Mean TTFT (ms)
A | 20.0 | —
B | *10.0 (−50.0%) | 5.0
C | *10.0 (−50.0%) [1] | —
D | — | 6.0 [2]
[1] median of 2 runs (n = 2); under six runs there is no 95% interval of the median
[2] the tool's output is incomplete
[3] Own.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestMatrixAndItsBestCell(t *testing.T) {
	got := table(t, sample(), "matrix", `
rows = "model"
columns = "load"
value = "ttft_mean"
baseline = "high"
`)
	want := `
Model | High load (ms) | Low load (ms)
Qwen3-8B | 974.57 | 78.19 (−92.0%)
Qwen3-8B-FP4 | 570.92 | 38.55 (−93.2%)
Qwen3-8B-FP8 | 495.44 | *23.06 (−95.3%)
Qwen3-8B-GPTQ-Int8 | 2225.45 | —
[1] High load – Prompts: 200 for Qwen3-8B-GPTQ-Int8, 100 for the others.
[2] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestTradeoffVerdictsFollowTheirRules(t *testing.T) {
	got := table(t, sample(), "tradeoff", `
columns = ["output_throughput"]
baseline = '{model="Qwen3-8B"}'
`)
	for _, want := range []string{
		// FP8 is fastest at both loads; FP4 smaller and slower: on the frontier.
		"Qwen3-8B-FP8 | 8.9 | *298.07 (3.61×) | *111.15 (7.08×) | ◆ fastest | ◆ fastest | where speed counts (high load and low load)",
		"Qwen3-8B-FP4 | 6 | 167.20 (2.03×) | 40.26 (2.57×) | ◆ balance | ◆ balance | where memory is short",
		// BF16 and Int8 are larger and slower than FP8.
		"Qwen3-8B | 16 | 82.47 | 15.69 | dominated by Qwen3-8B-FP8 | dominated by Qwen3-8B-FP8 | reference",
		"Qwen3-8B-GPTQ-Int8 | 9 | 79.23 (0.96×) | — | dominated by Qwen3-8B-FP8 | — | nothing",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no row\n%s\nin%s", want, got)
		}
	}
}

func TestASmallVariantSlowerThanTheBaselineSuitsSizeOnly(t *testing.T) {
	d := sample()
	d.Results = append(d.Results, run("e/high model=GGUF load=high weight_size=5.5_G output_throughput:7.91"))
	got := table(t, d, "tradeoff", "columns = ['output_throughput']\nbaseline = '{model=\"Qwen3-8B\"}'\nwhere = '{load=\"high\"}'")
	if want := "GGUF | 5.5 | 7.91 (0.0959×) | ◆ size only | only where nothing larger fits"; !strings.Contains(got, want) {
		t.Errorf("no row\n%s\nin%s", want, got)
	}
}

// TestVariantsOfOneSizeWithinNoiseDoNotOutdoEachOther has two single runs with 100.45 and 100.70 tok/s.
func TestVariantsOfOneSizeWithinNoiseDoNotOutdoEachOther(t *testing.T) {
	d := sample()
	d.Results = append(d.Results,
		run("e/high model=GPTQ load=high weight_size=5.7_G output_throughput:100.70"),
		run("f/high model=AWQ load=high weight_size=5.7_G output_throughput:100.45"),
		run("g/high model=Slow load=high weight_size=5.7_G output_throughput:97.00"))
	got := table(t, d, "tradeoff", "columns = ['output_throughput']\nbaseline = '{model=\"Qwen3-8B\"}'\nwhere = '{load=\"high\"}'")
	for _, want := range []string{"GPTQ | 5.7 | 100.70 (1.22×) | ◆ balance", "AWQ | 5.7 | 100.45 (1.22×) | ◆ balance", "Slow | 5.7 | 97.00 (1.18×) | dominated by GPTQ"} {
		if !strings.Contains(got, want) {
			t.Errorf("no row\n%s\nin%s", want, got)
		}
	}
}

func TestAQuarantinedRunIsNeverBestNorOnTheFrontier(t *testing.T) {
	d := sample()
	for _, r := range d.Results {
		if r.Label("model") == "Qwen3-8B-FP8" {
			r.Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
		}
	}
	b, ms := block.Evaluate(d, "table", []byte("where = '{load=\"high\"}'\ncolumns = ['output_throughput']"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	for _, row := range b.Table.Rows {
		name := english().Say(row.Cells[0].Text)
		if row.Excluded != (name == "Qwen3-8B-FP8") || row.Cells[1].Best != (name == "Qwen3-8B-FP4") {
			t.Errorf("%s: excluded %v, best %v", name, row.Excluded, row.Cells[1].Best)
		}
	}
	c, ms := block.Evaluate(d, "chart", []byte("kind='scatter'\nwhere = '{load=\"high\"}'\nx='weight_size'\ny='output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	for _, i := range slices.Concat(c.Chart.Frontier...) {
		if p := c.Chart.Series[0].Points[i]; p.Excluded {
			t.Errorf("%s is on the frontier", english().Say(p.Label))
		}
	}
}

func TestAQuarantinedCellOfAMatrixIsNeverBest(t *testing.T) {
	d := sample()
	d.Results[5].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}} // FP8, low
	got := table(t, d, "matrix", "rows = 'model'\ncolumns = 'load'\nvalue = 'ttft_mean'")
	if !strings.Contains(got, "| *38.55") || strings.Contains(got, "*23.06") {
		t.Errorf("the best is not that of the sound runs:%s", got)
	}
}

// TestRunsOutsideTheLoadsLeaveATradeoffAsItIs checks that a run without a load is in no column and changes no verdict.
func TestRunsOutsideTheLoadsLeaveATradeoffAsItIs(t *testing.T) {
	d := sample()
	body := "columns = ['output_throughput']\nbaseline = '{model=\"Qwen3-8B\"}'"
	want := table(t, d, "tradeoff", body)
	d.Results = append(d.Results, run("0 model=Other weight_size=1_G output_throughput:1"))
	if got := table(t, d, "tradeoff", body); got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestDatesAndVersionsAreNoFigures(t *testing.T) {
	for label, want := range map[string]bool{
		"8.9 G": true, "120W": true, "8": true, "273 GB/s": true, "50%": true,
		"2025-10-12": false, "25.08-py3": false, "0.10.1": false, "8x H100": false, "": false, "fp8": false,
	} {
		if _, _, _, ok := dataset.Number(label); ok != want {
			t.Errorf("labelNumber(%q) tells %v", label, ok)
		}
	}
}

func TestConfigNamesTheExceptions(t *testing.T) {
	got := table(t, sample(), "config", "columns = 'load'\nrows = ['num_prompts']")
	if want := "Prompts | 100 (Qwen3-8B-GPTQ-Int8: 200) | 10\n"; !strings.Contains(got, want) {
		t.Errorf("no row %q in%s", want, got)
	}
}

func TestRawFollowsTheWantedOrder(t *testing.T) {
	b, ms := block.Evaluate(sample(), "raw", []byte("where = '{model=~\".*FP.\"}'\ntitle = ['model','load']\nsort = ['load']"), result.Position{})
	var got []string
	for _, r := range b.Raw {
		got = append(got, english().Say(r.Title)+" "+r.Result.ID)
	}
	want := "Qwen3-8B-FP4 · High load b/high, Qwen3-8B-FP8 · High load c/high, Qwen3-8B-FP4 · Low load b/low, Qwen3-8B-FP8 · Low load c/low"
	if s := strings.Join(got, ", "); s != want || len(ms) > 0 {
		t.Errorf("got %s, %v", s, ms)
	}
}

func TestChartOfCategories(t *testing.T) {
	b, ms := block.Evaluate(sample(), "chart", []byte("kind='bars'\ntitle='T'\nvalue='output_throughput'\nseries='load'\nsort='-value'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	c, p := b.Chart, english()
	var got []string
	for i, cat := range c.Categories {
		got = append(got, fmt.Sprintf("%s %v %v", p.Say(cat), c.Series[0].Points[i].Y, c.Series[1].Points[i].Missing))
	}
	want := "Qwen3-8B-FP8 298.07 false, Qwen3-8B-FP4 167.2 false, Qwen3-8B 82.47 false, Qwen3-8B-GPTQ-Int8 79.23 true"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("got %s", s)
	}
	if alt := p.Say(c.Alt); !strings.Contains(alt, "High load: highest Qwen3-8B-FP8, 298.07; lowest Qwen3-8B-GPTQ-Int8, 79.23.") {
		t.Errorf("alt text: %s", alt)
	}
}

func TestScatterFrontier(t *testing.T) {
	b, ms := block.Evaluate(sample(), "chart", []byte("kind='scatter'\nwhere='{load=\"high\"}'\nx='weight_size'\ny='output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	var names []string
	for _, i := range slices.Concat(b.Chart.Frontier...) {
		names = append(names, english().Say(b.Chart.Series[0].Points[i].Label))
	}
	if s := strings.Join(names, " "); s != "Qwen3-8B-FP4 Qwen3-8B-FP8" {
		t.Errorf("frontier: %s", s)
	}
}

// TestAFrontierForEachWorkload checks that each workload has its own frontier, unless the author lays out or accepts
// the settings that differ.
func TestAFrontierForEachWorkload(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A input_len=100 ttft_mean:10 output_throughput:90"),
		run("b model=B input_len=100 ttft_mean:5 output_throughput:50"),
		run("c model=C input_len=8000 ttft_mean:800 output_throughput:40"),
		run("d model=D input_len=8000 ttft_mean:900 output_throughput:30"),
	}}
	for more, want := range map[string]string{
		"": "[[1 0] [2]]", "\naccept = ['input_len']": "[[1 0]]", "\nseries = 'input_len'": "[[1 0]]",
	} {
		b, ms := block.Evaluate(d, "chart", []byte("kind='scatter'\nx='ttft_mean'\ny='output_throughput'"+more), result.Position{})
		if faults(ms) != nil {
			t.Fatal(ms)
		}
		if got := fmt.Sprint(b.Chart.Frontier); got != want {
			t.Errorf("%q: the frontiers are %s, want %s", more, got, want)
		}
	}
}

// TestScatterOfSeries checks that a scatter chart of several series has one frontier through all points.
func TestScatterOfSeries(t *testing.T) {
	b, ms := block.Evaluate(sample(), "chart", []byte("kind='scatter'\nseries='load'\nsize='weight_size'\nx='ttft_mean'\ny='output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	c, p := b.Chart, english()
	var got []string
	for _, s := range c.Series {
		for _, point := range s.Points {
			got = append(got, fmt.Sprintf("%s %s %g %v", p.Say(s.Name), p.Say(point.Label), point.Size, point.Dominated))
		}
	}
	want := []string{
		"High load Qwen3-8B 16 true", "High load Qwen3-8B-FP4 6 true", "High load Qwen3-8B-FP8 8.9 false", "High load Qwen3-8B-GPTQ-Int8 9 true",
		"Low load Qwen3-8B 16 true", "Low load Qwen3-8B-FP4 6 true", "Low load Qwen3-8B-FP8 8.9 false",
	}
	if !slices.Equal(got, want) {
		t.Errorf("points %q, want %q", got, want)
	}
	if len(c.Frontier) != 1 || !slices.Equal(c.Frontier[0], []int{6, 2}) {
		t.Errorf("the frontier goes through %v, want 6 and 2", c.Frontier)
	}
	if alt := p.Say(c.Alt); !strings.Contains(alt, "Qwen3-8B-FP8 (Low load) (23.06, 111.15)") {
		t.Errorf("alt text: %s", alt)
	}
	if c.Size.Unit != "GB" && c.Size.Unit != "G" {
		t.Errorf("sizes are in %q", c.Size.Unit)
	}
}

// TestScatterShowsRepeatsAndDoubts checks that a scatter chart shows intervals of repeats and rings of doubted points.
func TestScatterShowsRepeatsAndDoubts(t *testing.T) {
	d := sample()
	d.Results = append(d.Results[:0:0], run("a/1 model=A weight_size=8_G repeat=1 output_throughput:100"), run("a/2 model=A weight_size=8_G repeat=2 output_throughput:104"),
		run("a/3 model=A weight_size=8_G repeat=3 output_throughput:102"), run("b model=B output_throughput:90"))
	d.Results[1].Checks = []result.Check{{ID: "noise.repeats", Severity: result.Warning}}
	b, ms := block.Evaluate(d, "chart", []byte("kind='scatter'\nx='weight_size'\ny='output_throughput'"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	point := b.Chart.Series[0].Points[0]
	if !point.Spread || point.Low >= 102 || point.High <= 102 || point.Y != 102 {
		t.Errorf("the interval of 100, 102 and 104 is %g to %g around %g", point.Low, point.High, point.Y)
	}
	if !point.Warned {
		t.Error("a doubted figure has no ring")
	}
	if note := english().Say(b.Chart.Notes[0]); note != "B is left out because one of the figures is missing." {
		t.Errorf("note %q", note)
	}
}

func TestScatterOfTooManySeries(t *testing.T) {
	d := sample()
	d.Results = nil
	for i := range 7 {
		d.Results = append(d.Results, run(fmt.Sprintf("r%d model=A case=c%d weight_size=8_G output_throughput:%d", i, i, 90+i)))
	}
	_, ms := block.Evaluate(d, "chart", []byte("kind='scatter'\nseries='case'\nx='weight_size'\ny='output_throughput'"), result.Position{})
	if got := fmt.Sprint(faults(ms)); !strings.Contains(got, "the marks of 7 series are too many to distinguish") {
		t.Errorf("messages %s", got)
	}
}

func TestBlocksSayWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct {
		kind, body string
		line       int
		text, hint string
	}{
		{"tabel", "", 10, `no report block is called "tabel"`, "did you mean table?"},
		{"table", "columns = ['output_throughput']\nwhere = '{load=\"hihg\"}'", 12, "no run matches", `did you mean load="high"?`},
		{"table", "columns = ['outputthroughput']\nwhere = '{load=\"high\"}'", 11, "neither a metric nor a label", "did you mean output_throughput?"},
		{"table", "columns = ['output_throughput']\nwhere = 'load'", 12, "expected a condition in braces", "{label="},
		{"table", "columns = ['output_throughput']\nsplit = 'laod'", 12, "neither", "did you mean load?"},
		{"table", "columns = ['output_throughput']\nsplit = 'load'\ntitles = { ttft_mean = 'First' }", 13, "which is no column", "columns: model, output_throughput"},
		{"table", "columns = ['output_throughput']", 10, "2 runs fall into one cell", "they differ in load (high, low)"},
		{"table", "colums = ['x']", 11, `unknown key "colums"`, "did you mean \"columns\"?"},
		{"table", "columns = ['x'", 11, "", ""},
		{"table", "where='{load=\"high\"}'\ncolumns = ['output_throughput']\nbaseline = '{load=\"high\"}'\nchange='ratio'", 13, "is more than one row", "model=\"Qwen3-8B\""},
		{"table", "where='{load=\"high\"}'\ncolumns = ['output_throughput']\nchange='ratio'", 10, "baseline and change go together", ""},
		{"table", "where='{load=\"high\"}'\ncolumns = ['output_throughput']\nsort='-ttft_mean'", 13, "names no column", "output_throughput"},
		{"chart", "kind='pie'", 11, `not a kind of chart`, "scatter"},
		{"chart", "kind='bars'\nvalue='output_throughput'\nscale='log'", 13, "no log scale", `kind = "dots"`},
		{"chart", "kind='lines'\ny='output_throughput'\nx='load'", 13, `"load" is a label, but a metric is expected`, ""},
		{"matrix", "rows='model'\ncolumns='load'", 10, "value is missing", ""},
		{"matrix", "rows='model'\ncolumns='load'\nvalue='load'", 12, `"load" is a label, but a metric is expected`, ""},
		{"matrix", "rows='model'\ncolumns='load'\nvalue='ttft_mean'\nbaseline='low'\nchange='times'", 15, `change = "times" is not known`, "ratio"},
		{"matrix", "rows='model'\ncolumns='load'\nvalue='ttft_mean'\nchange='ratio'", 14, "change needs a baseline", "high"},
		{"chart", "kind='bars'\nvalue='output_throughput'", 10, `2 runs fall into one cell: model="Qwen3-8B"`, ""},
		{"config", "columns='laod'", 11, "neither", "did you mean load?"},
		{"tradeoff", "judge={hi='tpot_mean'}", 11, `judge names "hi"`, "high, low"},
	} {
		_, ms := block.Evaluate(sample(), c.kind, []byte(c.body), result.Position{File: "post.md", Line: 10})
		if len(ms) != 1 {
			t.Errorf("%s %q: %d messages %v", c.kind, c.body, len(ms), ms)
			continue
		}
		m := ms[0]
		if m.Pos.Line != c.line || !strings.Contains(locale.English(m.Text), c.text) || !strings.Contains(locale.English(m.Hint), c.hint) {
			t.Errorf("%s %q\n got %s [%s]\nwant line %d: %s [%s]", c.kind, c.body, m.Error(), m.Hint, c.line, c.text, c.hint)
		}
	}
}

func FuzzBlock(f *testing.F) {
	f.Add("table", "columns = ['output_throughput']\nsplit = 'load'")
	f.Add("tradeoff", "baseline = '{model=\"Qwen3-8B\"}'")
	f.Add("chart", "kind='scatter'\nx='weight_size'\ny='ttft_mean'\nwhere='{load=\"low\"}'")
	f.Add("sweep", "over = 'num_prompts'\nlatency = 'ttft_mean'\nlimit = 500\nwhere='{model=\"Qwen3-8B\"}'")
	f.Add("sweep", "over = 'num_prompts'\ntable = 'points'")
	f.Add("scaling", "where='{load=\"high\"}'")
	f.Add("effects", "factors = ['model']")
	f.Add("findings", "baseline = '{model=\"BF16\"}'\nmost = 99")
	f.Add("findings", "rows = 'quantization'\nload = 'num_prompts'\njudge = { '10' = 'ttft_mean' }")
	f.Add("findings", "rows = 'load'\nload = 'model'\nfactors = ['weight_size']\nmetrics = ['mbu', 'interactivity']")
	f.Add("tradeoff", "limits = { ttft_mean = 100, weight_size = '9 G' }\nat = 'low'\njudge = { low = 'ttft_mean' }")
	f.Add("history", "over = 'num_prompts'\nwhere='{model=\"FP4\"}'")
	f.Fuzz(func(t *testing.T, kind, body string) {
		for _, d := range []*dataset.Selection{sample(), thor()} {
			b, ms := block.Evaluate(d, kind, []byte(body), result.Position{File: "p", Line: 1})
			if len(faults(ms)) > 0 {
				continue
			}
			var reported []locale.Text
			if b.Table != nil {
				for _, row := range b.Table.Rows {
					if len(row.Cells) != len(b.Table.Columns) {
						t.Errorf("%d cells under %d columns", len(row.Cells), len(b.Table.Columns))
					}
					for _, c := range row.Cells {
						reported = append(reported, c.Text, c.Change, c.Why)
					}
				}
				for _, n := range b.Table.Notes {
					reported = append(reported, n.Text)
				}
				for _, a := range b.Table.Answers {
					reported = append(reported, a.Text, a.Reason)
				}
			}
			if b.Findings != nil {
				for _, c := range slices.Concat(b.Findings.Claims, b.Findings.Withheld, b.Findings.Limits) {
					reported = append(reported, c.Text, c.Reason)
				}
			}
			for _, text := range reported {
				for _, lang := range locale.Languages {
					p, _ := locale.For(lang)
					if s := p.Say(text); wrong.MatchString(s) && !wrong.MatchString(body) {
						t.Errorf("%s says %q", kind, s)
					}
				}
			}
		}
	})
}

// wrong matches the traces of a mismatched format, and of invalid numbers.
var wrong = regexp.MustCompile(`%!|\[[a-z-]+\.|NaN|Inf`)

// TestTheFrontierOfATable: FP8 is the fastest, FP4 the smallest, and Int8 is worse than FP8 in both. BF16 has neither
// size nor speed, and an excluded run is ignored.
func TestTheFrontierOfATable(t *testing.T) {
	body := "where = '{load=\"high\"}'\ncolumns = ['output_throughput']\npareto = ['weight_size', 'output_throughput', 'ttft_mean']\nbest = false"
	on := func(d *dataset.Selection) (names []string) {
		b, ms := block.Evaluate(d, "table", []byte(body), result.Position{})
		if faults(ms) != nil {
			t.Fatal(ms)
		}
		for _, row := range b.Table.Rows {
			if !row.Cells[2].Missing {
				names = append(names, english().Say(row.Cells[0].Text))
			}
		}
		return names
	}
	d := sample()
	sorted := body
	body += "\nsort = '-output_throughput'"
	if got := fmt.Sprint(on(d)); got != "[Qwen3-8B-FP8 Qwen3-8B-FP4]" {
		t.Errorf("in a sorted table, on the frontier: %s", got)
	}
	body = sorted
	if got := fmt.Sprint(on(d)); got != "[Qwen3-8B-FP4 Qwen3-8B-FP8]" {
		t.Errorf("on the frontier: %s", got)
	}
	d.Results[4].Checks = []result.Check{{ID: "physics.memory-roofline", Severity: result.Error}}
	if got := fmt.Sprint(on(d)); got != "[Qwen3-8B-FP4]" {
		t.Errorf("without FP8, on the frontier: %s", got)
	}
	d = sample() // a model measured with other lengths beats none, and none beats it
	for _, r := range d.Results {
		if r.Label("model") == "Qwen3-8B" {
			r.Labels.Set(result.Label{Name: "input_len", Value: "4096"})
		}
	}
	if got := fmt.Sprint(on(d)); got != "[Qwen3-8B Qwen3-8B-FP4 Qwen3-8B-FP8]" {
		t.Errorf("with another workload for Qwen3-8B, on the frontiers: %s", got)
	}
	for _, split := range []string{"split = 'load'", ""} { // a row of both loads has two points
		_, ms := block.Evaluate(sample(), "table", []byte("columns = ['output_throughput']\npareto = ['weight_size', 'output_throughput']\n"+split), result.Position{})
		if len(faults(ms)) != 1 || !strings.Contains(locale.English(ms[0].Text), "fall into one cell") {
			t.Errorf("%s: %v", split, ms)
		}
	}
	for want, pareto := range map[string]string{"needs at least two metrics": `["weight_size"]`, "has no better direction": `["weight_size", "num_prompts"]`, "did you mean": `["weight_size", "output_thruput"]`} {
		_, ms := block.Evaluate(sample(), "table", []byte("columns = ['output_throughput']\nwhere = '{load=\"high\"}'\npareto = "+pareto), result.Position{})
		if len(ms) != 1 || !strings.Contains(locale.English(ms[0].Text)+locale.English(ms[0].Hint), want) {
			t.Errorf("%s: %v", pareto, ms)
		}
	}
}

func TestAcceptNamesSettingsThatAre(t *testing.T) {
	_, ms := block.Evaluate(sample(), "table", []byte("columns = ['output_throughput']\nwhere = '{load=\"high\"}'\naccept = ['num_promts']"), result.Position{File: "p.md", Line: 10})
	if len(ms) != 1 || !strings.Contains(locale.English(ms[0].Hint), "did you mean num_prompts?") || ms[0].Severity != result.Error {
		t.Errorf("%v", ms)
	}
	_, ms = block.Evaluate(sample(), "table", []byte("columns = ['output_throughput']\nwhere = '{load=\"high\"}'\naccept = ['num_prompts']"), result.Position{})
	if len(ms) != 0 {
		t.Errorf("an accepted difference is a warning: %v", ms)
	}
}

// TestAMetricOfManyValuesIsARange checks that many durations are shown as a range, and that for few the exceptions are
// named.
func TestAMetricOfManyValuesIsARange(t *testing.T) {
	d := &dataset.Selection{}
	for i, v := range []string{"514.00", "191.17", "226.18", "259.12"} {
		d.Results = append(d.Results, run(fmt.Sprintf("r%d model=M%d load=low duration:%s", i, i, v)))
	}
	for n, want := range map[int]string{3: "191.17 (M2: 226.18) (M0: 514.00)", 4: "191.17–514.00"} {
		some := &dataset.Selection{Results: d.Results[:n]}
		if got := table(t, some, "config", "rows = ['duration']"); !strings.Contains(got, "Duration | "+want+"\n") {
			t.Errorf("%d runs: want %s in\n%s", n, want, got)
		}
	}
}

// TestTheUsualNumberOfRepeatsIsReportedOnce: most figures have three runs, which is noted once; the others are marked.
func TestTheUsualNumberOfRepeatsIsReportedOnce(t *testing.T) {
	repeated := func(of map[string]int) *dataset.Selection {
		d := &dataset.Selection{}
		for _, m := range []string{"A", "B", "C"} {
			for k := range of[m] {
				d.Results = append(d.Results, run(fmt.Sprintf("%s%d model=%s repeat=%d output_throughput:%d.0", m, k, m, k, 100+k)))
			}
		}
		return d
	}
	for _, x := range []struct {
		of   map[string]int
		want string
	}{
		{map[string]int{"A": 3, "B": 3, "C": 3}, "A | 101.0\nB | 101.0\nC | 101.0\n[1] Each figure is the median of 3 runs (n = 3); under six"},
		{map[string]int{"A": 3, "B": 3, "C": 2}, "A | 101.0\nB | 101.0\nC | 100.5 [2]\n[1] Each figure is the median of 3 runs (n = 3), unless a note says otherwise; under six"},
		{map[string]int{"A": 3, "B": 3, "C": 1}, "A | 101.0 [1]\nB | 101.0 [1]\nC | 100.0\n[1] median of 3 runs (n = 3); under six"},
	} {
		got := strings.ReplaceAll(table(t, repeated(x.of), "table", "columns = ['output_throughput']"), "*", "")
		if !strings.Contains(got, x.want) {
			t.Errorf("%v: want\n%s in\n%s", x.of, x.want, got)
		}
	}
}

func TestAnUnlikenessNamesTheSettingsToAccept(t *testing.T) {
	d := thor()
	for _, r := range d.Results {
		if r.Label("model") == "FP8" {
			r.Labels.Set(result.Label{Name: "num_prompts", Value: "200"})
			r.Labels.Set(result.Label{Name: "seed", Value: "7"})
		} else {
			r.Labels.Set(result.Label{Name: "num_prompts", Value: "100"})
			r.Labels.Set(result.Label{Name: "seed", Value: "0"})
		}
	}
	_, ms := block.Evaluate(d, "table", []byte("columns = ['output_throughput']\nwhere = '{load=\"high\"}'"), result.Position{})
	if len(ms) != 1 || !strings.Contains(locale.English(ms[0].Hint), `accept = ["num_prompts", "seed"] in the block`) {
		t.Errorf("%v", ms)
	}
}

// TestALabelOfTheSiteIsMissedWithItsTable checks that the message about a missing label names the table that can set
// it.
func TestALabelOfTheSiteIsMissedWithItsTable(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{run("a model=A hardware=board output_throughput:100")}}
	for _, x := range []struct{ column, hint string }{
		{"weight_size", "a [[model]] of site.toml gives it to the runs of its id or aliases; these are of A"},
		{"memory_bandwidth", "a [[hardware]] of site.toml gives it to the runs of its id; these are of board"},
		{"load", "a [[load]] of site.toml gives it to the runs that meet its condition, and a run.toml to those below it"},
	} {
		_, ms := block.Evaluate(d, "table", []byte("columns = ['"+x.column+"']"), result.Position{})
		if len(ms) != 1 || locale.English(ms[0].Hint) != x.hint {
			t.Errorf("%s: %v", x.column, ms)
		}
	}
}

func TestAPostThatNarrowsItsRunsIsReported(t *testing.T) {
	d, err := sample().Narrow(`{load="high"}`)
	if err != nil {
		t.Fatal(err)
	}
	_, ms := block.Evaluate(d, "table", []byte("columns = ['output_throughput']\nwhere = '{load=\"low\"}'"), result.Position{})
	if len(ms) != 1 || locale.English(ms[0].Hint) != `values of load: high; the front matter allows only runs = '{load="high"}'` {
		t.Errorf("%v", ms)
	}
}

// TestAChartCountsWhatItDoesNotShow checks for every layout of charts that a note, in both languages, counts the runs
// that have the figure but no place in the chart.
func TestAChartCountsWhatItDoesNotShow(t *testing.T) {
	t.Parallel()
	zh, _ := locale.For("zh")
	for kind, c := range map[string]struct{ body, label string }{
		"bars":    {"value='output_throughput'\nseries='load'", "load"},
		"dots":    {"value='output_throughput'\nseries='load'", "load"},
		"heatmap": {"value='output_throughput'\nseries='load'", "load"},
		"scatter": {"x='ttft_mean'\ny='output_throughput'\nseries='load'", "load"},
		"lines":   {"value='output_throughput'\nover='num_prompts'\nseries='model'", "model"},
		"panels":  {"value='output_throughput'\npanel='load'", "load"},
	} {
		d := sample()
		lost := 0
		for _, r := range d.Results {
			if _, ok := r.Metric("output_throughput"); ok && lost < 2 && r.Label(c.label) != "" {
				r.Labels = slices.DeleteFunc(slices.Clone(r.Labels), func(l result.Label) bool { return l.Name == c.label })
				lost++
			}
		}
		drawn := kind
		if kind == "panels" {
			drawn = "bars"
		}
		b, ms := block.Evaluate(d, "chart", []byte("kind='"+drawn+"'\n"+c.body), result.Position{})
		if faults(ms) != nil || b.Chart == nil || lost != 2 {
			t.Errorf("%s: %v", kind, ms)
			continue
		}
		var notes []string
		for _, n := range b.Chart.Notes {
			notes = append(notes, english().Say(n), zh.Say(n))
		}
		want := []string{"Not shown: 2 runs that do not state their " + c.label + ".", "未画出：2 次运行没有注明" + zh.Say(locale.LabelName(c.label)) + "。"}
		for _, note := range want {
			if !slices.Contains(notes, note) {
				t.Errorf("%s: no note %q in %q", kind, note, notes)
			}
		}
		if !slices.ContainsFunc(ms, func(m result.Message) bool { return m.ID == builder.Unplaced }) {
			t.Errorf("%s: %v", kind, ms)
		}
	}
}

// TestNoMarkIsWithoutAName checks that a run without the label of the marks also has a named mark.
func TestNoMarkIsWithoutAName(t *testing.T) {
	t.Parallel()
	d := sample()
	for _, r := range d.Results {
		if r.Label("model") == "Qwen3-8B" {
			r.Labels = slices.DeleteFunc(r.Labels, func(l result.Label) bool { return l.Name == "model" })
		}
	}
	for kind, body := range map[string]string{"bars": "value='output_throughput'\nseries='load'", "dots": "values=['output_throughput']\nwhere='{load=\"high\"}'"} {
		b, ms := block.Evaluate(d, "chart", []byte("kind='"+kind+"'\n"+body), result.Position{})
		if faults(ms) != nil || b.Chart == nil {
			t.Errorf("%s: %v", kind, ms)
			continue
		}
		var names []string
		for _, name := range b.Chart.Categories {
			names = append(names, english().Say(name))
		}
		if slices.Contains(names, "") || !slices.Contains(names, "unknown") || strings.Contains(english().Say(b.Chart.Alt), " , ") {
			t.Errorf("%s: %q, %s", kind, names, english().Say(b.Chart.Alt))
		}
	}
}
