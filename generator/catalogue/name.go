package catalogue

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// key reduces a name to the words that distinguish models: "Qwen/Qwen3-8B-Instruct-GGUF:Q4_K_M" and "qwen3:8b"
// both become "qwen 3 8b".
func key(name string) string {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "+", " plus ")
	for _, suffix := range []string{".gguf", ".safetensors", ".bin", ".log", ".json", ".jsonl", ".txt"} {
		name = strings.TrimSuffix(name, suffix)
	}
	name = strings.TrimRight(name, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("-_ .:(),@", r) })
	words = withoutPart(withoutQuantization(words))
	var kept []string
	for _, word := range words {
		if slices.Contains(harmless, word) || isDate(word) {
			continue
		}
		if letters := leading(word, isLetter); letters >= 3 && letters < len(word) && isDigit(word[letters]) { // qwen3
			kept = append(kept, word[:letters])
			if word = strings.TrimSuffix(word[letters:], "moe"); word == "" { // qwen3moe in llama.cpp
				continue
			}
		}
		kept = append(kept, word)
	}
	return strings.Join(kept, " ")
}

func withoutWord(key, word string) string {
	words := strings.Fields(key)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == word }), " ")
}

// harmless lists the words that change neither the size of a model nor the part that is read for a token.
var harmless = strings.Fields(`
	instruct chat it base pt hf latest thinking reasoning preview original text model models
	gguf ggml mlx onnx exl2 exl3 hqq autoround imatrix ud qat ov openvino
	awq gptq marlin bnb quantized quant dynamic static fp8kv smoothquant compressed tensors ar sym asym g32 g64 g128
	bf16 fp16 f16 bf32 fp32 f32 fp4 fp6 fp8 mxfp4 mxfp6 mxfp8 nvfp4 int4 int8 uint4 uint8 nf4
	meta google microsoft ibm mistralai unsloth bartowski thebloke community lmstudio redhatai neuralmagic nvidia
	abliterated uncensored heretic`)

// withoutQuantization removes quantisations that are not single words of harmless: Q4_K_M, Q4_K - Medium,
// 4-bit, W4A16.
func withoutQuantization(words []string) []string {
	var kept []string
	for i := 0; i < len(words); i++ {
		word := words[i]
		switch {
		case isBlocks(word):
			for i+1 < len(words) && slices.Contains(blockWords, words[i+1]) {
				i++
			}
		case isBits(word):
		case len(word) == 1 && isDigit(word[0]) && i+1 < len(words) && (words[i+1] == "bit" || words[i+1] == "bits"):
			i++
		default:
			kept = append(kept, word)
		}
	}
	return kept
}

// isBlocks reports whether a word begins a quantisation of GGUF: q4, iq3, tq1.
func isBlocks(word string) bool {
	rest, ok := strings.CutPrefix(strings.TrimPrefix(strings.TrimPrefix(word, "i"), "t"), "q")
	return ok && len(rest) == 1 && isDigit(rest[0])
}

var blockWords = strings.Fields("0 1 k p xxs xs s m l xl nl small medium large")

// isBits reports whether a word has the form of 4bit or w4a16.
func isBits(word string) bool {
	n := leading(word, isDigit)
	if n > 0 && (word[n:] == "bit" || word[n:] == "bits") {
		return true
	}
	weights, activations, ok := strings.Cut(strings.TrimPrefix(word, "w"), "a")
	return ok && word[0] == 'w' && isNumber(weights) && isNumber(activations)
}

// withoutPart removes "00001-of-00002" from the name of a model in several files.
func withoutPart(words []string) []string {
	if n := len(words); n >= 3 && words[n-2] == "of" && len(words[n-1]) == 5 && isNumber(words[n-1]) && isNumber(words[n-3]) {
		return words[:n-3]
	}
	return words
}

// isDate reports whether a word is a date such as 2507, 0324 or 20250101.
func isDate(word string) bool {
	if !isNumber(word) || len(word) != 4 && len(word) != 8 {
		return false
	}
	return word[:2] <= "26" && (len(word) == 8 || word[2] <= '3')
}

func isNumber(word string) bool { return word != "" && leading(word, isDigit) == len(word) }
func isDigit(c byte) bool       { return '0' <= c && c <= '9' }
func isLetter(c byte) bool      { return 'a' <= c && c <= 'z' }

// leading returns the number of bytes at the beginning of a word for which of returns true.
func leading(word string, of func(byte) bool) int {
	n := 0
	for n < len(word) && of(word[n]) {
		n++
	}
	return n
}

// soundsLikeMixture reports whether a name has a mark of a mixture of experts, or belongs to a family of
// mixtures.
func soundsLikeMixture(name string) bool {
	name = strings.ToLower(name)
	return mixturePattern().MatchString(name) && !strings.Contains(name, "distill") // DeepSeek-R1-Distill-… are dense
}

var mixturePattern = lazy.Regexp(strings.Join([]string{
	`(?:^|[-_./: ])a\d+(?:\.\d+)?[bm](?:$|[-_./: ])`, // A3B, a400m
	`\d+x\d+(?:\.\d+)?b`,                             // 8x7B
	`\d+b\d*e(?:$|[-_./: ])`,                         // 17B-16E
	`(?:^|[^a-z])moe(?:$|[^a-z])|olmoe|qwen\d(?:\.\d)?moe`,
	`gpt-?oss`, `mixtral`, `dbrx`, `grok`,
	`deepseek[-_ ]?(?:v[234]|r1)(?:$|[-_./: ])`, `kimi[-_ ]?k\d`,
	`glm-?(?:4\.[5-9]|[5-9])`, `minimax`, `llama-?4`, `mistral-(?:large-3|small-4)`, `qwen3-(?:coder-)?next`,
	`dots\.?llm`, `step-?3`, `llada2`, `jamba`, `kimi-linear`, `ernie-?4\.5-(?:vl-)?(?:21|28|300|424)b`, `hunyuan-a\d`, `snowflake-arctic`,
}, "|"))
