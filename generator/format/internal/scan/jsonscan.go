package scan

import (
	"bytes"
	"encoding/json"

	"github.com/benchpost/benchpost/generator/locale"
)

// Scanner reads JSON from a stream token by token, inside a window.
//
// No library combines four features that are needed here: the line of every token; NaN and Infinity, which Python
// writes; the values before the place where a file breaks off; and skipping members of hundreds of megabytes at memory
// speed without keeping them. Skipped text is not validated.
type Scanner struct {
	w         *Window
	Line      int   // of the next byte, from 1
	lineStart int64 // offset of the line's first byte
	Inside    bool  // between the braces of a document
	mayOpen   bool  // an object may come next: after a colon, and in a list of objects
	Fault     *Fault
}

// NewScanner returns a scanner that starts at the window's position, in the given line.
func NewScanner(w *Window, line int) Scanner {
	return Scanner{w: w, Line: line, lineStart: w.base + int64(w.Pos)}
}

// Fault is the place where the text stops being JSON.
type Fault struct {
	Line, Column int
	Text         locale.Text
	Cut          bool // the text ends here
}

// Kind is the first byte of a token, or one of the constants below.
type Kind byte

const (
	None   Kind = 0   // the end of the text, or a fault
	String Kind = '"' // text without quotes, escapes as written
	Number Kind = '0' // also NaN and the infinities
	Word   Kind = 'w' // true, false, null
)

// Token is one token. long is set for a string that does not fit into the window; such a string has no text.
type Token struct {
	Kind         Kind
	text         []byte // valid until the next token
	line, column int
	long         bool
}

// string returns the text of a string with its escapes resolved.
func (t Token) string() []byte {
	if bytes.IndexByte(t.text, '\\') < 0 {
		return t.text
	}
	var s string
	if json.Unmarshal(append(append([]byte{'"'}, t.text...), '"'), &s) != nil {
		return t.text
	}
	return []byte(s)
}

// column returns the column of the next byte, from 1.
func (s *Scanner) column() int {
	return int(s.w.base + int64(s.w.Pos) - s.lineStart + 1)
}

// token returns a token that begins at the window's position.
func (s *Scanner) token(kind Kind) Token {
	return Token{Kind: kind, line: s.Line, column: s.column()}
}

// fail records a fault at the window's position.
func (s *Scanner) fail(text locale.Text) Token {
	s.Fault = &Fault{Line: s.Line, Column: s.column(), Text: text, Cut: s.w.Pos == s.w.End}
	return Token{}
}

// Reject records a fault at a token, unless there is one already.
func (s *Scanner) Reject(t Token, format string, args ...any) {
	if s.Fault == nil {
		s.Fault = &Fault{Line: t.line, Column: t.column, Text: locale.Textf(format, args...)}
	}
}

// newline counts the line end at the window's position. If the next line begins with an object and its first key where
// no object may come, it is a new document, and the previous one was never finished: newline then records a fault and
// returns false.
func (s *Scanner) newline() bool {
	s.w.Pos++
	s.Line++
	s.lineStart = s.w.base + int64(s.w.Pos)
	if s.Inside && !s.mayOpen && bytes.HasPrefix(s.w.Peek(2), documentStart) {
		s.fail(locale.Textf("a new object begins before the previous one ends"))
		s.Fault.Cut = true
		return false
	}
	return true
}

var documentStart = []byte(`{"`)

// took takes a sign if it directly follows the last token, which is the usual case.
func (s *Scanner) took(sign byte) bool {
	w := s.w
	if s.Fault != nil || w.Pos == w.End || w.Buf[w.Pos] != sign {
		return false
	}
	w.Pos++
	return true
}

// Next returns the next token, or [None] at the end of the text and at a fault.
func (s *Scanner) Next() Token {
	w := s.w
	if s.Fault != nil {
		return Token{}
	}
	for {
		if w.Pos == w.End && !w.fill() {
			if s.Inside {
				return s.fail(locale.Textf("the text ends inside an object"))
			}
			return Token{}
		}
		switch c := w.Buf[w.Pos]; c {
		case ' ', '\t', '\r':
			w.Pos++
		case '\n':
			if !s.newline() {
				return Token{}
			}
		case '{', '}', '[', ']', ',', ':':
			t := s.token(Kind(c))
			w.Pos++
			return t
		case '"':
			return s.string()
		default:
			return s.word()
		}
	}
}

// string reads a string whose opening quote is next.
func (s *Scanner) string() Token {
	w := s.w
	from := 1
	for {
		data := w.Buf[w.Pos:w.End]
		if i := bytes.IndexByte(data[from:], '"'); i >= 0 {
			end := from + i
			if escaped(data[1:end]) {
				from = end + 1
				continue
			}
			if nl := bytes.IndexByte(data[:end], '\n'); nl >= 0 {
				w.Pos += nl
				return s.fail(locale.Textf("a string is not closed at the end of the line"))
			}
			t := s.token(String)
			t.text = data[1:end]
			w.Pos += end + 1
			return t
		}
		from = len(data)
		if w.fill() {
			continue
		}
		t := s.token(String)
		t.long = true
		w.Pos++
		if !s.skipString() {
			return Token{}
		}
		return t
	}
}

// skipString skips the rest of a string, including the closing quote.
func (s *Scanner) skipString() bool {
	w := s.w
	for {
		data := w.Buf[w.Pos:w.End]
		end := bytes.IndexByte(data, '"')
		if end < 0 {
			end = len(data)
		}
		if nl := bytes.IndexByte(data[:end], '\n'); nl >= 0 {
			w.Pos += nl
			s.fail(locale.Textf("a string is not closed at the end of the line"))
			return false
		}
		if end < len(data) {
			w.Pos += end + 1
			if !escaped(data[:end]) {
				return true
			}
			continue
		}
		w.Pos = w.End
		if escaped(data) {
			w.Pos-- // the backslash escapes the next byte
		}
		if !w.fill() {
			w.Pos = w.End
			s.fail(locale.Textf("the text ends inside a string"))
			return false
		}
	}
}

// escaped reports whether text ends with an odd number of backslashes.
func escaped(text []byte) bool {
	n := len(text)
	for n > 0 && text[n-1] == '\\' {
		n--
	}
	return (len(text)-n)%2 == 1
}

// word reads a number or a word. At the end of the text it records a fault, because digits may be missing.
func (s *Scanner) word() Token {
	w := s.w
	n := 0
	for {
		data := w.Buf[w.Pos:w.End]
		for n < len(data) && jsonClass[data[n]]&classWord != 0 {
			n++
		}
		if n < len(data) {
			break
		}
		if !w.fill() {
			if n < len(w.Buf) {
				w.Pos = w.End
			}
			return s.fail(locale.Textf("the text ends inside a value"))
		}
	}
	data := w.Peek(n + len("\r\n") + len(documentStart))
	text, after := data[:n], data[n:]
	t := s.token(Word)
	t.text = text
	_, number := ParseFigure(text, 0)
	if s.Inside && (after[0] == '\n' || after[0] == '\r') && bytes.HasPrefix(bytes.TrimLeft(after, "\r\n"), documentStart) {
		s.fail(locale.Textf("a new object begins before the previous one ends"))
		s.Fault.Cut = true
		return Token{}
	}
	switch {
	case number:
		t.Kind = Number
	case n == 0:
		return s.fail(locale.Textf("%q is not JSON", after[:1]))
	case string(text) != "true" && string(text) != "false" && string(text) != "null":
		return s.fail(locale.Textf("%q is not JSON", Clip(text, 40)))
	}
	w.Pos += n
	return t
}

// numbers reads the numbers that follow a number in a list, while they are completely in the window, and adds them to
// the sample. Lists with one entry per request or token make up most of a large file. It reports whether there were
// any.
func (s *Scanner) numbers(to *Sample) bool {
	w := s.w
	from := w.Pos
	for {
		data := w.Buf[w.Pos:w.End]
		i, line, lineStart := 0, s.Line, s.lineStart
		comma := false
	space:
		for ; i < len(data); i++ {
			switch c := data[i]; {
			case c == ' ' || c == '\t' || c == '\r':
			case c == '\n':
				line++
				lineStart = w.base + int64(w.Pos+i+1)
			case c == ',' && !comma:
				comma = true
			default:
				break space
			}
		}
		if !comma {
			return w.Pos > from
		}
		v, n := number(data[i:])
		end := i + n
		if n == 0 || end < len(data) && jsonClass[data[end]]&classWord != 0 { // for example an exponent
			for end < len(data) && jsonClass[data[end]]&classWord != 0 {
				end++
			}
			var ok bool
			if v, ok = ParseNumber(data[i:end]); !ok {
				return w.Pos > from
			}
		}
		if end == len(data) {
			return w.Pos > from
		}
		to.Add(v)
		w.Pos += end
		s.Line, s.lineStart = line, lineStart
	}
}

// Skip skips the rest of an array or object whose opening bracket has been taken.
func (s *Scanner) Skip() bool {
	w := s.w
	for depth := 1; depth > 0; {
		data := w.Buf[w.Pos:w.End]
		i := 0
		for i < len(data) && jsonClass[data[i]]&classSkip == 0 {
			i++
		}
		w.Pos += i
		if i == len(data) {
			if !w.fill() {
				s.fail(locale.Textf("the text ends inside an array"))
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
			w.Pos++
			if !s.skipString() {
				return false
			}
			continue
		case '[', '{':
			depth++
		default:
			depth--
		}
		w.Pos++
	}
	return true
}

// Resume moves, after a fault, to the next line that begins an object. It returns false if there is none.
func (s *Scanner) Resume() bool {
	s.Fault, s.Inside = nil, false
	w := s.w
	for {
		if w.base+int64(w.Pos) == s.lineStart && bytes.HasPrefix(w.Peek(2), documentStart) {
			return true
		}
		data := w.Buf[w.Pos:w.End]
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			w.Pos += i
			s.newline()
			continue
		}
		w.Pos = w.End
		if !w.fill() {
			return false
		}
	}
}

const (
	classSkip = 1 << iota // stops Skip
	classWord             // may be in a number or word
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
