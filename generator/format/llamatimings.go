package format

import (
	"bytes"
	"regexp"
	"strings"
)

// llama.cpp's own timings: what its programs and its library print when they end
// ("llama_print_timings:", since 2024-09 "llama_perf_context_print:", since 2025
// "common_perf_print:"), and its server after each request ("print_timings" behind
// INFO, in its log of 2024 and ik_llama.cpp's; later plain lines below
// "slot print_timing:"). A block is a result. The forms differ in what they count:
//
//   - Prompt tokens are those that were evaluated, without what the cache had.
//   - A program counts its decoding steps, which are the tokens but the first; the
//     server counts the tokens, so that its time per token is low by the first's
//     share, and its speed of an answer of one token is none at all.
//   - A program's total time begins when the model has been loaded and includes
//     sampling; the server's is that of prompt and tokens.
//
// All times are the server's side: TTFT is the time of prompt evaluation, without
// network and queue. It is that of a program only when it answered once, which the
// samples tell: a chat, perplexity or a benchmark adds up its parts, and decoding
// side by side counts as prompt evaluation. So what llama-batched-bench and
// llama-sweep-bench print below their table is left out.
//
// "0.00 ms / 1 tokens" stands for nothing evaluated. The speed of sampling is no
// speed of the model.
//
// Source: llama.cpp of 2023, src/llama-context.cpp, common/sampling.cpp,
// tools/server/server.cpp.
type llamaTimings struct {
	sheet
	open                   bool
	last                   int // line of the last row
	gap                    int // lines since
	seen                   map[string]bool
	server                 bool
	prompt, steps, samples float64 // counts: tokens, decoding steps, samples drawn; −1 when it is not said
	promptTime, total      timing
	model, build           setting
}

// timing is a time in ms as written.
type timing struct {
	text string
	line int
}

var llamaTimingsMarks = []string{"eval time", "llama_print_timings:", "perf_context_print:", "perf_sampler_print:",
	"common_perf_print:", "print_timing", "main: build = ", "draft acceptance", loaderMark, servedMark}

var (
	timingRow = regexp.MustCompile(`(prompt eval time|generation eval time|eval time|load time|total time|sample time|sampling time|samplers time)\s*=\s*` +
		`(\d+(?:[.,]\d+)?) ms(?:\s*/\s*(\d+) (tokens|runs))?(?:\s*\(\s*([\d.,]+) ms per token(?:,\s*([\d.,]+|inf|nan) tokens per second)?\))?`)
	timingDraft  = regexp.MustCompile(`draft acceptance(?: rate)?\s*=\s*(\d+[.,]\d+) \(\s*(\d+) accepted /\s*(\d+) generated\)(?:, mean acceptance length =\s*(\d+[.,]\d+))?`)
	timingPrefix = regexp.MustCompile(`llama_print_timings:|perf_(?:context_|sampler_)?print:|print_timings?\b`)
	timingBuild  = regexp.MustCompile(`^main: build = (\d+) \((\w+)\)`)
)

// loaderLine and servedModel name the file of the model when it is loaded.
var (
	loaderLine  = regexp.MustCompile(loaderMark + ` with .* from (.+?) \(version`)
	servedModel = regexp.MustCompile(servedMark + ` '([^']+)'`)
)

const (
	loaderMark    = "llama_model_loader: loaded meta data"
	servedMark    = "load_model: loading model"
	maxTimingsGap = 3   // lines of something else between two rows
	maxModelGap   = 500 // lines from the model to a block that is surely of it
)

func newLlamaTimings() lineReader { return &llamaTimings{} }

func (t *llamaTimings) begin(in *input) {
	*t = llamaTimings{sheet: t.sheet}
	t.in = in
}

func (t *llamaTimings) line(l line) bool {
	m := timingRow.FindSubmatch(l.text)
	prefixed := timingPrefix.Match(l.text)
	if m == nil || !t.open && !prefixed && !strings.HasSuffix(string(m[1]), "eval time") {
		t.other(l)
		return t.open
	}
	pointed(m)
	row := strings.TrimPrefix(string(m[1]), "generation ")
	if row == "samplers time" || row == "sampling time" && len(m[3]) > 0 {
		row = "sample time" // common_perf_print tells the count in a row of its own
	}
	if t.open && (t.seen[row] || t.seen["total time"]) { // which is the last
		t.close()
	}
	if !t.open {
		t.reset(t.in, "llama.cpp", "llama-timings-text", l.number)
		t.open, t.seen, t.server = true, map[string]bool{}, true
		t.prompt, t.steps, t.samples, t.promptTime, t.total = -1, -1, -1, timing{}, timing{}
	}
	t.seen[row] = true
	// The server has a prefix of its own, or none.
	t.server = t.server && !strings.Contains(string(l.text), "llama_print_timings:") && !strings.Contains(string(l.text), "perf_")
	t.row(row, m, l.number)
	t.last, t.gap = l.number, 0
	return true
}

// pointed writes the figures with a point, for which some locales have a comma.
// They have no thousands to set apart.
func pointed(parts [][]byte) {
	for i, part := range parts {
		if i > 0 && bytes.IndexByte(part, ',') >= 0 {
			parts[i] = bytes.Replace(part, []byte(","), []byte("."), 1)
		}
	}
}

// row notes a row: its name, then time, count, what is counted, time of each, rate.
func (t *llamaTimings) row(row string, m [][]byte, line int) {
	for _, part := range m[2:] {
		t.fact([]byte(row), part)
	}
	ms, _ := parseFigure(m[2], 0)
	n, _ := parseFigure(m[3], 0)
	switch row {
	case "load time":
		t.number("load_time", "ms", row, m[2], line)
	case "sample time":
		if len(m[3]) > 0 {
			t.samples = n.value
		}
	case "total time":
		t.total = timing{string(m[2]), line}
		t.number("duration", "ms", row, m[2], line)
	case "prompt eval time":
		if ms.value > 0 && n.value > 0 {
			t.prompt, t.promptTime = n.value, timing{string(m[2]), line}
			t.number("input_tokens", "tok", row+", tokens", m[3], line)
			t.speed("prefill_throughput", row, m[6], n.value, ms.value, line)
		}
	case "eval time":
		t.steps = n.value
		tokens := string(m[4]) == "tokens" || t.server
		if tokens && n.value > 0 {
			t.number("output_tokens", "tok", row+", "+string(m[4]), m[3], line)
		}
		if ms.value > 0 && n.value > 0 && (!tokens || n.value > 1) {
			if !tokens {
				t.number("x_eval_runs", "", row+", runs", m[3], line)
			}
			t.number("x_eval_time", "ms", row, m[2], line)
			t.speed("decode_throughput", row, m[6], n.value, ms.value, line)
			if !t.number("tpot_mean", "ms", row+", per token (server side)", m[5], line) {
				t.derive("tpot_mean", ms.value/n.value, row+" / runs (server side)", line)
			}
		}
	}
}

// speed notes the rate that is printed, or computes that of a version that
// printed none.
func (t *llamaTimings) speed(name, row string, rate []byte, n, ms float64, line int) {
	if f, ok := parseFigure(rate, 0); ok && f.finite && f.value > 0 {
		t.number(name, "tok/s", row+", tokens per second", rate, line)
	} else if len(rate) == 0 {
		t.derive(name, 1000*n/ms, row+": tokens / time", line)
	}
}

// other reads lines that are no row: the draft's acceptance below a block, and
// the build and the model far above.
func (t *llamaTimings) other(l line) {
	if m := timingDraft.FindSubmatch(l.text); m != nil && t.open {
		pointed(m)
		t.number("acceptance_length", "tok", "mean acceptance length", m[4], l.number)
		t.number("acceptance_rate", "ratio", "draft acceptance rate", m[1], l.number)
		t.number("x_draft_accepted", "tok", "accepted", m[2], l.number)
		t.number("x_draft_generated", "tok", "generated", m[3], l.number)
		t.last, t.gap = l.number, 0
		return
	}
	if m := timingBuild.FindSubmatch(l.text); m != nil {
		t.close()
		t.build, t.model = newSetting("engine_version", "b"+string(m[1])+"-"+string(m[2]), l.number), setting{}
		return
	}
	m := loaderLine.FindSubmatch(l.text)
	if m == nil {
		m = servedModel.FindSubmatch(l.text)
	}
	if m != nil {
		t.close()
		t.model = newSetting("model_raw", string(m[1]), l.number)
		return
	}
	blank := len(bytes.TrimSpace(l.text)) == 0
	if t.gap++; t.gap > maxTimingsGap || blank && t.seen["total time"] {
		t.close()
	}
}

// close hands out the block.
func (t *llamaTimings) close() {
	if !t.open {
		return
	}
	t.open = false
	once := t.server || t.samples >= 0 && (t.samples-t.steps == 1 || t.samples-t.steps == t.prompt+1)
	if !once && t.belowTable() {
		t.in.noResult(t.start, "the totals of a benchmark, below its table")
		return
	}
	if !t.seen["eval time"] && !t.seen["prompt eval time"] || !t.hasSpeed() {
		t.in.noResult(t.start, "timings of llama.cpp in which nothing was evaluated")
		return
	}
	at := t.start
	t.imply("engine", "llama.cpp", at)
	for _, above := range []setting{t.build, t.model} {
		switch {
		case above.label == "":
		case at-above.line <= maxModelGap:
			t.label(above.label, []byte(above.value), above.line)
		default:
			t.guess(above.label, above.value, above.line)
		}
	}
	if t.server {
		t.tool = "llama-server"
	} else {
		t.build, t.model = setting{}, setting{} // the program has ended
	}
	if once {
		if t.server {
			t.guess("max_concurrency", "1", at) // others may have run beside it
		} else {
			t.imply("max_concurrency", "1", at)
		}
		t.number("ttft_mean", "ms", "prompt eval time (server side)", []byte(t.promptTime.text), t.promptTime.line)
		t.number("e2el_mean", "ms", "total time (server side)", []byte(t.total.text), t.total.line)
		if _, known := t.value("x_eval_runs"); known {
			t.derive("output_tokens", t.steps+1, "eval runs + 1, the first token being the prompt's", t.last)
		}
	}
	t.hand(t.last, t.seen["total time"])
}

func (t *llamaTimings) hasSpeed() bool {
	_, prefill := t.value("prefill_throughput")
	_, decode := t.value("decode_throughput")
	return prefill || decode
}

// belowTable tells whether the result before this block is a benchmark's row.
func (t *llamaTimings) belowTable() bool {
	results := t.in.out.Results
	if len(results) == 0 {
		return false
	}
	tool := results[len(results)-1].Tool
	return tool == "llama-batched-bench" || tool == "llama-sweep-bench"
}

func (t *llamaTimings) end() { t.close() }
