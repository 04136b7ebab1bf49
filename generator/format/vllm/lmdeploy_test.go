package vllm_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

func TestCorpusLMDeploy(t *testing.T) {
	for _, s := range fixture.Manifest(t, "lmdeploy") {
		// Four rows of real conversations and 20 of fixed lengths.
		if out := fixture.ReadSample(t, fixture.Shared(t, "corpus", s.File)); len(out.Results) != 24 || len(out.Messages) != 0 {
			t.Fatalf("%s: %d results, messages %v", s.File, len(out.Results), out.Messages)
		}
		fixture.CheckFigures(t, s.File, 0, "model_raw:llama2-7b", "output_throughput=3387.419 tok/s", "total_throughput=6981.159 tok/s",
			"request_throughput=14.556 req/s", "ttft_mean=526 ms", "ttft_min=92 ms", "ttft_max=4652 ms", "x_per_token_latency_p50=66 ms",
			"x_per_token_latency_p99=220 ms", "max_concurrency:256", "num_prompts:3000", "parallelism:tp1", "engine:lmdeploy", "input_len:")
		fixture.CheckFigures(t, s.File, 3, "model_raw:llama2-70b", "quantization:FP16", "parallelism:tp4", "output_throughput=1682.738 tok/s", "ttft_mean=1075 ms")
		fixture.CheckFigures(t, s.File, 4, "max_concurrency:1", "input_len:1", "output_len:128", "output_throughput=100.02 tok/s", "x_mem=82194936627.2 B",
			"ttft_max=11 ms", "model_raw:llama2-7b", "quantization:FP16") // from the heading
		fixture.CheckFigures(t, s.File, 23, "max_concurrency:64", "input_len:2048", "output_len:2048", "output_throughput=755.65 tok/s",
			"ttft_mean=39105 ms", "x_per_token_latency_p95=51 ms")
	}
}

// TestLMDeployTables reads tables with CRLF, cut-off rows, and cells with a dash.
func TestLMDeployTables(t *testing.T) {
	const header = "batch,num_prompts,RPS,RPM,FTL(ave)(s),throughput(out tok/s),throughput(total tok/s)"
	for name, test := range map[string]struct {
		text   string
		status []result.Status
	}{
		"whole":         {header + "\n8,100,2.5,150.0,0.1,50.5,99.5\n16,100,3.5,210.0,-,60.5,119.5\n", []result.Status{result.Complete, result.Complete}},
		"CRLF":          {header + "\r\n8,100,2.5,150.0,0.1,50.5,99.5\r\n16,100,3.5,210.0,-,60.5,119.5\r\n", []result.Status{result.Complete, result.Complete}},
		"cut in a cell": {header + "\n8,100,2.5,150.0,0.1,50.5,99.5\n16,100,3.5,210.0,-,60.5,1", []result.Status{result.Complete, result.Partial}},
		"cut before it": {header + "\n8,100,2.5,150.0,0.1,50.5,99.5\n16,100,3.5", []result.Status{result.Complete}},
		"another table": {header + "\n8,100,2.5,150.0,0.1,50.5,99.5\n\n1,2,3,4,5,6,7\n", []result.Status{result.Complete}},
		"header alone":  {header + "\n", nil},
	} {
		out := fixture.Read(t, test.text)
		if len(out.Results) != len(test.status) {
			t.Errorf("%s: %d results", name, len(out.Results))
			continue
		}
		for i, want := range test.status {
			r := &out.Results[i]
			_, total := r.Metric("total_throughput")
			if r.Status != want || total != (want == result.Complete) || r.Source.Line != i+2 {
				t.Errorf("%s: row %d is %v in line %d, with a total: %v", name, i, r.Status, r.Source.Line, total)
			}
		}
	}
}

// TestWhoseTable checks how LMDeploy's table is distinguished from SGLang's of 2024, which has the same form: by the
// command, or by rows that SGLang's table has only together with a concurrency cap.
func TestWhoseTable(t *testing.T) {
	const rows = "Successful requests:                     10        \nBenchmark duration (s):                  5.00      \n" +
		"Total generated tokens (retokenized):    99        \nOutput token throughput (tok/s):         20.00     \n" +
		"==================================================\n"
	head := "============ Serving Benchmark Result ============\nBackend:                                 "
	for _, test := range []struct{ text, tool string }{
		{head + "sglang\nTraffic request rate: inf\n" + rows, "sglang-serving"},
		{head + "lmdeploy\nTraffic request rate: inf\n" + rows, "lmdeploy"},
		{head + "lmdeploy\nTraffic request rate: inf\nMax request concurrency: not set\n" + rows, "sglang-serving"},
		{head + "sglang\nTraffic request rate: inf\nTotal input text tokens: 10\n" + rows, "lmdeploy"},
		{head + "sglang\nMax request concurrency: 4\nTotal input text tokens: 10\n" + rows, "sglang-serving"},
		{"python3 profile_restful_api.py --backend vllm --num-prompts 10\n" + head + "vllm\n" + rows, "lmdeploy"},
	} {
		if r := fixture.One(t, test.text); r.Tool != test.tool || !strings.HasPrefix(r.Format, test.tool) {
			t.Errorf("%s is taken for %s's, %s", test.text, r.Tool, r.Format)
		}
	}
}

// TestRatesForAMinute checks that rates per minute are converted to rates per second.
func TestRatesForAMinute(t *testing.T) {
	r := fixture.One(t, "Total time: 30.00 s\nRequests/min: 120.00\nOutput_tokens/min: 6000.00\nInput_tokens/min: 3000.00\nTokens/min: 9000.00\n"+
		"Average milliseconds/output_token (includes waiting time on server): 12.50\n")
	want := "request_throughput=2 req/s; output_throughput=100 tok/s; input_throughput=50 tok/s; total_throughput=150 tok/s; tpot_mean=none; tpot_incl_ttft_mean=12.50 ms"
	if got := fixture.Figures(r, fixture.NamesOf(want)...); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, text := range []string{
		"Total time: 30.00 s\nall done\n",
		"====Result for Model: x====\nErrors: {}\n",
		"Benchmark Result\n= Benchmark Result =\nscore: 3\n",
		"concurrency: 4\nelapsed_time: 3.0s\n",
	} {
		if out := fixture.Read(t, text); len(out.Results) != 0 {
			t.Errorf("%q gives %v", text, out.Results[0].Metrics)
		}
	}
}

// TestJetStreamWarmup checks that a warm-up gets the arguments of the run that follows it.
func TestJetStreamWarmup(t *testing.T) {
	block := func(requests string) string {
		return "Successful requests: " + requests + "\nBenchmark duration: 2.000000 s\nOutput token throughput: 10.00 tokens/s\nMean TPOT: 3.00 ms\nP99 TPOT: 4.00 ms\n"
	}
	out := fixture.Read(t, "Namespace(server='x', num_prompts=200, request_rate=0.0)\nWarm up start:\n"+block("8")+"Warm up done\n"+block("200"))
	if len(out.Results) != 2 {
		t.Fatalf("%d results", len(out.Results))
	}
	for i, want := range []string{"engine=jetstream num_prompts=200 phase=warmup request_rate=inf", "engine=jetstream num_prompts=200 request_rate=inf"} {
		if r := out.Results[i]; r.Tool != "jetstream-serving" || fixture.SettingsOf(r) != want {
			t.Errorf("%s: %s", r.Tool, fixture.SettingsOf(r))
		}
	}
	if r := fixture.One(t, block("8")); r.Tool != "vllm-serve" { // nothing shows another tool
		t.Error(r.Tool)
	}
}
