package catalogue

var glm = []row{
	{"GLM-4-9B", 9.40, 0, shape{40, 4096, 32, 2, 128, 13696, 151552, apart}, more{}, "THUDM/GLM-4-9B-0414", "GLM-Z1-9B"},
	{"GLM-4-32B", 32.57, 0, shape{61, 6144, 48, 2, 128, 23040, 151552, apart}, more{}, "THUDM/GLM-4-32B-0414", "GLM-Z1-32B"},
	{"GLM-4.5", 352.8, 33.6, shape{92, 5120, 96, 8, 128, 12288, 151552, apart}, more{experts: experts{all: 160, used: 8, ffn: 1536, shared: 1536, dense: 3}, traits: MultiToken}, "zai-org/", "GLM-4.6, GLM-4.7, GLM-4.5-355B-A32B, GLM-4.6-355B-A32B"},
	{"GLM-4.5-Air", 106.85, 13.3, shape{46, 4096, 96, 8, 128, 10944, 151552, apart}, more{experts: experts{all: 128, used: 8, ffn: 1408, shared: 1408, dense: 1}, traits: MultiToken}, "zai-org/", "GLM-4.5-Air-106B-A12B, GLM-4.5-106B-A12B"},
}
