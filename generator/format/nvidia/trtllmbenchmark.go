package nvidia

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// trtllmBenchmark reads the line that TensorRT-LLM's benchmark.py and
// gptSessionBenchmark (to 0.12) print for each batch size and pair of lengths: names and
// values in turn behind "[BENCHMARK]". The latency is that of a whole batch from the
// prompt on, and tokens_per_sec are the batch's output tokens over it. Without an
// output length it is an encoder's. What is generated after the first token keeps the
// tool's name: benchmark.py does not count the first token, gptSessionBenchmark does.
// gpu_peak_mem(gb) is in 2³⁰ bytes for benchmark.py, in 10⁹ for the other.
//
// Source: benchmarks/python/gpt_benchmark.py, benchmarks/cpp/gptSessionBenchmark.cpp.
type trtllmBenchmark struct{ draft.Draft }

var trtllmBenchmarkMarks = []string{"[BENCHMARK] model_name ", "[BENCHMARK] batch_size "}

func newTRTLLMBenchmark() draft.LineReader { return &trtllmBenchmark{} }

func (t *trtllmBenchmark) Begin(in *draft.File) { *t = trtllmBenchmark{t.Emptied(in)} }

func (t *trtllmBenchmark) End() {}

// trtllmBenchmarkNames are the names on a line; those without a unit are settings.
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
		words = words[:len(words)-1] // it may lack digits
	}
	t.Reset(t.In, "tensorrt-llm-benchmark", "tensorrt-llm-benchmark-text", l.Number)
	for i := 0; i+1 < len(words); i += 2 {
		name, value := words[i], words[i+1]
		member, known := trtllmBenchmarkNames[name]
		switch {
		case !known || scan.IsMissing(value) || member.Unit != "" && isZeroNumber(value):
		case member.Unit != "":
			t.Number(member.Name, member.Unit, name, []byte(value), l.Number)
		case name == "model_name" && (value == "dec" || value == "enc"): // what part of any model
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

// isZeroNumber reports a figure that was not measured.
func isZeroNumber(text string) bool {
	f, ok := scan.ParseFigure([]byte(text), 0)
	return ok && f.Value == 0
}
