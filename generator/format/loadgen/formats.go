// Package loadgen reads load generators and harnesses that measure any server: GuideLLM, inference-perf, InferenceX,
// genai-bench, EvalScope, Fireworks' benchmark, TGI's, Optimum-Benchmark and MLPerf, among others.
//
// Formats returns the table of the formats. Each other file of the package holds the readers of one tool, and
// testdata/fixtures has a sample output of each tool.
package loadgen

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "genai-bench-json", Keys: []string{"aggregated_metrics"}, Is: isGenAIBench, Read: readGenAIBench},
			{Name: "genai-bench-metadata-json", Keys: []string{"server_gpu_type", "experiment_folder_name"}, Is: isGenAIBenchMetadata, Read: readGenAIBenchMetadata},
			{Name: "optimum-benchmark-json", Keys: optimumKeys, Is: isOptimum, Read: readOptimum},
			{Name: "evalscope-json", Keys: []string{"Succeed requests", "Success Requests"}, Is: isEvalScopeSummary, Read: readEvalScopeSummary},
			{Name: "evalscope-percentile-json", Keys: []string{"Percentiles", "Percentile"}, Is: isEvalScopePercentile, Open: newEvalScopePercentiles},
			{Name: "evalscope-args-json", Keys: []string{"log_every_n_query"}, Is: isEvalScopeArgs, Read: readEvalScopeArgs},
			{Name: "guidellm-json", Keys: []string{"benchmarks"}, Is: isGuideLLM, Read: readGuideLLM},
			{Name: "inference-perf-json", Keys: []string{"successes"}, Is: isInferencePerf, Read: readInferencePerf},
			{Name: "inference-perf-json", Keys: []string{"start_time"}, Is: isInferencePerfRequest, Open: openInferencePerfRequests},
			{Name: "aisbench-json", Keys: []string{"Benchmark Duration"}, Is: isAISCommon, Read: readAISCommon},
			{Name: "inference-benchmark-json", Keys: []string{"dimensions"}, Is: isInferenceBenchmarkJSON, Read: readInferenceBenchmarkJSON},
			{Name: "inference-benchmarker-json", Keys: []string{"results"}, Is: isInferenceBenchmarker, Read: readInferenceBenchmarker},
			{Name: "llm-d-report-json", Keys: []string{"scenario"}, Is: isLLMD, Read: readLLMD},
			{Name: "inferencex-json", Keys: []string{"output_tput_per_gpu"}, Is: isInferenceX, Read: readInferenceX},
			{Name: "inferencex-json", Keys: []string{"request_metrics"}, Is: isInferenceXAgentic, Read: readInferenceXAgentic},
		},
		Blocks: []draft.BlockFormat{
			{Name: "inference-benchmark-text", Marks: inferenceBenchmarkMarks, New: newInferenceBenchmarkText},
			{Name: "inference-benchmarker-text", Marks: benchmarkerMarks, New: newBenchmarkerTable},
			{Name: "aisbench-text", Marks: aisTextMarks, New: newAISText},
			{Name: "aisbench-csv", Marks: aisCSVMarks, New: newAISCSV},
			{Name: "fw-ai-benchmark-text", Marks: fwAIMarks, New: newFwAI},
			{Name: "fw-ai-benchmark-csv", Marks: fwAICSVMarks, New: newFwAI},
			{Name: "text-generation-benchmark-md", Marks: tgiMarks, New: newTGITable},
			{Name: "optimum-benchmark-text", Marks: optimumMarks, New: newOptimumText},
			{Name: "optimum-benchmark-csv", Marks: optimumCSVMarks, New: newOptimumCSV},
			{Name: "mlperf-text", Marks: mlperfMarks, New: newMLPerf},
			{Name: "evalscope-text", Marks: evalScopeMarks, New: newEvalScopeText},
			{Name: "evalscope-lines-text", Marks: evalScopeLinesMarks, New: newEvalScopeLines},
			{Name: "guidellm-csv", Marks: guideCSVMarks, New: newGuideCSV},
			{Name: "guidellm-text", Marks: guideTextMarks, New: newGuideText},
			{Name: "inferencex-text", Marks: replayMarks, New: newReplayText},
			{Name: "http-load-text", Marks: httpLoadMarks, New: newHTTPLoadText},
		},
		Yaml: []draft.YAMLFormat{
			{Name: "llm-d-report-yaml", Head: isLLMDYAML, PassOver: llmdRest},
			{Name: "guidellm-yaml", Head: isGuideYAML, PassOver: guideYAMLRest},
		},
	}
}
