package settings

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/result"
)

// place is the position at which a key, a list element or the header of a table begins.
type place struct{ line, column int }

// places contains the positions in a TOML text by path. A path consists of keys and indices of list elements.
// Each key or index ends with a zero byte.
type places struct {
	known map[string]place
	keys  map[string][]string // keys of each table, in the order written
	sizes map[string]int      // number of tables in each list [[…]]
}

func keyPath(table, key string) string { return table + key + "\x00" }

// indexPath differs from the path of a numeric key, because it contains a character that no key contains.
func indexPath(list string, n int) string { return list + "\x01" + strconv.Itoa(n) + "\x00" }

// pathOf encodes a path of keys (string) and indices (int).
func pathOf(parts []any) string {
	path := ""
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			path = keyPath(path, part)
		case int:
			path = indexPath(path, part)
		default:
			panic("a path is made of keys and numbers")
		}
	}
	return path
}

// scanner finds the positions in a TOML text that a parser has accepted. Since the text is valid, the first
// character of each element determines what it is.
type scanner struct {
	text []byte
	at   int
	line int // line of the last position
	last int // offset of the last position
	places
}

// byteOrders are the byte order marks that the parser skips.
var byteOrders = []string{"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"}

func findPlaces(text []byte) places {
	for _, mark := range byteOrders {
		if rest, marked := bytes.CutPrefix(text, []byte(mark)); marked {
			text = rest
			break
		}
	}
	s := scanner{text: text, line: 1, places: places{map[string]place{}, map[string][]string{}, map[string]int{}}}
	table := ""
	for s.blank(); s.at < len(s.text); s.blank() {
		if s.peek() == '[' {
			table = s.header()
		} else {
			s.pair(table)
		}
	}
	return s.places
}

// peek returns the next character, 0 at the end.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) follows(mark string) bool { return bytes.HasPrefix(s.text[s.at:], []byte(mark)) }

// blank skips white space, line ends and comments.
func (s *scanner) blank() {
	for ; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case ' ', '\t', '\r', '\n':
		case '#':
			s.until("\n")
			s.at--
		default:
			return
		}
	}
}

// until skips everything before one of some characters.
func (s *scanner) until(marks string) {
	if n := bytes.IndexAny(s.text[s.at:], marks); n >= 0 {
		s.at += n
	} else {
		s.at = len(s.text)
	}
}

// here returns the position of the next character.
func (s *scanner) here() place {
	s.line += bytes.Count(s.text[s.last:s.at], []byte("\n"))
	s.last = s.at
	start := bytes.LastIndexByte(s.text[:s.at], '\n') + 1
	return place{s.line, 1 + utf8.RuneCount(s.text[start:s.at])}
}

// note records the first position of a path. A table without a header of its own begins at the first key or
// header that implies it.
func (s *scanner) note(table, key string, at place) (path string) {
	path = keyPath(table, key)
	if _, known := s.known[path]; !known {
		s.known[path] = at
		s.keys[table] = append(s.keys[table], key)
	}
	return path
}

// header parses [a.b] or [[a.b]] and returns the path of the table it opens. If a key on the way is a list of
// tables, it refers to the last of them.
func (s *scanner) header() string {
	at := s.here()
	isList := s.follows("[[")
	s.at++
	if isList {
		s.at++
	}
	table := ""
	keys := s.key()
	for s.peek() == ']' {
		s.at++
	}
	for i, key := range keys {
		table = s.note(table, key, at)
		if isList && i == len(keys)-1 {
			s.sizes[table]++
			path := indexPath(table, s.sizes[table]-1)
			s.known[path] = at
			return path
		}
		if n := s.sizes[table]; n > 0 {
			table = indexPath(table, n-1)
		}
	}
	return table
}

// pair parses key = value.
func (s *scanner) pair(table string) {
	at := s.here()
	for _, key := range s.key() {
		table = s.note(table, key, at)
	}
	s.until("=")
	s.at++
	s.value(table)
}

// key parses a key. A dotted key has several parts.
func (s *scanner) key() (parts []string) {
	for {
		s.blank()
		start := s.at
		switch quote := s.peek(); quote {
		case '"', '\'':
			s.quoted()
			text := string(s.text[start:s.at])
			part, err := strconv.Unquote(text)
			if quote == '\'' || err != nil {
				part = strings.Trim(text, string(quote))
			}
			parts = append(parts, part)
		default:
			s.until(" \t.=]")
			parts = append(parts, string(s.text[start:s.at]))
		}
		s.blank()
		if s.peek() != '.' {
			return parts
		}
		s.at++
	}
}

// value skips a value and records the positions in it.
func (s *scanner) value(path string) {
	s.blank()
	switch s.peek() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.at++
		for n := 0; s.more(']'); n++ {
			element := indexPath(path, n)
			s.known[element] = s.here()
			s.value(element)
		}
	case '{':
		s.at++
		for s.more('}') {
			s.pair(path)
		}
	default:
		s.until(",]}#\n")
	}
}

// more reports whether a list or an inline table has another element. It skips what is before that element, or
// the closing bracket.
func (s *scanner) more(end byte) bool {
	s.blank()
	if s.peek() == ',' {
		s.at++
		s.blank()
	}
	if s.peek() == end || s.at >= len(s.text) {
		s.at++
		return false
	}
	return true
}

// quoted skips a string in quotes of any kind.
func (s *scanner) quoted() {
	quote := string(s.text[s.at : s.at+1])
	if long := strings.Repeat(quote, 3); s.follows(long) {
		quote = long
	}
	for s.at += len(quote); s.at < len(s.text); s.at++ {
		switch {
		case quote[0] == '"' && s.peek() == '\\':
			s.at++
		case s.follows(quote):
			s.at += len(quote)
			for n := 0; n < 2 && len(quote) == 3 && s.peek() == quote[0]; n++ {
				s.at++ // quotes that are part of the text
			}
			return
		}
	}
}

// At returns the position of a value: that of its key or, for a list element, that of the element. The path
// consists of keys (string) and indices counted from 0 (int): At("load", 1, "when"). If the value is not in the
// text, it returns the position of the innermost table or list that is, or the first line. Keys that differ
// only in case are equal unless both occur.
func (s *Source) At(path ...any) result.Position {
	at := place{line: 1}
	for n := len(path); n > 0; n-- {
		if found, ok := s.find(pathOf(path[:n])); ok {
			at = found
			break
		}
	}
	return result.Position{File: s.name, Line: s.first + at.line - 1, Column: at.column}
}

// Keys returns the keys of a table in the order written. Without a path it returns the top-level keys.
func (s *Source) Keys(path ...any) []string { return s.places().keys[pathOf(path)] }

func (s *Source) find(path string) (at place, ok bool) {
	known := s.places().known
	if at, ok = known[path]; ok {
		return at, true
	}
	for other, p := range known {
		if strings.EqualFold(other, path) && (!ok || cmp.Or(p.line-at.line, p.column-at.column) < 0) {
			at, ok = p, true
		}
	}
	return at, ok
}
