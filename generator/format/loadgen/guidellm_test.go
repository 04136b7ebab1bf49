package loadgen_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

func TestGuideLLMCorpus(t *testing.T) {
	gemma := []string{
		"requests_completed=1 1", "requests_failed=0 1", "duration=46.108336 s",
		"ttft_mean=20656.05 ms", "ttft_p99=20656.053 ms", "itl_mean=12.921 ms", "e2el_mean=46108.336 ms", "e2el_p50=46108.336 ms",
		"tpot_incl_ttft_mean=23.405 ms", "input_tokens=99 tok", "output_tokens=1969 tok",
		// 1969 tokens in 46.108 s. GuideLLM's rate is between the first token and the last.
		"output_throughput=42.70 tok/s", "x_output_tokens_per_second_mean=77.433 tok/s",
		"total_throughput=44.851 tok/s", "request_throughput=0.0216881 req/s", "effective_concurrency=1 1",
		"model_raw:unsloth/gemma-4-26B-A4B-it-GGUF", "max_concurrency:1", "x_strategy:synchronous", "tool_version:0.6.0", "dataset:/prompt.txt",
	}
	fixture.CheckFigures(t, "guidellm/json-0.6.0-gemma4-llamaserver.json", 0, append(gemma, "num_prompts:10", "seed:42", "date:2026-06-11T09:10:21Z",
		"tpot_mean=12.933 ms")...) // of its only request: (46108.336 − 20656.053) / 1968
	fixture.CheckFigures(t, "guidellm/csv-0.6.0-gemma4-3row-header.csv", 0, append(gemma, "date:2026-06-11T09:10:21", "tpot_mean=none")...)
	qwen := []string{
		"requests_completed=1 1", "ttft_mean=50247.95 ms", "itl_mean=3.542 ms", "tpot_incl_ttft_mean=16.941 ms", "e2el_mean=63545 ms",
		"input_tokens=91 tok", "output_tokens=3750 tok", "output_throughput=59.01 tok/s", "x_output_tokens_per_second_mean=282.401 tok/s",
		"x_strategy:synchronous",
	}
	fixture.CheckFigures(t, "guidellm/json-0.6.0-qwen36-q4km.json", 0, qwen...)
	fixture.CheckFigures(t, "guidellm/csv-0.6.0-qwen36-q4km.csv", 0, qwen...)

	// Two benchmarks of a sweep, each in lines of its own.
	fixture.CheckFigures(t, "lookalikes/llmd-guidellm-report.json", 0,
		"duration=5.01965 s", "requests_completed=2 1", "e2el_mean=19.789100 ms", "e2el_p99=20.308971 ms", "ttft_mean=11.481166 ms",
		"ttft_p50=11.276007 ms", "itl_mean=1.150846 ms", "tpot_incl_ttft_mean=2.442136 ms", "x_time_to_first_output_token_mean=11.481166 ms",
		"input_tokens=143 tok", "output_tokens=16 tok", "output_throughput=3.1875 tok/s", "x_output_tokens_per_second_mean=3.1951 tok/s",
		"request_rate:2", "max_concurrency:", "x_strategy:constant", "model_raw:e2e-mock-model", "input_len:32", "output_len:8",
		"tool_version:0.8.0.dev18", "num_prompts:2", "seed:42")
	fixture.CheckFigures(t, "lookalikes/llmd-guidellm-report.json", 1,
		"duration=2.518612 s", "ttft_mean=9.783864 ms", "input_tokens=131 tok", "output_throughput=6.3527 tok/s", "request_rate:4")
}

// TestGuideLLMFormsAgree checks that the CSV of a run has the same figures as its JSON.
func TestGuideLLMFormsAgree(t *testing.T) {
	for form, other := range map[string]string{
		"csv-0.6.0-gemma4-3row-header.csv": "json-0.6.0-gemma4-llamaserver.json", "csv-0.6.0-qwen36-q4km.csv": "json-0.6.0-qwen36-q4km.json",
	} {
		csv := fixture.ReadSample(t, fixture.Shared(t, "corpus", "guidellm", form)).Results[0]
		whole := fixture.ReadSample(t, fixture.Shared(t, "corpus", "guidellm", other)).Results[0]
		for _, m := range csv.Metrics {
			if of, ok := whole.Metric(m.Name); !ok || of.Value != m.Value || of.Unit != m.Unit {
				t.Errorf("%s: %s is %v %s in the CSV, %v %s in the JSON", form, m.Name, m.Value, m.Unit, of.Value, of.Unit)
			}
		}
	}
}

// guideReport returns a report with one benchmark, with additional members in the benchmark and in its metrics.
func guideReport(benchmark, metrics string) string {
	d := func(mean string) string {
		return fmt.Sprintf(`{"successful": {"mean": %s, "median": %s, "min": %s, "max": 9, "std_dev": 1, "total_sum": 40, "percentiles": {"p001": 1, "p99": 8, "p999": 9}}}`,
			mean, mean, mean)
	}
	return `{"benchmarks": [{` + benchmark + `"duration": 4, "request_totals": {"successful": 2, "errored": 0}, "metrics": {` + metrics +
		`"request_latency": ` + d("5") + `, "time_to_first_token_ms": ` + d("6") + `, "inter_token_latency_ms": ` + d("3") +
		`, "time_per_output_token_ms": ` + d("4") + `, "output_token_count": ` + d("20") + `, "tokens_per_second": ` + d("90") + `}}]}`
}

func TestGuideLLMDefinitions(t *testing.T) {
	late := fixture.Only(t, guideReport(`"config": {"strategy": {"type_": "constant", "rate": 5.60, "max_concurrency": 512}}, `, ""))
	fixture.Has(t, late, "e2el_mean=5000 ms", "ttft_mean=6 ms", "ttft_p0_1=1 ms", "ttft_p99_9=9 ms", "tpot_incl_ttft_mean=4 ms",
		"output_throughput=10 tok/s", "x_tokens_per_second_mean=90 tok/s", "tpot_mean=none")
	if late.Label("request_rate") != "5.6" || late.Label("max_concurrency") != "" {
		t.Error("a cap that the tool put in by itself is none that was asked for")
	}

	// Up to 0.3, TPOT excludes the first token, and the total rate may count prompts twice.
	early := fixture.Only(t, guideReport(`"worker": {"backend_model": "m"}, "request_loader": {"data": "prompt_tokens=8,output_tokens=4"}, `, ""))
	fixture.Has(t, early, "x_time_per_output_token_mean=4 ms", "tpot_incl_ttft_mean=none", "x_tokens_per_second_mean=none", "output_throughput=10 tok/s")
	if early.Label("input_len") != "8" || early.Label("output_len") != "4" || early.Label("model_raw") != "m" {
		t.Errorf("labels %v", early.Labels)
	}
}

// TestGuideLLMUnmeasured checks that a time to first token of zero is read as not measured, for all requests or for
// some.
func TestGuideLLMUnmeasured(t *testing.T) {
	whole := guideReport("", "")
	ttft := whole[strings.Index(whole, `"time_to_first_token_ms"`):strings.Index(whole, `, "inter_token_latency_ms"`)]
	none := strings.NewReplacer(`"mean": 6, "median": 6, "min": 6, "max": 9`, `"mean": 0.0, "median": 0.0, "min": 0.0, "max": 0.0`).Replace(ttft)
	fixture.Has(t, fixture.Only(t, strings.Replace(whole, ttft, none, 1)), "ttft_mean=none", "ttft_max=none", "ttft_p99=none", "e2el_mean=5000 ms")

	out := fixture.ReadText(t, strings.Replace(whole, ttft, strings.Replace(ttft, `"min": 6`, `"min": 0.0`, 1), 1))
	fixture.Has(t, &out.Results[0], "ttft_mean=none", "e2el_mean=5000 ms")
	if len(out.Messages) != 1 || out.Messages[0].ID != "format.unmeasured" {
		t.Errorf("messages %v", out.Messages)
	}
}

// TestGuideLLMCut checks that a report that was cut off gives the benchmarks before the cut, as partial results.
func TestGuideLLMCut(t *testing.T) {
	for _, name := range []string{"guidellm-0.7.json", "guidellm-0.6.yaml"} {
		data, err := os.ReadFile(filepath.Join("testdata", "fixtures", name))
		if err != nil {
			t.Fatal(err)
		}
		whole := fixture.Sane(t, data)
		end := whole.Results[1].Source.Line // start of the second benchmark, at which the first is complete
		text := strings.Join(strings.SplitAfter(string(data), "\n")[:end+40], "")
		out := fixture.Sane(t, []byte(text[:len(text)-3]))
		if len(out.Results) == 0 || out.Results[0].Status != result.Partial || out.Results[0].Digest == "" {
			t.Fatalf("%s: %d results, reason %q", name, len(out.Results), out.Reason)
		}
		for _, m := range out.Results[0].Metrics {
			if of, _ := whole.Results[0].Metric(m.Name); of.Value != m.Value {
				t.Errorf("%s: %s is %v, not %v", name, m.Name, m.Value, of.Value)
			}
		}
	}
}

// TestGuideLLMTextLookalikes checks that pages that explain the tables, or tables wrapped by a terminal, have no
// results.
func TestGuideLLMTextLookalikes(t *testing.T) {
	for _, text := range []string{
		"Look at the section Benchmarks Stats: it has the rates.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
		"Benchmarks Stats:\n... | TTFT (ms)       ||| ITL (ms)        ||| ...\n... | mean| median|  p99|\n... | 15.0|   14.8| 17.0|\n",
		"Benchmarks Stats:\n=====\nMetadata     | TTFT (ms)  |||\n    Benchmark| mean|\nmedian|  p99\n-----|----\n  synchronous| 1.0| 2.0|\n3.0\n",
		"ℹ Request Latency Statistics (Completed Requests)\n| Benchmark | Request Latency ||\n| Strategy  | Sec ||\n|  | Mdn | p95 |\n",
	} {
		if out := fixture.ReadText(t, text); len(out.Results) != 0 {
			t.Errorf("%q gives %d results", text, len(out.Results))
		}
	}
}

// TestGuideLLMTitles checks that tables that an author numbered are several runs, and that a table with rewritten
// headers is reported.
func TestGuideLLMTitles(t *testing.T) {
	const table = "| Benchmark   | Request Latency || TTFT         ||\n| Strategy    | Sec             || ms           ||\n" +
		"|             | Mdn     | p95    | Mdn   | p95   |\n|-------------|---------|--------|-------|-------|\n"
	out := fixture.ReadText(t, "- ℹ Request Latency Statistics Table-1 (Completed Requests)\n"+table+"| synchronous | 2.5     | 2.7    | 41.5  | 44.0  |\n\n"+
		"ℹ Request Latency Statistics Table-2 (Completed Requests)\n"+table+"| synchronous | 3.5     | 3.7    | 51.5  | 54.0  |\n")
	if len(out.Results) != 2 {
		t.Fatalf("%d results of two tables", len(out.Results))
	}
	fixture.Same(t, &out.Results[0], map[string]string{"e2el_p50": "2500 ms", "ttft_p95": "44.0 ms"})
	fixture.Same(t, &out.Results[1], map[string]string{"e2el_p50": "3500 ms", "ttft_p95": "54.0 ms"})

	out = fixture.ReadText(t, "**Request Latency Statistics (Completed Requests)**\n| Strategy    | Req Latency Sec | TTFT ms         |\n"+
		"|             | Mdn     | p95    | Mdn     | p95     |\n| synchronous | 5.5     | 5.9    | 523.4   | 530.6   |\n")
	if len(out.Results) != 0 || !strings.Contains(locale.English(out.Reason), "other headers") {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
}

// TestGuideLLMCSVOutOfStep checks that cells of a CSV row whose columns differ from the headers are not read.
func TestGuideLLMCSVOutOfStep(t *testing.T) {
	header := "Run Info,Run Info,Run Info,Run Info,Run Info,Run Info,Timings,Request Counts,Time to First Token,Time to First Token\n" +
		"Run ID,Run Index,Profile,Requests,Backend,Environment,Duration,Successful,Successful ms,Successful ms\n" +
		",,,,,,Sec,,Mean,Percentiles\n"
	row := `r,0,{},{},{},{},2.5,4,30.5,"[1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3]"`
	fixture.Has(t, fixture.Only(t, header+row+"\n"), "requests_completed=4 1", "ttft_mean=30.5 ms", "ttft_max=3 ms", "duration=2.5 s")
	fixture.Has(t, fixture.Only(t, header+row+",7\n"), "requests_completed=4 1", "ttft_mean=none", "ttft_max=none", "duration=2.5 s")
	fixture.Has(t, fixture.Only(t, header+strings.Replace(row, ",4,30.5", ",0,30.5", 1)+"\n"), "ttft_mean=none")
	if r := fixture.Only(t, header+row); r.Status != result.Partial {
		t.Errorf("a row without its end is %v", r.Status)
	}
	// In a later row, columns of other statuses may have replaced the expected ones.
	header = strings.NewReplacer("Request Counts,", "Request Counts,Request Counts,", "Successful,Successful ms", "Successful,Errored,Successful ms", "Sec,,Mean", "Sec,,,Mean").Replace(header)
	row = strings.Replace(row, ",4,30.5", ",4,0,30.5", 1)
	out := fixture.ReadText(t, header+row+"\n"+row+"\n"+strings.Replace(row, ",4,0,", ",4,1,", 1)+"\n")
	if len(out.Results) != 3 || len(out.Messages) != 1 {
		t.Fatalf("%d results, messages %v", len(out.Results), out.Messages)
	}
	fixture.Has(t, &out.Results[1], "ttft_mean=30.5 ms")
	fixture.Has(t, &out.Results[2], "ttft_mean=none", "requests_failed=1 1")
	if out := fixture.ReadText(t, header); len(out.Results) != 0 || out.Reason.IsZero() {
		t.Errorf("headers give %d results, reason %q", len(out.Results), out.Reason)
	}
}

// TestGuideLLMRequests checks that the single requests of a benchmark give the distributions of its latencies, for few
// and for many requests, but only if the report has all requests.
func TestGuideLLMRequests(t *testing.T) {
	for _, n := range []int{3, 3000} {
		var list []string
		for i := range n {
			ttft := float64(100 + i)
			if i == 1 {
				ttft = 0 // not measured
			}
			list = append(list, fmt.Sprintf(`{"request_id": "r%d", "output": "text", "info": {"timings": {"queued": 1.5, "request_start": 2}}, `+
				`"request_start_time": %d, "request_latency": 4.0, "output_tokens": 11, "time_to_first_token_ms": %g, "inter_token_latency_ms": 7}`, i, 1000+i, ttft))
		}
		report := strings.Replace(guideReport(`"requests": {"successful": [`+strings.Join(list, ", ")+`], "errored": []}, `, ""),
			`"successful": 2,`, fmt.Sprintf(`"successful": %d,`, n), 1)
		r := fixture.Only(t, report)
		if r.Distribution("e2el").N != n || r.Distribution("ttft").N != n-1 || r.Distribution("tpot").N != n-1 || r.Distribution("itl") != nil {
			t.Errorf("of %d requests: %+v", n, r.Distributions)
		}
		fixture.Has(t, r, "e2el_mean=5000 ms", "e2el_p97_5=4000 ms") // the tool's own figures are kept
		last := r.Distribution("ttft").Quantiles
		if got := last[len(last)-1]; math.Abs(got-float64(99+n)) > 1e-9 {
			t.Errorf("the longest of %d waits is %v ms", n, got)
		}
		few := strings.Replace(report, fmt.Sprintf(`"successful": %d,`, n), fmt.Sprintf(`"successful": %d,`, n+1), 1)
		if d := fixture.Only(t, few).Distributions; len(d) > 0 {
			t.Errorf("a sample of the requests gave %+v", d)
		}
	}
}

// TestGuideLLMYAMLWithoutBenchmarks checks that a text that looks like a report but has no benchmarks has no results.
func TestGuideLLMYAMLWithoutBenchmarks(t *testing.T) {
	if out := fixture.ReadText(t, "benchmarks:\n- args:\n    cooldown_duration: null\n  id_: x\n"); len(out.Results) != 0 || out.Reason.IsZero() {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
	if out := fixture.ReadText(t, "benchmarks:\n- args:\n    cooldown_duration: [1\n  x: : y\n"); len(out.Results) != 0 || !strings.HasPrefix(locale.English(out.Reason), "broken YAML") {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
}
