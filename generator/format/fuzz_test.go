package format

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/benchpost/benchpost/generator/result"
)

// sane checks what holds whatever the bytes: nothing panics, results are
// sound, and they do not depend on how the bytes arrive.
func sane(t *testing.T, data []byte) Output {
	t.Helper()
	out, err := Read("f", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if (len(out.Results)+len(out.Traces)+len(out.Captured) == 0 && out.Snapshot == nil) != (out.Reason != "") {
		t.Errorf("%d results, reason %q", len(out.Results), out.Reason)
	}
	lines := bytes.Count(data, []byte("\n")) + 1
	for i := range out.Results {
		r := &out.Results[i]
		sound(t, r)
		if r.EndLine > lines || len(Raw(data, r)) == 0 {
			t.Errorf("lines %d to %d of %d", r.Source.Line, r.EndLine, lines)
		}
	}
	for i := range out.Traces {
		soundTrace(t, &out.Traces[i], lines)
	}
	if out.Snapshot != nil {
		soundSnapshot(t, out.Snapshot, lines)
	}
	for i := range out.Unfinished {
		soundProgress(t, &out.Unfinished[i], lines)
	}
	for _, m := range out.Messages {
		if m.Pos.Line < 1 || m.Pos.Line > lines || m.Pos.Column < 0 || m.ID == "" {
			t.Errorf("a message at %v of %d lines: %v", m.Pos, lines, m)
		}
	}
	halves, err := Read("f", iotest.HalfReader(bytes.NewReader(data)))
	if err != nil || len(halves.Results) != len(out.Results) || len(halves.Unfinished) != len(out.Unfinished) || len(halves.Messages) != len(out.Messages) {
		t.Errorf("read in pieces: %d results and %d messages, not %d and %d; error %v",
			len(halves.Results), len(halves.Messages), len(out.Results), len(out.Messages), err)
	}
	return out
}

// soundTrace checks what holds for every trace that is handed out.
func soundTrace(t *testing.T, trace *result.Trace, lines int) {
	t.Helper()
	if trace.Tool == "" || trace.Format == "" || trace.Source.Line < 1 || trace.EndLine > lines || !slices.IsSorted(trace.Times) || len(trace.Channels) == 0 {
		t.Errorf("%v to line %d: tool %q, format %q, %d channels", trace.Source, trace.EndLine, trace.Tool, trace.Format, len(trace.Channels))
	}
	for _, c := range trace.Channels {
		if len(c.Values) != len(trace.Times) || len(c.Lines) != len(trace.Times) || c.Name == "" || c.Unit == "" || c.Field == "" {
			t.Errorf("%v: channel %s in %q of %q has %d values at %d times", trace.Source, c.Name, c.Unit, c.Field, len(c.Values), len(trace.Times))
		}
	}
}

// soundSnapshot checks what holds for a server's counters.
func soundSnapshot(t *testing.T, s *Snapshot, lines int) {
	t.Helper()
	if s.Engine == "" || s.Source.Line < 1 || len(s.Counters) == 0 || len(s.Counters) > len(serverCounters)+maxReasons || !(s.Started >= 0) {
		t.Errorf("%+v", *s)
	}
	for _, c := range s.Counters {
		if c.Name == "" || c.Field == "" || !(c.Value >= 0 && c.Value <= mostCount*maxSeries) || c.Line < 1 || c.Line > lines {
			t.Errorf("%+v of %d lines", c, lines)
		}
	}
}

// soundProgress checks what holds for every run in progress.
func soundProgress(t *testing.T, u *result.Unfinished, lines int) {
	t.Helper()
	if u.Tool == "" || u.Unit == "" || u.Source.Line < 1 || u.Source.Line > lines || u.Done < 0 || u.Total < 0 || u.Total > 0 && u.Done > u.Total ||
		u.Elapsed < 0 || u.Left < -1 || u.Rate < 0 || math.IsInf(u.Rate, 0) || math.IsNaN(u.Rate) {
		t.Errorf("%+v of %d lines", *u, lines)
	}
}

func FuzzServeText(f *testing.F) {
	f.Add([]byte(table))
	f.Add([]byte("Namespace(model='m', random_input_len=3, f=<function g at 0x1>)\r\n" + each("[1,0]<stdout>:")))
	f.Add([]byte("vllm bench serve --model m \\\n --seed 3\n```\n" + strings.ReplaceAll(table, "\n", "\r\n") + "```\n"))
	f.Add([]byte("x\r\x1b[1m=========== Serving Benchmark Result ===\nPer-position acceptance (%):\n Position 0: 3\nMean TTFT (s): 1e3\nA: b"))
	f.Add([]byte("Successful requests: 1000\nBenchmark duration: 445.6 s\nMean TTFT: 3 ms\n"))
	f.Add([]byte("Mean TTFT (ms):    3.5\nP99.9 ITL (us): 1e-3\nShare/GPU (%): 3 x\nINFO: y\n```\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sane(t, data)
		sane(t, append([]byte("=========== Serving Benchmark Result ===========\n"), data...))
	})
}

func FuzzServeJSON(f *testing.F) {
	f.Add([]byte(saved))
	f.Add([]byte(saved + "\n" + object(`"errors": ["", "x"], "itls": [[1, 2], []], "p99.9_itl_ms": NaN`)))
	f.Add([]byte(object(`"a": {"b": ["\"", "\\", "\ud83d"]}, "duration": -1.5e-3, "c": true`)))
	f.Add([]byte("{\"model_id\": \"m\", \"completed\": 3, \"ttfts\": [1\n{\"model_id\": 1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out := sane(t, data)
		// Where the standard library agrees that it is JSON, the figures are its.
		var want map[string]any
		if json.Unmarshal(data, &want) != nil || !isJSON(data) || bytes.Contains(data, []byte("\n{\"")) {
			return
		}
		if len(out.Messages) > 0 && out.Messages[0].ID == "format.syntax" {
			t.Fatalf("a fault in sound JSON: %v", out.Messages[0])
		}
		for _, r := range out.Results {
			for _, m := range r.Metrics {
				v, ok := want[m.Field].(float64)
				if ok && bytes.Count(data, []byte(`"`+m.Field+`"`)) == 1 && serveKey(m.Field).shift == 0 && v != m.Value {
					t.Errorf("%s is %v, not %v", m.Field, m.Value, v)
				}
			}
		}
	})
}

// Every reader, seeded with the fixtures: none panics, and what is handed out is
// sound whatever the bytes.
func FuzzFixtures(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "fixtures", "*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		if data, err := os.ReadFile(path); err == nil && !strings.HasSuffix(path, ".want") {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { sane(t, data) })
}
