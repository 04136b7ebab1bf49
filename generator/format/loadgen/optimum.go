package loadgen

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// optimum-benchmark measures a model in its own process, one part after another: loading, prefill, decode, generate, or
// forward for models that do not generate. Each part ("target") has latency, throughput, memory, energy and efficiency,
// each with its unit. stdev_ is the deviation in percent of the mean. The report is saved as benchmark_report.json,
// together with the config as benchmark.json ({config, report}), and printed as text. In 2023 it was a CSV with units
// in the header.
//
// All prompts form one batch. So prefill is the time to the first token of the batch, and generate its end-to-end
// latency. decode.throughput counts the whole batch: it is the rate of a stream only if the batch size in the config is
// one. prefill.throughput is in samples/s in current code and was in tokens/s before, as its unit shows. per_token uses
// a list that is not emptied between iterations, so the wait for the first token of the next iteration is one of the
// gaps: it is not ITL. generate.throughput is not read: with per-token tracking it is computed from the tokens but its
// unit is samples/s.
//
// Source: huggingface/optimum-benchmark, optimum_benchmark/benchmark/report.py, trackers/{latency,memory,energy}.py,
// scenarios/inference/scenario.py.

// optimumTargets maps the parts to the names of their latency.
var optimumTargets = map[string]string{
	"prefill": "ttft", "generate": "e2el", "decode": "x_decode_latency", "per_token": "x_per_token_latency",
	"forward": "x_forward_latency", "call": "x_call_latency", "per_step": "x_per_step_latency",
	"first_generate": "x_first_generate_latency", "first_forward": "x_first_forward_latency", "first_call": "x_first_call_latency",
	"load": "load_time", "load_model": "load_time",
	"train": "x_train_latency", "overall": "x_overall_latency", "warmup": "x_warmup_latency", "training": "x_training_latency",
}

// optimumMemory lists the parts whose memory is that of the run.
var optimumMemory = map[string]bool{"generate": true, "forward": true, "call": true}

// optimumKeys lists the top-level keys of a report or of {config, report}.
var optimumKeys = []string{"report", "load", "load_model", "prefill", "decode", "generate", "forward", "call", "train", "overall"}

func isOptimum(v *scan.Value) bool {
	for target := range optimumReport(v).Children() {
		if _, known := optimumTargets[target.Key]; known &&
			(target.Get("latency").Has("unit", "mean") || target.Get("memory").Has("unit", "max_ram")) {
			return true
		}
	}
	return false
}

func optimumReport(v *scan.Value) *scan.Value {
	if report := v.Get("report"); report.Is() {
		return report
	}
	return v
}

func readOptimum(in *draft.File, v *scan.Value) {
	s := in.Begin("optimum-benchmark", "optimum-benchmark-json", v.Line)
	batch := optimumConfig(s, v.Get("config"))
	for target := range optimumReport(v).Children() {
		for _, section := range [...]string{"latency", "throughput", "memory", "energy", "efficiency"} {
			block := target.Get(section)
			unit := block.Get("unit").Text()
			count, _ := block.Get("count").Float()
			for m := range block.Children() {
				if name, in := optimumName(target.Key, section, m.Key, unit, batch); name != "" && isOptimumFigure(section, m.Key, string(m.Raw), count == 1) {
					s.Take(name, in, m)
				}
			}
		}
	}
	optimumWhole(s, v)
	s.EmitObject(v)
}

// isOptimumFigure reports whether a figure was measured. A single run has only a mean. A memory or energy of zero was
// not measured.
func isOptimumFigure(section, key, text string, single bool) bool {
	if section == "latency" {
		return !single || key == "mean"
	}
	return !isZero(text)
}

// optimumName returns the name of a figure and its unit, or "" for a figure that is not read. batch is the number of
// prompts, or "" if it is unknown.
func optimumName(target, section, key, unit, batch string) (name, in string) {
	family, known := optimumTargets[target]
	if !known || unit == "" {
		return "", ""
	}
	switch section {
	case "latency":
		statistic, ok := draft.StatisticName(key)
		switch {
		case !ok:
			return "", ""
		case family == "load_time":
			if statistic != "mean" {
				return "", ""
			}
			return family, unit
		}
		return family + "_" + statistic, unit
	case "throughput":
		if key != "value" && key != "throughput" || target == "generate" {
			return "", ""
		}
		if (target == "decode" || target == "prefill") && unit == "tokens/s" && batch == "1" {
			return target + "_throughput", "tok/s"
		}
		if unit == "tokens/s" {
			unit = "tok/s"
		}
		return "x_" + target + "_throughput", unit
	case "memory":
		if key == "max_global_vram" && optimumMemory[target] {
			return "memory_used_max", unit
		}
		if strings.HasPrefix(key, "max_") {
			return "x_" + target + "_" + draft.Snake(key), unit
		}
	case "energy":
		switch key {
		case "cpu", "ram", "gpu", "total":
			return "x_" + target + "_energy_" + key, unit
		}
	case "efficiency":
		if key == "value" || key == "efficiency" {
			return "x_" + target + "_efficiency", unit
		}
	}
	return "", ""
}

// optimumConfig sets the labels in the config and returns the batch size.
func optimumConfig(s *draft.Draft, config *scan.Value) string {
	if !config.Is() {
		return ""
	}
	s.TakeAll(config, []draft.Member{
		{Key: "backend.model", Name: "model_raw"},
		{Key: "backend.name", Name: "backend"},
		{Key: "backend.version", Name: "engine_version"},
		{Key: "backend.device", Name: "device"},
		{Key: "backend.dtype", Name: "dtype"},
		{Key: "backend.torch_dtype", Name: "dtype"}, // the older name
		{Key: "backend.quantization_scheme", Name: "quantization"},
		{Key: "backend.attn_implementation", Name: "attention_backend"},
		{Key: "backend.torch_compile", Name: "x_torch_compile"},
		{Key: "scenario.input_shapes.batch_size", Name: "batch_size"},
		{Key: "scenario.input_shapes.sequence_length", Name: "input_len"},
		{Key: "scenario.generate_kwargs.max_new_tokens", Name: "output_len"},
		{Key: "scenario.generate_kwargs.num_beams", Name: "num_beams"},
		{Key: "environment.optimum_benchmark_version", Name: "tool_version"},
		{Key: "environment.transformers_version", Name: "x_transformers_version"},
		{Key: "environment.gpu_count", Name: "device_count"},
	})
	if cpu := config.Get("environment", "cpu"); cpu.Is() {
		s.SetText("x_cpu", strings.TrimSpace(cpu.Text()), cpu.Line)
	}
	var gpus []string
	for gpu := range config.Get("environment", "gpu").Children() {
		gpus = append(gpus, gpu.Text())
	}
	if gpu := config.Get("environment", "gpu"); len(gpus) > 0 {
		s.SetText("gpu", strings.Join(gpus, ", "), gpu.Line)
	}
	batch := s.Label("batch_size")
	s.Imply("max_concurrency", batch, config.Line)
	s.ImplyEngine(optimumEngines[s.Label("backend")], config.Line)
	return batch
}

// optimumEngines maps the backends to the engine that runs the model.
var optimumEngines = map[string]string{"pytorch": "hf", "vllm": "vllm"}

// optimumWhole derives figures that need the number of tokens in the config.
func optimumWhole(s *draft.Draft, v *scan.Value) {
	scenario := v.Get("config", "scenario")
	batch, ok1 := scenario.Get("input_shapes", "batch_size").Float()
	tokens, ok2 := scenario.Get("generate_kwargs", "max_new_tokens").Float()
	if beams, ok := scenario.Get("generate_kwargs", "num_beams").Float(); ok && beams != 1 || !ok1 || !ok2 {
		return
	}
	if mean, ok := s.Value("e2el_mean"); ok && mean > 0 {
		s.Derive("output_throughput", batch*tokens*1000/mean, "batch_size * max_new_tokens / generate.latency.mean", v.Line)
	}
	// decode.latency is the time from the first token to the last.
	if mean, ok := optimumReport(v).Get("decode", "latency", "mean").Float(); ok && mean > 0 && tokens > 1 {
		s.Derive("tpot_mean", mean*1000/(tokens-1), "decode.latency.mean / (max_new_tokens - 1)", v.Line)
	}
}

// optimumText reads the report as text, which has three levels of "+ name:".
type optimumText struct {
	draft.Draft
	target, section string
	single          bool // a single run, which has no statistics
	last            int
}

var optimumMarks = []string{"+ load:", "+ call:", "load_model:", "prefill:", "decode:", "per_token:", "generate:", "forward:"}

func newOptimumText() draft.LineReader { return &optimumText{} }

func (t *optimumText) Begin(in *draft.File) { t.In, t.target = in, "" }
func (t *optimumText) End()                 { t.close() }

func (t *optimumText) Line(l scan.Line) bool {
	text := strings.TrimPrefix(strings.TrimSpace(string(l.Text)), "+ ")
	name, figure, ok := strings.Cut(text, ":")
	_, isTarget := optimumTargets[name]
	switch {
	case !ok:
		t.close()
		return false
	case isTarget && figure == "":
		if t.target == "" {
			t.Reset(t.In, "optimum-benchmark", "optimum-benchmark-text", l.Number)
			t.last = l.Number
		}
		t.target, t.section = name, ""
	case t.target == "":
		return false
	case figure == "":
		t.section, t.single = name, false
	case !l.Ended && !strings.HasSuffix(figure, ")"):
	default:
		number, unit, _ := scan.Quantity(figure)
		unit = strings.Trim(unit, "()")
		key := strings.ReplaceAll(name, " ", "_")
		t.single = t.single || key == "count" && number == "1"
		if own, in := optimumName(t.target, t.section, key, unit, ""); own != "" && isOptimumFigure(t.section, key, number, t.single) {
			t.Number(own, in, t.target+" "+t.section+" "+name, []byte(number), l.Number)
		}
		t.last = l.Number
	}
	return true
}

func (t *optimumText) close() {
	if t.target != "" && len(t.Metrics) > 0 {
		t.Emit(t.last, true)
	}
	t.target = ""
}

// optimumCSV reads inference_results.csv of 2023, which has a row for each run. The throughput is the generated tokens
// divided by the time of the whole generation: it is the system's rate.
type optimumCSV struct {
	draft.Draft
	header []string
	cells  []string // of the current line
}

var optimumCSVMarks = []string{"forward.latency(s)", "generate.latency(s)", "generate.throughput(tokens/s)"}

var optimumCSVColumns = map[string]struct{ name, unit string }{
	"forward.latency(s)":              {"x_forward_latency_mean", "s"},
	"forward.throughput(samples/s)":   {"x_forward_throughput", "samples/s"},
	"forward.throughput(iter/s)":      {"x_forward_throughput", "iter/s"},
	"forward.peak_memory(MB)":         {"x_forward_peak_memory", "MB"},
	"generate.latency(s)":             {"e2el_mean", "s"},
	"generate.throughput(tokens/s)":   {"output_throughput", "tok/s"},
	"generate.peak_memory(MB)":        {"memory_used_max", "mb"},
	"forward.energy_consumption(kWh)": {"x_forward_energy", "kWh"},
}

func newOptimumCSV() draft.LineReader { return &optimumCSV{} }

func (t *optimumCSV) Begin(in *draft.File) { t.In, t.header = in, nil }
func (t *optimumCSV) End()                 {}

func (t *optimumCSV) Line(l scan.Line) bool {
	t.cells = scan.Commas(t.cells[:0], l.Text, ',')
	cells := t.cells
	for _, c := range cells {
		if _, ok := optimumCSVColumns[c]; ok {
			t.header = append(t.header[:0], cells...)
			return true
		}
	}
	if len(cells) != len(t.header) {
		t.header = nil
		return false
	}
	t.Reset(t.In, "optimum-benchmark", "optimum-benchmark-csv", l.Number)
	for i, c := range t.header {
		if m, ok := optimumCSVColumns[c]; ok && !scan.IsMissing(cells[i]) && (l.Ended || i < len(cells)-1) {
			t.Number(m.name, m.unit, c, []byte(cells[i]), l.Number)
		} else if c == "model" {
			t.SetText("model_raw", cells[i], l.Number)
		}
	}
	if len(t.Metrics) > 0 {
		t.Emit(l.Number, l.Ended)
	}
	return true
}
