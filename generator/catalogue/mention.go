package catalogue

import (
	"path"
	"strings"
)

// Mention returns the single model that a text names among other words, such as the name of a result file:
// "Qwen3-8B-AWQ_tp2_throughput.json" names Qwen3-8B. quantization is "" if the text names none. The result is a
// guess that must be confirmed. ok is false if the text names no model or several.
func Mention(text string) (model, quantization string, ok bool) {
	if len(text) > longest {
		return "", "", false
	}
	text = strings.TrimSuffix(text, path.Ext(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-_ /:()+,@=", r) })
	const most = 9 // maximum number of words in a name
	for n := min(len(words), most); n > 0 && model == ""; n-- {
		for first := range len(words) - n + 1 {
			m, found := Find(strings.Join(words[first:first+n], "-"))
			switch {
			case !found:
			case model != "" && model != m.Name:
				return "", "", false
			default:
				model = m.Name
			}
		}
	}
	return model, Quantization(text), model != ""
}
