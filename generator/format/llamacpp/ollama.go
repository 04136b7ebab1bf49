package llamacpp

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Ollama reports for each answer how long its parts took.
//
// "ollama run --verbose" prints lines such as "eval rate: 20.46 tokens/s" at the end of an answer. In a terminal, the
// escape codes of a spinner precede them. The API (/api/generate, /api/chat) puts counts and nanoseconds into the last
// object of the stream, the one with "done": true. Any part may be missing: a cached prompt has no prompt evaluation,
// and Ollama's cloud reports only the total. One answer is one stream, so its speeds are those of prefill and decode.
//
// The command above the answers names their model. llm_benchmark names it too. It keeps one row of each answer and
// prints "Average of eval rate: 58.245 tokens/s" below them, which is not an answer.
//
// Source: api/types.go, Metrics.Summary; docs/api.md; llm_benchmark/run_benchmark.py.
var ollamaMarks = []string{"total duration:", "load duration:", "prompt eval count:", "prompt eval rate:", "eval rate:", ollamaRun.command, ollamaModel}

const ollamaModel = "model_name ="

func isOllama(v *scan.Value) bool {
	done := v.Get("done")
	return v.Has("model", "created_at") && done.Is() && string(done.Raw) == "true" ||
		v.Has("eval_count", "eval_duration") || v.Has("prompt_eval_count", "total_duration")
}

func readOllama(in *draft.File, v *scan.Value) {
	s := in.Begin("ollama", "ollama-json", v.Line)
	s.TakeAll(v, []draft.Member{
		{Key: "total_duration", Name: "duration", Unit: "ns"},
		{Key: "load_duration", Name: "load_time", Unit: "ns"},
		{Key: "prompt_eval_count", Name: "input_tokens", Unit: "tok"},
		{Key: "prompt_eval_duration", Name: "x_prompt_eval_duration", Unit: "ns"},
		{Key: "eval_count", Name: "output_tokens", Unit: "tok"},
		{Key: "eval_duration", Name: "x_eval_duration", Unit: "ns"},
		{Key: "model", Name: "model_raw"},
		{Key: "created_at", Name: "date"},
	})
	ollamaRate(s, "prefill_throughput", v.Get("prompt_eval_count"), v.Get("prompt_eval_duration"))
	ollamaRate(s, "decode_throughput", v.Get("eval_count"), v.Get("eval_duration"))
	ollamaLabels(s, v.Line)
	s.EmitObject(v)
}

// ollamaRate derives tokens per second from a count and nanoseconds.
func ollamaRate(s *draft.Draft, name string, count, duration *scan.Value) {
	n, known := count.Float()
	ns, timed := duration.Float()
	if known && timed && n > 0 && ns > 0 {
		s.Derive(name, n/(ns/1e9), count.Path()+" / "+duration.Path(), count.Line)
	}
}

func ollamaLabels(s *draft.Draft, line int) {
	s.Imply("engine", "ollama", line)
	s.Imply("max_concurrency", "1", line)
}

// ollamaText reads the lines that "ollama run --verbose" prints.
type ollamaText struct {
	draft.Draft
	open  bool
	last  int // line of the last row
	gap   int // lines since
	model draft.Setting
}

func newOllamaText() draft.LineReader { return &ollamaText{} }

func (t *ollamaText) Begin(in *draft.File) {
	t.In, t.open, t.model = in, false, draft.Setting{}
}

// ollamaRows lists the rows in the order in which they are printed.
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

func (t *ollamaText) Line(l scan.Line) bool {
	if model, named := ollamaModelIn(l.Text); named {
		t.close()
		t.model = draft.NewSetting("model_raw", model, l.Number)
		return false
	}
	label, text, ok := scan.Labelled(l.Text, ":")
	for _, row := range ollamaRows {
		// A spinner may precede the label. A word before the label makes it a different row.
		before, isRow := strings.CutSuffix(label, row.label)
		if !ok || !isRow {
			continue
		}
		if strings.ContainsFunc(before, unicode.IsLetter) {
			if row.label == "eval rate" {
				t.In.NoResult(l.Number, locale.Textf("the average of several answers"))
			}
			continue
		}
		if _, again := t.Value(row.name); row.label == "total duration" || !t.open || again {
			t.close()
			t.Reset(t.In, "ollama", "ollama-text", l.Number)
			t.open = true
		}
		t.row(row.label, row.name, row.unit, text, l)
		t.last, t.gap = l.Number, 0
		if row.label == "eval rate" {
			t.close()
		}
		return t.open
	}
	if t.gap++; t.gap > draft.MaxGap {
		t.close()
	}
	return t.open
}

// ollamaModelIn returns the model that a line names for the answers below it. Named is also true for a command whose
// model is unknown.
func ollamaModelIn(line []byte) (model string, named bool) {
	if _, model, ok := bytes.Cut(line, []byte(ollamaModel)); ok {
		return string(bytes.TrimSpace(model)), true
	}
	return ollamaRun.modelIn(line)
}

func (t *ollamaText) row(label, name, unit, text string, l scan.Line) {
	if seconds, ok := scan.GoDuration(text); ok && unit == "s" {
		if !l.Ended && !strings.HasSuffix(text, "s") {
			return // the line is cut: "m" may be the beginning of "ms"
		}
		m, _, _ := draft.Known(name, "s")
		m.Field = label
		t.Fact([]byte(label), []byte(text))
		t.Metric(&m, scan.Figure{Value: seconds, Decimals: result.FullPrecision, Finite: true}, l.Number, nil)
		return
	}
	number, given, ok := scan.Quantity(text)
	if ok && l.Ended { // a last line without its end may have lost digits
		if given == "token(s)" {
			given = "tok"
		}
		t.Number(name, given, label, []byte(number), l.Number)
	}
}

// close emits the answer, if it has a speed or a duration.
func (t *ollamaText) close() {
	if t.open && t.HasKnown() {
		if t.model.Label != "" {
			t.SetText(t.model.Label, t.model.Value, t.model.Line)
		}
		ollamaLabels(&t.Draft, t.Start)
		_, whole := t.Value("decode_throughput")
		t.Emit(t.last, whole)
	}
	t.open = false
}

func (t *ollamaText) End() { t.close() }
