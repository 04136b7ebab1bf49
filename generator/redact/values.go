package redact

import (
	"bytes"
	"strings"
)

const (
	nothing class = iota
	password
	secret // whatever it looks like
	weak   // where it looks like one: "key" means other things, too
	opaque // where it is one long word of letters and digits: "token", "signature"
	code   // that is valid once: some digits
	header // of a request: a scheme, then the credential
	hostValue
	looseHost    // where it looks like the name of a host
	looseMachine // and not like the name of a product
	userValue
	looseUser
	networkValue
	serialValue
)

// value is what follows a name that says something of it.
type value struct {
	*scanner
	class      class
	start, end int  // in the text, without quotation marks
	sep        byte // between name and value: '=', ':', ' ' after a flag, '|' and '>' between cells, ',' in a call, '%' in an escaped URL, '是' as 0xe6
	quoted     bool // the value has quotation marks
	quotedName bool // so has the name, as in JSON
	variable   bool // NAME=value, of the environment
	list, item bool // it is one of several: in brackets, below each other
	below      bool // it is on the line below its name
	head       string
}

const (
	longestValue = 16 << 10 // that is replaced as a whole
	longestHead  = 256      // of a value that is looked at to judge it
)

// longestList is how many values of a list are looked at.
const longestList = 32

// value puts the value that begins at i, or what of it is private; of a list, all values.
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

// put passes on the value, by its class.
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

// cover notes that all up to end is replaced. Values within that one are not looked
// at: a text may have as many of them as bytes, each as long as the rest.
func (s *scanner) cover(end int, replaced bool) {
	if replaced {
		s.covered = max(s.covered, end)
	}
}

// bound finds where the value begins and ends that follows a separator at i. It is
// false where there is none.
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

// isSecret reports whether the value is a secret by its class.
func (v *value) isSecret() bool { return v.class >= password && v.class <= code }

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }

// blanks returns where blanks end.
func (v *value) blanks(i int) int {
	for n := 0; n < 40 && i < len(v.text) && (v.text[i] == ' ' || v.text[i] == '\t'); n++ {
		i++
	}
	return i
}

// spaces returns where blanks and line ends end.
func (v *value) spaces(i int) int {
	for n := 0; n < 80 && i < len(v.text) && (isLineEnd(v.text[i]) || v.text[i] == ' ' || v.text[i] == '\t'); n++ {
		i++
	}
	return i
}

// wrappers are what programs print around a secret: SecretStr('…'), b'…'.
var wrappers = []string{"SecretStr(", "SecretBytes(", "Secret(", "SecretString(", "str(", "Some(", "StrictStr("}

// opening returns where the value begins behind what comes before it: a bracket, a wrapper,
// or the end of the line, where YAML and JSON write it below. It is below 0 where none
// follows.
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

// lineBelow returns where the value begins on the next line, i where it is on this one, and
// below 0 where there is none.
func (v *value) lineBelow(i int) int {
	t := v.text
	at, block := i, false
	if c := v.byteAt(at); v.sep == ':' && (c == '|' || c == '>') { // a text of several lines
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

// namesAnother reports whether what was found below is the name of another value.
func (v *value) namesAnother() bool {
	rest := v.text[v.end:min(len(v.text), v.end+16)]
	return bytes.HasPrefix(bytes.TrimLeft(rest, "\"'\\ \t"), []byte(":")) || !v.quoted && strings.HasSuffix(v.head, ":") || !v.quoted && strings.Contains(v.head, "://")
}

// next returns where the next value of a list begins, below 0 where there is none.
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

// closing returns where the value ends that a quotation mark with so many backslashes
// before it opened: at its like, or at the end of the line.
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
		if n%(2*(slashes+1)) == slashes { // what is escaped within has more of them
			return end - slashes
		}
	}
	return end
}

// span is a part of the text.
type span struct{ from, to int }

// stops are the characters at which values without quotation marks end.
const (
	wideStops   = "\r\n\"'`<>|{}&"          // of headers and networks, which have words
	narrowStops = " \t\r\n\"'`<>|{}[](),;&" // of all others
	lineStops   = " \t\r\n\"'`<>|{}[](),;"  // of passwords outside of addresses
)

// stop returns where a value without quotation marks ends. What was gone through for
// another value is not gone through again.
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

// endsParameter reports whether a parameter of an escaped URL ends at a place.
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
