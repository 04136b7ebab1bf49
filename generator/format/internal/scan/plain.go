package scan

import (
	"encoding/binary"
	"unicode"
	"unicode/utf8"
)

// WithoutColours takes the terminal's escape sequences out of a line.
func (m *Memory) WithoutColours(text []byte) []byte {
	plain := m.plain[:0]
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			plain = append(plain, text[i])
			continue
		}
		i++
		switch {
		case i == len(text):
		case text[i] == '[':
			for i++; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		case text[i] == ']': // a window's title, up to BEL or ESC \
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b; i++ {
			}
			if i+1 < len(text) && text[i] == 0x1b {
				i++
			}
		}
	}
	m.plain = plain
	return plain
}

// isASCII looks at eight bytes at a time.
func isASCII(text []byte) bool {
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
	if isASCII(text) {
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
