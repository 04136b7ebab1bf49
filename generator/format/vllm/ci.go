package vllm

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// vLLM's continuous benchmarks (.buildkite/performance-benchmarks) write one file for each run and two summaries,
// benchmark_results.md and benchmark_results.json. The reader reads the files of the runs and skips the summaries: they
// repeat the same figures with fewer digits and other names, so every run would be counted twice.
const summaryOfFiles = "a summary of result files; the files themselves are read"

func isVLLMSummary(v *scan.Value) bool {
	return v.Get("latency") != nil && v.Get("throughput") != nil && v.Get("serving").Get("Test name") != nil ||
		v.Get("latency", "Test name") != nil
}

func readVLLMSummary(in *draft.File, v *scan.Value) {
	in.NoResult(v.Line, locale.Textf(summaryOfFiles))
}

var summaryMarks = []string{"Tput (req/s)", "Mean latency (ms)"}

// summaryText reports the tables of a summary, once for each file.
type summaryText struct {
	in       *draft.File
	reported bool
}

func newSummaryText() draft.LineReader { return &summaryText{} }

func (t *summaryText) Begin(in *draft.File) { t.in, t.reported = in, false }

func (t *summaryText) Line(l scan.Line) bool {
	if !t.reported && bytes.Contains(l.Text, []byte("Test name")) {
		t.in.NoResult(l.Number, locale.Textf(summaryOfFiles))
		t.reported = true
	}
	return false
}

func (t *summaryText) End() {}
