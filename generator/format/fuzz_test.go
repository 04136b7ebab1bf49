package format_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
)

func FuzzServeText(f *testing.F) {
	f.Add([]byte(fixture.Table))
	f.Add([]byte("Namespace(model='m', random_input_len=3, f=<function g at 0x1>)\r\n" + fixture.Each("[1,0]<stdout>:")))
	f.Add([]byte("vllm bench serve --model m \\\n --seed 3\n```\n" + strings.ReplaceAll(fixture.Table, "\n", "\r\n") + "```\n"))
	f.Add([]byte("x\r\x1b[1m=========== Serving Benchmark Result ===\nPer-position acceptance (%):\n Position 0: 3\nMean TTFT (s): 1e3\nA: b"))
	f.Add([]byte("Successful requests: 1000\nBenchmark duration: 445.6 s\nMean TTFT: 3 ms\n"))
	f.Add([]byte("Mean TTFT (ms):    3.5\nP99.9 ITL (us): 1e-3\nShare/GPU (%): 3 x\nINFO: y\n```\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		fixture.Sane(t, data)
		fixture.Sane(t, append([]byte("=========== Serving Benchmark Result ===========\n"), data...))
	})
}

func FuzzServeJSON(f *testing.F) {
	f.Add([]byte(fixture.Saved))
	f.Add([]byte(fixture.Saved + "\n" + fixture.Object(`"errors": ["", "x"], "itls": [[1, 2], []], "p99.9_itl_ms": NaN`)))
	f.Add([]byte(fixture.Object(`"a": {"b": ["\"", "\\", "\ud83d"]}, "duration": -1.5e-3, "c": true`)))
	f.Add([]byte("{\"model_id\": \"m\", \"completed\": 3, \"ttfts\": [1\n{\"model_id\": 1}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		out := fixture.Sane(t, data)
		// If the standard library also parses the data as JSON, the figures must be equal to its figures.
		var want map[string]any
		if json.Unmarshal(data, &want) != nil || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) || bytes.Contains(data, []byte("\n{\"")) {
			return
		}
		if len(out.Messages) > 0 && out.Messages[0].ID == "format.syntax" {
			t.Fatalf("a fault in sound JSON: %v", out.Messages[0])
		}
		for _, r := range out.Results {
			for _, m := range r.Metrics {
				v, ok := want[m.Field].(float64)
				if ok && bytes.Count(data, []byte(`"`+m.Field+`"`)) == 1 && (m.Unit != "ms" || strings.HasSuffix(m.Field, "_ms")) && v != m.Value {
					t.Errorf("%s is %v, not %v", m.Field, m.Value, v)
				}
			}
		}
	})
}

// FuzzFixtures fuzzes every reader, with the fixtures as seeds: no reader panics, and emitted results are sound for any
// input.
func FuzzFixtures(f *testing.F) {
	for _, path := range fixture.All(f) {
		if data, err := os.ReadFile(path); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { fixture.Sane(t, data) })
}
