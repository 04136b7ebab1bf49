package scan

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// WithoutColours returns what a terminal shows of a line.
func (m *Memory) WithoutColours(text []byte) []byte {
	m.plain = AppendShown(m.plain[:0], text)
	return m.plain
}

const maxForward = 200 // blanks for one movement of the cursor

// AppendShown appends what a terminal shows of a line: without escape sequences, with
// blanks where the cursor moves forward and a line end where it moves to the beginning of
// another line, and without what was taken back.
func AppendShown(dst, text []byte) []byte {
	begin := len(dst)
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\b':
			if len(dst) > begin {
				_, n := utf8.DecodeLastRune(dst[begin:])
				dst = dst[:len(dst)-n]
			}
			continue
		case text[i] != 0x1b:
			dst = append(dst, text[i])
			continue
		}
		i++
		switch {
		case i == len(text):
		case text[i] == '[':
			from := i + 1
			for i++; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
			if i < len(text) {
				dst = moved(dst, begin, text[i], text[from:i])
			}
		case text[i] == ']' || text[i] == 'P' || text[i] == '_' || text[i] == '^': // a window's title, up to BEL or ESC \
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b; i++ {
			}
			if i+1 < len(text) && text[i] == 0x1b {
				i++
			}
		case text[i] >= ' ' && text[i] <= '/': // as ESC ( B, a set of characters
			for i++; i < len(text) && text[i] >= ' ' && text[i] <= '/'; i++ {
			}
		}
	}
	return dst
}

// moved appends what a movement of the cursor leaves on the line that begins at an index.
func moved(dst []byte, begin int, final byte, arguments []byte) []byte {
	n := 0
	for _, c := range arguments {
		if !IsDigit(c) {
			n = -1 // several, or of another kind
			break
		}
		n = min(10*n+int(c-'0'), maxForward)
	}
	switch final {
	case 'C':
		for range max(n, 1) {
			dst = append(dst, ' ')
		}
	case 'G':
		if n <= 1 && len(dst) > begin {
			dst = append(dst, '\r')
		}
	case 'E', 'H', 'f':
		if len(dst) > begin && dst[len(dst)-1] != '\n' {
			dst = append(dst, '\n')
		}
	}
	return dst
}

// IsASCII reports whether all of a text is ASCII. It looks at eight bytes at a time.
func IsASCII(text []byte) bool {
	for len(text) >= 8 {
		if binary.LittleEndian.Uint64(text)&0x8080808080808080 != 0 {
			return false
		}
		text = text[8:]
	}
	for _, c := range text {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// HasOtherForms reports whether a line may hold what withASCIIForms changes: the
// marks of a progress bar, in most lines that are not ASCII, are not part of it.
func HasOtherForms(text []byte) bool {
	if IsASCII(text) {
		return false
	}
	for i, c := range text {
		switch {
		case c < utf8.RuneSelf || c == 0xe2 && i+1 < len(text) && text[i+1] > 0x81:
		case c == 0xc2 || c >= 0xe1 && c <= 0xe3 || c == 0xef:
			return true
		}
	}
	return false
}

// WithASCIIForms writes what pages and editors put for the tool's own
// characters as the tool does: spaces of any width, and full-width signs.
func (m *Memory) WithASCIIForms(text []byte) []byte {
	ascii := m.ascii[:0]
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '：': // its space is part of it
			ascii = append(ascii, ": "...)
		case r >= '！' && r <= '～':
			ascii = append(ascii, byte(r-'！'+'!'))
		case r == '\u200b' || r == '\ufeff': // of no width
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			ascii = append(ascii, ' ')
		default:
			ascii = append(ascii, text[:n]...)
		}
		text = text[n:]
	}
	m.ascii = ascii
	return ascii
}
