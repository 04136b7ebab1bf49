package rundir

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// recordedTree loads a run that was recorded with a time zone. Its telemetry has no power: it is idle for 10 s, busy
// for 10 s and idle again.
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

// TestARecordBoundsTelemetry checks that telemetry without power is limited to the time in which the command ran, and
// that the record relates clocks with and without a zone.
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

// TestSweepsAreListed checks that a sweep.toml is listed in Sweeps, not in Unread.
func TestSweepsAreListed(t *testing.T) {
	t.Parallel()
	set := recordedTree(t, fmt.Sprintf(servedRun, "20260115-093020"), "2026-01-15T09:30:%02d")
	if len(set.Sweeps) != 1 || set.Sweeps[0] != "runs/sweep.toml" {
		t.Errorf("%q", set.Sweeps)
	}
}

// TestRecordingsAreNoCopies checks that two recordings are two runs, even with exactly the same figures.
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

// TestTheSameLogUnderTwoModels checks that both runs get a warning if the same log exists for two models. One must be a
// copy, but it is unknown which.
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

// TestRecordingsThatFailed checks that a recording that failed, was interrupted or has no end is reported with its exit
// code and last lines, whatever its log contains, and never as running after it has ended.
func TestRecordingsThatFailed(t *testing.T) {
	t.Parallel()
	const begun = "Starting main benchmark run...\nTraffic request rate: inf\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]\n"
	zh, _ := locale.For("zh")
	for name, c := range map[string]struct {
		log, end   string // of the record
		text, hint string
		zh         string
		severity   result.Severity
		none       bool // there is no unfinished run
	}{
		"failed at once":         {log: "Traceback\nbash: vllm: not found\n", end: `"ended": "2026-01-01T00:00:01Z", "exit_code": 127`, text: "failed: exit code 127", hint: "Traceback / bash: vllm: not found", zh: "运行失败：退出码 127", severity: result.Warning},
		"killed on its way":      {log: begun + "token hf_" + strings.Repeat("aB3", 12) + "\n", end: `"ended": "2026-01-01T00:00:01Z", "exit_code": 137, "signal": "killed"`, text: "failed after 40 of 100 requests: exit code 137 (killed)", hint: "token redacted-", zh: "退出码 137（killed）", severity: result.Warning},
		"cut off":                {log: begun, text: "unfinished: 40 of 100 requests after 1:23; its recording has no end", zh: "录制没有结束", severity: result.Warning},
		"failed with its result": {log: block, end: `"ended": "2026-01-01T00:00:01Z", "exit_code": 1`, text: "failed: exit code 1; results were read from its output up to there", severity: result.Warning, none: true},
		"all is well":            {log: block, end: `"ended": "2026-01-01T00:00:01Z", "exit_code": 0`, none: true},
	} {
		root := t.TempDir()
		end := c.end
		if end != "" {
			end = ", " + end
		}
		write(t, filepath.Join(root, "x", "record.json"), `{"schema": "benchpost-record/1", "command": "vllm bench serve", "started": "2026-01-01T00:00:00Z"`+end+"}")
		write(t, filepath.Join(root, "x", "console.log"), c.log)
		r, err := redact.New(redact.Options{Key: []byte("a key of the tests")})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Load(root, Options{Name: "runs", Mask: mask.New(r, result.Stamp{1})})
		if err != nil {
			t.Fatal(err)
		}
		var found []result.Message
		for _, m := range d.Messages {
			if m.ID == "run.failed" || m.ID == "run.unfinished" {
				found = append(found, m)
			}
		}
		switch {
		case c.text == "" && len(found) == 0:
		case len(found) != 1 || !strings.Contains(locale.English(found[0].Text), c.text) || !strings.Contains(locale.English(found[0].Hint), c.hint) || found[0].Severity != c.severity || strings.Contains(locale.English(found[0].Hint), "aB3aB3"):
			t.Errorf("%s: %v", name, found)
		}
		if (len(d.Unfinished) == 0) != c.none {
			t.Errorf("%s: %d runs without a result", name, len(d.Unfinished))
		}
		if counted := unread.Summary(d.Unread); c.text != "" && !c.none && !strings.Contains(locale.English(counted), "1 run") || strings.Contains(locale.English(counted), "file") {
			t.Errorf("%s: a failed run is counted with its files: %v", name, d.Unread)
		}
		for i := range d.Unfinished {
			if text := zh.Say(d.Unfinished[i].State()); !strings.Contains(text, c.zh) {
				t.Errorf("%s: %s", name, text)
			}
			if got := d.Unfinished[i].HasEnded(); got != (c.end != "") {
				t.Errorf("%s: has ended: %v", name, got)
			}
		}
	}
}
