package quality

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Go's benchmarks print a line each: the name, how often the code ran, and pairs
// of a figure and its unit,
//
//	BenchmarkDecode/q4-8   120   9876543 ns/op   51.2 tok/s
//
// below lines that name the machine ("goos: linux"). With -count a name comes
// again: each line is a result of its own, and they are repeats. Whether a name's
// last number is GOMAXPROCS or its own cannot be reported, so that the name stays
// whole. Nothing here has the vocabulary's meaning: a unit that a benchmark made
// up with ReportMetric stays its own, tok/s is x_tok_per_s.
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

// set notes a line of the configuration, in place of an earlier one.
func (t *goBench) set(key, value string, line int) {
	for i := range t.config {
		if t.config[i].Key == key {
			t.config[i] = draft.KeyValue{Key: key, Value: value, Line: line}
			return
		}
	}
	t.config = append(t.config, draft.KeyValue{Key: key, Value: value, Line: line})
}

// isGoBench distinguishes a benchmark's line from prose that begins like one.
func isGoBench(fields []string) bool {
	name, ok := strings.CutPrefix(fields[0], "Benchmark")
	if !ok || name != "" && name[0] >= 'a' && name[0] <= 'z' || len(fields) < 4 || len(fields)%2 != 0 || strings.HasPrefix(name, "Model/name=") { // Ollama's
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
