package llamacpp

import (
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// llama-bench measures llama.cpp without a server: one stream, random prompts and tokens, each test repeated and its
// rates averaged. It writes Markdown, CSV, JSON, JSON lines and SQL; each row is a result. "pp512" is the speed of
// prefill, "tg128" the speed of decoding, "pp512+tg128" the tokens of both over the time of both. "@ d4096" is the
// number of tokens that were in the KV cache before the test.
//
// Versions: 2023-08 to 2026. Settings were added and removed; all settings of a row are kept. In the CSV of 2023, rows
// have one value more than the header, which lacks "opencl". ik_llama.cpp writes "tg64@pp512" for decoding alone after
// a prompt, and names the test in JSON too. A fork (pull request 15643) adds columns of latency, which are zero if not
// measured. Its ITL is the mean gap of one repetition, which is TPOT here.
//
// A spread of zero is left out: it means that there was one repetition.
//
// Source: tools/llama-bench/llama-bench.cpp, the printers; llama_model_desc.

// llamaCell is one setting or figure of a row, in any of the forms.
type llamaCell struct {
	key   string // the key in JSON and CSV
	field string // what the form calls it
	text  string
	line  int
}

// llamaLabels maps settings to labels; "" marks what is not a setting. Any other setting keeps its own name, with the
// prefix "x_".
var llamaLabels = map[string]string{
	"n_threads": "threads", "n_gpu_layers": "gpu_layers", "test_time": "date",
	"cpu_info": "x_cpu", "gpu_info": "gpu", "quantization": "quantization", "model_size": "", "model_n_params": "",
	"model_filename": "", "model_type": "", "build_commit": "", "build_number": "",
	"test": "", "n_prompt": "", "n_gen": "", "n_depth": "",
	"avg_ts": "", "stddev_ts": "",
}

// llamaFigures lists figures besides the rate.
var llamaFigures = map[string]struct{ name, unit string }{
	"avg_ns":         {"x_avg_ns", "ns"},
	"stddev_ns":      {"x_stddev_ns", "ns"},
	"avg_ttft_ms":    {"ttft_mean", "ms"},
	"stddev_ttft_ms": {"ttft_std", "ms"},
	"avg_e2e_ms":     {"e2el_mean", "ms"},
	"stddev_e2e_ms":  {"e2el_std", "ms"},
	"avg_itl_ms":     {"tpot_mean", "ms"},
	"stddev_itl_ms":  {"tpot_std", "ms"},
}

func isLlamaBench(v *scan.Value) bool {
	return v.Has("build_commit", "avg_ts", "n_prompt", "n_gen")
}

func readLlamaBench(in *draft.File, v *scan.Value) {
	form := "llama-bench-json"
	if v.Line == v.Last {
		form = "llama-bench-jsonl"
	}
	s := in.Begin("llama-bench", form, v.Line)
	var cells []llamaCell
	for child := range v.Children() {
		if !child.Scalar() {
			continue
		}
		text := string(child.Raw)
		if child.Kind == scan.Word { // CSV and Markdown have 1 and 0
			text = map[string]string{"true": "1", "false": "0"}[text]
		}
		cells = append(cells, llamaCell{child.Key, child.Key, text, child.Line})
	}
	if llamaRow(s, cells, result.FullPrecision) {
		if n := v.Get("samples_ts"); n != nil && n.Count > 0 && !v.Cut {
			s.Imply("x_repetitions", strconv.Itoa(n.Count), n.Line)
		}
		s.EmitObject(v)
		return
	}
	in.NoResult(v.Line, locale.Textf("a row of llama-bench without a rate"))
}

// llamaRow records a row of llama-bench's own output, and reports whether it has a rate. Decimals is FullPrecision for
// the forms that round nothing, and 0 for figures that keep the decimals as printed.
func llamaRow(s *draft.Draft, cells []llamaCell, decimals int8) bool {
	if !speedRow(s, cells, decimals) {
		return false
	}
	s.Imply("engine", "llama.cpp", s.Start)
	return true
}

// speedRow records a row whose engine is not stated, and reports whether it has a rate.
func speedRow(s *draft.Draft, cells []llamaCell, decimals int8) bool {
	cell := func(key string) llamaCell {
		if i := slices.IndexFunc(cells, func(c llamaCell) bool { return c.key == key }); i >= 0 {
			return cells[i]
		}
		return llamaCell{}
	}
	test, ok := draft.ParseSpeedTest(cell("test").text)
	if !ok {
		test = draft.SpeedTest{Prompt: draft.TokenCount(cell("n_prompt").text), Gen: draft.TokenCount(cell("n_gen").text), Depth: draft.TokenCount(cell("n_depth").text)}
		test.Prefill, test.Decode = test.Prompt != "", test.Gen != ""
	}
	rate := cell("avg_ts")
	name := test.Metric()
	if n, ok := scan.ParseFigure([]byte(rate.text), 0); name == "" || !ok || !n.Finite || n.Value <= 0 {
		return false
	}
	figure := func(name, unit string, c llamaCell) {
		n := len(s.Metrics)
		if f, ok := scan.ParseFigure([]byte(c.text), 0); ok && f.Finite && f.Value > 0 {
			s.Number(name, unit, c.field, []byte(c.text), c.line)
		}
		for i := range s.Metrics[n:] {
			if decimals == result.FullPrecision {
				s.Metrics[n+i].Decimals = decimals
			}
		}
	}
	figure(name, "tok/s", rate)
	figure("x_"+name+"_std", "tok/s", cell("stddev_ts"))
	test.Note(s, rate.line)
	s.Imply("context_depth", "0", rate.line)
	llamaModel(s, cell("model_filename"), cell("model_type"))
	llamaWeights(s, cell("model_size"), cell("model_n_params"))
	llamaBuild(s, cell("build_number").text, cell("build_commit").text, rate.line)
	for _, c := range cells {
		if f, ok := llamaFigures[c.key]; ok {
			figure(f.name, f.unit, c)
			continue
		}
		label, known := llamaLabels[c.key]
		if !known {
			label = s.In.OwnName(c.key)
		}
		if label != "" && c.text != "" && len(c.text) <= draft.MaxLabel {
			s.Fact([]byte(c.field), []byte(c.text))
			s.SetLabel(label, []byte(c.text), c.line)
			noteOffload(s, draft.NewSetting(label, c.text, c.line))
		}
	}
	noteSpread(s)
	s.Imply("max_concurrency", "1", s.Start)
	return true
}

// noteSpread records over how many devices the model was split, if there are several of the same kind. llama.cpp gives
// each device some layers, or with split mode "row" a part of each layer, unless a setting chooses among the devices.
// If the devices differ, llama.cpp may leave out some, such as a device that shares the memory of the host.
func noteSpread(s *draft.Draft) {
	gpu, _ := s.Labels.Lookup("gpu")
	if !strings.ContainsAny(gpu.Value, ",/") { // versions of 2023 separate devices by a slash
		return
	}
	if s.Label("gpu_layers") == "0" || strings.Trim(s.Label("tensor_split"), "0./") != "" || strings.Trim(s.Label("device"), "auto") != "" {
		return
	}
	var kind string
	switch s.Label("split_mode") {
	case "", "layer":
		kind = "pp"
	case "row":
		kind = "tp"
	default:
		return
	}
	devices := strings.Split(strings.ReplaceAll(gpu.Value, "/", ", "), ", ")
	if n := len(devices); n > 1 && len(slices.Compact(devices)) == 1 {
		s.Imply("parallelism", kind+strconv.Itoa(n), gpu.Pos.Line)
	}
}

// llamaModel records the model, as a file if the row names one, and the quantization that is in the file's name or at
// the end of the description.
func llamaModel(s *draft.Draft, file, description llamaCell) {
	for i, c := range []llamaCell{description, file} {
		if c.text == "" || len(c.text) > draft.MaxLabel {
			continue
		}
		s.Fact([]byte(c.field), []byte(c.text))
		s.SetLabel("model_raw", []byte(c.text), c.line)
		if q := s.In.Recall("quantization", c.text, llamaQuantization); i == 0 && q != "" {
			s.SetLabel("quantization", []byte(q), c.line)
		}
		if i == 1 && description.text != "" {
			s.SetLabel("x_model_type", []byte(description.text), description.line)
			setFileQuantization(s, c.text, c.line)
		}
	}
}

// llamaWeights records the size of the weights and the number of parameters, which llama.cpp counts in the file it has
// loaded: "12.55 GiB" and "23.57 B" in a table, bytes and a plain count elsewhere. Values that the author declares take
// precedence.
func llamaWeights(s *draft.Draft, size, params llamaCell) {
	if n, ok := scan.ParseNumber([]byte(size.text)); ok && n > 0 {
		size.text += " B"
	}
	for _, fact := range []struct {
		label string
		cell  llamaCell
	}{{"weight_size", size}, {"params", params}} {
		if number, _, ok := scan.Quantity(fact.cell.text); ok && strings.Trim(number, "0.") != "" {
			s.Fact([]byte(fact.cell.field), []byte(fact.cell.text))
			s.Imply(fact.label, fact.cell.text, fact.cell.line)
		}
	}
}

// llamaBuild records the version in llama.cpp's own form: b7361-a81a56957.
func llamaBuild(s *draft.Draft, number, commit string, line int) {
	if commit != "" && commit != "unknown" && number != "" {
		s.SetLabel("engine_version", []byte("b"+number+"-"+commit), line)
	}
}

// llamaFileType matches the file type in a description, such as "IQ3_S mix", "Q2_K - Medium" or "IQ4_XS - 4.25 bpw".
var llamaFileType = lazy.Regexp(`(?:^|\s)(I?Q\d[0-9A-Z_]*|TQ\d_\d|B?F16|F32|MXFP4|NVFP4)( mix)?(?: - ([A-Z][a-z ]+))?`)

// llamaQuantization finds the file type in a model's description: "llama 1B Q4_K -
// Medium" is Q4_K_M, "gpt-oss 20B MXFP4 MoE" is MXFP4.
func llamaQuantization(description string) string {
	all := llamaFileType().FindAllStringSubmatch(description, -1)
	if all == nil {
		return ""
	}
	m := all[len(all)-1]
	kind, size := m[1], strings.TrimSpace(m[3])
	switch {
	case m[2] != "": // "mix" describes the type between S and L
		return strings.TrimSuffix(kind, "_S") + "_M"
	case size == "Medium" && kind == "Q2_K", kind == "Q2_K_M": // there is no Q2_K_M
		return "Q2_K"
	case size == "Extra small":
		return kind + "_XS"
	case size == "Small", size == "Medium", size == "Large":
		return kind + "_" + size[:1]
	}
	return kind
}
