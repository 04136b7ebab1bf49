package rundir

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// recordedTree is a run that was recorded in a zone, with telemetry that has no
// power: it idles for 10 s, is at work for 10 s and idles again.
func recordedTree(t *testing.T, result, stamp string) *Dataset {
	t.Helper()
	var samples strings.Builder
	samples.WriteString("timestamp,gpu_util_pct\n")
	for i := range 30 {
		load := 0
		if i >= 10 && i <= 20 {
			load = 80
		}
		fmt.Fprintf(&samples, stamp+",%d\n", i, load)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"record.json": `{"schema": "benchpost-record/1", "command": "x", "started": "2026-01-15T09:30:10+08:00", "ended": "2026-01-15T09:30:20+08:00", "exit_code": 0}`,
		"sweep.toml":  "", "result.json": result, "telemetry.csv": samples.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	set, err := Load(dir, Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

const servedRun = `{"date": "%s", "backend": "vllm", "model_id": "m", "num_prompts": 4, "duration": 10.0, "completed": 4, "total_input_tokens": 40, "total_output_tokens": 16,
"request_throughput": 0.4, "output_throughput": 1.6, "total_token_throughput": 5.6, "mean_ttft_ms": 200.1}`

// Telemetry without power is held to the time at which the command was at work;
// that of a clock with a zone and that of one without are brought together by it.
func TestARecordBoundsTelemetry(t *testing.T) {
	t.Parallel()
	const local, zoned = "2026-01-15T09:30:%02d", "2026-01-15T01:30:%02dZ"
	for name, c := range map[string]struct{ result, stamp string }{
		"a run without time, local clock":     {strings.Replace(servedRun, `"date": "%s", `, "", 1), local},
		"a run without time, clock with zone": {strings.Replace(servedRun, `"date": "%s", `, "", 1), zoned},
		"a run with time, local clock":        {fmt.Sprintf(servedRun, "20260115-093020"), local},
		"a run with time, clock with zone":    {fmt.Sprintf(servedRun, "20260115-093020"), zoned},
	} {
		set := recordedTree(t, c.result, c.stamp)
		if len(set.Results) != 1 || len(set.Unread) != 0 {
			t.Fatalf("%s: %v, skipped %v", name, set.Results, set.Unread)
		}
		r := &set.Results[0]
		if m, ok := r.Metric("gpu_utilization"); !ok || math.Abs(m.Value-80) > 1e-9 {
			t.Errorf("%s: %v %v", name, m.Value, ok)
		}
		if r.Telemetry == nil || r.Telemetry.From != 10 || r.Telemetry.To != 20 {
			t.Errorf("%s: %+v", name, r.Telemetry)
		}
	}
}

// A sweep.toml is no run, and nothing that was passed over.
func TestSweepsAreListed(t *testing.T) {
	t.Parallel()
	set := recordedTree(t, fmt.Sprintf(servedRun, "20260115-093020"), "2026-01-15T09:30:%02d")
	if len(set.Sweeps) != 1 || set.Sweeps[0] != "runs/sweep.toml" {
		t.Errorf("%q", set.Sweeps)
	}
}

// Two recordings are two runs, even if they measured the same to the last digit.
func TestRecordingsAreNoCopies(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const table = "============ Serving Benchmark Result ============\nSuccessful requests: 10\nBenchmark duration (s): 29.06\nTotal input tokens: 5120\nTotal generated tokens: 1280\n" +
		"Request throughput (req/s): 0.34\nOutput token throughput (tok/s): 44.05\nMean TTFT (ms): 48.60\n==================================================\n"
	for i, name := range []string{"a", "b"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		record := fmt.Sprintf(`{"schema": "benchpost-record/1", "command": "x", "started": "2026-01-15T09:3%d:10+08:00"}`, i)
		for file, text := range map[string]string{"console.log": table, "record.json": record} {
			if err := os.WriteFile(filepath.Join(dir, name, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	set, err := Load(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range set.Results {
		if phase := set.Results[i].Label("phase"); phase != "" {
			t.Errorf("%s is %s", set.Results[i].ID, phase)
		}
	}
	if len(set.Results) != 2 {
		t.Errorf("%d results", len(set.Results))
	}
}

// The same log under two models is a copy of one: which, nobody can tell, so both are
// in doubt.
func TestTheSameLogUnderTwoModels(t *testing.T) {
	t.Parallel()
	const table = "============ Serving Benchmark Result ============\nSuccessful requests: 10\nBenchmark duration (s): 29.06\nTotal input tokens: 5120\nTotal generated tokens: 1280\n" +
		"Request throughput (req/s): 0.34\nOutput token throughput (tok/s): 44.05\nMean TTFT (ms): %s\n==================================================\n"
	marked := func(ttft ...string) string {
		dir := t.TempDir()
		for i, mean := range ttft {
			name := filepath.Join(dir, fmt.Sprintf("model=m%d", i))
			if err := os.Mkdir(name, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(name, "console.log"), fmt.Appendf(nil, table, mean), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		set, err := Load(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for i := range set.Results {
			for _, ck := range set.Results[i].Checks {
				out = append(out, set.Results[i].Label("model")+" "+ck.ID+" "+ck.Severity.String())
			}
		}
		return strings.Join(out, ", ")
	}
	if got, want := marked("48.60", "48.60"), "m0 consistency.same-log warning, m1 consistency.same-log warning"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := marked("48.60", "48.61"); got != "" {
		t.Errorf("logs that differ are marked: %s", got)
	}
}
