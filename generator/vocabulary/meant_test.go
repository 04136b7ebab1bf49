package vocabulary

import (
	"slices"
	"testing"
)

func TestMeant(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"mean_ttft_ms": "ttft_mean", "ttft": "ttft_mean", "median_tpot_ms": "tpot_p50", "p99_itl_ms": "itl_p99", "P99 TTFT (ms)": "ttft_p99",
		"p99.9_e2el": "e2el_p99_9", "avg_latency": "e2el_mean", "std_ttft_ms": "ttft_std", "time_to_first_token": "ttft_mean", "ttft_avg": "ttft_mean",
		"Mean TPOT (ms)": "tpot_mean", "tpot_99th": "tpot_p99", "inter_token_latency_p90": "itl_p90",
		"throughput": "output_throughput", "tok/s": "output_throughput", "tokens_per_second": "output_throughput", "req/s": "request_throughput",
		"output_token_throughput": "output_throughput", "tg128": "decode_throughput", "pp512": "prefill_throughput", "concurrency": "max_concurrency",
		"quant": "quantization", "isl": "input_len", "ngl": "gpu_layers", "watts": "power_mean", "吞吐量": "output_throughput", "并发": "max_concurrency",
	} {
		if got := Meant(word); len(got) == 0 || got[0] != want {
			t.Errorf("%s: %v, want %s first", word, got, want)
		}
	}
	for _, word := range []string{"ttft_mean", "output_throughput", "tpot_p99", "max_concurrency", "colour", "x_own", "", "p99", "ms"} {
		if got := Meant(word); len(got) > 0 {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// TestWhatIsMeantExists: every suggested name exists, and no valid name is listed with another meaning.
func TestWhatIsMeantExists(t *testing.T) {
	t.Parallel()
	isLabel := func(name string) bool {
		return slices.ContainsFunc(labels, func(l Label) bool { return l.Name == name })
	}
	for word, names := range otherNames() {
		if _, metric := Define(word); metric {
			t.Errorf("%s is a metric itself", word)
		}
		for _, name := range names {
			if _, metric := Define(name); !metric && !isLabel(name) {
				t.Errorf("%s means %s, which is neither metric nor label", word, name)
			}
		}
	}
	for _, family := range familyWords {
		if !slices.Contains(families, family) {
			t.Errorf("%s is no latency", family)
		}
	}
}
