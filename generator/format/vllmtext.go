package format

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"benchpost/generator/bench"
)

// serveText reads the table that vLLM's serving benchmark prints
// (benchmark_serving.py, later "vllm bench serve") since 0.4.0, and the plain
// lines before that. A block begins with a title between equals signs and
// ends with a rule of them. What stands above it (the arguments, the rate)
// belongs to it too.
//
// The block names the client, never the server: vLLM's client measures other
// engines as well.
type serveText struct {
	in *input
	*serveTextMemory
	above settings
	block serveBlock
}

// serveTextMemory is what outlives one file.
type serveTextMemory struct {
	rows    map[string]*serveRow // labels already understood
	metrics []bench.Metric
	labels  bench.Labels
	checks  []bench.Check
	facts   []byte // label and value of each row, for the digest
	prefix  []byte
	plain   []byte // a line without its colours
	set     []setting
}

// serveBlock is the block being read.
type serveBlock struct {
	open      bool
	table     bool // false for the lines before 0.4.0
	start     int  // line of the title
	last      int  // line of the last row
	rows      int
	noise     int  // lines since the last row that are none
	foreign   bool // SGLang's
	strange   int  // rows whose value should be a number and is not
	percent   bool // the last row was a percentile: all sections may be there
	cut       bool // the last row was cut by the end of the file
	completed float64
	group     *serveRow // "Per-position acceptance (%):", heads the rows below it
}

func newServeText(in *input) lineReader {
	m := &in.session.serve
	if m.rows == nil || len(m.rows) > maxInterned {
		m.rows = map[string]*serveRow{}
	}
	return &serveText{in: in, serveTextMemory: m, above: settings{list: m.set[:0]}}
}

const (
	maxNoise     = 100 // lines of something else inside a block before it is given up
	maxDistance  = 200 // lines between a command and the block it made
	noSGLang     = "SGLang's serving benchmark is not read yet"
	placeholders = "placeholders, not figures"
)

var (
	equals        = []byte("==========")
	serveTitle    = []byte("serving benchmark result")
	offlineTitle  = []byte("offline throughput benchmark result")
	namespaceMark = []byte("Namespace(")
	requestsMark  = []byte("Successful requests:")
)

func (t *serveText) line(l line) {
	text := l.text
	if bytes.IndexByte(text, 0x1b) >= 0 {
		text = t.withoutColours(text)
	}
	if i := bytes.Index(text, equals); i >= 0 && t.title(text, i, l.number) {
		return
	}
	if t.block.open && t.row(text, l) {
		return
	}
	t.context(text, l.number)
}

func (t *serveText) end() {
	if t.block.open {
		t.close(false)
	}
	t.set = t.above.list
}

// title opens a block if the equals signs at i frame a title.
func (t *serveText) title(text []byte, i, number int) bool {
	words := bytes.TrimLeft(text[i:], "=")
	n := bytes.IndexByte(words, '=')
	if n < 0 {
		return false
	}
	words = bytes.TrimSpace(words[:n])
	ours := bytes.EqualFold(words, serveTitle)
	if !ours && !bytes.EqualFold(words, offlineTitle) {
		return false
	}
	if t.block.open {
		t.close(false)
	}
	t.openBlock(number)
	t.block.table = true
	t.block.foreign = !ours // the offline table is SGLang's alone
	t.prefix = append(t.prefix[:0], text[:i]...)
	return true
}

func (t *serveText) openBlock(number int) {
	t.block = serveBlock{open: true, start: number, last: number}
	t.metrics, t.labels, t.checks, t.facts = t.metrics[:0], t.labels[:0], t.checks[:0], t.facts[:0]
	t.prefix = t.prefix[:0]
}

// row takes a line inside a block. It reports false when the line is
// something else, which may have closed the block.
func (t *serveText) row(text []byte, l line) bool {
	b := &t.block
	text = t.strip(text)
	switch {
	case len(text) == 0:
		return true
	case bytes.HasPrefix(text, []byte("```")), bytes.HasPrefix(text, []byte("~~~")):
		// Pages close the fence and leave out the rule. What ends with a
		// percentile was printed to its end.
		t.close(b.percent)
		return true
	case b.table && len(text) >= len(equals) && len(bytes.Trim(text, "=")) == 0:
		b.last = l.number
		t.close(true)
		return true
	case b.table && bytes.HasPrefix(text, []byte("---")):
		b.last = l.number
		b.group = nil
		return true
	}
	if t.labelled(text, l) {
		b.noise = 0
		b.last = l.number
		b.cut = !l.ended
		return true
	}
	b.noise++
	if b.noise > maxNoise || !b.table || isCommand(text) >= 0 || bytes.Contains(text, namespaceMark) {
		t.close(false)
	}
	return false
}

// strip takes off what stands before every line of a block: the rank mpirun
// writes, grep's file name, a comment or quote mark, indentation.
func (t *serveText) strip(text []byte) []byte {
	if len(t.prefix) > 0 {
		n, ok := matchPrefix(text, t.prefix)
		if !ok && t.block.rows == 0 {
			// The title stood behind something else, as a progress bar.
			if n = bytes.Index(text, requestsMark); n >= 0 {
				t.prefix, ok = append(t.prefix[:0], text[:n]...), true
			}
		}
		if ok {
			text = text[n:]
		}
	}
	return bytes.TrimSpace(text)
}

// matchPrefix finds where a line goes on after a prefix like the given one.
// Numbers may differ, and grep writes ":" after the name of a file in a line
// that matches and "-" in the others.
func matchPrefix(text, prefix []byte) (int, bool) {
	i := 0
	for p := 0; p < len(prefix); {
		if i == len(text) {
			return i, len(bytes.TrimSpace(prefix[p:])) == 0
		}
		if isDigit(prefix[p]) && isDigit(text[i]) {
			for p < len(prefix) && isDigit(prefix[p]) {
				p++
			}
			for i < len(text) && isDigit(text[i]) {
				i++
			}
			continue
		}
		if prefix[p] != text[i] && !(prefix[p] == ':' && text[i] == '-') {
			return 0, false
		}
		p++
		i++
	}
	return i, true
}

// labelled takes a row "label: value".
func (t *serveText) labelled(text []byte, l line) bool {
	b := &t.block
	colon := bytes.IndexByte(text, ':')
	for colon >= 0 && colon+1 < len(text) && text[colon+1] != ' ' && text[colon+1] != '\t' {
		next := bytes.IndexByte(text[colon+1:], ':')
		if next < 0 {
			return false
		}
		colon += 1 + next
	}
	if colon <= 0 {
		return false
	}
	label := bytes.TrimSpace(text[:colon])
	value := bytes.TrimSpace(text[colon+1:])
	padded := len(text) > colon+2 && text[colon+2] == ' '

	token, rest := value, []byte(nil)
	if i := bytes.IndexAny(value, " \t"); i >= 0 {
		token, rest = value[:i], bytes.TrimSpace(value[i:])
	}
	row := t.lookup(label, rest)
	switch {
	case b.rows == 0 && row.first:
		b.foreign = true
	case row.kind == foreignRow:
		b.foreign = true
	case row.kind == unknownRow && !plausible(row.field, value, rest, padded, b.noise > 0):
		return false
	}
	if !b.table && b.rows == 1 && row.name != "duration" {
		b.open = false // the words "Successful requests" alone are no result
		return false
	}
	if row.kind == groupRow {
		b.group = row
	} else if len(value) == 0 {
		return false
	}
	b.rows++
	b.percent = row.percentile
	t.fact(label, value)
	t.store(row, token, value, rest, l)
	return true
}

// fact notes a row for the digest, white space aside.
func (t *serveText) fact(label, value []byte) {
	t.facts = appendWords(t.facts, label)
	t.facts = append(t.facts, '\t')
	t.facts = appendWords(t.facts, value)
	t.facts = append(t.facts, '\n')
}

func appendWords(dst, text []byte) []byte {
	for i, c := range text {
		if c == ' ' || c == '\t' {
			if i > 0 && text[i-1] != ' ' && text[i-1] != '\t' {
				dst = append(dst, ' ')
			}
			continue
		}
		dst = append(dst, c)
	}
	return dst
}

// store turns a row into a metric or a label.
func (t *serveText) store(row *serveRow, token, value, rest []byte, l line) {
	b := &t.block
	if row.kind == settingRow {
		t.label(row.name, plainNumber(token), l.number)
		return
	}
	if row.kind == groupRow || b.foreign {
		return
	}
	f, ok := parseFigure(token, row.shift)
	if row.kind == unknownRow && (!ok || hasWords(rest)) {
		if !isPlaceholder(token) {
			t.label(row.name, value, l.number)
		}
		return
	}
	switch {
	case !ok:
		b.strange++
		if !isPlaceholder(token) {
			t.in.message(l.number, bench.Warning, "format.not-a-number",
				fmt.Sprintf("%s is not a number: %q", row.field, clip(token, 40)), "the figure is left out")
		}
		return
	case !f.finite:
		t.checks = append(t.checks, notFinite(row.field, row.name, string(token)))
		return
	}
	if row.name == "requests_completed" {
		b.completed = f.value
	}
	for i := range t.metrics {
		if t.metrics[i].Name == row.name {
			if t.metrics[i].Value != f.value {
				t.in.message(l.number, bench.Warning, "format.twice",
					fmt.Sprintf("%s is given again with another value", row.field), "the first is kept")
			}
			return
		}
	}
	t.metrics = append(t.metrics, bench.Metric{Name: row.name, Value: f.value, Unit: row.unit, Better: row.better,
		Decimals: f.decimals, Field: row.field, Line: l.number})
}

func (t *serveText) label(name string, value []byte, line int) {
	t.labels.Set(bench.Label{Name: name, Value: t.in.intern(value), Origin: bench.Measured,
		Pos: bench.Position{File: t.in.name, Line: line}})
}

// notFinite is the check on a figure that a tool gave as NaN or infinite.
func notFinite(field, metric, value string) bench.Check {
	return bench.Check{ID: "consistency.not-finite", Severity: bench.Warning,
		Message: fmt.Sprintf("%s is %s in the file, so there is no %s", field, value, metric)}
}

// close ends the block and hands out its result.
func (t *serveText) close(whole bool) {
	b := &t.block
	b.open = false
	in := t.in
	above := t.above
	t.above.reset(0)
	switch {
	case b.foreign:
		in.noResult(b.start, noSGLang)
		return
	case b.cut && !whole && len(t.metrics) > 0:
		// A file that stops in the middle of a row may have lost digits.
		if last := len(t.metrics) - 1; t.metrics[last].Line == b.last {
			t.metrics = t.metrics[:last]
		}
	}
	if len(t.metrics) == 0 {
		if b.strange > 0 {
			in.noResult(b.start, placeholders)
		} else if b.table {
			in.noResult(b.start, "a result's title without figures below it")
		}
		return
	}
	if !whole && b.table {
		in.message(b.last, bench.Warning, "format.cut-off", "the result breaks off here", "figures below are missing; the run may still be going on")
	}
	in.out.Format = "vllm-serve-text"
	in.out.Results = append(in.out.Results, t.result(whole, &above))
}

// result puts the block's rows together.
func (t *serveText) result(whole bool, above *settings) bench.Result {
	b := &t.block
	r := bench.Result{
		Source:  bench.Position{File: t.in.name, Line: b.start},
		EndLine: b.last,
		Tool:    "vllm-serve",
		Format:  "vllm-serve-text",
	}
	metrics := t.metrics
	completed, counted := bench.Metric{}, false
	for _, m := range metrics {
		if m.Name == "requests_completed" {
			completed, counted = m, true
		}
	}
	switch {
	case counted && completed.Value == 0:
		r.Status = bench.Failed
		metrics = dropEmptyLatencies(metrics)
	case !whole:
		r.Status = bench.Partial
	}
	if !above.command || !t.contradicts(above) {
		above.label(&t.labels, t.in.name)
	}
	r.Metrics = append(make([]bench.Metric, 0, len(metrics)), metrics...)
	r.Labels = append(make(bench.Labels, 0, len(t.labels)), t.labels...)
	r.Checks = append([]bench.Check(nil), t.checks...)
	sum := sha256.Sum256(t.facts)
	r.Digest = hex.EncodeToString(sum[:16])
	return r
}

// dropEmptyLatencies removes latencies of zero, which stand for no sample
// when no request succeeded.
func dropEmptyLatencies(metrics []bench.Metric) []bench.Metric {
	kept := metrics[:0]
	for _, m := range metrics {
		if _, _, latency := bench.Statistic(m.Name); !latency || m.Value != 0 {
			kept = append(kept, m)
		}
	}
	return kept
}

// contradicts tells whether a command cannot have made this block, though it
// is the nearest above it.
func (t *serveText) contradicts(above *settings) bool {
	if t.block.start-above.line > maxDistance {
		return true
	}
	for _, name := range []string{"max_concurrency", "request_rate"} {
		measured, asked := t.labels.Get(name), above.get(name)
		if measured != "" && asked != "" && measured != asked {
			return true
		}
	}
	asked, ok := parseFigure([]byte(above.get("num_prompts")), 0)
	return ok && t.block.completed > asked.value
}

// context takes a line outside of a block that says something about the run
// of the next one.
func (t *serveText) context(text []byte, number int) {
	if t.above.continued {
		t.above.readCommand(t.in, bytes.TrimPrefix(bytes.TrimSpace(text), []byte("> ")), number)
		return
	}
	if i := bytes.Index(text, namespaceMark); i >= 0 {
		t.above.reset(number)
		t.above.readNamespace(t.in, text[i+len(namespaceMark):], number)
		return
	}
	if i := isCommand(text); i >= 0 {
		t.above.reset(number)
		t.above.command = true
		t.above.readCommand(t.in, text[i:], number)
		return
	}
	colon := bytes.IndexByte(text, ':')
	if colon < 8 {
		return
	}
	for _, c := range contextLines {
		if rest, ok := bytes.CutPrefix(text[max(0, colon-len(c.label)):], []byte(c.label)); ok {
			if t.above.line == 0 {
				t.above.reset(number)
			}
			value, _ := shellWord(bytes.TrimPrefix(rest, []byte(":")))
			t.above.set(t.in, []byte(c.argument), value, number)
			return
		}
	}
	if trimmed := bytes.TrimSpace(text); bytes.HasPrefix(trimmed, requestsMark) && !t.block.open {
		t.openBlock(number)
		t.row(text, line{text, number, true})
	}
}

// contextLines are printed before the run, whatever the arguments' defaults.
var contextLines = []struct{ label, argument string }{
	{"Traffic request rate", "request_rate"},
	{"Burstiness factor", "burstiness"},
	{"Maximum request concurrency", "max_concurrency"},
}

// isCommand finds where the flags of a serving benchmark's command begin, -1
// when the line holds none. vLLM's own warnings name the command too, so flags
// or a continuation have to follow.
func isCommand(text []byte) int {
	for _, name := range []string{"bench serve", "benchmark_serving.py"} {
		i := bytes.Index(text, []byte(name))
		if i < 0 {
			continue
		}
		i += len(name)
		rest := bytes.TrimLeft(text[i:], " \t")
		if bytes.HasPrefix(rest, []byte("--")) || bytes.HasPrefix(rest, []byte(`\`)) {
			return i
		}
	}
	return -1
}

// withoutColours takes the terminal's escape sequences out of a line.
func (t *serveText) withoutColours(text []byte) []byte {
	t.plain = t.plain[:0]
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			t.plain = append(t.plain, text[i])
			continue
		}
		if i+1 < len(text) && text[i+1] == '[' {
			for i += 2; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		} else {
			i++
		}
	}
	return t.plain
}

// isPlaceholder recognises what pages write where a figure will stand: xxx,
// xx.xx, N, ....
func isPlaceholder(b []byte) bool {
	return len(bytes.Trim(b, "xXnN.-_…?")) == 0
}

// hasWords tells whether there are letters or digits in what follows a value;
// a stray dot is nothing.
func hasWords(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return true
		}
		b = b[n:]
	}
	return false
}

// plausible tells whether a row nobody knows is part of the table, rather than
// a line of a log that happens to hold a colon.
func plausible(label string, value, rest []byte, padded, afterNoise bool) bool {
	if len(label) > 64 || len(value) == 0 || len(value) > 80 || strings.ToUpper(label) == label ||
		strings.HasSuffix(label, "Error") || strings.HasSuffix(label, "Exception") {
		return false
	}
	for i, r := range label {
		if !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !strings.ContainsRune(" ()/%._-+&,", r)) {
			return false
		}
	}
	token := value[:len(value)-len(rest)]
	if f, ok := parseFigure(bytes.TrimSpace(token), 0); ok && f.finite && !hasWords(rest) {
		return true
	}
	return !afterNoise && (padded || len(rest) == 0)
}

func clip(b []byte, n int) []byte { return b[:min(n, len(b))] }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
