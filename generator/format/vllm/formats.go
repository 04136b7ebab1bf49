// Package vllm reads the benchmarks of vLLM and of related tools: SGLang, LMDeploy, MLC-LLM, JetStream and llmperf.
// Some of them were developed from vLLM's.
//
// Formats returns the table of the formats. Each other file of the package holds the readers of one tool, and
// testdata/fixtures has a sample output of each tool.
package vllm

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "vllm-serve-json", Keys: []string{"model_id", "tokenizer_id"}, Is: isServeObject, Read: readServeObject},
			{Name: "serving-json", Keys: servingKeys, Is: isServing, Read: readServing},
			{Name: "vllm-latency-json", Keys: []string{"avg_latency"}, Is: isVLLMLatency, Read: readVLLMLatency},
			{Name: "vllm-throughput-json", Keys: []string{"elapsed_time"}, Is: isVLLMThroughput, Read: readVLLMThroughput},
			{Name: "vllm-startup-json", Keys: []string{"avg_cold_startup_time", "avg_warm_startup_time"}, Read: readVLLMStartup},
			{Name: "vllm-pytorch-json", Keys: []string{"metric"}, Is: isPyTorchRecord, Open: newPyTorchRecords},
			{Name: "vllm-ci-json", Keys: []string{"serving", "latency"}, Is: isVLLMSummary, Read: readVLLMSummary},
			{Name: "vllm-mm-processor-json", Keys: []string{"mm_processor_stats"}, Read: readVLLMMultimodal},
			{Name: "mlc-llm-bench-json", Keys: []string{"num_completed_requests"}, Is: isMLCBench, Read: readMLCBench},
			{Name: "sglang-serving-jsonl", Keys: []string{"total_output_tokens_retokenized", "total_output_retokenized"}, Is: isSGLangObject, Read: readSGLangObject},
			{Name: "sglang-offline-throughput-jsonl", Keys: []string{"successful_requests"}, Is: isSGLangOffline, Read: readSGLangOffline},
			{Name: "sglang-one-batch-jsonl", Keys: []string{"total_latency"}, Is: isOneBatch, Read: readOneBatch},
			{Name: "sglang-one-batch-server-jsonl", Keys: []string{"overall_throughput"}, Is: isOneBatchServer, Read: readOneBatchServer},
			{Name: "llmperf-json", Keys: []string{"results_ttft_s_mean", "results_mean_output_throughput_token_per_s"}, Read: readLLMPerf},
			{Name: "llmperf-json", Keys: []string{"end_to_end_latency_s"}, Is: isLLMPerfRequest, Open: openLLMPerfRequests},
			{Name: "llmperf-json", Keys: []string{"throughput_token_per_s"}, Is: isLLMPerfBench, Read: readLLMPerfBench},
			{Name: "llmperf-json", Keys: []string{"1", "2", "4", "8", "16", "32", "64", "128"}, Is: isLLMPerfSweep, Read: readLLMPerfBench},
		},
		Blocks: []draft.BlockFormat{
			{Name: "vllm-serve-text", Marks: serveMarks, New: newServeText},
			{Name: "vllm-latency-text", Marks: latencyMarks, New: newLatencyText},
			{Name: "vllm-throughput-text", Marks: throughputMarks, New: newThroughputText},
			{Name: "vllm-startup-text", Marks: startupMarks, New: newStartupText},
			{Name: "vllm-ci-md", Marks: summaryMarks, New: newSummaryText},
			{Name: "lmdeploy-text", Marks: lmdeployMarks, New: newLMDeployText},
			{Name: "lmdeploy-generation-text", Marks: lmdeployGenerationMarks, New: newLMDeployGeneration},
			{Name: "lmdeploy-md", Marks: lmdeployTableMarks, New: newLMDeployMarkdown},
			{Name: "lmdeploy-csv", Marks: lmdeployServingMarks, New: newLMDeployCSV},
			{Name: "mlc-llm-bench-text", Marks: mlcMarks, New: newMLCText},
			{Name: "mlc-llm-bench-csv", Marks: mlcColumnMarks, New: newMLCTable},
			{Name: "sglang-one-batch-text", Marks: oneBatchMarks, New: newOneBatchText},
			{Name: "sglang-one-batch-server-text", Marks: oneBatchServerMarks, New: newOneBatchServerText},
			{Name: "llmperf-csv", Marks: llmperfCSVMarks, New: newLLMPerfCSV},
			{Name: "llmperf-text", Marks: llmperfTextMarks, New: newLLMPerfText},
		},
	}
}
