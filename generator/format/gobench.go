package format

import (
	"strings"
)

// Go's benchmarks print a line each: the name, how often the code ran, and pairs
// of a figure and its unit,
//
//	BenchmarkDecode/q4-8   120   9876543 ns/op   51.2 tok/s
//
// below lines that name the machine ("goos: linux"). With -count a name comes
// again: each line is a result of its own, and they are repeats. Whether a name's
// last number is GOMAXPROCS or its own cannot be told, so that the name stays
// whole. Nothing here has the vocabulary's meaning: a unit that a benchmark made
// up with ReportMetric stays its own, tok/s is x_tok_per_s.
//
// Source: go.dev/design/14313-benchmark-format.
var goBenchMarks = []string{"goos: ", "goarch: ", " ns/op"}

type goBench struct {
	sheet
	config []goConfig
}

// goConfig is one line above the benchmarks.
type goConfig struct {
	key, value string
	line       int
}

func newGoBench() lineReader { return &goBench{} }

func (t *goBench) begin(in *input) { t.in, t.config = in, t.config[:0] }
func (t *goBench) end()            {}

func (t *goBench) line(l line) bool {
	if key, value, ok := labelled(l.text, ": "); ok && (key == "goos" || key == "goarch" || key == "pkg" || key == "cpu") {
		t.set(key, value, l.number)
		return true
	}
	fields := strings.Fields(string(l.text))
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
	if isGoBench(fields) && (l.ended || strings.HasSuffix(fields[len(fields)-1], "/op")) {
		t.row(fields, l)
	}
	return len(t.config) > 0
}

// set notes a line of the configuration, in place of an earlier one.
func (t *goBench) set(key, value string, line int) {
	for i := range t.config {
		if t.config[i].key == key {
			t.config[i] = goConfig{key, value, line}
			return
		}
	}
	t.config = append(t.config, goConfig{key, value, line})
}

// isGoBench tells a benchmark's line from prose that begins like one.
func isGoBench(fields []string) bool {
	name, ok := strings.CutPrefix(fields[0], "Benchmark")
	if !ok || name != "" && name[0] >= 'a' && name[0] <= 'z' || len(fields) < 4 || len(fields)%2 != 0 {
		return false
	}
	for i := 1; i < len(fields); i++ {
		f, isNumber := parseFigure([]byte(fields[i]), 0)
		isUnit := i > 1 && i%2 == 1
		if isUnit == isNumber || isNumber && !f.finite {
			return false
		}
	}
	return strings.Trim(fields[1], "0123456789") == ""
}

func (t *goBench) row(fields []string, l line) {
	t.reset(t.in, "go-bench", "go-bench-text", l.number)
	t.said("x_benchmark", fields[0], l.number)
	for _, c := range t.config {
		t.said("x_"+c.key, c.value, c.line)
	}
	t.number("x_iterations", "1", "iterations", []byte(fields[1]), l.number)
	for i := 2; i < len(fields); i += 2 {
		if own := snake(fields[i+1]); own != "" {
			t.number("x_"+own, fields[i+1], fields[i+1], []byte(fields[i]), l.number)
		}
	}
	t.hand(l.number, true)
}
