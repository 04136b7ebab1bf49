package redact

import (
	"bytes"
	"slices"
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

// refusal is a reason not to replace a value, although its name says that it is
// private.
type refusal struct {
	name, why string
	of        []class // all where nil
	holds     func(v *value) bool
}

// ofSecrets are the classes of what is called a secret, ofUsers of what is called a user.
var (
	ofSecrets  = []class{password, secret}
	allSecrets = []class{password, secret, weak, opaque, code}
	ofUsers    = []class{userValue, looseUser}
)

// refusals are asked one after the other; the first that holds is enough.
var refusals = []refusal{
	{"no text of JSON", "JSON has quotation marks around texts", []class{networkValue, header},
		func(v *value) bool { return v.quotedName && !v.quoted }},
	{"a figure", "name: 12 is a count or a setting in JSON, YAML and logs", []class{secret, header, hostValue, looseHost, looseMachine, userValue, looseUser, networkValue},
		func(v *value) bool { return v.number() && v.sep == ':' }},
	{"a figure of JSON", "numbers of JSON are figures, whatever they are called", []class{password, serialValue, code},
		func(v *value) bool { return v.number() && v.sep == ':' && v.quotedName }},
	{"a version", "a package may be called cookie", []class{header},
		func(v *value) bool {
			return strings.Contains(v.head, ".") && strings.Trim(v.head, "0123456789.^~<>= ") == ""
		}},
	{"punctuation", "the quotation mark after a name that ends a text of JSON opens none", nil,
		func(v *value) bool { return v.quoted && strings.Trim(v.head, ",:{}[] \t") == "" }},
	{"a placeholder", "help texts and templates say what goes there", nil,
		func(v *value) bool { return isPlaceholder(v.head) }},
	{"a short figure", "FIRST_PASS=1 counts passes", ofSecrets,
		func(v *value) bool { return v.number() && v.variable && len(v.head) < 4 }},
	{"a count", "max_api_key=3 counts keys; the word after a flag is the key", []class{secret},
		func(v *value) bool { return v.number() && v.sep != ' ' }},
	{"code", "token=get(…) calls a function", ofSecrets,
		func(v *value) bool {
			next := v.byteAt(v.end)
			return !v.quoted && (next == '(' || next == '[' || next == '{')
		}},
	{"a variable", "a shell puts the value there", ofSecrets,
		func(v *value) bool { return strings.HasPrefix(v.head, "$") || strings.Contains(v.head, "${") }},
	{"prose", "a sentence goes on after the word", []class{password, secret, userValue},
		func(v *value) bool {
			return v.sep == ':' && !v.quoted && !v.endsHere(v.end) && (v.class == userValue || !looksRandom(v.head))
		}},
	{"the name of a secret", "api_key=openai_api_key passes a variable on", ofSecrets,
		func(v *value) bool {
			return !v.quoted && v.sep != ' ' && isAccount(v.head) && secretClass(v.head, false) != nothing && !strings.ContainsAny(v.head, "0123456789")
		}},
	{"a path", "the secret is in the file, whose name is not", []class{secret},
		func(v *value) bool { return isPath(v.head) && !looksRandom(v.head) && !hasMixedPart(v.head) }},
	{"a sentence", "help texts are about secrets", ofSecrets,
		func(v *value) bool { return v.quoted && strings.Count(v.head, " ") > 5 }},
	{"words", "keys are many things; a secret looks random", []class{weak},
		func(v *value) bool { return !looksRandom(v.head) }},
	{"a word", "tokens are parts of texts; a secret is long, of letters and digits", []class{opaque},
		func(v *value) bool { return !isOpaque(v.head) || isDigest(v.head) && v.namesDigest(v.start) }},
	{"no code", "codes that are valid once are four to eight digits", []class{code},
		func(v *value) bool {
			return len(v.head) < 4 || len(v.head) > 9 || strings.Trim(v.head, "0123456789-") != "" || strings.Count(v.head, "-") > 1
		}},
	{"a heading", "tables, calls and sentences name keys and passwords without telling them", allSecrets,
		func(v *value) bool {
			switch v.sep {
			case '|', '>', ',':
				return len(v.head) < 16 && !strings.ContainsAny(v.head, "0123456789") || isNumber(v.head) && v.class != code
			case isIn:
				return !strings.ContainsAny(v.head, "0123456789") || v.head[0] >= 0x80
			}
			return false
		}},
	{"no account", "accounts are words of letters, digits, dashes and dots", ofUsers,
		func(v *value) bool { return !isAccount(v.head) }},
	{"a role", "user: assistant is a role in a chat; user=alice is an account", []class{looseUser},
		func(v *value) bool { return v.sep != '=' || v.quotedName || len(v.head) < 3 }},
	{"no network", "columns and states stand where names of networks do", []class{networkValue},
		func(v *value) bool {
			return !isNetworkName(v.scanner, v.start, v.end) || strings.Contains(v.head, "  ")
		}},
	{"no serial number", "serial numbers are one word with digits", []class{serialValue},
		func(v *value) bool {
			return v.number() && v.quotedName || len(v.head) < 6 || !strings.ContainsAny(v.head, "0123456789") || strings.Trim(v.head, "0-") == "" || strings.ContainsAny(v.head, " ./:\\")
		}},
}

// refusal returns the first refusal that holds, nil for none.
func (v *value) refusal() *refusal {
	for i := range v.refusals {
		r := &v.refusals[i]
		if (r.of == nil || slices.Contains(r.of, v.class)) && r.holds(v) {
			return r
		}
	}
	return nil
}

// isIn is the separator of a sentence: 密码是…, 密码为….
const isIn byte = 0xe6

// isOpaque reports whether a text is one long word of letters and digits, as a key in any
// alphabet.
func isOpaque(v string) bool {
	if len(v) < 16 {
		return false
	}
	letter, digit := 0, 0
	for i := range len(v) {
		switch c := v[i]; {
		case isDigit(c):
			digit++
		case isLetter(c):
			letter++
		case !isToken(c) && c != '%' && c != ':':
			return false
		}
	}
	return letter > 1 && digit > 1 && entropy([]byte(v)) > 2.5
}

// hasMixedPart reports whether between the slashes of a text is something random, as in
// base64.
func hasMixedPart(v string) bool {
	return slices.ContainsFunc(strings.Split(v, "/"), func(part string) bool { return len(part) >= 10 && isMixed([]byte(part)) })
}

// isDigest reports whether a text may be a digest.
func isDigest(v string) bool { return isHex(v) && len(v) >= 32 }

// number reports whether the value is a number without quotation marks.
func (v *value) number() bool { return !v.quoted && isNumber(v.head) }

// escapeAt reports whether an escape of JSON for a line's end, a tab or a quotation mark
// begins at a place, where a value that has no quotation marks of its own ends.
func (s *scanner) escapeAt(i int) bool {
	return s.text[i] == '\\' && bytes.IndexByte([]byte("nrt\"'\\"), s.byteAt(i+1)) >= 0
}

// widePunctuation ends a value in Chinese text.
var widePunctuation = []string{"，", "。", "；", "、", "）", "（", "”", "》"}

func beginsWithAny(text []byte, list []string) bool {
	if len(text) == 0 || text[0] < 0x80 {
		return false
	}
	for _, w := range list {
		if bytes.HasPrefix(text, []byte(w)) {
			return true
		}
	}
	return false
}

// endsHere reports whether nothing but punctuation follows on the line.
func (s *scanner) endsHere(end int) bool {
	rest := s.text[end:min(len(s.text), end+8)]
	rest = bytes.TrimLeft(rest, " \t")
	return len(rest) == 0 || beginsWithAny(rest, widePunctuation) || bytes.IndexByte([]byte("\r\n,;}])\\\"'|"), rest[0]) >= 0
}

func isScheme(v string) bool {
	low := strings.ToLower(v)
	return low == "bearer" || low == "basic" || low == "digest"
}

// isHeader reports whether a place follows the name of a header.
func (s *scanner) isHeader(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-48):at])
	return bytes.Contains(before, []byte("authorization"))
}

// looksLikeModel reports whether a name is that of an accelerator or a machine for sale.
func looksLikeModel(name string) bool {
	low := strings.ToLower(name)
	for _, w := range []string{"jetson", "nvidia", "rtx", "gtx", "geforce", "tesla", "orin", "thor", "xavier", "h100", "h200", "h20", "b200", "b100", "gb200", "gb10", "a100", "a10", "l40", "l4-", "mi300", "mi325", "mi250", "dgx", "hgx", "gpu", "cpu", "intel", "amd", "apple", "ascend", "m1-", "m2-", "m3-", "m4-", "macbook", "x86", "aarch64", "arm64", "sm_", "spark"} {
		if strings.Contains(low, w) {
			return true
		}
	}
	return false
}

// isNetworkName judges what was taken for the name of a wireless network.
func isNetworkName(s *scanner, start, end int) bool {
	if end-start > longestHead {
		return false
	}
	v := strings.Trim(string(s.text[start:end]), "\"'` ")
	low := strings.ToLower(v)
	if v == "" || len(v) > 64 || v == "--" || isPlaceholder(v) || low == "off/any" || low == "ssid" || low == "name" || low == "mode" || low == "any" || low == "off" || low == "hidden" || low == "unavailable" || strings.HasPrefix(low, "not ") || strings.HasPrefix(low, "you are not") {
		return false
	}
	if n := strings.Count(v, ":"); n == 5 && len(v) == 17 { // of a BSSID
		return false
	}
	return true
}

func isAccount(v string) bool {
	if len(v) < 2 || len(v) > 32 || !(isLetter(v[0]) || v[0] == '_') {
		return false
	}
	for i := range len(v) {
		if !isWord(v[i]) && v[i] != '-' && v[i] != '.' {
			return false
		}
	}
	return true
}

func isNumber(v string) bool {
	return v != "" && strings.Trim(v, "0123456789.eE+-_") == "" && strings.ContainsAny(v, "0123456789")
}

// isPlaceholder reports whether a value only marks its place, in a help text or a template.
func isPlaceholder(v string) bool {
	v = v[:min(len(v), longestHead)]
	low := strings.ToLower(strings.Trim(v, "\"'` "))
	switch low {
	case "", "none", "null", "nil", "true", "false", "empty", "undefined", "unset", "optional", "required", "str", "string", "int", "float", "bool", "bytes", "any", "object", "dict", "list",
		"not set", "n/a", "na", "dummy", "placeholder", "redacted", "changeme", "xxx", "secret", "password", "token", "key", "api_key", "api-key", "apikey", "your_api_key", "value", "default", "auto", "env", "no", "yes", "read", "write", "-", "--", "user", "pass", "user:pass", "*", "无", "空", "未设置", "没有":
		return true
	}
	if isTemplate(low) || len(low) < 9 && strings.HasSuffix(low, "xxx") || strings.HasSuffix(low, "***") || len(low) > 2 && strings.Trim(low, "x") == "" || strings.Trim(low, ".…") == "" || strings.Trim(low, "-_ ") == "" {
		return true
	}
	if strings.HasPrefix(low, "your") || strings.HasPrefix(low, "os.environ") {
		return true
	}
	// API_KEY, as help texts name a value.
	return v == strings.ToUpper(v) && strings.Contains(v, "_") && !strings.ContainsAny(v, "0123456789") && strings.Trim(v, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// isTemplate reports whether somebody or a program put v where a value was, or will be.
func isTemplate(v string) bool {
	for _, begin := range []string{"<", "{", "$", "%(", "redacted", "[redacted", "***"} {
		if strings.HasPrefix(v, begin) {
			return true
		}
	}
	return strings.Trim(v, "*") == ""
}

// looksRandom distinguishes a key from words: it mixes capitals, small letters and digits over
// a length, and is no digest.
func looksRandom(v string) bool {
	run, best := 0, ""
	for i := 0; i <= len(v); i++ {
		if i < len(v) && (isWord(v[i]) || v[i] == '+' || v[i] == '/' && !strings.Contains(v, ".")) {
			run++
			continue
		}
		if run > len(best) {
			best = v[i-run : i]
		}
		run = 0
	}
	if strings.ContainsAny(v, " \t") || len(best) < 16 || strings.Count(best, "/") > 1 || strings.Contains(best, "_") {
		return false
	}
	upper, lower, digit := 0, 0, 0
	for i := range len(best) {
		switch c := best[i]; {
		case isDigit(c):
			digit++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= 'a' && c <= 'z':
			lower++
		}
	}
	return upper > 1 && lower > 1 && digit > 1 && entropy([]byte(best)) > 3.3
}

func isHex(v string) bool {
	for i := range len(v) {
		if unhex(v[i]) < 0 && v[i] != '-' {
			return false
		}
	}
	return true
}

func isPath(v string) bool {
	return strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "~/") || len(v) > 2 && v[1] == ':' && v[2] == '\\'
}

// namesDigest reports whether the text before a place names a digest.
func (s *scanner) namesDigest(at int) bool {
	before := bytes.ToLower(s.text[max(s.lineStart(at), at-96):at])
	for _, w := range []string{"hash", "sha", "digest", "commit", "revision", "checksum", "etag", "md5", "uuid", "fingerprint", "blob", "oid", "snapshot"} {
		if bytes.Contains(before, []byte(w)) {
			return true
		}
	}
	return false
}

// inData reports whether a place is within data in base64: of a picture, an embedding.
func (s *scanner) inData(start, end int) bool {
	isData := func(c byte) bool { return isLetter(c) || isDigit(c) || c == '+' || c == '/' }
	from, to := start, end
	for from > 0 && start-from < longData && isData(s.text[from-1]) {
		from--
	}
	for to < len(s.text) && to-end < longData && isData(s.text[to]) {
		to++
	}
	return start-from >= longData/2 || to-end >= longData/2
}

// longData is how long a run of base64 is in which no token is looked for.
const longData = 256

// isNumberOfJSON reports whether what is to be replaced is a number where JSON has one.
func isNumberOfJSON(text []byte, start, end int) bool {
	if !isNumber(string(text[start:end])) {
		return false
	}
	isPart := func(c byte) bool { return isDigit(c) || c == '.' || c|0x20 == 'e' || c == '+' || c == '-' }
	for start > 0 && isPart(text[start-1]) {
		start--
	}
	for end < len(text) && isPart(text[end]) {
		end++
	}
	before := bytes.TrimRight(text[max(0, start-64):start], " \t\r\n")
	after := bytes.TrimLeft(text[end:min(len(text), end+64)], " \t\r\n")
	return len(before) > 0 && bytes.IndexByte([]byte(":,["), before[len(before)-1]) >= 0 && (len(after) == 0 || bytes.IndexByte([]byte(",]}"), after[0]) >= 0)
}
