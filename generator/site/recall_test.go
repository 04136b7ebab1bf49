package site

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/result"
)

// TestHalfWrittenJSONKeepsItsLastGoodState checks that a JSON file that is being written again keeps its last complete
// contents until it is complete again or is no longer being written.
func TestHalfWrittenJSONKeepsItsLastGoodState(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, config.Name), "title = \"T\"\n")
	saved := func(v float64) string {
		return fmt.Sprintf(`{"date": "20260101-120000", "backend": "vllm", "model_id": "m", "num_prompts": 100, "duration": %g, "completed": 100, "total_input_tokens": 100000, "total_output_tokens": 10000, "request_throughput": %g, "output_throughput": %g, "mean_ttft_ms": 100, "p99_ttft_ms": 200}`, v, 100/v, 10000/v)
	}
	file := filepath.Join(dir, "runs", "a", "run.json")
	writeFile(t, file, saved(50))
	alive := true
	s := Open(Options{Dir: dir, Alive: func(string) bool { return alive }})
	read := func() (*result.Result, []result.Message) {
		t.Helper()
		s.Changed([]string{"runs/a/run.json"})
		e, err := s.Read()
		if err != nil || len(e.Results()) > 1 {
			t.Fatal(e.Messages, err)
		}
		if len(e.Results()) == 0 {
			return nil, e.Messages
		}
		return e.Results()[0], e.Messages
	}
	duration := func(r *result.Result) float64 {
		if r == nil {
			return 0
		}
		m, _ := r.Metric("duration")
		return m.Value
	}
	if r, _ := read(); duration(r) != 50 {
		t.Fatal("the run is not read")
	}
	next := saved(80)
	for n := 0; n < len(next); n += 1 + len(next)/40 {
		writeFile(t, file, next[:n])
		r, ms := read()
		if duration(r) != 50 || r.Status != result.Complete {
			t.Fatalf("with %d bytes written the run is %v", n, r)
		}
		if len(ms) == 0 || ms[len(ms)-1].ID != "run.rewritten" {
			t.Fatalf("with %d bytes written it is not reported: %v", n, ms)
		}
	}
	writeFile(t, file, next[:len(next)/2])
	read()
	alive = false // the writer is gone
	if r, ms := read(); duration(r) == 50 && r.Status == result.Complete {
		t.Errorf("what is broken off for good is not shown: %v %v", r, ms)
	}
	alive = true
	writeFile(t, file, next)
	if r, ms := read(); duration(r) != 80 || len(ms) > 0 {
		t.Errorf("the new run is not shown: %v %v", r, ms)
	}
}
