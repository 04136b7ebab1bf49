package format_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

func TestCorpusGeneric(t *testing.T) {
	const sweep, pareto = "generic/csv-orin-sweep-power-excerpt.csv", "generic/csv-thor-pareto.csv"
	fixture.CheckFigures(t, sweep, 0, "ttft_mean=23.00 ms", "tpot_mean=16.29 ms", "decode_throughput=61.4 tok/s", "prefill_throughput=2912.7 tok/s",
		"x_dec_total_mw=36056 mW", "x_prefill_energy_mj=503.46 mJ", "model_raw:Llama-3.2-1B", "engine:trtllm", "quantization:fp16",
		"x_prompt_tokens:128", "x_gen_tokens:128", "device:AGX Orin 32GB", "date:2026-07-11T08:52:45",
		"power_mean=none") // the power of its phases is not that of the run
	fixture.CheckFigures(t, sweep, 58, "ttft_mean=23.01 ms", "tpot_mean=16.36 ms")
	fixture.CheckFigures(t, pareto, 0, "tpot_mean=10.537 ms", "x_tps=94.9 tok/s", "x_pdecode_w=83.68 W", "engine:llamacpp", "quantization:f16",
		"output_throughput=none", "decode_throughput=none")
	fixture.CheckFigures(t, pareto, 30, "tpot_mean=6.860 ms", "x_tps=145.8 tok/s", "engine:sglang")
	for file, results := range map[string]int{sweep: 59, pareto: 31} {
		if n := len(fixture.ReadSample(t, fixture.Shared(t, "corpus", file)).Results); n != results {
			t.Errorf("%s: %d results of %d rows", file, n, results)
		}
	}
	// The units of these files are not in their column names, and readings over time are not runs.
	for _, file := range []string{"txt-orin-agg-lines.txt", "txt-orin-perf-angles.txt", "csv-telemetry-gb10-03.csv", "csv-telemetry-gb10-05.csv"} {
		if n := len(fixture.ReadSample(t, fixture.Shared(t, "corpus", "generic", file)).Results); n != 0 {
			t.Errorf("%s: %d results", file, n)
		}
	}
}

// TestGenericColumns checks the meanings of column names with and without units.
func TestGenericColumns(t *testing.T) {
	for column, want := range map[string]string{
		"ttft_ms": "ttft_mean 1500 ms", "TTFT (ms)": "ttft_mean 1500 ms", "ttft_s": "ttft_mean 1500000 ms", "mean_ttft_ms": "ttft_mean 1500 ms",
		"ttft_p99_ms": "ttft_p99 1500 ms", "p99_ttft_ms": "ttft_p99 1500 ms", "median_tpot_ms": "tpot_p50 1500 ms",
		"P90 first token latency (ms)": "ttft_p90 1500 ms", "p99_next_token_latency_ms": "tpot_p99 1500 ms",
		"itl_ms": "itl_mean 1500 ms", "e2e_latency_ms": "e2el_mean 1500 ms",
		"decode_tps": "decode_throughput 1500 tok/s", "prefill_tps": "prefill_throughput 1500 tok/s",
		"output_throughput": "output_throughput 1500 tok/s", "output_tps": "output_throughput 1500 tok/s",
		"tokens_per_s": "output_throughput 1500 tok/s", "tps": "output_throughput 1500 tok/s", "out_tok_s": "output_throughput 1500 tok/s",
		"throughput_tok_s": "output_throughput 1500 tok/s", "total_tok_s": "total_throughput 1500 tok/s", "qps": "x_qps 1500 req/s",
		"rps_mean": "request_throughput 1500 req/s", "duration_s": "duration 1500 s", "req_latency_mean_s": "e2el_mean 1500000 ms",
		"concurrency_mean": "effective_concurrency 1500 1",
		"power_w":          "power_mean 1500 W", "power_mw": "power_mean 1.500 W", "peak_power_w": "power_max 1500 W",
		"prompt_eval_rate_tps": "x_prompt_eval_rate_tps 1500 tok/s", // a log uses this name for another rate
		"latency_ms":           "x_latency_ms 1500 ms",              // what it is the latency of is not stated
		"tok_per_j":            "x_tok_per_j 1500 ",
		"memory_mb":            "x_memory_mb 1500 MB",
		"ttft":                 "",
		"p99_ttft":             "",
	} {
		out := fixture.ReadText(t, "name,tpot_us,"+column+",ttft_us\na,1,1500,1\n")
		found := ""
		for _, m := range out.Results[0].Metrics {
			if m.Field == column {
				found = m.Name + " " + m.Text() + " " + m.Unit
			}
		}
		if found != want {
			t.Errorf("%s is %q, not %q", column, found, want)
		}
	}
}

// TestGenericStreams checks that the rate of one stream is not read from a row with several requests at a time.
func TestGenericStreams(t *testing.T) {
	out := fixture.ReadText(t, "concurrency,decode_tps\n1,50\n8,300\n")
	fixture.Same(t, &out.Results[0], map[string]string{"decode_throughput": "50 tok/s"})
	fixture.Same(t, &out.Results[1], map[string]string{"decode_throughput": "", "x_decode_tps": "300 tok/s"})
}

// TestGenericGivesNothing checks tables with too little information, and text that is not a table.
func TestGenericGivesNothing(t *testing.T) {
	for content, reason := range map[string]string{
		"model,ttft,note\nm,0.5,x\n": "the unit of column ttft is not known",
		"ttft_ms,tpot_ms\n":          "a header without rows",
		"we report ttft_ms, tpot_ms: both lower is better, and\n1,2,3\n": "no known format",
		"{'ttft_ms': 1, 'tpot_ms': 2},\n1,2\n":                           "no known format",
		"ttft_ms,ttft_ms\n1,2\n":                                         "no known format",
		"a,ttft_ms\nx,-1\ny,0\nz,N/A\n":                                  "",
	} {
		out := fixture.ReadText(t, content)
		if len(out.Results) != 0 || !strings.HasPrefix(locale.English(out.Reason), reason) {
			t.Errorf("%q: %d results, reason %q", content, len(out.Results), out.Reason)
		}
	}
}

// TestGenericLeavesOthers checks that a table that another format reads gives no generic result.
func TestGenericLeavesOthers(t *testing.T) {
	out := fixture.ReadText(t, "Provider,Model,Prompt Tokens,Total Latency,ttft_ms\nvllm,m,512,90.5,10\n")
	if len(out.Results) != 1 || out.Results[0].Format != "fw-ai-benchmark-csv" {
		t.Errorf("%d results", len(out.Results))
	}
}

// TestGenericNumbersWithCommas checks that a number with commas is read if it is unambiguous, and that other values are
// reported with their line: no row is lost without a message.
func TestGenericNumbersWithCommas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, figure, fault string }{
		{"name,ttft_ms,tpot_ms\na,\"1,234.56\",3\n", "1234.56", ""},
		{"name,ttft_ms,tpot_ms\na,\"1,234,567\",3\n", "1234567", ""},
		{"name;ttft_ms;tpot_ms\na;1234,56;3\n", "1234.56", ""},
		{"name;ttft_ms;tpot_ms\na;1.234,56;3\n", "1234.56", ""},
		{"name\tttft_ms\ttpot_ms\na\t12,5\t3\n", "12.5", ""},
		{"name,ttft_ms,tpot_ms\na,\"1,234\",3\n", "none", `ttft_ms is not a number, or may be two: "1,234"`},
		{"name;ttft_ms;tpot_ms\na;1,234;3\n", "none", `ttft_ms is not a number, or may be two: "1,234"`},
		{"name,ttft_ms,tpot_ms\nb,5,3\na,1,234.56,3\nc,6,3\n", "5", "the row has 4 cells where the header has 3"},
		{"name,ttft_ms,tpot_ms\na,fast,3\n", "none", `ttft_ms is not a number: "fast"`},
		{"name,ttft_ms\nb,5\na,0\n", "5", "the row has no figure above zero: ttft_ms is 0"},
		{"name,ttft_ms\nb,5\na,-3\n", "5", "the row has no figure above zero: ttft_ms is -3"},
		{"name,ttft_ms\nb,5\na,NaN\n", "5", "the row has no figure above zero: ttft_ms is NaN"},
		{"name,ttft_ms,tpot_ms\na,0,3\n", "none", ""},
	} {
		out := fixture.ReadText(t, c.text)
		if len(out.Results) == 0 {
			t.Errorf("%q: no result, reason %q", c.text, out.Reason)
			continue
		}
		m, ok := out.Results[0].Metric("ttft_mean")
		if got := strings.TrimSpace(m.Text()); ok && got != c.figure || ok != (c.figure != "none") {
			t.Errorf("%q: ttft_mean is %q (%v), want %s", c.text, got, ok, c.figure)
		}
		fault := ""
		for _, m := range out.Messages {
			fault += locale.English(m.Text)
			if !strings.Contains(strings.Split(c.text, "\n")[m.Pos.Line-1], "a") {
				t.Errorf("%q: a message at line %d: %s", c.text, m.Pos.Line, m.Text)
			}
		}
		if fault != c.fault {
			t.Errorf("%q: %q, want %q", c.text, fault, c.fault)
		}
	}
	if out := fixture.ReadText(t, "name,ttft_ms\na,fast\nb,slow\n"); !strings.Contains(locale.English(out.Reason), "ttft_ms is not a number") {
		t.Errorf("reason %q", out.Reason)
	}
	if out := fixture.ReadText(t, "name,ttft_ms,tpot_ms\nb,5,3\na,1,234.56,3\nc,6,3\n"); len(out.Results) != 2 {
		t.Errorf("%d results of the two sound rows", len(out.Results))
	}
}

// TestACommandIsNoHeader checks that a command is not read as the header of a table.
func TestACommandIsNoHeader(t *testing.T) {
	t.Parallel()
	out := fixture.ReadText(t, "vllm bench serve \\\n  --percentile-metrics ttft,tpot,itl,e2el \\\n  --model m\n")
	if len(out.Results) != 0 || strings.Contains(locale.English(out.Reason), "unit") {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
}

// TestCodeHasNoHeader checks that code that names figures is not read as a table, because scripts may lie beside their
// results.
func TestCodeHasNoHeader(t *testing.T) {
	for _, code := range []string{
		"\t\t\"tokens_per_s\", results.TokensPerSec)\n\t} else {\n\t\tlog.Info(\"done\")\n",
		"\t\t\"itl_mean\": {\n\t\t\t\"successful\": {\"mean\": 0},\n",
		"  delta = change(mean(of, \"ttft_ms\", lengths),\n                 mean(base, \"ttft_ms\", lengths), True)\n  itl = change(mean(of, \"itl_ms\", lengths),\n",
	} {
		out := fixture.ReadText(t, code)
		if len(out.Results) != 0 || len(out.Messages) != 0 {
			t.Errorf("%q: %d results, messages %v", code, len(out.Results), out.Messages)
		}
	}
}
