package catalogue

var glm = []row{
	{"GLM-4-9B", 9.40, 0, shape{40, 4096, 32, 2, 128, 13696, 151552, apart}, more{}, "THUDM/GLM-4-9B-0414", "GLM-Z1-9B"},
	{"GLM-4-32B", 32.57, 0, shape{61, 6144, 48, 2, 128, 23040, 151552, apart}, more{}, "THUDM/GLM-4-32B-0414", "GLM-Z1-32B"},
	{"GLM-4.5", 352.8, 33.6, shape{92, 5120, 96, 8, 128, 12288, 151552, apart}, more{experts: experts{all: 160, used: 8, ffn: 1536, shared: 1536, dense: 3}, traits: MultiToken}, "zai-org/", "GLM-4.6, GLM-4.7, GLM-4.5-355B-A32B, GLM-4.6-355B-A32B, glm4moe-355B-A32B"},
	{"GLM-4.5-Air", 106.85, 13.3, shape{46, 4096, 96, 8, 128, 10944, 151552, apart}, more{experts: experts{all: 128, used: 8, ffn: 1408, shared: 1408, dense: 1}, traits: MultiToken}, "zai-org/", "GLM-4.5-Air-106B-A12B, GLM-4.5-106B-A12B, glm4moe-106B-A12B"},
	{"GLM-4.6V", 107.7, 13.3, shape{46, 4096, 96, 8, 128, 10944, 151552, apart}, more{experts: experts{all: 128, used: 8, ffn: 1408, shared: 1408, dense: 1}, unread: 0.85, traits: Vision}, "zai-org/", "GLM-4.5V"},
	{"GLM-4.7-Flash", 29.94, 3.90, shape{47, 2048, 20, 0, 0, 10240, 154880, apart}, more{experts: experts{all: 64, used: 4, ffn: 1536, shared: 1536, dense: 1}, latent: latent{768, 512, 192, 64, 256}, traits: MultiToken}, "zai-org/", "deepseek2-30B-A3B"},
	{"GLM-5", 744, 40, shape{hidden: 6144, vocab: 154880}, more{traits: MultiToken}, "zai-org/", "GLM-5.1"},
}
