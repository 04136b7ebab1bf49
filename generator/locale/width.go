package locale

import (
	"unicode"

	"golang.org/x/text/width"
)

// Width returns the columns a text takes on a terminal and in an editor: two
// for wide characters as the Chinese ones, none for marks that combine.
func Width(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return true
	}
	return false
}
