package draft

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/shell"
)

// A page also has commands in its sentences: "I ran `llama-bench -fa 1`:", "try llama-bench -ngl 0 if it is slow". A
// command in a sentence counts as executed if the sentence ends with it and does not give advice.

// commandIn returns the flags of a command in a line. begin is the start of the program, end the end of its name. ok is
// false for a sentence that only mentions a command.
func commandIn(line []byte, begin, end int) (flags []byte, ok bool) {
	before, flags := line[:begin], line[end:]
	rest := []byte(nil)
	switch {
	case bytes.Count(before, []byte("`"))%2 == 1:
		flags, rest, _ = bytes.Cut(flags, []byte("`"))
	case bytes.Count(before, []byte("**"))%2 == 1:
		flags, rest, _ = bytes.Cut(flags, []byte("**"))
	}
	if i := bytes.LastIndexAny(before, ";&|"); i >= 0 { // "for m in *.gguf; do"
		before = before[i+1:]
	}
	if !hasWord(before, ofSentences) && !hasWord(before, ofAdvice) {
		return bytes.TrimRight(flags, ": \t"), true
	}
	flags = bytes.TrimRight(flags, ".,:; \t")
	return flags, !hasWord(before, ofAdvice) && !bytes.ContainsFunc(rest, unicode.IsLetter) && areFlags(flags)
}

// hasWord reports whether a text contains a word of a list. A name with other characters, such as a file name, is one
// word.
func hasWord(text []byte, list []string) bool {
	for len(text) > 0 {
		n := bytes.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("'-/.=_", r) })
		if n < 0 {
			n = len(text)
		}
		for _, word := range list {
			if len(word) == n && strings.EqualFold(word, string(text[:n])) {
				return true
			}
		}
		text = text[min(n+1, len(text)):]
	}
	return false
}

// areFlags reports whether a text consists only of flags and their values.
func areFlags(text []byte) bool {
	wasFlag := false
	for {
		word, behind := shell.Word(text)
		isFlag := bytes.HasPrefix(word, []byte("-"))
		switch {
		case word == nil:
			return true
		case !isFlag && !wasFlag && word[0] != '\\':
			return false
		}
		wasFlag, text = isFlag, behind
	}
}

var (
	ofAdvice = []string{"if", "when", "you", "your", "should", "would", "could", "can", "may", "try", "please", "instead", "than", "not", "don't", "without", "unlike"}

	ofSentences = []string{"i", "we", "my", "the", "of", "with", "and", "is", "it", "this", "that", "these", "was", "were", "ran", "using", "used", "use", "by",
		"for", "from", "to", "in", "on", "as", "are", "here", "results"}
)
