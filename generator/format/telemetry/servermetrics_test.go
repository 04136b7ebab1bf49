package telemetry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// TestWhatIsNoSnapshot checks that a file that is not a single answer of one server gives no snapshot, and that the
// reason is reported.
func TestWhatIsNoSnapshot(t *testing.T) {
	const answer = "vllm:generation_tokens_total{engine=\"0\"} 12\n"
	series := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "vllm:generation_tokens_total{engine=\"%d\"} 1\n", i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, why string }{
		{"two answers", answer + "# again\n" + answer, "several answers"},
		{"two servers", answer + "sglang:generation_tokens_total 3\n", "several kinds of servers"},
		{"too many series", series(4096 + 1), "too many series"},
		{"gauges alone", "# TYPE sglang:cache_hit_rate gauge\nsglang:cache_hit_rate 0.9\n", "no known format"},
		{"the start of another program", "process_start_time_seconds 1.7e+09\n", "no known format"},
		{"a page about them", "Look at vllm:generation_tokens_total and vllm:prompt_tokens_total.\n", "no known format"},
		{"a value cut off", strings.TrimSuffix(answer, "2\n"), "no known format"},
		{"no value", "vllm:generation_tokens_total{engine=\"0\"} NaN\nvllm:prompt_tokens_total -1\nvllm:request_success_total +Inf\n", "no known format"},
		{"a value past counting", "vllm:generation_tokens_total 1e300\n", "no known format"},
		{"labels without end", "vllm:generation_tokens_total{engine=\"" + strings.Repeat("x", 3*scan.WindowSize) + "\"} 1\n", "no known format"},
	} {
		out := fixture.Sane(t, []byte(c.text))
		if out.Snapshot != nil || !strings.Contains(locale.English(out.Reason), c.why) {
			t.Errorf("%s: %+v, %q", c.name, out.Snapshot, out.Reason)
		}
	}
}

// TestPartsOfAServerAreAddedUp checks that the parts of a server are added up, and that the number of counters for
// single reasons is limited: further reasons count only in the total.
func TestPartsOfAServerAreAddedUp(t *testing.T) {
	var text strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "vllm:request_success_total{engine=\"%d\",finished_reason=\"%c%c\",model_name=\"a} b\\\"c\"} 2\n", i%3, 'a'+i%26, 'a'+i/26)
	}
	out := fixture.Sane(t, []byte(text.String()))
	if c, ok := out.Snapshot.Counter(result.CountedRequests); !ok || c.Value != 400 || c.Line != 1 {
		t.Errorf("%+v", c)
	}
	if n := len(out.Snapshot.Counters); n > 40 {
		t.Errorf("%d counters", n)
	}
	stamped := fixture.Sane(t, []byte("llamacpp:tokens_predicted_total 7 1768440576123\r\n"))
	if c, _ := stamped.Snapshot.Counter(result.CountedOutput); c.Value != 7 {
		t.Errorf("with a time: %+v", c)
	}
}
