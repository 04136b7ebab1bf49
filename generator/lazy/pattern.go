package lazy

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Pattern is a regular expression that quickly skips texts without a match. If every match must contain one of
// a few words, a text without any of these words is not searched.
type Pattern struct {
	*regexp.Regexp
	words []string // every match contains one of them; nil if unknown
}

const (
	leastWord = 2 // minimum length of a word in bytes
	mostWords = 4
)

func newPattern(expr string) *Pattern {
	p := &Pattern{Regexp: regexp.MustCompile(expr)}
	if tree, err := syntax.Parse(expr, syntax.Perl); err == nil {
		p.words = wordsOf(tree.Simplify())
	}
	return p
}

// wordsOf returns words of which every match contains at least one, nil if there are no such words.
func wordsOf(tree *syntax.Regexp) []string {
	switch tree.Op {
	case syntax.OpLiteral:
		if word := string(tree.Rune); tree.Flags&syntax.FoldCase == 0 && len(word) >= leastWord && !strings.ContainsRune(word, utf8.RuneError) {
			return []string{word}
		}
	case syntax.OpCapture, syntax.OpPlus:
		return wordsOf(tree.Sub[0])
	case syntax.OpConcat:
		var best []string
		for _, part := range tree.Sub {
			if words := wordsOf(part); isBetter(words, best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, choice := range tree.Sub {
			words := wordsOf(choice)
			if len(words) == 0 || len(all)+len(words) > mostWords {
				return nil
			}
			all = append(all, words...)
		}
		return all
	}
	return nil
}

// isBetter reports whether words are likely to be rarer in texts than the words in than: there are fewer, or
// they are longer.
func isBetter(words, than []string) bool {
	if len(words) == 0 || len(than) == 0 || len(words) != len(than) {
		return len(words) > 0 && (len(than) == 0 || len(words) < len(than))
	}
	return shortest(words) > shortest(than)
}

func shortest(words []string) int {
	n := len(words[0])
	for _, w := range words[1:] {
		n = min(n, len(w))
	}
	return n
}

func (p *Pattern) mayMatch(text []byte) bool {
	for _, w := range p.words {
		if bytes.Contains(text, []byte(w)) {
			return true
		}
	}
	return len(p.words) == 0
}

func (p *Pattern) mayMatchString(text string) bool {
	for _, w := range p.words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return len(p.words) == 0
}

// Match does what [regexp.Regexp.Match] does. The methods below correspond to those of [regexp.Regexp] in the
// same way.
func (p *Pattern) Match(text []byte) bool { return p.mayMatch(text) && p.Regexp.Match(text) }

// MatchString reports whether a string contains a match.
func (p *Pattern) MatchString(text string) bool {
	return p.mayMatchString(text) && p.Regexp.MatchString(text)
}

// FindSubmatch returns the first match with its groups.
func (p *Pattern) FindSubmatch(text []byte) [][]byte {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindSubmatch(text)
}

// FindSubmatchIndex returns where the first match and its groups are.
func (p *Pattern) FindSubmatchIndex(text []byte) []int {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindSubmatchIndex(text)
}

// FindStringSubmatch returns the first match in a string with its groups.
func (p *Pattern) FindStringSubmatch(text string) []string {
	if !p.mayMatchString(text) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(text)
}

// FindAllSubmatch returns the first n matches with their groups, or all matches if n is negative.
func (p *Pattern) FindAllSubmatch(text []byte, n int) [][][]byte {
	if !p.mayMatch(text) {
		return nil
	}
	return p.Regexp.FindAllSubmatch(text, n)
}

// ReplaceAllString returns a text with its matches replaced, as [regexp.Regexp.ReplaceAllString] does.
func (p *Pattern) ReplaceAllString(text, by string) string {
	if !p.mayMatchString(text) {
		return text
	}
	return p.Regexp.ReplaceAllString(text, by)
}
