package redact

import (
	"bytes"
	"strings"
)

// scanner searches one spelling of a text. It stops at the characters that addresses and named values contain, and
// checks the text around them.
type scanner struct {
	text        []byte
	name        string
	first, last bool // whether text contains the beginning and the end of the whole text
	onlySecrets bool
	refusals    []refusal
	add         func(candidate) bool // reports whether the candidate is to be replaced
	known       *names

	plainAt int             // start of a user name behind a Windows path separator
	covered int             // everything before it belongs to a named secret that is replaced
	free    map[string]span // by set of stop characters: the last span known to be without any
	looked  int             // bytes examined for values; a test checks that they grow linearly
}

// put adds a candidate. It returns false if that is already replaced, or kept.
func (s *scanner) put(rule, kind string, start, end int, original string) bool {
	rank := rankPrivate
	if kind == Secret {
		rank = rankSecret
	} else if s.onlySecrets {
		return false
	}
	return s.add(candidate{start, end, rule, kind, original, rank, start == s.plainAt && start > 0})
}

// wideColon is the colon of Chinese text.
var wideColon = []byte("：")

// private finds private names: addresses, hosts, users, people.
type private struct{ *scanner }

// names reports private names and named secrets.
func (s *scanner) names() {
	t, private := s.text, private{s}
	for i := 0; i < len(t); i++ {
		c := t[i]
		if !stopsAt[c] {
			continue
		}
		if isDigit(c) {
			begin := i
			for i+1 < len(t) && isDigit(t[i+1]) {
				i++
			}
			if i+1-begin >= 17 && !s.onlySecrets {
				private.identity(begin, i+1)
			}
			continue
		}
		switch c {
		case '=':
			s.named(i)
		case '|':
			s.cell(i)
		case '>':
			s.element(i)
		case ',':
			s.argument(i)
		case '%':
			s.escaped(i)
			if !s.onlySecrets {
				private.escapedHome(i)
			}
		case '_':
			s.random(i)
		case "是"[0], "为"[0]:
			if bytes.HasPrefix(t[i:], []byte("是")) || bytes.HasPrefix(t[i:], []byte("为")) {
				s.namedBy(i, i+len("是"), isIn, false, true)
			}
		case wideColon[0]:
			if bytes.HasPrefix(t[i:], wideColon) {
				s.named(i)
			}
		case ':':
			if bytes.HasPrefix(t[i:], []byte("://")) {
				s.url(i)
				continue
			}
			s.named(i)
			if !s.onlySecrets && i > 0 && (unhex(t[i-1]) >= 0 || t[i-1] == ':') {
				private.hardware(i)
				private.ip6(i)
			}
		case '-':
			if i > 0 && t[i-1] == '-' && s.byteAt(i+1) == '-' {
				continue // within a dashed line
			}
			s.flag(i)
			s.random(i)
			if !s.onlySecrets {
				if i > 1 && unhex(t[i-1]) >= 0 && unhex(t[i-2]) >= 0 {
					private.hardware(i)
				}
				private.hostOfAddress(i)
			}
		case '.':
			s.dotted(i)
			if !s.onlySecrets {
				private.dot(i)
			}
		case '@':
			if !s.onlySecrets {
				private.at(i)
			}
		case '/', '\\':
			if !s.onlySecrets {
				private.home(i)
			}
		}
	}
}

// stopsAt marks the characters at which the scanner stops.
var stopsAt = func() (stops [256]bool) {
	for _, c := range []byte{'=', '|', '>', ',', '%', '_', ':', '-', '.', '@', '/', '\\', "是"[0], "为"[0], wideColon[0]} {
		stops[c] = true
	}
	for c := '0'; c <= '9'; c++ {
		stops[c] = true
	}
	return stops
}()

func (s *scanner) byteAt(i int) byte {
	if i < 0 || i >= len(s.text) {
		return 0
	}
	return s.text[i]
}

// lineStart returns where the line of a place begins, or at most lineReach bytes before the place.
func (s *scanner) lineStart(at int) int {
	from := max(0, at-lineReach)
	return from + bytes.LastIndexAny(s.text[from:at], "\r\n") + 1
}

// lineReach is how many bytes of a line before and after a place are examined.
const lineReach = 512

// line returns the line of a place, at most lineReach bytes to each side.
func (s *scanner) line(at int) []byte {
	to := min(len(s.text), at+lineReach)
	if i := bytes.IndexAny(s.text[at:to], "\r\n"); i >= 0 {
		to = at + i
	}
	return s.text[s.lineStart(at):to]
}

func isDigit(c byte) bool        { return c >= '0' && c <= '9' }
func isLetter(c byte) bool       { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlphanumeric(c byte) bool { return isLetter(c) || isDigit(c) }
func isWord(c byte) bool         { return isLetter(c) || isDigit(c) || c == '_' }
func isHostByte(c byte) bool     { return isLetter(c) || isDigit(c) || c == '-' }
func isNameByte(c byte) bool     { return isWord(c) || c == '-' || c == '.' || c == '+' }
func isQuote(c byte) bool        { return c == '"' || c == '\'' || c == '`' }
func isToken(c byte) bool {
	return isWord(c) || c == '-' || c == '.' || c == '/' || c == '+' || c == '=' || c == '~'
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 || isLetter(byte(r)) })
}

func words(list string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(list) {
		m[w] = true
	}
	return m
}
