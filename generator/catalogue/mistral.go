package catalogue

var mistral = []row{
	{"Mistral-7B", 7.248, 0, shape{32, 4096, 32, 8, 128, 14336, 32768, apart}, more{}, "mistralai/Mistral-7B-v0.3", "Mistral-7B-v0.1, Mistral-7B-v0.2, Mistral-7B-v0.3, OpenHermes-2.5-Mistral-7B, zephyr-7b-beta, Mistral-7B-Instruct-v0.1, Mistral-7B-Instruct-v0.2, Mistral-7B-Instruct-v0.3"},
	{"Mixtral-8x7B", 46.70, 12.88, shape{32, 4096, 32, 8, 128, 14336, 32000, apart}, more{experts: experts{all: 8, used: 2, ffn: 14336}}, "mistralai/Mixtral-8x7B-v0.1", "Mixtral-8x7B-v0.1"},
	{"Mixtral-8x22B", 140.63, 39.16, shape{56, 6144, 48, 8, 128, 16384, 32768, apart}, more{experts: experts{all: 8, used: 2, ffn: 16384}}, "mistralai/Mixtral-8x22B-v0.1", "Mixtral-8x22B-v0.1"},
	{"Mistral-Nemo-12B", 12.25, 0, shape{40, 5120, 32, 8, 128, 14336, 131072, apart}, more{}, "mistralai/Mistral-Nemo-Instruct-2407", "Mistral-Nemo, Mistral-NeMo-12B"},
	{"Mistral-Small-22B", 22.25, 0, shape{56, 6144, 48, 8, 128, 16384, 32768, apart}, more{}, "mistralai/Mistral-Small-Instruct-2409", "Codestral-22B, Codestral-22B-v0.1"},
	{"Mistral-Small-24B", 23.57, 0, shape{40, 5120, 32, 8, 128, 32768, 131072, apart}, more{}, "mistralai/Mistral-Small-24B-Instruct-2501", "Devstral-Small, Devstral-Small-24B"},
	{"Mistral-Small-3.1-24B", 24.01, 0, shape{40, 5120, 32, 8, 128, 32768, 131072, apart}, more{unread: 0.44, traits: Vision}, "mistralai/Mistral-Small-3.1-24B-Instruct-2503", "Mistral-Small-3.2-24B, Magistral-Small"},
	{"Mistral-Large-123B", 122.61, 0, shape{88, 12288, 96, 8, 128, 28672, 32768, apart}, more{}, "mistralai/Mistral-Large-Instruct-2411", "Mistral-Large"},
	{"Ministral-8B", 8.02, 0, shape{36, 4096, 32, 8, 128, 12288, 131072, apart}, more{caches: 9}, "mistralai/Ministral-8B-Instruct-2410", ""},
	{"Ministral-3-3B", 3.85, 0, shape{26, 3072, 32, 8, 128, 9216, 131072, tied}, more{unread: 0.42, precision: "FP8", traits: Vision}, "mistralai/Ministral-3-3B-Instruct-2512", "mistral3-3B"},
	{"Ministral-3-8B", 8.92, 0, shape{34, 4096, 32, 8, 128, 14336, 131072, apart}, more{unread: 0.43, precision: "FP8", traits: Vision}, "mistralai/Ministral-3-8B-Instruct-2512", "mistral3-8B"},
	{"Ministral-3-14B", 13.95, 0, shape{40, 5120, 32, 8, 128, 16384, 131072, apart}, more{unread: 0.44, precision: "FP8", traits: Vision}, "mistralai/Ministral-3-14B-Instruct-2512", "mistral3-14B"},
	{"Mistral-Small-4-119B", 119, 6.5, shape{hidden: 4096, vocab: 131072}, more{precision: "FP8", traits: Vision}, "mistralai/Mistral-Small-4-119B-2603", "Mistral-Small-4"},
	{"Mistral-Large-3-675B", 675, 41, shape{hidden: 7168, vocab: 131072}, more{precision: "FP8", traits: Vision}, "mistralai/Mistral-Large-3-675B-Instruct-2512", "Mistral-Large-3"},
	{"Devstral-2-123B", 125, 0, shape{88, 12288, 96, 8, 128, 28672, 131072, apart}, more{precision: "FP8"}, "mistralai/Devstral-2-123B-Instruct-2512", "Devstral-2"},
	{"Devstral-Small-2-24B", 24.01, 0, shape{40, 5120, 32, 8, 128, 32768, 131072, apart}, more{unread: 0.44, precision: "FP8", traits: Vision}, "mistralai/Devstral-Small-2-24B-Instruct-2512", "Devstral-Small-2"},
}
