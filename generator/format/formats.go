package format

// objectFormats are tried in order on a JSON object that has one of their keys.
var objectFormats = []objectFormat{
	{name: "vllm-serve-json", keys: []string{"model_id", "tokenizer_id"}, is: isServeObject, read: readServeObject},
	{name: "aiperf-json", keys: []string{"aiperf_version", "input_config"}, is: isAIPerf, read: readAIPerf},
	{name: "aiperf-jsonl", keys: []string{"metadata"}, is: isAIPerfRecord, open: openAIPerfRecords},
	{name: "genai-perf-json", keys: []string{"input_config"}, is: isGenAIPerf, read: readGenAIPerf},
	{name: "trtllm-bench-json", keys: []string{"world_info"}, is: isTRTLLMReport, read: readTRTLLMReport},
	{name: "tensorrt-edge-llm-json", keys: []string{"prefill"}, is: isEdgeProfile, read: readEdgeProfile},
	{name: "vllm-latency-json", keys: []string{"avg_latency"}, is: isVLLMLatency, read: readVLLMLatency},
	{name: "vllm-throughput-json", keys: []string{"elapsed_time"}, is: isVLLMThroughput, read: readVLLMThroughput},
	{name: "vllm-startup-json", keys: []string{"avg_cold_startup_time", "avg_warm_startup_time"}, read: readVLLMStartup},
	{name: "vllm-pytorch-json", keys: []string{"metric"}, is: isPyTorchRecord, open: newPyTorchRecords},
	{name: "vllm-ci-json", keys: []string{"serving", "latency"}, is: isVLLMSummary, read: readVLLMSummary},
	{name: "vllm-mm-processor-json", keys: []string{"mm_processor_stats"}, read: readVLLMMultimodal},
	{name: "mlc-llm-bench-json", keys: []string{"num_completed_requests"}, is: isMLCBench, read: readMLCBench},
	{name: "sglang-serving-jsonl", keys: []string{"total_output_tokens_retokenized", "total_output_retokenized"}, is: isSGLangObject, read: readSGLangObject},
	{name: "sglang-offline-throughput-jsonl", keys: []string{"successful_requests"}, is: isSGLangOffline, read: readSGLangOffline},
	{name: "sglang-one-batch-jsonl", keys: []string{"total_latency"}, is: isOneBatch, read: readOneBatch},
	{name: "sglang-one-batch-server-jsonl", keys: []string{"overall_throughput"}, is: isOneBatchServer, read: readOneBatchServer},
	{name: "genai-bench-json", keys: []string{"aggregated_metrics"}, is: isGenAIBench, read: readGenAIBench},
	{name: "genai-bench-metadata-json", keys: []string{"server_gpu_type", "experiment_folder_name"}, is: isGenAIBenchMetadata, read: readGenAIBenchMetadata},
	{name: "ollama-json", keys: []string{"done", "eval_count", "prompt_eval_count"}, is: isOllama, read: readOllama},
	{name: "nvidia-smi-summary-json", keys: []string{"sample_count"}, is: isSMISummary, read: readSMISummary},
	{name: "benchpost-record-json", keys: []string{"schema"}, is: isRecord, read: readRecord},
	{name: "system-info-json", keys: []string{"gpu", "vllm_version_reported"}, is: isSystemInfo, read: readSystemInfo},
	{name: "lm-eval-json", keys: []string{"results"}, is: isLMEval, read: readLMEval},
	{name: "hyperfine-json", keys: []string{"results"}, is: isHyperfine, read: readHyperfine},
	{name: "optimum-benchmark-json", keys: optimumKeys, is: isOptimum, read: readOptimum},
	{name: "evalscope-json", keys: []string{"Succeed requests", "Success Requests"}, is: isEvalScopeSummary, read: readEvalScopeSummary},
	{name: "evalscope-percentile-json", keys: []string{"Percentiles", "Percentile"}, is: isEvalScopePercentile, open: newEvalScopePercentiles},
	{name: "evalscope-args-json", keys: []string{"log_every_n_query"}, is: isEvalScopeArgs, read: readEvalScopeArgs},
	{name: "llama-bench-json", keys: []string{"build_commit"}, is: isLlamaBench, read: readLlamaBench},
	{name: "llama-batched-bench-jsonl", keys: []string{"n_kv"}, is: isBatched, read: readBatched},
	{name: "llama-sweep-bench-jsonl", keys: []string{"n_kv"}, is: isSweep, read: readSweep},
	{name: "llama-benchy-json", keys: []string{"latency_mode"}, is: isLlamaBenchy, read: readLlamaBenchy},
	{name: "llama-server-json", keys: []string{"timings", "predicted_per_second"}, is: isLlamaServer, read: readLlamaServer},
	{name: "lm-studio-json", keys: []string{"stats"}, is: isLMStudio, read: readLMStudio},
	{name: "guidellm-json", keys: []string{"benchmarks"}, is: isGuideLLM, read: readGuideLLM},
	{name: "inference-perf-json", keys: []string{"successes"}, is: isInferencePerf, read: readInferencePerf},
	{name: "inference-perf-json", keys: []string{"start_time"}, is: isInferencePerfRequest, open: openInferencePerfRequests},
	{name: "llmperf-json", keys: []string{"results_ttft_s_mean", "results_mean_output_throughput_token_per_s"}, read: readLLMPerf},
	{name: "llmperf-json", keys: []string{"end_to_end_latency_s"}, is: isLLMPerfRequest, open: openLLMPerfRequests},
	{name: "llmperf-json", keys: []string{"throughput_token_per_s"}, is: isLLMPerfBench, read: readLLMPerfBench},
	{name: "llmperf-json", keys: []string{"1", "2", "4", "8", "16", "32", "64", "128"}, is: isLLMPerfSweep, read: readLLMPerfBench},
	{name: "inferencex-json", keys: []string{"output_tput_per_gpu"}, is: isInferenceX, read: readInferenceX},
	{name: "inferencex-json", keys: []string{"request_metrics"}, is: isInferenceXAgentic, read: readInferenceXAgentic},
}

// blockFormats are given the lines of a text from the first that has one of
// their marks on. A mark has at least six bytes.
var blockFormats = []blockFormat{
	{name: "vllm-serve-text", marks: serveMarks, new: newServeText},
	{name: "genai-perf-csv", marks: genAIPerfCSVMarks, new: newGenAIPerfCSV},
	{name: "genai-perf-text", marks: genAIPerfTextMarks, new: newGenAIPerfText},
	{name: "aiperf-csv", marks: aiperfCSVMarks, new: newAIPerfCSV},
	{name: "aiperf-text", marks: aiperfTextMarks, new: newAIPerfText},
	{name: "perf-analyzer-csv", marks: perfAnalyzerCSVMarks, new: newPerfAnalyzerCSV},
	{name: "perf-analyzer-text", marks: perfAnalyzerTextMarks, new: newPerfAnalyzerText},
	{name: "trtllm-bench-text", marks: trtllmMarks, new: newTRTLLMText},
	{name: "gptmanagerbenchmark-text", marks: gptManagerMarks, new: newGPTManager},
	{name: "tensorrt-edge-llm-text", marks: edgeMarks, new: newEdgeText},
	{name: "jetson-containers-csv", marks: jetsonCSVMarks, new: newJetsonCSV},
	{name: "jetson-containers-text", marks: jetsonTextMarks, new: newJetsonAverages},
	{name: "vllm-latency-text", marks: latencyMarks, new: newLatencyText},
	{name: "vllm-throughput-text", marks: throughputMarks, new: newThroughputText},
	{name: "vllm-startup-text", marks: startupMarks, new: newStartupText},
	{name: "vllm-ci-md", marks: summaryMarks, new: newSummaryText},
	{name: "lmdeploy-text", marks: lmdeployMarks, new: newLMDeployText},
	{name: "lmdeploy-md", marks: lmdeployTableMarks, new: newLMDeployMarkdown},
	{name: "lmdeploy-csv", marks: lmdeployServingMarks, new: newLMDeployCSV},
	{name: "mlc-llm-bench-text", marks: mlcMarks, new: newMLCText},
	{name: "mlc-llm-bench-csv", marks: mlcColumnMarks, new: newMLCTable},
	{name: "inference-benchmark-text", marks: inferenceBenchmarkMarks, new: newInferenceBenchmarkText},
	{name: "sglang-one-batch-text", marks: oneBatchMarks, new: newOneBatchText},
	{name: "sglang-one-batch-server-text", marks: oneBatchServerMarks, new: newOneBatchServerText},
	{name: "ollama-text", marks: ollamaMarks, new: newOllamaText},
	{name: "tegrastats-text", marks: tegrastatsMarks, new: newTegrastats},
	{name: "jtop-csv", marks: jtopMarks, new: newJtopCSV},
	{name: "nvidia-smi-csv", marks: smiMarks, new: newSMICSV},
	{name: "nvidia-smi-dmon-text", marks: dmonMarks, new: newDmon},
	{name: "dcgm-dmon-text", marks: dcgmMarks, new: newDCGMDmon},
	{name: "dcgm-prometheus-text", marks: dcgmExporterMarks, new: newDCGMExporter},
	{name: ServerMetrics, marks: serverMetricsMarks, new: newSnapshotText},
	{name: "telemetry-csv", marks: telemetryMarks, new: newTelemetryCSV},
	{name: "lscpu-text", marks: lscpuMarks, new: newLscpuText},
	{name: "uname-text", marks: unameMarks, new: newUnameText},
	{name: "device-query-text", marks: deviceQueryMarks, new: newDeviceQuery},
	{name: "nvidia-smi-text", marks: smiTableMarks, new: newSMITable},
	{name: "jetson-text", marks: jetsonMarks, new: newJetsonText},
	{name: "collect-env-text", marks: collectEnvMarks, new: newCollectEnv},
	{name: "lm-eval-md", marks: lmEvalMarks, new: newLMEvalTable},
	{name: "go-bench-text", marks: goBenchMarks, new: newGoBench},
	{name: "fw-ai-benchmark-text", marks: fwAIMarks, new: newFwAI},
	{name: "fw-ai-benchmark-csv", marks: fwAICSVMarks, new: newFwAI},
	{name: "text-generation-benchmark-md", marks: tgiMarks, new: newTGITable},
	{name: "optimum-benchmark-text", marks: optimumMarks, new: newOptimumText},
	{name: "optimum-benchmark-csv", marks: optimumCSVMarks, new: newOptimumCSV},
	{name: "mlperf-text", marks: mlperfMarks, new: newMLPerf},
	{name: "evalscope-text", marks: evalScopeMarks, new: newEvalScopeText},
	{name: "llama-bench-md", marks: llamaTableMarks, new: newLlamaTable},
	{name: "llama-bench-csv", marks: llamaCSVMarks, new: newLlamaCSV},
	{name: "llama-bench-sql", marks: llamaSQLMarks, new: newLlamaSQL},
	{name: "llama-batched-bench-text", marks: kvTableMarks, new: newBatchedTable},
	{name: "llama-sweep-bench-text", marks: kvTableMarks, new: newSweepTable},
	{name: "llama-timings-text", marks: llamaTimingsMarks, new: newLlamaTimings},
	{name: "llama-benchy-md", marks: benchyMarks, new: newBenchyTable},
	{name: "mlx-lm-text", marks: mlxMarks, new: newMLXText},
	{name: "lm-studio-text", marks: lmStudioMarks, new: newLMStudioText},
	{name: "openvino-genai-text", marks: openVINOMarks, new: newOpenVINOText},
	{name: "guidellm-csv", marks: guideCSVMarks, new: newGuideCSV},
	{name: "guidellm-text", marks: guideTextMarks, new: newGuideText},
	{name: "llmperf-csv", marks: llmperfCSVMarks, new: newLLMPerfCSV},
	{name: "inferencex-text", marks: replayMarks, new: newReplayText},
	{name: "generic-csv", marks: genericMarks, new: newGenericCSV}, // last: it leaves what another has read
}

// yamlFormats are told by the head of a file.
var yamlFormats = []yamlFormat{
	{name: "guidellm-yaml", head: isGuideYAML, passOver: guideYAMLRest},
}

// blockFormat is a format whose results are lines of a text.
type blockFormat struct {
	name  string
	marks []string
	new   func() lineReader
}

// lineReader finds the blocks of one format in a text. It is used for one file
// after the other.
type lineReader interface {
	// begin is called once for a file, before the first line.
	begin(*input)
	// line is called with each line that has a mark. As long as it gives true,
	// all lines that follow are handed to it too.
	line(line) bool
	// end is called after the last line.
	end()
}

var blockMarks = func() *marks {
	m := newMarks()
	for i, f := range blockFormats {
		for _, text := range f.marks {
			m.add(text, i)
		}
	}
	for _, text := range progressMarks {
		m.add(text, progressReader)
	}
	m.prepare()
	return m
}()

// progressReader is the number of the reader that finds no results but the runs
// that have none. It stands behind the formats, whose results it looks at.
var progressReader = len(blockFormats)

// newLineReader makes the reader of a number.
func newLineReader(i int) lineReader {
	if i == progressReader {
		return newProgress()
	}
	return blockFormats[i].new()
}
