package format

import (
	"bytes"
)

// The folder of vLLM's continuous benchmarks (.buildkite/performance-benchmarks)
// holds a file for each run, which are read, and two summaries of them:
// benchmark_results.md and benchmark_results.json. Those say the same again with
// fewer digits and other names, and would count every run twice.
const summaryOfFiles = "a summary of result files; the files themselves are read"

func isVLLMSummary(v *value) bool {
	return v.get("latency") != nil && v.get("throughput") != nil && v.get("serving").get("Test name") != nil ||
		v.get("latency", "Test name") != nil
}

func readVLLMSummary(in *input, v *value) { in.noResult(v.line, summaryOfFiles) }

var summaryMarks = []string{"Tput (req/s)", "Mean latency (ms)"}

// summaryText tells of the tables, once in a file.
type summaryText struct {
	in   *input
	told bool
}

func newSummaryText() lineReader { return &summaryText{} }

func (t *summaryText) begin(in *input) { t.in, t.told = in, false }

func (t *summaryText) line(l line) bool {
	if !t.told && bytes.Contains(l.text, []byte("Test name")) {
		t.in.noResult(l.number, summaryOfFiles)
		t.told = true
	}
	return false
}

func (t *summaryText) end() {}
