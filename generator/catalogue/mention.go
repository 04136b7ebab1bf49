package catalogue

import (
	"path"
	"strings"
)

// Mention returns the model that a text names among other words, as the name of a
// file of results does: "Qwen3-8B-AWQ_tp2_throughput.json" names Qwen3-8B. The
// quantisation is "" where the text has none. It is a guess to be confirmed, and
// ok only when the text names a single model.
func Mention(text string) (model, quantization string, ok bool) {
	if len(text) > longest {
		return "", "", false
	}
	text = strings.TrimSuffix(text, path.Ext(text))
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("-_ /:()+,@=", r) })
	const most = 9 // words of a name
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
