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
	mayOpen   bool  // an object may come next: after a colon, and in a list of objects
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
	kind         jsonKind
	text         []byte // valid until the next token
	line, column int
	long         bool
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

// column gives that of the next byte, from 1.
func (s *jsonScanner) column() int {
	return int(s.w.base + int64(s.w.pos) - s.lineStart + 1)
}

// token is one that begins at the window's position.
func (s *jsonScanner) token(kind jsonKind) jsonToken {
	return jsonToken{kind: kind, line: s.line, column: s.column()}
}

// fail notes a fault at the window's position.
func (s *jsonScanner) fail(text string) jsonToken {
	s.fault = &jsonFault{line: s.line, column: s.column(), text: text, cut: s.w.pos == s.w.end}
	return jsonToken{}
}

// reject notes a fault at a token, unless there is one already.
func (s *jsonScanner) reject(t jsonToken, format string, args ...any) {
	if s.fault == nil {
		s.fault = &jsonFault{line: t.line, column: t.column, text: fmt.Sprintf(format, args...)}
	}
}

// newline counts the line end at the window's position. A line that begins an
// object with its first key in place, where no object may come, is a document of
// its own: the one before it was never finished.
func (s *jsonScanner) newline() bool {
	s.w.pos++
	s.line++
	s.lineStart = s.w.base + int64(s.w.pos)
	if s.inside && !s.mayOpen && bytes.HasPrefix(s.w.peek(2), documentStart) {
		s.fail("a new object begins before the last one ends")
		s.fault.cut = true
		return false
	}
	return true
}

var documentStart = []byte(`{"`)

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
			t := s.token(jsonKind(c))
			w.pos++
			return t
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
			t := s.token(jsonString)
			t.text = data[1:end]
			w.pos += end + 1
			return t
		}
		from = len(data)
		if w.fill() {
			continue
		}
		t := s.token(jsonString)
		t.long = true
		w.pos++
		if !s.skipString() {
			return jsonToken{}
		}
		return t
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

// word takes a number or a word. Where the text breaks off it may lack digits,
// and then it is none.
func (s *jsonScanner) word() jsonToken {
	w := s.w
	n := 0
	for {
		data := w.buf[w.pos:w.end]
		for n < len(data) && jsonClass[data[n]]&classWord != 0 {
			n++
		}
		if n < len(data) {
			break
		}
		if !w.fill() {
			if n < len(w.buf) {
				w.pos = w.end
			}
			return s.fail("the text ends inside a value")
		}
	}
	data := w.peek(n + len("\r\n") + len(documentStart))
	text, after := data[:n], data[n:]
	t := s.token(jsonWord)
	t.text = text
	_, number := parseFigure(text, 0)
	if s.inside && (after[0] == '\n' || after[0] == '\r') && bytes.HasPrefix(bytes.TrimLeft(after, "\r\n"), documentStart) {
		s.fail("a new object begins before the last one ends")
		s.fault.cut = true
		return jsonToken{}
	}
	switch {
	case number:
		t.kind = jsonNumber
	case n == 0:
		return s.fail(fmt.Sprintf("%q is not JSON", after[:1]))
	case string(text) != "true" && string(text) != "false" && string(text) != "null":
		return s.fail(fmt.Sprintf("%q is not JSON", clip(text, 40)))
	}
	w.pos += n
	return t
}

// numbers takes what follows a number in a list as long as it is numbers that
// lie in the window whole, and adds them to the sample: lists of one entry per
// request or token are nearly all of a large file. It reports whether there
// were any.
func (s *jsonScanner) numbers(to *sample) bool {
	w := s.w
	from := w.pos
	for {
		data := w.buf[w.pos:w.end]
		i, line, lineStart := 0, s.line, s.lineStart
		comma := false
	space:
		for ; i < len(data); i++ {
			switch c := data[i]; {
			case c == ' ' || c == '\t' || c == '\r':
			case c == '\n':
				line++
				lineStart = w.base + int64(w.pos+i+1)
			case c == ',' && !comma:
				comma = true
			default:
				break space
			}
		}
		n := i
		for n < len(data) && jsonClass[data[n]]&classWord != 0 {
			n++
		}
		if !comma || n == i || n == len(data) {
			return w.pos > from
		}
		v, ok := parseNumber(data[i:n])
		if !ok {
			return w.pos > from
		}
		to.add(v)
		w.pos += n
		s.line, s.lineStart = line, lineStart
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
		if w.base+int64(w.pos) == s.lineStart && bytes.HasPrefix(w.peek(2), documentStart) {
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
