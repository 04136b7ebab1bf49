package catalogue

var phi = []row{
	{"Phi-2", 2.78, 0, shape{32, 2560, 32, 32, 80, 10240, 51200, apart}, more{twoMatrix: true, precision: "FP16"}, "microsoft/phi-2", "Phi-2-2.7B"},
	{"Phi-3-mini", 3.821, 0, shape{32, 3072, 32, 32, 96, 8192, 32064, apart}, more{}, "microsoft/Phi-3-mini-4k-instruct", "Phi-3-mini-4k, Phi-3-mini-128k, Phi-3.5-mini, Phi-3.5-3.8B, Phi-3-3.8B"},
	{"Phi-3-medium", 13.96, 0, shape{40, 5120, 40, 10, 128, 17920, 32064, apart}, more{}, "microsoft/Phi-3-medium-4k-instruct", "Phi-3-medium-4k, Phi-3-medium-128k, Phi-3-14B"},
	{"Phi-3.5-MoE", 41.87, 6.64, shape{32, 4096, 32, 8, 128, 6400, 32064, apart}, more{experts: experts{all: 16, used: 2, ffn: 6400}}, "microsoft/Phi-3.5-MoE-instruct", ""},
	{"Phi-4", 14.66, 0, shape{40, 5120, 40, 10, 128, 17920, 100352, apart}, more{}, "microsoft/phi-4", "Phi-4-14B, Phi-4-reasoning, Phi-4-reasoning-plus"},
	{"Phi-4-mini", 3.836, 0, shape{32, 3072, 24, 8, 128, 8192, 200064, tied}, more{}, "microsoft/Phi-4-mini-instruct", "Phi-4-mini-3.8B"},
}
