package locale

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// Isolate and Release enclose text that keeps its own direction. The surrounding text is laid out as if the
// enclosed text were one neutral character
// (https://www.unicode.org/reports/tr9/#Explicit_Directional_Isolates).
const (
	Isolate = '\u2068'
	Release = '\u2069'
)

// apart is an argument that is isolated from its sentence. Otherwise a name in Arabic or Hebrew would move the
// figures after it to its other side.
type apart string

// inSentence returns an argument for a sentence. Text that is written from right to left, or changes the
// direction, becomes apart.
func inSentence(a any) any {
	if s, ok := a.(string); ok && turns(s) {
		return apart(balanced(s))
	}
	return a
}

// beside prepares texts that stand side by side in a sentence: those that change the direction are isolated.
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

// Format isolates the formatted text, including quotes that the verb adds.
func (a apart) Format(f fmt.State, verb rune) {
	fmt.Fprint(f, isolated(fmt.Sprintf(fmt.FormatString(f, verb), string(a))))
}

func isolated(s string) string { return string(Isolate) + s + string(Release) }

// turns reports whether a text contains characters outside its isolates that are not written from left to
// right.
func turns(s string) bool {
	depth := 0
	for i, r := range s {
		switch {
		case r < 0x590, 0x2e80 <= r && r < 0xfb1d: // Latin and Chinese, which need no lookup
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
				if !unicode.Is(unicode.Cf, r) { // direction marks are invisible, and a terminal shows their number
					return true
				}
			}
		}
	}
	return depth > 0
}

// balanced removes ends of isolates without a beginning, and adds missing ends.
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
