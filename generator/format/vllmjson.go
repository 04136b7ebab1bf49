package format

import (
	"bytes"
	"fmt"

	"benchpost/generator/bench"
)

// serveJSON reads what vLLM's serving benchmark saves (--save-result), one
// object or several appended one to a line. Lists of one entry per request
// are passed over, however long; of the errors the number is kept.
type serveJSON struct {
	in   *input
	scan jsonScanner
	*sheet
	keys map[string]*meaning // keys already understood
	key  []byte
	seen serveMarks
	line int // where the object begins

	errors, errorsLine int
}

// serveMarks are the keys that tell whose object it is.
type serveMarks struct {
	model, rate, prompts, sglang bool
}

const jsonList = "a JSON list; each run's own object is read"

// isJSON tells whether a file begins like a JSON object, or a list of more
// than plain numbers: "[1,0]<stdout>:" is what mpirun writes.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 {
		return false
	}
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	switch head[0] {
	case '{':
		return len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
	case '[':
		return len(rest) > 0 && (rest[0] == '{' || rest[0] == '"' || rest[0] == '[')
	}
	return false
}

func readServeJSON(in *input) {
	j := &serveJSON{in: in, sheet: &in.sheet, keys: in.keys, key: in.key}
	j.scan = jsonScanner{w: &in.window, line: 1, lineStart: int64(in.window.pos)}
	for {
		t := j.scan.next()
		switch {
		case t.kind == '{':
			j.object(t)
		case len(in.out.Results) == 0 && j.scan.fault != nil:
			in.readLines(j.scan.line) // a log whose first lines are objects
			return
		case len(in.out.Results) == 0:
			if t.kind == '[' { // as a sweep's summary.json, beside the files of its runs
				in.out.Reason = jsonList
			}
			return
		case t.kind != jsonNone:
			j.scan.reject(t, "only whole objects may follow one another")
		case j.scan.fault == nil:
			return
		}
		if j.scan.fault != nil && !j.scan.resume() {
			return
		}
	}
}

// object reads one object whose brace has been taken, and hands out its
// result if it is one.
func (j *serveJSON) object(brace jsonToken) {
	j.reset(j.in)
	j.line, j.seen, j.errors, j.errorsLine = brace.line, serveMarks{}, 0, 0
	j.scan.inside = true
	for j.member() {
	}
	j.scan.inside = false
	j.close()
}

// member reads one key with its value and the comma after it. It reports false
// after the last, and at a fault.
func (j *serveJSON) member() bool {
	s := &j.scan
	key := s.next()
	if key.kind == '}' {
		return false
	}
	if key.kind != jsonString || key.long {
		s.reject(key, "a key in quotes is wanted")
		return false
	}
	j.key = append(j.key[:0], key.string()...)
	if colon := s.next(); colon.kind != ':' {
		s.reject(colon, "a colon is wanted after the key %q", clip(j.key, 40))
		return false
	}
	if !j.value(key.line) {
		return false
	}
	t := s.next()
	switch t.kind {
	case ',':
		return true
	case '}':
	default:
		s.reject(t, "a comma or } is wanted after the value of %q", clip(j.key, 40))
	}
	return false
}

// value reads the value of the current key.
func (j *serveJSON) value(line int) bool {
	s := &j.scan
	j.mark()
	named := j.meaning().name != "x_" // a key of signs alone
	t := s.next()
	switch t.kind {
	case '[':
		switch string(j.key) {
		case "errors":
			j.errorsLine = line
			return j.countErrors()
		case "spec_decode_per_position_acceptance_rates":
			return j.positions()
		}
		return s.skip()
	case '{':
		return s.skip()
	case jsonString, jsonNumber, jsonWord:
		if named && !t.long && len(t.text) > 0 && len(t.text) <= maxLabel {
			j.fact(j.key, t.text)
			j.single(t, line)
		}
	default:
		s.reject(t, "a value is wanted for %q", clip(j.key, 40))
		return false
	}
	return true
}

// maxLabel is the length of the longest text that is kept as a label.
const maxLabel = 1 << 10

func (j *serveJSON) mark() {
	switch string(j.key) {
	case "model_id", "tokenizer_id":
		j.seen.model = true
	case "request_throughput", "request_inthroughput":
		j.seen.rate = true
	case "num_prompts", "completed":
		j.seen.prompts = true
	case "total_output_tokens_retokenized", "total_output_retokenized", "sharegpt_output_len":
		j.seen.sglang = true
	}
}

func (j *serveJSON) meaning() *meaning {
	if m, ok := j.keys[string(j.key)]; ok {
		return m
	}
	key := string(j.key)
	m := serveKey(key)
	j.keys[key] = &m
	return &m
}

// single keeps a value that is not a list or an object.
func (j *serveJSON) single(t jsonToken, line int) {
	switch {
	case t.kind == jsonNumber:
		j.number(t.text, line)
	case t.kind == jsonString:
		j.text(t.string(), line)
	case string(t.text) != "null":
		j.text(t.text, line)
	}
}

func (j *serveJSON) text(value []byte, line int) {
	m := j.meaning()
	if m.name == "date" {
		value = isoDate(value)
	}
	if m.kind == isMetric {
		if f, ok := parseFigure(value, m.shift); ok { // "inf" in quotes
			f.decimals = bench.FullPrecision
			j.metric(m, f, line, value)
			return
		}
		j.in.message(line, bench.Warning, "format.not-a-number",
			fmt.Sprintf("%s is not a number: %q", m.field, clip(value, 40)), "the figure is left out")
		return
	}
	j.label(m.name, value, line)
}

func (j *serveJSON) number(value []byte, line int) {
	m := j.meaning()
	if m.kind == isLabel {
		j.label(m.name, value, line)
		return
	}
	f, _ := parseFigure(value, m.shift)
	f.decimals = bench.FullPrecision
	j.metric(m, f, line, value)
}

// positions keeps the acceptance rate of each speculated position.
func (j *serveJSON) positions() bool {
	n := len(j.key)
	for i := 0; ; {
		t := j.scan.next()
		switch t.kind {
		case jsonNumber:
			j.key = fmt.Appendf(j.key[:n], "_%d", i)
			j.number(t.text, t.line)
			i++
		case '[', '{':
			if !j.scan.skip() {
				return false
			}
		case ']':
			return true
		case jsonNone:
			return false
		}
	}
}

// countErrors counts the requests whose error is not empty.
func (j *serveJSON) countErrors() bool {
	for {
		t := j.scan.next()
		switch t.kind {
		case jsonString:
			if t.long || len(t.text) > 0 {
				j.errors++
			}
		case '[', '{':
			j.errors++
			if !j.scan.skip() {
				return false
			}
		case ']':
			return true
		case jsonNone:
			return false
		}
	}
}

// close hands out the object's result if it is one of vLLM's. What was cut
// off is taken for one when it begins like one.
func (j *serveJSON) close() {
	in, fault := j.in, j.scan.fault
	if !j.seen.model || !j.seen.rate && (fault == nil || !j.seen.prompts) {
		switch {
		case j.seen.sglang:
			in.noResult(j.line, noSGLang)
		case fault != nil:
			in.noResult(j.line, fmt.Sprintf("broken JSON at line %d, column %d: %s", fault.line, fault.column, fault.text))
		}
		return
	}
	if _, counted := j.sheet.value("requests_failed"); !counted && j.errorsLine > 0 {
		def, _ := bench.Define("requests_failed")
		j.metrics = append(j.metrics, bench.Metric{Name: "requests_failed", Value: float64(j.errors), Unit: def.Unit,
			Better: def.Better, Derived: true, Field: "number of errors that are not empty", Line: j.errorsLine})
	}
	if fault != nil {
		m := bench.Message{Pos: bench.Position{File: in.name, Line: fault.line, Column: fault.column},
			Severity: bench.Error, ID: "format.syntax", Text: fault.text, Hint: "only what stands before is read"}
		if fault.cut {
			m.Severity, m.ID, m.Hint = bench.Warning, "format.cut-off", "the run may still be going on; what stands before is read"
		}
		in.out.Messages = append(in.out.Messages, m)
	}
	if len(j.metrics) == 0 {
		in.noResult(j.line, "cut off before the first figure")
		return
	}
	in.out.Format = "vllm-serve-json"
	in.out.Results = append(in.out.Results, j.result("vllm-serve-json", j.line, j.scan.line, fault == nil))
}

// isoDate writes Python's "20260424-074642" as 2026-04-24T07:46:42. The tool
// notes no zone.
func isoDate(b []byte) []byte {
	if len(b) != 15 || b[8] != '-' {
		return b
	}
	for i, c := range b {
		if i != 8 && !isDigit(c) {
			return b
		}
	}
	return fmt.Appendf(nil, "%s-%s-%sT%s:%s:%s", b[:4], b[4:6], b[6:8], b[9:11], b[11:13], b[13:])
}
