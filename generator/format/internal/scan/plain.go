package scan

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// WithoutColours returns a line as a terminal displays it.
func (m *Memory) WithoutColours(text []byte) []byte {
	m.plain = AppendShown(m.plain[:0], text)
	return m.plain
}

const maxForward = 200 // maximum number of blanks for one movement of the cursor

// AppendShown appends a line as a terminal displays it: without escape sequences and erased characters, with blanks
// where the cursor moves forward, and with a line end where the cursor moves to the beginning of another line.
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
		case text[i] == ']' || text[i] == 'P' || text[i] == '_' || text[i] == '^': // the title of a window, up to BEL or ESC \
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b; i++ {
			}
			if i+1 < len(text) && text[i] == 0x1b {
				i++
			}
		case text[i] >= ' ' && text[i] <= '/': // such as ESC ( B, which selects a character set
			for i++; i < len(text) && text[i] >= ' ' && text[i] <= '/'; i++ {
			}
		}
	}
	return dst
}

// moved appends the effect of a cursor movement on the line that begins at index begin.
func moved(dst []byte, begin int, final byte, arguments []byte) []byte {
	n := 0
	for _, c := range arguments {
		if !IsDigit(c) {
			n = -1 // several arguments, or another kind
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

// IsASCII reports whether a text is ASCII. It checks eight bytes at a time.
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

// HasOtherForms reports whether a line may contain characters that WithASCIIForms replaces. The characters of progress
// bars, in most non-ASCII lines, are not among them.
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

// WithASCIIForms replaces characters that pages and editors put in place of the tool's own characters: spaces of any
// width, and full-width signs.
func (m *Memory) WithASCIIForms(text []byte) []byte {
	ascii := m.ascii[:0]
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '：': // the full-width colon includes its space
			ascii = append(ascii, ": "...)
		case r >= '！' && r <= '～':
			ascii = append(ascii, byte(r-'！'+'!'))
		case r == '\u200b' || r == '\ufeff': // zero width
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
