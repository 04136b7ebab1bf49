package block_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block/inline"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// run returns a result made from "id label=value … metric:value …".
func run(spec string) *result.Result {
	fields := strings.Fields(spec)
	r := &result.Result{ID: fields[0], Source: result.Position{File: "runs/" + fields[0] + ".log", Line: 1}, Tool: "vllm-serve"}
	for _, f := range fields[1:] {
		if name, value, ok := strings.Cut(f, "="); ok {
			r.Labels.Set(result.Label{Name: name, Value: strings.ReplaceAll(value, "_", " ")})
			continue
		}
		name, digits, _ := strings.Cut(f, ":")
		def, _ := vocabulary.Define(name)
		v, decimals, _, _ := dataset.Number(digits)
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: def.Unit, Better: def.Better, Field: name},
			Value: v, Decimals: int8(decimals), Line: int32(len(r.Metrics) + 2)})
	}
	return r
}

// sample returns four variants at two loads, with the figures of Qwen3-8B.
func sample() *dataset.Selection {
	return &dataset.Selection{
		Site: dataset.Site{Order: map[string][]string{"load": {"high", "low"}}, Titles: map[string]map[string]locale.Text{"load": {
			"high": locale.By(map[string]string{"zh": "高负载", "en": "High load"}, "high"),
			"low":  locale.By(map[string]string{"zh": "低负载", "en": "Low load"}, "low"),
		}}},
		Results: []*result.Result{
			run("a/high model=Qwen3-8B load=high weight_size=16_G num_prompts=100 output_throughput:82.47 ttft_mean:974.57 tpot_mean:85.33"),
			run("a/low model=Qwen3-8B load=low weight_size=16_G num_prompts=10 output_throughput:15.69 ttft_mean:78.19 tpot_mean:63.63"),
			run("b/high model=Qwen3-8B-FP4 load=high weight_size=6_G num_prompts=100 output_throughput:167.20 ttft_mean:570.92 tpot_mean:42.08"),
			run("b/low model=Qwen3-8B-FP4 load=low weight_size=6_G num_prompts=10 output_throughput:40.26 ttft_mean:38.55 tpot_mean:24.73"),
			run("c/high model=Qwen3-8B-FP8 load=high weight_size=8.9_G num_prompts=100 output_throughput:298.07 ttft_mean:495.44 tpot_mean:22.59"),
			run("c/low model=Qwen3-8B-FP8 load=low weight_size=8.9_G num_prompts=10 output_throughput:111.15 ttft_mean:23.06 tpot_mean:8.88"),
			run("d/high model=Qwen3-8B-GPTQ-Int8 load=high weight_size=9_G num_prompts=200 output_throughput:79.23 ttft_mean:2225.45"),
		},
	}
}

func english() locale.Printer { p, _ := locale.For("en"); return p }

func TestValue(t *testing.T) {
	for expr, want := range map[string]string{
		`output_throughput{model="Qwen3-8B-FP8",load="high"}`:                                                          "298.07",
		`output_throughput{model="Qwen3-8B-FP8",load="high"} | unit`:                                                   "298.07 tok/s",
		`output_throughput{model="Qwen3-8B-FP8",load="high"} | .0`:                                                     "298",
		`output_throughput{model="Qwen3-8B-FP8",load="high"} / output_throughput{model="Qwen3-8B",load="high"} | ×`:    "3.61×",
		`output_throughput{model="Qwen3-8B-FP8",load="high"} / output_throughput{model="Qwen3-8B",load="high"} | × .1`: "3.6×",
		`tpot_mean{model="Qwen3-8B-FP8",load="low"} / tpot_mean{model="Qwen3-8B",load="low"} | +%`:                     "−86.0%",
		`ttft_mean{model="Qwen3-8B-GPTQ-Int8"} | s`:                                                                    "2.23 s",
		`weight_size{model="Qwen3-8B-FP8"}`:                                                                            "8.9 G",
		`weight_size{model="Qwen3-8B-FP8"} / tpot_mean{model="Qwen3-8B-FP8",load="low"} * 1000 | .0`:                   "1002",
		`(output_throughput{id="c/high"} - output_throughput{id="b/high"}) / output_throughput{id="b/high"} | %`:       "78.3%",
		`2 + 3 * (4 - 1) / 2`:     "6.50",
		`8 / 4 / 2 - 1 - 1`:       "−1.00",
		`-0.001 | .0`:             "0",
		`0.9999 | +% .1`:          "±0.0%",
		`0.98 | +% .0`:            "−2%",
		`-2 * −(3)`:               "6.00",
		`-ttft_mean{id="a/high"}`: "−974.57",
		`(output_throughput{id="a/high"} - output_throughput{id="b/high"}) / output_throughput{id="b/high"} | %`: "−50.7%",
		`output_throughput{id="a/high"} / -output_throughput{id="b/high"} | ×`:                                   "−0.49×",
		`weight_size{model="Qwen3-8B-FP8"} | unit`:                                                               "8.9 G",
		`weight_size{model="Qwen3-8B-FP8"} | .2 unit`:                                                            "8.90 G",
		`weight_size{model="Qwen3-8B-FP8"} * 2 | unit`:                                                           "17.8 G",
		`requests_completed{id="n"} | unit`:                                                                      "100",
		`memory_used_max{id="n"} | unit`:                                                                         "65.4 GB",
		`memory_used_max{id="n"} | .2 unit`:                                                                      "65.43 GB",
		`memory_used_max{id="n"} * 2 | unit`:                                                                     "130.9 GB",
		`-memory_used_max{id="n"} | unit`:                                                                        "−65.4 GB",
		`memory_used_max{id="n"} / 1000000000 | .1`:                                                              "65.4",
		`count{load="high"}`:                                                                                     "4",
		`model{id="a/high"}`:                                                                                     "Qwen3-8B",
		`load{id="a/high"}`:                                                                                      "High load",
		`ttft_mean{model=~"(?i)qwen3-8b-fp8|x",load="low"}`:                                                      "23.06",
	} {
		d := sample()
		d.Results = append(d.Results, run("n requests_completed:100 memory_used_max:65432100000"))
		in, err := inline.Evaluate(d, expr, english())
		if err != nil || in.Text != want {
			t.Errorf("%s\n got %q, %v\nwant %q", expr, in.Text, err, want)
		}
	}
}

func TestValueSaysWhatIsWrongAndWhatThereIs(t *testing.T) {
	for _, c := range []struct {
		expr   string
		column int
		text   string
		hint   string
	}{
		{`output_throughput{model="Qwen3-8B-FP9",load="high"}`, 1, `no run matches`, `did you mean model="Qwen3-8B`},
		{`2 * output_throughput{modle="x"}`, 5, `no run matches`, `no run has a label modle; did you mean model?`},
		{`output_throughput{model="Qwen3-8B-GPTQ-Int8",load="low"}`, 1, `no run matches`, `there are 1 with model="Qwen3-8B-GPTQ-Int8", 3 with load="low", but none with all of these`},
		{`output_throughput{load="high"}`, 1, `4 runs match output_throughput{load="high"}, but a value needs exactly one`, `they differ in model (Qwen3-8B, Qwen3-8B-FP4, Qwen3-8B-FP8, Qwen3-8B-GPTQ-Int8), num_prompts (100, 200), weight_size (6 G, 8.9 G, 9 G, 16 G): name one in the braces`},
		{`outputthroughput{id="a/high"}`, 1, `neither a metric nor a label`, `did you mean output_throughput?`},
		{`tpot_mean{id="d/high"}`, 1, `run="d/high" has no tpot_mean`, ``},
		{`output_throughput{id="a/high"`, 30, `expected a comma or }`, ``},
		{`2 * ttft_mean{id=“a/high”}`, 18, `expected a value in quotes`, ``},
		{`model{id="a/high"} | ×`, 0, `is not a figure`, `leave the form out`},
		{`model{id="a/high"} | .1`, 0, `is not a figure`, ``},
		{`model{id="a/high"} * 2`, 0, `the result is not a number`, `a label holds no figure`},
		{`output_throughput{id="a/high"} / 0`, 0, `the result is not a number`, ``},
		{`output_throughput{id="a/high"} 3`, 32, `unexpected "3"`, `an operator`},
		{`output_throughput{id="a/high"} | percent`, 0, `no form is called "percent"`, `+%`},
		{`output_throughput{id="a/high"} | s`, 0, `s writes a time`, ``},
		{`{id="a/high"}`, 1, `expected a metric before the brace`, ``},
		{``, 1, `expected a value here`, ``},
	} {
		_, err := inline.Evaluate(sample(), c.expr, english())
		var p *dataset.Problem
		if !errors.As(err, &p) {
			t.Errorf("%s: error %v", c.expr, err)
			continue
		}
		if p.Column != c.column || !strings.Contains(p.Error()+locale.English(p.Hint), c.text) || !strings.Contains(locale.English(p.Hint), c.hint) {
			t.Errorf("%s\n got column %d: %s [%s]\nwant column %d: %s [%s]", c.expr, p.Column, p, p.Hint, c.column, c.text, c.hint)
		}
	}
}

func TestRepeatsGiveTheirMedian(t *testing.T) {
	d := &dataset.Selection{Results: []*result.Result{
		run("x.1 model=A repeat=1 ttft_mean:10.0"), run("x.2 model=A repeat=2 ttft_mean:30.0"), run("x.3 model=A repeat=3 ttft_mean:20.0"),
	}}
	if in, err := inline.Evaluate(d, `ttft_mean{model="A"}`, english()); in.Text != "20.0" || err != nil {
		t.Errorf("median of three: %q, %v", in.Text, err)
	}
	d.Results = d.Results[:2]
	if in, err := inline.Evaluate(d, `ttft_mean{model="A"}`, english()); in.Text != "20.0" || err != nil {
		t.Errorf("median of two: %q, %v", in.Text, err)
	}
}

func FuzzValue(f *testing.F) {
	f.Add(`output_throughput{model="Qwen3-8B"} / (3 - 1) | ×`)
	f.Fuzz(func(t *testing.T, expr string) {
		if in, err := inline.Evaluate(sample(), expr, english()); err == nil && (strings.Contains(in.Text, "NaN") || strings.Contains(in.Text, "Inf")) {
			t.Errorf("%q gives %q", expr, in.Text)
		}
	})
}
