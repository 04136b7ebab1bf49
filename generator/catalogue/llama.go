package catalogue

// Llama and models with its dimensions.
var llama = []row{
	{"Llama-2-7B", 6.738, 0, shape{32, 4096, 32, 32, 128, 11008, 32000, apart}, more{precision: "FP16"}, "meta-llama/Llama-2-7b-hf", "CodeLlama-7B, Vicuna-7B-v1.5, LLaMA-7B, Llama-1-7B"},
	{"Llama-2-13B", 13.016, 0, shape{40, 5120, 40, 40, 128, 13824, 32000, apart}, more{precision: "FP16"}, "meta-llama/Llama-2-13b-hf", "CodeLlama-13B, Vicuna-13B-v1.5, LLaMA-13B"},
	{"Llama-2-70B", 68.98, 0, shape{80, 8192, 64, 8, 128, 28672, 32000, apart}, more{precision: "FP16"}, "meta-llama/Llama-2-70b-hf", "CodeLlama-70B"},
	{"CodeLlama-34B", 33.74, 0, shape{48, 8192, 64, 8, 128, 22016, 32000, apart}, more{}, "codellama/CodeLlama-34b-hf", ""},
	{"LLaMA-30B", 32.53, 0, shape{60, 6656, 52, 52, 128, 17920, 32000, apart}, more{precision: "FP16"}, "huggyllama/llama-30b", "LLaMA-33B"},
	{"LLaMA-65B", 65.29, 0, shape{80, 8192, 64, 64, 128, 22016, 32000, apart}, more{precision: "FP16"}, "huggyllama/llama-65b", ""},
	{"TinyLlama-1.1B", 1.1, 0, shape{22, 2048, 32, 4, 64, 5632, 32000, apart}, more{}, "TinyLlama/TinyLlama-1.1B-Chat-v1.0", "TinyLlama-1.1B-Chat-v1.0, TinyLlama"},
	{"Llama-3.1-8B", 8.03, 0, shape{32, 4096, 32, 8, 128, 14336, 128256, apart}, more{}, "meta-llama/", "Llama-3-8B, DeepSeek-R1-Distill-Llama-8B, deepseek-r1:8b-llama, Llama-3.1-Nemotron-Nano-8B-v1, Hermes-3-Llama-3.1-8B, Llama-3.1-Tulu-3-8B"},
	{"Llama-3.1-70B", 70.55, 0, shape{80, 8192, 64, 8, 128, 28672, 128256, apart}, more{}, "meta-llama/", "Llama-3-70B, Llama-3.3-70B, DeepSeek-R1-Distill-Llama-70B, deepseek-r1:70b, Llama-3.1-Nemotron-70B"},
	{"Llama-3.1-405B", 405.85, 0, shape{126, 16384, 128, 8, 128, 53248, 128256, apart}, more{}, "meta-llama/", ""},
	{"Llama-3.2-1B", 1.236, 0, shape{16, 2048, 32, 8, 64, 8192, 128256, tied}, more{}, "meta-llama/", ""},
	{"Llama-3.2-3B", 3.213, 0, shape{28, 3072, 24, 8, 128, 8192, 128256, tied}, more{}, "meta-llama/", ""},
	// 8 of 40 layers, and 20 of 100, attend only to images.
	{"Llama-3.2-11B-Vision", 10.67, 0, shape{32, 4096, 32, 8, 128, 14336, 128256, apart}, more{unread: 2.64, traits: Vision}, "meta-llama/", "Llama-3.2-11B"},
	{"Llama-3.2-90B-Vision", 88.59, 0, shape{80, 8192, 64, 8, 128, 28672, 128256, apart}, more{unread: 18.04, traits: Vision}, "meta-llama/", "Llama-3.2-90B"},
	{"Llama-4-Scout-17B-16E", 108.64, 17.17, shape{48, 5120, 40, 8, 128, 16384, 202048, apart}, more{experts: experts{all: 16, used: 1, ffn: 8192, shared: 8192}, caches: 12, unread: 0.86, traits: Vision}, "meta-llama/", "Llama-4-Scout, llama4-17Bx16E-Scout"},
	{"Llama-4-Maverick-17B-128E", 401.58, 17.18, shape{48, 5120, 40, 8, 128, 16384, 202048, apart}, more{experts: experts{all: 128, used: 1, ffn: 8192, shared: 8192, every: 2}, caches: 12, unread: 0.87, traits: Vision}, "meta-llama/", "Llama-4-Maverick, llama4-17Bx128E-Maverick"},
	{"Llama-3.3-Nemotron-Super-49B", 49.87, 0, shape{80, 8192, 64, 8, 128, 0, 128256, apart}, more{caches: 49}, "nvidia/Llama-3_3-Nemotron-Super-49B-v1", "Llama-3.3-Nemotron-Super-49B-v1, Llama-3.3-Nemotron-Super-49B-v1.5"},

	{"DeepSeek-R1-Distill-Qwen-1.5B", 1.777, 0, shape{28, 1536, 12, 2, 128, 8960, 151936, apart}, more{}, "deepseek-ai/", "deepseek-r1:1.5b"},
	{"DeepSeek-R1-Distill-Qwen-7B", 7.616, 0, shape{28, 3584, 28, 4, 128, 18944, 152064, apart}, more{}, "deepseek-ai/", "deepseek-r1:7b"},
	{"DeepSeek-R1-Distill-Qwen-14B", 14.77, 0, shape{48, 5120, 40, 8, 128, 13824, 152064, apart}, more{}, "deepseek-ai/", "deepseek-r1:14b"},
	{"DeepSeek-R1-Distill-Qwen-32B", 32.76, 0, shape{64, 5120, 40, 8, 128, 27648, 152064, apart}, more{}, "deepseek-ai/", "deepseek-r1:32b"},

	{"LLaVA-1.5-7B", 7.06, 0, shape{32, 4096, 32, 32, 128, 11008, 32064, apart}, more{unread: 0.325, precision: "FP16", traits: Vision}, "llava-hf/llava-1.5-7b-hf", "llava-v1.5-7b"},
	{"LLaVA-1.5-13B", 13.35, 0, shape{40, 5120, 40, 40, 128, 13824, 32064, apart}, more{unread: 0.335, precision: "FP16", traits: Vision}, "llava-hf/llava-1.5-13b-hf", "llava-v1.5-13b"},
	{"LLaVA-v1.6-Mistral-7B", 7.57, 0, shape{32, 4096, 32, 8, 128, 14336, 32064, apart}, more{unread: 0.325, traits: Vision}, "llava-hf/llava-v1.6-mistral-7b-hf", ""},

	{"Yi-6B", 6.06, 0, shape{32, 4096, 32, 4, 128, 11008, 64000, apart}, more{}, "01-ai/", "Yi-1.5-6B"},
	{"Yi-9B", 8.83, 0, shape{48, 4096, 32, 4, 128, 11008, 64000, apart}, more{}, "01-ai/", "Yi-1.5-9B"},
	{"Yi-34B", 34.39, 0, shape{60, 7168, 56, 8, 128, 20480, 64000, apart}, more{}, "01-ai/", "Yi-1.5-34B"},

	{"SmolLM2-135M", 0.1345, 0, shape{30, 576, 9, 3, 64, 1536, 49152, tied}, more{}, "HuggingFaceTB/", "SmolLM-135M"},
	{"SmolLM2-360M", 0.3618, 0, shape{32, 960, 15, 5, 64, 2560, 49152, tied}, more{}, "HuggingFaceTB/", "SmolLM-360M"},
	{"SmolLM2-1.7B", 1.711, 0, shape{24, 2048, 32, 32, 64, 8192, 49152, tied}, more{}, "HuggingFaceTB/", "SmolLM-1.7B"},
	{"SmolLM3-3B", 3.075, 0, shape{36, 2048, 16, 4, 128, 11008, 128256, tied}, more{}, "HuggingFaceTB/", ""},

	{"InternLM2.5-7B", 7.74, 0, shape{32, 4096, 32, 8, 128, 14336, 92544, apart}, more{}, "internlm/internlm2_5-7b", "InternLM2-7B, InternLM2-Chat-7B, internlm2_5-7b-chat"},
	{"InternLM2.5-20B", 19.86, 0, shape{48, 6144, 48, 8, 128, 16384, 92544, apart}, more{}, "internlm/internlm2_5-20b", "InternLM2-20B"},
	{"InternLM3-8B", 8.80, 0, shape{48, 4096, 32, 2, 128, 10240, 128512, apart}, more{}, "internlm/internlm3-8b-instruct", ""},
	{"InternVL2.5-1B", 0.94, 0, shape{24, 896, 14, 2, 64, 4864, 151674, tied}, more{unread: 0.445, traits: Vision}, "OpenGVLab/InternVL2_5-1B", "InternVL3-1B, InternVL2-1B"},
	{"InternVL2.5-8B", 8.08, 0, shape{32, 4096, 32, 8, 128, 14336, 92553, apart}, more{unread: 0.34, traits: Vision}, "OpenGVLab/InternVL2_5-8B", "InternVL2-8B"},
	{"InternVL3-8B", 7.94, 0, shape{28, 3584, 28, 4, 128, 18944, 151674, apart}, more{unread: 0.33, traits: Vision}, "OpenGVLab/", ""},
}
