package format_test

import (
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/locale"
)

const (
	limit   = 8 << 20 // bytes
	tooLong = "the YAML is too large; save it as JSON"
)

// reportHead is the beginning of a GuideLLM report with one benchmark, up to its metrics.
const reportHead = `benchmarks:
- config:
    environment:
      module: guidellm.scheduler.environments
  duration: 4.0
  metrics:
`

const reportMetrics = `    output_token_count:
      successful: {total_sum: 40}
    request_latency: &latency
      successful:
        mean: 2.5
    request_totals:
      successful: 2
    time_to_first_token_ms:
      successful:
        mean: 1.5e1
`

// TestYAMLBlocksArePassedOver checks that the requests of a report, which are most of it, are skipped, and that the
// lines after them keep their numbers.
func TestYAMLBlocksArePassedOver(t *testing.T) {
	requests := "  requests:\n    successful:\n" + strings.Repeat("    - output: 'a long answer, of\n\n        two paragraphs: yes'\n", limit/50)
	text := reportHead + reportMetrics + requests + "  start_time: 1765000000.5\n  type_: generative_benchmark\n"
	if len(text) < limit {
		t.Fatalf("%d bytes test nothing", len(text))
	}
	r := fixture.Only(t, text)
	fixture.Has(t, r, "output_throughput=10 tok/s", "e2el_mean=2500 ms", "ttft_mean=15 ms", "requests_completed=2 1")
	date, _ := r.Labels.Lookup("date")
	if lines := strings.Count(text, "\n"); date.Value != "2025-12-06T05:46:40Z" || date.Pos.Line != lines-1 {
		t.Errorf("date %s of line %d, of %d", date.Value, date.Pos.Line, lines)
	}
	m, _ := r.Metric("e2el_mean")
	if want := strings.Count(text[:strings.Index(text, "mean: 2.5")], "\n") + 1; int(m.Line) != want {
		t.Errorf("e2el_mean of line %d, not %d", m.Line, want)
	}
}

// TestYAMLRequests checks that the requests of a short report are read: the distributions of the latencies, and TPOT. A
// report that breaks off inside the requests is read without them.
func TestYAMLRequests(t *testing.T) {
	t.Parallel()
	requests := "  requests:\n    successful:\n" +
		"    - output: 'a long answer, of\n\n        two paragraphs: yes'\n      output_tokens: 11\n      request_latency: 2.0\n      time_to_first_token_ms: 1000.0\n" +
		"    - output: short\n      output_tokens: 21\n      request_latency: 3.0\n      time_to_first_token_ms: 1000.0\n"
	r := fixture.Only(t, reportHead+reportMetrics+requests+"  start_time: 1765000000.5\n")
	fixture.Has(t, r, "e2el_mean=2500 ms", "tpot_mean=100 ms", "e2el_p90=2900 ms")
	for _, d := range r.Distributions {
		if d.N != 2 {
			t.Errorf("%s is of %d requests", d.Family, d.N)
		}
	}
	if len(r.Distributions) == 0 {
		t.Error("no distributions")
	}
	cut := fixture.Only(t, reportHead+reportMetrics+requests[:strings.Index(requests, "paragraphs")])
	fixture.Has(t, cut, "e2el_mean=2500 ms", "ttft_mean=15 ms", "tpot_mean=none")
}

// TestYAMLIsLimited checks that a report that is too large gives a reason, not an error.
func TestYAMLIsLimited(t *testing.T) {
	out, err := format.Read("f", strings.NewReader(reportHead+reportMetrics+strings.Repeat("  label: something else of some length\n", limit/30)))
	if err != nil || len(out.Results) != 0 || locale.English(out.Reason) != tooLong {
		t.Errorf("error %v, %d results, reason %q", err, len(out.Results), out.Reason)
	}
}

// TestYAMLAliases checks that an alias has the value of its anchor, and that the number of values of nested aliases is
// limited.
func TestYAMLAliases(t *testing.T) {
	r := fixture.Only(t, strings.Replace(reportHead+reportMetrics, "time_to_first_token_ms:\n      successful:\n        mean: 1.5e1\n",
		"time_to_first_token_ms: *latency\n", 1))
	fixture.Has(t, r, "e2el_mean=2500 ms", "ttft_mean=2.5 ms")

	bomb := "args:\n  data_column_mapper: x\n  a0: &a0 [1, 1]\n"
	for _, name := range strings.Fields("1 2 3 4 5 6 7 8 9") {
		before := string(name[0] - 1)
		bomb += "  a" + name + ": &a" + name + " [" + strings.Repeat("*a"+before+", ", 9) + "*a" + before + "]\n"
	}
	if out := fixture.ReadText(t, bomb+reportHead+reportMetrics); len(out.Results) != 0 || locale.English(out.Reason) != tooLong {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
}
