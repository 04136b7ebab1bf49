package importer

import (
	"path"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

var (
	// modelToken is a run of characters that may be a model's name or path.
	modelToken = lazy.Regexp(`[A-Za-z0-9~./][\w./+-]*[A-Za-z0-9]`)
	// modelSize matches a name with a number of parameters: 8B, 8x7B, 0.6b, 125m.
	modelSize = lazy.Regexp(`(?i)^[a-z].*[-_.a-z](?:\d+x)?\d+(?:\.\d+)?b(?:$|[-_.])`)
	// modelFamily matches the beginning of names that need not contain a size.
	modelFamily = lazy.Regexp(`(?i)^(?:meta-?llama|codellama|tinyllama|llama|qwen|qwq|qvq|deepseek|mistral|mixtral|ministral|codestral|devstral|magistral|pixtral|codegemma|gemma|phi|gpt-oss|gpt-?[2j]|chatglm|glm|kimi|minimax|internlm|internvl|yi|baichuan|falcon|granite|nemotron|olmo|command-r|starcoder|stablelm|smollm|vicuna|opt|bloom|minicpm|hunyuan|ernie|seed-oss|exaone|jamba|grok|dbrx|mimo|longcat)(?:[-_.]|\d|v\d)`)
	// modelSpaced is a name written with spaces: "Llama 3.1 8B Instruct".
	modelSpaced = lazy.Regexp(`(?i)\b(?:code ?llama|llama|qwen|deepseek|mistral|mixtral|gemma|phi|glm|kimi|granite|falcon|nemotron)(?: ?v?\d+(?:\.\d+)*\b)?(?: (?:\d+x)?\d+(?:\.\d+)?[BM]\b)?(?: A\d+(?:\.\d+)?B\b)?(?: (?:instruct|chat|coder|base|thinking|distill|it|air|small|large|medium|mini)\b)*`)
	hasDigit    = lazy.Regexp(`\d`)
)

// isModel reports whether a name without its path is a model's name. It is if the name contains a size such as 8B, or
// if it begins with a known family and continues with more than a number. "qwen3" is a family, or a name that a server
// was configured to use.
func isModel(name string) bool {
	return modelSize().MatchString(name) ||
		modelFamily().MatchString(name) && hasDigit().MatchString(name) && strings.ContainsAny(name, "-_")
}

// modelsIn finds the models named in a title and returns the words without them.
func modelsIn(text string) ([]facet, string) {
	var found []facet
	rest := modelToken().ReplaceAllStringFunc(text, func(token string) string {
		if name := modelName(token); isModel(name) {
			found = append(found, facet{label: "model", value: name, raw: token})
			return " "
		}
		return token
	})
	if found == nil {
		if m := strings.TrimSpace(modelSpaced().FindString(rest)); hasDigit().MatchString(m) && strings.Contains(m, " ") {
			found = append(found, facet{label: "model", value: m, raw: m})
			rest = strings.Replace(rest, m, " ", 1)
		}
	}
	return found, rest
}

// modelName returns the last element of a path or repository id, without .gguf.
func modelName(raw string) string {
	name := path.Base(strings.TrimRight(raw, "/"))
	if len(name) > 5 && strings.EqualFold(name[len(name)-5:], ".gguf") {
		name = name[:len(name)-5]
	}
	return name
}

// placeholder reports whether a value is still to be filled in.
func placeholder(value string) bool { return value == "" || strings.ContainsAny(value, "$<>{}*") }

// extends reports whether name a is a longer form of name b, as Qwen2.5-VL-72B-Instruct is of Qwen2.5VL-72B.
func extends(a, b string) bool {
	a, b = letters(a), letters(b)
	return len(a) > len(b) && strings.HasPrefix(a, b)
}

// letters reduces a name to the letters and digits by which names are compared.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if isWordRune(r) {
			return r
		}
		return -1
	}, strings.ToLower(s))
}

// quantizations are tried on a model's name in this order: methods before the data types that they use.
var quantizations = []func() *lazy.Pattern{
	lazy.Regexp(`(?i)(?:^|[-_. /(])(I?Q\d_(?:K_)?[A-Z0-9]+)(?:$|[-_. )])`),
	lazy.Regexp(`(?i)(?:^|[-_. /(])(W\d{1,2}A\d{1,2})(?:$|[-_. )])`),
	lazy.Regexp(`(?i)(?:^|[-_. /(])((?:GPTQ|AWQ|BNB|AutoRound)[-_ ]?(?:Int|W)?[2-8](?:[-_ ]?bits?)?)(?:$|[-_. )])`),
	lazy.Regexp(`(?i)(?:^|[-_. /(])(GPTQ|AWQ|NVFP4|MXFP4|GGUF|BF16|FP16|F16|FP8|FP4|INT8|INT4|NF4)(?:$|[-_. )])`),
	lazy.Regexp(`(?i)(?:^|[-_. /(])([48]-?bit)(?:$|[-_. )])`),
}

// quantizationIn returns the quantization in a model's name, "" if there is none.
func quantizationIn(name string) string {
	for _, re := range quantizations {
		if m := re().FindStringSubmatch(name); m != nil {
			return quantizationName(m[1])
		}
	}
	return ""
}

var methodBits = lazy.Regexp(`^(GPTQ|AWQ|BNB|AUTOROUND)[-_ ]?(INT|W)?([2-8])(?:[-_ ]?BITS?)?$`)

// quantizationName converts a quantization to its usual spelling: GPTQ-Int4, AWQ-4bit, W4A16, Q5_K_M.
func quantizationName(s string) string {
	upper := strings.ToUpper(s)
	if m := methodBits().FindStringSubmatch(upper); m != nil {
		method := strings.Replace(m[1], "AUTOROUND", "AutoRound", 1)
		if m[2] == "INT" {
			return method + "-Int" + m[3]
		}
		return method + "-" + m[3] + "bit"
	}
	switch upper {
	case "INT4", "INT8":
		return "Int" + upper[3:]
	case "4BIT", "8BIT", "4-BIT", "8-BIT":
		return upper[:1] + "bit"
	case "F16":
		return "FP16"
	}
	return upper
}
