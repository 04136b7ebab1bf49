package llamacpp

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/shell"
)

// program is a program whose command names a model without a flag: "ollama run --verbose qwen3:8b".
type program struct {
	command  string   // "ollama run "
	switches []string // flags without a value
}

var (
	ollamaRun = program{"ollama run ", []string{"--verbose", "--insecure", "--nowordwrap", "--hidethinking", "--truncate", "--experimental"}}
	lmsChat   = program{"lms chat ", []string{"--stats", "--yes", "-y", "--dont-fetch-catalog"}}
)

// modelIn returns the model that a line names in a command of the program. Named is also true without a model: the
// command has a placeholder for the reader to replace, or the line is prose. In prose, the word after the command is a
// model only if it looks like one.
func (p program) modelIn(line []byte) (model string, named bool) {
	i := bytes.LastIndex(line, []byte(p.command))
	if i < 0 {
		return "", false
	}
	before := bytes.TrimRight(line[:i], " \t")
	if last, _ := utf8.DecodeLastRune(line[:i]); i > 0 && (unicode.IsLetter(last) || last == '-') {
		return "", false // another program, as "films chat "
	}
	rest, _, _ := bytes.Cut(line[i+len(p.command):], []byte{'`'})
	word, rest := shell.Word(rest)
	for ; bytes.HasPrefix(word, []byte{'-'}); word, rest = shell.Word(rest) {
		if bytes.IndexByte(word, '=') < 0 && !slices.Contains(p.switches, string(word)) {
			_, rest = shell.Word(rest)
		}
	}
	model = strings.Trim(string(word), `'".,:;)`)
	if strings.ContainsAny(model, "$<>{}[]|*") {
		return "", true
	}
	next, _ := shell.Word(rest)
	isCommand := len(before) == 0 || bytes.IndexByte([]byte("$>#%`;&"), before[len(before)-1]) >= 0
	if !looksLikeModel(model) && !(isCommand && (len(next) == 0 || bytes.IndexByte([]byte(`-'"<>|&;2`), next[0]) >= 0)) {
		return "", true
	}
	return model, true
}

// looksLikeModel reports whether a word is not a common one: it has a version, a size or an owner.
func looksLikeModel(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return strings.ContainsAny(word, ":/") || unicode.IsLetter(first) && strings.ContainsAny(word, "0123456789")
}
