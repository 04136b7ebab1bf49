package locale

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// What is between Isolate and Release keeps its own direction, and what is around it goes on as if it were one
// sign (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates).
const (
	Isolate = '\u2068'
	Release = '\u2069'
)

// apart is an argument that is isolated from its sentence: a name in Arabic or Hebrew would take the figures after it
// to its other side.
type apart string

// inSentence returns what is put into a sentence: words that are read from right to left, or turn the direction, apart.
func inSentence(a any) any {
	if s, ok := a.(string); ok && turns(s) {
		return apart(balanced(s))
	}
	return a
}

// beside returns texts that are put beside others in a sentence.
func beside(said []string) []string {
	if len(said) < 2 {
		return said
	}
	for i, s := range said {
		if turns(s) {
			said[i] = isolated(balanced(s))
		}
	}
	return said
}

// Format isolates what the verb makes of the text, with its quotes.
func (a apart) Format(f fmt.State, verb rune) {
	fmt.Fprint(f, isolated(fmt.Sprintf(fmt.FormatString(f, verb), string(a))))
}

func isolated(s string) string { return string(Isolate) + s + string(Release) }

// turns reports whether a text has something outside its isolates that is not read from left to right.
func turns(s string) bool {
	depth := 0
	for i, r := range s {
		switch {
		case r < 0x590, 0x2e80 <= r && r < 0xfb1d: // Latin and Chinese, which need no table
		case r == Isolate:
			depth++
		case r == Release:
			if depth == 0 {
				return true
			}
			depth--
		case depth == 0:
			switch p, _ := bidi.LookupString(s[i:]); p.Class() {
			case bidi.LRE, bidi.LRO, bidi.RLE, bidi.RLO, bidi.LRI, bidi.RLI:
				return true
			case bidi.R, bidi.AL, bidi.AN:
				if !unicode.Is(unicode.Cf, r) { // a mark has no sign, and a terminal shows its number
					return true
				}
			}
		}
	}
	return depth > 0
}

// balanced returns a text without ends of isolates that it has not begun, and with those of what it has.
func balanced(s string) string {
	if strings.IndexFunc(s, isolating) < 0 {
		return s
	}
	depth := 0
	s = strings.Map(func(r rune) rune {
		switch {
		case r == Release && depth == 0:
			return -1
		case r == Release:
			depth--
		case isolating(r):
			depth++
		}
		return r
	}, s)
	return s + strings.Repeat(string(Release), depth)
}

// isolating reports whether a character begins or ends an isolate.
func isolating(r rune) bool { return '\u2066' <= r && r <= Release }
