package llamacpp

import (
	"fmt"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
)

// TestLlamaTestNames checks what was measured according to the name of a test. Other names are not rows.
func TestLlamaTestNames(t *testing.T) {
	for cell, want := range map[string]string{
		"pp512":                  "prefill_throughput in=512 out= depth= c=",
		"tg 128":                 "decode_throughput in= out=128 depth= c=",
		"pp 512+tg 128":          "total_throughput in=512 out=128 depth= c=",
		"pp1024+tg64 @ d8192":    "total_throughput in=1024 out=64 depth=8192 c=",
		"tg64@pp512":             "decode_throughput in= out=64 depth=512 c=",
		"pp2048 @ d4096 (c12)":   "prefill_throughput in=2048 out= depth=4096 c=12",
		"ctx_pp @ d4096":         "prefill_throughput in=4096 out= depth= c=",
		"ctx_tg @ d4096 (c2)":    "decode_throughput in= out= depth=4096 c=2",
		"pp512tg128":             "none",
		"+tg128":                 "none",
		"":                       "none",
		"test":                   "none",
		"xx512":                  "none",
		"pp512 @ 8192":           "none",
		"pp512 and a word":       "none",
		"tg128 (c)":              "none",
		"embeddings pp512":       "none",
		"pp512 @ d4096 @ d8192 ": "none",
	} {
		test, ok := draft.ParseSpeedTest(cell)
		got := "none"
		if ok {
			got = fmt.Sprintf("%s in=%s out=%s depth=%s c=%s", test.Metric(), test.Prompt, test.Gen, test.Depth, test.Concurrency)
		}
		if got != want {
			t.Errorf("%q is %s, not %s", cell, got, want)
		}
	}
}

// TestLlamaQuantization checks the quantization from the file type in llama.cpp's description of a model.
func TestLlamaQuantization(t *testing.T) {
	for description, want := range map[string]string{
		"llama 7B Q4_0":                  "Q4_0",
		"llama 7B mostly Q5_1":           "Q5_1",
		"llama 1B Q4_K - Medium":         "Q4_K_M",
		"qwen2 7B Q3_K - Large":          "Q3_K_L",
		"qwen2 7B Q2_K - Medium":         "Q2_K",
		"qwen2 7B Q2_K - Small":          "Q2_K_S",
		"granite 3B IQ4_XS - 4.25 bpw":   "IQ4_XS",
		"llama 8B IQ3_S mix - 3.66 bpw":  "IQ3_M",
		"bitnet 3B TQ1_0 - 1.69 bpw":     "TQ1_0",
		"gpt-oss 20B MXFP4 MoE":          "MXFP4",
		"qwen3moe 30B.A3B Q6_K":          "Q6_K",
		"deepseek2 671B IQ4_K_R4":        "IQ4_K_R4",
		"gemma3 4B BF16":                 "BF16",
		"llama 13B all F32":              "F32",
		"qwen3 ?B unknown, may not work": "",
		"Qwen3 8B":                       "",
	} {
		if got := llamaQuantization(description); got != want {
			t.Errorf("%q is %q, not %q", description, got, want)
		}
	}
}
