package redact

import (
	"bytes"
)

// keyBegin and keyEnd enclose a private key.
var (
	keyBegin = []byte("-----BEGIN ")
	keyEnd   = []byte("-----END ")
)

// longestKey is the greatest length of a private key in bytes.
const longestKey = 32 << 10

// blocks finds secrets of several lines.
type blocks struct{ *scanner }

// blockKinds are the kinds of such secrets, each with a keyword that it contains.
var blockKinds = []struct {
	keyword string // in lower case
	find    func(blocks)
}{
	{"begin ", blocks.privateKeys},
	{"private-lines: ", blocks.puttyKeys},
	{"kind", blocks.kubernetesSecrets},
}

// privateKeys reports each line of a private key separately, so that replacing them keeps the number of lines.
func (s blocks) privateKeys() {
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
		} else { // truncated: ends at the first character that no key has
			for end < limit && (isToken(t[end]) || bytes.IndexByte([]byte(" \t\r\n\\:,"), t[end]) >= 0) {
				end++
			}
		}
		s.keyLines(begin, end)
		at = end
	}
}

// puttyLines precedes the private part of a PuTTY key.
var puttyLines = []byte("Private-Lines: ")

// puttyKeys reports the private lines of PuTTY keys.
func (s blocks) puttyKeys() {
	t := s.text
	for at := 0; ; {
		i := bytes.Index(t[at:], puttyLines)
		if i < 0 {
			return
		}
		at += i + len(puttyLines)
		lines := 0
		for at < len(t) && isDigit(t[at]) && lines < 1000 {
			lines = 10*lines + int(t[at]-'0')
			at++
		}
		begin, end := at, at
		for limit := min(len(t), begin+longestKey); end < limit; end++ {
			if t[end] != '\n' && !(t[end] == '\\' && s.byteAt(end+1) == 'n') {
				continue
			}
			if lines--; lines < 0 {
				break
			}
		}
		s.keyLines(begin, end)
		at = end
	}
}

// longestSecret is the greatest distance in bytes between the kind of a Kubernetes Secret and its data.
const longestSecret = 4 << 10

// kubernetesSecrets reports the values in Kubernetes Secrets, which may have any name: the lines below "data:" in YAML,
// or that object in JSON.
func (s blocks) kubernetesSecrets() {
	t := s.text
	for at := 0; ; {
		i := bytes.Index(t[at:], []byte("kind"))
		if i < 0 {
			return
		}
		i += at
		at = i + len("kind")
		head := bytes.TrimLeft(t[at:min(len(t), at+16)], "\"': \t\\")
		if !bytes.HasPrefix(head, []byte("Secret")) || len(head) > len("Secret") && isWord(head[len("Secret")]) {
			continue
		}
		from, to := max(0, i-longestSecret), min(len(t), i+longestSecret)
		if j := bytes.LastIndex(t[from:i], []byte("\n---")); j >= 0 {
			from += j
		}
		if j := bytes.Index(t[i:to], []byte("\n---")); j >= 0 {
			to = i + j
		}
		for _, name := range []string{"data", "stringData"} {
			s.secretData(name, from, to)
		}
	}
}

// secretData reports the values in the block or object of the given name between two places.
func (s blocks) secretData(name string, from, to int) {
	t := s.text
	for at := from; ; {
		i := bytes.Index(t[at:to], []byte(name))
		if i < 0 {
			return
		}
		i += at
		at = i + len(name)
		if isWord(s.byteAt(i-1)) || s.byteAt(i-1) == '-' {
			continue
		}
		rest := bytes.TrimLeft(t[at:to], "\"'\\ \t")
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		begin := to - len(rest) + 1
		body := bytes.TrimLeft(t[begin:to], " \t\r\n")
		if len(body) > 0 && body[0] == '{' {
			end := to
			if j := bytes.IndexByte(body, '}'); j >= 0 {
				end = to - len(body) + j
			}
			s.pairs(to-len(body)+1, end, ",")
			at = end
			continue
		}
		indent := i - s.lineStart(i)
		end := begin
		for end < to { // lines with deeper indentation
			next := bytes.IndexByte(t[end:to], '\n')
			if next < 0 {
				end = to
				break
			}
			line := t[end+next+1 : to]
			if deep := len(line) - len(bytes.TrimLeft(line, " ")); deep <= indent {
				end += next
				break
			}
			end += next + 1
		}
		s.pairs(begin, end, "\n")
		at = max(at, end)
	}
}

// pairs reports the values of the pairs between two places. Each part that the separator delimits holds one pair.
func (s blocks) pairs(from, to int, apart string) {
	for at := from; at < to; {
		end := to
		if j := bytes.Index(s.text[at:to], []byte(apart)); j >= 0 {
			end = at + j
		}
		if colon := bytes.IndexByte(s.text[at:end], ':'); colon >= 0 {
			value := bytes.Trim(s.text[at+colon+1:end], "\"'\\ \t\r\n")
			if start := at + colon + 1 + bytes.Index(s.text[at+colon+1:end], value); len(value) > 3 && !isPlaceholder(string(value)) && !bytes.ContainsAny(value, " \n") {
				s.put("kubernetes-secret", Secret, start, start+len(value), string(value))
			}
		}
		at = end + 1
	}
}

// keyLines reports the text between line ends, which may be characters or escapes.
func (s blocks) keyLines(begin, end int) {
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
