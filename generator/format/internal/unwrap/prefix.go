package unwrap

import (
	"bytes"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// prefix is a kind of text that a program puts before each line.
type prefix struct {
	name       string
	begins     string // the bytes that it may begin with
	has        byte   // a byte that it always contains; 0 for none
	match      func(text []byte) (found, bool)
	taken      evidence
	vague      bool                    // several lines of each program are needed as evidence
	once       bool                    // a line has it at most once
	oneProgram bool                    // its sources are processes of one program, unless two have the same name
	accept     func(lines []line) bool // accepts the lines that may have it; nil for all
}

// evidence is the condition for removing a prefix.
type evidence int

const (
	always    evidence = iota // no tool's own line begins with it, and its writer puts it before every line
	inRows                    // several lines in a row have it
	onAll                     // nearly all lines have it
	byLoggers                 // all lines have it: some programs write it before some of their own lines
)

// found is a match of a prefix in a line.
type found struct {
	rest   []byte // the line without the prefix
	source []byte // the program that wrote the line; nil for unknown
	goesOn bool   // the line is cut and continues in the next
	again  bool   // the rest was encoded, so its control characters were not visible before
}

const (
	digits  = "0123456789"
	small   = "abcdefghijklmnopqrstuvwxyz"
	capital = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

var prefixes = [...]prefix{
	{name: "kubernetes-cri", begins: digits, has: ':', match: cri},
	{name: "time", begins: digits + "[", has: ':', match: isoTime, taken: onAll},
	{name: "month", begins: "JFMASOND", has: ':', match: monthTime, taken: onAll},
	{name: "clock", begins: digits + "[", has: ':', match: clock, taken: onAll},
	{name: "epoch", begins: "1[", match: epoch, taken: onAll},
	{name: "vllm-log", begins: "DIWEC", has: ':', match: vllmLog, taken: byLoggers},
	{name: "python-log", begins: "DIWEC", has: ':', match: pythonLog, taken: byLoggers},
	{name: "logger", begins: "-|[DIWEC", match: logger, taken: byLoggers},
	{name: "process", begins: "(", has: '=', match: process, oneProgram: true, taken: byLoggers},
	{name: "mpirun", begins: "[", has: ':', match: mpirun},
	{name: "torchrun", begins: "[", match: torchrun, taken: byLoggers},
	{name: "pod", begins: "[", match: pod},
	{name: "srun", begins: digits + " ", has: ':', match: srun, vague: true, taken: onAll},
	{name: "docker-json", begins: "{", match: dockerJSON},
	{name: "compose", begins: digits + small + capital, has: '|', match: compose, vague: true, once: true, accept: isCompose, taken: onAll},
	{name: "stern", begins: digits + small, has: '-', match: stern, vague: true, once: true, taken: onAll},
	{name: "job", begins: digits + small + capital, has: '\t', match: job},
	{name: "quote", begins: ">", match: quote, taken: inRows},
}

// byFirst lists, for each byte, the prefixes that may begin with it.
var byFirst = func() (by [256][]uint8) {
	for i, p := range prefixes {
		for _, c := range []byte(p.begins) {
			by[c] = append(by[c], uint8(i))
		}
	}
	return by
}()

// ofLoggers is the bit set of prefixes that all lines must have. once is the bit set of prefixes that are removed at
// most once from a line. The bits are indices in prefixes.
var ofLoggers, once = func() (loggers, once uint64) {
	for i, p := range prefixes {
		if p.taken == byLoggers {
			loggers |= 1 << i
		}
		if p.once || p.taken == byLoggers {
			once |= 1 << i
		}
	}
	return loggers, once
}()

// byByte lists the bytes that prefixes always contain, with bit sets of these prefixes.
var byByte = func() (by []having) {
	for i, p := range prefixes {
		if p.has == 0 {
			continue
		}
		n := slices.IndexFunc(by, func(h having) bool { return h.byte == p.has })
		if n < 0 {
			n = len(by)
			by = append(by, having{byte: p.has})
		}
		by[n].prefixes |= 1 << i
	}
	return by
}()

// having is a byte and the bit set of prefixes that always contain it.
type having struct {
	byte     byte
	prefixes uint64
}

// lacking returns the bit set of prefixes that no line of a text can have.
func lacking(text []byte) (none uint64) {
	for _, h := range byByte {
		if bytes.IndexByte(text, h.byte) < 0 {
			none |= h.prefixes
		}
	}
	return none
}

// matching returns the index of the first prefix that matches a line, or -1. The prefixes in without are skipped.
func matching(text []byte, without uint64) (int, found) {
	if len(text) < 2 && (len(text) == 0 || text[0] != '>') {
		return -1, found{}
	}
	for _, i := range byFirst[text[0]] {
		if without&(1<<i) != 0 {
			continue
		}
		if f, ok := prefixes[i].match(text); ok {
			return int(i), f
		}
	}
	return -1, found{}
}

// after removes the blank between a prefix and the line. An empty line may have no blank.
func after(text []byte) ([]byte, bool) {
	text = bytes.TrimSuffix(text, []byte{'\r'})
	switch {
	case len(text) == 0:
		return text, true
	case text[0] == ' ' || text[0] == '\t':
		return text[1:], true
	}
	return text, false
}

// shape matches the beginning of a text with a pattern in which 0 is any digit. It returns the length of the pattern,
// or 0 if it does not match.
func shape(text []byte, pattern string) int {
	if len(text) < len(pattern) {
		return 0
	}
	for i := range len(pattern) {
		if c := pattern[i]; c == '0' && !scan.IsDigit(text[i]) || c != '0' && c != text[i] {
			return 0
		}
	}
	return len(pattern)
}

// count returns the number of digits at the beginning of a text.
func count(text []byte) int {
	n := 0
	for n < len(text) && scan.IsDigit(text[n]) {
		n++
	}
	return n
}

// beginAlike reports whether two lines begin with the same characters, where any digits are equal.
func beginAlike(a, b []byte) bool {
	const looked = 8
	if len(a) < looked || len(b) < looked {
		return false
	}
	for i := range looked {
		if a[i] != b[i] && !(scan.IsDigit(a[i]) && scan.IsDigit(b[i])) {
			return false
		}
	}
	return true
}

// allBeginAlike reports whether all lines of a text begin alike, as lines with a prefix do. The rest of a line that a
// window broke has no prefix.
func allBeginAlike(text []byte) bool {
	first := text
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte{'\n'})
		if !beginAlike(first, line) {
			return false
		}
		text = rest
	}
	return true
}
