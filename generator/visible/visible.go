// Package visible replaces characters that would have an effect instead of being displayed: on a terminal, in
// HTML, in a feed.
//
//	visible.Text("a\x1b[31m\nb\xff")  // "a␛[31m\nb\uFFFD": for HTML, XML and Markdown
//	visible.Line("a\x1b[31m\nb\xff")  // "a␛[31m␊b\uFFFD": for one line of a terminal
//	visible.Lines("a\nb\u202ec")      // "a\nb\\u{202E}c": for a terminal
//
// Data formats (JSON, CSV, Parquet) keep such characters: their own escapes restore them.
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

// Text returns s for an HTML, XML or Markdown file. ASCII controls become their pictures; other characters that
// such a file may not contain become U+FFFD. Newlines and tabs are kept. Carriage returns become newlines.
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

// Words returns s as one line: its words separated by single spaces.
func Words(s string) string {
	before := ' '
	for _, r := range s {
		if unicode.IsSpace(r) && (r != ' ' || before == ' ') {
			return strings.Join(strings.Fields(s), " ")
		}
		before = r
	}
	return strings.TrimSuffix(s, " ") // nearly all texts are such lines
}

// Bytes does what [Text] does, for a whole file. It returns b itself if nothing changes.
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

// plain returns the first position at or after from where there may be bytes that are not printable ASCII. It
// checks eight bytes at a time.
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

// suspect marks the bytes that are barred or may begin a barred character.
var suspect = func() (all [256]bool) {
	for c := range byte(' ') {
		all[c] = c != '\n' && c != '\t'
	}
	all[0x7f], all[0xc2], all[0xef] = true, true, true
	return all
}()

// barred reports whether r may not be in such a file. Invalid UTF-8 is decoded as utf8.RuneError, which is
// U+FFFD and stays.
func barred(r rune) bool {
	return unicode.IsControl(r) && r != '\n' && r != '\t' || r == utf8.RuneError || r == 0xfffe || r == 0xffff
}

// Line returns s for one line of a terminal. Nothing in it moves the cursor, ends the line, changes the
// direction of text or is invisible. Characters that only isolate right-to-left words are removed.
func Line(s string) string { return terminal(s, false) }

// Lines does what [Line] does, for text of several lines.
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
		case marks[i]: // removed: terminals treat isolates differently
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

// isolates returns the positions of the characters that begin and end an isolate around text that is written
// from right to left or changes the direction. Package locale adds such isolates. An isolate that has no end or
// no begin is not included.
func isolates(s string) map[int]bool {
	type begun struct {
		at            int
		first, turned bool // direction of its first letter; contains text that changes the direction
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

// acting reports whether r has an effect on a terminal other than being displayed. Joiners are parts of letters
// in emoji and some scripts, so they are not acting.
func acting(r rune) bool {
	switch r {
	case '\u200c', '\u200d':
		return false
	case utf8.RuneError, '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r)
}

// picture returns the symbol that depicts an ASCII control.
func picture(r rune) rune {
	if r == 0x7f {
		return '␡'
	}
	return '␀' + r
}

// Cell returns s for a cell of a CSV file. Spreadsheet programs would evaluate text that begins like a formula,
// so Cell puts an apostrophe before it. Numbers stay as they are.
func Cell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
