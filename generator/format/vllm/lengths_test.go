package vllm_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

// block returns a table of SGLang, or of vLLM, with the number of requests and the tokens of each.
func block(sglang bool, requests, input, output int) string {
	backend := ""
	if sglang {
		backend = "Backend:                                 sglang\n"
	}
	return fmt.Sprintf("============ Serving Benchmark Result ============\n%sSuccessful requests:                     %d\n"+
		"Benchmark duration (s):                  40.00\nTotal input tokens:                      %d\nTotal generated tokens:                  %d\n"+
		"Request throughput (req/s):              %.2f\n==================================================\n",
		backend, requests, requests*input, requests*output, float64(requests)/40)
}

// TestCommandsArePairedByTokens puts two commands above two tables: each table gets the lengths that match its tokens.
func TestCommandsArePairedByTokens(t *testing.T) {
	t.Parallel()
	const command = "python -m sglang.bench_serving --dataset-name random --random-input-len %d --random-output-len %d --random-range-ratio 1\n"
	text := fmt.Sprintf(command, 1500, 1) + fmt.Sprintf(command, 20, 600) + "Prefill:\n" + block(true, 30, 1500, 1) + "Decode:\n" + block(true, 30, 20, 600)
	out := fixture.Read(t, text)
	if len(out.Results) != 2 {
		t.Fatalf("%d results", len(out.Results))
	}
	for i, want := range []string{"1500 1", "20 600"} {
		if got := out.Results[i].Label("input_len") + " " + out.Results[i].Label("output_len"); got != want {
			t.Errorf("result %d: lengths %q, want %q", i, got, want)
		}
	}
	// A table that no command can have made has no lengths.
	r := fixture.One(t, fmt.Sprintf(command, 20, 600)+block(true, 30, 1500, 1))
	if got := r.Label("input_len") + r.Label("output_len"); got != "" {
		t.Errorf("lengths %q of another run", got)
	}
	// If several commands are possible, the nearest one is used.
	r = fixture.One(t, fmt.Sprintf(command, 1500, 1)+fmt.Sprintf(command, 1400, 2)+block(true, 30, 1450, 1))
	if got := r.Label("input_len"); got != "1400" {
		t.Errorf("input_len %q", got)
	}
}

// TestLengthsOfADatasetThatWasNotUsed checks that lengths of the random dataset are ignored if another dataset was
// used. SGLang's client ignores them if the command names no dataset.
func TestLengthsOfADatasetThatWasNotUsed(t *testing.T) {
	t.Parallel()
	const sglang = "python3 -m sglang.bench_serving --backend sglang --num-prompts 10 --random-input-len 1024 --random-output-len 1024\n"
	r := fixture.One(t, sglang+block(true, 10, 197, 212))
	if got := r.Label("dataset") + " " + r.Label("input_len") + r.Label("output_len"); got != "sharegpt " {
		t.Errorf("dataset and lengths %q", got)
	}
	// vLLM's default dataset has changed, so the tokens decide.
	const vllm = "vllm bench serve --model m --num-prompts 10 --random-input-len 1024 --random-output-len 128\n"
	r = fixture.One(t, vllm+block(false, 10, 217, 219))
	if got := r.Label("input_len") + r.Label("output_len"); got != "" {
		t.Errorf("lengths %q against the tokens", got)
	}
	r = fixture.One(t, vllm+block(false, 10, 1024, 128))
	if got := r.Label("input_len") + " " + r.Label("output_len"); got != "1024 128" {
		t.Errorf("lengths %q", got)
	}
	saved := `{"backend": "sglang", "request_rate": 4, "random_input_len": 1024, "random_output_len": 128, "completed": 10, "total_input_tokens": 2190, ` +
		`"total_output_tokens": 2370, "total_output_tokens_retokenized": 2360, "duration": 9.5, "request_throughput": 1.05, "output_throughput": 249.5}`
	r = fixture.One(t, saved)
	if got := r.Label("input_len") + r.Label("output_len"); got != "" {
		t.Errorf("saved: lengths %q against the tokens", got)
	}
}

// TestPlainLinesEndWithTheFile checks that plain lines, which no rule ends, are complete at the end of the file.
func TestPlainLinesEndWithTheFile(t *testing.T) {
	t.Parallel()
	const plain = "Successful requests: 10\nBenchmark duration: 40.5 s\nTotal input tokens: 2000\nTotal generated tokens: 1000\n" +
		"Request throughput: 0.25 requests/s\nMean TTFT: 30.5 ms\nMedian TTFT: 30.1 ms\nP99 TTFT: 50.2 ms\nMean TPOT: 20.5 ms\nMedian TPOT: 20.1 ms\nP99 TPOT: 25.5 ms\n"
	out := fixture.Read(t, plain)
	if len(out.Results) != 1 || out.Results[0].Status.String() != "complete" || len(out.Messages) != 0 {
		t.Errorf("%d results, messages %v", len(out.Results), out.Messages)
	}
	cut := strings.TrimSuffix(plain, "P99 TPOT: 25.5 ms\n")
	if out := fixture.Read(t, cut[:strings.Index(cut, "Median TPOT")]); len(out.Results) != 1 || out.Results[0].Status.String() != "partial" {
		t.Errorf("cut: %d results", len(out.Results))
	}
}
