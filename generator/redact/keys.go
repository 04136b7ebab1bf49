package redact

import (
	"bytes"
)

// keyBegin and keyEnd are around a private key.
var (
	keyBegin = []byte("-----BEGIN ")
	keyEnd   = []byte("-----END ")
)

// longestKey is how far a private key may go.
const longestKey = 32 << 10

// privateKeys gives the lines of private keys, each by itself, so that there are as many
// as before.
func (s *scanner) privateKeys() {
	t := s.text
	for at := 0; ; {
		i := bytes.Index(t[at:], keyBegin)
		if i < 0 {
			return
		}
		i += at
		at = i + len(keyBegin)
		head := t[at:min(len(t), at+80)]
		n := bytes.Index(head, []byte("-----"))
		if n < 0 || !bytes.Contains(head[:n], []byte("PRIVATE KEY")) {
			continue
		}
		begin := at + n + len("-----")
		limit := min(len(t), begin+longestKey)
		end := begin
		if j := bytes.Index(t[begin:limit], keyEnd); j >= 0 {
			end = begin + j
		} else { // cut off: as long as there is nothing but a key
			for end < limit && (isToken(t[end]) || bytes.IndexByte([]byte(" \t\r\n\\:,"), t[end]) >= 0) {
				end++
			}
		}
		s.keyLines(begin, end)
		at = end
	}
}

// keyLines puts what lies between line ends, written as such or as escapes.
func (s *scanner) keyLines(begin, end int) {
	t := s.text
	start := begin
	put := func(to int) {
		line := bytes.Trim(t[start:to], " \t\"',+\\")
		if from := bytes.Index(t[start:to], line); len(line) > 0 {
			s.put("private-key", Secret, start+from, start+from+len(line), "")
		}
	}
	for i := begin; i < end; i++ {
		switch {
		case t[i] == '\n' || t[i] == '\r':
			put(i)
			start = i + 1
		case t[i] == '\\' && i+1 < end && (t[i+1] == 'n' || t[i+1] == 'r'):
			put(i)
			start = i + 2
			i++
		}
	}
	put(end)
}
