package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// The reports of llm_bench (openvinobench.go): CSV (-r) with a row for each iteration of each prompt, then the averages,
// least values and medians of each, then notes; and JSON (-rj) with the iterations and their averages over all prompts,
// which are no run's where there are several.

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
	if len(run) == 0 {
		in.NoResult(v.Line, locale.Textf("llm_bench was cut off before the first figure"))
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

// iterationsOf returns the iterations of a prompt, of which there may be none yet.
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

// llmBenchCSV reads the CSV.
type llmBenchCSV struct {
	draft.Draft
	columns scan.Columns
	cells   []string
	run     []*iterations
	rows    map[*iterations][]string // a row of each, for its settings
	load    string
}

var llmBenchCSVMarks = []string{"iteration,model,framework,device,"}

func newLLMBenchCSV() draft.LineReader { return &llmBenchCSV{} }

func (t *llmBenchCSV) Begin(in *draft.File) { *t = llmBenchCSV{Draft: t.Emptied(in)} }

func (t *llmBenchCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	if t.In.Marked && len(t.cells) > 4 && t.cells[0] == "iteration" {
		t.close()
		t.columns, t.rows, t.load = scan.NewColumns(append([]string(nil), t.cells...)), map[*iterations][]string{}, ""
		return true
	}
	cell := func(name string) string { return t.columns.Cell(t.cells, name) }
	number := cell("iteration")
	switch {
	case t.rows == nil || !l.Ended || number == "" || cell("model") == "": // notes, behind an empty row
		t.close()
		return false
	case number == "avg":
		it := iterationsOf(&t.run, cell("prompt_idx"), l.Number)
		t.emit(&iterations{prompt: it.prompt}, t.cells, l.Number, l.Number)
		it.last = 0 // it has its result
	case number == "mini" || number == "median":
	default:
		prompt := cell("prompt_idx")
		it := iterationsOf(&t.run, prompt, l.Number)
		if number != "0" && it.warmup {
			*it = iterations{prompt: prompt, first: l.Number}
		}
		if load := cell("pretrain_time(s)"); load != "" {
			t.load = load
		}
		it.warmup, it.last = number == "0", l.Number
		for i, f := range iterationFigures {
			it.take(i, cell(f.csv), f.name == "e2el_mean")
		}
		t.rows[it] = append(t.rows[it][:0], t.cells...)
	}
	return true
}

// emit emits a result of a prompt: the averages in a row, or the mean of its iterations with the settings of one.
func (t *llmBenchCSV) emit(it *iterations, row []string, first, last int) {
	t.Reset(t.In, "openvino-llm-bench", "openvino-llm-bench-csv", first)
	averaged := it.last == 0
	for _, f := range iterationFigures {
		unit := strings.TrimSuffix(f.csv[strings.IndexByte(f.csv, '(')+1:], ")")
		if f.name == "x_mean_output_len" {
			unit = "tok"
		}
		if averaged {
			t.Number(f.name, unit, f.csv, []byte(t.columns.Cell(row, f.csv)), last)
		}
	}
	it.derive(&t.Draft, last)
	for _, c := range []struct{ column, label string }{
		{"model", "model_raw"}, {"framework", "x_framework"}, {"device", "device"}, {"num_beams", "num_beams"},
		{"batch_size", "batch_size"}, {"input_size", "x_input_size"}, {"infer_count", "output_len"},
	} {
		value := t.columns.Cell(row, c.column)
		if whole, ok := strings.CutSuffix(value, ".0"); ok { // of an average
			value = whole
		}
		t.SetText(c.label, value, last)
	}
	setPrecision(&t.Draft, t.columns.Cell(row, "precision"), last)
	if seconds, ok := scan.ParseNumber([]byte(t.load)); ok {
		t.Derive("load_time", seconds, "pretrain_time(s) of the first row", last)
	}
	finishLLMBench(&t.Draft, it)
	t.Emit(last, averaged)
}

// close emits the prompts whose averages have not come.
func (t *llmBenchCSV) close() {
	for _, it := range t.run {
		if it.last > 0 {
			t.emit(it, t.rows[it], it.first, it.last)
		}
	}
	t.run, t.rows = nil, nil
}

func (t *llmBenchCSV) End() { t.close() }
