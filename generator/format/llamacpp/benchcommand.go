package llamacpp

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/catalogue"
	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// The command above a table of llama-bench names the model's file, which says more than the description in the table.
// For the quantisation, the description only has the file type of most tensors. It may call a mixture of MXFP4 "Q4_K -
// Medium".

// BenchCommands lists the names of the program.
var BenchCommands = [][]byte{[]byte("llama-bench"), []byte("llama-bench.exe")}

const (
	commandModel  = draft.CommandOnly + "model"
	commandPrompt = draft.CommandOnly + "prompt"
	commandGen    = draft.CommandOnly + "gen"
	commandDepth  = draft.CommandOnly + "depth"
	commandPlaces = draft.CommandOnly + "places" // where tensors are kept: "exps=CPU"
	commandOnCPU  = draft.CommandOnly + "on_cpu" // number of layers whose experts are on the CPU
)

var benchArguments = flags(map[string]string{
	"m": commandModel, "model": commandModel, "hf": commandModel, "hf_repo": commandModel, "hfr": commandModel,
	"p": commandPrompt, "n_prompt": commandPrompt, "n": commandGen, "n_gen": commandGen, "d": commandDepth, "n_depth": commandDepth,
	"sm": "split_mode", "split_mode": "split_mode",
})

func newBenchCommands() draft.Commands {
	return draft.Commands{Names: BenchCommands, Own: benchArguments, Mismatch: isOtherBench, Complete: func(d *draft.Draft, s *draft.Settings) {
		takeBenchFile(d)
		noteOffloads(d, s)
	}}
}

// noteOffloads records where weights stay according to the flags of a command, unless a column says otherwise.
func noteOffloads(d *draft.Draft, s *draft.Settings) {
	for _, set := range s.List {
		if column, known := d.Labels.Lookup(inTable[set.Label]); !known || column.Value == set.Value && column.Pos.Line == set.Line {
			noteOffload(d, set)
		}
	}
}

// inTable maps flags of a command, which apply to all rows, to the labels of the columns that state the same for one
// row.
var inTable = map[string]string{commandPlaces: "x_tensor_buft_overrides", commandOnCPU: "x_n_cpu_moe", "gpu_layers": "gpu_layers"}

// noteOffload records that weights stay in the host's memory if a setting says so: the weights of some tensors, of the
// experts, or of all layers.
func noteOffload(d *draft.Draft, set draft.Setting) {
	on := false
	switch set.Label {
	case commandPlaces, "x_tensor_buft_overrides":
		on = strings.Contains(set.Value, "=CPU") || set.Value == "true" // --cpu-moe
	case commandOnCPU, "x_n_cpu_moe":
		on = strings.Trim(set.Value, "0") != "" && strings.Trim(set.Value, "0123456789") == ""
	case "gpu_layers":
		on = set.Value == "0"
	}
	if on {
		d.Imply("cpu_offload", "true", set.Line)
	}
}

// isOtherBench reports whether a row cannot belong to a command, because of its test, its settings, or the size of its
// model.
func isOtherBench(d *draft.Draft, s *draft.Settings) bool {
	test, _ := draft.ParseSpeedTest(d.Label("x_test"))
	one := func(label, measured string) bool {
		asked, ok := s.Sole(label)
		return ok && !strings.Contains(asked, ",") && asked != "0" && measured != "" && asked != measured
	}
	if !(test.Prefill && test.Decode) && (one(commandPrompt, test.Prompt) || one(commandGen, test.Gen)) || one(commandDepth, cmp.Or(test.Depth, "0")) {
		return true
	}
	for _, label := range []string{"gpu_layers", "threads", "flash_attention", "kv_cache_type_k", "kv_cache_type_v", "split_mode"} {
		if one(label, d.Label(label)) {
			return true
		}
	}
	file, ok := s.Sole(commandModel)
	return s.One(commandModel) != "" && !ok || strings.Contains(file, ",") || isOtherModel(file, d)
}

var (
	sizeInName    = lazy.Regexp(`(?i)(?:^|[-_ /])(\d+(?:\.\d+)?)B(?:[-_. :/]|$)`)
	expertsInName = lazy.Regexp(`(?i)[-_](\d+E)(?:[-_. ]|$)`) // "17B-16E": the active parameters per token, and the number of experts
)

// isOtherModel reports whether a model's name states a number of parameters, or a quantisation, that contradicts the
// row.
func isOtherModel(name string, d *draft.Draft) bool {
	params := inBillions(d.Label("params"))
	if m := expertsInName().FindStringSubmatch(name); m != nil {
		return !strings.Contains(strings.ToUpper(d.Label("model_raw")), strings.ToUpper(m[1]))
	}
	if m := sizeInName().FindStringSubmatch(name); m != nil && params > 0 {
		if stated, err := strconv.ParseFloat(m[1], 64); err == nil && math.Abs(stated-params) > 0.35*params {
			return true
		}
	}
	number, unit, ok := scan.Quantity(d.Label("weight_size"))
	plain, factor, known := draft.PlainUnit(unit)
	size, err := strconv.ParseFloat(number, 64)
	digits := strings.Trim(catalogue.Quantization(name), "BFIKLMNPQSTVX_")
	if i := strings.IndexByte(digits, '_'); i >= 0 {
		digits = digits[:i]
	}
	bits, err2 := strconv.ParseFloat(digits, 64)
	if !ok || !known || plain != "B" || err != nil || err2 != nil || params == 0 {
		return false
	}
	const mixed = 2.5 // bits by which tensors of other types may shift the mean
	return math.Abs(size*factor*8/(params*1e9)-bits) > mixed
}

func inBillions(params string) float64 {
	number, unit, ok := scan.Quantity(params)
	n, err := strconv.ParseFloat(number, 64)
	switch {
	case !ok || err != nil:
		return 0
	case unit == "M":
		return n / 1e3
	case unit == "B":
		return n
	}
	return 0
}

// takeBenchFile sets the model to the file in the command, and keeps the description as x_model_type.
func takeBenchFile(d *draft.Draft) {
	file, ok := d.Labels.Lookup(commandModel)
	if !ok {
		return
	}
	if description, ok := d.Labels.Lookup("model_raw"); ok {
		description.Name = "x_model_type"
		d.Labels.Set(description)
	}
	d.Labels.Set(result.Label{Name: "model_raw", Value: file.Value, Origin: result.Measured, Pos: file.Pos})
	setFileQuantization(d, file.Value, file.Pos.Line)
}

// setFileQuantization records the quantisation that the name of a file states. F16 in a name is ignored: such a file
// may hold tensors of fewer bits, and then the description is right.
func setFileQuantization(d *draft.Draft, file string, line int) {
	name := file[strings.LastIndexAny(file, `/\`)+1:]
	if q := catalogue.Quantization(name); q != "" && q != "FP16" && q != d.Label("quantization") {
		d.SetLabel("quantization", []byte(q), line)
	}
}
