package catalogue

var others = []row{
	{"gpt-oss-20b", 20.91, 3.61, shape{24, 2880, 64, 8, 64, 2880, 201088, apart}, more{experts: experts{all: 32, used: 4, ffn: 2880}, caches: 12, head: true, precision: "MXFP4"}, "openai/", "gptoss-20b"},
	{"gpt-oss-120b", 116.83, 5.13, shape{36, 2880, 64, 8, 64, 2880, 201088, apart}, more{experts: experts{all: 128, used: 4, ffn: 2880}, caches: 18, head: true, precision: "MXFP4"}, "openai/", "gptoss-120b"},

	{"MiniMax-M2", 228.7, 10.0, shape{62, 3072, 48, 8, 128, 0, 200064, apart}, more{experts: experts{all: 256, used: 8, ffn: 1536}, precision: "FP8"}, "MiniMaxAI/", "MiniMax-M2.1, MiniMax-M2.5, MiniMax-M2.7, minimax-m2-230B-A10B"},

	{"MiniMax-Text-01", 456, 45.9, shape{80, 6144, 64, 8, 128, 0, 200064, apart}, more{caches: 10}, "MiniMaxAI/", "MiniMax-M1, MiniMax-M1-80k, MiniMax-M1-40k"},
	{"Step-3.5-Flash", 196, 11, shape{hidden: 4096, vocab: 128896}, more{traits: MultiToken}, "stepfun-ai/", ""},
	{"Kimi-Linear-48B-A3B", 48, 3, shape{hidden: 2304, vocab: 163840}, more{}, "moonshotai/Kimi-Linear-48B-A3B-Instruct", ""},

	// 6 of 52 layers have a cache, and 8 of 88.
	{"NVIDIA-Nemotron-3-Nano-30B-A3B", 31.58, 3.58, shape{layers: 52, hidden: 2688, heads: 32, kv: 2, headDim: 128, vocab: 131072, embeddings: apart}, more{caches: 6}, "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", "Nemotron-3-Nano-30B-A3B, Nemotron-3-Nano-30B, Nemotron-Cascade-2-30B-A3B, Nemotron-Cascade-2-30B, nemotron_h_moe-31B-A3.5B"},
	{"NVIDIA-Nemotron-3-Super-120B-A12B", 123.6, 12.7, shape{hidden: 4096, vocab: 131072}, more{traits: MultiToken}, "nvidia/NVIDIA-Nemotron-3-Super-120B-A12B-BF16", "Nemotron-3-Super-120B-A12B, Nemotron-3-Super, nemotron_h_moe-120B-A12B"},
	{"NVIDIA-Nemotron-Nano-9B-v2", 8.89, 0, shape{layers: 56, hidden: 4480, heads: 40, kv: 8, headDim: 128, vocab: 131072, embeddings: apart}, more{caches: 4}, "nvidia/", "Nemotron-Nano-9B-v2"},

	{"OLMo-2-7B", 7.30, 0, shape{32, 4096, 32, 32, 128, 11008, 100352, apart}, more{}, "allenai/OLMo-2-1124-7B", "OLMo-2-1124-7B, Olmo-3-7B"},
	{"OLMo-2-13B", 13.72, 0, shape{40, 5120, 40, 40, 128, 13824, 100352, apart}, more{}, "allenai/OLMo-2-1124-13B", ""},
	{"OLMo-2-32B", 32.23, 0, shape{64, 5120, 40, 8, 128, 27648, 100352, apart}, more{}, "allenai/OLMo-2-0325-32B", "Olmo-3-32B, Olmo-3.1-32B"},
	{"OLMoE-1B-7B", 6.92, 1.28, shape{16, 2048, 16, 16, 128, 1024, 50304, apart}, more{experts: experts{all: 64, used: 8, ffn: 1024}}, "allenai/OLMoE-1B-7B-0924", ""},

	{"Granite-3-2B", 2.53, 0, shape{40, 2048, 32, 8, 64, 8192, 49155, tied}, more{}, "ibm-granite/granite-3.1-2b-instruct", "Granite-3.0-2B, Granite-3.1-2B, Granite-3.2-2B, Granite-3.3-2B"},
	{"Granite-3-8B", 8.17, 0, shape{40, 4096, 32, 8, 128, 12800, 49155, tied}, more{}, "ibm-granite/granite-3.1-8b-instruct", "Granite-3.0-8B, Granite-3.1-8B, Granite-3.2-8B, Granite-3.3-8B"},
	{"Granite-3-1B-A400M", 1.33, 0.43, shape{24, 1024, 16, 8, 64, 512, 49155, tied}, more{experts: experts{all: 32, used: 8, ffn: 512}}, "ibm-granite/granite-3.1-1b-a400m-instruct", "Granite-3.0-1B-A400M, Granite-3.1-1B-A400M"},
	{"Granite-3-3B-A800M", 3.30, 0.88, shape{32, 1536, 24, 8, 64, 512, 49155, tied}, more{experts: experts{all: 40, used: 8, ffn: 512}}, "ibm-granite/granite-3.1-3b-a800m-instruct", "Granite-3.0-3B-A800M, Granite-3.1-3B-A800M"},

	{"Granite-4.0-H-Small", 32.2, 9, shape{embeddings: tied}, more{caches: 4}, "ibm-granite/granite-4.0-h-small", "granite-4.0-h-small-32B-A9B"},
	{"Granite-4.0-H-Tiny", 6.94, 1, shape{embeddings: tied}, more{caches: 4}, "ibm-granite/granite-4.0-h-tiny", "granite-4.0-h-tiny-7B-A1B"},
	{"Granite-4.0-Micro", 3.4, 0, shape{40, 2560, 40, 8, 64, 8192, 100352, tied}, more{}, "ibm-granite/granite-4.0-micro", ""},
	{"LFM2-8B-A1B", 8.34, 1.5, shape{embeddings: tied}, more{}, "LiquidAI/", ""},
	{"LFM2.5-2.6B", 2.57, 0, shape{embeddings: tied}, more{}, "LiquidAI/", "LFM2-2.6B"},

	{"Falcon-7B", 6.92, 0, shape{32, 4544, 71, 1, 64, 18176, 65024, tied}, more{twoMatrix: true}, "tiiuae/falcon-7b", ""},
	{"Falcon-40B", 41.30, 0, shape{60, 8192, 128, 8, 64, 32768, 65024, tied}, more{twoMatrix: true}, "tiiuae/falcon-40b", ""},
	{"Falcon3-7B", 7.46, 0, shape{28, 3072, 12, 4, 256, 23040, 131072, apart}, more{}, "tiiuae/Falcon3-7B-Base", ""},
	{"Falcon3-10B", 10.31, 0, shape{40, 3072, 12, 4, 256, 23040, 131072, apart}, more{}, "tiiuae/Falcon3-10B-Base", ""},

	{"OPT-125M", 0.1252, 0, shape{12, 768, 12, 12, 64, 3072, 50272, tied}, more{twoMatrix: true, precision: "FP16"}, "facebook/opt-125m", ""},
	{"OPT-1.3B", 1.316, 0, shape{24, 2048, 32, 32, 64, 8192, 50272, tied}, more{twoMatrix: true, precision: "FP16"}, "facebook/opt-1.3b", ""},
	{"OPT-6.7B", 6.658, 0, shape{32, 4096, 32, 32, 128, 16384, 50272, tied}, more{twoMatrix: true, precision: "FP16"}, "facebook/opt-6.7b", ""},
	{"OPT-13B", 12.85, 0, shape{40, 5120, 40, 40, 128, 20480, 50272, tied}, more{twoMatrix: true, precision: "FP16"}, "facebook/opt-13b", ""},
	{"GPT-J-6B", 6.05, 0, shape{28, 4096, 16, 16, 256, 16384, 50400, apart}, more{twoMatrix: true, precision: "FP16"}, "EleutherAI/gpt-j-6b", "gptj-6b"},
	{"StarCoder2-3B", 3.03, 0, shape{30, 3072, 24, 2, 128, 12288, 49152, tied}, more{twoMatrix: true}, "bigcode/starcoder2-3b", ""},
	{"StarCoder2-7B", 7.17, 0, shape{32, 4608, 36, 4, 128, 18432, 49152, tied}, more{twoMatrix: true}, "bigcode/starcoder2-7b", ""},
	{"StarCoder2-15B", 15.96, 0, shape{40, 6144, 48, 4, 128, 24576, 49152, apart}, more{twoMatrix: true}, "bigcode/starcoder2-15b", ""},

	{"EXAONE-3.5-2.4B", 2.41, 0, shape{30, 2560, 32, 8, 80, 7168, 102400, tied}, more{}, "LGAI-EXAONE/EXAONE-3.5-2.4B-Instruct", ""},
	{"EXAONE-3.5-7.8B", 7.82, 0, shape{32, 4096, 32, 8, 128, 14336, 102400, apart}, more{}, "LGAI-EXAONE/EXAONE-3.5-7.8B-Instruct", ""},
	{"EXAONE-3.5-32B", 32.0, 0, shape{64, 5120, 40, 8, 128, 27392, 102400, apart}, more{}, "LGAI-EXAONE/EXAONE-3.5-32B-Instruct", ""},
	{"EXAONE-4.0-1.2B", 1.28, 0, shape{30, 2048, 32, 8, 64, 4096, 102400, tied}, more{}, "LGAI-EXAONE/", ""},
	{"EXAONE-4.0-32B", 32.0, 0, shape{64, 5120, 40, 8, 128, 27392, 102400, apart}, more{caches: 16}, "LGAI-EXAONE/", ""},

	{"Command-R-35B", 34.98, 0, shape{40, 8192, 64, 64, 128, 22528, 256000, tied}, more{precision: "FP16"}, "CohereForAI/c4ai-command-r-v01", "Command-R, c4ai-command-r-v01"},
	{"Command-R-08-2024", 32.30, 0, shape{40, 8192, 64, 8, 128, 24576, 256000, tied}, more{precision: "FP16"}, "CohereForAI/c4ai-command-r-08-2024", "c4ai-command-r-08-2024"},
	{"Command-R-Plus", 103.81, 0, shape{64, 12288, 96, 8, 128, 33792, 256000, tied}, more{precision: "FP16"}, "CohereForAI/c4ai-command-r-plus", "Command-R+, c4ai-command-r-plus, Command-R-Plus-104B"},
	{"Command-R7B", 8.03, 0, shape{32, 4096, 32, 8, 128, 14336, 256000, tied}, more{caches: 8}, "CohereForAI/c4ai-command-r7b-12-2024", "c4ai-command-r7b-12-2024"},
	{"Command-A", 111.06, 0, shape{64, 12288, 96, 8, 128, 36864, 256000, tied}, more{caches: 16}, "CohereForAI/c4ai-command-a-03-2025", "c4ai-command-a-03-2025, Command-A-111B"},

	{"ERNIE-4.5-0.3B", 0.361, 0, shape{18, 1024, 16, 2, 128, 3072, 103424, tied}, more{}, "baidu/ERNIE-4.5-0.3B-PT", ""},
	{"ERNIE-4.5-21B-A3B", 21.83, 3.35, shape{28, 2560, 20, 4, 128, 12288, 103424, tied}, more{experts: experts{all: 64, used: 6, ffn: 1536, shared: 3072, dense: 1}}, "baidu/ERNIE-4.5-21B-A3B-PT", ""},
	{"ERNIE-4.5-300B-A47B", 299.5, 47.0, shape{54, 8192, 64, 8, 128, 28672, 103424, apart}, more{experts: experts{all: 64, used: 8, ffn: 3584, dense: 3}}, "baidu/ERNIE-4.5-300B-A47B-PT", ""},

	{"Hunyuan-A13B", 80.39, 13.0, shape{32, 4096, 32, 8, 128, 3072, 128167, tied}, more{experts: experts{all: 64, used: 8, ffn: 3072, shared: 3072}}, "tencent/Hunyuan-A13B-Instruct", "Hunyuan-80B-A13B"},
	{"Seed-OSS-36B", 36.15, 0, shape{64, 5120, 80, 8, 128, 27648, 155136, apart}, more{}, "ByteDance-Seed/Seed-OSS-36B-Instruct", ""},
	{"LLaDA-8B", 8.02, 0, shape{32, 4096, 32, 32, 128, 12288, 126464, apart}, more{traits: Diffusion}, "GSAI-ML/LLaDA-8B-Instruct", "LLaDA-1.5, LLaDA-1.5-8B"},
	{"LLaDA2.0-mini", 16.26, 1.4, shape{hidden: 2048, vocab: 157184}, more{traits: Diffusion}, "inclusionAI/", "LLaDA2.1-mini, LLaDA2-mini"},
	{"LLaDA2.0-flash", 103, 6.1, shape{hidden: 4096, vocab: 157184}, more{traits: Diffusion}, "inclusionAI/", "LLaDA2.1-flash, LLaDA2-flash"},
	{"Dream-7B", 7.62, 0, shape{28, 3584, 28, 4, 128, 18944, 152064, apart}, more{traits: Diffusion}, "Dream-org/Dream-v0-Instruct-7B", "Dream-v0-7B"},
}
