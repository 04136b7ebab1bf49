package llamacpp

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// generateText reads what the generate.py of lit-llama, LitGPT, gpt-fast, torchao and torchtune prints for each answer.
// The output does not say which of them it is:
//
//	Time for inference 1: 1.10 sec total, 181.82 tokens/sec
//	Bandwidth achieved: 1202.50 GB/s
//	Memory used: 13.88 GB
//
// The rate is the answer's tokens over the whole time, including the prompt. Since gpt-fast has batches, it also prints
// FLOPS, and states the batch at the end; its tokens are those of one sequence. Averages of the answers above them are
// not read.
//
// torchchat is a descendant and has a block for each answer. "Generated" excludes the first token, which "Total
// throughput" includes; the next tokens are those after it. The first answer is a warm-up: its block says that it
// includes compilation.
//
// Source: generate.py of gpt-fast, generate/base.py of LitGPT, torchchat/generate.py.
type generateText struct {
	in       *draft.File
	answers  []generated // of one run; the batch is printed after them
	number   int         // of the last answer
	ended    bool        // lines after the last answer of a run were read
	last     int
	model    draft.Setting // that a command names without a flag
	commands draft.Commands
}

type generated struct {
	draft.Draft
	rate     string // tokens per second, as the tool computes them
	rateLine int
	batched  bool // printed by a gpt-fast that states the batch
	last     int
}

const generateGap = 200 // lines of an answer's text, or of other output after it

var (
	generateMarks = []string{"Time for inference", "Time to first token: ", "Total throughput: ", "Next token throughput: ", "Bandwidth achieved: ", "FLOPS achieved: ",
		"*** This first iteration", "Average tokens/sec", "Memory used", "Batch Size: ", "Prompt Length: ", "Generated tokens: ", "generate.py ",
		"generate/base.py ", "litgpt generate ", "torchchat.py generate "}
	generateTime = lazy.Regexp(`^Time for inference(?: (\d+))?: .*?([\d.]+) sec total(?:,? .*?([\d.]+) tokens/sec)?`)
	generateOwn  = map[string]string{"checkpoint_path": commandFolder, "checkpoint_dir": commandFolder, "batch_size": "batch_size",
		"precision": "x_precision", "dtype": "dtype", "quantize": "quantization_type", "draft_checkpoint_path": "x_draft_model",
		"speculate_k": "speculative_tokens", "device": "device", "compile": "x_compile", "compile_prefill": "x_compile_prefill",
		"dso_path": "x_dso_path", "pte_path": "x_pte_path"}
	generateNames     = [][]byte{[]byte("generate.py"), []byte("generate/base.py"), []byte("litgpt generate base"), []byte("litgpt generate"), []byte("torchchat.py generate")}
	litgptGenerate    = program{"litgpt generate ", nil}
	torchchatGenerate = program{"torchchat.py generate ", []string{"--compile", "--compile-prefill"}}
)

func newGenerateText() draft.LineReader { return &generateText{} }

func (t *generateText) Begin(in *draft.File) {
	*t = generateText{in: in, commands: draft.Commands{Names: generateNames, Repeats: true, Own: generateOwn, Complete: takeCheckpoint}}
	t.commands.Begin(in)
}

// takeCheckpoint takes the model from the folder of a checkpoint: Llama-2-7b-chat-hf/model_int8.pth. The name of the
// file states how gpt-fast quantized it.
func takeCheckpoint(d *draft.Draft, _ *draft.Settings) {
	checkpoint, ok := d.Labels.Lookup(commandFolder)
	if !ok || d.Label("model_raw") != "" {
		return
	}
	folder, file := path.Split(checkpoint.Value)
	if name, ok := strings.CutSuffix(file, ".pth"); ok && folder != "" {
		d.SetText("model_raw", strings.TrimSuffix(folder, "/"), checkpoint.Pos.Line)
		if mode, ok := strings.CutPrefix(name, "model_"); ok {
			d.SetText("quantization_type", mode, checkpoint.Pos.Line)
		}
		return
	}
	d.SetText("model_raw", checkpoint.Value, checkpoint.Pos.Line)
}

func (t *generateText) End() {
	t.close()
	t.commands.Settle()
}

func (t *generateText) Line(l scan.Line) bool {
	if t.commands.Continued() {
		t.commands.Line(l.Text, l.Number)
		return t.commands.Continued()
	}
	text := strings.TrimSpace(strings.TrimLeft(string(l.Text), "#> \t"))
	if m := generateTime().FindStringSubmatch(text); m != nil && l.Ended {
		t.answer(m, l)
		return false
	}
	if l.Number-t.last > generateGap {
		t.close()
	}
	label, value, isRow := strings.Cut(text, ":")
	switch {
	case t.command(l):
		return t.commands.Continued()
	case len(t.answers) == 0:
	case strings.HasPrefix(text, "*** This first iteration"):
		t.answers[len(t.answers)-1].Imply("phase", "warmup", l.Number)
	case isRow && l.Ended:
		t.row(strings.TrimSpace(label), strings.TrimSuffix(strings.TrimSpace(value), "."), l)
	}
	return false
}

// command reads a line that has a command or mentions one. What was stated above does not apply to the answers below
// it.
func (t *generateText) command(l scan.Line) bool {
	if !slices.ContainsFunc(generateNames, func(name []byte) bool { return bytes.Contains(l.Text, name) }) {
		return false
	}
	t.close()
	t.model = draft.Setting{}
	text := l.Text
	for _, p := range []program{litgptGenerate, torchchatGenerate} {
		if model, _ := p.modelIn(text); model != "" && model != "base" {
			t.model = draft.NewSetting("model_raw", model, l.Number)
			text = bytes.Replace(text, []byte(" "+model), nil, 1)
		}
	}
	if !t.commands.Line(text, l.Number) {
		t.commands.Known()
	}
	return true
}

// answer begins an answer. The first answer of a run also begins the run.
func (t *generateText) answer(m []string, l scan.Line) {
	n, _ := strconv.Atoi(m[1])
	if t.ended || n <= t.number || l.Number-t.last > generateGap {
		t.close()
	}
	t.answers = append(t.answers, generated{rate: m[3], rateLine: l.Number, last: l.Number})
	a := &t.answers[len(t.answers)-1]
	a.Reset(t.in, "generate.py", "generate-text", l.Number)
	a.Number("e2el_mean", "s", "Time for inference", []byte(m[2]), l.Number)
	t.number, t.last = n, l.Number
}

// row reads a line after an answer.
func (t *generateText) row(label, value string, l scan.Line) {
	a := &t.answers[len(t.answers)-1]
	number, unit, ok := scan.Quantity(value)
	switch {
	case !ok:
		return
	case label == "Batch Size", label == "Prompt Length", label == "Generated tokens":
		name := map[string]string{"Batch Size": "batch_size", "Prompt Length": "input_len", "Generated tokens": "output_len"}[label]
		for i := range t.answers {
			t.answers[i].SetText(name, number, l.Number)
		}
		t.ended = true
	case strings.HasPrefix(label, "Average tokens/sec"):
		t.ended = true
	case label == "Memory used" && unit == "GB":
		a.Number("memory_used_max", unit, label, []byte(number), l.Number)
		t.ended = true
	case label == "FLOPS achieved":
		a.batched = true
	case label == "Bandwidth achieved" && strings.HasPrefix(unit, "GB/s"):
		a.Number("x_bandwidth", "GB/s", label, []byte(number), l.Number)
	case label == "Time to first token" && strings.HasPrefix(unit, "sec"):
		a.Tool = "torchchat"
		a.Number("ttft_mean", "s", label, []byte(number), l.Number)
	case label == "Total throughput" && strings.HasPrefix(unit, "tokens/sec"):
		a.Tool, a.rate, a.rateLine = "torchchat", number, l.Number
	case label == "Next token throughput" && strings.HasPrefix(unit, "tokens/sec"):
		a.Number("decode_throughput", "tok/s", label, []byte(number), l.Number)
	default:
		return
	}
	a.last, t.last = l.Number, l.Number
}

// close emits the answers of a run.
func (t *generateText) close() {
	asked := ""
	if s := t.commands.Last(t.last); s != nil {
		asked = s.One("batch_size")
	}
	for i := range t.answers {
		a := &t.answers[i]
		if a.rate == "" {
			continue // a time without a rate may come from any program
		}
		name, batch := "output_throughput", cmp.Or(a.Label("batch_size"), asked)
		switch {
		case batch == "" && a.batched:
			t.in.NoResult(a.Start, locale.Textf("the rate is of one sequence, of a batch whose size is not stated"))
			continue
		case batch != "" && batch != "1":
			name = "output_throughput_per_user"
		default:
			batch = "1"
		}
		a.Number(name, "tok/s", "tokens/sec", []byte(a.rate), a.rateLine)
		a.Imply("max_concurrency", batch, a.Start)
		a.SetText(t.model.Label, t.model.Value, t.model.Line)
		a.Emit(a.last, true)
		t.commands.Made(1, a.Start)
	}
	t.answers, t.number, t.ended = t.answers[:0], 0, false
}
