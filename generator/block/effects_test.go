package block_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// powerRuns returns the runs of Qwen3-8B-FP8 in four settings at two loads.
func powerRuns() *dataset.Selection {
	d := sample()
	d.Order["power_mode"] = []string{"MAXN", "120W"}
	d.Order["clocks"] = []string{"free", "locked"}
	d.Results = nil
	for _, line := range strings.Split(`MAXN free high 251.56 554.96 26.96
MAXN free low 63.61 35.70 15.56
MAXN locked high 298.07 495.44 22.59
MAXN locked low 111.15 23.06 8.88
120W free high 240.14 580.06 28.27
120W free low 63.90 34.54 15.50
120W locked high 249.82 457.83 27.99
120W locked low 79.94 27.23 12.39`, "\n") {
		f := strings.Fields(line)
		d.Results = append(d.Results, run(strings.Join(f[:3], "/")+" model=Qwen3-8B-FP8 power_mode="+f[0]+" clocks="+f[1]+" load="+f[2]+
			" output_throughput:"+f[3]+" ttft_mean:"+f[4]+" tpot_mean:"+f[5]))
	}
	return d
}

func TestEffectsOfTwoSettingsAtTwoLoads(t *testing.T) {
	got := table(t, powerRuns(), "effects", "factors = ['power_mode', 'clocks']")
	// At high load 240.14/251.56 = 0.9546, 249.82/298.07 = 0.8381, √(0.9546 ·
	// 0.8381) = 0.8945; 298.07/251.56 = 1.1849, 249.82/240.14 = 1.0403,
	// √(1.1849 · 1.0403) = 1.1103; 1.0403/1.1849 = 0.8780. At low load
	// 111.15/63.61 = 1.7474, 79.94/63.90 = 1.2510, √(1.7474 · 1.2510) = 1.4785.
	want := `
Load | Change | Others held at | Output throughput (tok/s) | Mean TTFT (ms) | Mean TPOT (ms)
High load | Power mode: MAXN → 120W | Clocks: free | −4.5% (251.56 → 240.14) | +4.5% (554.96 → 580.06) | +4.9% (26.96 → 28.27)
High load | Power mode: MAXN → 120W | Clocks: locked | −16.2% (298.07 → 249.82) | −7.6% (495.44 → 457.83) | +23.9% (22.59 → 27.99)
High load | Power mode: MAXN → 120W | mean effect | −10.6% [1] | −1.7% [1] | +14.0% [1]
High load | Clocks: free → locked | Power mode: MAXN | +18.5% (251.56 → 298.07) | −10.7% (554.96 → 495.44) | −16.2% (26.96 → 22.59)
High load | Clocks: free → locked | Power mode: 120W | +4.0% (240.14 → 249.82) | −21.1% (580.06 → 457.83) | −1.0% (28.27 → 27.99)
High load | Clocks: free → locked | mean effect | +11.0% [1] | −16.1% [1] | −8.9% [1]
High load | Interaction (Power mode: MAXN → 120W; Clocks: free → locked) [2] |  | −12.2% (−4.5% → −16.2%) | −11.6% (+4.5% → −7.6%) | +18.2% (+4.9% → +23.9%)
Low load | Power mode: MAXN → 120W | Clocks: free | +0.5% (63.61 → 63.90) | −3.2% (35.70 → 34.54) | −0.4% (15.56 → 15.50)
Low load | Power mode: MAXN → 120W | Clocks: locked | −28.1% (111.15 → 79.94) | +18.1% (23.06 → 27.23) | +39.5% (8.88 → 12.39)
Low load | Power mode: MAXN → 120W | mean effect | −15.0% [1] | +6.9% [1] | +17.9% [1]
Low load | Clocks: free → locked | Power mode: MAXN | +74.7% (63.61 → 111.15) | −35.4% (35.70 → 23.06) | −42.9% (15.56 → 8.88)
Low load | Clocks: free → locked | Power mode: 120W | +25.1% (63.90 → 79.94) | −21.2% (34.54 → 27.23) | −20.1% (15.50 → 12.39)
Low load | Clocks: free → locked | mean effect | +47.9% [1] | −28.6% [1] | −32.5% [1]
Low load | Interaction (Power mode: MAXN → 120W; Clocks: free → locked) [2] |  | −28.4% (+0.5% → −28.1%) | +22.0% (−3.2% → +18.1%) | +40.1% (−0.4% → +39.5%)
[1] Geometric mean over 2 strata, equally weighted.
[2] Interaction: the figure after both changes, relative to the product of the two separate effects. Zero means that neither change alters the effect of the other. The cell also shows the effect of the first change before and after the second.
[3] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

func TestEffectsInChinese(t *testing.T) {
	b, ms := block.Evaluate(powerRuns(), "effects", []byte("factors = ['power_mode', 'clocks']"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	zh, _ := locale.For("zh")
	rows := b.Table.Rows
	for _, c := range []struct {
		reported locale.Text
		want     string
	}{
		{rows[3].Cells[1].Text, "时钟频率：未锁定 → 锁定"},
		{rows[3].Cells[2].Text, "功耗模式：MAXN"},
		{rows[5].Cells[2].Text, "平均效应"},
		{rows[6].Cells[1].Text, "交互作用（功耗模式：MAXN → 120W；时钟频率：未锁定 → 锁定）"},
		{b.Table.Notes[0].Text, "2 层的几何平均，各层权重相同。"},
		{b.Table.Notes[1].Text, "交互作用：两项都变更后的数值，与两项各自单独变更的效应相乘所得之比。为零时，一项的效应不因另一项而变。旁注为第二项变更前后，第一项变更的效应。"},
	} {
		if got := zh.Say(c.reported); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestRowsOfEffectsAndTheirRuns checks that the cell of an effect links to the run after the change, and a mean to no
// run.
func TestRowsOfEffectsAndTheirRuns(t *testing.T) {
	b, ms := block.Evaluate(powerRuns(), "effects", []byte("factors = ['power_mode', 'clocks']"), result.Position{})
	if faults(ms) != nil {
		t.Fatal(ms)
	}
	if r := b.Table.Rows[3].Cells[3].Run; r != "MAXN/locked/high" {
		t.Errorf("the effect leads to %s", r)
	}
	for i, row := range b.Table.Rows {
		if mean := i%7 == 2 || i%7 == 5; row.Summary != mean || (row.Cells[3].Run == "") != mean {
			t.Errorf("row %d: summary %v, run %q", i, row.Summary, row.Cells[3].Run)
		}
	}
}

// TestEffectsOfRunsThatAreExcluded checks that the figures are struck through and have no mean.
func TestEffectsOfRunsThatAreExcluded(t *testing.T) {
	d := powerRuns()
	exclude(d.Results[2]) // MAXN, locked, high
	got := table(t, d, "effects", "where = '{load=\"high\"}'\nfactors = ['power_mode', 'clocks']\nmetrics = ['output_throughput', 'tpot_mean']")
	want := `
Change | Others held at | Output throughput (tok/s) | Mean TPOT (ms)
Power mode: MAXN → 120W | Clocks: free | −4.5% (251.56 → 240.14) | +4.9% (26.96 → 28.27)
Power mode: MAXN → 120W | Clocks: locked | −16.2% (298.07 → 249.82) [1] | +23.9% (22.59 → 27.99)
Power mode: MAXN → 120W | mean effect | −4.5% [2] | +4.9% [2]
Clocks: free → locked | Power mode: MAXN | +18.5% (251.56 → 298.07) [1] | −16.2% (26.96 → 22.59)
Clocks: free → locked | Power mode: 120W | +4.0% (240.14 → 249.82) | −1.0% (28.27 → 27.99)
Clocks: free → locked | mean effect | +4.0% [2] | −1.0% [2]
Interaction (Power mode: MAXN → 120W; Clocks: free → locked) [3] |  | −12.2% (−4.5% → −16.2%) [1] | +18.2% (+4.9% → +23.9%)
[1] Struck: faster than memory allows. Reading the weights for each token would need 144% of the bandwidth.
[2] Geometric mean over 1 of 2 strata: in the others a figure is missing, struck, in doubt or based on too few samples.
[3] Interaction: the figure after both changes, relative to the product of the two separate effects. Zero means that neither change alters the effect of the other. The cell also shows the effect of the first change before and after the second.
[4] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
	b, _ := block.Evaluate(d, "effects", []byte("where = '{load=\"high\"}'\nfactors = ['power_mode', 'clocks']"), result.Position{})
	for i, row := range b.Table.Rows {
		if c := row.Cells[2]; c.Excluded != (i == 1 || i == 3 || i == 6) {
			t.Errorf("row %d: struck %v", i, c.Excluded)
		}
	}
	for _, r := range d.Results {
		if !r.Excluded() {
			exclude(r)
		}
	}
	got = table(t, d, "effects", "factors = ['clocks']\nwhere = '{power_mode=\"MAXN\"}'\nwithin = ['load']")
	if want := "High load | Clocks: free → locked | +18.5% (251.56 → 298.07) [1] |"; !strings.Contains(got, want) {
		t.Errorf("no %q in%s", want, got)
	}
	got = table(t, d, "effects", "factors = ['clocks', 'power_mode']")
	if want := "High load | Clocks: free → locked | mean effect | — [2] | — [2] | — [2]\n"; !strings.Contains(got, want) || !strings.Contains(got, "[2] No mean: in every stratum") {
		t.Errorf("no %q in%s", want, got)
	}
}

// TestEffectsOfFiguresInDoubt checks that a doubted TTFT is shown and marked but not part of a mean, unlike the
// throughput of the same run.
func TestEffectsOfFiguresInDoubt(t *testing.T) {
	d := powerRuns()
	d.Results[0].Checks = []result.Check{{ID: "physics.compute-roofline", Severity: result.Warning, Metrics: []string{"ttft"}, Text: locale.Lit("warm"), Figures: map[string]float64{"share": 2}}}
	got := table(t, d, "effects", "where = '{load=\"high\"}'\nfactors = ['power_mode', 'clocks']")
	if want := "Clocks: free → locked | mean effect | +11.0% [2] | −21.1% [3] | −8.9% [2]\n"; !strings.Contains(got, want) {
		t.Errorf("no %q in%s", want, got)
	}
}

func TestAStratumMeasuredInPartIsReportedAndLeftOut(t *testing.T) {
	d := powerRuns()
	d.Results = append(d.Results[:4:4], d.Results[6]) // 120W has only the run with locked clocks at high load
	got := table(t, d, "effects", "factors = ['power_mode', 'clocks']\nmetrics = ['output_throughput']\nfrom = { clocks = 'locked' }")
	// 251.56/298.07 = 0.8440, 63.61/111.15 = 0.5723.
	want := `
Load | Change | Others held at | Output throughput (tok/s)
High load | Power mode: MAXN → 120W [1] | Clocks: locked | −16.2% (298.07 → 249.82)
High load | Clocks: locked → free [1] | Power mode: MAXN | −15.6% (298.07 → 251.56)
Low load | Clocks: locked → free | Power mode: MAXN | −42.8% (111.15 → 63.61)
[1] 1 stratum of this change was not measured in full and is left out.
[2] Low load – Power mode: MAXN → 120W: no two runs differ in this setting alone.
[3] Single runs (n = 1): differences below 3% cannot be told from noise.
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// TestEffectsOfRepeatsAndGaps: the medians of three repeats are 100 and 110; a run without TTFT leaves a gap.
func TestEffectsOfRepeatsAndGaps(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("a1 model=A accelerators=1 repeat=1 output_throughput:99 ttft_mean:10"),
		run("a2 model=A accelerators=1 repeat=2 output_throughput:100 ttft_mean:10"),
		run("a3 model=A accelerators=1 repeat=3 output_throughput:101 ttft_mean:10"),
		run("b1 model=A accelerators=2 repeat=1 output_throughput:109"),
		run("b2 model=A accelerators=2 repeat=2 output_throughput:110"),
		run("b3 model=A accelerators=2 repeat=3 output_throughput:111"),
	}}
	got := table(t, d, "effects", "factors = ['accelerators']\nfrom = { accelerators = 2 }")
	want := `
Change | Output throughput (tok/s) | Mean TTFT (ms)
Accelerators: 2 → 1 | −9.1% (110 → 100) [1] | —
[1] median of 3 runs (n = 3)
`
	if got != want {
		t.Errorf("got%swant%s", got, want)
	}
}

// TestRepeatsThatShowNoEffect has overlapping sets of four repeats with the medians 103.5 and 103.5.
func TestRepeatsThatShowNoEffect(t *testing.T) {
	d := &dataset.Selection{}
	for i, v := range []string{"100.0", "103.0", "104.0", "107.0", "101.0", "102.0", "105.0", "106.0"} {
		clocks := map[bool]string{true: "free", false: "locked"}[i < 4]
		d.Results = append(d.Results, run("a"+v+" model=A clocks="+clocks+" repeat="+v+" output_throughput:"+v))
	}
	got := table(t, d, "effects", "factors = ['clocks']")
	if want := "Clocks: free → locked | ~ (103.5 → 103.5) [1,2]"; !strings.Contains(strings.ReplaceAll(got, "] [", ","), want) {
		t.Errorf("no %q in%s", want, got)
	}
}

// TestSettingsThatMultiplyDoNotInteract: throughput is 100, times 1.1 with engine b, 1.2 with fp8 and 1.5 with caching.
func TestSettingsThatMultiplyDoNotInteract(t *testing.T) {
	d := &dataset.Selection{}
	for _, line := range strings.Split("a bf16 false 100,a bf16 true 150,a fp8 false 120,a fp8 true 180,b bf16 false 110,b bf16 true 165,b fp8 false 132,b fp8 true 198", ",") {
		f := strings.Fields(line)
		d.Results = append(d.Results, run(strings.Join(f, "/")+" engine="+f[0]+" quantization="+f[1]+" prefix_caching="+f[2]+" output_throughput:"+f[3]))
	}
	got := table(t, d, "effects", "factors = ['engine', 'quantization', 'prefix_caching']")
	for _, want := range []string{
		"Engine: a → b | Quantization: bf16 · Prefix caching: off | +10.0% (100 → 110)\n",
		"Engine: a → b | mean effect | +10.0% [1]\n",
		"Quantization: bf16 → fp8 | Engine: b · Prefix caching: on | +20.0% (165 → 198)\n",
		"Prefix caching: off → on | mean effect | +50.0% [1]\n",
		"Interaction (Engine: a → b; Prefix caching: off → on) [2] | Quantization: fp8 | ±0.0% (+10.0% → +10.0%)\n",
		"Interaction (Engine: a → b; Prefix caching: off → on) [2] | mean interaction | ±0.0% [3]\n",
		"[1] Geometric mean over 4 strata, equally weighted.\n",
		"[3] Geometric mean over 2 strata, equally weighted.\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in%s", want, got)
		}
	}
	// A header, three effects of four strata, three interactions of two, a mean
	// for each, and four notes.
	if n := strings.Count(got, "\n") - 1; n != 1+3*(4+1)+3*(2+1)+4 {
		t.Errorf("%d lines in%s", n, got)
	}
}

func TestEffectsSayWhatIsWrongAndWhere(t *testing.T) {
	for _, c := range []struct {
		body       string
		line       int
		text, hint string
	}{
		{"", 10, "factors is missing", "for example factors"},
		{"factors = ['model']", 11, `"model" has one level among the selected runs: Qwen3-8B-FP8`, "an effect needs two"},
		{"factors = ['clock']", 11, "neither", "did you mean clocks?"},
		{"factors = ['clocks', 'clocks']", 11, `factors names "clocks" twice`, ""},
		{"factors = ['ttft_mean']", 11, `"ttft_mean" is a metric, but a label is expected`, ""},
		{"factors = ['clocks']\nmetrics = ['clocks']", 12, `"clocks" is a label, but a metric is expected`, ""},
		{"factors = ['clocks']\nfrom = { power_mode = 'MAXN' }", 12, `from names "power_mode", which is not a factor`, "factors: clocks"},
		{"factors = ['clocks']\nfrom = { clocks = 'fixed' }", 12, `from = "fixed" is not a level of clocks`, "values of clocks: free, locked"},
		{"factors = ['clocks']\nwithin = ['clocks']", 12, `"clocks" is among factors and within`, ""},
		{"factors = ['clocks']\nwithin = ['laod']", 12, "neither", "did you mean load?"},
		{"factors = ['clocks']", 10, "2 runs fall into one cell", "power_mode (120W, MAXN)"},
		{"factors = ['power_mode', 'clocks']\nwhere = '{id=~\"MAXN/free.*|120W/locked.*\"}'", 11, "no two of the selected runs differ in one of power_mode, clocks alone", "settings that change together"},
	} {
		_, ms := block.Evaluate(powerRuns(), "effects", []byte(c.body), result.Position{File: "post.md", Line: 10})
		if len(ms) != 1 {
			t.Errorf("%q: %d messages %v", c.body, len(ms), ms)
			continue
		}
		m := ms[0]
		if m.Pos.Line != c.line || !strings.Contains(locale.English(m.Text), c.text) || !strings.Contains(locale.English(m.Hint), c.hint) {
			t.Errorf("%q\n got %s [%s]\nwant line %d: %s [%s]", c.body, m.Error(), m.Hint, c.line, c.text, c.hint)
		}
	}
}
