package format

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/column"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// genericTables reads Markdown tables, and tables drawn in other ways, as genericCSV reads those of CSV. It is
// stricter, because these tables are made for people to read:
//
//   - A table is read if a column is a metric of the vocabulary with its unit, in the head ("TTFT (ms)") or in the cell
//     ("249 ms").
//   - A column that compares others (Δ, gain, speedup, ratio) is skipped. A table with targets, limits or estimates
//     gives no result; neither does a table in which a figure is a range or an estimate (~40). A row with a note on a
//     figure is left out.
//   - "4,390" is a whole number if another figure of the table has a decimal point.
//   - In a file with the output of a tool, or with something that looks like it, tables are considered a summary of
//     that output.
//   - A row that repeats an earlier row is the same run.
//
// "metric | value" is a table of one run, and "field | value" before it lists the run's settings. "metric | run A | run
// B" has a run in each column. Both forms are also read from CSV.
//
// A name alone rarely shows whether a column is a setting or a figure. All columns before the first metric of a row are
// therefore settings, so that rows with other settings are not mistaken for repeats. Results of different tables are
// distinguished by the label x_table.
type genericTables struct {
	genericCSV
	form  string            // "generic-md", "generic-page-csv"
	names []string          // of the columns, without Markdown markup
	stage tableStage        // what kind of line may come next
	rule  scan.Rule         // the drawn rule of the table, if there is one
	above []byte            // the previous line, if it is outside of a table and may hold heads
	kind  tableKind         // of the table
	about []draft.Setting   // the settings of the page, until a run uses them
	held  []heldRow         // rows of the table, until the notation of its numbers is known
	comma bool              // commas of the table separate thousands
	prose string            // a value of the table that should be a figure and is not a single number
	noted string            // a figure of the run that has a note
	group []draft.Setting   // the first cells of the last row that had them: the rows below may leave them empty
	given map[string]string // the figures of a page of one run, by row name
	twice string            // the name of a row that occurs twice with different figures
	seen  map[string]bool   // digests of the results found
	again bool              // a row of the table repeats an earlier one
	taken bool              // a tool's reader reported something in the file that gives no result
}

// heldRow is a row still to be read.
type heldRow struct {
	cells []string
	line  int
}

const (
	maxHeldRows = 1 << 12
	maxRunRows  = 200 // per table with a run in each column
)

type tableStage uint8

const (
	outside tableStage = iota
	belowHead
	inRows
)

type tableKind uint8

const (
	runPerRow     tableKind = iota
	onePage                 // metric | value
	settingPerRow           // field | value
	runPerColumn            // metric | run | run
)

// genericMarkdownMarks lists texts that occur in the head of a table. genericPageMarks has those of CSV pages.
var genericMarkdownMarks = []string{
	"TTFT (", "TTFT(", "ttft (", "ttft_m", "ttft_p", "TTFT |", "TTFT P", "TPOT (", "TPOT(", "tpot (", "tpot_m", "tpot_p", "TPOT |", "TPOT P",
	"ITL (ms", "ITL(ms", "itl_p5", "itl_ms", "E2EL (", "oken latency (ms", "oken Latency (ms",
	"pp128", "pp256", "pp512", "pp1024", "pp2048", "pp4096", "pp8192", "pp16384", "pp 512", "pp 1024", "PP512", "pp @ d", "tg128", "tg256", "tg512", "tg 128", "TG128",
	"(t/s)", "eneration t/s", "ecode t/s", "refill t/s", "rompt t/s", "tok/s)", "tok/s |", "tok/sec", "tokens/s", "Tok/s |", "Tok/s)", "Tokens/s", "tokens per second", "tok_s `", "peedup |", "decode_t", "prefill_t", "tokens-per-sec",
	"首字延", "首字时延", "首token", "首Token", "首 token", "首 Token", "吞吐量", "解码速度", "生成速度", "预填充速度",
	"| metric", "| Metric", "|metric", "|Metric", "| 指标", "|指标", "metric  ", "Metric  ", "指标  ", "metric |", "Metric |", "指标 |", "│ Metric", "║ Metric", "| field", "| Field", "| Test ", "| Workload ", "| 测试", "| Parameter |", "| parameter |", "| Setting |", "| 参数", "| 字段",
}

// genericPageMarks lists texts that occur in the head of a CSV page.
var genericPageMarks = []string{"metric,", "Metric,", "metrics,", "Metrics,", "metric;", "Metric;", "metric\t", "Metric\t", "指标,", "\"Metric\"", "\"metric\""}

func newGenericMarkdown() draft.LineReader { return &genericTables{form: "generic-md"} }
func newGenericPage() draft.LineReader     { return &genericTables{form: "generic-page-csv"} }

func (t *genericTables) Begin(in *draft.File) {
	*t = genericTables{genericCSV: t.emptied(in), form: t.form, above: t.above[:0], seen: map[string]bool{}}
}

// split splits a row into cells.
func (t *genericTables) split(text []byte) ([]string, bool) {
	if t.form == "generic-md" {
		cut := scan.Pipes
		if t.stage == inRows {
			cut = t.rule.Cut
		}
		cells, ok := cut(t.cells[:0], text)
		t.cells = cells
		return cells, ok
	}
	if t.stage == outside {
		separator, ok := genericSeparator(text)
		t.separator = separator
		if !ok {
			return nil, false
		}
	}
	t.cells = scan.Commas(t.cells[:0], text, t.separator)
	return t.cells, len(text) > 0
}

func (t *genericTables) Line(l scan.Line) bool {
	if isOfTool(t.In.Out.Results) {
		t.close()
		return false // see Settle
	}
	if t.form == "generic-md" {
		if rule, ok := scan.ParseRule(l.Text); ok {
			return t.ruled(rule, l.Number)
		}
	}
	if t.stage == outside && bytes.Contains(l.Text, []byte("±")) { // a row, not a head
		return false
	}
	cells, ok := t.split(l.Text)
	t.above = t.above[:0]
	if t.stage == outside && !ok && t.form == "generic-md" && t.In.Marked && mayBeHeads(l.Text) {
		t.above = append(t.above, scan.Clip(l.Text, maxHead)...)
		return true
	}
	switch {
	case !ok:
		t.close()
		return false
	case t.stage == belowHead:
		t.close()
		return false
	case t.stage == inRows:
		t.tableRow(cells, l)
	case len(cells) > 1 && len(cells) < maxGenericColumns:
		t.head(cells, l.Number)
	}
	return t.stage != outside
}

// maxHead limits the heads of a table, in bytes.
const maxHead = 1 << 10

// mayBeHeads reports whether a line may hold heads that are separated only by blanks or bars.
func mayBeHeads(line []byte) bool {
	return bytes.IndexByte(line, ':') < 0 && (bytes.IndexByte(line, '|') > 0 || bytes.Contains(bytes.TrimSpace(line), []byte("  ")))
}

// ruled handles a drawn line. Below heads it begins the rows; between rows it has no meaning.
func (t *genericTables) ruled(rule scan.Rule, line int) bool {
	above := t.above
	t.above = t.above[:0]
	switch {
	case t.stage == inRows:
	case t.stage == belowHead && len(rule.Spans) == len(t.names):
		t.stage, t.rule = inRows, rule
	default:
		t.close()
		if rule.Outer || len(above) == 0 {
			return false
		}
		if cells, ok := rule.Cut(t.cells[:0], above); ok && len(cells) == len(rule.Spans) && len(cells) < maxGenericColumns {
			t.cells = cells
			t.head(cells, line-1)
		}
		if t.stage == belowHead {
			t.stage, t.rule = inRows, rule
		}
	}
	return t.stage != outside
}

// head begins a table, unless its head shows that it holds no results.
func (t *genericTables) head(cells []string, line int) {
	t.names = t.names[:0]
	for _, c := range cells {
		t.names = append(t.names, scan.PlainMarkdown(c))
	}
	if n := len(t.names); t.names[n-1] == "t/s" && t.names[n-2] == "test" { // llama-bench has a reader
		return
	}
	not := slices.IndexFunc(t.names, draft.Aims)
	if not < 0 {
		if t.begins(line); t.stage != outside {
			return
		}
		not = slices.IndexFunc(t.names, draft.Compares)
	}
	if not > 0 && (slices.Contains(column.MetricWords, strings.ToLower(t.names[0])) || slices.ContainsFunc(t.names, func(name string) bool { c := t.meaning(name); return c.Speed || c.Ambiguous || isNamedRate(name) })) {
		t.tables = append(t.tables, genericTable{from: line, to: line, first: len(t.found), last: len(t.found),
			reason: locale.Textf("a table that compares runs, or holds targets: its column %q is not a measurement", scan.Clip([]byte(t.names[not]), 40))})
	}
}

// begins begins a table if the names can be a table's head.
func (t *genericTables) begins(line int) {
	first := strings.ToLower(t.names[0])
	page := len(t.names) == 2 && slices.Contains(column.ValueWords, strings.ToLower(t.names[1]))
	switch isMetric := slices.Contains(column.MetricWords, first); {
	case page && isMetric:
		t.kind, t.given = onePage, map[string]string{}
	case page && slices.Contains(column.FieldWords, first):
		t.kind, t.about = settingPerRow, nil
	case (isMetric || t.namesTests(first)) && areRuns(t.names[1:]):
		t.kind = runPerColumn
	case isMetric || page || t.form != "generic-md":
		return
	default:
		t.kind = runPerRow
	}
	t.stage, t.headLine, t.header, t.decided, t.rows = belowHead, line, nil, false, 0
	if t.form != "generic-md" { // CSV has no rule below the head
		t.stage = inRows
	}
	if t.kind != runPerRow {
		if t.kind != settingPerRow {
			t.begin(t.form, line)
			t.header = []column.Column{}
			t.add(line)
		}
		return
	}
	t.columns(line)
}

// add records a table that begins in the given line, and which of its columns compares the others.
func (t *genericTables) add(line int) {
	table := genericTable{from: line, to: line, first: len(t.found), last: len(t.found)}
	if i := slices.IndexFunc(t.names, draft.Compares); i >= 0 {
		table.compares = t.names[i]
	}
	t.tables = append(t.tables, table)
}

// isNamedRate reports whether the head of a column is a rate with the name of a run: "t/s (main)".
func isNamedRate(name string) bool {
	name = " " + strings.ToLower(name)
	return strings.Contains(name, " t/s") || strings.Contains(name, "(t/s")
}

// namesTests reports whether the cells below the first head may be tests or metrics: the head says so or is empty, and
// no other head is a metric or a label.
func (t *genericTables) namesTests(first string) bool {
	return t.form == "generic-md" && (first == "" || slices.Contains(column.TestWords, first)) && len(t.names) > 2 &&
		!slices.ContainsFunc(t.names[1:], func(name string) bool { c := t.meaning(name); return c.Speed || c.Ambiguous || c.Label })
}

// areRuns reports whether each head may name a run.
func areRuns(names []string) bool {
	for i, name := range names {
		_, statistic := draft.StatisticName(name)
		_, number := scan.ParseFigure([]byte(name), 0)
		if name == "" || statistic && !number || slices.Contains(names[:i], name) || slices.Contains(column.ColumnWords, strings.ToLower(name)) {
			return false
		}
	}
	return true
}

// columns determines the meanings of the columns of a table with a run in each row.
func (t *genericTables) columns(line int) {
	decided, unclear := false, false
	for _, name := range t.names {
		meant := t.meaning(name)
		if draft.Compares(name) {
			meant = column.Column{Text: name}
		}
		_, isMetric := vocabulary.Define(meant.Name)
		if !isMetric && !meant.Ambiguous && !meant.Speed && !decided && !unclear && (meant.Name != "" || meant.Text == "") {
			meant.Label = true
		}
		decided = decided || meant.Speed && isMetric
		unclear = unclear || meant.Ambiguous
		t.header = append(t.header, meant)
	}
	if !decided && !unclear {
		t.header, t.stage = nil, outside
		return
	}
	t.settleRates()
	t.decided = true
	t.add(line)
}

// tableRow handles a row of the open table.
func (t *genericTables) tableRow(cells []string, l scan.Line) {
	switch {
	case !l.Ended && (t.form != "generic-md" || len(cells) != len(t.names) || !t.rule.IsWhole(l.Text)):
		if len(t.tables) > 0 && t.header != nil && strings.ContainsAny(string(l.Text), "0123456789") {
			t.fault(l.Number, locale.Textf("the last row may be cut off: it is left out"), locale.Textf("end the line if the row is whole"))
		}
		return
	case len(cells) != len(t.names):
		if t.header != nil && slices.ContainsFunc(cells, scan.IsPlainNumber) {
			t.fault(l.Number, locale.Textf("the row has %d cells where the header has %d", len(cells), len(t.names)),
				locale.Textf("the row is left out; give it a cell for each column, and write | inside a cell as \\|"))
		}
		return
	}
	for i, c := range cells {
		cells[i] = scan.PlainMarkdown(c)
	}
	if t.kind == runPerColumn && len(t.held) == maxRunRows {
		return
	}
	t.held = append(t.held, heldRow{slices.Clone(cells), l.Number})
	if t.kind == runPerRow && len(t.held) == maxHeldRows {
		t.release()
	}
}

// release reads the held rows.
func (t *genericTables) release() {
	t.comma = t.comma || scan.HasThousands(t.heldCells)
	if t.kind == runPerColumn && len(t.held) > 0 {
		t.tables[len(t.tables)-1].to = t.held[len(t.held)-1].line
		t.columnRuns()
	}
	for _, row := range t.held {
		switch t.kind {
		case runPerRow:
			t.runRow(row.cells, row.line)
		case onePage, settingPerRow:
			t.pageRow(row.cells[0], row.cells[1], row.line)
		}
	}
	t.held = t.held[:0]
}

// heldCells yields the cells of the held rows.
func (t *genericTables) heldCells(yield func(string) bool) {
	for _, row := range t.held {
		for _, cell := range row.cells {
			if !yield(cell) {
				return
			}
		}
	}
}

// runRow reads a row that holds one run.
func (t *genericTables) runRow(cells []string, line int) {
	t.rows++
	table := &t.tables[len(t.tables)-1]
	table.to = line
	many := t.many(cells)
	t.begin(t.form, line)
	speeds := 0
	for i, c := range t.header {
		if t.tableCell(c, cells[i], line, many) {
			speeds++
		}
	}
	if t.isNoted(line) {
		return
	}
	if speeds > 0 {
		t.grouped(cells, line)
		t.keep(line)
	}
}

// grouped fills the empty first cells of a row from the rows above, because tables omit repeated values. It remembers
// the first cells of a row that has them. It stops at a row that summarises several others, such as a mean.
func (t *genericTables) grouped(cells []string, line int) {
	blank := true
	for i, c := range t.header {
		if !c.Label || slices.ContainsFunc(cells, column.IsOfSeveral) {
			break
		}
		blank = blank && cells[i] == ""
		name, value := c.Setting(cells[i])
		switch {
		case !blank && i < len(t.group):
			t.group[i] = draft.NewSetting(name, value, line)
		case !blank:
			t.group = append(t.group, draft.NewSetting(name, value, line))
		case i < len(t.group) && t.group[i].Value != "" && t.group[i].Label != "":
			t.Guess(t.group[i].Label, t.group[i].Value, t.group[i].Line)
		}
	}
}

// isNoted reports whether a figure of the run has a note. It then records a fault, because the meaning of the note is
// unknown.
func (t *genericTables) isNoted(line int) bool {
	noted := t.noted
	if t.noted = ""; noted == "" {
		return false
	}
	t.fault(line, locale.Textf("the figure %q has a note", scan.Clip([]byte(noted), 40)),
		locale.Textf("the run is left out; put the note into a column of its own if the figure was measured as the others"))
	return true
}

// keep adds the results of the lines down to last, unless the file already has them.
func (t *genericTables) keep(last int) {
	for _, s := range t.about {
		if _, known := t.Labels.Lookup(s.Label); !known {
			t.SetText(s.Label, s.Value, s.Line)
		}
	}
	for _, r := range t.rowResults(last, true) {
		t.again = t.again || t.seen[r.Digest]
		if !t.seen[r.Digest] {
			t.seen[r.Digest] = true
			t.found = append(t.found, r)
		}
	}
	t.tables[len(t.tables)-1].last = len(t.found)
}

// pageRow reads a row of a page: a setting, or a figure of the page's run.
func (t *genericTables) pageRow(name, value string, line int) {
	c := t.meaning(name)
	if t.kind == settingPerRow {
		if label := pageLabel(c, name); label != "" && !scan.IsMissing(value) && len(value) <= draft.MaxLabel {
			t.about = append(t.about, draft.NewSetting(label, string(scan.PlainNumber([]byte(value))), line))
		}
		return
	}
	t.rows++
	table := &t.tables[len(t.tables)-1]
	table.to = line
	many := t.Label("max_concurrency") != "" && t.Label("max_concurrency") != "1"
	for _, s := range t.about {
		many = many || manyAtOnce[s.Label] && s.Value != "1"
	}
	if !t.tableCell(c, value, line, many) {
		return
	}
	t.decided = true
	if known, ok := t.given[name]; ok && known != value {
		t.twice = name
	}
	t.given[name] = value
}

// columnRuns reads a table with a run in each column.
func (t *genericTables) columnRuns() {
	columns := make([]column.Column, len(t.held))
	for i, row := range t.held {
		columns[i] = t.meaning(row.cells[0])
	}
	for i, name := range t.names[1:] {
		if !strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsFunc(name, unicode.IsDigit) || draft.Compares(name) { // "%" compares the other columns
			continue
		}
		t.begin(t.form, t.headLine)
		label, value := "x_run", name
		if number, rest, _ := strings.Cut(name, " "); column.Counts[column.Labels[strings.Join(column.Words(rest), "_")]] && scan.IsPlainNumber(number) {
			label, value = column.Labels[strings.Join(column.Words(rest), "_")], number
		}
		t.SetText(label, value, t.headLine)
		known := false
		for j, row := range t.held {
			many := t.Label("max_concurrency") != "" && t.Label("max_concurrency") != "1"
			if t.tableCell(columns[j], row.cells[i+1], row.line, many) {
				known = true
			}
		}
		if !t.isNoted(t.headLine) && known {
			t.keep(t.held[len(t.held)-1].line)
		}
	}
}

func (t *genericTables) close() {
	if t.header != nil || t.kind == settingPerRow {
		t.release()
	}
	if t.header != nil {
		table := &t.tables[len(t.tables)-1]
		switch {
		case t.prose != "":
			t.drop(table)
		case t.twice != "":
			table.reason = locale.Textf("figures of several runs: the table has two of %q", t.twice)
		case t.kind == onePage && t.decided:
			t.keep(table.to)
			t.about = nil
		case table.last == table.first && t.rows > 0 && t.kind == runPerRow && len(table.faults) == 0 && !t.again:
			table.reason = locale.Textf("no row of this table has a metric with its unit")
		}
	}
	t.header, t.stage, t.held, t.comma, t.prose, t.group, t.given, t.twice, t.again = nil, outside, t.held[:0], false, "", nil, nil, "", false
}

// drop removes the results of a table that was made by hand.
func (t *genericTables) drop(table *genericTable) {
	t.found, table.last = t.found[:table.first], table.first
	table.reason = locale.Textf("a table made by hand: %q is not a single figure", scan.Clip([]byte(t.prose), 40))
}

func (t *genericTables) End() {
	t.close()
	t.taken = slices.ContainsFunc(t.In.Out.Messages, func(m result.Message) bool { return m.ID == draft.NoResultID })
}

// isOfTool reports whether a tool's own reader found results in a file. Tables beside them then only summarise them.
func isOfTool(found []result.Result) bool {
	return slices.ContainsFunc(found, func(r result.Result) bool { return !strings.HasPrefix(r.Format, "generic-") })
}

// Settle emits the tables of a file without output of a tool.
func (t *genericTables) Settle() {
	out := &t.In.Out
	if t.taken || isOfTool(out.Results) {
		return
	}
	several := 0
	for _, table := range t.tables {
		if table.last > table.first {
			several++
		}
	}
	for i, table := range t.tables {
		for j := table.first; j < table.last && several > 1; j++ {
			t.found[j].Labels.Set(result.Label{Name: "x_table", Value: strconv.Itoa(i + 1), Origin: result.Derived, Pos: t.found[j].Source})
		}
	}
	t.genericCSV.Settle()
}
