package format

import (
	"strings"
)

// optimum-benchmark measures a model in its own process, one part after another:
// loading, prefill, decode, generate, forward for models that do not generate. Each
// part ("target") has latency, throughput, memory, energy, efficiency, each with the
// unit beside it; stdev_ is the deviation in per cent of the mean. It is saved as
// benchmark_report.json, as benchmark.json with the config around it ({config,
// report}), and as a text of the same; in 2023 as a CSV with units in the header.
//
// All prompts are one batch, so that prefill is the time to the first token of the
// batch and generate its end to end. decode.throughput counts the whole batch:
// it is a stream's rate only where the config says that the batch is one.
// prefill.throughput is samples/s in current code and was tokens/s: its unit tells.
// per_token is taken from a list that is not emptied between iterations, so that
// the wait for the next one's first token is among the gaps: it is no ITL.
// generate.throughput is left out: with per-token tracking it is computed from the
// tokens and called samples/s.
//
// Source: huggingface/optimum-benchmark, optimum_benchmark/benchmark/report.py,
// trackers/{latency,memory,energy}.py, scenarios/inference/scenario.py.

// optimumTargets are the parts, with the family of their latency here.
var optimumTargets = map[string]string{
	"prefill": "ttft", "generate": "e2el", "decode": "x_decode_latency", "per_token": "x_per_token_latency",
	"forward": "x_forward_latency", "call": "x_call_latency", "per_step": "x_per_step_latency",
	"first_generate": "x_first_generate_latency", "first_forward": "x_first_forward_latency", "first_call": "x_first_call_latency",
	"load": "load_time", "load_model": "load_time",
	"train": "x_train_latency", "overall": "x_overall_latency", "warmup": "x_warmup_latency", "training": "x_training_latency",
}

// optimumMemory tells the parts whose memory is that of the run.
var optimumMemory = map[string]bool{"generate": true, "forward": true, "call": true}

// optimumKeys are those that a report or {config, report} has at its top.
var optimumKeys = []string{"report", "load", "load_model", "prefill", "decode", "generate", "forward", "call", "train", "overall"}

func isOptimum(v *value) bool {
	for target := range optimumReport(v).children() {
		if _, known := optimumTargets[target.key]; known &&
			(target.get("latency").has("unit", "mean") || target.get("memory").has("unit", "max_ram")) {
			return true
		}
	}
	return false
}

func optimumReport(v *value) *value {
	if report := v.get("report"); report.is() {
		return report
	}
	return v
}

func readOptimum(in *input, v *value) {
	s := in.begin("optimum-benchmark", "optimum-benchmark-json", v.line)
	batch := s.optimumConfig(v.get("config"))
	for target := range optimumReport(v).children() {
		for _, section := range [...]string{"latency", "throughput", "memory", "energy", "efficiency"} {
			block := target.get(section)
			unit := block.get("unit").string()
			count, _ := block.get("count").float()
			for m := range block.children() {
				if name, in := optimumName(target.key, section, m.key, unit, batch); name != "" && isOptimumFigure(section, m.key, string(m.text), count == 1) {
					s.take(name, in, m)
				}
			}
		}
	}
	s.optimumWhole(v)
	s.finish(v)
}

// isOptimumFigure tells whether something was measured: one run has a mean and no
// statistics, and memory or energy of zero was not seen.
func isOptimumFigure(section, key, text string, single bool) bool {
	if section == "latency" {
		return !single || key == "mean"
	}
	return !isZero(text)
}

// optimumName gives the name of a figure and its unit; batch is the number of
// prompts, "" when it is not known.
func optimumName(target, section, key, unit, batch string) (name, in string) {
	family, known := optimumTargets[target]
	if !known || unit == "" {
		return "", ""
	}
	switch section {
	case "latency":
		statistic, ok := statisticName(key)
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
			return "x_" + target + "_" + snake(key), unit
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

// optimumConfig notes the settings and gives the batch size.
func (s *sheet) optimumConfig(config *value) string {
	if !config.is() {
		return ""
	}
	s.takeAll(config, []member{
		{"backend.model", "model_raw", ""},
		{"backend.name", "x_backend", ""},
		{"backend.version", "engine_version", ""},
		{"backend.device", "x_device", ""},
		{"backend.torch_dtype", "x_torch_dtype", ""},
		{"backend.dtype", "x_dtype", ""},
		{"backend.quantization_scheme", "quantization", ""},
		{"backend.attn_implementation", "x_attn_implementation", ""},
		{"backend.torch_compile", "x_torch_compile", ""},
		{"scenario.input_shapes.batch_size", "batch_size", ""},
		{"scenario.input_shapes.sequence_length", "input_len", ""},
		{"scenario.generate_kwargs.max_new_tokens", "output_len", ""},
		{"scenario.generate_kwargs.num_beams", "x_num_beams", ""},
		{"environment.optimum_benchmark_version", "tool_version", ""},
		{"environment.transformers_version", "x_transformers_version", ""},
		{"environment.gpu_count", "accelerators", ""},
	})
	if cpu := config.get("environment", "cpu"); cpu.is() {
		s.said("x_cpu", strings.TrimSpace(cpu.string()), cpu.line)
	}
	var gpus []string
	for gpu := range config.get("environment", "gpu").children() {
		gpus = append(gpus, gpu.string())
	}
	if gpu := config.get("environment", "gpu"); len(gpus) > 0 {
		s.said("x_gpu", strings.Join(gpus, ", "), gpu.line)
	}
	batch := s.labelText("batch_size")
	s.imply("max_concurrency", batch, config.line)
	s.lmEvalEngine(optimumEngines[s.labelText("x_backend")], config.line)
	return batch
}

// optimumEngines are the backends that run a model in an engine of another name.
var optimumEngines = map[string]string{"pytorch": "hf", "vllm": "vllm"}

// optimumWhole computes what follows where the config says how many tokens.
func (s *sheet) optimumWhole(v *value) {
	scenario := v.get("config", "scenario")
	batch, ok1 := scenario.get("input_shapes", "batch_size").float()
	tokens, ok2 := scenario.get("generate_kwargs", "max_new_tokens").float()
	if beams, ok := scenario.get("generate_kwargs", "num_beams").float(); ok && beams != 1 || !ok1 || !ok2 {
		return
	}
	if mean, ok := s.value("e2el_mean"); ok && mean > 0 {
		s.derive("output_throughput", batch*tokens*1000/mean, "batch_size * max_new_tokens / generate.latency.mean", v.line)
	}
	// decode.latency is the time from the first token to the last.
	if mean, ok := optimumReport(v).get("decode", "latency", "mean").float(); ok && mean > 0 && tokens > 1 {
		s.derive("tpot_mean", mean*1000/(tokens-1), "decode.latency.mean / (max_new_tokens - 1)", v.line)
	}
}

// optimumText reads the report as text, three levels of "+ name:".
type optimumText struct {
	sheet
	target, section string
	single          bool // one run, which has no statistics
	last            int
}

var optimumMarks = []string{"+ load:", "+ call:", "load_model:", "prefill:", "decode:", "per_token:", "generate:", "forward:"}

func newOptimumText() lineReader { return &optimumText{} }

func (t *optimumText) begin(in *input) { t.in, t.target = in, "" }
func (t *optimumText) end()            { t.close() }

func (t *optimumText) line(l line) bool {
	text := strings.TrimPrefix(strings.TrimSpace(string(l.text)), "+ ")
	name, figure, ok := strings.Cut(text, ":")
	_, isTarget := optimumTargets[name]
	switch {
	case !ok:
		t.close()
		return false
	case isTarget && figure == "":
		if t.target == "" {
			t.reset(t.in, "optimum-benchmark", "optimum-benchmark-text", l.number)
			t.last = l.number
		}
		t.target, t.section = name, ""
	case t.target == "":
		return false
	case figure == "":
		t.section, t.single = name, false
	case !l.ended && !strings.HasSuffix(figure, ")"):
	default:
		number, unit, _ := quantity(figure)
		unit = strings.Trim(unit, "()")
		key := strings.ReplaceAll(name, " ", "_")
		t.single = t.single || key == "count" && number == "1"
		if own, in := optimumName(t.target, t.section, key, unit, ""); own != "" && isOptimumFigure(t.section, key, number, t.single) {
			t.number(own, in, t.target+" "+t.section+" "+name, []byte(number), l.number)
		}
		t.last = l.number
	}
	return true
}

func (t *optimumText) close() {
	if t.target != "" && len(t.metrics) > 0 {
		t.hand(t.last, true)
	}
	t.target = ""
}

// optimumCSV reads inference_results.csv of 2023, a row for each run. Generated
// tokens were divided by the time of the whole generation: a system rate.
type optimumCSV struct {
	sheet
	header []string
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

func newOptimumCSV() lineReader { return &optimumCSV{} }

func (t *optimumCSV) begin(in *input) { t.in, t.header = in, nil }
func (t *optimumCSV) end()            {}

func (t *optimumCSV) line(l line) bool {
	cells := commas(nil, l.text, ',')
	for _, c := range cells {
		if _, ok := optimumCSVColumns[c]; ok {
			t.header = cells
			return true
		}
	}
	if len(cells) != len(t.header) {
		t.header = nil
		return false
	}
	t.reset(t.in, "optimum-benchmark", "optimum-benchmark-csv", l.number)
	for i, c := range t.header {
		if m, ok := optimumCSVColumns[c]; ok && !isMissing(cells[i]) && (l.ended || i < len(cells)-1) {
			t.number(m.name, m.unit, c, []byte(cells[i]), l.number)
		} else if c == "model" {
			t.said("model_raw", cells[i], l.number)
		}
	}
	if len(t.metrics) > 0 {
		t.hand(l.number, l.ended)
	}
	return true
}
