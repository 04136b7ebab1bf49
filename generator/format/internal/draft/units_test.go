package draft

import (
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

func TestNames(t *testing.T) {
	for field, want := range map[string]string{
		"Output Token Throughput/GPU": "output_token_throughput_per_gpu",
		"RTFx (Inverse Real-Time)":    "rtfx_inverse_real_time",
		"  a--b  ":                    "a_b",
		"request_goodput:":            "request_goodput",
		"decode_tps":                  "decode_tps",
		"_a__b_":                      "a_b",
		"平均 TTFT":                     "平均_ttft",
	} {
		if got := Snake(field); got != want {
			t.Errorf("snake(%q) is %q", field, got)
		}
	}
	for _, test := range []struct{ statistic, family, want string }{
		{"Mean", "TTFT", "ttft_mean"}, {"median", "itl", "itl_p50"}, {"P99.9", "TPOT", "tpot_p99_9"}, {"p50", "E2EL", "e2el_p50"},
		{"Mean", "Client Queue Time", "queue_mean"}, {"Mean", "batch_latency", ""}, {"P", "TTFT", ""}, {"Best", "TTFT", ""}, {"Mean", "E2E", ""},
	} {
		if got, _ := LatencyName(test.statistic, test.family); got != test.want {
			t.Errorf("%s %s is %q", test.statistic, test.family, got)
		}
	}
	for in, want := range map[string]string{"10.00": "10", "0.30": "0.3", "007": "7", "1e4": "10000", "inf": "inf", "Infinity": "inf", "a1": "a1", "8": "8"} {
		if got := string(scan.PlainNumber([]byte(in))); got != want {
			t.Errorf("plainNumber(%q) is %q", in, got)
		}
	}
}
