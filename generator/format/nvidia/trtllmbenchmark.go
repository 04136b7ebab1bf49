package nvidia

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// trtllmBenchmark reads the line that TensorRT-LLM's benchmark.py and gptSessionBenchmark (up to 0.12) print for each
// batch size and pair of lengths: alternating names and values after "[BENCHMARK]". The latency is that of a whole
// batch, including the prompt. tokens_per_sec is the batch's output tokens divided by that latency. A line without an
// output length is that of an encoder. The figures of the generation after the first token keep the tool's names:
// benchmark.py does not count the first token, gptSessionBenchmark does. gpu_peak_mem(gb) is in 2³⁰ bytes in
// benchmark.py and in 10⁹ bytes in gptSessionBenchmark.
//
// Source: benchmarks/python/gpt_benchmark.py, benchmarks/cpp/gptSessionBenchmark.cpp.
type trtllmBenchmark struct{ draft.Draft }

var trtllmBenchmarkMarks = []string{"[BENCHMARK] model_name ", "[BENCHMARK] batch_size "}

func newTRTLLMBenchmark() draft.LineReader { return &trtllmBenchmark{} }

func (t *trtllmBenchmark) Begin(in *draft.File) { *t = trtllmBenchmark{t.Emptied(in)} }

func (t *trtllmBenchmark) End() {}

// trtllmBenchmarkNames maps the names on a line. Names without a unit are settings.
var trtllmBenchmarkNames = map[string]draft.Member{
	"tokens_per_sec":               {Name: "output_throughput", Unit: "tok/s"},
	"tokensPerSec":                 {Name: "output_throughput", Unit: "tok/s"},
	"latency(ms)":                  {Name: "batch_latency_mean", Unit: "ms"},
	"percentile95(ms)":             {Name: "batch_latency_p95", Unit: "ms"},
	"percentile99(ms)":             {Name: "batch_latency_p99", Unit: "ms"},
	"generation_time(ms)":          {Name: "x_generation_time", Unit: "ms"},
	"generation_tokens_per_second": {Name: "x_generation_tokens_per_second", Unit: "tok/s"},
	"generationTokensPerSec":       {Name: "x_generation_tokens_per_second", Unit: "tok/s"},
	"total_generated_tokens":       {Name: "x_total_generated_tokens", Unit: "tok"},
	"build_time(s)":                {Name: "x_build_time", Unit: "s"},
	"gpu_peak_mem(gb)":             {Name: "x_gpu_peak_mem_gb", Unit: "GB"},
	"model_name":                   {Name: "model_raw"},
	"precision":                    {Name: "dtype"},
	"batch_size":                   {Name: "batch_size"},
	"input_length":                 {Name: "input_len"},
	"output_length":                {Name: "output_len"},
	"world_size":                   {Name: "accelerators"},
	"gpu_weights_percent":          {Name: "x_gpu_weights_percent"},
	"compute_cap":                  {Name: "x_compute_cap"},
	"quantization":                 {Name: "quantization_type"},
}

func (t *trtllmBenchmark) Line(l scan.Line) bool {
	_, text, _ := bytes.Cut(l.Text, []byte("[BENCHMARK] "))
	words := strings.Fields(string(text))
	if !l.Ended && len(words) > 0 {
		words = words[:len(words)-1] // digits may be missing
	}
	t.Reset(t.In, "tensorrt-llm-benchmark", "tensorrt-llm-benchmark-text", l.Number)
	for i := 0; i+1 < len(words); i += 2 {
		name, value := words[i], words[i+1]
		member, known := trtllmBenchmarkNames[name]
		switch {
		case !known || scan.IsMissing(value) || member.Unit != "" && isZeroNumber(value):
		case member.Unit != "":
			t.Number(member.Name, member.Unit, name, []byte(value), l.Number)
		case name == "model_name" && (value == "dec" || value == "enc"): // the part of a model, not its name
		default:
			t.SetText(member.Name, strings.TrimPrefix(value, "QuantMode."), l.Number)
		}
	}
	if _, ok := t.Value("batch_latency_mean"); ok {
		t.Imply("engine", "tensorrt-llm", l.Number)
		t.Emit(l.Number, l.Ended)
	}
	return false
}

// isZeroNumber reports whether a figure is zero, which means that it was not measured.
func isZeroNumber(text string) bool {
	f, ok := scan.ParseFigure([]byte(text), 0)
	return ok && f.Value == 0
}
