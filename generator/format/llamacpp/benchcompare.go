package llamacpp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// compareTable reads tables whose rows are tests of llama-bench, with a column of rates for each build, file or setting
// that is compared. llama.cpp's scripts/compare-llama-bench.py writes such tables, and people write them by hand:
//
//	| GPU | Model | Microbatch size | Test | t/s master | t/s 0a1b2c3d4 | Speedup |
//	| model | threads | test | t/s (main) | t/s (PR) | Speedup |
//
// Each rate is a result, and its x_run is the name of the column. Such tables leave out what is the same in all rows,
// so x_table distinguishes the results of different tables. The engine of a table made by hand is unknown, because
// other engines are compared in the same way. If the file also has output of the tools themselves, these tables are
// taken for a summary and dropped.
type compareTable struct {
	draft.Draft
	header   []string // keys as in JSON; nil outside a table
	fields   []string // as written
	rates    []rateColumn
	test     int // column of the tests
	first    int // line of the header
	tables   int
	made     int // results of the table
	script   bool
	cells    []string
	commands draft.Commands
}

// rateColumn is a column of rates: its index, the index of the column with its spread (0 for none), and the name of the
// run.
type rateColumn struct {
	column, spread int
	run            string
}

const compareForm = "llama-bench-compare-md"

var compareMarks = append([]string{"| test ", " test |", "|test|", "| Test ", " Test |", "|Test|", "| task ", " task |", "| Task ", " Task |"}, benchCommandMarks...)

// compareColumns maps the column names that the script prints to keys, in addition to llamaColumns.
var compareColumns = map[string]string{
	"cpu": "cpu_info", "gpu": "gpu_info", "gpu layers": "n_gpu_layers", "tensor overrides": "tensor_buft_overrides", "file": "model_filename",
	"model": "model_type", "model size [gib]": "model_size", "num. of par.": "model_n_params", "num. of parameters": "model_n_params",
	"batch size": "n_batch", "microbatch size": "n_ubatch", "cpu mask": "cpu_mask", "cpu strict": "cpu_strict", "k type": "type_k", "v type": "type_v",
	"use mmap": "use_mmap", "nkvo": "no_kv_offload", "split mode": "split_mode", "main gpu": "main_gpu", "tensor split": "tensor_split",
	"flashattention": "flash_attn", "quant": "quantization", "quants": "quantization",
}

func newCompareTable() draft.LineReader { return &compareTable{} }

func (t *compareTable) Begin(in *draft.File) {
	*t = compareTable{Draft: t.Draft, commands: newBenchCommands(), cells: t.cells[:0]}
	t.In = in
	t.commands.Begin(in)
}

func (t *compareTable) Line(l scan.Line) bool {
	cells, isRow := scan.Pipes(t.cells[:0], l.Text)
	t.cells = cells
	for i, c := range cells {
		cells[i] = scan.PlainMarkdown(c)
	}
	switch {
	case isRow && t.header == nil:
		t.head(cells, l.Number)
	case isRow && !scan.IsDivider(cells):
		t.take(cells, l)
	case isRow:
	default:
		t.finish()
		t.commands.Line(l.Text, l.Number)
	}
	return t.header != nil || t.commands.Continued()
}

// finish ends a table.
func (t *compareTable) finish() {
	if t.made > 0 {
		t.commands.Made(t.made, t.first)
	}
	t.header, t.made = nil, 0
}

func testColumn(cells []string) int {
	return slices.IndexFunc(cells, func(name string) bool { return strings.EqualFold(name, "test") || strings.EqualFold(name, "task") })
}

// comparesTests reports whether cells are the names of the columns of such a table.
func comparesTests(cells []string) bool {
	return testColumn(cells) >= 0 && !isLlamaHeader(cells) && slices.ContainsFunc(cells, func(name string) bool {
		run, ok := rateOf(name)
		return ok && !isRateOfPart(run)
	})
}

// head begins a table if cells are the names of its columns: a test, followed by rates.
func (t *compareTable) head(cells []string, line int) {
	if t.test = testColumn(cells); t.test < 0 || isLlamaHeader(cells) {
		return
	}
	t.rates = t.rates[:0]
	var header []string
	for i, name := range cells {
		run, isRate := rateOf(name)
		key, known := compareColumns[strings.ToLower(name)]
		switch {
		case isRate && isRateOfPart(run):
			return // benchmarks of servers have tests and rates, too
		case draft.Aims(name):
			return
		case isRate && i > t.test && !draft.Compares(name):
			if n := len(t.rates); n > 0 && isSpread(run) {
				t.rates[n-1].spread = i
			} else {
				t.rates = append(t.rates, rateColumn{column: i, run: strings.TrimPrefix(run, "avg")})
			}
		case i == t.test:
			key = "test"
		case len(t.rates) > 0 || isRate || draft.Compares(name):
		case !known:
			if key = llamaColumns[strings.ToLower(name)]; key == "" {
				key = name
			}
		}
		if len(t.rates) > 0 || draft.Compares(name) {
			key = ""
		}
		header = append(header, key)
	}
	for i, r := range t.rates {
		if slices.ContainsFunc(t.rates[:i], func(other rateColumn) bool { return other.run == r.run }) {
			t.In.NoResult(line, locale.Textf("two columns of rates have the same name, %q", scan.Clip([]byte(cells[r.column]), 40)))
			t.In.Advise(locale.Textf("name in each what was measured: t/s (main), t/s (PR)"))
			return
		}
	}
	if len(t.rates) == 0 {
		return
	}
	t.header, t.fields, t.first = header, slices.Clone(cells), line
	last := len(cells) - 1
	t.script = cells[t.test] == "Test" && t.test == last-3 && len(t.rates) == 2 && cells[last] == "Speedup"
	t.tables++
}

// rateOf removes the unit from the name of a column of rates: "t/s master" becomes "master", "main (t/s)" becomes
// "main". It reports false if the name has no such unit.
func rateOf(head string) (of string, ok bool) {
	for _, unit := range []string{"tokens/s", "tok/s", "t/s"} {
		i := strings.Index(strings.ToLower(head), unit)
		if i < 0 {
			continue
		}
		before, behind := strings.TrimSpace(head[:i]), strings.TrimSpace(head[i+len(unit):])
		if strings.HasSuffix(before, "(") && strings.HasPrefix(behind, ")") {
			before, behind = strings.TrimSpace(before[:len(before)-1]), strings.TrimSpace(behind[1:])
		}
		if i > 0 && before == head[:i] && !strings.HasSuffix(before, "(") || i+len(unit) < len(head) && behind == head[i+len(unit):] && behind[0] != '(' && behind[0] != ')' {
			return "", false // a part of a word
		}
		of = strings.TrimSpace(before + " " + behind)
		if inner, bare := strings.CutPrefix(of, "("); bare {
			if inner, bare = strings.CutSuffix(inner, ")"); bare && !strings.ContainsAny(inner, "()") {
				of = inner
			}
		}
		return of, true
	}
	return "", false
}

// isRateOfPart reports whether a name says which tokens, requests or users a rate counts, or which statistic it is.
func isRateOfPart(name string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(name)), func(word string) bool { return slices.Contains(partsOfRates, word) })
}

var partsOfRates = []string{"pp", "tg", "prompt", "prefill", "decode", "gen", "generation", "eval", "output", "input", "total", "req", "request", "user", "aggregate",
	"peak", "min", "max", "median", "best", "worst", "p50", "p90", "p95", "p99"}

func isSpread(name string) bool { return name == "stddev" || name == "std" || name == "±" }

// take reads a row.
func (t *compareTable) take(cells []string, l scan.Line) {
	if !l.Ended && !bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("|")) {
		return // the last digits may be missing
	}
	if len(cells) != len(t.header) {
		t.In.NoResult(l.Number, locale.Textf("a row of llama-bench with more or fewer values than names"))
		return
	}
	test := strings.ToLower(cells[t.test])
	if _, ok := draft.ParseSpeedTest(test); !ok {
		if t.made > 0 {
			t.In.NoResult(l.Number, locale.Textf("a row between tests of llama-bench that is none"))
		}
		return
	}
	for _, rate := range t.rates {
		mean, spread := scan.PlusMinus(cells[rate.column])
		if scan.IsMissing(mean) {
			continue
		}
		if rate.spread > 0 {
			spread = cells[rate.spread]
		}
		row := []llamaCell{{"avg_ts", t.fields[rate.column], mean, l.Number}, {"stddev_ts", t.fields[rate.column] + " ±", spread, l.Number}}
		for i, key := range t.header {
			if text := cells[i]; key != "" && !scan.IsMissing(text) {
				row = append(row, t.setting(key, text, test, i, l.Number))
			}
		}
		t.result(row, rate, l.Number)
	}
}

// setting returns the cell of a setting, written as llama-bench writes it.
func (t *compareTable) setting(key, text, test string, i, line int) llamaCell {
	switch {
	case key == "test":
		text = test
	case key == "model_size" && strings.HasSuffix(t.fields[i], "[GiB]"):
		text += " GiB"
	case text == "Yes":
		text = "1"
	case text == "No":
		text = "0"
	}
	return llamaCell{key, t.fields[i], text, line}
}

// result emits the result of a rate.
func (t *compareTable) result(row []llamaCell, rate rateColumn, line int) {
	tool := "generic"
	if t.script {
		tool = "llama-bench"
	}
	t.Reset(t.In, tool, compareForm, line)
	if rate.run != "" {
		t.SetLabel("x_run", []byte(rate.run), t.first)
		t.Fact([]byte("run"), []byte(rate.run))
	}
	t.Guess("x_table", strconv.Itoa(t.tables), t.first)
	read := speedRow
	if t.script {
		read = llamaRow
	}
	if !read(&t.Draft, row, 0) {
		t.In.NoResult(line, locale.Textf("a row of llama-bench without a rate"))
		return
	}
	if t.made == 0 {
		t.passedOver()
	}
	t.Emit(line, true)
	t.made++
}

// passedOver reports the columns of a table that are not read.
func (t *compareTable) passedOver() {
	for i, name := range t.fields {
		switch {
		case t.header[i] != "" || slices.ContainsFunc(t.rates, func(r rateColumn) bool { return r.column == i || r.spread == i }):
		case draft.Compares(name):
			t.In.NoResult(t.first, locale.Textf("the column %q compares others: it is not a measurement", scan.Clip([]byte(name), 40)))
		case name != "":
			t.In.NoResult(t.first, locale.Textf("the column %q behind the rates is not read", scan.Clip([]byte(name), 40)))
			t.In.Advise(locale.Textf("put it before the column of the tests if it is a setting"))
		}
	}
}

func (t *compareTable) End() {
	t.finish()
	t.commands.Settle()
}

// Settle drops the results of these tables if the file also has output of llama.cpp's tools themselves.
func (t *compareTable) Settle() {
	out := &t.In.Out
	isOwn := func(r result.Result) bool { return r.Format == compareForm }
	if i := slices.IndexFunc(out.Results, isOwn); i >= 0 && slices.ContainsFunc(out.Results, func(r result.Result) bool { return strings.HasPrefix(r.Format, "llama-") && !isOwn(r) }) {
		t.In.NoResult(out.Results[i].Source.Line, locale.Textf("a table that compares builds, beside the tool's own output, of which it is taken for a summary"))
		t.In.Advise(locale.Textf("put it into a file of its own if it has other measurements"))
		out.Results = slices.DeleteFunc(out.Results, isOwn)
	}
}
