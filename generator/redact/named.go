package redact

import (
	"bytes"
	"net/netip"
	"strings"
)

// named checks for a named value whose separator is at i.
func (s *scanner) named(i int) {
	t := s.text
	if i == 0 || !endsName[t[i-1]] {
		return
	}
	sep, next := t[i], i+1
	if sep == wideColon[0] {
		sep, next = ':', i+len(wideColon)
	}
	e, quoted := s.nameEnd(i)
	s.namedBy(e, next, sep, quoted, e == i)
}

// nameEnd returns the end of the name before a separator at i, and whether quotation marks enclose the name.
func (s *scanner) nameEnd(i int) (end int, quoted bool) {
	t, e := s.text, i
	for e > 0 && i-e < 40 && (t[e-1] == ' ' || t[e-1] == '\t') {
		e--
	}
	for e > 0 && i-e < 48 && (isQuote(t[e-1]) || t[e-1] == '\\' || t[e-1] == ']' || t[e-1] == '*') {
		quoted = quoted || t[e-1] == '"' || t[e-1] == '\''
		e--
	}
	return e, quoted
}

// namedBy checks the value at next according to the name that ends at e.
func (s *scanner) namedBy(e, next int, sep byte, quoted, adjacent bool) {
	t := s.text
	if e >= 3 && t[e-1] >= 0x80 {
		for _, n := range chineseFields {
			if bytes.HasSuffix(t[:e], []byte(n.name)) {
				s.value(n.class, next, sep, quoted, false)
				return
			}
		}
	}
	if e < 2 || sep == isIn || !mayName(t[e-2], t[e-1]) {
		return
	}
	b := e
	if system := " (system)"; bytes.HasSuffix(t[:e], []byte(system)) {
		b -= len(system)
	}
	for b > 0 && e-b < 64 && (isWord(t[b-1]) || t[b-1] == '-' || t[b-1] == '.') {
		b--
	}
	if s.byteAt(b-1) == '%' && e-b > 2 && unhex(t[b]) >= 0 && unhex(t[b+1]) >= 0 {
		b += 2 // after an escape in a URL
	}
	for b < e && (t[b] == '-' || t[b] == '.') {
		b++
	}
	if s.byteAt(b-1) == '{' && s.byteAt(b-2) == '$' {
		return // ${NAME:-default}
	}
	name := t[b:e]
	if bytes.Contains(name, anyWord) || !s.isCell(b, e, sep) {
		return
	}
	upper := !bytes.ContainsFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' })
	variable := sep == '=' && upper && adjacent
	c := s.known.classify(name, variable || upper && sep == '%')
	if c == nothing && len(name) == len("value") && hasSmall(name, "value") {
		c = s.ofPair(b)
	}
	if c == nothing || c == serialValue && !quoted || string(name) == "no" {
		// Names of two words: Serial Number, Computer Name, Hardware UUID.
		if w := b; w > 1 && t[w-1] == ' ' {
			v := w - 1
			for v > 0 && w-v < 32 && (isWord(t[v-1]) || t[v-1] == '-') {
				v--
			}
			if two := s.known.classify(t[v:e], false); two == serialValue || two == hostValue || two == networkValue || two == code {
				c = two
			}
		}
	}
	if c == nothing {
		return
	}
	s.value(c, next, sep, quoted, variable)
}

// isCell reports whether a name fills its table cell, its element or its argument completely. For other separators it
// returns true.
func (s *scanner) isCell(b, e int, sep byte) bool {
	before := bytes.TrimRight(s.text[max(0, b-16):b], " \t*`")
	last := byte('\n')
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch sep {
	case '|':
		return last == '|' || isLineEnd(last)
	case '>':
		return last == '>' || last == '<'
	case ',':
		before = bytes.TrimRight(s.text[max(0, b-16):b], "\\\"'")
		return len(before) > 0 && before[len(before)-1] == '(' && len(before) < min(16, b)
	}
	return true
}

// ofPair returns the class of a field "value" at b, according to the name in the field before it, as containers have
// them: {"name": "HF_TOKEN", "value": "…"}.
func (s *scanner) ofPair(b int) class {
	from := max(0, b-160)
	before := bytes.TrimRight(s.text[from:b], " \t\r\n\"',{-\\")
	start := len(before)
	for start > 0 && (isWord(before[start-1]) || before[start-1] == '-' || before[start-1] == '.') {
		start--
	}
	name := string(before[start:])
	lead := bytes.TrimRight(before[:start], " \t\"'\\")
	if len(lead) == 0 || lead[len(lead)-1] != ':' && lead[len(lead)-1] != '=' {
		return nothing
	}
	lead = bytes.ToLower(bytes.TrimRight(lead[:len(lead)-1], " \t\"'\\"))
	if !bytes.HasSuffix(lead, []byte("name")) && !bytes.HasSuffix(lead, []byte("key")) {
		return nothing
	}
	return secretClass(name, name == strings.ToUpper(name))
}

// cell checks for a named value in a table, with the bar between the two cells at i.
func (s *scanner) cell(i int) {
	e, quoted := s.nameEnd(i)
	if e > 1 && e < i {
		s.namedBy(e, i+1, '|', quoted, false)
	}
}

// element checks for a named value in XML or in an HTML table; i is the end of the tag before the value.
func (s *scanner) element(i int) {
	const longest = 128
	t := s.text
	if c := s.byteAt(i + 1); c == 0 || c == '<' || isLineEnd(c) {
		return
	}
	tag := bytes.LastIndexByte(t[max(0, i-longest):i], '<')
	if tag < 0 {
		return
	}
	tag += max(0, i-longest)
	if e := tag + 1; e < i && isLetter(t[e]) { // <api_key>…
		for e < i && (isWord(t[e]) || t[e] == '-' || t[e] == '.') {
			e++
		}
		s.namedBy(e, i+1, '>', false, false)
	}
	// …</td><td>
	end := len(bytes.TrimRight(t[:tag], " \t\r\n"))
	if end == 0 || t[end-1] != '>' {
		return
	}
	if open := bytes.LastIndex(t[max(0, end-longest):end], []byte("</")); open >= 0 {
		e, quoted := s.nameEnd(max(0, end-longest) + open)
		s.namedBy(e, i+1, '>', quoted, false)
	}
}

// argument checks for a named value in a call with the name as first argument; i is the comma.
func (s *scanner) argument(i int) {
	if i < 4 || !isQuote(s.text[i-1]) {
		return
	}
	next := i + 1
	for next < len(s.text) && next-i < 8 && s.text[next] == ' ' {
		next++
	}
	if c := s.byteAt(next); isQuote(c) || c == '\\' {
		e, quoted := s.nameEnd(i)
		s.namedBy(e, next, ',', quoted, false)
	}
}

// escaped checks for a named value in an escaped URL whose separator is at i.
func (s *scanner) escaped(i int) {
	if i < 2 || i+3 >= len(s.text) || s.text[i+1] != '3' {
		return
	}
	if c := s.text[i+2] | 0x20; c == 'd' || c == 'a' {
		s.namedBy(i, i+3, '%', false, true)
	}
}

// flag checks for a flag with its value in the next word; i is the first dash.
func (s *scanner) flag(i int) {
	t := s.text
	if c := s.byteAt(i - 1); c != 0 && c != ' ' && c != '\t' && c != '\n' && c != '\r' && !isQuote(c) && c != '[' && c != '(' && c != ',' {
		return
	}
	b := i + 1
	if s.byteAt(b) == '-' {
		b++
	}
	if s.byteAt(b) == '-' {
		return // "-----Token Stats-----" is a rule with a title
	}
	e := b
	for e < len(t) && e-b < 64 && (isWord(t[e]) || t[e] == '-' || t[e] == '.') {
		e++
	}
	if e-b < 3 || !mayName(t[e-2], t[e-1]) {
		return
	}
	if s.byteAt(i-1) == '`' && s.byteAt(e) == '`' {
		return // mentioned in prose
	}
	next := s.afterFlag(e)
	if next < 0 {
		return
	}
	if isQuote(t[next-1]) {
		next--
		for next > e && t[next-1] == '\\' {
			next--
		}
	}
	if bytes.Contains(t[b:e], anyWord) {
		return // sshpass -predacted-password
	}
	c := s.known.classify(t[b:e], false)
	switch c {
	case weak, opaque:
		c = secret // a flag with such a name always takes a secret
	case nothing, looseUser, userValue, serialValue:
		return
	}
	s.value(c, next, ' ', false, false)
}

// afterFlag returns the start of the value of a flag that ends at e: the next word. It may be on the next line if the
// line is continued, or if the flag is an item of a list. It returns -1 if there is no value.
func (s *scanner) afterFlag(e int) int {
	t, next := s.text, e
	line := false
	for ; next < len(t) && next-e < 64; next++ {
		switch c := t[next]; {
		case isQuote(c), c == ',', c == ' ', c == '\t', c == '\\':
			if !line && next-e >= 8 {
				return -1
			}
			continue
		case isLineEnd(c):
			if c == '\n' {
				if line {
					return -1
				}
				line = true
			}
			continue
		case c == '-' && line && s.byteAt(next+1) == ' ':
			continue
		}
		break
	}
	if next == e || next >= len(t) || t[next] == '-' || !bytes.ContainsAny(t[e:next], " \t,\n") {
		return -1
	}
	if line { // the line of the flag must be continued
		rest := bytes.TrimRight(t[e:e+bytes.IndexByte(t[e:next], '\n')], " \t\r")
		item := bytes.HasPrefix(bytes.TrimLeft(t[s.lineStart(e):e], " \t"), []byte("- "))
		if len(rest) == 0 && !item || len(rest) > 0 && !item && rest[len(rest)-1] != '\\' && rest[len(rest)-1] != ',' {
			return -1
		}
	}
	return next
}

// header reports the credential in a header: what follows the scheme, or the whole value.
func (s *scanner) header(start, end int) {
	value := s.text[start:end]
	for _, scheme := range []string{"bearer", "basic", "token", "digest", "apikey", "negotiate", "api-key"} {
		if len(value) > len(scheme) && strings.EqualFold(string(value[:len(scheme)]), scheme) && (value[len(scheme)] == ' ' || value[len(scheme)] == '\t') {
			rest := bytes.TrimLeft(value[len(scheme):], " \t")
			start = end - len(rest)
			break
		}
	}
	if v := string(s.text[start:end]); start < end && !isPlaceholder(v) && !strings.HasPrefix(v, "$") && !isScheme(v) {
		s.cover(end, s.put("authorization", Secret, start, end, v))
	}
}

func (s *scanner) hostValue(c class, start, end int, sep byte, quotedName, inQuotes, variable bool) {
	t := s.text
	if i := bytes.IndexByte(t[start:end], ':'); i > 0 { // a port follows
		end = start + i
	}
	name := string(t[start:end])
	if strings.ContainsAny(name, "/ @=%") {
		return
	}
	if c != hostValue {
		plain := !strings.ContainsAny(name, "-.0123456789")
		switch {
		case strings.Contains(name, ".") && !isInternal(name) && !isMailDomain(name):
			return
		case plain && !inQuotes && sep != '=' && sep != ' ':
			return
		case !inQuotes && sep == ':' && !s.endsHere(end):
			return
		case isNumber(name) || !strings.ContainsFunc(name, func(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' }):
			return
		case c == looseMachine && (plain || looksLikeModel(name)):
			return
		}
	} else if sep == ':' && !inQuotes && !s.endsHere(end) {
		return
	}
	if _, err := netip.ParseAddr(name); err == nil {
		return
	}
	s.putHost(start, end)
}
