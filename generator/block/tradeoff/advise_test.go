package tradeoff_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/internal/twin"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

var update = flag.Bool("update", false, "write the cases of the pages' scripts anew")

// adviseCases is the file of cases for the test of generator/page/script/advise.js: portfolios as the pages' data has
// them, and the results of this package.
const adviseCases = "../../page/script/testdata/advise.json"

type adviseCase struct {
	Columns  json.RawMessage     `json:"columns"`
	Orders   map[string][]string `json:"orders"`
	Bases    map[string]string   `json:"bases,omitempty"`
	Rows     string              `json:"rows"`
	Size     string              `json:"size"`
	Load     string              `json:"load"`
	Baseline string              `json:"baseline,omitempty"` // a variant
	Judge    map[string]string   `json:"judge,omitempty"`
	Limits   map[string]string   `json:"limits,omitempty"`
	Want     tradeoff.Weighing   `json:"want"`
}

type quantityCase struct {
	Text       string   `json:"text"`
	Quantity   *float64 `json:"quantity"`
	Parameters *float64 `json:"parameters"`
	Number     *float64 `json:"number"`
	Unit       string   `json:"unit,omitempty"`
}

func TestAdviseCases(t *testing.T) {
	table := twin.New(t, adviseCases)
	table.Put("metrics", twin.Metrics("output_throughput", "decode_throughput", "tpot_mean", "ttft_mean", "ttft_p99", "ttft_p50", "e2el_p99_9", "quality", "quality_stderr", "requests_completed", "energy", "energy_per_output_token"))
	texts := []string{"8.9 G", "16 GiB", "6G", "1,234 MB", "273 GB/s", "257 TFLOPS", "8.2B", "8.2 B", "8190735360", "30.5 G", "", "?", "G", ".5 G", "5. G", ".", "1.2.3", "-3 G", "0 G", "1e9", "1e9 B", "3 stone", "10 %", "20 °C", "2025-10-11", "v0.11", "500", "500 ms", "12 tok/s", " 7 G ", "144 KiB", "0x10", "7 G G"}
	table.List("quantities", len(texts), func(i int) any {
		c := quantityCase{Text: texts[i]}
		if v, ok := audit.Quantity(c.Text); ok {
			c.Quantity = &v
		}
		if v, ok := audit.Parameters(c.Text); ok {
			c.Parameters = &v
		}
		if v, _, unit, ok := dataset.Number(c.Text); ok {
			c.Number, c.Unit = &v, unit
		}
		return c
	})
	random := rand.New(rand.NewPCG(5, 6))
	seen := map[string]int{}
	table.List("portfolios", 92, func(i int) any {
		c := draw(random)
		if i < 2 {
			c = alikeInSize([]string{"output_throughput", "tpot_mean"}[i])
		}
		for _, l := range c.Want.Loads {
			for _, v := range l.Verdicts {
				seen[v.Rule]++
				seen["why "+v.Why]++
			}
			seen["best "+strconv.FormatBool(l.Best >= 0)]++
		}
		seen["mixed "+strconv.FormatBool(c.Want.Mixed)]++
		return c
	})
	twin.Seen(t, seen, 5, "", "aside", "dominated", "fastest", "balance", "size-only", "why unsized", "why aside", "why over", "why unknown", "best true", "best false", "mixed true")
	table.Check(*update)
}

// draw returns a random portfolio: variants with known, unknown or equal sizes, at loads with one or several runs, with
// values so close that noise decides, and with all kinds of faults.
func draw(random *rand.Rand) adviseCase {
	chance := func(p float64) bool { return random.Float64() < p }
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	c := adviseCase{Rows: "model", Size: "weight_size", Load: "load", Orders: map[string][]string{"load": {"high", "low"}}}
	if chance(.2) {
		c.Rows, c.Load = "quantization", "max_concurrency"
	}
	loads := []string{"low", "high", "peak"}[:1+random.IntN(3)]
	d := &dataset.Selection{Site: dataset.Site{Order: c.Orders}}
	n := 0
	put := func(labels map[string]string) *result.Result {
		n++
		r := &result.Result{ID: fmt.Sprintf("c/%03d", n), Tool: "vllm-serve", Format: "vllm-serve-text"}
		for name, value := range labels {
			if value != "" {
				r.Labels.Set(result.Label{Name: name, Value: value})
			}
		}
		d.Results = append(d.Results, r)
		return r
	}
	measured := func(r *result.Result, name string, v float64, decimals int8) {
		def, _ := vocabulary.Define(name)
		text := strconv.FormatFloat(v, 'f', int(max(decimals, 2)), 64)
		v, _ = strconv.ParseFloat(text, 64)
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: def.Unit, Better: def.Better}, Value: v, Decimals: decimals})
	}
	size := pick("G", "G", "GiB", "B")
	coarse := chance(.3) // many values equal
	models := 1 + random.IntN(2)
	variants := 2 + random.IntN(6)
	for i := range variants {
		model := fmt.Sprintf("M%d", i+1)
		weight := strconv.Itoa(4+2*random.IntN(4)) + " " + size
		switch {
		case chance(.08):
			weight = ""
		case chance(.015):
			weight = pick("?", "7 stone")
		}
		for l, load := range loads {
			if chance(.07) {
				continue
			}
			repeats := 1
			if chance(.35) {
				repeats = 2 + random.IntN(5)
			}
			base := 100 + 60*random.Float64()*float64(l+1)
			switch {
			case coarse:
				base = 100 + 10*float64(random.IntN(3))
			case chance(.5): // so close that noise decides
				base = 130 + 5*random.Float64()
			}
			prompts := float64([]int{10, 100, 200}[random.IntN(3)])
			mixed := chance(.04)
			for k := range repeats {
				labels := map[string]string{"model": model, "quantization": "Q" + strconv.Itoa(i/2), "weight_size": weight, "load": load,
					"max_concurrency": []string{"1", "8", "32"}[l], "seed": "7"}
				if c.Rows == "quantization" {
					labels["model"], labels["quantization"] = "", model
				}
				if models == 2 {
					labels["base_model"] = string("AB"[i%2])
				}
				if repeats > 1 {
					labels["repeat"] = strconv.Itoa(k + 1)
				}
				if mixed {
					labels["x_flash_attn"] = strconv.Itoa(k % 2)
				}
				r := put(labels)
				scatter := 1 + .01*(random.Float64()-.5)
				if coarse && repeats == 1 {
					scatter = 1
				}
				decimals := int8(2)
				if chance(.2) {
					decimals = result.FullPrecision
				}
				if chance(.95) {
					measured(r, pick("output_throughput", "output_throughput", "output_throughput", "output_throughput", "decode_throughput"), base*scatter, decimals)
				}
				if chance(.9) {
					measured(r, "tpot_mean", 8000/base/scatter, decimals)
				}
				measured(r, "ttft_mean", 300+400*random.Float64()*float64(random.IntN(2)), decimals)
				if chance(.9) {
					measured(r, "ttft_p99", 700+400*random.Float64(), decimals)
				}
				if chance(.5) {
					measured(r, "e2el_p99_9", 5000+4000*random.Float64(), decimals)
				}
				if chance(.9) {
					measured(r, "requests_completed", prompts, 0)
				}
				if chance(.4) {
					measured(r, "energy_per_output_token", 2+random.Float64(), decimals)
				}
				if chance(.08) {
					r.Checks = append(r.Checks, result.Check{ID: "physics.memory-roofline", Severity: result.Error})
				}
			}
		}
		if chance(.5) {
			for _, task := range []string{"gsm8k", "mmlu"}[:1+random.IntN(2)] {
				labels := map[string]string{"model": model, "task": task}
				if c.Rows == "quantization" {
					labels = map[string]string{"quantization": model, "task": task}
				}
				r := put(labels)
				measured(r, "quality", math.Round(50+50*random.Float64())/100, 2)
				if chance(.7) {
					measured(r, "quality_stderr", .01+.1*random.Float64(), 4)
				}
			}
		}
	}
	limits := map[string]string{"ttft_mean": "600", "ttft_p99": "1000 ms", "e2el_p99_9": "8000", "weight_size": "10 " + size, "quality": "0.7",
		"output_throughput": "110", "energy": "50", "ttft_p50": "400"}
	c.Limits = map[string]string{}
	for _, name := range []string{"ttft_mean", "ttft_p99", "e2el_p99_9", "weight_size", "quality", "output_throughput", "energy", "ttft_p50"} {
		if chance(.15) {
			c.Limits[name] = limits[name]
		}
	}
	if size == "B" && chance(.7) {
		delete(c.Limits, "weight_size")
	}
	d.Limits = c.Limits
	var have, at []string
	for _, r := range d.Results {
		if v := r.Label(c.Rows); v != "" && r.Label(c.Load) != "" && !slices.Contains(have, v) {
			have = append(have, v)
		}
		if v := r.Label(c.Load); v != "" && !slices.Contains(at, v) {
			at = append(at, v)
		}
	}
	baseline := ""
	if len(have) > 0 && chance(.6) {
		c.Baseline = pick(have...)
		baseline = fmt.Sprintf("{%s=%q}", c.Rows, c.Baseline)
	}
	if len(at) > 0 && chance(.2) {
		c.Judge = map[string]string{pick(at...): pick("ttft_mean", "tpot_mean", "output_throughput")}
	}
	return weighed(c, d, baseline)
}

// alikeInSize returns two variants of one size whose repeats differ by less than noise: neither outdoes the other, and
// one is the fastest.
func alikeInSize(metric string) adviseCase {
	c := adviseCase{Rows: "model", Size: "weight_size", Load: "load", Orders: map[string][]string{}, Judge: map[string]string{"high": metric}}
	d := &dataset.Selection{}
	def, _ := vocabulary.Define(metric)
	for i, v := range []float64{100, 100.1, 100.2, 100.3, 102, 102.1, 102.2, 102.3} {
		r := &result.Result{ID: fmt.Sprintf("c/%d", i), Tool: "vllm-serve", Metrics: []result.Metric{{Kind: &result.Kind{Name: metric, Unit: def.Unit, Better: def.Better}, Value: v, Decimals: 1}}}
		for name, value := range map[string]string{"model": string("AB"[i/4]), "load": "high", "weight_size": "8 G", "repeat": strconv.Itoa(i%4 + 1)} {
			r.Labels.Set(result.Label{Name: name, Value: value})
		}
		d.Results = append(d.Results, r)
	}
	return weighed(c, d, "")
}

func weighed(c adviseCase, d *dataset.Selection, baseline string) adviseCase {
	slices.SortFunc(d.Results, result.Compare)
	c.Bases = audit.Bases(d.Results)
	c.Columns = export.ColumnData([]export.ColumnGroup{{Name: "c", Results: d.Results}}, func(*result.Result) bool { return false }, nil)
	var err error
	if c.Want, err = tradeoff.Weigh(d, c.Rows, c.Size, c.Load, baseline, c.Judge); err != nil {
		panic(err)
	}
	return c
}
