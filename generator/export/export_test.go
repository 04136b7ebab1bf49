package export

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/result"
)

// set returns two results: a complete one with unusual names, and a failed one.
func set() Set {
	r := &result.Result{ID: "a/<高>", Source: result.Position{File: "runs/a/<高>.log", Line: 3}, Tool: "vllm-serve", Format: "vllm-serve-text",
		Metrics: []result.Metric{
			{Kind: &result.Kind{Name: "output_throughput", Unit: "tok/s", Better: result.Higher, Field: "Output token throughput (tok/s)"}, Value: 298.07, Decimals: 2, Line: 7},
			{Kind: &result.Kind{Name: "requests_completed", Unit: "1", Field: "Successful requests"}, Value: 100, Line: 4},
		},
		Checks: []result.Check{{ID: "consistency.not-finite", Severity: result.Warning, Text: locale.Lit("P99 TTFT is nan")}}}
	r.Labels.Set(result.Label{Name: "model", Value: "Qwen3 \"8B\""})
	r.Labels.Set(result.Label{Name: "load", Value: "高负载"})
	failed := &result.Result{ID: "b", Source: result.Position{File: "runs/b.log", Line: 1}, Tool: "vllm-serve", Format: "vllm-serve-text", Status: result.Failed}
	failed.Labels.Set(result.Label{Name: "model", Value: "B"})
	return Set{
		Results:  []*result.Result{r, failed},
		Skipped:  []Skipped{{"runs/notes.txt", "unknown", "no known format"}},
		Messages: []result.Message{{Severity: result.Warning, Text: locale.Textf("not told here")}, {Pos: result.Position{File: "runs/x/run.toml", Line: 2}, Severity: result.Error, Text: locale.Textf("broken")}},
	}
}

func TestJSON(t *testing.T) {
	want := `{"schema": "benchpost.results/1",
 "results": [
  {"id":"a/<高>","source":{"file":"runs/a/<高>.log","line":3},"tool":"vllm-serve","format":"vllm-serve-text","status":"complete","labels":{"load":"高负载","model":"Qwen3 \"8B\""},"metrics":{"output_throughput":{"value":298.07,"unit":"tok/s","better":"higher","field":"Output token throughput (tok/s)","line":7},"requests_completed":{"value":100,"unit":"1","field":"Successful requests","line":4}},"checks":[{"id":"consistency.not-finite","severity":"warning","message":"P99 TTFT is nan","figures":{}}]},
  {"id":"b","source":{"file":"runs/b.log","line":1},"tool":"vllm-serve","format":"vllm-serve-text","status":"failed","labels":{"model":"B"},"metrics":{},"checks":[]}],
 "skipped": [
  {"file":"runs/notes.txt","kind":"unknown","reason":"no known format"}],
 "errors": [
  {"file":"runs/x/run.toml","line":2,"message":"broken"}]}
`
	var b bytes.Buffer
	if err := JSON(&b, set()); err != nil || b.String() != want {
		t.Errorf("%v, got\n%s", err, b.String())
	}
	for name, s := range map[string]Set{"full": set(), "empty": {}} {
		b.Reset()
		JSON(&b, s)
		if !json.Valid(b.Bytes()) {
			t.Errorf("the %s document is no JSON:\n%s", name, b.String())
		}
	}
}

func TestJSONRefusesWhatJSONCannotHold(t *testing.T) {
	s := set()
	s.Results[0].Metrics[0].Value = math.NaN()
	if err := JSON(&bytes.Buffer{}, s); err == nil {
		t.Error("a NaN was written")
	}
}

func TestJSONLines(t *testing.T) {
	var b bytes.Buffer
	if err := pieces.Whole(&b, set().JSONLines); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != 2 || !json.Valid([]byte(lines[0])) || !strings.Contains(lines[1], `"id":"b"`) {
		t.Errorf("got %q", lines)
	}
}

func TestTableLinesUpChinese(t *testing.T) {
	var b bytes.Buffer
	if err := Table(&b, set()); err != nil {
		t.Fatal(err)
	}
	want := `id      model       load    output_throughput[tok/s]  status
a/<高>  Qwen3 "8B"  高负载                    298.07  complete
b       B                                             failed
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

func TestWhatIsSetAsideSaysSoEverywhere(t *testing.T) {
	s := set()
	s.Results[0].Checks = []result.Check{
		{ID: "physics.memory-roofline", Severity: result.Error, Text: locale.Lit("too fast"), Hint: locale.Lit("measure again")},
		{ID: "physics.compute-roofline", Severity: result.Warning, Waived: "a chat is replayed"},
	}
	for name, c := range map[string]struct {
		write func(io.Writer, Set) error
		want  string
	}{
		"table": {Table, "complete, excluded\n"},
		"json":  {JSON, `"checks":[{"id":"physics.memory-roofline","severity":"error","message":"too fast","figures":{},"hint":"measure again"},{"id":"physics.compute-roofline","severity":"warning","message":"","figures":{},"waived":"a chat is replayed"}]`},
	} {
		var b bytes.Buffer
		if err := c.write(&b, s); err != nil || !strings.Contains(b.String(), c.want) {
			t.Errorf("%s: no %q in\n%s", name, c.want, b.String())
		}
	}
}
