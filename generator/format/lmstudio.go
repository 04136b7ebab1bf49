package format

import (
	"regexp"
	"strings"
)

// LM Studio tells of each answer its speed, its tokens and the wait for the first:
// below the answer, as "19.08 tok/sec • 1013 tokens • 1.29s to first token • Stop
// reason: EOS Token Found", where a copy may lose the bullets or have each part in
// a line of its own; and in the replies of its REST API (/api/v0 since 0.3.6,
// /api/v1 since 0.4.0) under "stats". Times are in seconds, speeds those of
// decoding. The engine is LM Studio's runtime, which v0
// names: llama.cpp or MLX.
//
// Source: lmstudio.ai/docs/developer/rest; the program itself is not public.
type lmStudioText struct {
	sheet
	parts [lmParts]timing // as text and line
	gap   int
}

const (
	lmSpeed = iota
	lmTokens
	lmFirst
	lmStop
	lmParts
)

var lmStudioMarks = []string{" tok/sec", "s to first token"}

var lmStudioParts = [lmParts]*regexp.Regexp{
	regexp.MustCompile(`(?:^|[^\d.,])(\d+(?:\.\d+)?) tok/sec(?:$|[^a-zA-Z])`),
	regexp.MustCompile(`(?:^|[^\d.,])(\d+) tokens(?:$|[^a-zA-Z])`),
	regexp.MustCompile(`(?:^|[^\d.,])(\d+(?:\.\d+)?) ?s to first token`),
	regexp.MustCompile(`Stop(?: reason)?: *([\w ]+)`),
}

const maxLMGap = 4 // lines from one part to the next

func newLMStudioText() lineReader { return &lmStudioText{} }

func (t *lmStudioText) begin(in *input) {
	*t = lmStudioText{sheet: t.sheet}
	t.in = in
}

func (t *lmStudioText) line(l line) bool {
	found := false
	for i, part := range lmStudioParts {
		m := part.FindSubmatch(l.text)
		if m == nil || i > 0 && t.parts[lmSpeed].line == 0 {
			continue
		}
		if i == lmSpeed {
			t.close()
		}
		if t.parts[i].line == 0 {
			t.parts[i], found = timing{strings.TrimSpace(string(m[1])), l.number}, true
		}
	}
	if found {
		t.gap = 0
	} else if t.gap++; t.gap > maxLMGap {
		t.close()
	}
	if t.parts[lmStop].line > 0 {
		t.close()
	}
	return t.parts[lmSpeed].line > 0
}

// close hands out an answer. A speed alone may be anybody's.
func (t *lmStudioText) close() {
	p := t.parts
	t.parts = [lmParts]timing{}
	if p[lmSpeed].line == 0 || p[lmFirst].line == 0 {
		return
	}
	t.reset(t.in, "lm-studio", "lm-studio-text", p[lmSpeed].line)
	t.number("decode_throughput", "tok/s", "tok/sec", []byte(p[lmSpeed].text), p[lmSpeed].line)
	if p[lmTokens].line > 0 {
		t.number("output_tokens", "tok", "tokens", []byte(p[lmTokens].text), p[lmTokens].line)
	}
	t.number("ttft_mean", "s", "s to first token", []byte(p[lmFirst].text), p[lmFirst].line)
	last := max(p[lmTokens].line, p[lmFirst].line, p[lmStop].line)
	if p[lmStop].line > 0 {
		t.label("x_stop_reason", []byte(p[lmStop].text), p[lmStop].line)
	}
	t.imply("engine", "lm-studio", t.start)
	t.imply("max_concurrency", "1", t.start)
	t.hand(last, true)
}

func (t *lmStudioText) end() { t.close() }

func isLMStudio(v *value) bool {
	s := v.get("stats")
	return s.has("tokens_per_second") && (s.has("time_to_first_token") || s.has("time_to_first_token_seconds"))
}

func readLMStudio(in *input, v *value) {
	s := in.begin("lm-studio", "lm-studio-json", v.line)
	stats := v.get("stats")
	for _, m := range []member{
		{"tokens_per_second", "decode_throughput", "t/s"},
		{"time_to_first_token", "ttft_mean", "s"},
		{"time_to_first_token_seconds", "ttft_mean", "s"},
		{"generation_time", "x_generation_time", "s"},
		{"model_load_time_seconds", "load_time", "s"},
		{"input_tokens", "input_tokens", "tok"},
		{"total_output_tokens", "output_tokens", "tok"},
		{"reasoning_output_tokens", "x_reasoning_output_tokens", "tok"},
	} {
		if n, ok := stats.get(m.key).float(); ok && n > 0 {
			s.take(m.name, m.unit, stats.get(m.key))
		}
	}
	s.takeAll(v, []member{
		{"usage.prompt_tokens", "input_tokens", "tok"},
		{"usage.completion_tokens", "output_tokens", "tok"},
		{"model", "model_raw", ""},
		{"model_instance_id", "model_raw", ""},
		{"model_info.quant", "quantization", ""},
		{"model_info.arch", "x_arch", ""},
		{"model_info.format", "x_format", ""},
		{"model_info.context_length", "x_context_length", ""},
		{"runtime.name", "x_runtime", ""},
		{"runtime.version", "engine_version", ""},
		{"stats.stop_reason", "x_stop_reason", ""},
	})
	s.created(v)
	for _, engine := range []string{"llama.cpp", "mlx"} {
		if strings.Contains(v.get("runtime", "name").string(), engine) {
			s.imply("engine", engine, v.get("runtime").line)
		}
	}
	s.imply("engine", "lm-studio", v.line)
	s.guess("max_concurrency", "1", v.line) // others may have run beside it
	s.finish(v)
}
