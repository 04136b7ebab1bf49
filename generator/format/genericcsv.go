package format

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// genericCSV reads the tables that people's own scripts write, where the header
// leaves no doubt: a column is a metric of benchpost's own only when its name has the unit in
// it (ttft_ms, "TPOT (ms)", decode_tps, power_w), each row is a result, and nothing
// is guessed. A bare "tps" is the output's, unless the row has another rate, more than
// one request at a time, or a time per output token of which it is the reciprocal: then
// it stays x_tps, as does a rate of decoding beside more than one request. "qps" is
// measured beside a concurrency; alone it may be what was asked for, and stays x_qps.
// What else is a
// number is kept with x_; what is set for a run, as lengths, and every text is a
// label, so that rows with other settings are not taken for repeats.
//
// A column that names a latency without its unit (ttft) is left, and reported; with
// nothing else in it the table gives no result. Power and other readings over time
// are telemetry and not read here. A table that another format has read is its.
type genericCSV struct {
	draft.Draft
	header    []genericColumn
	separator byte
	headLine  int
	rows      int
	decided   bool // a column is a speed or a latency
	tables    []genericTable
	found     []result.Result
	cells     []string                 // of a row
	known     map[string]genericColumn // by their names, as understood before
}

// genericTable is where a table was, and what it holds.
type genericTable struct {
	from, to    int // lines
	first, last int // results
	reason      locale.Text
	faults      []genericFault
}

// genericFault is what could not be read of a row.
type genericFault struct {
	line       int
	text, hint locale.Text
}

const maxGenericFaults = 100 // of a table

// genericColumn is what a column means.
type genericColumn struct {
	text, name, unit string
	label            bool // a setting or a text
	speed            bool // a speed or a latency, which a result needs
	stream           bool // of one request at a time
	positive         bool // zero is not measured
	ambiguous        bool // a latency without unit
	bare             bool // tokens per second, of no one named
	requests         bool // requests per second, measured or asked for
}

var genericMarks = []string{
	"ttft_ms", "TTFT_ms", "TTFT (ms)", "TTFT(ms)", "ttft (ms)", "TTFT_MS", "ttft_s", "TTFT (s)", "ttft_us",
	"ttft_mean", "ttft_p50", "ttft_avg", "tpot_ms", "TPOT_ms", "TPOT (ms)", "TPOT(ms)", "tpot_mean", "tpot_avg", "tpot_s",
	"itl_ms", "ITL (ms)", "ITL(ms)", "itl_mean", "e2e_ms", "e2el_ms", "e2e_latency_ms", "e2e_s,",
	"decode_tps", "prefill_tps", "decode_tok", "prefill_tok", "decode_tokens", "prefill_tokens", "output_tps", "gen_tps",
	"tok_per_s", "tokens_per_s", "toks_per_s", "tok_s,", "tokens/s,", ",tokens/s", "tok/s,", ",tok/s", ",tps,", "output_throughput",
	",ttft,", ",TTFT,", ",tpot,", ",TPOT,", "mean_ttft,", "avg_ttft,", "p50_ttft,", "p99_ttft,", "mean_tpot,", "avg_tpot,",
}

const maxGenericColumns = 256

// genericTool is the tool of what a script of one's own has written.
const genericTool = "generic"

func newGenericCSV() draft.LineReader { return &genericCSV{} }

func (t *genericCSV) Begin(in *draft.File) {
	*t = t.emptied(in)
}

// emptied is a reader that keeps of the last file what it understood of names.
func (t *genericCSV) emptied(in *draft.File) genericCSV {
	if t.known == nil || len(t.known) > scan.MaxInterned {
		t.known = map[string]genericColumn{}
	}
	return genericCSV{Draft: draft.Draft{In: in}, known: t.known, cells: t.cells}
}

// meaning is genericMeaning, which is asked once for each name: tables repeat their heads.
func (t *genericCSV) meaning(name string) genericColumn {
	c, ok := t.known[name]
	if !ok {
		name = strings.Clone(name) // not with the row it stands in
		c = genericMeaning(name)
		t.known[name] = c
	}
	return c
}

func (t *genericCSV) Line(l scan.Line) bool {
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
	for _, c := range t.cells {
		column := t.meaning(c)
		t.decided = t.decided || column.speed
		t.header = append(t.header, column)
	}
	t.settleRates()
	t.tables = append(t.tables, genericTable{from: l.Number, to: l.Number, first: len(t.found), last: len(t.found)})
	return true
}

// settleRates decides what the header alone shows of rates whose name leaves it open.
func (t *genericCSV) settleRates() {
	concurrent := slices.ContainsFunc(t.header, func(c genericColumn) bool { return c.label && c.name == "max_concurrency" })
	rated := slices.ContainsFunc(t.header, func(c genericColumn) bool { return c.unit == "tok/s" && !c.bare })
	spread := slices.ContainsFunc(t.header, func(c genericColumn) bool { return result.DegreeNamed(strings.TrimPrefix(c.name, "x_")) == "tp" })
	for i := range t.header {
		c := &t.header[i]
		c.bare = c.bare && !rated
		c.label = c.label || spread && spreads(c.name) // "pp" may be a speed of prompts
		if c.requests && concurrent {
			c.name, c.speed, c.positive = "request_throughput", true, true
		}
	}
}

// spreads reports whether a column is a number of accelerators, or a degree of parallelism.
func spreads(name string) bool {
	name = strings.TrimPrefix(name, "x_")
	return result.CountsAccelerators(name) || result.DegreeNamed(name) != ""
}

// genericSeparator is the one that stands most often.
func genericSeparator(text []byte) (byte, bool) {
	counts := [3]int{}
	for _, c := range text {
		switch c {
		case ',':
			counts[0]++
		case ';':
			counts[1]++
		case '\t':
			counts[2]++
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	return ",;\t"[best], counts[best] > 0 && counts[best] < maxGenericColumns
}

// isGenericHeader distinguishes names of columns from other text with commas: none is
// empty but the first, which may count rows, none a number, none twice, and none a
// sentence.
func isGenericHeader(cells []string) bool {
	for i, c := range cells {
		if c == "" && i == 0 {
			continue
		}
		if strings.HasPrefix(c, "--") || strings.Contains(c, " --") || strings.HasSuffix(c, `\`) { // a command
			return false
		}
		if _, isNumber := scan.ParseFigure([]byte(c), 0); isNumber || c == "" || len(c) > 60 || slices.Contains(cells[:i], c) ||
			strings.ContainsAny(c, "{}\"'`=:<>|") || strings.Count(c, " ") > 5 {
			return false
		}
	}
	return true
}

// row reads a row below a header, and reports false for a line that is not one.
func (t *genericCSV) row(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, t.separator)
	cells := t.cells
	if len(cells) != len(t.header) {
		if !t.decided || !isGenericRow(cells, len(t.header)) {
			return false
		}
		t.fault(l.Number, locale.Textf("the row has %d cells where the header has %d", len(cells), len(t.header)),
			locale.Textf("the row is left out; put cells that contain the separator, as 1,234.5 does, in quotes"))
		return true
	}
	if isGenericHeader(cells) && cells[0] == t.header[0].text {
		return false
	}
	t.rows++
	table := &t.tables[len(t.tables)-1]
	table.to = l.Number
	if !t.decided {
		return true
	}
	many := t.many(cells)
	t.Reset(t.In, genericTool, "generic-csv", l.Number)
	speeds, nothing := 0, ""
	for i, c := range t.header {
		if f, ok := scan.ParseFigure([]byte(cells[i]), 0); ok && c.positive && c.speed && !(f.Finite && f.Value > 0) {
			nothing = c.text + " is " + cells[i]
		}
		if !scan.IsMissing(cells[i]) && (l.Ended || i < len(cells)-1) && t.cell(c, cells[i], l.Number, many) && c.speed {
			speeds++
		}
	}
	if speeds > 0 {
		r := t.Result(l.Number, l.Ended)
		t.found = append(t.found, r)
		table.last = len(t.found)
	} else if nothing != "" {
		t.fault(l.Number, locale.Textf("the row has no figure above zero: %s", nothing), locale.Textf("the row is left out; leave the cell empty where nothing was measured"))
	}
	return true
}

// many reports whether a row is of more than one request at a time.
func (t *genericCSV) many(cells []string) bool {
	many := false
	for i, c := range t.header {
		if c.label && manyAtOnce[c.name] {
			if cells[i] == "1" {
				return false
			}
			many = true
		}
	}
	return many
}

// manyAtOnce are labels of more than one request at a time.
var manyAtOnce = map[string]bool{"max_concurrency": true, "batch_size": true}

// isGenericRow distinguishes a row of a table with cells too many or too few from other text:
// half of its cells are there at least, and half of those are numbers.
func isGenericRow(cells []string, columns int) bool {
	numbers := 0
	for _, c := range cells {
		if _, ok := scan.ParseFigure([]byte(c), 0); ok {
			numbers++
		}
	}
	return 2*len(cells) >= columns && len(cells) <= 2*columns && 2*numbers >= len(cells) && numbers > 0
}

// fault notes what could not be read of a row.
func (t *genericCSV) fault(line int, text, hint locale.Text) {
	table := &t.tables[len(t.tables)-1]
	table.to = line
	if len(table.faults) < maxGenericFaults {
		table.faults = append(table.faults, genericFault{line, text, hint})
	}
}

func (t *genericCSV) cell(c genericColumn, text string, line int, many bool) bool {
	if strings.Contains(text, ",") && !c.label && !c.ambiguous {
		number, ok := genericNumber(text)
		if !ok && c.unit != "" {
			t.fault(line, locale.Textf("%s is not a number, or may be two: %q", c.text, scan.Clip([]byte(text), 40)),
				locale.Textf("the figure is left out; write 1234 or 1.234, without commas"))
			return false
		}
		if ok {
			text = number
		}
	}
	f, isNumber := scan.ParseFigure([]byte(text), 0)
	switch {
	case !isNumber && c.speed && !c.label && !c.ambiguous:
		t.fault(line, locale.Textf("%s is not a number: %q", c.text, scan.Clip([]byte(text), 40)), locale.Textf("the figure is left out"))
		return false
	case c.ambiguous || c.name == "":
		return false
	case c.name == "date":
		t.SetText("date", genericDate(text), line)
		return false
	case c.label || !isNumber:
		if _, isMetric := vocabulary.Define(c.name); !isMetric {
			t.SetText(c.name, text, line)
		}
		return false
	case c.positive && f.Finite && f.Value <= 0:
		return false
	case c.bare && !many && !t.isReciprocal(f.Value):
		return t.Number("output_throughput", c.unit, c.text, []byte(text), line)
	case c.stream && many:
		return t.Number("x_"+draft.Snake(c.text), c.unit, c.text, []byte(text), line)
	}
	return t.Number(c.name, c.unit, c.text, []byte(text), line)
}

// isReciprocal reports whether a rate is that of the row's time per output token.
func (t *genericCSV) isReciprocal(rate float64) bool {
	tpot, ok := t.Value("tpot_mean")
	return ok && math.Abs(rate*tpot/1000-1) < 0.01
}

// genericNumber reads a number with commas: "1,234.56" and "1,234,567" with commas
// between thousands, "1234,56" and "1.234,56" with a decimal comma. "1,234" may be
// either.
func genericNumber(text string) (string, bool) {
	if strings.Trim(text, "+-0123456789.,") != "" {
		return "", false
	}
	whole, fraction, _ := strings.Cut(text, ",")
	switch {
	case strings.Count(text, ",") == 1 && strings.Contains(whole, "."): // 1.234,56
		if grouped := strings.ReplaceAll(whole, ".", ","); scan.IsGrouped(grouped) && !strings.Contains(fraction, ".") {
			return strings.ReplaceAll(whole, ".", "") + "." + fraction, true
		}
		return "", false
	case scan.IsGrouped(text) && (strings.Count(text, ",") > 1 || strings.Contains(fraction, ".")):
		return strings.ReplaceAll(text, ",", ""), true
	case strings.Count(text, ",") == 1 && len(fraction) != 3 && !strings.Contains(fraction, "."):
		return whole + "." + fraction, true
	}
	return "", false
}

// genericDate writes "20260711 08:52:45" as ISO 8601 does, and leaves the rest.
func genericDate(text string) string {
	for _, layout := range [...]string{"20060102 15:04:05", "20060102_150405", "2006/01/02 15:04:05", "2006-01-02 15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format("2006-01-02T15:04:05")
		}
	}
	return text
}

// close reports a table that gave nothing.
func (t *genericCSV) close() {
	if t.header == nil {
		return
	}
	table := &t.tables[len(t.tables)-1]
	var unclear []string
	for _, c := range t.header {
		if c.ambiguous {
			unclear = append(unclear, c.text)
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

// genericMeaning understands the name of a column.
func genericMeaning(text string) genericColumn {
	words := genericWords(text)
	name, unit := genericUnit(words)
	c := genericColumn{text: text, name: "x_" + strings.Join(words, "_"), unit: unit}
	whole := strings.Join(words, "_")
	if len(words) == 0 {
		return genericColumn{text: text}
	}
	if label, ok := genericLabels[whole]; ok {
		c.name, c.label = label, true
		return c
	}
	if name, ok := draft.SettingName(whole); ok {
		c.name, c.label = name, true
		return c
	}
	if spreads(c.name) && (len(whole) > 2 || whole == "tp") {
		c.label = true
		return c
	}
	if m, ok := genericNames[whole]; ok {
		c.name, c.unit, c.speed, c.positive = m.name, m.unit, true, true
		return c
	}
	if count, ok := genericCounts[whole]; ok {
		c.name = count
		return c
	}
	if latency, ok := genericLatency(name); ok {
		c.positive = true
		switch unit {
		case "ms", "s", "us":
			c.name, c.speed = latency, true
		case "":
			c.ambiguous = true
		}
		return c
	}
	switch joined := strings.Join(name, "_"); {
	case unit == "tok/s" && genericStream[joined] != "":
		c.name, c.stream, c.speed, c.positive = genericStream[joined], true, true, true
	case unit == "tok/s" && genericRates[joined] != "":
		c.name, c.speed, c.positive = genericRates[joined], true, true
	case unit == "tok/s": // whose is not known
		c.speed, c.positive, c.bare = true, true, joined == "" || joined == "throughput"
	case unit == "req/s" && genericRequests[joined]:
		c.name, c.speed, c.positive = "request_throughput", true, true
	case unit == "req/s":
		c.requests = joined == ""
	case unit == "s" && genericDurations[joined]:
		c.name, c.positive = "duration", true
	case (unit == "W" || unit == "mW") && genericPower[joined] != "":
		c.name, c.positive = genericPower[joined], true
	}
	return c
}

// genericWords splits a name at everything that is neither letter nor digit.
func genericWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), isBetweenWords)
}

// isBetweenWords reports what is neither letter nor digit, nor the sign for percent.
func isBetweenWords(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '%' || r > 0x7f)
}

// genericUnits are the words at the end of a name that say its unit.
var genericUnits = []struct{ words, unit string }{
	{"tokens_per_second", "tok/s"}, {"tokens_per_sec", "tok/s"}, {"tokens_per_s", "tok/s"}, {"tok_per_second", "tok/s"},
	{"tok_per_sec", "tok/s"}, {"tok_per_s", "tok/s"}, {"toks_per_s", "tok/s"}, {"tokens_s", "tok/s"}, {"tok_s", "tok/s"},
	{"toks_s", "tok/s"}, {"t_s", "tok/s"}, {"tps", "tok/s"}, {"tok_sec", "tok/s"}, {"tokens_sec", "tok/s"}, {"token_s", "tok/s"},
	{"requests_s", "req/s"}, {"requests_sec", "req/s"}, {"requests_per_sec", "req/s"}, {"requests_per_second", "req/s"}, {"reqs_s", "req/s"},
	{"req_sec", "req/s"}, {"req_per_sec", "req/s"}, {"queries_s", "req/s"}, {"samples_s", "samples/s"}, {"images_s", "images/s"},
	{"req_per_s", "req/s"}, {"requests_per_s", "req/s"}, {"req_s", "req/s"}, {"rps", "req/s"}, {"qps", "req/s"},
	{"ms", "ms"}, {"us", "us"}, {"s", "s"}, {"sec", "s"}, {"seconds", "s"},
	{"mw", "mW"}, {"w", "W"}, {"watts", "W"}, {"mj", "mJ"}, {"j", "J"},
	{"kb", "kB"}, {"mb", "MB"}, {"gb", "GB"}, {"mib", "MiB"}, {"gib", "GiB"}, {"bytes", "B"},
	{"mhz", "MHz"}, {"tflops", "TFLOP/s"}, {"gb_s", "GB/s"}, {"pct", "%"}, {"percent", "%"}, {"%", "%"},
}

// genericUnit takes the unit off the end of a name.
func genericUnit(words []string) (name []string, unit string) {
	whole, longest := "_"+strings.Join(words, "_"), 0
	for _, u := range genericUnits {
		if before, ok := strings.CutSuffix(whole, u.words); ok && len(u.words) > longest && before[len(before)-1] == '_' {
			longest, unit = len(u.words), u.unit
		}
	}
	if longest == 0 {
		return words, ""
	}
	rest := strings.Trim(whole[:len(whole)-longest], "_")
	switch {
	case rest == "":
		return nil, unit
	case strings.HasSuffix(rest, "_per"): // tok_per_j
		return words, ""
	}
	return strings.Split(rest, "_"), unit
}

var genericFamilies = map[string]string{
	"ttft": "ttft", "time_to_first_token": "ttft", "tpot": "tpot", "time_per_output_token": "tpot",
	"itl": "itl", "inter_token_latency": "itl", "e2e": "e2el", "e2el": "e2el", "e2e_latency": "e2el", "end_to_end_latency": "e2el",
	"req_latency": "e2el", "request_latency": "e2el",
}

// genericLatency knows a latency with its statistic before or behind it; alone it
// is the figure of the row, its mean.
func genericLatency(words []string) (string, bool) {
	n := len(words)
	if n == 0 {
		return "", false
	}
	if family := genericFamilies[strings.Join(words, "_")]; family != "" {
		return family + "_mean", true
	}
	for _, split := range [...][2][]string{{words[:1], words[1:]}, {words[n-1:], words[:n-1]}} {
		statistic, ok := draft.StatisticName(split[0][0])
		_, digits := scan.ParseFigure([]byte(split[0][0]), 0)
		if family := genericFamilies[strings.Join(split[1], "_")]; ok && !digits && family != "" {
			return family + "_" + statistic, true
		}
	}
	return "", false
}

// genericNames are names that all serving benchmarks write without a unit, and in
// the same one.
var genericNames = map[string]struct{ name, unit string }{
	"output_throughput":       {"output_throughput", "tok/s"},
	"output_token_throughput": {"output_throughput", "tok/s"},
	"rps_mean":                {"request_throughput", "req/s"},
	"achieved_rps":            {"request_throughput", "req/s"},
	"request_throughput":      {"request_throughput", "req/s"},
	"total_token_throughput":  {"total_throughput", "tok/s"},
}

// genericCounts are counts, and a measured concurrency.
var genericCounts = map[string]string{
	"completed": "requests_completed", "successful_requests": "requests_completed", "completed_requests": "requests_completed", "success_requests": "requests_completed",
	"failed_requests": "requests_failed", "concurrency_mean": "effective_concurrency", "mean_concurrency": "effective_concurrency",
	"total_input_tokens": "input_tokens", "total_output_tokens": "output_tokens", "total_generated_tokens": "output_tokens",
	"peak_concurrent_requests": "peak_concurrency", "peak_concurrent": "peak_concurrency",
}

// genericStream are rates of one request at a time, and genericRates of the system.
var genericStream = map[string]string{
	"decode": "decode_throughput", "prefill": "prefill_throughput", "generation": "decode_throughput", "prompt": "prefill_throughput",
	"decode_throughput": "decode_throughput", "prefill_throughput": "prefill_throughput",
}
var genericRates = map[string]string{
	"output": "output_throughput", "output_throughput": "output_throughput", "output_token_throughput": "output_throughput", "out": "output_throughput",
	"输出token吞吐量": "output_throughput", "输出吞吐量": "output_throughput",
	"input": "input_throughput", "input_throughput": "input_throughput", "input_token_throughput": "input_throughput",
	"peak_output_token_throughput": "peak_output_throughput",
	"total":                        "total_throughput", "total_throughput": "total_throughput", "total_token_throughput": "total_throughput",
	"总token吞吐量": "total_throughput", "总吞吐量": "total_throughput",
}

// genericRequests are rates of requests, and genericDurations the time of a run.
var (
	genericRequests  = map[string]bool{"request_throughput": true, "req_throughput": true, "请求吞吐量": true}
	genericDurations = map[string]bool{"duration": true, "benchmark_duration": true, "test_duration": true}
)

var genericPower = map[string]string{
	"power": "power_mean", "avg_power": "power_mean", "mean_power": "power_mean", "power_avg": "power_mean", "power_mean": "power_mean",
	"max_power": "power_max", "peak_power": "power_max", "power_max": "power_max", "idle_power": "power_idle", "power_idle": "power_idle",
}

// genericLabels are columns that say what a row was run with.
var genericLabels = map[string]string{
	"model": "model_raw", "model_name": "model_raw", "model_id": "model_raw", "framework": "engine", "engine": "engine",
	"engine_version": "engine_version", "quant": "quantization", "quantization": "quantization",
	"concurrency": "max_concurrency", "conc": "max_concurrency", "max_concurrency": "max_concurrency", "num_concurrent": "max_concurrency",
	"batch": "batch_size", "batch_size": "batch_size", "bs": "batch_size",
	"random_input_len": "input_len", "random_input_length": "input_len", "random_output_len": "output_len", "random_output_length": "output_len",
	"input_length": "input_len", "output_length": "output_len",
	"input_len": "input_len", "isl": "input_len", "output_len": "output_len", "osl": "output_len", "max_tokens": "output_len",
	"max_request_concurrency": "max_concurrency", "maximum_request_concurrency": "max_concurrency", "concur": "max_concurrency",
	"concurrent_requests": "max_concurrency", "并发数": "max_concurrency", "并发": "max_concurrency", "模型": "model_raw",
	"total_requests": "num_prompts", "num_requests": "num_prompts", "num_prompts": "num_prompts", "n_requests": "num_prompts", "n_req": "num_prompts",
	"request_rate": "request_rate", "configured_rps": "request_rate", "target_rps": "request_rate", "offered_rps": "request_rate", "seed": "seed", "dataset": "dataset",
	"threads": "threads", "ngl": "gpu_layers", "power_mode": "power_mode",
	"date": "date", "timestamp": "date", "datetime": "date",
	"prompt_tokens": "x_prompt_tokens", "gen_tokens": "x_gen_tokens", "n_prompt": "x_n_prompt", "n_gen": "x_n_gen",
	"ctx": "x_ctx", "context": "x_context", "context_len": "x_context_len", "ctx_len": "x_ctx_len", "depth": "x_depth",
	"prompt_len": "x_prompt_len", "run": "x_run", "rep": "x_rep", "trial": "x_trial", "iteration": "x_iteration",
	"device": "device", "device_name": "device", "gpu": "gpu", "num_params": "x_num_params", "active_params": "x_active_params",
}
