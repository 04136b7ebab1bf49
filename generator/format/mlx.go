package format

import (
	"regexp"
	"strconv"
	"strings"
)

// mlxText reads what mlx_lm prints, Apple's runner of language models.
//
// mlx_lm.benchmark tells its lengths ("Timing with prompt_tokens=512, …"), then
// each trial and their averages; the averages are the result. With a batch, speeds
// are those of all sequences together. The lengths are of one sequence. Peak
// memory is in 10⁹ bytes. A run that broke off has the mean of its trials.
//
// mlx_lm.generate prints the speeds of one answer: "Prompt: 12 tokens, 345.678
// tokens-per-sec"; in 2024 without the count. Several prompts are a batch
// ("[batch_generate] …"), of which the line before tells how many there were.
//
// Source: mlx_lm/benchmark.py, mlx_lm/generate.py.
type mlxText struct {
	sheet
	timing  bool // below "Timing with", before the averages
	batch   string
	last    int
	trials  map[string][]float64
	answer  bool // below "Prompt:"
	prompts string
	gap     int
	model   setting
}

var mlxMarks = []string{"Timing with prompt_tokens=", "tokens-per-sec", "[batch_generate] Finished processing", "mlx_lm.benchmark", "mlx_lm.generate"}

var (
	mlxTiming = regexp.MustCompile(`Timing with prompt_tokens=(\d+)(?:,| and) generation_tokens=(\d+)(?:, batch_size=(\d+))?\.`)
	mlxTrial  = regexp.MustCompile(`^(Trial \d+|Averages):\s+(prompt_tps=.*)$`)
	mlxSpeed  = regexp.MustCompile(`^(\[batch_generate\] )?(Prompt|Generation): (?:(\d+) tokens, )?([\d.]+) tokens-per-sec`)
	mlxMemory = regexp.MustCompile(`^(?:\[batch_generate\] )?Peak memory: ([\d.]+) (GB)`)
	mlxBatch  = regexp.MustCompile(`\[batch_generate\] Finished processing (\d+)/(\d+)$`)
	mlxModel  = regexp.MustCompile(`mlx_lm\.(?:benchmark|generate)\b.*? --model[ =](\S+)`)
)

// mlxKeys are the figures of a trial.
var mlxKeys = map[string]struct{ name, unit string }{
	"prompt_tps": {"prefill_throughput", "tok/s"}, "generation_tps": {"decode_throughput", "tok/s"},
	"peak_memory": {"memory_used_max", "GB"}, "total_time": {"e2el_mean", "s"},
}

const maxMLXGap = 20 // lines of something else between two trials

func newMLXText() lineReader { return &mlxText{} }

func (t *mlxText) begin(in *input) {
	*t = mlxText{sheet: t.sheet}
	t.in = in
}

func (t *mlxText) line(l line) bool {
	if m := mlxTiming.FindSubmatch(l.text); m != nil {
		t.close()
		t.reset(t.in, "mlx_lm.benchmark", "mlx-lm-text", l.number)
		t.timing, t.trials, t.last, t.gap = true, map[string][]float64{}, l.number, 0
		t.batch = "1" // the first versions had no other
		if len(m[3]) > 0 {
			t.batch = string(m[3])
		}
		t.fact([]byte("Timing"), m[0])
		t.label("input_len", m[1], l.number)
		t.label("output_len", m[2], l.number)
		t.label("batch_size", []byte(t.batch), l.number)
		t.label("max_concurrency", []byte(t.batch), l.number)
	} else if m := mlxTrial.FindSubmatch(l.text); m != nil && t.timing {
		t.trial(string(m[1]), string(m[2]), l)
	} else if m := mlxSpeed.FindSubmatch(l.text); m != nil {
		t.speed(m, l)
	} else if m := mlxMemory.FindSubmatch(l.text); m != nil && t.answer {
		t.number("memory_used_max", string(m[2]), "Peak memory", m[1], l.number)
		t.last = l.number
		t.close()
	} else if m := mlxBatch.FindSubmatch(l.text); m != nil {
		t.prompts = string(m[2])
	} else if m := mlxModel.FindSubmatch(l.text); m != nil {
		t.close()
		t.model = newSetting("model_raw", strings.Trim(string(m[1]), `"'`), l.number)
	} else if t.gap++; t.gap > maxMLXGap || t.answer && t.gap > 1 {
		t.close()
	}
	return t.timing || t.answer
}

// trial reads the figures of a trial or of the averages: "prompt_tps=1843.211, …".
func (t *mlxText) trial(name, figures string, l line) {
	if !l.ended {
		return
	}
	t.last, t.gap = l.number, 0
	for pair := range strings.SplitSeq(figures, ", ") {
		key, text, _ := strings.Cut(pair, "=")
		f, known := mlxKeys[key]
		if key == "total_time" && t.batch != "1" {
			f.name = "batch_latency_mean"
		}
		n, ok := parseFigure([]byte(text), 0)
		switch {
		case !known || !ok || !n.finite:
		case name == "Averages":
			t.number(f.name, f.unit, key, []byte(text), l.number)
		default:
			t.fact([]byte(key), []byte(text))
			t.trials[key] = append(t.trials[key], n.value)
		}
	}
	if name == "Averages" {
		t.close()
	}
}

// speed reads the lines of one answer.
func (t *mlxText) speed(m [][]byte, l line) {
	prompt := string(m[2]) == "Prompt"
	if prompt || t.timing {
		t.close()
	}
	if prompt {
		t.reset(t.in, "mlx_lm.generate", "mlx-lm-text", l.number)
		t.answer = true
		switch {
		case len(m[1]) == 0:
			t.imply("max_concurrency", "1", l.number)
		case t.prompts != "":
			t.label("num_prompts", []byte(t.prompts), l.number)
			t.label("batch_size", []byte(t.prompts), l.number)
		}
	}
	if !t.answer {
		return
	}
	t.last, t.gap = l.number, 0
	tokens, rate := "input_tokens", "prefill_throughput"
	if !prompt {
		tokens, rate = "output_tokens", "decode_throughput"
		if len(m[1]) > 0 && t.prompts == "" {
			rate = "x_generation_tps" // of a batch of which nobody knows how large it was
		}
	}
	if len(m[3]) > 0 {
		t.number(tokens, "tok", string(m[2])+" tokens", m[3], l.number)
	}
	t.number(rate, "tok/s", string(m[2]), m[4], l.number)
}

// close hands out the averages, the mean of the trials in their place, or an
// answer.
func (t *mlxText) close() {
	if !t.timing && !t.answer {
		return
	}
	_, whole := t.value("decode_throughput")
	if t.timing && !whole {
		for _, key := range []string{"prompt_tps", "generation_tps"} {
			sum := 0.0
			for _, v := range t.trials[key] {
				sum += v
			}
			if n := len(t.trials[key]); n > 0 {
				t.derive(mlxKeys[key].name, sum/float64(n), "mean of the trials' "+key, t.last)
			}
		}
	}
	_, other := t.value("x_generation_tps")
	if t.timing {
		t.imply("x_num_trials", strconv.Itoa(len(t.trials["prompt_tps"])), t.start)
	}
	t.timing, t.answer, t.prompts = false, false, ""
	if !t.hasKnown() {
		t.in.noResult(t.start, "mlx_lm was cut off before the first figure")
		return
	}
	t.imply("engine", "mlx", t.start)
	if t.model.label != "" {
		t.label("model_raw", []byte(t.model.value), t.model.line)
		t.model = setting{}
	}
	t.hand(t.last, whole || other)
}

func (t *mlxText) end() { t.close() }
