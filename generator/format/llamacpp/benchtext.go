package llamacpp

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// llamaTable reads llama-bench's Markdown. A column is printed only if its setting is not the default, so the tables of
// one log differ. The build is printed below a table, unless the run broke off. The devices are printed above a table,
// in lines that may contain bars too. They apply to the next table if it follows closely.
//
// People paste such tables without the bars at the ends of rows, with tabs for bars, and without the columns that are
// the same in all rows. The values of missing columns may differ between tables, so x_table distinguishes them.
type llamaTable struct {
	draft.Draft
	header   []string // keys as in JSON; nil outside a table
	fields   []string // as printed
	rows     []int    // results since the header, by index
	first    int      // line of the header
	made     int      // results of the table that are not assigned to a command yet
	trimmed  int      // number of tables with columns left out
	partial  bool     // this table has columns left out
	noise    int      // lines since the last row
	cells    []string // of the line; the buffer is reused, like that of row
	row      []llamaCell
	half     []byte // a row that a narrow window may have broken
	broken   int    // its line
	barred   bool   // rows have bars at both ends, as the header
	compared bool   // the table is one that compareTable reads
	devices  devices
	backend  string // backend of the devices in the next lines
	commands draft.Commands
}

var llamaTableMarks = append([]string{"| backend ", "| model |", "| model  ", " test |", "|test|", "\ttest\t", " ± ", "build: ", "_init: found ", ", VMM: ", "ggml_vulkan: ", "GPU name: "}, benchCommandMarks...)

// benchCommandMarks lists marks of lines with a command.
var benchCommandMarks = []string{"llama-bench -", `llama-bench \`, "llama-bench.exe -"}

// llamaColumns maps the short names of columns in Markdown to keys.
var llamaColumns = map[string]string{
	"model": "model_type", "size": "model_size", "params": "model_n_params", "backend": "backends",
	"ngl": "n_gpu_layers", "threads": "n_threads", "th": "n_threads", "sm": "split_mode", "mg": "main_gpu",
	"nkvo": "no_kv_offload", "fa": "flash_attn", "mmap": "use_mmap", "dio": "use_direct_io", "embd": "embeddings",
	"nopo": "no_op_offload", "noh": "no_host", "dev": "devices", "ts": "tensor_split", "ot": "tensor_buft_overrides",
	"t/s": "avg_ts",
}

const (
	maxTableNoise = 100 // lines of a log between a header and its rows
	maxDeviceGap  = 40  // lines between the devices and a header
)

func newLlamaTable() draft.LineReader { return &llamaTable{commands: newBenchCommands()} }

func (t *llamaTable) Begin(in *draft.File) {
	*t = llamaTable{Draft: t.Draft, commands: t.commands, cells: t.cells[:0], row: t.row[:0], half: t.half[:0]}
	t.In = in
	t.commands.Begin(in)
}

func (t *llamaTable) Line(l scan.Line) bool {
	l.Text = t.whole(composed(l.Text), l.Number)
	cells, isRow := t.split(l.Text)
	t.cells = cells
	switch {
	case !isRow && t.command(l):
		return t.header != nil || t.commands.Continued()
	case isRow && isLlamaHeader(cells):
		t.open(cells, l.Number)
		t.barred = isBarred(l.Text)
	case isRow && t.header != nil && t.barred && l.Ended && len(cells) >= len(t.header) && !isBarred(append([]byte("|"), l.Text...)) && !isWholeRate(cells[len(cells)-1]):
		t.isBroken(l.Number) // its last digits are in the next line
	case isRow && t.partial && t.header != nil && len(cells) != len(t.header): // the header was one half of a broken line
		t.finish()
		t.header = nil
	case isRow && t.header != nil && len(cells) >= len(t.header):
		t.take(cells, l)
	case t.header == nil:
		t.compared = isRow && (t.compared || comparesTests(cells))
		if t.above(l); isRow && isLlamaRow(cells) && !t.compared {
			t.In.NoResult(l.Number, locale.Textf("a row of llama-bench without a header above it"))
			t.In.Advise(locale.Textf("put the header of its table above it, in one line: | model | size | params | backend | … | test | t/s |"))
		}
	default:
		t.noise++
		blank := len(bytes.TrimSpace(l.Text)) == 0
		if t.noise > maxTableNoise || len(t.rows) > 0 && (blank || bytes.HasPrefix(l.Text, []byte("```"))) {
			t.finish() // before another tool adds results
			t.header = nil
		}
		t.above(l)
	}
	return t.header != nil || len(t.half) > 0 || t.compared
}

// whole returns a line, joined with the line above if both make a header or a row. A window may break a row anywhere. A
// row that is broken inside a cell is not joined, because a blank may have been there.
func (t *llamaTable) whole(text []byte, line int) []byte {
	if len(t.half) > 0 && line == t.broken+1 {
		atBar := t.half[len(t.half)-1] == '|' || bytes.HasPrefix(bytes.TrimSpace(text), []byte("|"))
		both := append(t.half, text...)
		t.half = t.half[:0]
		cells, ok := scan.Pipes(t.cells[:0], both)
		if ok && atBar && (isLlamaHeader(cells) || t.header != nil && len(cells) == len(t.header) && (isLlamaRow(cells) || scan.IsDivider(cells))) {
			return both
		}
		if t.header != nil {
			t.isBroken(t.broken)
			if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("|")) {
				text = nil // the other part of the broken row
			}
		}
	}
	t.half = t.half[:0]
	if cells, ok := scan.Pipes(t.cells[:0], text); ok && !isLlamaHeader(cells) && (cells[0] == "model" || t.header != nil && len(cells) < len(t.header) && !scan.IsDivider(cells)) {
		t.half, t.broken = append(t.half, text...), line
	}
	return text
}

// isBroken reports a row that is broken over two lines.
func (t *llamaTable) isBroken(line int) {
	t.In.NoResult(line, locale.Textf("a row of llama-bench that is broken over two lines"))
	t.In.Advise(locale.Textf("join its parts, or take the output from a file or a wider window"))
}

// split returns the cells of a line, and whether it is a row. Cells are between bars. In a header, divider or row of
// such a table the bars at the ends may be missing, or tabs may replace the bars.
func (t *llamaTable) split(text []byte) ([]string, bool) {
	cells, ok := scan.Pipes(t.cells[:0], text)
	if ok {
		return cells, true
	}
	between := []byte{'|'}
	bars, tabs := bytes.Count(text, between), bytes.Count(text, []byte{'\t'})
	switch {
	case bars+tabs == 0:
		return cells, false
	case tabs > bars:
		between = []byte{'\t'}
	}
	for cell := range bytes.SplitSeq(text, between) {
		cells = append(cells, string(bytes.TrimSpace(cell)))
	}
	if last := len(cells) - 1; last > 0 && cells[last] == "" && isLlamaRow(cells[:last]) { // the bar at the end was kept
		cells = cells[:last]
	}
	return cells, isLlamaHeader(cells) || isLlamaRow(cells) || t.header != nil && len(cells) == len(t.header) && scan.IsDivider(cells)
}

// isBarred reports whether a row has bars at both ends.
func isBarred(text []byte) bool {
	text = bytes.TrimSpace(text)
	return len(text) > 1 && text[0] == '|' && text[len(text)-1] == '|'
}

// isWholeRate reports whether a cell without a bar after it has all of its digits: two decimals in each number.
func isWholeRate(cell string) bool {
	rate, deviation, ok := strings.Cut(cell, "±")
	decimals := func(s string) int {
		_, after, _ := strings.Cut(strings.TrimSpace(s), ".")
		return len(after)
	}
	return ok && decimals(rate) == 2 && decimals(deviation) == 2
}

// isLlamaHeader reports whether cells are the names of columns. If columns were left out, the test and the rate must be
// the last two.
func isLlamaHeader(cells []string) bool {
	last := len(cells) - 1
	return scan.AreColumns(cells, "model", "size", "params", "backend", "test", "t/s") ||
		last >= 1 && cells[last-1] == "test" && cells[last] == "t/s"
}

// isLlamaRow reports whether cells end in a test and its rate.
func isLlamaRow(cells []string) bool {
	last := len(cells) - 1
	if last < 1 || !strings.Contains(cells[last], "±") {
		return false
	}
	_, ok := draft.ParseSpeedTest(cells[last-1])
	return ok
}

// command reads a line of a command. A new command ends the table.
func (t *llamaTable) command(l scan.Line) bool {
	if !t.commands.Continued() && draft.CommandFlags(l.Text, BenchCommands) >= 0 {
		t.finish()
		t.header, t.rows = nil, nil
	}
	return t.commands.Line(l.Text, l.Number)
}

// finish assigns the rows of a table to its command.
func (t *llamaTable) finish() {
	if t.made > 0 {
		t.commands.Made(t.made, t.first)
		t.made = 0
	}
}

func (t *llamaTable) open(header []string, number int) {
	t.finish()
	t.first = number
	t.header, t.fields, t.rows, t.noise = t.header[:0], append(t.fields[:0], header...), t.rows[:0], 0
	if t.partial = !scan.AreColumns(header, "model", "size", "params", "backend"); t.partial {
		t.trimmed++
	}
	for _, name := range header {
		key, short := llamaColumns[name]
		if !short {
			key = name
		}
		t.header = append(t.header, key)
	}
	if n := len(t.devices); n > 0 && number-t.devices[n-1].line > maxDeviceGap {
		t.devices = nil
	}
}

// take reads a row.
func (t *llamaTable) take(cells []string, l scan.Line) {
	if scan.IsDivider(cells) {
		return
	}
	t.noise = 0
	if !l.Ended && !bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("|")) {
		return // the last digits may be missing
	}
	if strings.Trim(strings.Join(cells[len(t.header):], ""), "\"'`,;") != "" { // the old README ends a row with two bars
		t.In.NoResult(l.Number, locale.Textf("a row of llama-bench with more or fewer values than names"))
		return
	}
	if t.partial && !isLlamaRow(cells) {
		return // a row of another table with columns of these names
	}
	t.Reset(t.In, "llama-bench", "llama-bench-md", l.Number)
	if t.partial {
		t.Guess("x_table", strconv.Itoa(t.trimmed), t.first)
	}
	row := t.row[:0]
	for i, key := range t.header {
		text := cells[i]
		if scan.IsMissing(text) && key != "split_mode" { // "none" is a split mode
			continue
		}
		if key == "avg_ts" {
			mean, spread := scan.PlusMinus(text)
			row = append(row, llamaCell{"stddev_ts", t.fields[i] + " ±", spread, l.Number})
			text = mean
		}
		row = append(row, llamaCell{key, t.fields[i], text, l.Number})
	}
	t.row = row
	if !llamaRow(&t.Draft, row, 0) {
		t.In.NoResult(l.Number, locale.Textf("a row of llama-bench without a rate"))
		return
	}
	if used := t.devices.of(&t.Draft); len(used) > 0 {
		used.note(&t.Draft)
		if !t.partial { // columns that were left out may choose among the devices
			noteSpread(&t.Draft)
		}
	}
	t.rows = append(t.rows, len(t.In.Out.Results))
	t.Emit(l.Number, true)
	t.made++
}

// above reads the lines around a table: the devices, and the build.
func (t *llamaTable) above(l scan.Line) {
	text := strings.TrimSpace(string(l.Text))
	if build, ok := strings.CutPrefix(text, "build: "); ok {
		build, closed := strings.CutSuffix(build, ")")
		commit, number, ok := strings.Cut(build, " (")
		if ok && (closed || l.Ended) && commit != "unknown" && number != "" && strings.Trim(number, "0123456789") == "" && !strings.Contains(commit, " ") {
			for _, i := range t.rows {
				t.In.Out.Results[i].Labels.Set(result.Label{Name: "engine_version", Value: t.In.Intern([]byte("b" + number + "-" + commit)),
					Origin: result.Measured, Pos: result.Position{File: t.In.Name, Line: l.Number}})
			}
		}
		t.rows, t.devices, t.backend = nil, nil, ""
		return
	}
	if backend := backendOf(text); backend != "" {
		t.backend = backend
	}
	t.devices = t.devices.line(text, t.backend, l.Number)
}

func (t *llamaTable) End() {
	t.finish()
	t.commands.Settle()
}

// llamaCSV reads llama-bench's CSV. Its rows follow a header.
type llamaCSV struct {
	draft.Draft
	header []string
	cells  []string
}

var llamaCSVMarks = []string{"build_commit,build_number"}

func newLlamaCSV() draft.LineReader { return &llamaCSV{} }

func (t *llamaCSV) Begin(in *draft.File) { t.In, t.header = in, nil }

func (t *llamaCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	if len(t.cells) > 1 && t.cells[0] == "build_commit" {
		t.header = append(t.header[:0], t.cells...)
		return true
	}
	if !bytes.HasPrefix(l.Text, []byte(`"`)) { // every cell is in quotes
		t.header = nil
		return false
	}
	if !l.Ended && !bytes.HasSuffix(l.Text, []byte(`"`)) {
		t.cells[len(t.cells)-1] = "" // the last cell may have lost digits
	}
	llamaCells(&t.Draft, "llama-bench-csv", t.header, t.cells, l)
	return true
}

func (t *llamaCSV) End() {}

// llamaCells records a row in one line, with its cells in the order of the header. In 2023 the header lacked the name
// of one cell, opencl after cuda.
func llamaCells(s *draft.Draft, form string, header, cells []string, l scan.Line) {
	if len(cells) == len(header)+1 && len(header) > 3 && header[2] == "cuda" && header[3] != "opencl" {
		header = slices.Insert(slices.Clone(header), 3, "opencl")
	}
	if len(cells) != len(header) {
		s.In.NoResult(l.Number, locale.Textf("a row of llama-bench with more or fewer values than names"))
		return
	}
	s.Reset(s.In, "llama-bench", form, l.Number)
	row := make([]llamaCell, 0, len(cells))
	for i, text := range cells {
		row = append(row, llamaCell{header[i], header[i], text, l.Number})
	}
	if !llamaRow(s, row, result.FullPrecision) {
		s.In.NoResult(l.Number, locale.Textf("a row of llama-bench without a rate"))
		return
	}
	s.Emit(l.Number, true)
}

// llamaSQL reads the statements that llama-bench writes for SQLite. Each statement names its columns. The values are in
// quotes, without any escaping.
type llamaSQL struct{ draft.Draft }

var llamaSQLMarks = []string{"INSERT INTO llama_bench (", "INSERT INTO test (build_commit"}

func newLlamaSQL() draft.LineReader { return &llamaSQL{} }

func (t *llamaSQL) Begin(in *draft.File) { t.In = in }

func (t *llamaSQL) Line(l scan.Line) bool {
	_, statement, _ := strings.Cut(string(l.Text), "(")
	names, values, ok := strings.Cut(statement, ") VALUES ('")
	values, whole := strings.CutSuffix(strings.TrimSpace(values), "');")
	if ok && whole {
		llamaCells(&t.Draft, "llama-bench-sql", strings.Split(names, ", "), strings.Split(values, "', '"), l)
	}
	return false
}

func (t *llamaSQL) End() {}

// composed removes the prefix that docker compose writes before a line, "bench-1 | ". A row without a leading bar may
// have a first cell that looks like the prefix. It is not changed: more bars follow, but none directly.
func composed(text []byte) []byte {
	name, rest, ok := bytes.Cut(text, []byte("|"))
	if !ok || !isComposeName(bytes.TrimSpace(name)) ||
		bytes.IndexByte(rest, '|') >= 0 && !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("|")) {
		return text
	}
	return rest
}

// isComposeName reports whether text is the name of a service followed by the number of its container.
func isComposeName(text []byte) bool {
	service := bytes.TrimRight(text, "0123456789")
	last := len(service) - 1
	return last > 0 && last+1 < len(text) && (service[last] == '-' || service[last] == '_') &&
		!bytes.ContainsFunc(service, func(r rune) bool {
			return r != '-' && r != '_' && r != '.' && (r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r))
		})
}
