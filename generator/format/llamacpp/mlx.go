package llamacpp

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// mlxText reads what mlx_lm prints. mlx_lm is Apple's runner of language models.
//
// mlx_lm.benchmark prints its lengths ("Timing with prompt_tokens=512, …"), then each trial and the averages, which are
// the result. With a batch, speeds are those of all sequences together, but lengths are those of one sequence. Peak
// memory is in 10⁹ bytes. If a run broke off, the result is the mean of its trials.
//
// mlx_lm.generate prints the speeds of one answer: "Prompt: 12 tokens, 345.678 tokens-per-sec"; in 2024 without the
// count. Several prompts are a batch ("[batch_generate] …"); the line before it states the number of prompts.
//
// Source: mlx_lm/benchmark.py, mlx_lm/generate.py.
type mlxText struct {
	draft.Draft
	timing  bool // below "Timing with", before the averages
	batch   string
	last    int
	trials  map[string][]float64
	answer  bool // below "Prompt:"
	prompts string
	gap     int
	model   draft.Setting
}

var mlxMarks = []string{"Timing with prompt_tokens=", "tokens-per-sec", "[batch_generate] Finished processing", "mlx_lm.benchmark", "mlx_lm.generate"}

var (
	mlxTiming = lazy.Regexp(`Timing with prompt_tokens=(\d+)(?:,| and) generation_tokens=(\d+)(?:, batch_size=(\d+))?\.`)
	mlxTrial  = lazy.Regexp(`^(Trial \d+|Averages):\s+(prompt_tps=.*)$`)
	mlxSpeed  = lazy.Regexp(`^(\[batch_generate\] )?(Prompt|Generation): (?:(\d+) tokens, )?([\d.]+) tokens-per-sec`)
	mlxMemory = lazy.Regexp(`^(?:\[batch_generate\] )?Peak memory: ([\d.]+) (GB)`)
	mlxBatch  = lazy.Regexp(`\[batch_generate\] Finished processing (\d+)/(\d+)$`)
	mlxModel  = lazy.Regexp(`mlx_lm\.(?:benchmark|generate)\b.*? --model[ =](\S+)`)
)

// mlxKeys lists the figures of a trial.
var mlxKeys = map[string]struct{ name, unit string }{
	"prompt_tps": {"prefill_throughput", "tok/s"}, "generation_tps": {"decode_throughput", "tok/s"},
	"peak_memory": {"memory_used_max", "GB"}, "total_time": {"e2el_mean", "s"},
}

const maxMLXGap = 20 // lines of something else between two trials

func newMLXText() draft.LineReader { return &mlxText{} }

func (t *mlxText) Begin(in *draft.File) {
	*t = mlxText{Draft: t.Draft}
	t.In = in
}

func (t *mlxText) Line(l scan.Line) bool {
	l.Text = bytes.TrimLeft(l.Text, " \t") // indented, as in a list
	if m := mlxTiming().FindSubmatch(l.Text); m != nil {
		t.close()
		t.Reset(t.In, "mlx_lm.benchmark", "mlx-lm-text", l.Number)
		t.timing, t.trials, t.last, t.gap = true, map[string][]float64{}, l.Number, 0
		t.batch = "1" // the first versions had no batches
		if len(m[3]) > 0 {
			t.batch = string(m[3])
		}
		t.Fact([]byte("Timing"), m[0])
		t.SetLabel("input_len", m[1], l.Number)
		t.SetLabel("output_len", m[2], l.Number)
		t.SetLabel("batch_size", []byte(t.batch), l.Number)
		t.SetLabel("max_concurrency", []byte(t.batch), l.Number)
	} else if m := mlxTrial().FindSubmatch(l.Text); m != nil && t.timing {
		t.trial(string(m[1]), string(m[2]), l)
	} else if m := mlxSpeed().FindSubmatch(l.Text); m != nil {
		t.speed(m, l)
	} else if m := mlxMemory().FindSubmatch(l.Text); m != nil && t.answer {
		t.Number("memory_used_max", string(m[2]), "Peak memory", m[1], l.Number)
		t.last = l.Number
		t.close()
	} else if m := mlxBatch().FindSubmatch(l.Text); m != nil {
		t.prompts = string(m[2])
	} else if m := mlxModel().FindSubmatch(l.Text); m != nil {
		t.close()
		t.model = draft.NewSetting("model_raw", strings.Trim(string(m[1]), `"'`), l.Number)
	} else if t.gap++; t.gap > maxMLXGap || t.answer && t.gap > 1 {
		t.close()
	}
	return t.timing || t.answer
}

// trial reads the figures of a trial or of the averages: "prompt_tps=1843.211, …".
func (t *mlxText) trial(name, figures string, l scan.Line) {
	if !l.Ended {
		return
	}
	t.last, t.gap = l.Number, 0
	for pair := range strings.SplitSeq(figures, ", ") {
		key, text, _ := strings.Cut(pair, "=")
		f, known := mlxKeys[key]
		if key == "total_time" && t.batch != "1" {
			f.name = "batch_latency_mean"
		}
		n, ok := scan.ParseFigure([]byte(text), 0)
		switch {
		case !known || !ok || !n.Finite:
		case name == "Averages":
			t.Number(f.name, f.unit, key, []byte(text), l.Number)
		default:
			t.Fact([]byte(key), []byte(text))
			t.trials[key] = append(t.trials[key], n.Value)
		}
	}
	if name == "Averages" {
		t.close()
	}
}

// speed reads the lines of one answer.
func (t *mlxText) speed(m [][]byte, l scan.Line) {
	prompt := string(m[2]) == "Prompt"
	if prompt || t.timing {
		t.close()
	}
	if prompt {
		t.Reset(t.In, "mlx_lm.generate", "mlx-lm-text", l.Number)
		t.answer = true
		switch {
		case len(m[1]) == 0:
			t.Imply("max_concurrency", "1", l.Number)
		case t.prompts != "":
			t.SetLabel("num_prompts", []byte(t.prompts), l.Number)
			t.SetLabel("batch_size", []byte(t.prompts), l.Number)
		}
	}
	if !t.answer {
		return
	}
	t.last, t.gap = l.Number, 0
	tokens, rate := "input_tokens", "prefill_throughput"
	if !prompt {
		tokens, rate = "output_tokens", "decode_throughput"
		if len(m[1]) > 0 && t.prompts == "" {
			rate = "x_generation_tps" // the size of the batch is unknown
		}
	}
	if len(m[3]) > 0 {
		t.Number(tokens, "tok", string(m[2])+" tokens", m[3], l.Number)
	}
	t.Number(rate, "tok/s", string(m[2]), m[4], l.Number)
}

// close emits the averages, or the mean of the trials if there are none, or an answer.
func (t *mlxText) close() {
	if !t.timing && !t.answer {
		return
	}
	_, whole := t.Value("decode_throughput")
	if t.timing && !whole {
		for _, key := range []string{"prompt_tps", "generation_tps"} {
			sum := 0.0
			for _, v := range t.trials[key] {
				sum += v
			}
			if n := len(t.trials[key]); n > 0 {
				t.Derive(mlxKeys[key].name, sum/float64(n), "mean of the trials' "+key, t.last)
			}
		}
	}
	_, other := t.Value("x_generation_tps")
	if t.timing {
		t.Imply("x_num_trials", strconv.Itoa(len(t.trials["prompt_tps"])), t.Start)
	}
	t.timing, t.answer, t.prompts = false, false, ""
	if !t.HasKnown() {
		t.In.NoResult(t.Start, locale.Textf("mlx_lm was cut off before the first figure"))
		return
	}
	t.Imply("engine", "mlx", t.Start)
	if t.model.Label != "" {
		t.SetLabel("model_raw", []byte(t.model.Value), t.model.Line)
		t.model = draft.Setting{}
	}
	t.Emit(t.last, whole || other)
}

func (t *mlxText) End() { t.close() }
