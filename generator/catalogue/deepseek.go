package catalogue

// DeepSeek and models with its architecture.
var deepseek = []row{
	{"DeepSeek-V2-Lite", 15.71, 2.66, shape{27, 2048, 16, 0, 0, 10944, 102400, apart}, more{experts: experts{all: 64, used: 6, ffn: 1408, shared: 2816, dense: 1}, latent: latent{0, 512, 128, 64, 128}}, "deepseek-ai/", "DeepSeek-Coder-V2-Lite, DeepSeek-V2-16B, deepseek2-16B, DeepSeek-Coder-V2-16B"},
	{"DeepSeek-V2", 235.74, 21.38, shape{60, 5120, 128, 0, 0, 12288, 102400, apart}, more{experts: experts{all: 160, used: 6, ffn: 1536, shared: 3072, dense: 1}, latent: latent{1536, 512, 128, 64, 128}}, "deepseek-ai/", "DeepSeek-V2.5, DeepSeek-Coder-V2, DeepSeek-V2-236B, deepseek2-236B"},
	{"DeepSeek-V3", 671.03, 37.55, shape{61, 7168, 128, 0, 0, 18432, 129280, apart}, more{experts: experts{all: 256, used: 8, ffn: 2048, shared: 2048, dense: 3}, latent: latent{1536, 512, 128, 64, 128}, precision: "FP8", traits: MultiToken}, "deepseek-ai/",
		"DeepSeek-R1, DeepSeek-V3.1, DeepSeek-V3.1-Terminus, DeepSeek-V3.2, DeepSeek-V3.2-Exp, DeepSeek-R1-671B, DeepSeek-V3-671B, deepseek-r1:671b, deepseek2-671B, DeepSeek-R1-Zero, DeepSeek-Prover-V2-671B"},
	{"Moonlight-16B-A3B", 15.96, 2.91, shape{27, 2048, 16, 0, 0, 11264, 163840, apart}, more{experts: experts{all: 64, used: 6, ffn: 1408, shared: 2816, dense: 1}, latent: latent{0, 512, 128, 64, 128}}, "moonshotai/Moonlight-16B-A3B-Instruct", ""},
	{"Kimi-K2", 1026.4, 32.86, shape{61, 7168, 64, 0, 0, 18432, 163840, apart}, more{experts: experts{all: 384, used: 8, ffn: 2048, shared: 2048, dense: 1}, latent: latent{1536, 512, 128, 64, 128}, precision: "FP8"}, "moonshotai/Kimi-K2-Instruct", "Kimi-K2-1T-A32B"},
	{"Kimi-K2.5", 1026.8, 32.86, shape{61, 7168, 64, 0, 0, 18432, 163840, apart}, more{experts: experts{all: 384, used: 8, ffn: 2048, shared: 2048, dense: 1}, latent: latent{1536, 512, 128, 64, 128}, unread: 0.4, precision: "INT4", traits: Vision}, "moonshotai/", "Kimi-K2.6"},
	{"DeepSeek-V4-Flash", 284, 13, shape{hidden: 4096, vocab: 129280}, more{precision: "FP8", traits: MultiToken}, "deepseek-ai/", "DeepSeek-V4-Flash-284B-A13B"},
	{"dots.llm1", 142.8, 14.0, shape{62, 4096, 32, 32, 128, 10944, 152064, apart}, more{experts: experts{all: 128, used: 6, ffn: 1408, shared: 2816, dense: 1}}, "rednote-hilab/dots.llm1.inst", "dots.llm1.inst, dots1-142B"},
}
