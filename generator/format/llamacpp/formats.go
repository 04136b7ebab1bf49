// Package llamacpp reads the output of programs that run models on one's own machine: the llama.cpp family, Ollama,
// MLX, oMLX, LM Studio, KoboldCpp, ExLlama, gpt-fast and similar programs, mistral.rs, MNN, RKLLM and OpenVINO.
//
// Formats returns the table of its formats. Each other file holds the readers of one tool, and testdata/fixtures has an
// example of each tool's output.
package llamacpp

import (
	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// Formats returns the table of the formats of these tools.
func Formats() draft.Formats {
	return draft.Formats{
		Objects: []draft.ObjectFormat{
			{Name: "ollama-json", Keys: []string{"done", "eval_count", "prompt_eval_count"}, Is: isOllama, Read: readOllama},
			{Name: "llama-bench-json", Keys: []string{"build_commit"}, Is: isLlamaBench, Read: readLlamaBench},
			{Name: "llama-batched-bench-jsonl", Keys: []string{"n_kv"}, Is: isBatched, Read: readBatched},
			{Name: "llama-sweep-bench-jsonl", Keys: []string{"n_kv"}, Is: isSweep, Read: readSweep},
			{Name: "llama-benchy-json", Keys: []string{"latency_mode"}, Is: isLlamaBenchy, Read: readLlamaBenchy},
			{Name: "llama-server-json", Keys: append([]string{"timings", "predicted_per_second"}, llamaReplyKeys...), Is: isLlamaServer, Read: readLlamaServer},
			{Name: "openvino-llm-bench-json", Keys: []string{"perfdata"}, Is: isLLMBench, Read: readLLMBench},
			{Name: "lm-studio-json", Keys: []string{"stats"}, Is: isLMStudio, Read: readLMStudio},
		},
		Blocks: []draft.BlockFormat{
			{Name: "ollama-text", Marks: ollamaMarks, New: newOllamaText},
			{Name: "ollama-bench-text", Marks: ollamaBenchMarks, New: newOllamaBench},
			{Name: "llama-bench-md", Marks: llamaTableMarks, New: newLlamaTable},
			{Name: compareForm, Marks: compareMarks, New: newCompareTable},
			{Name: "llama-bench-csv", Marks: llamaCSVMarks, New: newLlamaCSV},
			{Name: "llama-bench-sql", Marks: llamaSQLMarks, New: newLlamaSQL},
			{Name: "llama-batched-bench-text", Marks: kvTableMarks, New: newBatchedTable},
			{Name: "llama-sweep-bench-text", Marks: kvTableMarks, New: newSweepTable},
			{Name: "llama-timings-text", Marks: llamaTimingsMarks, New: newLlamaTimings},
			{Name: "llama-benchy-md", Marks: benchyMarks, New: newBenchyTable},
			{Name: "mlx-lm-text", Marks: mlxMarks, New: newMLXText},
			{Name: "lm-studio-text", Marks: lmStudioMarks, New: newLMStudioText},
			{Name: "lm-studio-text", Marks: lmsMarks, New: newLMSText},
			{Name: "koboldcpp-text", Marks: koboldMarks, New: newKoboldText},
			{Name: "text-generation-webui-text", Marks: answerMarks, New: newAnswerText},
			{Name: "exllamav2-text", Marks: exllamaMarks, New: newExllamaText},
			{Name: "generate-text", Marks: generateMarks, New: newGenerateText},
			{Name: "mistralrs-bench-text", Marks: mistralRSMarks, New: newMistralRSText},
			{Name: "omlx-text", Marks: omlxMarks, New: newOMLXText},
			{Name: "mnn-llm-text", Marks: mnnMarks, New: newMNNText},
			{Name: "rkllm-text", Marks: rkllmMarks, New: newRKLLMText},
			{Name: "openvino-genai-text", Marks: openVINOMarks, New: newOpenVINOText},
			{Name: "openvino-llm-bench-text", Marks: llmBenchMarks, New: newLLMBenchText},
			{Name: "openvino-llm-bench-csv", Marks: llmBenchCSVMarks, New: newLLMBenchCSV},
			{Name: "openvino-benchmark-app-text", Marks: benchmarkAppMarks, New: newBenchmarkApp},
		},
	}
}
