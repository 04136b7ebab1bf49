package catalogue

var others = []row{
	{"gpt-oss-20b", 20.91, 3.61, shape{24, 2880, 64, 8, 64, 2880, 201088, apart}, more{experts: experts{all: 32, used: 4, ffn: 2880}, caches: 12, head: true, precision: "MXFP4"}, "openai/", "gptoss-20b"},
	{"gpt-oss-120b", 116.83, 5.13, shape{36, 2880, 64, 8, 64, 2880, 201088, apart}, more{experts: experts{all: 128, used: 4, ffn: 2880}, caches: 18, head: true, precision: "MXFP4"}, "openai/", "gptoss-120b"},

	{"MiniMax-M2", 228.7, 10.0, shape{62, 3072, 48, 8, 128, 0, 200064, apart}, more{experts: experts{all: 256, used: 8, ffn: 1536}, precision: "FP8"}, "MiniMaxAI/", "MiniMax-M2.1, MiniMax-M2.5"},

	{"OLMo-2-7B", 7.30, 0, shape{32, 4096, 32, 32, 128, 11008, 100352, apart}, more{}, "allenai/OLMo-2-1124-7B", "OLMo-2-1124-7B, Olmo-3-7B"},
	{"OLMo-2-13B", 13.72, 0, shape{40, 5120, 40, 40, 128, 13824, 100352, apart}, more{}, "allenai/OLMo-2-1124-13B", ""},
	{"OLMo-2-32B", 32.23, 0, shape{64, 5120, 40, 8, 128, 27648, 100352, apart}, more{}, "allenai/OLMo-2-0325-32B", "Olmo-3-32B, Olmo-3.1-32B"},
	{"OLMoE-1B-7B", 6.92, 1.28, shape{16, 2048, 16, 16, 128, 1024, 50304, apart}, more{experts: experts{all: 64, used: 8, ffn: 1024}}, "allenai/OLMoE-1B-7B-0924", ""},

	{"Granite-3-2B", 2.53, 0, shape{40, 2048, 32, 8, 64, 8192, 49155, tied}, more{}, "ibm-granite/granite-3.1-2b-instruct", "Granite-3.0-2B, Granite-3.1-2B, Granite-3.2-2B, Granite-3.3-2B"},
	{"Granite-3-8B", 8.17, 0, shape{40, 4096, 32, 8, 128, 12800, 49155, tied}, more{}, "ibm-granite/granite-3.1-8b-instruct", "Granite-3.0-8B, Granite-3.1-8B, Granite-3.2-8B, Granite-3.3-8B"},
	{"Granite-3-1B-A400M", 1.33, 0.43, shape{24, 1024, 16, 8, 64, 512, 49155, tied}, more{experts: experts{all: 32, used: 8, ffn: 512}}, "ibm-granite/granite-3.1-1b-a400m-instruct", "Granite-3.0-1B-A400M, Granite-3.1-1B-A400M"},
	{"Granite-3-3B-A800M", 3.30, 0.88, shape{32, 1536, 24, 8, 64, 512, 49155, tied}, more{experts: experts{all: 40, used: 8, ffn: 512}}, "ibm-granite/granite-3.1-3b-a800m-instruct", "Granite-3.0-3B-A800M, Granite-3.1-3B-A800M"},

	{"Falcon-7B", 6.92, 0, shape{32, 4544, 71, 1, 64, 18176, 65024, tied}, more{twoMatrix: true}, "tiiuae/falcon-7b", ""},
	{"Falcon-40B", 41.30, 0, shape{60, 8192, 128, 8, 64, 32768, 65024, tied}, more{twoMatrix: true}, "tiiuae/falcon-40b", ""},
	{"Falcon3-7B", 7.46, 0, shape{28, 3072, 12, 4, 256, 23040, 131072, apart}, more{}, "tiiuae/Falcon3-7B-Base", ""},
	{"Falcon3-10B", 10.31, 0, shape{40, 3072, 12, 4, 256, 23040, 131072, apart}, more{}, "tiiuae/Falcon3-10B-Base", ""},

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
	{"Dream-7B", 7.62, 0, shape{28, 3584, 28, 4, 128, 18944, 152064, apart}, more{traits: Diffusion}, "Dream-org/Dream-v0-Instruct-7B", "Dream-v0-7B"},
}
