package nvidia_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// overview has the rows that trtllm-bench prints for a run.
const overview = `Request Throughput (req/sec):                     12.5000
Total Output Throughput (tokens/sec):             1600.0000
Total Token Throughput (tokens/sec):              3200.0000
Total Latency (ms):                               8000.0000
Average request latency (ms):                     640.2500
Per User Output Throughput [w/ ctx] (tps/user):   200.1250
Per GPU Output Throughput (tps/gpu):              800.0000
Average time-to-first-token [TTFT] (ms):          25.5000

-- Per-Request Time-per-Output-Token [TPOT] Breakdown (ms)

[TPOT] AVERAGE: 4.8750
[TPOT] P99    : 5.1250
`

// TestPastedOverviews checks that rows that were pasted without their heading are read like rows with it, that several
// overviews are several runs, and that the text around them adds nothing.
func TestPastedOverviews(t *testing.T) {
	t.Parallel()
	whole := fixture.One(t, "= PERFORMANCE OVERVIEW\n"+overview)
	for name, text := range map[string]string{
		"alone":       overview,
		"in a fence":  "Model: other/model\n\n```\n" + overview + "```\n\nModel: other/model\nTP Size: 8\n",
		"twice":       overview + "\n" + overview,
		"under prose": "It reached the following.\n\n" + overview + "\nWe are content.\n\n\n\n\n\nModel: other/model\n",
	} {
		out := fixture.Read(t, text)
		if len(out.Results) != strings.Count(text, "Total Latency") {
			t.Fatalf("%s: %d results", name, len(out.Results))
		}
		for i := range out.Results {
			r := &out.Results[i]
			if r.Status != result.Complete || len(r.Metrics) != len(whole.Metrics) || len(r.Labels) != len(whole.Labels) {
				t.Errorf("%s: %v with %d figures of %d, %d labels of %d", name, r.Status, len(r.Metrics), len(whole.Metrics), len(r.Labels), len(whole.Labels))
			}
			for _, m := range whole.Metrics {
				if got, ok := r.Metric(m.Name); !ok || got.Value != m.Value || got.Unit != m.Unit {
					t.Errorf("%s: %s is %v %s, not %v %s", name, m.Name, got.Value, got.Unit, m.Value, m.Unit)
				}
			}
		}
	}
}

// TestPartsOfOverviews checks that any subset of the rows of an overview is read if it has a row that other tools do
// not print. A file that ends before the total latency may have been cut off.
func TestPartsOfOverviews(t *testing.T) {
	t.Parallel()
	rows := strings.SplitAfter(overview, "\n")[:7]
	own := []int{3, 5, 6} // rows that other tools do not print
	for left := range 1 << len(rows) {
		var text strings.Builder
		has := func(i int) bool { return left&(1<<i) != 0 }
		for i, row := range rows {
			if has(i) {
				text.WriteString(row)
			}
		}
		want := 0
		if has(0) && has(1) && slices.ContainsFunc(own, has) {
			want = 1
		}
		out := fixture.Read(t, text.String())
		if len(out.Results) != want {
			t.Fatalf("%d results, not %d, of\n%s", len(out.Results), want, text.String())
		}
		if want == 1 && (out.Results[0].Status == result.Complete) != has(3) {
			t.Fatalf("%v:\n%s", out.Results[0].Status, text.String())
		}
	}
}

// TestSpeedsOfAUser checks that the names of the speed per user in different versions are one metric.
func TestSpeedsOfAUser(t *testing.T) {
	t.Parallel()
	for _, row := range []string{"Per User Output Speed (tps/user):          137.2500", "Per User Output Speed [1/TPOT] (tokens/sec/user): 137.2500"} {
		r := fixture.One(t, "= PERFORMANCE OVERVIEW\n"+overview+row+"\n")
		if m, ok := r.Metric("output_throughput_per_user"); !ok || m.Value != 137.25 {
			t.Errorf("%s: %v", row, m.Value)
		}
	}
}
