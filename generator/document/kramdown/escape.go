package kramdown

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/visible"
)

// Text returns s escaped, as the only content of its place.
func Text(s string, place Place, form Form) string {
	in := Inline{Form: form}
	in.Text(s)
	return string(in.Append(nil, place))
}

// escaper writes a stretch of text with as few escapes as are needed to keep it text.
type escaper struct {
	dst    []byte
	start  int // start of the block in dst
	s      string
	i      int
	next   byte // first byte of what follows s; 0 if nothing follows
	last   bool // nothing follows s
	place  Place
	inLink bool
	form   Form
}

func entity(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	}
	return "&#" + strconv.Itoa(int(c)) + ";"
}

func trimSpaces(dst []byte, start int) []byte {
	for len(dst) > start && (dst[len(dst)-1] == ' ' || dst[len(dst)-1] == '\t') {
		dst = dst[:len(dst)-1]
	}
	return dst
}

// peek returns the byte n positions ahead; after the end of s, the first byte of what follows.
func (e *escaper) peek(n int) byte {
	if e.i+n < len(e.s) {
		return e.s[e.i+n]
	}
	if e.i+n == len(e.s) {
		return e.next
	}
	return 0
}

// prev returns the byte written last, or a newline at the start of a block.
func (e *escaper) prev() byte {
	if len(e.dst) > e.start {
		return e.dst[len(e.dst)-1]
	}
	return '\n'
}

// ends reports whether the line ends after the byte n positions ahead.
func (e *escaper) ends(n int) bool {
	c := e.peek(n + 1)
	return c == '\n' || c == 0 && e.last && e.i+n+1 >= len(e.s)
}

func (e *escaper) run() []byte {
	for e.i < len(e.s) {
		c := e.s[e.i]
		if c >= utf8.RuneSelf || isPlain[c] {
			e.dst = append(e.dst, c)
			e.i++
			continue
		}
		if c == '\n' {
			e.newline()
			e.i++
			continue
		}
		if e.place == Block && e.prev() == '\n' {
			if n := e.lineStart(); n > 0 {
				e.i += n
				continue
			}
		}
		switch {
		case e.asEntity(c):
			e.dst = append(e.dst, entity(c)...)
		case e.asEscape(c):
			e.dst = append(e.dst, '\\', c)
		default:
			e.dst = append(e.dst, c)
		}
		e.i++
	}
	return e.dst
}

// isPlain marks the bytes that never have a meaning in Markdown. Digits are not marked, because they may begin
// a list.
var isPlain = func() (t [utf8.RuneSelf]bool) {
	for c := range t {
		t[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || strings.IndexByte(",;?/%@}()", byte(c)) >= 0
	}
	t['('] = false
	return t
}()

func (e *escaper) newline() {
	if e.place != Block {
		e.dst = append(e.dst, ' ')
		return
	}
	e.dst = append(trimSpaces(e.dst, e.start), '\n')
}

// lineStart escapes text at the start of a line that would begin another block. It returns how many bytes of s
// it wrote. Paragraphs of kramdown end at lists, headings, quotes and definitions without a blank line
// (PARAGRAPH_END_GFM).
func (e *escaper) lineStart() int {
	rest := e.s[e.i:]
	line, _, _ := strings.Cut(rest, "\n")
	switch c := rest[0]; {
	case c == ' ' || c == '\t':
		return 1 // dropped
	case c == '^' && e.ends(0): // EOB_MARKER
		e.dst = append(e.dst, entity('^')...)
		return 1
	case (c == '-' || c == '=') && strings.Trim(line, "-= \t") == "" && (len(line) < len(rest) || e.last), // SETEXT_HEADER_START
		strings.IndexByte("-+:", c) >= 0 && (isBlank(e.peek(1)) || e.peek(1) == '|' || e.ends(0)), // LIST_START, DEFINITION_LIST_START
		c == '#', c == '>':
		e.dst = append(e.dst, '\\', c)
		return 1
	}
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits == 0 {
		return 0
	}
	e.dst = append(e.dst, rest[:digits]...)
	if c := e.peek(digits); digits < len(rest) && (c == '.' || c == ')') &&
		(isBlank(e.peek(digits+1)) || e.peek(digits+1) == '|' || e.ends(digits)) {
		e.dst = append(e.dst, '\\', c)
		digits++
	}
	return digits
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// asEntity reports whether a character of s must be written as an entity to be kept.
func (e *escaper) asEntity(c byte) bool {
	switch c {
	case '{': // Liquid or shortcodes; attributes of a heading
		if e.form == Hugo && e.place == Heading {
			return true
		}
		return e.form != Plain && (e.peek(1) == '{' || e.peek(1) == '%')
	case '&':
		return e.isEntity()
	case '\\': // before a newline it is a line break, even if it is escaped
		return e.ends(0)
	case '`': // kramdown splits rows before it reads escapes
		return e.place == Cell
	case '^': // [^ does not begin a link
		return e.inLink && e.prev() == '['
	case '<': // \<< is a typographic symbol
		return e.peek(1) == '<'
	}
	return false
}

// isEntity reports whether an entity seems to begin at the current character (HTML_ENTITY_RE).
func (e *escaper) isEntity() bool {
	for k := e.i + 1; k < len(e.s); k++ {
		switch c := e.s[k]; {
		case c == ';':
			return k > e.i+1
		case c == '#' || c == '-' || c == '.' || c == ':' || c == '_' ||
			'0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z':
		default:
			return false
		}
	}
	return false
}

// asEscape reports whether a character of s needs a backslash.
func (e *escaper) asEscape(c byte) bool {
	next, prev := e.peek(1), e.prev()
	atEnd := e.i+1 == len(e.s)
	if e.place == Cell && e.i == 0 && e.last && len(e.dst) == e.start &&
		strings.Trim(e.s, "-=+: \t") == "" { // TABLE_SEP_LINE, TABLE_FSEP_LINE
		return true
	}
	if e.form == Plain && strings.IndexByte("\"'-.{", c) >= 0 { // Plain has no typographic replacements
		return false
	}
	switch c {
	case '`', '"', '\'', '|':
		return true
	case '\\':
		return next < utf8.RuneSelf && isASCIIPunct(next) || atEnd
	case '*', '_':
		if isBlank(prev) && isBlank(next) {
			return false
		}
		if c == '*' {
			return true
		}
		before, _ := utf8.DecodeLastRune(e.dst[e.start:])
		after, _ := utf8.DecodeRuneInString(e.s[e.i+1:])
		return !(unicode.IsLetter(before) && (unicode.IsLetter(after) || unicode.IsDigit(after)))
	case '<':
		return !isBlank(next) && next != '=' && next != '\n' && (next != 0 || !e.last)
	case '>':
		return next == '>' || prev == '>'
	case '[':
		return e.inLink || next == '^' || e.last && next == 0 || len(e.dst) == e.start && isTaskMark(e.s[e.i:], e.form)
	case ']':
		return e.inLink
	case '(': // of a link's address
		return prev == ']'
	case ':': // of a definition, which is at the beginning of a block
		block := e.dst[e.start:]
		return prev == ']' && (block[0] == '[' || bytes.HasPrefix(block, []byte(`\*[`)))
	case '{':
		return next == ':' || next == '#' || atEnd && !e.last
	case '$', '~':
		if c == '$' && e.form != Jekyll { // of a formula
			return true
		}
		return next == c || prev == c || atEnd && !e.last
	case '-':
		return next == '-' // typographic_syms
	case '.':
		return next == '.' && e.peek(2) == '.'
	case '!':
		return next == '['
	case '#': // closing marks of a heading
		return e.place == Heading && strings.Trim(e.s[e.i:], "#") == ""
	}
	return false
}

// isTaskMark reports whether s begins with the mark of a task. Goldmark requires no space after it.
func isTaskMark(s string, form Form) bool {
	return len(s) > 2 && (s[1] == ' ' || s[1]|0x20 == 'x') && s[2] == ']' && (form != Jekyll || len(s) > 3 && isBlank(s[3]))
}

func isASCIIPunct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

// altText returns the alternative text of an image. kramdown takes it from the source unchanged, except for
// escapes and entities.
func altText(s string) string {
	s = visible.Text(s)
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\n':
			b.WriteByte(' ')
		case strings.IndexByte("\\`*_[]<>&\"'{}$~|!:", c) >= 0:
			b.WriteString(entity(c))
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func linkTitle(title string) string {
	if title == "" {
		return ""
	}
	return ` "` + strings.NewReplacer("\n", " ", "|", "&#124;", "\\", "&#92;").Replace(htmlText(title, Block)) + `"`
}

// Address returns an address for the parentheses of a link. It percent-encodes characters at which kramdown,
// CommonMark or Liquid would end or change the address.
func Address(url string) string {
	url = encodeActing(url)
	var b strings.Builder
	for i := range len(url) {
		switch c := url[i]; {
		case c <= ' ' || c == 0x7f || strings.IndexByte("()<>\"'\\|`{}", c) >= 0 ||
			c == '%' && !(i+2 < len(url) && isHex(url[i+1]) && isHex(url[i+2])):
			b.WriteString("%" + strings.ToUpper(strconv.FormatInt(int64(c)+0x100, 16)[1:]))
		case c == '&' && strings.IndexByte(url[i:], ';') >= 0: // may be an entity
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// encodeActing percent-encodes characters beyond ASCII that may not be in a file, and bytes that are not valid
// UTF-8.
func encodeActing(url string) string {
	if visible.Text(url) == url {
		return url
	}
	var b strings.Builder
	for i := 0; i < len(url); {
		_, n := utf8.DecodeRuneInString(url[i:])
		if c := url[i : i+n]; c[0] < utf8.RuneSelf || visible.Text(c) == c && utf8.ValidString(c) {
			b.WriteString(c)
		} else {
			for _, c := range []byte(c) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
		i += n
	}
	return b.String()
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
