package format_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// three has three requests as --save-detailed saves them, and one that failed. The first answers with 3 tokens after
// 0.1 s, then 0.02 and 0.04 s apart: its TPOT is 30 ms.
const three = `"ttfts": [0.1, 0.3, 0.0, 0.2], "itls": [[0.02, 0.04], [0.05], [], []], "output_lens": [3, 2, 0, 1], ` +
	`"start_times": [10.0, 10.0, 10.0, 10.05], "errors": ["", "", "refused", ""]`

func TestSingleRequests(t *testing.T) {
	r := fixture.One(t, fixture.Object(three))
	for _, test := range []struct {
		metric string
		want   float64
		field  string
	}{
		{"ttft_mean", 200, "mean of ttfts"},
		{"ttft_p50", 200, "p50 of ttfts"},
		{"ttft_p25", 150, "p25 of ttfts"}, // any percentile can be requested
		{"ttft_max", 300, "max of ttfts"},
		{"itl_mean", 1e3 * (0.02 + 0.04 + 0.05) / 3, "mean of itls"},
		{"tpot_mean", 40, "mean of (ttfts + Σ itls − ttfts) / (output tokens − 1)"}, // 30 and 50; one token has none
		{"e2el_mean", 1e3 * (0.16 + 0.35 + 0.2) / 3, "mean of ttfts + Σ itls"},
		{"requests_failed", 1, "number of errors that are not empty"},
	} {
		m, ok := r.Metric(test.metric)
		if !ok || math.Abs(m.Value-test.want) > 1e-9 || !m.Derived || m.Field != test.field {
			t.Errorf("%s is %+v, not %v", test.metric, m, test.want)
		}
	}
	if d := r.Distribution("ttft"); d.N != 3 || d.Share(200) != 0.5 || d.Share(99) != 0 || d.Share(300) != 1 {
		t.Errorf("%+v: %v of the requests had their first token after 200 ms", d, d.Share(200))
	}
}

// TestPrintedStatisticsStand checks that printed statistics are kept, and that single requests add only the others.
func TestPrintedStatisticsStand(t *testing.T) {
	r := fixture.One(t, fixture.Object(three+`, "mean_ttft_ms": 123.4`))
	if got := fixture.Figures(r, "ttft_mean"); got != "ttft_mean=123.4 ms" {
		t.Error(got)
	}
}

// TestDeepListsLeaveNothingBehind checks that nested lists do not use memory of other values: the file after them is
// read as before.
func TestDeepListsLeaveNothingBehind(t *testing.T) {
	for range 3 {
		fixture.Read(t, `{"a": [[[1, 2], [3]], [[4]]], "b": [[5, 6]], "c": [7, 8]}`+"\n"+fixture.Object(three))
		if r := fixture.One(t, fixture.Object(three)); r.Distribution("ttft").N != 3 || r.Distribution("itl").N != 3 {
			t.Fatalf("%+v", r.Distributions)
		}
	}
}

// TestEveryToolsRequestsAreADistribution checks that single requests saved by any tool give the distributions of their
// latencies, and, if their start times are known, the throughput under full load.
func TestEveryToolsRequestsAreADistribution(t *testing.T) {
	for file, want := range map[string]string{
		"nvidia/testdata/fixtures/aiperf-records.jsonl": "ttft tpot itl e2el", "loadgen/testdata/fixtures/guidellm-0.1.json": "ttft e2el tpot", "loadgen/testdata/fixtures/inference-perf-requests.json": "e2el ttft tpot itl",
		"vllm/testdata/fixtures/llmperf-responses.json": "ttft e2el tpot tpot_incl_ttft",
	} {
		data, err := os.ReadFile(filepath.FromSlash(file))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range fixture.Sane(t, data).Results[0].Distributions {
			got = append(got, d.Family)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", file, got, want)
		}
	}

	// Two requests at a time, each with 10 tokens in a second, for four seconds give 20 tokens per second between ramp
	// and drain. If the tokens of one request are unknown, there is no figure.
	file := func(tokens string) string {
		var b strings.Builder
		for i, start := range []float64{1000, 1000.5, 1001, 1001.5, 1002, 1002.5, 1003} {
			n := `"output_tokens": 10, `
			if i == 3 {
				n = tokens
			}
			fmt.Fprintf(&b, `{"start_time": %v, "end_time": %v, "info": {%s"input_tokens": 5, "output_token_times": []}, "error": null}`+"\n", start, start+1, n)
		}
		return b.String()
	}
	all, some := fixture.One(t, file(`"output_tokens": 10, `)), fixture.One(t, file(""))
	m, _ := all.Metric("steady_output_throughput")
	if math.Abs(m.Value-20) > 1e-9 {
		t.Errorf("%+v under full load, want 20", m)
	}
	if m, ok := some.Metric("steady_output_throughput"); ok {
		t.Errorf("%+v under full load, though the tokens of a request are not told", m)
	}
}
