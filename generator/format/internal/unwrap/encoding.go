package unwrap

import (
	"bytes"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
)

// encodingOf returns the encoding of a text, detected from its beginning. It returns nil for UTF-8 and for binary data.
func encodingOf(head []byte) encoding.Encoding {
	if len(head) >= 4 && head[0]|head[1] == 0xff && head[0]&head[1] == 0xfe && head[2]|head[3] != 0 {
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	}
	if isWide(head, 1) {
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	}
	if isWide(head, 0) {
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	if utf8.Valid(head) || bytes.IndexByte(head, 0) >= 0 {
		return nil
	}
	valid, pairs, single := 0, 0, 0
	for rest := head; utf8.FullRune(rest); { // the last rune may be cut
		_, n := utf8.DecodeRune(rest)
		switch {
		case rest[0] < utf8.RuneSelf:
		case n > 1:
			valid++
		case len(rest) > 1 && rest[1] >= utf8.RuneSelf:
			pairs++
		default:
			single++
		}
		rest = rest[n:]
	}
	switch {
	case pairs+single == 0 || valid > pairs+single:
		return nil
	case pairs > 0 && isGBK(head):
		return simplifiedchinese.GBK
	case pairs == 0:
		return charmap.Windows1252
	}
	return nil
}

// isWide reports whether a text begins with letters in UTF-16 without a byte order mark: every second byte is zero,
// beginning at index zeros.
func isWide(head []byte, zeros int) bool {
	const looked = 32
	if len(head) < looked {
		return false
	}
	for i, c := range head[:looked] {
		if (c == 0) != (i%2 == zeros) || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// isGBK reports whether a text is valid GBK.
func isGBK(text []byte) bool {
	decoded, err := simplifiedchinese.GBK.NewDecoder().Bytes(text[:len(text)-len(text)%2])
	return err == nil && bytes.Count(bytes.TrimRight(decoded, "\ufffd"), []byte("\ufffd")) == 0
}
