package llamacpp

import (
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// The command above the figures of OpenVINO's benchmarks names the folder of the model and the device. The figures do
// not.

var openVINOCommands = [][]byte{[]byte("benchmark_genai.py"), []byte("benchmark_genai"), []byte("benchmark_genai.exe"), []byte("benchmark.py")}

const commandFolder = draft.CommandOnly + "folder"

var openVINOArguments = map[string]string{
	"m": commandFolder, "model": commandFolder, "d": "device", "device": "device", "bs": "batch_size", "b": "batch_size", "batch_size": "batch_size",
	"mt": "output_len", "max_new_tokens": "output_len", "ic": "output_len", "infer_count": "output_len",
}

func newOpenVINOCommands() draft.Commands {
	return draft.Commands{Names: openVINOCommands, Own: openVINOArguments, Repeats: true, Complete: func(d *draft.Draft, _ *draft.Settings) {
		if folder, ok := d.Labels.Lookup(commandFolder); ok && d.Label("model_raw") == "" {
			setFolder(d, folder.Value, folder.Pos.Line)
		}
	}}
}

// precisionFolder matches the name of a folder that holds a model in a certain precision: "int4",
// "OV_FP16-4BIT_DEFAULT".
var precisionFolder = lazy.Regexp(`(?i)^(?:OV_|PT_)?(?:FP32|FP16|BF16|F32|F16|INT8|INT4|NF4|MXFP4|[48]BIT)(?:$|[-_])`)

// setFolder records the model that the path of a folder names, and the precision if a folder in the path is named after
// one: models/llama-2-7b-chat/pytorch/dldt/FP16.
func setFolder(d *draft.Draft, path string, line int) {
	parts := strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' })
	for i := len(parts) - 1; i >= 0; i-- {
		switch part := parts[i]; {
		case precisionFolder().MatchString(part):
			setPrecision(d, part, line)
		case part != "pytorch" && part != "dldt" && part != "optimum" && part != "ov" && part != "compressed_weights" || i == 0:
			d.Labels.Set(result.Label{Name: "model_raw", Value: part, Origin: result.Measured, Pos: result.Position{File: d.In.Name, Line: line}})
			return
		}
	}
}

// setPrecision records the type in which weights are stored: 4 bits for "OV_FP16-4BIT_DEFAULT".
func setPrecision(d *draft.Draft, name string, line int) {
	upper := strings.ToUpper(name)
	for _, p := range []struct{ sign, quantization string }{
		{"4BIT", "INT4"}, {"8BIT", "INT8"}, {"MXFP4", "MXFP4"}, {"INT4", "INT4"}, {"INT8", "INT8"}, {"NF4", "NF4"},
		{"BF16", "BF16"}, {"F16", "FP16"}, {"FP16", "FP16"}, {"F32", "FP32"}, {"FP32", "FP32"},
	} {
		if strings.Contains(upper, p.sign) {
			d.SetLabel("quantization", []byte(p.quantization), line)
			d.SetLabel("x_precision", []byte(name), line)
			return
		}
	}
}
