package audit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// run returns a complete result: name=value is a label, name:value a metric with the given digits; "_" in a
// label's value is a space.
func run(fields string) *result.Result {
	r := &result.Result{ID: "x", Source: result.Position{File: "x.log", Line: 1}, EndLine: 30}
	for i, f := range strings.Fields(fields) {
		if name, value, ok := strings.Cut(f, "="); ok {
			r.Labels.Set(result.Label{Name: name, Value: strings.ReplaceAll(value, "_", " ")})
			continue
		}
		name, digits, _ := strings.Cut(f, ":")
		v, err := strconv.ParseFloat(digits, 64)
		if err != nil {
			panic(err)
		}
		_, decimals, _ := strings.Cut(digits, ".")
		d, _ := vocabulary.Define(name)
		r.Metrics = append(r.Metrics, result.Metric{Kind: &result.Kind{Name: name, Unit: d.Unit, Better: d.Better},
			Value: v, Decimals: int8(len(decimals)), Line: int32(i + 2)})
	}
	return r
}

// raised returns the check that a rule raises as "severity id", or "".
func raised(r *result.Result, id string) string {
	var out []string
	for _, c := range Judge(r).Raised {
		if !declared(c) {
			panic(c.Severity.String() + " " + c.ID + " is in no row of the table")
		}
		if c.ID == id {
			out = append(out, c.Severity.String()+" "+c.ID)
		}
	}
	return strings.Join(out, ", ")
}

// declared reports whether the table of rules has the id and severity of a check.
func declared(ck result.Check) bool {
	return slices.ContainsFunc(rules, func(r rule) bool {
		return slices.Contains(r.ids(), ck.ID) && slices.ContainsFunc(r.bounds, func(b bound) bool { return b.severity == ck.Severity })
	})
}

func has(checks []result.Check, id string) bool {
	return slices.ContainsFunc(checks, func(c result.Check) bool { return c.ID == id })
}

// thor has the labels of a dense model of 8.2 G parameters on a Jetson AGX Thor, without measurements.
const thor = " hardware=thor memory_bandwidth=273_GB/s memory=128_GB params=8.2_G active_params=8.2_G "

func TestMemoryRoofline(t *testing.T) {
	const id = "physics.memory-roofline"
	for _, c := range []struct{ name, run, want string }{
		// 16·10⁹ B / 273·10⁹ B/s = 58.6 ms; 58.6 / 63.63 = 92.1 %.
		{"a dense model at its limit", "weight_size=16_G tpot_mean:63.63", ""},
		// 8.9/273 = 32.6 ms; 32.6 / 8.88 = 3.67 times the bandwidth.
		{"a single stream that is too fast", "weight_size=8.9_G max_concurrency=1 tpot_mean:8.88", "error " + id},
		// Every token of a stream takes a step of its own at any concurrency.
		{"eight streams that are too fast", "weight_size=8.9_G max_concurrency=8 tpot_mean:22.59", "error " + id},
		// 32.6 / 33.9 = 96.2 %.
		{"suspiciously near", "weight_size=8.9_G tpot_mean:33.9", "warning " + id},
		// 32.6007 / 32.60 is over 1 by less than the rounding of the last digit.
		{"over by less than rounding", "weight_size=8.9_G tpot_mean:32.60", "warning " + id},
		// 30.5 G of which 3.3 G active: 33 GB · 3.3/30.5 = 3.57 GB, 13.1 ms.
		{"a mixture of experts reads its active share", "weight_size=33_GB params=30.5_G active_params=3.3_G tpot_mean:15.16", ""},
		// Without a size 3.3 G at 8 bits are 3.3 GB: 12.1 ms.
		{"an estimate from parameters", "quantization=FP8 params=30.5_G active_params=3.3_G tpot_mean:9.95", "error " + id},
		// 7.6 GB are actually read: 27.8 ms.
		{"the weights really read are reported", "weight_size=8.9_G active_weight_size=7.6_GB tpot_mean:29.4", ""},
		// Two accelerators read twice as fast: 16.3 ms.
		{"two accelerators", "weight_size=8.9_G parallelism=tp2 tpot_mean:17.8", ""},
		// 2.5 tokens a step: 32.6 / 2.5 = 13.0 ms.
		{"speculative decoding with its mean", "weight_size=8.9_G acceptance_length:2.5 tpot_mean:15.0", ""},
		{"speculative decoding, still too fast", "weight_size=8.9_G acceptance_length:2.5 tpot_mean:10.0", "error " + id},
		{"speculative decoding that is declared off", "weight_size=8.9_G speculative_decoding=False tpot_mean:8.88", "error " + id},
		// 6.1 GB of 4-bit weights include up to 2 · 8 % · 8.2 G = 1.31 GB of input embedding, which is not
		// read: 6.1/273 = 22.3 ms, but 4.79/273 = 17.5 ms, 88 % of 20.0 and 103 % of 17.0.
		{"all but the embedding can be read", "weight_size=6.1_GB tpot_mean:20.0", "warning " + id},
		{"not even without the embedding", "weight_size=6.1_GB tpot_mean:17.0", "error " + id},
		{"what one token reads is reported, and over", "weight_size=6.1_GB active_weight_size=6.1_GB tpot_mean:20.0", "error " + id},
		// 9 tokens have 8 gaps; with one lost, 7.6/273 = 27.8 ms look like 24.4.
		{"one gap of a short answer may be lost", "active_weight_size=7.6_GB requests_completed:10 output_tokens:90 tpot_mean:25.0", "warning " + id},
		{"two gaps may not", "active_weight_size=7.6_GB requests_completed:10 output_tokens:90 tpot_mean:24.0", "error " + id},
		// A replica reads at the speed of one accelerator, a token passes the stages of a pipeline one after
		// another, and experts are spread over all accelerators.
		{"replicas do not read together", "weight_size=16_G parallelism=dp8 tpot_mean:20.0", "error " + id},
		{"nor do stages of a pipeline", "weight_size=16_G parallelism=pp2 accelerators=2 tpot_mean:32.0", "error " + id},
		{"experts are read from all", "weight_size=16_G parallelism=dp8-ep8 tpot_mean:20.0", ""},
		{"a layout in the words of a command", "weight_size=16_G parallelism=tensor_parallel_size=8 tpot_mean:20.0", ""},
		// 40 tok/s are 25 ms a token.
		{"one stream of llama-bench", "weight_size=8.9_G decode_throughput:40.0", "error " + id},
		// 8 requests in flight at 300 tok/s: a step in 26.7 ms.
		{"no TPOT, by Little's law", "weight_size=8.9_G max_concurrency=8 requests_completed:100 duration:42.66 e2el_mean:3413 output_throughput:300.05", "error " + id},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := raised(run(thor+c.run), id); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	for name, fields := range map[string]string{
		"no bandwidth":                               "weight_size=16_G tpot_mean:1.0",
		"no size and no parameters":                  "memory_bandwidth=273_GB/s tpot_mean:1.0",
		"speculative decoding without its mean":      thor + "weight_size=16_G speculative_decoding=eagle tpot_mean:1.0",
		"a count of drafts without the step's token": thor + "weight_size=16_G acceptance_length:0.8 tpot_mean:1.0",
		"a layout that cannot be read":               thor + "weight_size=16_G parallelism=eight_cards tpot_mean:1.0",
		"answers of three tokens, few gaps each":     thor + "weight_size=16_G requests_completed:10 output_tokens:30 tpot_mean:1.0",
		"a quantization that tells no bits (MIX)":    thor + "quantization=MIX tpot_mean:1.0",
	} {
		if rep := Judge(run(fields)); has(rep.Raised, id) || !has(rep.Unjudged, id) {
			t.Errorf("%s: judged all the same: %v", name, rep.Raised)
		}
	}
}

// TestADoubtfulStepMakesRatesDoubtful checks that a step suspiciously near the limit also casts doubt on the
// rates that depend on it.
func TestADoubtfulStepMakesRatesDoubtful(t *testing.T) {
	c := Judge(run(thor + "weight_size=8.9_G tpot_mean:33.9")).Raised[0]
	for metric, want := range map[string]bool{"tpot_p99": true, "output_throughput": true, "interactivity": true, "ttft_mean": false, "power_mean": false} {
		if c.Concerns(metric) != want {
			t.Errorf("%s: %v", metric, !want)
		}
	}
}

// TestWhatATokenReads checks that the weights read for a token are known only if the kind of the model is.
func TestWhatATokenReads(t *testing.T) {
	t.Parallel()
	const id, machine = "physics.memory-roofline", " memory_bandwidth=273_GB/s memory=1000_GB tpot_mean:0.10 max_concurrency=1 "
	for name, c := range map[string]struct{ fields, want string }{
		"nobody tells the kind":                       {"model=acme-8B weight_size=16_G params=8_G", "is the model a mixture of experts?"},
		"a size alone":                                {"model=acme-8B weight_size=16_G", "is the model a mixture of experts?"},
		"parameters at their bits":                    {"model=acme-8B params=8_G quantization=FP8", "is the model a mixture of experts?"},
		"a name with active parameters":               {"model=acme-30B-A3B weight_size=57_G params=30_G", "the model is a mixture of experts"},
		"a name with experts":                         {"model=acme-8x7B weight_size=90_G", "the model is a mixture of experts"},
		"a name that says so":                         {"model=acme-120B-MoE weight_size=90_G", "the model is a mixture of experts"},
		"active parameters without all":               {"model=acme weight_size=57_G active_params=3_G", "all parameters are needed"},
		"a tower for images":                          {"model=acme-VL-8B weight_size=16_G params=8_G active_params=8_G", "only a part of this model"},
		"embeddings for each layer":                   {"model=acme-gemma-3n-tuned weight_size=16_G params=8_G active_params=8_G", "only a part of this model"},
		"a size that contradicts":                     {"model=acme quantization=BF16 weight_size=32_G params=8_G active_params=8_G", "weight_size contradicts"},
		"a size that does not fit":                    {"model=acme memory=40_GB weight_size=140_G params=70_G active_params=70_G", "the number of accelerators is unknown"},
		"several tokens a step":                       {"model=LLaDA-8B-Instruct weight_size=16_GB", "several tokens a step"},
		"a dense model, declared":                     {"model=acme weight_size=16_G params=8_G active_params=8_G", ""},
		"a dense model of the catalogue":              {"model=Qwen3-8B weight_size=16_G", ""},
		"a mixture of the catalogue":                  {"model=Qwen3-30B-A3B weight_size=57_G", ""},
		"a mixture of the catalogue, its path":        {"model_raw=Qwen/Qwen3-30B-A3B-Instruct-2507-FP8 model=q quantization=FP8", ""},
		"active parameters and bits":                  {"model=acme active_params=3_G quantization=FP8", ""},
		"what one token reads":                        {"model=acme-VL active_weight_size=3_GB", ""},
		"another model under a name of the catalogue": {"model=Qwen3-8B params=30_G weight_size=57_G", "is the model a mixture of experts?"},
	} {
		r := run(machine + c.fields)
		rep := Judge(r)
		if c.want == "" {
			if raised(r, id) != "error "+id {
				t.Errorf("%s: not judged: %v", name, texts(rep.Unjudged))
			}
			continue
		}
		if has(rep.Raised, id) || !strings.Contains(texts(rep.Unjudged), c.want) {
			t.Errorf("%s: raised %s, unjudged %s", name, texts(rep.Raised), texts(rep.Unjudged))
		}
		new(Auditor).Complete(r)
		if m, ok := r.Metric("mbu"); ok {
			t.Errorf("%s: MBU %s is printed", name, m.Text())
		}
	}
}

func texts(checks []result.Check) string {
	var out []string
	for _, c := range checks {
		out = append(out, locale.English(c.Text))
	}
	return strings.Join(out, "; ")
}

// TestMBUCountsWhatIsRead checks that the reported MBU counts the weights that a token reads, as the check
// does.
func TestMBUCountsWhatIsRead(t *testing.T) {
	t.Parallel()
	const machine = " memory_bandwidth=273_GB/s max_concurrency=1 "
	for _, c := range []struct {
		name, fields string
		want         float64
	}{
		// Qwen3-8B: 16.38 GB, of which 0.622 G · 2 B of input embedding are looked up:
		// 15.14/273 = 55.4 ms of 63.63.
		{"in 16 bits", "model=Qwen3-8B quantization=BF16 weight_size=16.38_GB tpot_mean:63.63", 87.1},
		// (6.10 − 1.24)/273 = 17.8 ms of 23.09.
		{"quantized, with embeddings in 16 bits", "model=Qwen3-8B quantization=GPTQ-Int4 weight_size=6.10_GB tpot_mean:23.09", 77.0},
		// GGUF quantizes embeddings, too: (5.03 − 0.622·0.5)/273 = 17.3 ms.
		{"in GGUF", "model=Qwen3-8B quantization=Q4 weight_size=5.03_GB tpot_mean:20.0", 86.4},
		{"without what the catalogue knows", "params=8.2_G active_params=8.2_G weight_size=16.38_GB tpot_mean:63.63", 94.3},
	} {
		r := run(machine + c.fields)
		new(Auditor).Complete(r)
		if m, _ := r.Metric("mbu"); math.Abs(m.Value-c.want) > 0.15 {
			t.Errorf("%s: %.2f %%, want %.1f (%s)", c.name, m.Value, c.want, texts(Judge(r).Unjudged))
		}
	}
}

// TestPerLayerEmbeddingsAreNotRead checks that the per-layer embeddings of Gemma's E-models are only looked up:
// a published run with 25.24 ms and 10.2 GB does not exceed 273 GB/s by 48 %.
func TestPerLayerEmbeddingsAreNotRead(t *testing.T) {
	t.Parallel()
	for _, fields := range []string{
		"model=gemma-4-E2B-it weight_size=10.2_GB tpot_mean:25.24",
		"model=gemma-3n-E4B-it weight_size=15.7_GB tpot_mean:45.0",
		"model=Qwen2.5-Omni-7B weight_size=22.4_GB tpot_mean:65.0",
		"model=Qwen2-VL-2B-Instruct weight_size=4.42_GB tpot_mean:15.0",
	} {
		if rep := Judge(run("memory_bandwidth=273_GB/s max_concurrency=1 " + fields)); len(rep.Raised) > 0 {
			t.Errorf("%s: %s", fields, texts(rep.Raised))
		}
	}
}

// TestAPublishedPrecisionQuestionsTheLabel checks that a model published in fewer bits than its label states
// casts doubt on the label: 3.5 ms are too fast for 16 bits but not for 8, in which Ministral is published.
func TestAPublishedPrecisionQuestionsTheLabel(t *testing.T) {
	t.Parallel()
	rep := Judge(run("model=Ministral-3-8B-Instruct-2512 quantization=BF16 memory_bandwidth=273_GB/s max_concurrency=1 tpot_mean:45.00"))
	if got := strings.Join(kinds(rep.Raised), ", "); got != "warning physics.memory-roofline" || rep.Raised[0].Concerns("tpot_mean") || !strings.Contains(texts(rep.Raised), "as the model is published") {
		t.Errorf("%s: %s; %s", got, texts(rep.Raised), texts(rep.Unjudged))
	}
	// llama.cpp calls gpt-oss F16, but its columns state 13.8 GB for 20.9 G.
	r := run("model_raw=gpt-oss-20b-F16.gguf model=gpt-oss-20b quantization=F16 memory_bandwidth=256_GB/s decode_throughput:60.0")
	for name, value := range map[string]string{"weight_size": "13.78 GB", "params": "20.91 G"} {
		r.Labels.Set(result.Label{Name: name, Value: value, Pos: r.Source})
	}
	if rep := Judge(r); len(rep.Raised) > 0 {
		t.Errorf("gpt-oss: %s", texts(rep.Raised))
	}
}

func TestWeightSize(t *testing.T) {
	t.Parallel()
	const id = "physics.weight-size"
	for _, c := range []struct{ name, fields, hint string }{
		{"as published", "quantization=BF16 weight_size=16.4_GB params=8.2_G", ""},
		{"GiB read as GB", "quantization=BF16 weight_size=15.3_G params=8.2_G", ""},
		{"GiB as du prints it", "quantization=BF16 weight_size=16G params=8.2_G", ""},
		{"a quarter", "quantization=BF16 weight_size=4_G params=8.2_G", "correct weight_size"},
		{"twice", "quantization=BF16 weight_size=32_G params=8_G", "twice"},
		{"four bits with embeddings in sixteen", "quantization=AWQ weight_size=6.1_GB params=8.2_G", ""},
		{"four bits of a small model", "quantization=GPTQ-Int4 weight_size=0.6_GB params=0.6_G", ""},
		{"two bits", "quantization=Q2_K weight_size=3.28_GB params=8.2_G", ""},
		{"eight bits, twice", "quantization=FP8 weight_size=17.5_GB params=8.2_G", "twice"},
		{"bits nobody tells", "quantization=MIX weight_size=1_GB params=8.2_G", ""},
	} {
		rep := Judge(run(c.fields))
		i := slices.IndexFunc(rep.Raised, func(ck result.Check) bool { return ck.ID == id })
		if i < 0 != (c.hint == "") || i >= 0 && !strings.Contains(locale.English(rep.Raised[i].Hint), c.hint) {
			t.Errorf("%s: %s", c.name, texts(rep.Raised))
		}
	}
}

// TestSpeculation checks that speculative decoding is recognised in all sources, and that such a run is not
// judged if the number of tokens per step is unknown.
func TestSpeculation(t *testing.T) {
	t.Parallel()
	const id = "physics.memory-roofline"
	for fields, want := range map[string]string{
		"speculative_decoding=eagle3":   "eagle3",
		"speculative_decoding=False":    "",
		"speculative=eagle3":            "eagle3",
		"x_spec_decoding=mtp":           "mtp",
		"x_spec_decoding=none":          "",
		"x_speculative_algorithm=NEXTN": "NEXTN",
		"x_num_speculative_tokens=5":    "5",
		"x_num_speculative_tokens=0":    "",
		"x_extra_vllm_args=--dtype_auto_--speculative-config_{\"method\":\"dflash\"}": "on",
		"x_command=python_-m_sglang.launch_server_--speculative-algorithm_EAGLE":      "on",
		"x_command=llama-server_-m_a.gguf_-md_draft.gguf":                             "on",
		"x_command=llama-server_--model-draft=draft.gguf":                             "on",
		"x_command=trtllm-serve_--spec-type_mtp":                                      "on",
		"x_command=vllm_serve_--skip-special-tokens":                                  "",
		"x_decoded_tok_per_iter:2.4":                                                  "on",
		"x_decoded_tok_per_iter:1.0":                                                  "",
		"x_spec_accept_rate:0.7":                                                      "on",
		"x_draft_acceptance_rate:0.7":                                                 "on",
		"acceptance_rate:60":                                                          "on",
		"x_kv_cache=spec-e2b":                                                         "on",
		"x_test_name=gemma_mtp":                                                       "on",
		"dataset=spec_bench":                                                          "",
		"x_special_tokens=5":                                                          "",
		"x_specification=a":                                                           "",
	} {
		r := run(thor + "weight_size=16_G tpot_mean:1.0 " + fields)
		if got := Speculation(r); got != want {
			t.Errorf("%s: %q, want %q", fields, got, want)
		}
		if accused := raised(r, id) != ""; accused != (want == "") && fields != "x_decoded_tok_per_iter:2.4" {
			t.Errorf("%s: accused: %v", fields, accused)
		}
		new(Auditor).Complete(r)
		if got := r.Label("speculative_decoding"); got != want && !(want == "" && got == "False") {
			t.Errorf("%s: the label is %q, want %q", fields, got, want)
		}
	}
}

func TestMemoryRooflineTellsItsFigures(t *testing.T) {
	rep := Judge(run(thor + "weight_size=8.9_G tpot_mean:8.88"))
	c := rep.Raised[0]
	for name, want := range map[string]float64{"tpot_ms": 8.88, "floor_ms": 8.9 / 273 * 1000, "mbu": 8.9 / 273 * 1000 / 8.88} {
		if got := c.Figures[name]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	want := "one token in 8.88 ms is faster than memory allows: reading the weights once takes 32.6 ms (8.90 GB of weights at 273 GB/s), so 367% of the bandwidth would be needed; the run is wrong, or the declared model or hardware is"
	if got := locale.English(c.Text); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if c.Line != 8 || !c.Concerns("tpot_p99") || c.Concerns("ttft_mean") {
		t.Errorf("line %d, about %v", c.Line, c.Metrics)
	}
}

func TestComputeRoofline(t *testing.T) {
	const id = "physics.compute-roofline"
	// 2 · 8.2·10⁹ · 2043.1 tokens = 33.5·10¹² operations, 130.4 ms at 257 TFLOPS.
	const prompt = thor + "compute_peak=257_TFLOPS compute_type=BF16 requests_completed:10 input_tokens:20431 output_tokens:1280 "
	for _, c := range []struct{ name, run, want string }{
		{"a prompt that was not computed", "ttft_mean:78.19", "warning " + id}, // 167 %
		{"hardly any time", "ttft_mean:148.53", "warning " + id},               // 88 %
		{"time enough", "ttft_mean:200.00", ""},                                // 65 %
		{"prefix caching is declared", "prefix_caching=true ttft_mean:78.19", ""},
		// 10.2 ms at the FP4 peak of four accelerators.
		{"four accelerators", "accelerators=4 ttft_mean:78.19", ""}, // 41.7 %
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := raised(run(prompt+c.run), id); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	if rep := Judge(run(thor + "requests_completed:10 input_tokens:20431 ttft_mean:1.0")); !has(rep.Unjudged, id) {
		t.Error("judged without a peak")
	}
}

func TestMemoryFit(t *testing.T) {
	const id = "physics.memory-fit"
	for _, c := range []struct{ name, run, want string }{
		{"fits", "weight_size=16_G", ""},
		{"what ran did fit: labels are questioned", "weight_size=140_G", "warning " + id},
		{"layers left on the CPU", "weight_size=140_G cpu_offload=true", ""},
		{"twice the memory", "weight_size=140_G accelerators=2", ""},
		// 147456 B · 256 requests · 4000 tokens = 151 GB of cache.
		{"the cache does not fit", "weight_size=16_G kv_cache_per_token=147456_B max_concurrency=256 requests_completed:300 input_tokens:900000 output_tokens:300000", "warning " + id},
		{"ten requests are not 256 in flight", "weight_size=16_G kv_cache_per_token=147456_B max_concurrency=256 requests_completed:10 input_tokens:30000 output_tokens:10000", ""},
		{"each replica has weights of its own", "weight_size=140_G parallelism=dp2", "warning " + id},
		{"experts are spread over replicas", "weight_size=140_G parallelism=dp2-ep2", ""},
		{"the cache fits", "weight_size=16_G kv_cache_per_token=147456_B max_concurrency=8 requests_completed:10 input_tokens:30000 output_tokens:10000", ""},
		// 80 GB cards have 80 GiB less the memory of the driver: 82 GB are accepted.
		{"units that vendors mix", "memory=80_GB weight_size=82_GB", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := raised(run(thor+c.run), id); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// fp8 is the block of Qwen3-8B-FP8 at high load, which is consistent.
const fp8 = "max_concurrency=8 output_len=128 requests_completed:100 requests_failed:0 duration:42.94 input_tokens:204169 output_tokens:12800 " +
	"request_throughput:2.33 output_throughput:298.07 total_throughput:5052.54 ttft_mean:495.44 ttft_p50:455.59 ttft_p99:912.34 tpot_mean:22.59 tpot_p50:23.00 tpot_p99:25.05 "

func TestConsistency(t *testing.T) {
	for _, c := range []struct{ name, from, to, id, want string }{
		{"as it is", "", "", "", ""},
		// 12800 / 42.94 = 298.09; 42.935 to 42.945 give 298.06 to 298.13.
		{"a throughput off by more than rounding", "298.07", "298.30", "consistency.output-throughput", "error"},
		{"a total that leaves out the input", "5052.54", "298.07", "consistency.total-throughput", "error"},
		{"a rate of other requests", "request_throughput:2.33", "request_throughput:2.43", "consistency.request-throughput", "error"},
		{"a mean over the maximum", "ttft_p99:912.34", "ttft_p99:912.34 ttft_max:490.00", "consistency.percentiles", "error, error"},
		{"a mean under the minimum", "ttft_p99:912.34", "ttft_p99:912.34 ttft_min:499.00 ttft_max:950.00", "consistency.percentiles", "error, error"},
		{"a median over the 99th percentile", "ttft_p50:455.59", "ttft_p50:955.59", "consistency.percentiles", "error"},
		{"a percentile named p999, whatever it means", "ttft_p99:912.34", "ttft_p99:912.34 ttft_max:950.00 ttft_p999:960.00", "", ""},
		{"failed requests", "requests_failed:0", "requests_failed:3", "consistency.failed-requests", "warning"},
		{"no time to the first token", "ttft_mean:495.44", "ttft_mean:0.00", "consistency.positive", "error"},
		{"negative latency", "tpot_mean:22.59", "tpot_mean:-22.59", "consistency.positive", "error"},
		// 100 · (495.44 + 22.59 · 127) / 42940 = 7.83 in flight.
		{"more in flight than allowed", "max_concurrency=8", "max_concurrency=4", "consistency.littles-law", "warning"},
		// 7.83 of at most 7 is 12 % more, which answers of different lengths explain.
		{"more in flight than allowed, answers alike", "max_concurrency=8", "max_concurrency=7", "consistency.littles-law", "warning"},
		{"hardly more, answers of various lengths", "max_concurrency=8 output_len=128", "max_concurrency=7", "", ""},
		{"lengths drawn from a range", "output_len=128", "output_len=256 random_range_ratio=0.5", "", ""},
		{"answers that ended early", "output_len=128", "output_len=256", "consistency.answer-length", "warning"},
		{"answers longer than asked for", "output_len=128", "output_len=64", "consistency.answer-length", "warning"},
		{"several prompts in a request", "output_len=128", "output_len=128 num_prompts=1600 prompts_per_request=16 input_len=128", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, ck := range Judge(run(strings.Replace(fp8, c.from, c.to, 1))).Raised {
				got = append(got, ck.Severity.String()+" "+ck.ID)
			}
			var wanted []string
			for severity := range strings.SplitSeq(c.want, ", ") {
				wanted = append(wanted, strings.TrimSpace(severity+" "+c.id))
			}
			want := strings.Join(wanted, ", ")
			if s := strings.Join(got, ", "); s != want {
				t.Errorf("got %q, want %q", s, want)
			}
		})
	}
}

// TestRoundedFiguresAgree checks that numbers rounded by a script agree with those they were computed from, and
// that others do not: numbers with all digits or with few.
func TestRoundedFiguresAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		seconds, requests, tokens := 5+100*rng.Float64(), float64(20+rng.IntN(500)), float64(1000+rng.IntN(100000))
		digits := 1 + rng.IntN(7)
		scale := math.Pow10(digits)
		for _, factor := range []float64{1, 1.5} {
			r := run(fmt.Sprintf("requests_completed:%v output_tokens:%v duration:1 request_throughput:1 output_throughput:1", requests, tokens))
			for i := range r.Metrics {
				m := &r.Metrics[i]
				switch m.Name {
				case "duration":
					m.Value = math.Round(seconds*scale) / scale
				case "request_throughput":
					m.Value = math.Round(requests/seconds*scale) / scale
				case "output_throughput":
					m.Value = math.Round(factor*tokens/seconds*scale) / scale
				default:
					continue
				}
				m.Decimals = result.FullPrecision
			}
			want := map[float64]string{1.5: "consistency.output-throughput"}[factor]
			for _, c := range Judge(r).Raised {
				if c.ID != want {
					t.Fatalf("%d digits, rate times %v: %s", digits, factor, locale.English(c.Text))
				}
				want = ""
			}
			if want != "" {
				t.Fatalf("%v tokens in %v s, %d digits, rate times %v: not found", tokens, seconds, digits, factor)
			}
		}
	}
}

// TestVerdictsAreSentences checks that every verdict is a sentence in both languages.
func TestVerdictsAreSentences(t *testing.T) {
	for _, fields := range []string{
		fp8 + thor + "weight_size=16_G compute_peak=257_TFLOPS kv_cache_per_token=147456_B",
		fp8 + thor + "weight_size=8.9_G compute_peak=1_TFLOPS prefix_caching=true",
		fp8 + thor + "weight_size=140_G", fp8 + "max_concurrency=2 output_len=300", fp8 + "output_len=12", "tpot_mean:-1 requests_completed:3 requests_failed:1",
	} {
		rep := Judge(run(fields))
		for _, lang := range locale.Languages {
			p, _ := locale.For(lang)
			for _, c := range slices.Concat(rep.Raised, rep.Passed, rep.Unjudged) {
				if s := p.Say(c.Text) + p.Say(c.Hint); strings.Contains(s, "%!") || strings.Contains(s, "[check.") || p.Say(c.Text) == "" {
					t.Errorf("%s: %q", c.ID, s)
				}
			}
		}
	}
}

// TestSGLangDrawsLengths checks that SGLang's random dataset has lengths from 0 to the requested length unless
// the ratio is 1, and that vLLM's ratio of 0 means no range.
func TestSGLangDrawsLengths(t *testing.T) {
	for _, c := range []struct {
		tool, fields string
		warned       bool
	}{
		{"sglang-serving", "dataset=random output_len=256", false},
		{"sglang-serving", "dataset=random output_len=256 random_range_ratio=0", false},
		{"sglang-serving", "dataset=random output_len=256 random_range_ratio=1", true},
		{"sglang-serving", "dataset=sharegpt output_len=256", true},
		{"vllm-serve", "dataset=random output_len=256 random_range_ratio=0", true},
	} {
		r := run(strings.Replace(fp8, "output_len=128", c.fields, 1))
		r.Tool = c.tool
		if got := raised(r, "consistency.answer-length"); (got != "") != c.warned {
			t.Errorf("%s, %s: %q", c.tool, c.fields, got)
		}
	}
}

func TestACutOffRunIsTold(t *testing.T) {
	r := run("ttft_mean:10.0")
	if raised(r, "consistency.cut-off") != "" {
		t.Error("a complete run is called cut off")
	}
	r.Status = result.Partial
	if raised(r, "consistency.cut-off") != "warning consistency.cut-off" {
		t.Error("a cut-off run is not told")
	}
}

// TestZeroThatIsNoFault checks zeros that are no errors: answers of one token have no time between tokens, and
// the printed digits of a small rate may all be zero.
func TestZeroThatIsNoFault(t *testing.T) {
	for _, fields := range []string{
		"requests_completed:10 output_tokens:10 tpot_mean:0.00 itl_mean:0.00 ttft_mean:5.0",
		"requests_completed:1 output_tokens:128 duration:900.00 request_throughput:0.00 output_throughput:0.14 ttft_mean:5.0",
	} {
		if got := raised(run(fields), "consistency.positive"); got != "" {
			t.Errorf("%s: %s", fields, got)
		}
	}
}

// TestFalseRows checks runs that contradict themselves, and runs that only seem to.
func TestFalseRows(t *testing.T) {
	t.Parallel()
	const run100 = "num_prompts=100 max_concurrency=8 input_len=1024 output_len=128 requests_completed:100 duration:40.00 input_tokens:102400 output_tokens:12800 " +
		"request_throughput:2.50 output_throughput:320.00 ttft_mean:300.00 tpot_mean:20.00 e2el_mean:2840.00 "
	for _, c := range []struct{ name, fields, want string }{
		{"as it is", "", ""},
		{"40 of 100 are lost, and nobody tells of failures", "requests_completed:60 request_throughput:1.50 output_throughput:192.00 output_tokens:7680 input_tokens:61440", "warning consistency.failed-requests"},
		{"a run that was to end after a time", "max_seconds=40 num_prompts=1000", ""},
		{"goodput over throughput", "goodput:2.60", "warning consistency.parts"},
		{"goodput as a share", "goodput:2.50", ""},
		{"peak under mean", "peak_output_throughput:200.00", "warning consistency.parts"},
		{"peak of a run under a second", "duration:0.640 output_tokens:128 requests_completed:1 input_tokens:1024 num_prompts=1 request_throughput:1.5625 output_throughput:200.00 peak_output_throughput:128.00 max_concurrency=10", ""},
		{"peak under mean, where a chunk holds several tokens", "peak_output_throughput:200.00 speculative_decoding=eagle", ""},
		{"an end before the first token", "e2el_mean:200.00", "error consistency.latencies"},
		{"a median end before the first token", "ttft_p50:500.00 e2el_p50:450.00", "error consistency.latencies"},
		{"an end apart from its parts", "e2el_mean:2000.00", "warning consistency.latencies"},
		{"an end apart from its parts, answers of any length", "e2el_mean:2000.00 random_range_ratio=0.5", ""},
		// 1280 tok/s · 60 ms · 127/128 = 76 streams.
		{"a rate that eight streams cannot give", "duration:10.00 request_throughput:10.00 output_throughput:1280.00 tpot_mean:60.00 e2el_mean:7920.00", "warning consistency.littles-law"},
		{"a median the mean forbids", "ttft_p50:900.00", "error consistency.percentiles"},
		{"a median the mean allows", "ttft_p50:590.00", ""},
		{"a 99th percentile the mean forbids", "ttft_p99:31000.00", "error consistency.percentiles"},
		{"lengths of another run", "input_len=8192", "warning consistency.prompt-length"},
		{"a chat template", "input_len=990", ""},
		{"lengths drawn from a range", "input_len=2048 random_range_ratio=0.5", ""},
		{"tokenised again, seven per cent more", "output_len=120 e2el_mean:2840.00", ""},
		{"a fifth more than asked for", "output_len=106", "warning consistency.answer-length"},
		{"a percentile of two digits over the maximum", "ttft_p99:1100 ttft_max:1095.70", ""},
		{"a percentile of four digits over the maximum", "ttft_p99:1101 ttft_max:1095.70", "error consistency.percentiles"},
		// 9 in flight of 8, of which up to 8²/100 lie at the edges.
		{"requests at the edges", "e2el_mean:3400.00 tpot_mean:24.40", ""},
		{"what the tool counted wins", "max_concurrency=1 effective_concurrency:0.99", ""},
	} {
		r := run(replaced(run100, c.fields))
		r.Tool = "vllm-serve"
		if got := strings.Join(kinds(Judge(r).Raised), ", "); got != c.want {
			t.Errorf("%s: %q, want %q (%s)", c.name, got, c.want, texts(Judge(r).Raised))
		}
	}
	streams := run("max_concurrency=8 output_throughput:1280.00 tpot_mean:60.00")
	if got := raised(streams, "consistency.littles-law"); got == "" {
		t.Error("a rate that eight streams cannot give is not found without any time of a request")
	}
	if got := raised(run("max_concurrency=8 output_throughput:130.00 tpot_mean:60.00"), "consistency.littles-law"); got != "" {
		t.Error(got)
	}
}

func kinds(checks []result.Check) []string {
	var out []string
	for _, c := range checks {
		out = append(out, c.Severity.String()+" "+c.ID)
	}
	return out
}

// TestLittlesLawAllowsForAShortDuration checks rounding of a short duration: 4 requests of 100 ms in 0.1 s are
// 4 in flight, but 2.7 in 0.15 s, which is also printed as 0.1.
func TestLittlesLawAllowsForAShortDuration(t *testing.T) {
	const id = "consistency.littles-law"
	if got := raised(run("max_concurrency=3 requests_completed:4 duration:0.1 e2el_mean:100.0"), id); got != "" {
		t.Error(got)
	}
	if got := raised(run("max_concurrency=2 requests_completed:40 duration:1.0 e2el_mean:100.0"), id); got != "warning "+id {
		t.Errorf("got %q", got)
	}
}

// TestFailedRequestsOfAnUnknownNumber checks that the check does not state an unknown number of sent requests.
func TestFailedRequestsOfAnUnknownNumber(t *testing.T) {
	for fields, want := range map[string]string{
		"requests_failed:3":                       "3 requests failed; the figures are of the others",
		"requests_failed:1":                       "1 request failed; the figures are of the others",
		"requests_failed:3 requests_completed:97": "3 of 100 requests failed; the figures are of the others",
		"requests_failed:8 requests_completed:0":  "all of 8 requests failed",
	} {
		ck := Judge(run(fields)).Raised[0]
		if got := locale.English(ck.Text); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if !ck.Concerns("output_throughput") || !ck.Concerns("ttft_p99") || ck.Concerns("power_mean") {
			t.Errorf("%s concerns %v", fields, ck.Metrics)
		}
	}
}

// TestMemoryFitTellsAllMemory checks that the check states the memory of all accelerators.
func TestMemoryFitTellsAllMemory(t *testing.T) {
	got := locale.English(Judge(run("memory=80_GB weight_size=200_GB accelerators=2")).Raised[0].Text)
	if want := "200 GB of weights do not fit into 2 × 80 GB of memory, yet the run was made: how many accelerators were used?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAccelerators(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]float64{
		"": 1, "accelerators=8": 8, "parallelism=tp8": 8, "parallelism=tp2-pp2": 4, "parallelism=TP=4,DP=2": 8, "parallelism=tp_4": 4,
		"parallelism=tensor-parallel-size_8": 8, "parallelism=ep8": 8, "parallelism=tp1-dp8-ep8": 8, "parallelism=none": 1, "parallelism=eight_cards": 0,
		"accelerators=8.0": 8, "accelerators=many": 0,
		"parallelism=tp2_cp4": 8, "parallelism=tp8_dcp8": 8, "parallelism=tp2_sp4": 0,
		"parallelism=tp8dp8": 64, "parallelism=tp8dp8 x_enable_dp_attention=true": 8, "parallelism=tp8dp8 x_dp_attention=True": 8,
		"parallelism=tp16-dp16-ep16": 16, "parallelism=tp8dp2ep16": 16, "parallelism=tp1dp16 x_enable_dp_attention=true": 16,
	} {
		if got := run(fields).Accelerators(); got != want {
			t.Errorf("%q: %v, want %v", fields, got, want)
		}
	}
}

// TestTelemetryDoesNotMultiplyARun checks that declared or measured parallelism counts, not what telemetry saw
// on the host.
func TestTelemetryDoesNotMultiplyARun(t *testing.T) {
	t.Parallel()
	for parallelism, want := range map[string]float64{"tp1": 1, "tp2": 2, "": 8, "eight cards": 8} {
		r := run("price_per_hour=2.50_USD output_throughput:128.0")
		r.Labels.Set(result.Label{Name: "accelerators", Value: "8", Origin: result.Captured})
		if parallelism != "" {
			r.Labels.Set(result.Label{Name: "parallelism", Value: parallelism, Origin: result.Declared})
		}
		if got := r.Accelerators(); got != want {
			t.Errorf("%s: %v accelerators, want %v", parallelism, got, want)
		}
		new(Auditor).Complete(r)
		// 2.50 / 3600 / 128 · 10⁶ = 5.4253 for one accelerator.
		if m, _ := r.Metric("cost_per_million_output_tokens"); math.Abs(m.Value-5.4253*want) > 0.001*want {
			t.Errorf("%s: %v, want %v", parallelism, m.Value, 5.4253*want)
		}
	}
}

func TestDerive(t *testing.T) {
	for _, c := range []struct {
		name, run, metric, want string
	}{
		// 100 · (495.44 + 22.59 · 127) / 42940 = 7.8351.
		{"requests in flight", fp8, "effective_concurrency", "7.84 1"},
		{"tokens a second of a user", fp8, "interactivity", "44.27 tok/s/user"},
		{"a tool's own figure is kept", fp8 + "interactivity:50.0", "interactivity", "50.0 tok/s/user"},
		// 16/273/0.06363 = 92.1 %.
		{"bandwidth utilisation", thor + "weight_size=16_G tpot_mean:63.63", "mbu", "92.1 %"},
		// 16/273/0.06363 = 92.1 % for each replica.
		{"of a replica", thor + "weight_size=16_G parallelism=dp8 tpot_mean:63.63", "mbu", "92.1 %"},
		{"of experts for one stream only", thor + "weight_size=33_GB active_params=3.3_G params=30.5_G max_concurrency=8 tpot_mean:60.0", "mbu", "none"},
		{"of experts for one stream", thor + "weight_size=33_GB active_params=3.3_G params=30.5_G max_concurrency=1 tpot_mean:28.7", "mbu", "45.6 %"},
		{"speculative decoding", thor + "weight_size=16_G acceptance_length:2.0 tpot_mean:40.0", "mbu", "none"},
		// 120 W · 42.94 s / 12800 = 0.403 J.
		{"energy of a token", fp8 + "power_mean:120.0", "energy_per_output_token", "0.403 J/tok"},
		{"energy measured", fp8 + "energy:6400", "energy_per_output_token", "0.500 J/tok"},
		// 2 · 2.49 / 3600 / 298.07 · 10⁶ = 4.64.
		{"cost", fp8 + "price_per_hour=2.49_USD accelerators=2", "cost_per_million_output_tokens", "4.64 USD"},
		{"cost of all tokens", fp8 + "price_per_hour=2.49_USD accelerators=2", "cost_per_million_total_tokens", "0.274 USD"}, // 298.07/5052.54 of it
		{"cost of all tokens unknown", "output_throughput:298.07 price_per_hour=2.49_USD", "cost_per_million_total_tokens", "none"},
		{"cost of fast tokens", "output_throughput:29807 price_per_hour=2.49_USD", "cost_per_million_output_tokens", "0.0232 USD"},
		{"cost of slow tokens", "output_throughput:2.0 price_per_hour=2.49_USD", "cost_per_million_output_tokens", "345.83 USD"},
		{"no currency, no cost", fp8 + "price_per_hour=2.49", "cost_per_million_output_tokens", "none"},
		{"per accelerator", fp8 + "accelerators=2", "output_throughput_per_accelerator", "149.03 tok/s"},
		{"all tokens per accelerator", fp8 + "accelerators=2", "total_throughput_per_accelerator", "2526.27 tok/s"},
		{"one accelerator that is stated", fp8 + "parallelism=tp1", "output_throughput_per_accelerator", "298.07 tok/s"},
		{"accelerators unknown", fp8, "output_throughput_per_accelerator", "none"},
		{"accelerators that cannot be read", fp8 + "parallelism=hybrid", "output_throughput_per_accelerator", "none"},
		// 12800 tokens of 6400 J.
		{"tokens of energy", fp8 + "energy:6400", "output_tokens_per_joule", "2.00 tok/J"},
		{"tokens of reported energy", "energy_per_output_token:4.0", "output_tokens_per_joule", "0.250 tok/J"},
		{"no energy, no tokens of it", fp8, "output_tokens_per_joule", "none"},
		// 298.07 / (2.49 / 3600).
		{"tokens of a price", fp8 + "price_per_hour=2.49_USD", "output_tokens_per_currency", "430945 tok/USD"},
		{"no price, no tokens of it", fp8, "output_tokens_per_currency", "none"},
		{"nothing to divide by", "requests_completed:0 tpot_mean:0.00", "interactivity", "none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := run(c.run)
			new(Auditor).derive(r, factsOf(r, Speculation(r)))
			got := "none"
			if m, ok := r.Metric(c.metric); ok {
				got = m.Text() + " " + m.Unit
			}
			if got != c.want {
				t.Errorf("%s is %s, want %s", c.metric, got, c.want)
			}
		})
	}
}

// TestScaleChangesNoVerdict checks that twice the requests in twice the time, or times with other digits,
// change no verdict.
func TestScaleChangesNoVerdict(t *testing.T) {
	for _, factor := range []float64{0.5, 2, 10} {
		r := run(thor + "weight_size=8.9_G compute_peak=515_TFLOPS " + strings.Replace(fp8, "max_concurrency=8 ", "", 1))
		for i := range r.Metrics {
			m := &r.Metrics[i]
			m.Decimals = result.FullPrecision
			switch m.Name {
			case "requests_completed", "input_tokens", "output_tokens", "duration":
				m.Value *= factor
			}
		}
		// The printed digits no longer bound the rates, so these are computed again.
		set := func(name string, v float64) {
			for i := range r.Metrics {
				if r.Metrics[i].Name == name {
					r.Metrics[i].Value = v
				}
			}
		}
		d, _ := r.Metric("duration")
		set("request_throughput", 100*factor/d.Value)
		set("output_throughput", 12800*factor/d.Value)
		set("total_throughput", (204169+12800)*factor/d.Value)
		var got []string
		for _, c := range Judge(r).Raised {
			got = append(got, c.ID+" "+fmt.Sprintf("%.4f", c.Figures["mbu"]))
		}
		if s := strings.Join(got, ", "); s != "physics.memory-roofline 1.4431" {
			t.Errorf("times %v: %s", factor, s)
		}
	}
}

func TestSamples(t *testing.T) {
	for _, c := range []struct {
		run, metric string
		have, need  int
	}{
		{"requests_completed:10 ttft_p99:1.0", "ttft_p99", 10, 100},
		{"requests_completed:10 ttft_p95:1.0", "ttft_p95", 10, 20},
		{"requests_completed:10 ttft_p90:1.0", "ttft_p90", 10, 10},
		{"requests_completed:100 ttft_p99_9:1.0", "ttft_p99_9", 100, 1000},
		{"requests_completed:10 output_tokens:1280 itl_p99:1.0", "itl_p99", 1280, 100},
		{"requests_completed:1 ttft_p50:1.0", "ttft_p50", 0, 0},
		{"requests_completed:1 ttft_mean:1.0", "ttft_mean", 0, 0},
		{"ttft_p99:1.0", "ttft_p99", 0, 0},
	} {
		if have, need := Samples(run(c.run), c.metric); have != c.have || need != c.need {
			t.Errorf("%s of %q: %d of %d, want %d of %d", c.metric, c.run, have, need, c.have, c.need)
		}
	}
}

func TestQuantities(t *testing.T) {
	for s, want := range map[string]float64{
		"8.9 G": 8.9e9, "8.9GB": 8.9e9, "16 GiB": 16 << 30, "273 GB/s": 273e9, "257 TFLOPS": 257e12, "1 PFLOPS": 1e15, "147456 B": 147456, "8": 8, "1,024 MB": 1.024e9,
		"": 0, "eight": 0, "-3 G": 0, "3 parsecs": 0, "0": 0,
	} {
		if got, ok := Quantity(s); got != want || ok != (want > 0) {
			t.Errorf("Quantity(%q) = %v, %v", s, got, ok)
		}
	}
	for s, want := range map[string]float64{"8.2 G": 8.2e9, "8.2B": 8.2e9, "8.2 B": 8.2e9, "600M": 6e8, "8190735360": 8190735360} {
		if got, _ := Parameters(s); math.Abs(got-want) > 1 {
			t.Errorf("Parameters(%q) = %v", s, got)
		}
	}
	for q, want := range map[string]float64{
		"BF16": 16, "FP16": 16, "FP8": 8, "FP4": 4, "NVFP4": 4, "MXFP4": 4, "AWQ": 4, "AWQ-8bit": 8, "AWQ-4bit": 4, "GPTQ-Int4": 4, "GPTQ-Int8": 8,
		"W4A16": 4, "Int8-W8A16": 8, "W8A8": 8, "Q5_K_M": 5, "Q8_0": 8, "IQ2_XS": 2, "F16": 16, "UD-Q4_K_XL": 4, "fp8_e4m3": 8, "FP8_DYNAMIC": 8, "bfloat16": 16, "GPTQ": 0, "": 0, "MIX": 0,
	} {
		if got := nominalBits(q); got != want {
			t.Errorf("nominalBits(%q) = %v, want %v", q, got, want)
		}
	}
}

// TestContradictionsInReadableFigures checks that a contradiction quotes the digits that a tool printed, and
// the significant digits of a full-precision number.
func TestContradictionsInReadableFigures(t *testing.T) {
	rate := func(stored bool) string {
		r := run("duration:54.30 requests_completed:100 request_throughput:2.86")
		for i := range r.Metrics {
			if m := &r.Metrics[i]; stored && m.Name != "requests_completed" {
				m.Decimals = result.FullPrecision
				m.Value += 0.00123456789
			}
		}
		for _, c := range Judge(r).Raised {
			if strings.HasPrefix(c.ID, "consistency.") {
				return locale.English(c.Text)
			}
		}
		return ""
	}
	if got, want := rate(false), "Request throughput is reported as 2.86 req/s, but 100 in 54.30 s make 1.842"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := rate(true), "Request throughput is reported as 2.8612 req/s, but 100 in 54.301 s make 1.842"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
