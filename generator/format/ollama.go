package format

import (
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Ollama tells of each answer how long its parts took.
//
// "ollama run --verbose" prints "eval rate: 20.46 tokens/s" and its like at the
// end of an answer, in a terminal behind the escape codes of a spinner. The API
// (/api/generate, /api/chat) puts counts and nanoseconds into the last object of
// the stream, the one with "done": true. Any part may be missing: a cached prompt
// has no prompt evaluation, Ollama's cloud tells the total alone. One answer is
// one stream, so what it measures is the speed of prefill and decode.
//
// Source: api/types.go, Metrics.Summary; docs/api.md.
var ollamaMarks = []string{"total duration:", "load duration:", "prompt eval count:", "prompt eval rate:", "eval rate:"}

func isOllama(v *value) bool {
	done := v.get("done")
	return v.has("model", "created_at") && done.is() && string(done.text) == "true" ||
		v.has("eval_count", "eval_duration") || v.has("prompt_eval_count", "total_duration")
}

func readOllama(in *input, v *value) {
	s := in.begin("ollama", "ollama-json", v.line)
	s.takeAll(v, []member{
		{"total_duration", "duration", "ns"},
		{"load_duration", "load_time", "ns"},
		{"prompt_eval_count", "input_tokens", "tok"},
		{"prompt_eval_duration", "x_prompt_eval_duration", "ns"},
		{"eval_count", "output_tokens", "tok"},
		{"eval_duration", "x_eval_duration", "ns"},
		{"model", "model_raw", ""},
		{"created_at", "date", ""},
	})
	s.rate("prefill_throughput", v.get("prompt_eval_count"), v.get("prompt_eval_duration"))
	s.rate("decode_throughput", v.get("eval_count"), v.get("eval_duration"))
	s.ollamaLabels(v.line)
	s.finish(v)
}

// rate derives tokens per second from a count and nanoseconds.
func (s *sheet) rate(name string, count, duration *value) {
	n, known := count.float()
	ns, timed := duration.float()
	if known && timed && n > 0 && ns > 0 {
		s.derive(name, n/(ns/1e9), count.path()+" / "+duration.path(), count.line)
	}
}

func (s *sheet) ollamaLabels(line int) {
	s.imply("engine", "ollama", line)
	s.imply("max_concurrency", "1", line)
}

// ollamaText reads the lines that "ollama run --verbose" prints.
type ollamaText struct {
	sheet
	open bool
	last int // line of the last row
	gap  int // lines since
}

const maxGap = 3 // lines of something else between two rows

func newOllamaText() lineReader { return &ollamaText{} }

func (t *ollamaText) begin(in *input) {
	t.in, t.open = in, false
}

// ollamaRows are in the order in which they are printed.
var ollamaRows = []struct{ label, name, unit string }{
	{"total duration", "duration", "s"},
	{"load duration", "load_time", "s"},
	{"prompt eval count", "input_tokens", "tok"},
	{"prompt eval duration", "x_prompt_eval_duration", "s"},
	{"prompt eval rate", "prefill_throughput", "tok/s"},
	{"eval count", "output_tokens", "tok"},
	{"eval duration", "x_eval_duration", "s"},
	{"eval rate", "decode_throughput", "tok/s"},
}

func (t *ollamaText) line(l line) bool {
	label, text, ok := labelled(l.text, ":")
	for _, row := range ollamaRows {
		// A spinner may stand before the first label, and "prompt" makes another row.
		if !ok || !strings.HasSuffix(label, row.label) || strings.HasSuffix(label, "prompt "+row.label) {
			continue
		}
		if _, again := t.value(row.name); row.label == "total duration" || !t.open || again {
			t.close()
			t.reset(t.in, "ollama", "ollama-text", l.number)
			t.open = true
		}
		t.row(row.label, row.name, row.unit, text, l)
		t.last, t.gap = l.number, 0
		if row.label == "eval rate" {
			t.close()
		}
		return t.open
	}
	if t.gap++; t.gap > maxGap {
		t.close()
	}
	return t.open
}

func (t *ollamaText) row(label, name, unit, text string, l line) {
	if seconds, ok := goDuration(text); ok && unit == "s" {
		m, _, _ := known(name, "s")
		m.field = label
		t.fact([]byte(label), []byte(text))
		t.metric(&m, figure{seconds, result.FullPrecision, true}, l.number, nil)
		return
	}
	number, given, ok := quantity(text)
	if ok && l.ended { // a last line without its end may have lost digits
		if given == "token(s)" {
			given = "tok"
		}
		t.number(name, given, label, []byte(number), l.number)
	}
}

// close hands out what was read, if there is a speed or a duration in it.
func (t *ollamaText) close() {
	if t.open && t.hasKnown() {
		t.ollamaLabels(t.start)
		_, whole := t.value("decode_throughput")
		t.hand(t.last, whole)
	}
	t.open = false
}

func (t *ollamaText) end() { t.close() }
