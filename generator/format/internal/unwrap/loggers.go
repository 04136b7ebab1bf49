package unwrap

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

var levels = []string{"INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "WARN"}

// level returns the length of the log level at the beginning of a text, 0 for none.
func level(text []byte) int {
	for _, l := range levels {
		if bytes.HasPrefix(text, []byte(l)) {
			return len(l)
		}
	}
	return 0
}

// vllmLog matches "INFO 11-22 12:00:00 [file.py:12] ".
func vllmLog(text []byte) (f found, ok bool) {
	n := level(text)
	if n == 0 {
		return f, false
	}
	d := shape(text[n:], " 00-00 00:00:00 ")
	if d == 0 {
		return f, false
	}
	n += d
	end := bytes.IndexByte(text[n:min(len(text), n+120)], ']')
	if end < 0 {
		return f, false
	}
	rest, ok := after(text[n+end+1:])
	return found{rest: rest}, ok
}

// pythonLog matches "INFO:root:".
func pythonLog(text []byte) (f found, ok bool) {
	n := level(text)
	if n == 0 || n+1 >= len(text) || text[n] != ':' {
		return f, false
	}
	i := n + 1
	for i < len(text) && isWord(text[i]) {
		i++
	}
	if i == n+1 || i == len(text) || text[i] != ':' {
		return f, false
	}
	return found{rest: bytes.TrimSuffix(text[i+1:], []byte{'\r'})}, true
}

func isWord(c byte) bool {
	return scan.IsDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '.' || c == '-'
}

// logger matches the text after the time in logs of Python's logging, of loguru and of Hydra: "- name - INFO - ", "|
// INFO     | module:function:12 - ", "INFO - ", "[INFO] ".
func logger(text []byte) (f found, ok bool) {
	switch {
	case bytes.HasPrefix(text, []byte("- ")):
		name, rest, ok := dash(text[2:])
		severity, rest, ok2 := dash(rest)
		return found{rest: rest}, ok && ok2 && bytes.IndexByte(name, ' ') < 0 && len(severity) > 0 && level(severity) == len(severity)
	case bytes.HasPrefix(text, []byte("| ")):
		n := level(text[2:])
		end := bytes.Index(text[:min(len(text), 160)], []byte(" - "))
		if n == 0 || end < 0 || bytes.Count(text[:end], []byte{'|'}) != 2 {
			return f, false
		}
		return found{rest: text[end+3:]}, true
	case text[0] == '[':
		n := level(text[1:])
		if n == 0 || n+1 >= len(text) || text[n+1] != ']' {
			return f, false
		}
		rest, ok := after(text[n+2:])
		rest = bytes.TrimPrefix(rest, []byte("- "))
		return found{rest: rest}, ok
	}
	n := level(text)
	if n == 0 {
		return f, false
	}
	before, rest, ok := dash(text[n:])
	return found{rest: rest}, ok && len(before) == 0
}

// dash cuts a text at its first " - ". For an empty line the last blank may be missing.
func dash(text []byte) (before, rest []byte, ok bool) {
	if before, rest, ok = bytes.Cut(text, []byte(" - ")); ok {
		return before, rest, true
	}
	before, ok = bytes.CutSuffix(bytes.TrimSuffix(text, []byte{'\r'}), []byte(" -"))
	return before, nil, ok
}
