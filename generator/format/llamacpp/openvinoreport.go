package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// llm_bench (openvinobench.go) writes two reports. The CSV (-r) has a row for each iteration of each prompt, then the
// averages, minima and medians of each prompt, then notes. The JSON (-rj) has the iterations and their averages over
// all prompts. The latter are not used, because they mix the prompts.

func isLLMBench(v *scan.Value) bool {
	return v.Get("metadata").Has("framework", "num_beams") && v.Get("perfdata").Has("results")
}

func readLLMBench(in *draft.File, v *scan.Value) {
	var run []*iterations
	about := v.Get("metadata")
	for row := range in.Entries(v.Get("perfdata", "results")) {
		cell := func(key string) string {
			if v := row.Get(key); v.Scalar() {
				return string(v.Raw)
			}
			return ""
		}
		prompt := cell("prompt_idx")
		it := iterationsOf(&run, prompt, row.Line)
		warmup := cell("iteration") == "0"
		if !warmup && it.warmup {
			*it = iterations{prompt: prompt, first: row.Line}
		}
		it.warmup, it.last = warmup, row.Last
		for i, f := range iterationFigures {
			if f.name != "ttft_mean" || cell("chat_idx") == "" {
				it.take(i, cell(f.json), f.name == "e2el_mean")
			}
		}
		it.labels = append(it.labels[:0], draft.NewSetting("x_input_size", cell("input_size"), row.Line),
			draft.NewSetting("output_len", cell("infer_count"), row.Line))
	}
	if len(run) == 0 || v.Cut { // a mean needs all iterations
		noAverages(in, v.Line)
		return
	}
	for _, it := range run {
		s := in.Begin("openvino-llm-bench", "openvino-llm-bench-json", v.Line)
		it.derive(s, it.last)
		s.TakeAll(v, []draft.Member{{Key: "perfdata.compile_time", Name: "load_time", Unit: "s"}})
		s.TakeAll(about, []draft.Member{
			{Key: "model", Name: "model_raw"}, {Key: "framework", Name: "x_framework"}, {Key: "device", Name: "device"},
			{Key: "num_beams", Name: "num_beams"}, {Key: "batch_size", Name: "batch_size"},
		})
		setPrecision(s, about.Get("precision").Text(), about.Get("precision").Line)
		for _, set := range it.labels {
			s.SetText(set.Label, set.Value, set.Line)
		}
		finishLLMBench(s, it)
		s.EmitObject(v)
	}
}

// iterationsOf returns the iterations of a prompt, and adds the prompt to run if it is new.
func iterationsOf(run *[]*iterations, prompt string, line int) *iterations {
	for _, it := range *run {
		if it.prompt == prompt {
			return it
		}
	}
	it := &iterations{prompt: prompt, first: line, warmup: true}
	*run = append(*run, it)
	return it
}

// noAverages reports iterations that have no average.
func noAverages(in *draft.File, line int) {
	in.NoResult(line, locale.Textf("iterations of llm_bench without their averages: it was cut off, or run without -n"))
}

// llmBenchCSV reads the CSV.
type llmBenchCSV struct {
	draft.Draft
	columns scan.Columns // nil when there is no table
	cells   []string
	first   int // line of the table, 0 once it has an average
	load    string
}

var llmBenchCSVMarks = []string{"iteration,model,framework,device,"}

func newLLMBenchCSV() draft.LineReader { return &llmBenchCSV{} }

func (t *llmBenchCSV) Begin(in *draft.File) { *t = llmBenchCSV{Draft: t.Emptied(in)} }

func (t *llmBenchCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	if t.In.Marked && t.cells[0] == "iteration" {
		t.End()
		t.columns, t.first, t.load = scan.NewColumns(append([]string(nil), t.cells...)), l.Number, ""
		return true
	}
	cell := func(name string) string { return t.columns.Cell(t.cells, name) }
	switch {
	case t.columns == nil || !l.Ended || cell("iteration") == "" || cell("model") == "": // notes follow, after an empty row
		t.End()
		return false
	case cell("pretrain_time(s)") != "":
		t.load = cell("pretrain_time(s)")
	case cell("iteration") == "avg":
		t.average(cell, l.Number)
		t.first = 0
	}
	return true
}

// average emits the averages of a prompt, which are one row.
func (t *llmBenchCSV) average(cell func(name string) string, line int) {
	t.Reset(t.In, "openvino-llm-bench", "openvino-llm-bench-csv", line)
	for _, f := range iterationFigures {
		unit := strings.TrimSuffix(f.csv[strings.IndexByte(f.csv, '(')+1:], ")")
		if f.name == "x_mean_output_len" {
			unit = "tok"
		}
		t.Number(f.name, unit, f.csv, []byte(cell(f.csv)), line)
	}
	for _, c := range []struct{ column, label string }{
		{"model", "model_raw"}, {"framework", "x_framework"}, {"device", "device"}, {"num_beams", "num_beams"},
		{"batch_size", "batch_size"}, {"input_size", "x_input_size"}, {"infer_count", "output_len"},
	} {
		t.SetText(c.label, strings.TrimSuffix(cell(c.column), ".0"), line) // the row of averages writes integers with decimals
	}
	setPrecision(&t.Draft, cell("precision"), line)
	if seconds, ok := scan.ParseNumber([]byte(t.load)); ok {
		t.Derive("load_time", seconds, "pretrain_time(s) of the first row", line)
	}
	finishLLMBench(&t.Draft, &iterations{prompt: cell("prompt_idx")})
	t.Emit(line, true)
}

func (t *llmBenchCSV) End() {
	if t.columns != nil && t.first > 0 {
		noAverages(t.In, t.first)
	}
	t.columns, t.first = nil, 0
}
