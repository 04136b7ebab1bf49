package catalogue

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// key reduces a name to the words that tell one model from another:
// "Qwen/Qwen3-8B-Instruct-GGUF:Q4_K_M" and "qwen3:8b" are both "qwen 3 8b".
func key(name string) string {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "+", " plus ")
	for _, suffix := range []string{".gguf", ".safetensors", ".bin", ".log", ".json", ".jsonl", ".txt"} {
		name = strings.TrimSuffix(name, suffix)
	}
	p := patterns()
	name = p.part.ReplaceAllString(name, "")
	name = strings.TrimRight(name, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	for range 2 { // a name may tell two: FP8-Q8_0
		name = p.quantization.ReplaceAllString(name, " ")
	}
	var words []string
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_ .:(),@", r) }) {
		if slices.Contains(harmless, word) || p.date.MatchString(word) {
			continue
		}
		if m := p.numbered.FindStringSubmatch(word); m != nil {
			words = append(words, m[1])
			if word = strings.TrimSuffix(m[2], "moe"); word == "" { // qwen3moe of llama.cpp
				continue
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

func withoutWord(key, word string) string {
	words := strings.Fields(key)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == word }), " ")
}

// harmless are the words that change neither the size of a model nor what a
// token reads of it.
var harmless = strings.Fields(`
	instruct chat it base pt hf latest thinking reasoning preview original text model models
	gguf ggml mlx onnx exl2 exl3 hqq autoround imatrix ud qat ov openvino
	awq gptq marlin bnb quantized quant dynamic static fp8kv smoothquant compressed tensors ar sym asym g32 g64 g128
	meta google microsoft ibm mistralai unsloth bartowski thebloke community lmstudio redhatai neuralmagic nvidia
	abliterated uncensored heretic`)

type namePatterns struct{ part, quantization, date, numbered *regexp.Regexp }

var patterns = sync.OnceValue(func() namePatterns {
	return namePatterns{
		// One of the files of a model.
		part: regexp.MustCompile(`-0\d{4}-of-0\d{4}`),
		// As GGUF, its kin and llama-bench write them.
		quantization: regexp.MustCompile(`(?:^|[-_.: /(])(?:` +
			`i?q[1-9](?:[-_](?:[01]|k|p|xxs|xs|s|m|l|xl|nl))*(?:[ _-]+(?:small|medium|large)\b)?` +
			`|tq[12]_0|(?:bf|fp|f)(?:16|32)|(?:mx|nv)?fp[468]|w\d{1,2}a\d{1,2}|u?int[48]|nf4|[23468][- ]?bits?)(?:$|[-_.: /)])`),
		// 2507, 0324, 20250101
		date:     regexp.MustCompile(`^(?:[01]\d|2[0-6])(?:[0-3]\d|\d{6})$`),
		numbered: regexp.MustCompile(`^([a-z]{3,})(\d.*)$`),
	}
})

// soundsLikeMixture reports whether a name has the marks of a mixture of
// experts, or is of a family that is one throughout.
func soundsLikeMixture(name string) bool {
	name = strings.ToLower(name)
	return mixturePattern().MatchString(name) && !strings.Contains(name, "distill") // DeepSeek-R1-Distill-… are dense
}

var mixturePattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(strings.Join([]string{
		`(?:^|[-_./: ])a\d+(?:\.\d+)?[bm](?:$|[-_./: ])`, // A3B, a400m
		`\d+x\d+(?:\.\d+)?b`,                             // 8x7B
		`\d+b\d*e(?:$|[-_./: ])`,                         // 17B-16E
		`(?:^|[^a-z])moe(?:$|[^a-z])|olmoe|qwen\d(?:\.\d)?moe`,
		`gpt-?oss`, `mixtral`, `dbrx`, `grok`,
		`deepseek[-_ ]?(?:v[234]|r1)(?:$|[-_./: ])`, `kimi[-_ ]?k\d`,
		`glm-?(?:4\.[5-9]|[5-9])`, `minimax`, `llama-?4`, `mistral-(?:large-3|small-4)`, `qwen3-(?:coder-)?next`,
		`dots\.?llm`, `step-?3`, `llada2`, `jamba`, `kimi-linear`, `ernie-?4\.5-(?:vl-)?(?:21|28|300|424)b`, `hunyuan-a\d`, `snowflake-arctic`,
	}, "|"))
})
