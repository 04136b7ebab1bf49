package redact

import (
	"bytes"
	"slices"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// encoding is the character encoding of a file.
type encoding int

const (
	plain encoding = iota // UTF-8, or any other superset of ASCII
	littleUTF16
	bigUTF16
)

// encodingOf recognises UTF-16 by its byte order mark.
func encodingOf(text []byte) encoding {
	switch {
	case bytes.HasPrefix(text, []byte{0xff, 0xfe}):
		return littleUTF16
	case bytes.HasPrefix(text, []byte{0xfe, 0xff}):
		return bigUTF16
	}
	return plain
}

// unit returns the size of a code unit in bytes.
func (e encoding) unit() int {
	if e == plain {
		return 1
	}
	return 2
}

// endsLine reports whether the code unit at a byte is a line feed.
func (e encoding) endsLine(text []byte, at int) bool {
	switch {
	case e == plain:
		return text[at] == '\n'
	case at+1 >= len(text):
		return false
	case e == littleUTF16:
		return text[at] == '\n' && text[at+1] == 0
	}
	return text[at] == 0 && text[at+1] == '\n'
}

func (e encoding) value(text []byte, at int) uint16 {
	if e == littleUTF16 {
		return uint16(text[at]) | uint16(text[at+1])<<8
	}
	return uint16(text[at])<<8 | uint16(text[at+1])
}

// encode encodes a replacement, which is ASCII.
func (e encoding) encode(s string) []byte {
	if e == plain {
		return []byte(s)
	}
	out := make([]byte, 0, 2*len(s))
	for _, c := range []byte(s) {
		if e == littleUTF16 {
			out = append(out, c, 0)
		} else {
			out = append(out, 0, c)
		}
	}
	return out
}

// view is a text in another spelling. It maps its places to those of the original text.
type view struct {
	text []byte
	// Where the mapping changes: from offset at[i] of the view on, up to at[i+1], the offset in the original text is
	// larger by shift[i].
	at, shift []int
}

func (v *view) mark(shift int) {
	if n := len(v.at); n > 0 && v.at[n-1] == len(v.text) {
		v.shift[n-1] = shift
		return
	}
	v.at, v.shift = append(v.at, len(v.text)), append(v.shift, shift)
}

// origin returns the offset in the original text of an offset in the view.
func (v *view) origin(at int) int {
	i := sort.SearchInts(v.at, at+1) - 1
	if i < 0 {
		return at
	}
	return at + v.shift[i]
}

// spelledBetween reports whether the mapping changes between two offsets.
func (v *view) spelledBetween(from, to int) bool {
	i := sort.SearchInts(v.at, from)
	return i < len(v.at) && v.at[i] <= to
}

// utf8View converts UTF-16 to UTF-8. An odd byte at the end is omitted, and half of a surrogate pair becomes U+FFFD.
func (e encoding) utf8View(text []byte) view {
	v := view{text: make([]byte, 0, len(text)/2)}
	for i := 0; i+1 < len(text); i += 2 {
		c, size := rune(e.value(text, i)), 2
		if utf16.IsSurrogate(c) {
			c2 := utf8.RuneError
			if i+3 < len(text) {
				c2 = utf16.DecodeRune(c, rune(e.value(text, i+2)))
			}
			if c = c2; c != utf8.RuneError {
				size = 4
			}
		}
		v.mark(i - len(v.text))
		v.text = utf8.AppendRune(v.text, c)
		i += size - 2
	}
	v.mark(len(text) - len(v.text))
	return v
}

// withoutColours replaces ANSI sequences by blanks, which keeps all offsets. A sequence ends a word, because a name may
// have another colour than the text that follows.
func withoutColours(text []byte) []byte {
	if !bytes.Contains(text, []byte("\x1b")) {
		return text
	}
	text = slices.Clone(text)
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			continue
		}
		j := i + 1
		switch {
		case j < len(text) && text[j] == '[':
			for j++; j < len(text) && j-i < 64 && (text[j] < '@' || text[j] > '~') && text[j] >= ' '; j++ {
			}
			if j < len(text) && text[j] >= '@' && text[j] <= '~' {
				j++
			}
		case j < len(text) && text[j] == ']': // a window title, whose text stays
			j++
		}
		for ; i < j; i++ {
			text[i] = ' '
		}
		i--
	}
	return text
}

// Parts of a text around an escape are decoded to this extent.
const (
	escapeBefore = 512
	escapeAfter  = 4 << 10
)

// unescaped passes on decoded views of the parts of a text that contain JSON escapes: "\/" becomes a slash, "\u0040" an
// at sign, and "\n" a line end. Begin and end report whether the view includes the beginning and the end of the text;
// otherwise a word may be truncated there.
func unescaped(text []byte, each func(v view, begin, end bool)) {
	for at := 0; at < len(text); {
		i := bytes.IndexByte(text[at:], '\\')
		if i < 0 {
			return
		}
		first := at + i
		from, to := max(at, first-escapeBefore), min(len(text), first+escapeAfter)
		for next := first; ; {
			j := bytes.IndexByte(text[next+1:to], '\\')
			if j < 0 {
				break
			}
			next += 1 + j
			to = min(len(text), next+escapeAfter)
		}
		var v view
		v.text = make([]byte, 0, to-from)
		v.mark(from)
		differs := false
		for k := from; k < to; {
			c, size := unescape(text[k:])
			if size == 0 {
				v.text = append(v.text, text[k])
				k++
				continue
			}
			differs = true
			v.mark(k - len(v.text))
			v.text = utf8.AppendRune(v.text, c)
			k += size
			v.mark(k - len(v.text))
		}
		if differs {
			each(v, from == 0, to == len(text))
		}
		at = to
	}
}

// unescape decodes the escape at the beginning of a text, which may itself be escaped several times; size is 0 if there
// is none.
func unescape(text []byte) (c rune, size int) {
	n := 0
	for n < len(text) && n < deepest && text[n] == '\\' {
		n++
	}
	if n == 0 || n == len(text) {
		return 0, 0
	}
	switch text[n] {
	case 'n':
		return '\n', n + 1
	case 'r':
		return '\r', n + 1
	case 't', 'b', 'f':
		return '\t', n + 1
	case '/', '"':
		return rune(text[n]), n + 1
	case 'u':
		if len(text) < n+5 {
			return 0, 0
		}
		for _, d := range text[n+1 : n+5] {
			h := unhex(d)
			if h < 0 {
				return 0, 0
			}
			c = c<<4 | rune(h)
		}
		return c, n + 5
	}
	if n > 1 {
		return '\\', n
	}
	return 0, 0
}

// deepest is the greatest number of backslashes in an escape: four levels of escaping.
const deepest = 15

func unhex(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}
