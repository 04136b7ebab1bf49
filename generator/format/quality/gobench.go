package quality

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Go's benchmarks print one line each, with the name, the number of iterations, and pairs of a figure and its unit,
//
//	BenchmarkDecode/q4-8   120   9876543 ns/op   51.2 tok/s
//
// below lines that describe the machine ("goos: linux"). With -count, a name appears several times: each line is a
// result of its own, and these results are repeats. The last number of a name may be GOMAXPROCS or part of the name, so
// the name is not split. No figure gets a name of the vocabulary: units of ReportMetric stay as they are, and tok/s
// becomes x_tok_per_s.
//
// Source: go.dev/design/14313-benchmark-format.
var goBenchMarks = []string{"goos: ", "goarch: ", " ns/op"}

type goBench struct {
	draft.Draft
	config []draft.KeyValue
}

func newGoBench() draft.LineReader { return &goBench{} }

func (t *goBench) Begin(in *draft.File) { t.In, t.config = in, t.config[:0] }
func (t *goBench) End()                 {}

func (t *goBench) Line(l scan.Line) bool {
	if key, value, ok := scan.Labelled(l.Text, ": "); ok && (key == "goos" || key == "goarch" || key == "pkg" || key == "cpu") {
		t.set(key, value, l.Number)
		return true
	}
	fields := strings.Fields(string(l.Text))
	if len(fields) == 0 {
		return true
	}
	switch fields[0] {
	case "PASS", "FAIL", "ok", "exit":
		if fields[0] != "PASS" {
			t.config = t.config[:0]
		}
		return fields[0] == "PASS"
	}
	if isGoBench(fields) && (l.Ended || strings.HasSuffix(fields[len(fields)-1], "/op")) {
		t.row(fields, l)
	}
	return len(t.config) > 0
}

// set stores a line of the configuration. It replaces an earlier one with the same key.
func (t *goBench) set(key, value string, line int) {
	for i := range t.config {
		if t.config[i].Key == key {
			t.config[i] = draft.KeyValue{Key: key, Value: value, Line: line}
			return
		}
	}
	t.config = append(t.config, draft.KeyValue{Key: key, Value: value, Line: line})
}

// isGoBench reports whether a line is that of a benchmark, rather than prose that begins like one.
func isGoBench(fields []string) bool {
	name, ok := strings.CutPrefix(fields[0], "Benchmark")
	if !ok || name != "" && name[0] >= 'a' && name[0] <= 'z' || len(fields) < 4 || len(fields)%2 != 0 || strings.HasPrefix(name, "Model/name=") { // a benchmark of Ollama
		return false
	}
	for i := 1; i < len(fields); i++ {
		f, isNumber := scan.ParseFigure([]byte(fields[i]), 0)
		isUnit := i > 1 && i%2 == 1
		if isUnit == isNumber || isNumber && !f.Finite {
			return false
		}
	}
	return strings.Trim(fields[1], "0123456789") == ""
}

func (t *goBench) row(fields []string, l scan.Line) {
	t.Reset(t.In, "go-bench", "go-bench-text", l.Number)
	t.SetText("x_benchmark", fields[0], l.Number)
	for _, c := range t.config {
		t.SetText("x_"+c.Key, c.Value, c.Line)
	}
	t.Number("x_iterations", "", "iterations", []byte(fields[1]), l.Number)
	for i := 2; i < len(fields); i += 2 {
		if own := draft.Snake(fields[i+1]); own != "" {
			t.Number("x_"+own, fields[i+1], fields[i+1], []byte(fields[i]), l.Number)
		}
	}
	t.Emit(l.Number, true)
}
