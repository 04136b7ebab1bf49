package llamacpp

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// LM Studio reports for each answer its speed, its number of tokens and the time to the first token. lmStudioText reads
// the line below an answer: "19.08 tok/sec • 1013 tokens • 1.29s to first token • Stop reason: EOS Token Found". A copy
// may lose the bullets or have each part in a line of its own. readLMStudio reads the replies of the REST API (/api/v0
// since 0.3.6, /api/v1 since 0.4.0), which have the same under "stats". Times are in seconds; speeds are those of
// decoding. The engine is LM Studio's runtime, which v0 names: llama.cpp or MLX.
//
// Source: lmstudio.ai/docs/developer/rest; the program itself is not public.
type lmStudioText struct {
	draft.Draft
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

// lmStudioPart returns one part of an answer's report from a line, or nil if the line does not have it.
func lmStudioPart(part int, line []byte) []byte {
	switch part {
	case lmSpeed:
		return figureBefore(line, " tok/sec", isDecimal)
	case lmTokens:
		return figureBefore(line, " tokens", isCount)
	case lmFirst:
		return figureBefore(line, "s to first token", isDecimal)
	case lmStop:
		if m := lmStopped().FindSubmatch(line); m != nil {
			return m[1]
		}
	}
	return nil
}

var lmStopped = lazy.Regexp(`Stop(?: reason)?: *([\w ]+)`)

// figureBefore returns the first figure before words in a line. If words begins with a blank, no letter may follow it
// in the line; otherwise a blank may precede it.
func figureBefore(line []byte, words string, isFigure func([]byte) bool) []byte {
	whole := words[0] == ' '
	for at := 0; ; at++ {
		n := bytes.Index(line[at:], []byte(words))
		if n < 0 {
			return nil
		}
		at += n
		if behind := line[at+len(words):]; whole && len(behind) > 0 && isLetter(behind[0]) {
			continue
		}
		before := line[:at]
		if !whole {
			before = bytes.TrimSuffix(before, []byte(" "))
		}
		figure := before[len(bytes.TrimRight(before, "0123456789.,")):]
		if isFigure(figure) {
			return figure
		}
	}
}

// isCount reports whether text consists of digits. isDecimal also accepts a point followed by more digits.
func isCount(text []byte) bool {
	return len(text) > 0 && len(bytes.TrimLeft(text, "0123456789")) == 0
}

func isDecimal(text []byte) bool {
	whole, fraction, point := bytes.Cut(text, []byte("."))
	return isCount(whole) && (!point || isCount(fraction))
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

const maxLMGap = 4 // lines from one part to the next

func newLMStudioText() draft.LineReader { return &lmStudioText{} }

func (t *lmStudioText) Begin(in *draft.File) {
	*t = lmStudioText{Draft: t.Draft}
	t.In = in
}

func (t *lmStudioText) Line(l scan.Line) bool {
	found := false
	for i := range lmParts {
		part := lmStudioPart(i, l.Text)
		if part == nil || i == lmStop && !l.Ended || i > 0 && t.parts[lmSpeed].line == 0 {
			continue
		}
		if i == lmSpeed {
			t.close()
		}
		if t.parts[i].line == 0 {
			t.parts[i], found = timing{strings.TrimSpace(string(part)), l.Number}, true
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

// close emits an answer. It ignores a speed without a time to the first token, which may come from any program.
func (t *lmStudioText) close() {
	p := t.parts
	t.parts = [lmParts]timing{}
	if p[lmSpeed].line == 0 || p[lmFirst].line == 0 {
		return
	}
	t.Reset(t.In, "lm-studio", "lm-studio-text", p[lmSpeed].line)
	t.Number("decode_throughput", "tok/s", "tok/sec", []byte(p[lmSpeed].text), p[lmSpeed].line)
	if p[lmTokens].line > 0 {
		t.Number("output_tokens", "tok", "tokens", []byte(p[lmTokens].text), p[lmTokens].line)
	}
	t.Number("ttft_mean", "s", "s to first token", []byte(p[lmFirst].text), p[lmFirst].line)
	last := max(p[lmTokens].line, p[lmFirst].line, p[lmStop].line)
	if p[lmStop].line > 0 {
		t.SetLabel("x_stop_reason", []byte(p[lmStop].text), p[lmStop].line)
	}
	t.Imply("engine", "lm-studio", t.Start)
	t.Imply("max_concurrency", "1", t.Start)
	t.Emit(last, true)
}

func (t *lmStudioText) End() { t.close() }

func isLMStudio(v *scan.Value) bool {
	s := v.Get("stats")
	return s.Has("tokens_per_second") && (s.Has("time_to_first_token") || s.Has("time_to_first_token_seconds"))
}

func readLMStudio(in *draft.File, v *scan.Value) {
	s := in.Begin("lm-studio", "lm-studio-json", v.Line)
	stats := v.Get("stats")
	for _, m := range []draft.Member{
		{Key: "tokens_per_second", Name: "decode_throughput", Unit: "t/s"},
		{Key: "time_to_first_token", Name: "ttft_mean", Unit: "s"},
		{Key: "time_to_first_token_seconds", Name: "ttft_mean", Unit: "s"},
		{Key: "generation_time", Name: "x_generation_time", Unit: "s"},
		{Key: "model_load_time_seconds", Name: "load_time", Unit: "s"},
		{Key: "input_tokens", Name: "input_tokens", Unit: "tok"},
		{Key: "total_output_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "reasoning_output_tokens", Name: "x_reasoning_output_tokens", Unit: "tok"},
	} {
		if n, ok := stats.Get(m.Key).Float(); ok && n > 0 {
			s.Take(m.Name, m.Unit, stats.Get(m.Key))
		}
	}
	s.TakeAll(v, []draft.Member{
		{Key: "usage.prompt_tokens", Name: "input_tokens", Unit: "tok"},
		{Key: "usage.completion_tokens", Name: "output_tokens", Unit: "tok"},
		{Key: "model", Name: "model_raw"},
		{Key: "model_instance_id", Name: "model_raw"},
		{Key: "model_info.quant", Name: "quantization"},
		{Key: "model_info.arch", Name: "x_arch"},
		{Key: "model_info.format", Name: "x_format"},
		{Key: "model_info.context_length", Name: "context_size"},
		{Key: "runtime.name", Name: "x_runtime"},
		{Key: "runtime.version", Name: "engine_version"},
		{Key: "stats.stop_reason", Name: "x_stop_reason"},
	})
	s.Created(v)
	for _, engine := range []string{"llama.cpp", "mlx"} {
		if strings.Contains(v.Get("runtime", "name").Text(), engine) {
			s.Imply("engine", engine, v.Get("runtime").Line)
		}
	}
	s.Imply("engine", "lm-studio", v.Line)
	s.Guess("max_concurrency", "1", v.Line) // other requests may have run at the same time
	s.EmitObject(v)
}
