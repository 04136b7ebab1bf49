package llamacpp

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// llamaTimings reads llama.cpp's own timings. Its programs and its library print them when they end
// ("llama_print_timings:", since 2024-09 "llama_perf_context_print:", since 2025 "common_perf_print:"). Its server
// prints them after each request ("print_timings" after INFO in its log of 2024 and in ik_llama.cpp's, later plain
// lines below "slot print_timing:"). Each block is a result. The forms differ in what they count:
//
//   - Prompt tokens are those that were evaluated, without cached tokens.
//   - A program counts its decoding steps, which are all tokens but the first. The server counts the tokens, so its
//     time per token is too low by the first token's share, and its speed of an answer of one token is meaningless.
//   - A program's total time begins when the model has been loaded, and includes sampling. The server's total is the
//     time of prompt and tokens.
//
// All times are measured in the program or server: TTFT is the time of prompt evaluation, without network and queue.
// For a program this is TTFT only if it answered once, which the number of samples shows: a chat, perplexity or a
// benchmark adds up its parts, and parallel decoding counts as prompt evaluation. For the same reason, the block that
// llama-batched-bench and llama-sweep-bench print below their table is left out.
//
// "0.00 ms / 1 tokens" means that nothing was evaluated. The speed of sampling is not a speed of the model.
//
// Since 2025-12 llama-cli is a chat. It prints "[ Prompt: 19.5 t/s | Generation: 11.8 t/s ]" below each answer, with
// the speeds that its server measured, and the build and the model when it starts.
//
// Source: llama.cpp of 2023, src/llama-context.cpp, common/sampling.cpp,
// tools/server/server.cpp, tools/cli/cli.cpp.
type llamaTimings struct {
	draft.Draft
	open                   bool
	last                   int // line of the last row
	gap                    int // lines since
	seen                   map[string]bool
	server                 bool
	prompt, steps, samples float64 // counts: tokens, decoding steps, samples drawn; −1 if not stated
	promptTime, total      timing
	model, build           draft.Setting
	commands               draft.Commands
}

// timing is a time in ms as written.
type timing struct {
	text string
	line int
}

var llamaTimingsMarks = []string{"eval time", "llama_print_timings:", "perf_context_print:", "perf_sampler_print:",
	"common_perf_print:", "print_timing", "main: build = ", "draft acceptance", loaderMark, servedMark,
	chatMark, bannerBuild, bannerModel, "llama-cli", "llama-server", "llama-completion", "./main -"}

var (
	timingRow = lazy.Regexp(`^(prompt eval time|generation eval time|eval time|load time|total time|sample time|sampling time|samplers time)\s*=\s*` +
		`(\d+(?:[.,]\d+)?) ms(?:\s*/\s*(\d+) (tokens|runs))?(?:\s*\(\s*([\d.,]+) ms per token(?:,\s*([\d.,]+|inf|nan) tokens per second)?\))?`)
	timingDraft  = lazy.Regexp(`draft acceptance(?: rate)?\s*=\s*(\d+[.,]\d+) \(\s*(\d+) accepted /\s*(\d+) generated\)(?:, mean acceptance length =\s*(\d+[.,]\d+))?`)
	timingPrefix = lazy.Regexp(`llama_print_timings:|perf_(?:context_|sampler_)?print:|print_timings?\b`)
	timingBuild  = lazy.Regexp(`^\s*main: build = (\d+) \((\w+)\)`)
	chatSpeeds   = lazy.Regexp(`\[ Prompt: (\d+(?:[.,]\d+)?) t/s \| Generation: (\d+(?:[.,]\d+)?) t/s \]`)
)

// timingCommands lists the names of the programs that print these timings.
var timingCommands = [][]byte{[]byte("llama-cli"), []byte("llama-cli.exe"), []byte("llama-server"), []byte("llama-server.exe"),
	[]byte("llama-completion"), []byte("./main")}

var timingArguments = flags(map[string]string{"c": "context_size", "ctx_size": "context_size"})

// loaderLine and servedModel match the lines that name the model's file when it is loaded.
var (
	loaderLine  = lazy.Regexp(loaderMark + ` with .* from (.+?) \(version`)
	servedModel = lazy.Regexp(servedMark + ` '([^']+)'`)
)

const (
	loaderMark    = "llama_model_loader: loaded meta data"
	servedMark    = "load_model: loading model"
	chatMark      = "t/s | Generation: "
	bannerBuild   = "build      : "
	bannerModel   = "model      : "
	maxTimingsGap = 3   // lines of something else between two rows
	maxModelGap   = 500 // lines from the model's name to a block that certainly is of this model
)

func newLlamaTimings() draft.LineReader { return &llamaTimings{} }

func (t *llamaTimings) Begin(in *draft.File) {
	*t = llamaTimings{Draft: t.Draft, commands: draft.Commands{Names: timingCommands, Own: timingArguments, Repeats: true, Complete: noteOffloads}}
	t.In = in
	t.commands.Begin(in)
}

func (t *llamaTimings) Line(l scan.Line) bool {
	m := findTimingRow(l.Text)
	if m == nil || !t.open && !strings.HasSuffix(string(m[1]), "eval time") && !timingPrefix().Match(l.Text) {
		t.other(l)
		return t.open || t.commands.Continued()
	}
	pointed(m)
	row := strings.TrimPrefix(string(m[1]), "generation ")
	if row == "samplers time" || row == "sampling time" && len(m[3]) > 0 {
		row = "sample time" // common_perf_print reports the count in a row of its own
	}
	if t.open && (t.seen[row] || t.seen["total time"]) { // "total time" is the last row
		t.close()
	}
	if !t.open {
		t.Reset(t.In, "llama.cpp", "llama-timings-text", l.Number)
		t.open, t.seen, t.server = true, map[string]bool{}, true
		t.prompt, t.steps, t.samples, t.promptTime, t.total = -1, -1, -1, timing{}, timing{}
	}
	t.seen[row] = true
	// The server has a prefix of its own, or none.
	t.server = t.server && !strings.Contains(string(l.Text), "llama_print_timings:") && !strings.Contains(string(l.Text), "perf_")
	t.row(row, m, l.Number)
	t.last, t.gap = l.Number, 0
	return true
}

// timingNames lists the beginnings of the names of rows, before " time". If one name ends in another, the longer one
// comes first.
var timingNames = []string{"prompt eval", "generation eval", "eval", "load", "total", "sample", "sampling", "samplers"}

// findTimingRow returns the parts of the row in a line, or nil if there is none.
func findTimingRow(line []byte) [][]byte {
	for at := 0; ; {
		i := bytes.Index(line[at:], []byte(" time"))
		if i < 0 {
			return nil
		}
		for _, name := range timingNames {
			if n := len(name); at+i >= n && string(line[at+i-n:at+i]) == name {
				if m := timingRow().FindSubmatch(line[at+i-n:]); m != nil {
					return m
				}
				break
			}
		}
		at += i + 1
	}
}

// pointed replaces the decimal commas of some locales by points. The figures have no thousands separators.
func pointed(parts [][]byte) {
	for i, part := range parts {
		if i > 0 && bytes.IndexByte(part, ',') >= 0 {
			parts[i] = bytes.Replace(part, []byte(","), []byte("."), 1)
		}
	}
}

// row records a row: its name, then time, count, what is counted, time per item, rate.
func (t *llamaTimings) row(row string, m [][]byte, line int) {
	for _, part := range m[2:] {
		t.Fact([]byte(row), part)
	}
	ms, _ := scan.ParseFigure(m[2], 0)
	n, _ := scan.ParseFigure(m[3], 0)
	switch row {
	case "load time":
		t.Number("load_time", "ms", row, m[2], line)
	case "sample time":
		if len(m[3]) > 0 {
			t.samples = n.Value
		}
	case "total time":
		t.total = timing{string(m[2]), line}
		t.Number("duration", "ms", row, m[2], line)
	case "prompt eval time":
		if ms.Value > 0 && n.Value > 0 {
			t.prompt, t.promptTime = n.Value, timing{string(m[2]), line}
			t.Number("input_tokens", "tok", row+", tokens", m[3], line)
			t.speed("prefill_throughput", row, m[6], n.Value, ms.Value, line)
		}
	case "eval time":
		if len(m[3]) > 0 {
			t.steps = n.Value
		}
		tokens := string(m[4]) == "tokens" || t.server
		if tokens && n.Value > 0 {
			t.Number("output_tokens", "tok", row+", "+string(m[4]), m[3], line)
		}
		if ms.Value > 0 && n.Value > 0 && (!tokens || n.Value > 1) {
			if !tokens {
				t.Number("x_eval_runs", "", row+", runs", m[3], line)
			}
			t.Number("x_eval_time", "ms", row, m[2], line)
			t.speed("decode_throughput", row, m[6], n.Value, ms.Value, line)
			if !t.Number("tpot_mean", "ms", row+", per token (server side)", m[5], line) {
				t.Derive("tpot_mean", ms.Value/n.Value, row+" / runs (server side)", line)
			}
		}
	}
}

// speed records the rate that is printed, or computes the rate for versions that printed none.
func (t *llamaTimings) speed(name, row string, rate []byte, n, ms float64, line int) {
	if f, ok := scan.ParseFigure(rate, 0); ok && f.Finite && f.Value > 0 {
		t.Number(name, "tok/s", row+", tokens per second", rate, line)
	} else if len(rate) == 0 {
		t.Derive(name, 1000*n/ms, row+": tokens / time", line)
	}
}

// other reads lines that are not rows: the acceptance of draft tokens below a block, and the build and the model far
// above it.
func (t *llamaTimings) other(l scan.Line) {
	if m := timingDraft().FindSubmatch(l.Text); m != nil && t.open {
		pointed(m)
		if l.Ended {
			t.Number("acceptance_length", "tok", "mean acceptance length", m[4], l.Number)
		}
		t.Number("acceptance_rate", "ratio", "draft acceptance rate", m[1], l.Number)
		t.Number("x_draft_accepted", "tok", "accepted", m[2], l.Number)
		t.Number("x_draft_generated", "tok", "generated", m[3], l.Number)
		t.last, t.gap = l.Number, 0
		return
	}
	if m := timingBuild().FindSubmatch(l.Text); m != nil {
		t.close()
		t.build, t.model = draft.NewSetting("engine_version", "b"+string(m[1])+"-"+string(m[2]), l.Number), draft.Setting{}
		return
	}
	if t.banner(l) || t.chat(l) {
		return
	}
	if t.commands.Continued() || draft.CommandFlags(l.Text, timingCommands) >= 0 {
		t.close()
		t.build, t.model = draft.Setting{}, draft.Setting{}
		t.commands.Line(l.Text, l.Number)
		return
	}
	m := loaderLine().FindSubmatch(l.Text)
	if m == nil {
		m = servedModel().FindSubmatch(l.Text)
	}
	if m != nil {
		t.close()
		t.model = draft.NewSetting("model_raw", string(m[1]), l.Number)
		return
	}
	blank := len(bytes.TrimSpace(l.Text)) == 0
	if t.gap++; t.gap > maxTimingsGap || blank && t.seen["total time"] {
		t.close()
	}
}

// banner reads what llama-cli prints when it starts.
func (t *llamaTimings) banner(l scan.Line) bool {
	line := string(l.Text)
	build, isBuild := strings.CutPrefix(line, bannerBuild)
	model, isModel := strings.CutPrefix(line, bannerModel)
	switch {
	case isBuild:
		t.close()
		t.build, t.model = draft.NewSetting("engine_version", strings.TrimSpace(build), l.Number), draft.Setting{}
	case isModel && l.Number == t.build.Line+1:
		t.model = draft.NewSetting("model_raw", strings.TrimSpace(model), l.Number)
	}
	return isBuild || isModel
}

// chat reads the line below an answer of llama-cli. A speed of 0 means that nothing was evaluated.
func (t *llamaTimings) chat(l scan.Line) bool {
	m := chatSpeeds().FindSubmatch(l.Text)
	if m == nil {
		return false
	}
	t.close()
	pointed(m)
	t.Reset(t.In, "llama.cpp", "llama-timings-text", l.Number)
	for i, name := range []string{"prefill_throughput", "decode_throughput"} {
		if f, ok := scan.ParseFigure(m[1+i], 0); ok && f.Value > 0 {
			t.Number(name, "tok/s", []string{"Prompt", "Generation"}[i], m[1+i], l.Number)
		}
	}
	if !t.HasKnown() {
		t.In.NoResult(l.Number, locale.Textf("timings of llama.cpp in which nothing was evaluated"))
		return true
	}
	t.about()
	t.Imply("max_concurrency", "1", l.Number)
	t.Emit(l.Number, true)
	t.commands.Made(1, l.Number)
	return true
}

// close emits a block that other lines follow.
func (t *llamaTimings) close() { t.end(true) }

// end emits the block. The programs print all rows at once. So a block that other lines follow was not cut off, even if
// an author left out some of its rows.
func (t *llamaTimings) end(whole bool) {
	if !t.open {
		return
	}
	t.open = false
	once := t.server || t.samples >= 0 && t.steps >= 0 && (t.samples-t.steps == 1 || t.samples-t.steps == t.prompt+1)
	if !once && t.belowTable() {
		t.In.NoResult(t.Start, locale.Textf("the totals of a benchmark, below its table"))
		return
	}
	if !t.seen["eval time"] && !t.seen["prompt eval time"] || !t.hasSpeed() {
		t.In.NoResult(t.Start, locale.Textf("timings of llama.cpp in which nothing was evaluated"))
		return
	}
	at := t.Start
	t.about()
	if t.server {
		t.Tool = "llama-server"
	} else {
		t.build, t.model = draft.Setting{}, draft.Setting{} // the program has ended
	}
	if once {
		if t.server {
			t.Guess("max_concurrency", "1", at) // other requests may have run at the same time
		} else {
			t.Imply("max_concurrency", "1", at)
		}
		t.Number("ttft_mean", "ms", "prompt eval time (server side)", []byte(t.promptTime.text), t.promptTime.line)
		t.Number("e2el_mean", "ms", "total time (server side)", []byte(t.total.text), t.total.line)
		if _, known := t.Value("x_eval_runs"); known {
			t.Derive("output_tokens", t.steps+1, "eval runs + 1, the first token being the prompt's", t.last)
		}
	}
	t.Emit(t.last, whole || t.seen["total time"])
	t.commands.Made(1, at)
}

// about records the build and the model that were named above.
func (t *llamaTimings) about() {
	t.Imply("engine", "llama.cpp", t.Start)
	for _, above := range []draft.Setting{t.build, t.model} {
		switch {
		case above.Label == "":
		case t.Start-above.Line <= maxModelGap:
			t.SetLabel(above.Label, []byte(above.Value), above.Line)
		default:
			t.Guess(above.Label, above.Value, above.Line)
		}
	}
}

func (t *llamaTimings) hasSpeed() bool {
	_, prefill := t.Value("prefill_throughput")
	_, decode := t.Value("decode_throughput")
	return prefill || decode
}

// belowTable reports whether the result before this block is a row of a benchmark.
func (t *llamaTimings) belowTable() bool {
	results := t.In.Out.Results
	if len(results) == 0 {
		return false
	}
	tool := results[len(results)-1].Tool
	return tool == "llama-batched-bench" || tool == "llama-sweep-bench"
}

func (t *llamaTimings) End() {
	t.end(false)
	t.commands.Settle()
}
