package redact

import (
	"bytes"
	"strings"
)

const (
	nothing class = iota
	password
	secret // always
	weak   // only if it looks random, since "key" has other meanings
	opaque // only one long word of letters and digits: "token", "signature"
	code   // a one-time code: some digits
	header // of a request: the scheme, then the credential
	hostValue
	looseHost    // only if it looks like a host name
	looseMachine // the same, and it does not look like a product name
	userValue
	looseUser
	networkValue
	serialValue
)

// value is a value whose name says something about it.
type value struct {
	*scanner
	class      class
	start, end int  // in the text, without quotation marks
	sep        byte // between name and value: '=', ':', ' ' after a flag, '|' and '>' between cells, ',' in a call, '%' in an escaped URL, '是' as 0xe6
	quoted     bool // the value has quotation marks
	quotedName bool // the name has quotation marks, as in JSON
	variable   bool // NAME=value, an environment variable
	list, item bool // one of several values: in brackets, or as items on lines
	below      bool // on the line below its name
	head       string
}

const (
	longestValue = 16 << 10 // greatest length of a value that is replaced as a whole
	longestHead  = 256      // bytes at the beginning of a value by which it is judged
)

// longestList is the greatest number of values of a list that are checked.
const longestList = 32

// value checks the value that begins at i and reports it, or the private part of it; of a list, all values.
func (s *scanner) value(c class, i int, sep byte, quotedName, variable bool) {
	v := value{scanner: s, class: c, sep: sep, quotedName: quotedName, variable: variable}
	for n := 0; n < longestList && v.bound(i); n++ {
		if v.end > s.covered && (v.quoted || v.start >= s.covered) && v.refusal() == nil {
			v.put()
		}
		if i = v.next(); i < 0 {
			return
		}
	}
}

// put reports the value according to its class.
func (v *value) put() {
	s, text := v.scanner, string(v.text[v.start:v.end])
	switch v.class {
	case password:
		s.cover(v.end, s.put("password", Secret, v.start, v.end, text))
	case secret, weak, opaque:
		s.cover(v.end, s.put(namedSecret, Secret, v.start, v.end, text))
	case code:
		s.put("one-time-code", Secret, v.start, v.end, text)
	case header:
		s.header(v.start, v.end)
	case hostValue, looseHost, looseMachine:
		s.hostValue(v.class, v.start, v.end, v.sep, v.quotedName, v.quoted, v.variable)
	case userValue, looseUser:
		s.putUser(v.start, v.end)
	case networkValue:
		s.put("wifi", WiFi, v.start, v.end, text)
	case serialValue:
		s.put("serial", Serial, v.start, v.end, text)
	}
}

// cover notes that everything up to end is replaced. Values within it are not checked: a text may have one at every
// byte, each as long as the rest of the text.
func (s *scanner) cover(end int, replaced bool) {
	if replaced {
		s.covered = max(s.covered, end)
	}
}

// bound determines the start and the end of the value that follows a separator before i. It returns false if there is
// none.
func (v *value) bound(i int) bool {
	t := v.text
	if !v.variable || v.sep != '=' {
		i = v.blanks(i)
	}
	if v.sep == '=' && v.byteAt(i) == '=' || v.byteAt(i) == '>' && v.sep != '>' && !isLineEnd(v.byteAt(i+1)) && v.byteAt(i+1) != '-' {
		i++
	}
	if v.isSecret() {
		if i = v.opening(i); i < 0 {
			return false
		}
	}
	slashes := 0
	for slashes < 8 && v.byteAt(i+slashes) == '\\' {
		slashes++
	}
	v.quoted = isQuote(v.byteAt(i + slashes))
	switch {
	case v.quoted:
		v.start = i + slashes + 1
		v.end = v.closing(v.start, t[v.start-1], slashes)
	case i < len(t):
		v.start = i
		v.end = v.stop(i)
		v.end = i + len(bytes.TrimRight(t[i:v.end], " \t"))
	}
	if v.end <= v.start {
		return false
	}
	v.head = string(t[v.start:min(v.end, v.start+longestHead)])
	v.looked += len(v.head)
	return !v.below || !v.namesAnother()
}

// isSecret reports whether the class of the value is that of a secret.
func (v *value) isSecret() bool { return v.class >= password && v.class <= code }

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// blanks returns the end of the blanks at i.
func (v *value) blanks(i int) int {
	for n := 0; n < 40 && i < len(v.text) && (v.text[i] == ' ' || v.text[i] == '\t'); n++ {
		i++
	}
	return i
}

// spaces returns the end of the blanks and line ends at i.
func (v *value) spaces(i int) int {
	for n := 0; n < 80 && i < len(v.text) && (isLineEnd(v.text[i]) || v.text[i] == ' ' || v.text[i] == '\t'); n++ {
		i++
	}
	return i
}

// wrappers are what programs print around a secret: SecretStr('…'), b'…'.
var wrappers = []string{"SecretStr(", "SecretBytes(", "Secret(", "SecretString(", "str(", "Some(", "StrictStr("}

// opening returns where the value itself begins: after a bracket, after a wrapper, or on the next line, as in YAML and
// JSON. It returns -1 if there is no value.
func (v *value) opening(i int) int {
	t := v.text
	if at := v.lineBelow(i); at != i {
		if at < 0 {
			return -1
		}
		i, v.below = at, true
	}
	for range 3 {
		if c := v.byteAt(i); c == '[' || c == '(' {
			v.list = true
			i = v.blanks(i + 1)
			if isLineEnd(v.byteAt(i)) {
				i = v.spaces(i)
			}
		}
		for _, w := range wrappers {
			if bytes.HasPrefix(t[i:], []byte(w)) && (isQuote(v.byteAt(i+len(w))) || v.byteAt(i+len(w)) == '\\' || v.byteAt(i+len(w)) == 'b') {
				i += len(w)
			}
		}
	}
	if c := v.byteAt(i) | 0x20; (c == 'b' || c == 'u' || c == 'r' || c == 'f') && (isQuote(v.byteAt(i+1)) || v.byteAt(i+1) == '\\' && isQuote(v.byteAt(i+2))) {
		i++
	}
	return i
}

// lineBelow returns where the value begins if it is on the next line, i if it is on the same line, and -1 if there is
// none.
func (v *value) lineBelow(i int) int {
	t := v.text
	at, block := i, false
	if c := v.byteAt(at); v.sep == ':' && (c == '|' || c == '>') { // a block of several lines in YAML
		block = true
		if at++; v.byteAt(at) == '-' || v.byteAt(at) == '+' {
			at++
		}
		at = v.blanks(at)
	}
	if v.sep != ':' || !isLineEnd(v.byteAt(at)) {
		return i
	}
	if v.byteAt(at) == '\r' {
		at++
	}
	if v.byteAt(at) == '\n' {
		at++
	}
	at = v.blanks(at)
	if bytes.HasPrefix(t[at:], []byte("- ")) {
		v.item = true
		return v.blanks(at + 2)
	}
	if c := v.byteAt(at); block || isQuote(c) || c == '\\' || c == '[' {
		return at
	}
	return -1
}

// namesAnother reports whether the text found on the next line is the name of another value.
func (v *value) namesAnother() bool {
	rest := v.text[v.end:min(len(v.text), v.end+16)]
	return bytes.HasPrefix(bytes.TrimLeft(rest, "\"'\\ \t"), []byte(":")) || !v.quoted && strings.HasSuffix(v.head, ":") || !v.quoted && strings.Contains(v.head, "://")
}

// next returns where the next value of a list begins, -1 if there is none.
func (v *value) next() int {
	t, i := v.text, v.end
	for n := 0; v.quoted && n < 8 && i < len(t) && (t[i] == '\\' || isQuote(t[i])); n++ {
		i++
	}
	switch {
	case v.list && v.quoted && v.byteAt(i) == ',':
		i = v.spaces(i + 1)
		if isQuote(v.byteAt(i)) || v.byteAt(i) == '\\' {
			return i
		}
	case v.item && isLineEnd(v.byteAt(v.blanks(i))):
		i = v.blanks(i)
		if v.byteAt(i) == '\r' {
			i++
		}
		if i = v.blanks(i + 1); bytes.HasPrefix(t[min(i, len(t)):], []byte("- ")) {
			return v.blanks(i + 2)
		}
	}
	return -1
}

// closing returns where a quoted value ends: at the same quotation mark with the same number of backslashes before it,
// or at the end of the line.
func (v *value) closing(start int, quote byte, slashes int) int {
	t := v.text
	end := start
	for ; end < len(t) && end-start < longestValue && t[end] != '\n' && t[end] != '\r'; end++ {
		v.looked++
		if t[end] != quote {
			continue
		}
		n := 0
		for end-n-1 >= start && t[end-n-1] == '\\' {
			n++
		}
		if n%(2*(slashes+1)) == slashes { // quotation marks within the value have more backslashes
			return end - slashes
		}
	}
	return end
}

// span is a range of bytes in the text.
type span struct{ from, to int }

// stops are the characters that end a value without quotation marks.
const (
	wideStops   = "\r\n\"'`<>|{}&"          // for headers and networks, which contain several words
	narrowStops = " \t\r\n\"'`<>|{}[](),;&" // for all others
	lineStops   = " \t\r\n\"'`<>|{}[](),;"  // for passwords outside of URLs
)

// stop returns where a value without quotation marks ends. It does not examine again what was examined for another
// value.
func (v *value) stop(start int) int {
	stops := narrowStops
	switch {
	case v.class == header || v.class == networkValue:
		stops = wideStops
	case v.class == password && v.sep != '=':
		stops = lineStops
	}
	if v.free == nil {
		v.free = map[string]span{}
	}
	free := v.free[stops]
	if start < free.from || start > free.to {
		free = span{start, start}
	}
	end := free.to
	for end < len(v.text) && end-start < longestValue && strings.IndexByte(stops, v.text[end]) < 0 && !v.escapeAt(end) && !(v.sep == '%' && v.endsParameter(end)) && !beginsWithAny(v.text[end:], widePunctuation) {
		v.looked++
		end++
	}
	free.to = end
	v.free[stops] = free
	return end
}

// endsParameter reports whether the parameter of an escaped URL ends at i.
func (s *scanner) endsParameter(i int) bool {
	if s.text[i] != '%' || i+2 >= len(s.text) {
		return false
	}
	switch strings.ToUpper(string(s.text[i+1 : i+3])) {
	case "26", "20", "22", "27", "0A", "0D", "23", "7D":
		return true
	}
	return false
}
