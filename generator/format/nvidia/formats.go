// Package nvidia reads NVIDIA's benchmarks: AIPerf, GenAI-Perf, perf_analyzer, the benchmarks of TensorRT-LLM and
// TensorRT Edge-LLM, and jetson-containers.
//
// Formats returns the table of the formats. Each other file of the package holds the readers of one tool, and
// testdata/fixtures has a sample output of each tool.
package nvidia

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "aiperf-json", Keys: []string{"aiperf_version", "input_config"}, Is: isAIPerf, Read: readAIPerf},
			{Name: "aiperf-summary-json", Keys: []string{"metadata", "timeslices", "combined", "per_combination_metrics"}, Is: isAIPerfSummary, Read: readAIPerfSummary},
			{Name: "aiperf-jsonl", Keys: []string{"metadata"}, Is: isAIPerfRecord, Open: openAIPerfRecords},
			{Name: "genai-perf-json", Keys: []string{"input_config"}, Is: isGenAIPerf, Read: readGenAIPerf},
			{Name: "genai-perf-profile-json", Keys: []string{"experiments"}, Is: isPerfProfile, Read: readPerfProfile},
			{Name: "trtllm-bench-json", Keys: []string{"world_info"}, Is: isTRTLLMReport, Read: readTRTLLMReport},
			{Name: "tensorrt-edge-llm-json", Keys: []string{"prefill"}, Is: isEdgeProfile, Read: readEdgeProfile},
		},
		Blocks: []draft.BlockFormat{
			{Name: "genai-perf-csv", Marks: genAIPerfCSVMarks, New: newGenAIPerfCSV},
			{Name: "genai-perf-text", Marks: genAIPerfTextMarks, New: newGenAIPerfText},
			{Name: "aiperf-csv", Marks: aiperfCSVMarks, New: newAIPerfCSV},
			{Name: "aiperf-text", Marks: aiperfTextMarks, New: newAIPerfText},
			{Name: "perf-analyzer-csv", Marks: perfAnalyzerCSVMarks, New: newPerfAnalyzerCSV},
			{Name: "perf-analyzer-text", Marks: perfAnalyzerTextMarks, New: newPerfAnalyzerText},
			{Name: "trtllm-bench-text", Marks: trtllmMarks, New: newTRTLLMText},
			{Name: "gptmanagerbenchmark-text", Marks: gptManagerMarks, New: newGPTManager},
			{Name: "tensorrt-llm-benchmark-text", Marks: trtllmBenchmarkMarks, New: newTRTLLMBenchmark},
			{Name: "tensorrt-edge-llm-text", Marks: edgeMarks, New: newEdgeText},
			{Name: "jetson-containers-csv", Marks: jetsonCSVMarks, New: newJetsonCSV},
			{Name: "jetson-containers-text", Marks: jetsonTextMarks, New: newJetsonAverages},
		},
	}
}
