// Package visible writes characters that would act instead of being seen: in a
// terminal, in the tree of a page, in a feed.
//
//	visible.Text("a\x1b[31m\nb\xff")  // "a␛[31m\nb\uFFFD": for HTML, XML and Markdown
//	visible.Line("a\x1b[31m\nb\xff")  // "a␛[31m␊b\uFFFD": for one line of a terminal
//	visible.Lines("a\nb\u202ec")      // "a\nb\\u{202E}c": for a terminal
//
// Data formats (JSON, CSV, Parquet) keep what they are given: their own
// escapes bring it back.
package visible

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// Text returns s for a file of HTML, XML or Markdown: controls as their pictures,
// what no such file may contain as U+FFFD. Newlines and tabs are kept; carriage returns
// are ends of lines.
func Text(s string) string {
	if !strings.ContainsFunc(s, barred) {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case !barred(r):
			return r
		case r < ' ' || r == 0x7f:
			return picture(r)
		}
		return utf8.RuneError
	}, s)
}

// Words returns s as one line: its words with a space between each two.
func Words(s string) string {
	before := ' '
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || before == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
		before = r
	}
	return strings.TrimSuffix(s, " ") // nearly all are such lines
}

// Bytes is Text for a whole file. Where it changes nothing it returns b itself.
func Bytes(b []byte) []byte {
	for i := plain(b, 0); i < len(b); i = plain(b, i+1) {
		c := b[i]
		if !suspect[c] {
			continue
		}
		if c < 0x80 || c == 0xc2 && i+1 < len(b) && b[i+1] < 0xa0 || c == 0xef && i+2 < len(b) && b[i+1] == 0xbf && b[i+2] >= 0xbe {
			return []byte(Text(string(b)))
		}
	}
	if !utf8.Valid(b) {
		return []byte(Text(string(b)))
	}
	return b
}

// plain returns where, from a place on, there may be bytes that are not printable ASCII. It looks at eight at a time.
func plain(b []byte, from int) int {
	const ones, spaces, high = 0x0101010101010101, 0x2020202020202020, 0x8080808080808080
	for ; from+8 <= len(b); from += 8 {
		w := binary.LittleEndian.Uint64(b[from:])
		if ((w-spaces)&^w|w|(w+ones))&high != 0 { // below a space, above 0x7f, or 0x7f
			break
		}
	}
	return from
}

// suspect has the bytes that are barred or begin a character that may be: all others are passed over.
var suspect = func() (all [256]bool) {
	for c := range byte(' ') {
		all[c] = c != '\n' && c != '\t'
	}
	all[0x7f], all[0xc2], all[0xef] = true, true, true
	return all
}()

// barred reports whether r may not be in such a file. Bytes that are no UTF-8 are
// utf8.RuneError, which U+FFFD itself is too: it stays.
func barred(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == utf8.RuneError || r == 0xfffe || r == 0xffff
}

// Line returns s for one line of a terminal: nothing in it moves the cursor, ends the
// line, turns the direction of reading or is left out, but for the signs that isolate words which are
// read from right to left.
func Line(s string) string { return terminal(s, false) }

// Lines is Line for text of several lines.
func Lines(s string) string { return terminal(s, true) }

func terminal(s string, newlines bool) string {
	acts := func(r rune) bool { return acting(r) && !(newlines && r == '\n') }
	if !strings.ContainsFunc(s, acts) {
		return s
	}
	var b strings.Builder
	marks := isolates(s)
	for i, r := range s {
		switch {
		case marks[i]: // terminals do not agree on it
		case !acts(r) || r == utf8.RuneError:
			b.WriteRune(r)
		case r < ' ' || r == 0x7f:
			b.WriteRune(picture(r))
		default:
			fmt.Fprintf(&b, `\u{%X}`, r)
		}
	}
	return b.String()
}

// isolates returns where a text begins and ends to isolate words that are read from right to left, or turn the direction, as
// package locale does.
func isolates(s string) map[int]bool {
	type begun struct {
		at            int
		first, turned bool // it takes the direction of its first letter; it holds what turns
	}
	var open []begun
	marks := map[int]bool{}
	turn := func() {
		if len(open) > 0 {
			open[len(open)-1].turned = true
		}
	}
	for i, r := range s {
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.FSI:
			open = append(open, begun{at: i, first: true})
		case bidi.LRI, bidi.RLI:
			open = append(open, begun{at: i, turned: true})
		case bidi.PDI:
			if len(open) == 0 {
				continue
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if last.turned {
				turn()
				marks[last.at], marks[i] = last.first, last.first
			}
		case bidi.R, bidi.AL, bidi.AN, bidi.LRE, bidi.LRO, bidi.RLE, bidi.RLO:
			turn()
		}
	}
	return marks
}

// acting reports whether a terminal does something for r but show it. The joiners of
// emoji and of some scripts are letters' parts.
func acting(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	case utf8.RuneError, '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// picture returns the sign for a control of ASCII.
func picture(r rune) rune {
	if r == 0x7f {
		return '␡'
	}
	return '␀' + r
}

// Cell returns s for a cell of CSV, so that a spreadsheet, which people open such a file with, takes no words
// for a formula. A number stays as it is.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
