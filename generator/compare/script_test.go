package compare_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/internal/twin"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

var update = flag.Bool("update", false, "write the cases of the scripts anew")

// scriptCases is a file with comparisons that the script of the page Compare has to reproduce: see
// page/script/judge.test.mjs.
const scriptCases = "../page/script/testdata/compare.json"

type scriptCase struct {
	Columns  json.RawMessage   `json:"columns"`
	A        []string          `json:"a"`
	B        []string          `json:"b"`
	Variants bool              `json:"variants"`
	Want     scriptWant        `json:"want"`
	Says     map[string]string `json:"says"` // language → sentence
}

type scriptWant struct {
	Subject string         `json:"subject"`
	Changed []string       `json:"changed"`
	Pairs   [][]scriptRule `json:"pairs"`
	Overall []scriptRule   `json:"overall"`
}

// scriptRule is a metric with its verdict, its ground, and its size to six digits.
type scriptRule struct {
	Metric  string   `json:"metric"`
	Verdict string   `json:"verdict"`
	Ground  string   `json:"ground,omitempty"`
	Why     string   `json:"why,omitempty"`
	Size    *float64 `json:"size"` // null if infinite
}

// TestScriptCases checks that scriptCases is current: random pairs of runs and of variants, with the verdicts,
// the order and the sentence of this package.
func TestScriptCases(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(20, 14))
	metrics := []string{"output_throughput", "ttft_mean", "ttft_p99", "ttft_p95", "tpot_mean", "e2el_p99", "quality", "quality_stderr", "requests_completed", "requests_failed", "output_tokens", "power_mean"}
	table := twin.New(t, scriptCases)
	table.Put("metrics", twin.Metrics(metrics...))
	table.Put("rules", compare.RulesOf(compare.Options{}, metrics))
	words, inside := map[string]map[string]string{}, map[string]map[string]string{}
	for _, lang := range locale.Languages {
		p, _ := locale.For(lang)
		words[lang], inside[lang] = map[string]string{}, map[string]string{}
		for _, prefix := range []string{"compare.", "diff.", "differ.many"} {
			for key, form := range p.Forms(prefix) {
				words[lang][key] = form
			}
		}
		for _, name := range metrics {
			inside[lang][name] = p.Say(locale.Inside(locale.MetricName(name)))
		}
		rules := compare.RulesOf(compare.Options{}, nil)
		for _, label := range slices.Concat(rules.Settings, rules.Also) {
			inside[lang][label] = p.Say(locale.Inside(compare.ChangeName(label)))
		}
	}
	table.Put("words", words)
	table.Put("inside", inside)
	seen := map[string]int{}
	table.List("cases", 100, func(int) any {
		c := drawScriptCase(random, metrics)
		for _, rules := range c.Want.Pairs {
			for _, r := range rules {
				seen[r.Verdict]++
				seen[r.Ground]++
			}
		}
		seen["subject "+c.Want.Subject]++
		seen[fmt.Sprint("settings differ ", len(c.Want.Changed) > 0)]++
		return c
	})
	twin.Seen(t, seen, 3, "better", "worse", "same", "uncertain", "only-a", "only-b", "alike", "tested", "beyond", "overlaps", "aside", "weak", "one-sided", "subject model", "subject engine", "subject ", "settings differ true", "settings differ false")
	table.Check(*update)
}

// drawScriptCase returns two random sides: single runs or repeats, with values so close that noise decides, and
// with all kinds of defects.
func drawScriptCase(random *rand.Rand, metrics []string) scriptCase {
	chance := func(p float64) bool { return random.Float64() < p }
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	c := scriptCase{Variants: chance(.4), Says: map[string]string{}}
	vary := pick("model", "engine", "quantization", "none")
	settings := map[string][2]string{}
	for _, name := range []string{"num_prompts", "seed", "engine_version", "prefix_caching", "kv_cache_dtype", "dtype", "dataset", "ignore_eos"} {
		if !chance(.35) {
			continue
		}
		values := map[string][]string{"prefix_caching": {"true", "False", "on", "1", ""}, "ignore_eos": {"true", "None"}, "num_prompts": {"8", "8.0", "16", ""}, "engine_version": {"0.1", "0.10"}}[name]
		if values == nil {
			values = []string{"x", "y", ""}
		}
		settings[name] = [2]string{pick(values...), pick(values...)}
	}
	base := map[string]float64{}
	for _, name := range metrics {
		base[name] = 50 + 100*random.Float64()
	}
	far, many := chance(.5), chance(.25)
	groups := export.ColumnGroup{Name: "c"}
	var sides [2][]*result.Result
	for side := range sides {
		scale := map[string]float64{}
		for _, name := range metrics {
			scale[name] = 1 + .06*(random.Float64()-.5)
			if far {
				scale[name] = math.Exp(2 * (random.Float64() - .5))
			}
		}
		loads := []string{"low"}
		if c.Variants {
			loads = []string{"low", "high", "peak"}
		}
		for l, load := range loads {
			if c.Variants && chance(.2) {
				continue
			}
			repeats := 1
			switch {
			case many:
				repeats = 5 + random.IntN(3)
			case chance(.4):
				repeats = 2 + random.IntN(5)
			}
			unnamed := chance(.03)
			for k := range repeats {
				r := &result.Result{ID: fmt.Sprintf("c/%c-%d-%d", 'a'+side, l, k), Tool: "vllm-serve", Format: "vllm-serve-text"}
				label := func(name, value string) {
					if value != "" {
						r.Labels.Set(result.Label{Name: name, Value: value})
					}
				}
				for _, name := range []string{"model", "engine", "quantization"} {
					value := "same"
					if name == vary || vary == "model" && name == "quantization" {
						value = string(rune('A' + side))
					}
					label(name, value)
				}
				if !unnamed {
					label("load", load)
				}
				label("max_concurrency", []string{"1", "8", "32"}[l])
				label("repeat", fmt.Sprint(k+1))
				for name, values := range settings {
					label(name, values[side])
				}
				for _, name := range metrics {
					if chance(.12) {
						continue
					}
					d, _ := vocabulary.Define(name)
					v := base[name] * scale[name] * (1 + .02*(random.Float64()-.5))
					switch name {
					case "requests_completed":
						v = float64([]int{20, 200}[random.IntN(2)])
					case "requests_failed":
						v = float64(random.IntN(3) / 2 * random.IntN(4))
					case "output_tokens":
						v = float64(2000 + 100*random.IntN(3)*side)
					case "quality":
						v = .6 + .1*random.Float64()
					case "quality_stderr":
						v = .03
					}
					decimals := int8(2)
					switch {
					case name == "quality" || name == "quality_stderr":
						decimals = 4
					case d.Unit == "1" || d.Unit == "tok":
						decimals = 0
					}
					digits := math.Pow(10, float64(decimals))
					v = math.Round(v*digits) / digits
					r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better},
						Value: v, Decimals: decimals})
				}
				switch {
				case chance(.06):
					r.Checks = append(r.Checks, result.Check{ID: "physics.memory-roofline", Severity: result.Error})
				case chance(.04):
					r.Status = result.Partial
					if chance(.5) {
						r.Checks = append(r.Checks, result.Check{ID: "consistency.cut-off", Severity: result.Error, Waived: "meant"})
					}
				case chance(.03):
					r.Status = result.Failed
				}
				sides[side] = append(sides[side], r)
				groups.Results = append(groups.Results, r)
			}
		}
	}
	slices.SortFunc(groups.Results, result.Compare)
	c.Columns = export.ColumnData([]export.ColumnGroup{groups}, func(*result.Result) bool { return false }, nil)
	ids := func(rs []*result.Result) []string {
		out := []string{}
		for _, r := range rs {
			out = append(out, r.ID)
		}
		slices.SortFunc(out, result.NaturalCompare)
		return out
	}
	c.A, c.B = ids(sides[0]), ids(sides[1])
	by := compare.Runs
	if c.Variants {
		by = compare.Variants
	}
	compared := by(compare.Side{Name: locale.Lit("A"), Results: sides[0]}, compare.Side{Name: locale.Lit("B"), Results: sides[1]}, compare.Options{All: true})
	c.Want = scriptWant{Changed: []string{}, Pairs: [][]scriptRule{}, Overall: []scriptRule{}}
	if len(compared.Subject) > 0 {
		c.Want.Subject = compared.Subject[0]
	}
	for _, ch := range compared.Changed {
		if ch.Setting && !slices.Contains(c.Want.Changed, ch.Label) {
			c.Want.Changed = append(c.Want.Changed, ch.Label)
		}
	}
	slices.Sort(c.Want.Changed)
	size := func(v float64) *float64 {
		if math.IsInf(v, 0) {
			return nil
		}
		v = math.Round(v*1e6) / 1e6
		return &v
	}
	for _, p := range compared.Pairs {
		rules := []scriptRule{}
		for i := range p.Figures {
			f := &p.Figures[i]
			if f.Better != result.Neutral {
				rules = append(rules, scriptRule{f.Metric, f.Verdict.String(), f.Ground.String(), locale.English(uncertain(f)), size(f.Size())})
			}
		}
		c.Want.Pairs = append(c.Want.Pairs, rules)
	}
	for _, o := range compared.Overall() {
		if o.Better != result.Neutral {
			c.Want.Overall = append(c.Want.Overall, scriptRule{o.Metric, o.Verdict.String(), "", "", size(o.Size)})
		}
	}
	for _, lang := range locale.Languages {
		p, _ := locale.For(lang)
		c.Says[lang] = p.Say(compared.Sentence())
	}
	return c
}

// uncertain returns why a figure is uncertain.
func uncertain(f *compare.Figure) locale.Text {
	if f.Verdict == compare.Uncertain {
		return f.Why
	}
	return locale.Text{}
}
