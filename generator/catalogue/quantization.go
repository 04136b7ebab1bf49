package catalogue

import (
	"regexp"
	"strings"
	"sync"
)

// Quantization returns the quantisation in a name, such as "Q4_K_M", "FP8" or "GPTQ-Int4", or "" if there is
// none. It is a guess: a file may have been renamed or quantised again.
func Quantization(name string) string {
	for _, q := range quantizations() {
		m := q.pattern.FindStringSubmatch(name)
		switch {
		case m == nil:
			continue
		case q.name != "":
			return q.name
		case strings.HasSuffix(strings.ToLower(m[1]), "bit"):
			return strings.ToLower(m[1])
		}
		return strings.ToUpper(m[1])
	}
	return ""
}

type quantization struct {
	pattern *regexp.Regexp
	name    string // "" means the matched text in capitals
}

// quantizations lists the quantisations in names, the more specific first.
var quantizations = sync.OnceValue(func() []quantization {
	var all []quantization
	for _, q := range []struct{ part, name string }{
		{`I?Q[1-8](?:_[0-9KX](?:_?(?:XXS|XS|XL|S|M|L|NL))?|_(?:XXS|XS|S|M|NL))`, ""}, // GGUF: Q5_K_M, Q4_0, IQ4_XS
		{`W[248]A(?:4|8|16)`, ""},
		{`NVFP4`, ""},
		{`MXFP[468]`, ""},
		{`AWQ`, ""},
		{`GPTQ[-_]?(?:W8A16|Int8|8bit)`, "GPTQ-Int8"},
		{`GPTQ(?:[-_]?(?:W4A16|Int4|4bit))?`, "GPTQ-Int4"},
		{`FP8`, ""},
		{`FP4`, ""},
		{`INT[48]`, ""},
		{`[348]bit`, ""},
		{`BF16`, ""},
		{`FP?16`, "FP16"},
	} {
		// In a name, the quantisation is between separators.
		all = append(all, quantization{regexp.MustCompile(`(?i)(?:^|[-_.:/ ])(` + q.part + `)(?:$|[-_.:/ ])`), q.name})
	}
	return all
})
