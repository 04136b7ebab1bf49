package block_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/block"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// odd returns random runs like those of a careless campaign: names that are hard to write, loads without runs, figures
// that are missing, zero or impossible, sizes in several units, repeats of some runs.
func odd(random *rand.Rand) *dataset.Selection {
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	names := []string{`100%d`, `a|b`, `"quoted"`, `通义 千问 8B`, `模型🚀`, `A_B`, `x%!s(int=3)`, `*bold*`, `<b>`, `A`, `B`, `C`}
	for i := range 30 {
		names = append(names, fmt.Sprint("variant-", i))
	}
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	loads := [][]string{{""}, {"low", "high"}, {"low", "mid", "high"}, {"only"}}[random.IntN(4)]
	scale := pick("load", "load", "scenario")
	var rs []*result.Result
	for i, name := range names[:1+random.IntN([]int{3, 6, 40}[random.IntN(3)])] {
		size := pick("", "16_G", "16.38_GB", "15_GiB", "900_MB", "4.5_bpw", "many")
		for _, load := range loads {
			if random.IntN(8) == 0 {
				continue
			}
			for n := range []int{1, 1, 1, 2, 6}[random.IntN(5)] {
				fields := []string{fmt.Sprintf("r%d/%s/%d", i, load, n), "repeat=" + fmt.Sprint(n)}
				if load != "" {
					fields = append(fields, scale+"="+load)
				}
				if load == "low" {
					fields = append(fields, pick("max_concurrency=1", "max_concurrency=1", "requests_completed:1"))
				} else {
					fields = append(fields, pick("max_concurrency=8", "max_concurrency=inf", "request_rate=4"))
				}
				if size != "" {
					fields = append(fields, "weight_size="+size)
				}
				fields = append(fields, pick("", "hardware=h100", "hardware=a100"), pick("", "quantization=FP8", "quantization=AWQ"),
					pick("", "num_prompts=100", "num_prompts=200"), pick("", "params=8.2_G active_params=8.2_G compute_peak=257_TFLOPS input_tokens:1000"),
					pick("", "memory_bandwidth=273_GB/s", "memory_bandwidth=3.35_TB/s"), pick("", "clocks=free", "clocks=locked"),
					pick("", "engine=vllm engine_version=0.9", "engine=sglang engine_version=0.5"))
				for _, metric := range []string{"output_throughput", "tpot_mean", "ttft_mean", "ttft_p99", "requests_completed", "requests_failed", "energy_per_output_token"} {
					if random.IntN(4) == 0 {
						continue
					}
					v := math.Exp(8 * random.Float64())
					if random.IntN(10) == 0 {
						v = 0
					}
					fields = append(fields, fmt.Sprintf("%s:%.*f", metric, random.IntN(3), v))
				}
				r := run(strings.Join(fields, " "))
				r.Labels.Set(result.Label{Name: "model", Value: name})
				if random.IntN(9) == 0 {
					r.Status = result.Partial
				}
				rs = append(rs, r)
			}
		}
	}
	if len(rs) == 0 {
		return odd(random)
	}
	d := judged(rs...)
	if random.IntN(6) == 0 {
		for _, r := range rs {
			r.Checks = append(r.Checks, result.Check{ID: "consistency.positive", Severity: result.Error, Text: locale.Lit("every run is excluded")})
		}
	}
	d.Titles = map[string]map[string]locale.Text{"model": {"A": locale.By(map[string]string{"zh": "甲 型", "en": "Type A"}, "")}, "load": {"high": locale.Lit("高 负载")}}
	return d
}

// malformed matches what no sentence may contain: format errors, keys without messages, invalid numbers, plurals of
// one, and empty names.
var malformed = regexp.MustCompile(`%!\w?\((?:EXTRA|NaN|MISSING|BADINDEX|int=0)|\[[a-z]+\.[a-z.-]+\]|NaN|\bInf\b|(?:^|[^\d.,])1 (?:runs|requests|variants|repeats|others|samples|steps|rows)\b|\(\)|（）|, ,|  |\x1f|(?:by|of|with|against|To|to) [:,.;]`)

func TestNothingReportedIsMalformed(t *testing.T) {
	bodies := []string{
		``, `most = 40`, `baseline = '{model="BF16"}'`, `rows = "quantization"`, `metrics = ["ttft_mean", "energy_per_output_token"]`,
		`factors = ["clocks"]`, "rows = \"hardware\"\nmost = 40", `judge = { high = "energy_per_output_token" }`, `judge = { high = "requests_failed", low = "ttft_p99" }`,
	}
	trades := []string{``, `limits = { ttft_p99 = 500, weight_size = "15 GB" }`, `baseline = '{model="A"}'`, `limits = { requests_failed = 1 }`}
	reported := map[string]int{}
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 7))
		d := odd(random)
		if seed%5 == 0 {
			d = thor()
		}
		var texts []locale.Text
		kind := "findings"
		if seed%3 == 2 {
			kind = "tradeoff"
			b, ms := block.Evaluate(d, kind, []byte(trades[random.IntN(len(trades))]), result.Position{})
			for _, m := range ms {
				texts = append(texts, locale.Lit(locale.English(m.Text)), locale.Lit(locale.English(m.Hint)))
			}
			if b.Table == nil {
				continue
			}
			for _, n := range b.Table.Notes {
				texts = append(texts, n.Text)
			}
			for _, a := range b.Table.Answers {
				texts = append(texts, a.Text, a.Reason)
				reported[a.Rule]++
			}
			for _, row := range b.Table.Rows {
				for _, c := range row.Cells[1:] {
					texts = append(texts, c.Text, c.Change, c.Why)
				}
			}
		} else {
			b, _ := block.Evaluate(d, kind, []byte(bodies[random.IntN(len(bodies))]), result.Position{})
			if b.Findings == nil {
				continue
			}
			for _, fs := range [][]report.Finding{b.Findings.Claims, b.Findings.Withheld, b.Findings.Limits} {
				for _, f := range fs {
					texts = append(texts, f.Text, f.Reason)
					reported[f.Rule]++
					if math.IsNaN(f.Effect) || math.IsInf(f.Effect, 0) {
						t.Errorf("seed %d: the effect of %s is %v", seed, english().Say(f.Text), f.Effect)
					}
				}
			}
		}
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			for _, text := range texts {
				if s := strings.ReplaceAll(p.Say(text), `x%!s(int=3)`, "x"); malformed.MatchString(s) {
					t.Errorf("seed %d, %s, %s: %q in %q", seed, kind, lang, malformed.FindString(s), s)
				}
			}
		}
	}
	for _, rule := range []string{"aside", "leader", "baseline", "indistinct", "dominated", "collapse", "gain", "effect", "bandwidth", "unlike", "single", "samples", "quality", "unjudged", "first-token", "deploy"} {
		if reported[rule] == 0 {
			t.Errorf("no set of runs lets %s speak", rule)
		}
	}
}

// BenchmarkManyRuns evaluates findings and verdicts of 2,000 runs in one block, which takes some tens of ms.
func BenchmarkManyRuns(b *testing.B) {
	var rs []*result.Result
	for i := range 40 {
		for _, load := range []string{"low", "high"} {
			for n := range 25 {
				rs = append(rs, run(fmt.Sprintf("m%02d/%s/%d model=m%02d quantization=q%d weight_size=%d_G params=8_G active_params=8_G memory_bandwidth=3_TB/s compute_peak=900_TFLOPS load=%s repeat=%d "+
					"requests_completed:100 input_tokens:100000 output_tokens:12800 output_throughput:%d.00 ttft_mean:%d.00 ttft_p99:900.00 tpot_mean:%d.00",
					i, load, n, i, i%5, 5+i%7, load, n, 100+7*i+n%4, 100+i+n%9, 20+i%3)))
			}
		}
	}
	var single []*result.Result
	for i := range 2000 {
		single = append(single, run(fmt.Sprintf("s%04d model=s%04d weight_size=%d_G params=8_G active_params=8_G memory_bandwidth=3_TB/s load=high requests_completed:100 output_throughput:%d.00 ttft_mean:100.0 tpot_mean:%d.00",
			i, i, 5+i%7, 100+i, 20+i%30)))
	}
	for _, c := range []struct {
		name string
		d    *dataset.Selection
	}{{"repeats", judged(rs...)}, {"variants", judged(single...)}} {
		for _, kind := range []string{"findings", "tradeoff"} {
			b.Run(c.name+"/"+kind, func(b *testing.B) {
				for b.Loop() {
					if _, ms := block.Evaluate(c.d, kind, []byte(fmt.Sprintf("baseline = '{model=%q}'", c.d.Results[0].Label("model"))), result.Position{}); faults(ms) != nil {
						b.Fatal(ms)
					}
				}
			})
		}
	}
}
