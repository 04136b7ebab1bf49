package llamacpp

import (
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// llm_bench of OpenVINO GenAI (tools/llm_bench/benchmark.py) runs each prompt once to warm up and several more times.
// It logs every iteration and the averages of each prompt without the warm-up, and saves the same as CSV and as JSON. A
// result is one prompt: its averages, or the mean of iterations that were pasted without averages. A run that broke off
// gives no result. In JSON, a warm-up without further iterations is a result, with the phase "warmup".
//
//	[ INFO ] [1][P0] Input token size: 64, Output size: 96, …, Generation Time: 2.53s, Latency: 26.35 ms/token
//	[ INFO ] [1][P0] First token latency: 70.25 ms, other tokens latency: 25.75 ms/token, len of input tokens: 64 * 1
//	[ INFO ] [Average] P[0] Input token size: 64, 1st token latency: 70.50 ms, 2nd token latency: 25.50 ms/token, 2nd tokens throughput: 39.22 tokens/s
//
// With a batch, the first token's time is that of all first tokens ("ms/4tokens"), the other tokens' time is that of a
// step, and the throughput is that of all sequences. Whether the input size is that of one sequence or of all depends
// on the version, so it is not used as a length. Latency is the generation time over all tokens, including the first:
// tpot_incl_ttft. In a chat ([C0]) the first token's time is divided by the number of prompt tokens, so it is left out.
//
// Source: tools/llm_bench/llm_bench_utils/metrics_print.py, output_csv.py, output_json.py; before 2024-10 in
// llm_bench/python, where it was printed as "1st token lantency: 49.31 ms/token".

// iterations holds the measured iterations of one prompt.
type iterations struct {
	prompt      string // its number; "" in versions that do not state it
	size        string // size of its input; distinguishes prompts without a number
	first, last int    // lines
	warmup      bool
	pasted      bool // pasted without the lines that are printed before them
	broken      bool // a line lacks its last part, for example because a window broke it
	labels      []draft.Setting
	sums        [len(iterationFigures)]float64
	known       [len(iterationFigures)]int
}

// iterationFigures lists the figures of an iteration, with their names in the log, CSV and JSON.
var iterationFigures = [...]struct{ name, log, csv, json string }{
	{"ttft_mean", "First token latency", "1st_latency(ms)", "first_latency"},
	{"tpot_mean", "other tokens latency", "2nd_avg_latency(ms)", "second_avg_latency"},
	{"e2el_mean", "Generation Time", "generation_time(s)", "generation_time"},
	{"tpot_incl_ttft_mean", "Latency", "latency(ms)", "latency"},
	{"x_mean_output_len", "Output size", "output_size", "output_size"},
}

// take adds a figure of an iteration, and converts seconds to ms.
func (it *iterations) take(figure int, text string, seconds bool) {
	f, ok := scan.ParseFigure([]byte(text), 0)
	if !ok || !f.Finite || f.Value <= 0 {
		return
	}
	if seconds {
		f.Value *= 1000
	}
	it.sums[figure] += f.Value
	it.known[figure]++
}

// derive adds the means that a draft lacks.
func (it *iterations) derive(d *draft.Draft, line int) {
	for i, f := range iterationFigures {
		n := float64(it.known[i])
		switch _, has := d.Value(f.name); {
		case has || n == 0:
		case f.name == "x_mean_output_len":
			d.Derive("output_tokens", it.sums[i], "sum over the iterations ("+strconv.Itoa(it.known[i])+"): "+f.log, line)
			d.Derive("requests_completed", n, "iterations", line)
		default:
			d.Derive(f.name, it.sums[i]/n, "mean over the iterations ("+strconv.Itoa(it.known[i])+"): "+f.log, line)
		}
	}
}

// finishLLMBench records what holds for every result of llm_bench.
func finishLLMBench(d *draft.Draft, it *iterations) {
	if it.warmup {
		d.Imply("phase", "warmup", d.Start)
	}
	d.SetText("x_prompt_id", it.prompt, d.Start)
	batch, _ := strconv.ParseFloat(d.Label("batch_size"), 64)
	if size := d.Label("x_input_size"); batch > 1 {
		d.Drop("x_mean_output_len")
		d.Drop("output_tokens")
		d.Drop("requests_completed")
	} else if size != "" {
		d.Imply("input_len", size, d.Start)
	}
	d.Imply("max_concurrency", strconv.Itoa(int(max(batch, 1))), d.Start)
	d.Imply("engine", "openvino", d.Start)
	if each, ok := d.Value("tpot_mean"); ok && each > 0 {
		if _, has := d.Value("decode_throughput"); !has {
			d.Derive("decode_throughput", 1000*max(batch, 1)/each, "1000 / time of a step × batch_size", d.Start)
		}
	}
}

// llmBenchText reads the log.
type llmBenchText struct {
	draft.Draft
	run      []*iterations   // prompts without averages so far
	about    []draft.Setting // of the run
	begun    *iterations     // the prompt of the last line
	averaged string          // prompts of the run that have averages, "[0][1]"
	load     timing
	gap      int
	commands draft.Commands
}

var llmBenchMarks = []string{"openvino runtime version: ", "[warm-up]", "Input token size:", "First token latency:", "1st token la", "Pipeline initialization time:",
	"benchmark.py"}

var (
	llmBenchLine  = lazy.Regexp(`\[(warm-up|\d+)\](\[C\d+\])?(?:\[P(\d+)\])? (.*\S)`)
	llmBenchMean  = lazy.Regexp(`\[Average\] (?:Prompt|P)\[(\d+)\](?:L\[\d+\])? (.*\S)`)
	llmBenchModel = lazy.Regexp(`[Mm]odel[ _]path=(.+?), openvino runtime version: ([^\s,]+)(?:, genai version: ([^\s,]+))?`)
	llmBenchTime  = lazy.Regexp(`^([\d.]+) ?(ms|s)(?:/(\d*)tokens?)?$`)
)

const maxLLMBenchGap = 400 // other lines, such as answers

func newLLMBenchText() draft.LineReader { return &llmBenchText{} }

func (t *llmBenchText) Begin(in *draft.File) {
	*t = llmBenchText{Draft: t.Emptied(in), commands: newOpenVINOCommands()}
	t.commands.Begin(in)
}

func (t *llmBenchText) Line(l scan.Line) bool {
	if t.commands.Continued() || draft.CommandFlags(l.Text, openVINOCommands) >= 0 {
		t.close()
		t.about, t.load, t.averaged = t.about[:0], timing{}, ""
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	if !t.In.Marked {
		if t.gap++; t.gap > maxLLMBenchGap {
			t.close()
		}
		return len(t.run) > 0
	}
	t.gap = 0
	if m := llmBenchModel().FindStringSubmatch(string(l.Text)); m != nil {
		t.close()
		t.about = append(t.about[:0], draft.NewSetting(commandFolder, m[1], l.Number), draft.NewSetting("engine_version", m[2], l.Number),
			draft.NewSetting("x_genai_version", m[3], l.Number))
		t.load, t.averaged = timing{}, ""
	} else if _, time, ok := strings.Cut(string(l.Text), "Pipeline initialization time: "); ok && l.Ended {
		t.load = timing{strings.TrimSuffix(strings.TrimSpace(time), "s"), l.Number}
	} else if m := llmBenchMean().FindStringSubmatch(string(l.Text)); m != nil {
		t.average(m[1], m[2], l)
	} else if strings.Contains(string(l.Text), "[Average] C[") {
		t.In.NoResult(l.Number, locale.Textf("the averages of a chat, in which the first token's time is divided by the tokens of the prompt"))
	} else if m := llmBenchLine().FindStringSubmatch(string(l.Text)); m != nil {
		t.iteration(m[1], m[2] != "", m[3], m[4], l)
	}
	return len(t.run) > 0
}

// iteration reads a line of an iteration, "key: value, key: value".
func (t *llmBenchText) iteration(number string, chat bool, prompt, pairs string, l scan.Line) {
	warmup := number == "warm-up"
	sized, begins := strings.CutPrefix(pairs, "Input token size: ")
	size, _, _ := strings.Cut(sized, ",")
	it := t.of(prompt, size)
	if !begins && prompt == "" {
		it = t.begun
	}
	switch {
	case it != nil && warmup && !it.warmup: // another run
		t.close()
		it = nil
	case it != nil && !warmup && it.warmup:
		*it = iterations{prompt: prompt, size: size, first: l.Number}
	}
	if it == nil {
		it = &iterations{prompt: prompt, size: size, first: l.Number, warmup: warmup, pasted: !warmup && len(t.about) == 0}
		t.run = append(t.run, it)
	}
	t.begun = it
	if begins {
		it.labels = it.labels[:0]
	}
	if begins && !strings.Contains(pairs, ", Latency: ") || strings.HasPrefix(pairs, "First token latency:") && !strings.Contains(pairs, ", len of ") {
		it.broken = true
	}
	for pair := range strings.SplitSeq(pairs, ", ") {
		key, value, ok := strings.Cut(strings.TrimSpace(pair), ": ")
		switch {
		case !ok:
		case key == "Input token size":
			it.labels = append(it.labels, draft.NewSetting("x_input_size", value, l.Number))
			continue
		case key == "Infer count":
			it.labels = append(it.labels, draft.NewSetting("output_len", value, l.Number))
			continue
		}
		for i, f := range iterationFigures {
			m := llmBenchTime().FindStringSubmatch(value)
			switch {
			case key != f.log || chat && f.name == "ttft_mean":
			case m != nil:
				it.last = l.Number
				it.take(i, m[1], m[2] == "s")
				it.batch(m[3], l.Number)
			case f.name == "x_mean_output_len":
				it.take(i, value, false)
			}
		}
	}
}

// batch records the size of a batch, as in "ms/4tokens".
func (it *iterations) batch(size string, line int) {
	if size != "" {
		it.labels = append(it.labels, draft.NewSetting("batch_size", size, line))
	}
}

// of returns the iterations of a prompt: by its number, or by the size of its input if it has no number. It returns nil
// if there are none.
func (t *llmBenchText) of(prompt, size string) *iterations {
	for _, it := range t.run {
		if it.prompt == prompt && prompt != "" || it.prompt == "" && it.size == size {
			return it
		}
	}
	return nil
}

// average emits the averages of a prompt.
func (t *llmBenchText) average(prompt, pairs string, l scan.Line) {
	_, sized, _ := strings.Cut(pairs, "Input token size: ")
	size, _, _ := strings.Cut(sized, ",")
	it := t.of(prompt, size)
	if it == nil {
		it = &iterations{prompt: prompt}
		if strings.Contains(t.averaged, "["+prompt+"]") { // another run, whose other lines are missing
			t.about, t.load, t.averaged = t.about[:0], timing{}, ""
		}
	}
	t.averaged += "[" + prompt + "]"
	if !strings.Contains(pairs, ", 2nd tokens throughput: ") || !strings.HasSuffix(pairs, " tokens/s") && !strings.HasSuffix(pairs, "NA") {
		t.In.BrokenLine(l.Number)
		return
	}
	t.Reset(t.In, "openvino-llm-bench", "openvino-llm-bench-text", l.Number)
	for pair := range strings.SplitSeq(pairs, ", ") {
		key, value, _ := strings.Cut(strings.TrimSpace(pair), ": ")
		m := llmBenchTime().FindStringSubmatch(value)
		switch {
		case key == "Input token size":
			t.SetText("x_input_size", value, l.Number)
		case strings.HasPrefix(key, "1st token la") && m != nil:
			t.Number("ttft_mean", m[2], key, []byte(m[1]), l.Number)
			it.batch(m[3], l.Number)
		case strings.HasPrefix(key, "2nd token") && m != nil:
			t.Number("tpot_mean", m[2], key, []byte(m[1]), l.Number)
			it.batch(m[3], l.Number)
		case key == "2nd tokens throughput":
			if rate, ok := strings.CutSuffix(value, " tokens/s"); ok {
				t.Number("decode_throughput", "tok/s", key, []byte(rate), l.Number)
			}
		}
	}
	if !it.warmup && !it.broken {
		it.derive(&t.Draft, l.Number)
	}
	it.warmup = false
	t.emit(it, l.Number, true)
	for i := range t.run {
		if t.run[i] == it {
			t.run = append(t.run[:i], t.run[i+1:]...)
			break
		}
	}
}

func (t *llmBenchText) emit(it *iterations, last int, whole bool) {
	for _, set := range append(it.labels, t.about...) {
		switch {
		case set.Label == commandFolder:
			setFolder(&t.Draft, set.Value, set.Line)
		case set.Value != "" && t.Label(set.Label) == "":
			t.SetText(set.Label, set.Value, set.Line)
		}
	}
	if t.load.line >= t.Start && t.load.line <= last {
		t.Number("load_time", "s", "Pipeline initialization time", []byte(t.load.text), t.load.line)
	} else if seconds, ok := scan.ParseNumber([]byte(t.load.text)); ok {
		t.Derive("load_time", seconds, "Pipeline initialization time", t.Start)
	}
	finishLLMBench(&t.Draft, it)
	t.Emit(last, whole)
	t.commands.Made(1, t.Start)
}

// close ends the prompts that have no averages. It emits the pasted ones and reports the others.
func (t *llmBenchText) close() {
	for _, it := range t.run {
		switch {
		case it.broken:
			t.In.BrokenLine(it.first)
			continue
		case !it.pasted:
			noAverages(t.In, it.first)
			continue
		}
		t.Reset(t.In, "openvino-llm-bench", "openvino-llm-bench-text", it.first)
		it.derive(&t.Draft, it.last)
		if _, known := t.Value("ttft_mean"); known {
			t.emit(it, it.last, false)
		}
	}
	t.run, t.begun, t.gap = t.run[:0], nil, 0
}

func (t *llmBenchText) End() {
	t.close()
	t.commands.Settle()
}
