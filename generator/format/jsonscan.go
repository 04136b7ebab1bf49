package format

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// jsonScanner reads JSON from a stream token by token, inside a window.
//
// It is our own because four things are wanted at once that no library joins:
// the line of every token; NaN and Infinity, which Python writes; the values
// that stand before the place where a file breaks off; and members of hundreds
// of megabytes passed over at the speed of memory without being held. What is
// passed over is not validated.
type jsonScanner struct {
	w         *window
	line      int   // of the next byte, from 1
	lineStart int64 // offset of the line's first byte
	inside    bool  // between the braces of a document
	fault     *jsonFault
}

// jsonFault is the place where the text stops being JSON.
type jsonFault struct {
	line, column int
	text         string
	cut          bool // the text just ends
}

// jsonKind is the first byte of a token, or one of the constants.
type jsonKind byte

const (
	jsonNone   jsonKind = 0   // the end, or a fault
	jsonString jsonKind = '"' // text without quotes, escapes as written
	jsonNumber jsonKind = '0' // NaN and the infinities too
	jsonWord   jsonKind = 'w' // true, false, null
)

// jsonToken is one token. A string that does not fit the window is long and
// has no text.
type jsonToken struct {
	kind jsonKind
	text []byte // valid until the next token
	line int
	long bool
}

// string gives the text of a string with its escapes resolved.
func (t jsonToken) string() []byte {
	if bytes.IndexByte(t.text, '\\') < 0 {
		return t.text
	}
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, t.text...), '"'), &s) != nil {
		return t.text
	}
	return []byte(s)
}

func (s *jsonScanner) fail(format string, args ...any) jsonToken {
	if s.fault == nil {
		s.fault = &jsonFault{line: s.line, column: int(s.w.base + int64(s.w.pos) - s.lineStart + 1),
			text: fmt.Sprintf(format, args...), cut: s.w.pos == s.w.end}
	}
	return jsonToken{}
}

// newline counts the line end at the window's position. A line that begins an
// object with its first key in place is a document of its own, so the one
// before it was never finished: json.dump writes nothing like it inside.
func (s *jsonScanner) newline() bool {
	s.w.pos++
	s.line++
	s.lineStart = s.w.base + int64(s.w.pos)
	if s.inside && bytes.HasPrefix(s.w.peek(2), []byte(`{"`)) {
		s.fail("a new object begins before the last one ends")
		s.fault.cut = true
		return false
	}
	return true
}

// next gives the next token, jsonNone at the end of the text.
func (s *jsonScanner) next() jsonToken {
	w := s.w
	if s.fault != nil {
		return jsonToken{}
	}
	for {
		if w.pos == w.end && !w.fill() {
			if s.inside {
				return s.fail("the text ends inside an object")
			}
			return jsonToken{}
		}
		switch c := w.buf[w.pos]; c {
		case ' ', '\t', '\r':
			w.pos++
		case '\n':
			if !s.newline() {
				return jsonToken{}
			}
		case '{', '}', '[', ']', ',', ':':
			w.pos++
			return jsonToken{kind: jsonKind(c), line: s.line}
		case '"':
			return s.string()
		default:
			return s.word()
		}
	}
}

// string takes a string whose opening quote is next.
func (s *jsonScanner) string() jsonToken {
	w := s.w
	from := 1
	for {
		data := w.buf[w.pos:w.end]
		if i := bytes.IndexByte(data[from:], '"'); i >= 0 {
			end := from + i
			if escaped(data[1:end]) {
				from = end + 1
				continue
			}
			if nl := bytes.IndexByte(data[:end], '\n'); nl >= 0 {
				w.pos += nl
				return s.fail("a string is not closed at the end of the line")
			}
			w.pos += end + 1
			return jsonToken{kind: jsonString, text: data[1:end], line: s.line}
		}
		from = len(data)
		if w.fill() {
			continue
		}
		line := s.line
		w.pos++
		if !s.skipString() {
			return jsonToken{}
		}
		return jsonToken{kind: jsonString, line: line, long: true}
	}
}

// skipString passes over the rest of a string, closing quote and all.
func (s *jsonScanner) skipString() bool {
	w := s.w
	for {
		data := w.buf[w.pos:w.end]
		end := bytes.IndexByte(data, '"')
		if end < 0 {
			end = len(data)
		}
		if nl := bytes.IndexByte(data[:end], '\n'); nl >= 0 {
			w.pos += nl
			s.fail("a string is not closed at the end of the line")
			return false
		}
		if end < len(data) {
			w.pos += end + 1
			if !escaped(data[:end]) {
				return true
			}
			continue
		}
		w.pos = w.end
		if escaped(data) {
			w.pos-- // it escapes what comes next
		}
		if !w.fill() {
			w.pos = w.end
			s.fail("the text ends inside a string")
			return false
		}
	}
}

// escaped tells whether text ends with an odd number of backslashes.
func escaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// word takes a number or a word. At the very end of the text it may be cut,
// and then it is none.
func (s *jsonScanner) word() jsonToken {
	w := s.w
	n := 0
	for {
		data := w.buf[w.pos:w.end]
		for n < len(data) && jsonClass[data[n]]&classWord != 0 {
			n++
		}
		switch {
		case n == 0:
			return s.fail("%q is not JSON", data[0])
		case n < len(data):
			text := data[:n]
			kind := jsonWord
			if _, ok := parseFigure(text, 0); ok {
				kind = jsonNumber
			} else if !bytes.Equal(text, []byte("true")) && !bytes.Equal(text, []byte("false")) && !bytes.Equal(text, []byte("null")) {
				return s.fail("%q is not JSON", clip(text, 40))
			}
			w.pos += n
			return jsonToken{kind: kind, text: text, line: s.line}
		case !w.fill():
			if n < len(w.buf) {
				w.pos = w.end
			}
			return s.fail("the text ends inside a value")
		}
	}
}

// skip passes over the rest of an array or object whose opening bracket has
// been taken.
func (s *jsonScanner) skip() bool {
	w := s.w
	for depth := 1; depth > 0; {
		data := w.buf[w.pos:w.end]
		i := 0
		for i < len(data) && jsonClass[data[i]]&classSkip == 0 {
			i++
		}
		w.pos += i
		if i == len(data) {
			if !w.fill() {
				s.fail("the text ends inside an array")
				return false
			}
			continue
		}
		switch data[i] {
		case '\n':
			if !s.newline() {
				return false
			}
			continue
		case '"':
			w.pos++
			if !s.skipString() {
				return false
			}
			continue
		case '[', '{':
			depth++
		default:
			depth--
		}
		w.pos++
	}
	return true
}

// resume goes to the next line that begins an object, after a fault.
func (s *jsonScanner) resume() bool {
	s.fault, s.inside = nil, false
	w := s.w
	for {
		if w.base+int64(w.pos) == s.lineStart && bytes.HasPrefix(w.peek(2), []byte(`{"`)) {
			return true
		}
		data := w.buf[w.pos:w.end]
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			w.pos += i
			s.newline()
			continue
		}
		w.pos = w.end
		if !w.fill() {
			return false
		}
	}
}

const (
	classSkip = 1 << iota // ends a run that skip may pass over
	classWord             // may stand in a number or word
)

var jsonClass = func() (class [256]byte) {
	for _, c := range "\n\"[]{}" {
		class[c] |= classSkip
	}
	for c := range class {
		if c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '+' || c == '-' || c == '.' || c == '_' {
			class[c] |= classWord
		}
	}
	return class
}()
