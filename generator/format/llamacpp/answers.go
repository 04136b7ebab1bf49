package llamacpp

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
)

// answerText reads the line that two servers log for each answer. The line of text-generation-webui (TextGen) has the
// rate over the whole time, including the time of the prompt. The line of TabbyAPI, which serves ExLlama, has separate
// speeds for the prompt, without cached tokens, and for the generation. Both logs break a line between words at the
// width of the window.
//
//	Output generated in 15.25 seconds (33.44 tokens/s, 510 tokens, context 3200, seed 925476152)
//	Metrics (ID: 1a2b): 250 tokens generated in 5.25 seconds (Queue: 0.01 s, Process: 128 cached tokens and 896 new tokens at 2560.5 T/s, Generate: 51.25 T/s, Context: 1024 tokens)
//
// Source: modules/text_generation.py of text-generation-webui, common/gen_logging.py of TabbyAPI.
type answerText struct {
	draft.Draft
	begun []byte // the text of the current log line, joined from its parts
	parts []part // the lines of the file that begun is joined from
}

// part is a line of the file that is a part of a log line: its offset in begun, and its line number.
type part struct{ from, number int }

var answerMarks = []string{"Output generated in ", " tokens generated in "}

// answerLines lists the tools. Each field belongs to a group of the pattern, in order.
var answerLines = []struct {
	tool    string
	pattern func() *lazy.Pattern
	fields  []draft.Member
}{
	{"text-generation-webui", lazy.Regexp(`Output generated in ([\d.]+) seconds \(([\d.]+) tokens/s, (\d+) tokens(?:, context (\d+))?(?:, seed (-?\d+))?\)`), []draft.Member{
		{Key: "seconds", Name: "duration", Unit: "s"}, {Key: "tokens/s", Name: "output_throughput", Unit: "tok/s"},
		{Key: "tokens", Name: "output_tokens", Unit: "tok"}, {Key: "context", Name: "input_tokens", Unit: "tok"}, {Name: "seed"},
	}},
	{"tabbyapi", lazy.Regexp(`(\d+) tokens generated in ([\d.]+) seconds \(Queue: ([\d.]+) s, Process: (\d+) cached tokens and (\d+) new tokens at ([\d.]+|\w+) T/s, ` +
		`Generate: ([\d.]+|\w+) T/s(?:, Context: (\d+) tokens)?(?:, Draft: (\d+) / (\d+) tokens accepted \(([\d.]+)%\))?\)`), []draft.Member{
		{Key: "tokens", Name: "output_tokens", Unit: "tok"}, {Key: "seconds", Name: "duration", Unit: "s"}, {Key: "Queue", Name: "x_queue_time", Unit: "s"},
		{Key: "cached tokens", Name: "x_cached_tokens", Unit: "tok"}, {Key: "new tokens", Name: "x_new_tokens", Unit: "tok"},
		{Key: "Process", Name: "prefill_throughput", Unit: "tok/s"}, {Key: "Generate", Name: "decode_throughput", Unit: "tok/s"},
		{Key: "Context", Name: "input_tokens", Unit: "tok"}, {Key: "Draft, accepted", Name: "x_draft_accepted", Unit: "tok"},
		{Key: "Draft", Name: "x_draft_generated", Unit: "tok"}, {Key: "Draft, accepted", Name: "acceptance_rate", Unit: "%"},
	}},
}

const maxAnswerLines = 4 // lines of the file that a log line may be broken into

func newAnswerText() draft.LineReader { return &answerText{} }

func (t *answerText) Begin(in *draft.File) {
	*t = answerText{Draft: t.Emptied(in), begun: t.begun[:0], parts: t.parts[:0]}
}

func (t *answerText) End() {}

func (t *answerText) Line(l scan.Line) bool {
	text := bytes.TrimSpace(l.Text)
	if t.In.Marked {
		t.begun, t.parts = t.begun[:0], t.parts[:0]
	} else {
		text = withoutShared(text, t.begun)
		t.begun = append(t.begun, ' ')
	}
	t.parts = append(t.parts, part{len(t.begun), l.Number})
	t.begun = append(t.begun, text...)
	if t.answer() || len(t.parts) == maxAnswerLines || len(text) == 0 {
		t.begun = t.begun[:0]
	}
	return len(t.begun) > 0
}

// withoutShared returns text without the leading words that it shares with other, such as the prefix of a log.
func withoutShared(text, other []byte) []byte {
	n := 0
	for n < min(len(text), len(other)) && text[n] == other[n] {
		n++
	}
	return bytes.TrimSpace(text[bytes.LastIndexByte(text[:n], ' ')+1:])
}

// answer emits the answer in begun, if its line is complete.
func (t *answerText) answer() bool {
	for _, tool := range answerLines {
		at := tool.pattern().FindSubmatchIndex(t.begun)
		if at == nil {
			continue
		}
		t.Reset(t.In, tool.tool, tool.tool+"-text", t.parts[0].number)
		for i, f := range tool.fields {
			from, to := at[2*i+2], at[2*i+3]
			switch {
			case from < 0:
			case f.Unit == "":
				t.SetText(f.Name, string(t.begun[from:to]), t.lineOf(from))
			default:
				t.Number(f.Name, f.Unit, f.Key, t.begun[from:to], t.lineOf(from))
			}
		}
		t.Imply("engine", tool.tool, t.Start)
		t.Guess("max_concurrency", "1", t.Start) // other requests may have run at the same time
		t.Emit(t.parts[len(t.parts)-1].number, true)
		return true
	}
	return false
}

// lineOf returns the line of the file that holds an offset of begun.
func (t *answerText) lineOf(place int) (number int) {
	for _, p := range t.parts {
		if p.from <= place {
			number = p.number
		}
	}
	return number
}
