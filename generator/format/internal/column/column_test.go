package column

import (
	"strings"
	"testing"
)

// A name means the same in any letters and with any signs between its words.
func TestNamesMeanTheSameHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"output tok/s": "output_throughput tok/s", "p99 ttft (ms)": "ttft_p99 ms", "ttft p99 (s)": "ttft_p99 s", "mean itl ms": "itl_mean ms",
		"decode tokens per second": "decode_throughput tok/s", "total token throughput": "total_throughput tok/s", "completed requests": "requests_completed ",
		"batch size": "batch_size ", "max concurrency": "max_concurrency ", "avg power (w)": "power_mean W", "benchmark duration (s)": "duration s",
		"first token latency (ms)": "ttft_mean ms", "p99 next token latency (ms/token)": "tpot_p99 ms", "1st token avg latency (ms)": "ttft_mean ms",
		"2+ avg latency (ms/token)": "tpot_mean ms",
	} {
		for _, form := range []string{name, strings.ToUpper(name), strings.ReplaceAll(name, " ", "_"), strings.ReplaceAll(name, " ", "-"), "  " + name + " "} {
			if c := Of(form); c.Name+" "+c.Unit != want {
				t.Errorf("%q means %s in %q, not %s", form, c.Name, c.Unit, want)
			}
		}
	}
}

// What is not known is kept under a name of its own, and a latency without a unit under none.
func TestUnknownNamesAreKept(t *testing.T) {
	t.Parallel()
	if c := Of("Widgets per Fortnight"); c.Name != "x_widgets_per_fortnight" || c.Speed || c.Label {
		t.Errorf("%+v", c)
	}
	if c := Of("P99 TTFT"); !c.Ambiguous || !strings.HasPrefix(c.Name, "x_") {
		t.Errorf("%+v", c)
	}
	if c := Of("tg128 (t/s)"); c.Test == nil || c.Test.Gen != "128" || c.Name != "decode_throughput" {
		t.Errorf("%+v", c)
	}
}
