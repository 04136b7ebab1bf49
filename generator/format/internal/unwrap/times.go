package unwrap

import (
	"bytes"
	"slices"
)

// fraction returns the length of a fraction of a second at the beginning of a text, including the point or comma.
func fraction(text []byte) int {
	if len(text) > 1 && (text[0] == '.' || text[0] == ',') {
		if n := count(text[1:]); n > 0 && n <= 9 {
			return n + 1
		}
	}
	return 0
}

// zone returns the length of a time zone at the beginning of a text.
func zone(text []byte) int {
	switch {
	case len(text) > 0 && text[0] == 'Z':
		return 1
	case shape(text, "+00:00") > 0, shape(text, "-00:00") > 0:
		return 6
	case shape(text, "+0000") > 0, shape(text, "-0000") > 0:
		return 5
	case bytes.HasPrefix(text, []byte(" UTC")):
		return 4
	case shape(text, " +0000") > 0, shape(text, " -0000") > 0:
		return 6
	}
	return 0
}

// moment returns the length of a date and time at the beginning of a text: 2026-11-22T12:00:00.123456Z.
func moment(text []byte) int {
	n := 0
	for _, pattern := range []string{"0000-00-00T00:00:00", "0000-00-00 00:00:00", "0000/00/00 00:00:00"} {
		if n = shape(text, pattern); n > 0 {
			break
		}
	}
	if n == 0 {
		return 0
	}
	n += fraction(text[n:])
	return n + zone(text[n:])
}

// isReading reports whether the time before a line is part of the line: readers of telemetry and of EvalScope's log
// need it.
func isReading(rest []byte) bool {
	if gpu, ok := bytes.CutPrefix(rest, []byte("GPU ")); ok {
		n := count(gpu)
		return n > 0 && n < len(gpu) && gpu[n] == ' '
	}
	return bytes.HasPrefix(rest, []byte("RAM ")) || bytes.HasPrefix(rest, []byte("#Entity")) || bytes.HasPrefix(rest, []byte("ID  ")) ||
		bytes.HasPrefix(rest, []byte("- evalscope - "))
}

// isReplay reports whether the time before a line is part of the line, because the replay of traces needs it.
func isReplay(rest []byte) bool {
	n := level(rest)
	return n > 0 && bytes.HasPrefix(rest[n:], []byte(" - "))
}

// isoTime matches a date and time, in brackets or not, with the texts that SGLang and GitLab write after it.
func isoTime(text []byte) (f found, ok bool) {
	if text[0] == '[' {
		n := moment(text[1:])
		if n == 0 {
			return f, false
		}
		end := bytes.IndexByte(text[:min(len(text), n+40)], ']')
		if end < 0 || end > n+1 && text[n+1] != ' ' {
			return f, false
		}
		rest, ok := after(text[end+1:])
		return found{rest: rest}, ok && !isReading(rest) && !isReplay(rest)
	}
	n := moment(text)
	if n == 0 {
		return f, false
	}
	if n == len(text) && bytes.IndexByte(text, ',') > 0 { // a row of two cells
		return f, false
	}
	rest, ok := after(text[n:])
	if len(rest) > 3 && count(rest) == 2 && (rest[2] == 'O' || rest[2] == 'E') && (rest[3] == ' ' || rest[3] == '+') {
		rest = rest[4:]
	}
	return found{rest: rest}, ok && !isReading(rest)
}

var months = []string{"Jan ", "Feb ", "Mar ", "Apr ", "May ", "Jun ", "Jul ", "Aug ", "Sep ", "Oct ", "Nov ", "Dec "}

// monthTime matches a time of syslog, with the host and the program after it.
func monthTime(text []byte) (f found, ok bool) {
	if len(text) < 4 || text[3] != ' ' || !slices.Contains(months, string(text[:4])) {
		return f, false
	}
	n := max(shape(text[4:], "00 00:00:00"), shape(text[4:], " 0 00:00:00"))
	if n == 0 {
		return f, false
	}
	n += 4
	n += fraction(text[n:])
	rest, ok := after(text[n:])
	if !ok {
		return f, false
	}
	head := rest[:min(len(rest), 120)]
	if i := bytes.Index(head, []byte("]: ")); i > 0 || bytes.HasSuffix(head, []byte("]:")) {
		if i < 0 {
			i = len(head) - 2
		}
		source := rest[:i+1]
		if open := bytes.IndexByte(source, '['); open > 0 && count(source[open+1:]) == i-open-1 && bytes.Count(source, []byte{' '}) == 1 {
			rest, _ = after(rest[i+2:])
			return found{rest: rest, source: source}, true
		}
	}
	return found{rest: rest}, !isReading(rest)
}

// clock matches a time of day. Columns of numbers after a time are telemetry, so they do not match.
func clock(text []byte) (f found, ok bool) {
	rest, bracketed, ok := behindTime(text, func(text []byte) int { return shape(text, "00:00:00") })
	return found{rest: rest}, ok && (bracketed || len(rest) == 0 || rest[0] != ' ')
}

// epoch matches seconds since 1970.
func epoch(text []byte) (f found, ok bool) {
	rest, bracketed, ok := behindTime(text, func(text []byte) int {
		const length = 10
		if count(text) != length {
			return 0
		}
		return length
	})
	return found{rest: rest}, ok && (bracketed || !isColumn(rest))
}

// behindTime removes a time, in brackets or not, from the beginning of a text. length returns the length of the time
// without its fraction, 0 for none.
func behindTime(text []byte, length func([]byte) int) (rest []byte, bracketed, ok bool) {
	if bracketed = text[0] == '['; bracketed {
		text = text[1:]
	}
	n := length(text)
	if n == 0 {
		return nil, bracketed, false
	}
	n += fraction(text[n:])
	if bracketed {
		if n == len(text) || text[n] != ']' {
			return nil, bracketed, false
		}
		n++
	}
	rest, ok = after(text[n:])
	return rest, bracketed, ok && !isReading(rest)
}

// isColumn reports whether a time is the first column of a row of turbostat or amd-smi.
func isColumn(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("-\t")) || bytes.HasPrefix(rest, []byte(" ")) && bytes.Contains(rest, []byte(" °C "))
}
