package block_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// priced returns two machines with prices in two currencies: 9.32 CNY is less than 6.74 USD.
func priced() *dataset.Selection {
	a := run("a model=A hardware=A100 load=high max_concurrency=8 weight_size=1_G date=2026-01-01 cost_per_million_output_tokens:6.74 output_throughput:100")
	b := run("b model=B hardware=H20 load=high max_concurrency=8 weight_size=2_G date=2026-01-01 cost_per_million_output_tokens:9.32 output_throughput:90")
	for r, currency := range map[*result.Result]string{a: "USD", b: "CNY"} {
		r.Metrics[0].Kind = r.Metrics[0].With(func(k *result.Kind) { k.Unit = currency })
	}
	return &dataset.Selection{Results: []*result.Result{a, b}}
}

// TestMixedUnitsAreRefused checks that no kind of block compares figures with different units.
func TestMixedUnitsAreRefused(t *testing.T) {
	t.Parallel()
	const cost = "cost_per_million_output_tokens"
	for _, c := range []struct{ kind, body string }{
		{"table", `columns = ["` + cost + `"]`},
		{"matrix", `rows = "load"` + "\n" + `columns = "model"` + "\n" + `value = "` + cost + `"`},
		{"tradeoff", `columns = ["` + cost + `"]`},
		{"tradeoff", `judge = { high = "` + cost + `" }`},
		{"tradeoff", `limits = { ` + cost + ` = 8 }`},
		{"findings", `judge = { high = "` + cost + `" }`},
		{"findings", `metrics = ["` + cost + `"]`},
		{"effects", `factors = ["hardware"]` + "\n" + `metrics = ["` + cost + `"]`},
		{"history", `over = "date"` + "\n" + `value = "` + cost + `"`},
		{"sweep", `latency = "` + cost + `"`},
		{"table", `columns = ["output_throughput"]` + "\n" + `pareto = ["output_throughput", "` + cost + `"]`},
		{"chart", `kind = "bars"` + "\n" + `value = "` + cost + `"`},
		{"chart", `kind = "dots"` + "\n" + `values = ["` + cost + `"]`},
		{"chart", `kind = "heatmap"` + "\n" + `series = "load"` + "\n" + `value = "` + cost + `"`},
		{"chart", `kind = "scatter"` + "\n" + `x = "output_throughput"` + "\n" + `y = "` + cost + `"`},
		{"chart", `kind = "lines"` + "\n" + `y = "` + cost + `"`},
		{"chart", `kind = "history"` + "\n" + `value = "` + cost + `"`},
	} {
		_, ms := block.Evaluate(priced(), c.kind, []byte(c.body), result.Position{File: "post.md", Line: 10})
		if len(ms) != 1 || locale.English(ms[0].Text) != cost+" is in USD and CNY" || ms[0].Pos.Line < 11 || !strings.Contains(locale.English(ms[0].Hint), "runs/b.log:2") {
			t.Errorf("%s %s: %v", c.kind, c.body, ms)
		}
	}
}

// TestArithmeticHeedsUnits checks that values of different units are errors, unless they convert or make a rate.
func TestArithmeticHeedsUnits(t *testing.T) {
	t.Parallel()
	d := priced()
	d.Results = append(d.Results, run("c model=C load=high duration:2 ttft_mean:500.0 tpot_mean:20.25"))
	for _, c := range []struct{ expr, want, problem string }{
		{`cost_per_million_output_tokens{model="B"} / cost_per_million_output_tokens{model="A"} | ×`, "", "CNY and USD"},
		{`cost_per_million_output_tokens{model="B"} - cost_per_million_output_tokens{model="A"}`, "", "CNY and USD"},
		{`ttft_mean{model="C"} + output_throughput{model="A"}`, "", "ms and tok/s"},
		{`duration{model="C"} / ttft_mean{model="C"} | ×`, "4.00×", ""}, // 2 s over 500 ms
		{`ttft_mean{model="C"} + duration{model="C"} | unit`, "2500 ms", ""},
		{`ttft_mean{model="C"} + tpot_mean{model="C"} | unit`, "520.25 ms", ""},
		{`output_throughput{model="A"} - 1 | unit`, "99 tok/s", ""},
		{`output_throughput{model="A"} / cost_per_million_output_tokens{model="A"}`, "14.8", ""},
	} {
		in, err := inline.Evaluate(d, c.expr, english())
		switch {
		case c.problem == "" && (err != nil || in.Text != c.want):
			t.Errorf("%s is %q, %v, want %q", c.expr, in.Text, err, c.want)
		case c.problem != "" && (err == nil || !strings.Contains(err.Error(), c.problem)):
			t.Errorf("%s: %q, %v", c.expr, in.Text, err)
		}
	}
}

// TestArithmeticIsThatOfReaders checks that numbers are rounded by their printed digits, halves up. A sign or a sum
// drops no digit, and small ratios keep three digits.
func TestArithmeticIsThatOfReaders(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{Results: []*result.Result{
		run("a model=A output_throughput:298.07 ttft_mean:1125 tpot_mean:100.50 e2el_mean:2.01 mbu:0.25"),
		run("b model=B output_throughput:82.47 ttft_mean:1000 tpot_mean:101.50 e2el_mean:1.005 mbu:10.05"),
	}}
	for expr, want := range map[string]string{
		`tpot_mean{model="A"} | .0`:                                          "101",
		`tpot_mean{model="B"} | .0`:                                          "102",
		`mbu{model="A"} | .1`:                                                "0.3",
		`mbu{model="B"} | .1`:                                                "10.1",
		`ttft_mean{model="A"} / ttft_mean{model="B"} | ×`:                    "1.13×",
		`ttft_mean{model="A"} / ttft_mean{model="B"} | +% .0`:                "+13%",
		`-output_throughput{model="A"}`:                                      "−298.07",
		`output_throughput{model="A"} - output_throughput{model="B"}`:        "215.60",
		`output_throughput{model="A"} + 1`:                                   "299.07",
		`output_throughput{model="B"} - output_throughput{model="A"}`:        "−215.60",
		`(output_throughput{model="A"})`:                                     "298.07",
		`(output_throughput{model="A"} + output_throughput{model="B"}) / 2`:  "190",
		`e2el_mean{model="A"} / output_throughput{model="B"} | ×`:            "0.0244×",
		`e2el_mean{model="B"} / output_throughput{model="B"} | ×`:            "0.0122×",
		`output_throughput{model="B"} / output_throughput{model="A"} | ×`:    "0.28×",
		`output_throughput{model="A"} - output_throughput{model="A"} | unit`: "0.00 tok/s",
	} {
		if in, err := inline.Evaluate(d, expr, english()); err != nil || in.Text != want {
			t.Errorf("%s is %q, %v, want %q", expr, in.Text, err, want)
		}
	}
}

// TestAChartIsDescribedInTheUnitOfItsAxis checks that the alternative text uses the unit of the axis, in both
// languages, while the data keeps the unit of the runs.
func TestAChartIsDescribedInTheUnitOfItsAxis(t *testing.T) {
	t.Parallel()
	d := &dataset.Selection{}
	for i, spec := range []string{"a.1 model=A max_concurrency=1", "a.8 model=A max_concurrency=8", "b.1 model=B max_concurrency=1", "b.8 model=B max_concurrency=8"} {
		r := run(spec + " output_throughput:100")
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "memory_used_max", Unit: "B", Better: result.Lower}, Value: 6_012_954_624 * float64(i+1)})
		d.Results = append(d.Results, r)
	}
	for _, body := range []string{
		"kind = 'bars'\nwhere = '{max_concurrency=\"8\"}'\nvalue = 'memory_used_max'",
		"kind = 'heatmap'\nseries = 'max_concurrency'\nvalue = 'memory_used_max'",
		"kind = 'slope'\ncategory = 'max_concurrency'\nvalue = 'memory_used_max'",
		"kind = 'lines'\ny = 'memory_used_max'",
		"kind = 'lines'\ny = 'output_throughput'\nx = 'memory_used_max'",
		"kind = 'scatter'\nwhere = '{max_concurrency=\"8\"}'\nx = 'memory_used_max'\ny = 'output_throughput'",
		"kind = 'curves'\nx = 'memory_used_max'\ny = 'output_throughput'",
	} {
		b, ms := block.Evaluate(d, "chart", []byte(body), result.Position{})
		if b.Chart == nil {
			t.Fatal(body, ms)
		}
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			alt := p.Say(b.Chart.Alt)
			if !strings.Contains(alt, "GB") && !strings.Contains(alt, "24.1") || strings.Contains(alt, "000") || strings.Contains(alt, "(B)") {
				t.Errorf("%q is described as %q", body, alt)
			}
		}
		if b.Chart.X.Unit != "B" && b.Chart.Y.Unit != "B" {
			t.Errorf("%q holds values in %q and %q", body, b.Chart.X.Unit, b.Chart.Y.Unit)
		}
	}
}

// TestATableOfBytesIsRead checks that bytes have one unit in a table, in which the greatest needs no exponent, and that
// their repeats have it too. The best value and its lead do not depend on the unit.
func TestATableOfBytesIsRead(t *testing.T) {
	t.Parallel()
	for exponent, unit := range map[int]string{2: "B", 5: "kB", 8: "MB", 9: "GB", 12: "GB"} {
		d := &dataset.Selection{}
		for i, spec := range []string{"a/1 model=A load=low", "a/2 model=A load=low", "a/3 model=A load=high", "b/1 model=B load=low", "b/3 model=B load=high"} {
			r := run(spec)
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "memory_used_max", Unit: "B", Better: result.Lower}, Value: math.Round((1 + float64(i)/7) * math.Pow10(exponent))})
			d.Results = append(d.Results, r)
		}
		for _, of := range []struct{ kind, body string }{
			{"table", "rows = ['model']\ncolumns = ['memory_used_max']\nsplit = 'load'\nbaseline = '{model=\"A\"}'\nchange = 'ratio'"},
			{"matrix", "rows = 'model'\ncolumns = 'load'\nvalue = 'memory_used_max'\nbaseline = 'low'"},
		} {
			b, ms := block.Evaluate(d, of.kind, []byte(of.body), result.Position{})
			if b.Table == nil {
				t.Fatal(of.kind, ms)
			}
			if caption := locale.English(b.Table.Caption); of.kind == "matrix" && caption != "Peak memory ("+unit+")" {
				t.Errorf("10^%d B: the caption is %q", exponent, caption)
			}
			figures, best, decimals := 0, 0, map[int]bool{}
			for _, row := range b.Table.Rows {
				for i, c := range row.Cells {
					if !c.Numeric || c.Missing {
						continue
					}
					figures++
					if c.Best {
						best++
					}
					text := locale.English(c.Text)
					_, fraction, _ := strings.Cut(text, ".")
					decimals[len(fraction)] = true
					shown, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
					if err != nil || b.Table.Columns[i].Unit != unit || len(text) > len("1,234.5") || math.Abs(shown/c.Value-1) > 0.005 {
						t.Errorf("10^%d B: %s shows %q %s for %g", exponent, of.kind, text, b.Table.Columns[i].Unit, c.Value)
					}
					if spread := locale.English(c.Spread); strings.Contains(spread, "0000") {
						t.Errorf("10^%d B: %s has repeats of %s", exponent, of.kind, spread)
					}
				}
			}
			if figures != 4 || best == 0 || len(decimals) != 1 {
				t.Errorf("10^%d B: %s has %d figures, %d of them the best, with decimals %v", exponent, of.kind, figures, best, decimals)
			}
		}
		b, ms := block.Evaluate(d, "config", []byte("rows = ['memory_used_max']\nwhere = '{model=\"B\"}'"), result.Position{})
		if b.Table == nil {
			t.Fatal(ms)
		}
		for _, c := range b.Table.Rows[0].Cells[1:] {
			if text := locale.English(c.Text); !strings.HasSuffix(text, " "+unit) || len(text) > len("1234.56 GB") {
				t.Errorf("10^%d B: config says %q", exponent, text)
			}
		}
		for i, r := range d.Results {
			if m, _ := r.Metric("memory_used_max"); m.Unit != "B" || m.Value != math.Round((1+float64(i)/7)*math.Pow10(exponent)) {
				t.Errorf("the run has %g %s now", m.Value, m.Unit)
			}
		}
	}
}

// TestTheMemoryOfATradeoffIsRead checks that a tradeoff shows the largest memory of each variant once, in the unit of
// its other tables, whether or not the author requests the memory at each load.
func TestTheMemoryOfATradeoffIsRead(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "columns = ['output_throughput', 'memory_used_max']"} {
		d := sample()
		for i, r := range d.Results {
			r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: "memory_used_max", Unit: "B", Better: result.Lower}, Value: 1e9 * float64(20+i)})
		}
		b, ms := block.Evaluate(d, "tradeoff", []byte(body), result.Position{})
		if b.Table == nil {
			t.Fatal(ms)
		}
		columns := 0
		for i, c := range b.Table.Columns {
			if c.Metric != "memory_used_max" {
				continue
			}
			columns++
			for _, row := range b.Table.Rows {
				cell := row.Cells[i]
				if text := locale.English(cell.Text); !cell.Missing && (c.Unit != "GB" || text != strconv.FormatFloat(cell.Value, 'f', 1, 64) || cell.Value < 20 || cell.Value > 40) {
					t.Errorf("%q: %s shows %q %s for %g", body, locale.English(c.Title), text, c.Unit, cell.Value)
				}
			}
		}
		if want := map[bool]int{true: 1, false: 3}[body == ""]; columns != want {
			t.Errorf("%q: %d columns of memory, want %d", body, columns, want)
		}
	}
}
