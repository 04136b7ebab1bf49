package vllm_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestLLMPerfCorpus(t *testing.T) {
	fixture.CheckFigures(t, "llmperf/summary-yi34b-4xa10g-tgi-c16.json", 0,
		"output_throughput=126.216 tok/s", "ttft_mean=6056.375 ms", "ttft_p50=7700.104 ms", "ttft_p99=8589.655 ms", "ttft_std=2781.611 ms",
		"tpot_incl_ttft_mean=111.1168 ms", "itl_mean=none", "tpot_mean=none", "e2el_mean=17632.817 ms", "e2el_max=18613.689 ms",
		"requests_completed=112 1", "requests_failed=0 1", "request_throughput=0.794885 req/s", "duration=140.9008 s", "output_tokens=17784 tok",
		"x_mean_input_len=550 tok", "x_mean_output_len=158.785714 tok",
		"model_raw:01-ai/Yi-1.5-34B-Chat", "max_concurrency:16", "input_len:550", "output_len:150", "date:2024-06-12T15:39:15Z")
	// The file with the requests of the same run has the number of output tokens that follows from the rate.
	fixture.CheckFigures(t, "llmperf/individual-yi34b-4xa10g-tgi-c16.json", 0,
		"requests_completed=112 1", "requests_failed=0 1", "output_tokens=17784 tok", "input_tokens=61600 tok",
		"ttft_mean=6056.375 ms", "ttft_p50=7700.104 ms", "ttft_p99=8589.655 ms", "e2el_mean=17632.817 ms",
		"tpot_mean=73.403092 ms", "tpot_incl_ttft_mean=111.1168 ms", "output_throughput=none", "duration=none")
	fixture.CheckFigures(t, "llmperf/leaderboard-anyscale-7b-individual.json", 0,
		"requests_completed=150 1", "requests_failed=0 1", "ttft_mean=225.183 ms", "ttft_p50=203.547 ms", "e2el_mean=2947.270 ms",
		"tpot_mean=18.148020 ms", "tpot_incl_ttft_mean=18.878 ms", "output_tokens=22649 tok")
	for n, want := range [][]string{
		0: {"max_concurrency:1", "output_throughput=32.212 tok/s", "ttft_mean=135.41 ms", "tpot_incl_ttft_mean=30.33 ms", "request_throughput=0.19296 req/s", "x_mean_output_len=166.94 tok"},
		3: {"max_concurrency:8", "output_throughput=200.441 tok/s", "ttft_mean=231.096 ms"},
		5: {"max_concurrency:32", "output_throughput=374.52 tok/s", "ttft_mean=325.38 ms"},
		6: {"max_concurrency:64", "output_throughput=310.85 tok/s", "ttft_mean=1814.53 ms", "request_throughput=1.84061 req/s"},
	} {
		fixture.CheckFigures(t, "llmperf/csv-nim-a10g-transposed.csv", n, want...)
	}
}

// TestLLMPerfRequests checks that a request with one token has no time per output token, and that a failed request has
// no latency.
func TestLLMPerfRequests(t *testing.T) {
	request := func(code, ttft, e2el, tokens string) string {
		return `{"error_code": ` + code + `, "ttft_s": ` + ttft + `, "end_to_end_latency_s": ` + e2el + `, "number_output_tokens": ` + tokens + `, "number_input_tokens": 5}`
	}
	list := "[" + request("null", "0.5", "0.5", "1") + ",\n" + request("null", "0.5", "2.5", "5") + ",\n" + request("500", "0", "0", "0") + "]\n"
	r := fixture.Only(t, list)
	fixture.Has(t, r, "requests_completed=2 1", "requests_failed=1 1", "tpot_mean=500 ms", "tpot_max=500 ms", "ttft_mean=500 ms", "e2el_mean=1500 ms",
		"output_tokens=6 tok", "input_tokens=10 tok")
	if r.Source.Line != 1 || r.EndLine != 3 || r.Status != result.Complete {
		t.Errorf("lines %d to %d, %v", r.Source.Line, r.EndLine, r.Status)
	}
	if other := fixture.Only(t, strings.Replace(list, "2.5", "2.25", 1)); other.Digest == r.Digest {
		t.Error("two runs with different requests have one digest")
	}
	if r := fixture.Only(t, "["+request("null", "0", "0", "0")+"]"); r.Status != result.Failed {
		t.Errorf("no request has a latency, and the run is %v", r.Status)
	}
}

// TestLLMPerfCSVLookalikes checks that other tables, such as those with a column of concurrencies, are not read as
// llmperf's transposed table.
func TestLLMPerfCSVLookalikes(t *testing.T) {
	for _, text := range []string{
		"concurrency,ttft_ms,throughput\n1,30,40\n",
		"concurrency,1,2\nlatency,3,4\n",
		"concurrency,\n",
		"max concurrency,1,2\nthroughput_token_per_s,3,4\n",
	} {
		for _, r := range fixture.ReadText(t, text).Results {
			if r.Tool == "llmperf" {
				t.Errorf("%q is read as %s", text, r.Format)
			}
		}
	}
	// Digits of the last cell may be missing in a file that was cut off.
	out := fixture.ReadText(t, "concurrency,1,2\nthroughput_token_per_s,30.5,44.1\nfirst-time-to-token_mean_in_ms,100.5,200.2")
	if len(out.Results) != 2 || out.Results[0].Status != result.Complete || out.Results[1].Status != result.Partial {
		t.Fatalf("results %v", out.Results)
	}
	fixture.Has(t, &out.Results[0], "ttft_mean=100.5 ms")
	fixture.Has(t, &out.Results[1], "ttft_mean=none", "output_throughput=44.1 tok/s")
}
