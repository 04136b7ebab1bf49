package format

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// genericCSV reads tables that users' own scripts write, where the header is unambiguous. A column is a metric of the
// vocabulary only if its name includes the unit (ttft_ms, "TPOT (ms)", decode_tps, power_w). Each row is a result.
// Nothing is guessed.
//
// A bare "tps" means the output's rate, unless the row has another rate, more than one request at a time, or a time per
// output token whose reciprocal it is: then it stays x_tps. A decoding rate beside more than one request at a time also
// stays x_. "qps" is a measurement beside a concurrency; alone it may be the requested rate, and stays x_qps.
//
// Other numbers are kept with the prefix x_. Settings of a run, such as lengths, and all texts are labels, so that rows
// with other settings are not mistaken for repeats.
//
// A latency column without unit (ttft) is skipped and reported; a table without other speeds or latencies gives no
// result. Power and other readings over time are telemetry and not read here. A table that another format's reader has
// read is skipped.
type genericCSV struct {
	draft.Draft
	header    []column.Column
	separator byte
	headLine  int
	rows      int
	decided   bool // a column is a speed or a latency
	tables    []genericTable
	found     []result.Result
	tests     []testFigure             // of the current row
	cells     []string                 // of the current row
	known     map[string]column.Column // by column name, kept between files
}

// genericTable is the place of a table and what it holds.
type genericTable struct {
	from, to    int // line numbers
	first, last int // indices of results
	reason      locale.Text
	compares    string // a column that is skipped because it compares others; "" for none
	faults      []genericFault
}

// testFigure is the speed of a test; the column is named after the test.
type testFigure struct {
	column       column.Column
	text, spread string
	line         int
}

// genericFault is something in a row that could not be read.
type genericFault struct {
	line       int
	text, hint locale.Text
}

const maxGenericFaults = 100 // per table

var genericMarks = []string{
	"ttft_ms", "TTFT_ms", "TTFT (ms)", "TTFT(ms)", "ttft (ms)", "TTFT_MS", "ttft_s", "TTFT (s)", "ttft_us",
	"ttft_mean", "ttft_p50", "ttft_avg", "tpot_ms", "TPOT_ms", "TPOT (ms)", "TPOT(ms)", "tpot_mean", "tpot_avg", "tpot_s",
	"itl_ms", "ITL (ms)", "ITL(ms)", "itl_mean", "e2e_ms", "e2el_ms", "e2e_latency_ms", "e2e_s,",
	"decode_tps", "prefill_tps", "decode_tok", "prefill_tok", "decode_tokens", "prefill_tokens", "output_tps", "gen_tps",
	"tok_per_s", "tokens_per_s", "toks_per_s", "tok_s,", "tokens/s,", ",tokens/s", "tok/s,", ",tok/s", ",tps,", "output_throughput",
	"pp512,", ",pp512", ",PP512", ",TG128", "pp512_", "pp512 (", "tg128,", ",tg128", "tg128_", "tg128 (",
	",ttft,", ",TTFT,", ",tpot,", ",TPOT,", "mean_ttft,", "avg_ttft,", "p50_ttft,", "p99_ttft,", "mean_tpot,", "avg_tpot,",
	"oken latency (ms", "oken Latency (ms", "oken_latency_ms", "oken avg latency (ms",
}

const maxGenericColumns = 256

// genericTool is the tool of results that users' own scripts wrote.
const genericTool = "generic"

func newGenericCSV() draft.LineReader { return &genericCSV{} }

func (t *genericCSV) Begin(in *draft.File) {
	*t = t.emptied(in)
}

// emptied returns an empty reader that keeps the meanings of the last file's column names.
func (t *genericCSV) emptied(in *draft.File) genericCSV {
	if t.known == nil || len(t.known) > scan.MaxInterned {
		t.known = map[string]column.Column{}
	}
	return genericCSV{Draft: t.Emptied(in), known: t.known, cells: t.cells}
}

// meaning returns column.Of for a name. It caches the answers, because tables repeat their heads.
func (t *genericCSV) meaning(name string) column.Column {
	c, ok := t.known[name]
	if !ok {
		name = strings.Clone(name) // without keeping the whole row in memory
		c = column.Of(name)
		t.known[name] = c
	}
	return c
}

func (t *genericCSV) Line(l scan.Line) bool {
	if t.header != nil && t.isRead() {
		t.tables[len(t.tables)-1].to = l.Number // so that Settle sees that the table is taken
		t.close()
		return false
	}
	if t.header != nil && t.row(l) {
		return true
	}
	t.close()
	separator, ok := genericSeparator(l.Text)
	if !ok {
		return false
	}
	t.cells = scan.Commas(t.cells[:0], l.Text, separator)
	if !isGenericHeader(t.cells) {
		return false
	}
	t.separator, t.headLine, t.rows, t.decided = separator, l.Number, 0, false
	t.header = make([]column.Column, 0, len(t.cells))
	for _, c := range t.cells {
		meant := t.meaning(c)
		t.decided = t.decided || meant.Speed
		t.header = append(t.header, meant)
	}
	t.settleRates()
	t.tables = append(t.tables, genericTable{from: l.Number, to: l.Number, first: len(t.found), last: len(t.found)})
	return true
}

// isRead reports whether a tool's own reader found a result in the open table. Then none of its rows counts.
func (t *genericCSV) isRead() bool {
	found := t.In.Out.Results
	return len(found) > 0 && found[len(found)-1].EndLine >= t.headLine
}

// settleRates uses the whole header to decide about rates whose names alone are ambiguous.
func (t *genericCSV) settleRates() {
	concurrent := slices.ContainsFunc(t.header, func(c column.Column) bool { return c.Label && c.Name == "max_concurrency" })
	rated := slices.ContainsFunc(t.header, func(c column.Column) bool { return c.Unit == "tok/s" && !c.Bare })
	spread := slices.ContainsFunc(t.header, func(c column.Column) bool { return result.DegreeNamed(strings.TrimPrefix(c.Name, "x_")) == "tp" })
	for i := range t.header {
		c := &t.header[i]
		c.Bare = c.Bare && !rated
		c.Label = c.Label || spread && column.Spreads(c.Name) // "pp" may be a speed of prompts
		if c.Requests && concurrent {
			c.Name, c.Speed, c.Positive = "request_throughput", true, true
		}
	}
}

// genericSeparator returns the most frequent separator of a line.
func genericSeparator(text []byte) (byte, bool) {
	counts := [...]int{bytes.Count(text, []byte{','}), bytes.Count(text, []byte{';'}), bytes.Count(text, []byte{'\t'})}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return ",;\t"[best], counts[best] > 0 && counts[best] < maxGenericColumns
}

// isGenericHeader distinguishes column names from other text with commas or tabs, such as indented code. A header has
// at least two cells. No cell is empty, except that the first may be (it may number the rows). No cell is a number, a
// duplicate, a sentence or part of a call.
func isGenericHeader(cells []string) bool {
	if len(cells) < 2 {
		return false
	}
	for i, c := range cells {
		if c == "" && i == 0 {
			continue
		}
		if strings.HasPrefix(c, "--") || strings.Contains(c, " --") || strings.HasSuffix(c, `\`) { // a command
			return false
		}
		if _, isNumber := scan.ParseFigure([]byte(c), 0); isNumber || c == "" || len(c) > 60 || slices.Contains(cells[:i], c) ||
			strings.ContainsAny(c, "{}\"'`=:<>|") || strings.Count(c, " ") > 5 ||
			strings.Count(c, "(") != strings.Count(c, ")") {
			return false
		}
	}
	return true
}

// row reads a row below a header. It returns false for a line that is not a row.
func (t *genericCSV) row(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, t.separator)
	cells := t.cells
	if len(cells) != len(t.header) {
		if !t.decided || !isGenericRow(cells, len(t.header)) {
			return false
		}
		t.fault(l.Number, locale.Textf("the row has %d cells where the header has %d", len(cells), len(t.header)),
			locale.Textf("the row is left out; put cells that contain the separator, such as 1,234.5, in quotes"))
		return true
	}
	if isGenericHeader(cells) && cells[0] == t.header[0].Text {
		return false
	}
	t.rows++
	table := &t.tables[len(t.tables)-1]
	table.to = l.Number
	if !t.decided {
		return true
	}
	many := t.many(cells)
	t.begin("generic-csv", l.Number)
	speeds, nothing := 0, ""
	for i, c := range t.header {
		if f, ok := scan.ParseFigure([]byte(cells[i]), 0); ok && c.Positive && c.Speed && !(f.Finite && f.Value > 0) {
			nothing = c.Text + " is " + cells[i]
		}
		if !scan.IsMissing(cells[i]) && (l.Ended || i < len(cells)-1) && t.cell(c, cells[i], l.Number, many) && c.Speed {
			speeds++
		}
	}
	if speeds > 0 {
		t.found = append(t.found, t.rowResults(l.Number, l.Ended)...)
		table.last = len(t.found)
	} else if nothing != "" {
		t.fault(l.Number, locale.Textf("the row has no figure above zero: %s", nothing), locale.Textf("the row is left out; leave the cell empty where nothing was measured"))
	}
	return true
}

// many reports whether a row was measured with more than one request at a time.
func (t *genericCSV) many(cells []string) bool {
	many := false
	for i, c := range t.header {
		if c.Label && manyAtOnce[c.Name] {
			if cells[i] == "1" {
				return false
			}
			many = true
		}
	}
	return many
}

// manyAtOnce lists the labels that count requests at a time.
var manyAtOnce = map[string]bool{"max_concurrency": true, "batch_size": true}

// isGenericRow distinguishes a row with too many or too few cells from other text: it has between half and twice as
// many cells as the header, and at least half of its cells are numbers.
func isGenericRow(cells []string, columns int) bool {
	numbers := 0
	for _, c := range cells {
		if _, ok := scan.ParseFigure([]byte(c), 0); ok {
			numbers++
		}
	}
	return 2*len(cells) >= columns && len(cells) <= 2*columns && 2*numbers >= len(cells) && numbers > 0
}

// fault records something in a row that could not be read.
func (t *genericCSV) fault(line int, text, hint locale.Text) {
	table := &t.tables[len(t.tables)-1]
	table.to = line
	if len(table.faults) < maxGenericFaults {
		table.faults = append(table.faults, genericFault{line, text, hint})
	}
}

// quantity is [scan.Quantity] that also accepts a number with a decimal comma: "209,24 t/s".
func quantity(text string) (number, unit string, ok bool) {
	if number, unit, ok = scan.Quantity(text); ok {
		return number, unit, true
	}
	number, unit, _ = strings.Cut(text, " ")
	if _, _, isUnit := draft.UnitOf(unit); !isUnit {
		return "", "", false
	}
	number, ok = scan.CommaNumber(number)
	return number, unit, ok
}

func (t *genericCSV) cell(c column.Column, text string, line int, many bool) bool {
	if strings.Contains(text, ",") && !c.Label && !c.Ambiguous {
		number, ok := scan.CommaNumber(text)
		if !ok && c.Unit != "" {
			t.fault(line, locale.Textf("%s is not a number, or may be two: %q", c.Text, scan.Clip([]byte(text), 40)),
				locale.Textf("the figure is left out; write 1234 or 1.234, without commas"))
			return false
		}
		if ok {
			text = number
		}
	}
	f, isNumber := scan.ParseFigure([]byte(text), 0)
	switch {
	case !isNumber && c.Speed && !c.Label && !c.Ambiguous:
		t.fault(line, locale.Textf("%s is not a number: %q", c.Text, scan.Clip([]byte(text), 40)), locale.Textf("the figure is left out"))
		return false
	case c.Text == "":
		if name, value := c.Setting(text); name != "" {
			t.SetText(name, value, line)
		}
		return false
	case c.Ambiguous || c.Name == "":
		return false
	case c.Name == "date":
		t.SetText("date", scan.ISODate(text), line)
		return false
	case c.Label || !isNumber:
		if _, isMetric := vocabulary.Define(c.Name); !isMetric {
			t.SetText(c.Name, text, line)
		}
		return false
	case c.Positive && f.Finite && f.Value <= 0:
		return false
	case c.Bare && !many && !t.isReciprocal(f.Value):
		return t.Number("output_throughput", c.Unit, c.Text, []byte(text), line)
	case c.Stream && many:
		return t.Number("x_"+draft.Snake(c.Text), c.Unit, c.Text, []byte(text), line)
	}
	if c.Test != nil {
		t.tests = append(t.tests, testFigure{column: c, text: text, line: line})
		return true
	}
	return t.Number(c.Name, c.Unit, c.Text, []byte(text), line)
}

// begin starts a row.
func (t *genericCSV) begin(form string, line int) {
	t.Reset(t.In, genericTool, form, line)
	t.tests = t.tests[:0]
}

// rowResults returns the results of a row: one for each test that a column is named after (llama-bench also writes one
// row per test), and one for the other figures. If there is only one test, the other figures belong to its result.
func (t *genericCSV) rowResults(last int, whole bool) (all []result.Result) {
	own := len(t.tests) == 0
	if t.HasKnown() {
		for _, f := range t.tests {
			_, twice := t.Value(f.column.Name)
			own = own || twice || len(t.tests) > 1
		}
	}
	if own {
		all = append(all, t.Result(last, whole))
	}
	for _, f := range t.tests {
		d := t.Draft
		d.Labels, d.Metrics = slices.Clone(t.Labels), nil
		if !own {
			d.Metrics = slices.Clone(t.Metrics)
		}
		d.Number(f.column.Name, f.column.Unit, f.column.Text, []byte(f.text), f.line)
		d.Number("x_"+f.column.Name+"_std", f.column.Unit, f.column.Text+" ±", []byte(f.spread), f.line)
		f.column.Test.Note(&d, f.line)
		all = append(all, d.Result(last, whole))
	}
	return all
}

// isReciprocal reports whether a rate is the reciprocal of the row's time per output token.
func (t *genericCSV) isReciprocal(rate float64) bool {
	tpot, ok := t.Value("tpot_mean")
	return ok && math.Abs(rate*tpot/1000-1) < 0.01
}

// close ends the open table, and sets the reason if it gave no result.
func (t *genericCSV) close() {
	if t.header == nil {
		return
	}
	table := &t.tables[len(t.tables)-1]
	var unclear []string
	for _, c := range t.header {
		if c.Ambiguous {
			unclear = append(unclear, c.Text)
		}
	}
	switch {
	case len(unclear) > 0:
		table.reason = locale.Textf("the unit of column %s is not known; name it with [[format]] in site.toml", locale.Commas(unclear...))
	case !t.decided:
		table.reason = locale.Textf("no column of this table is a known metric with its unit; name them with [[format]] in site.toml")
	case t.rows == 0:
		table.reason = locale.Textf("a header without rows")
	}
	t.header = nil
}

func (t *genericCSV) End() { t.close() }

// Settle emits the tables that no other format has read.
func (t *genericCSV) Settle() {
	if len(t.tables) == 0 {
		return
	}
	out := &t.In.Out
	others := placesOf(out.Results, 0)
	out.Results = slices.Grow(out.Results, len(t.found))
	for _, table := range t.tables {
		taken := slices.ContainsFunc(others.around(table.from, table.to), func(r *result.Result) bool {
			return r.Source.Line <= table.to && r.EndLine >= table.from
		}) || slices.ContainsFunc(out.Traces, func(trace result.Trace) bool {
			return trace.Source.Line <= table.to && trace.EndLine >= table.from
		})
		if taken {
			continue
		}
		for _, r := range t.found[table.first:table.last] {
			r.Labels = result.Spread(r.Labels, "x_")
			out.Results = append(out.Results, r)
		}
		if table.compares != "" && table.reason.IsZero() {
			t.In.NoResult(table.from, locale.Textf("the column %q compares others: it is not a measurement", scan.Clip([]byte(table.compares), 40)))
		}
		for _, f := range table.faults {
			t.In.Message(f.line, result.Warning, "format.row", f.text, f.hint)
		}
		if table.reason.IsZero() && table.last == table.first && len(table.faults) > 0 {
			table.reason = locale.Textf("no row of this table has a figure that can be read: %s", table.faults[0].text)
		}
		switch {
		case table.reason.IsZero():
		case table.last > table.first:
			t.In.Message(table.from, result.Warning, "format.unit", table.reason, locale.Textf("the other columns are read"))
		default:
			t.In.NoResult(table.from, table.reason)
		}
	}
}
