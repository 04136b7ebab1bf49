package locale

import (
	"unicode"

	"golang.org/x/text/width"
)

// Width returns the number of columns that a text takes on a terminal or in an editor: two for wide characters
// such as Chinese ones, none for combining marks.
func Width(s string) (n int) {
	for _, r := range s {
		n += Columns(r)
	}
	return n
}

// Columns returns the number of columns that a character takes.
func Columns(r rune) int {
	switch {
	case r < 0x300 && r != softHyphen, r >= '─' && r <= '▟': // most characters: Latin letters, lines and blocks
		return 1
	case r >= '一' && r <= '龥':
		return 2
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

const softHyphen = 0xad

func isWide(r rune) bool {
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return true
	}
	return false
}
