package unwrap

import (
	"bytes"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// prefix is what something puts before each line.
type prefix struct {
	name       string
	begins     string // bytes that it may begin with
	has        byte   // one that it has wherever it is; 0 for none
	match      func(text []byte) (found, bool)
	taken      evidence
	vague      bool                    // several lines must be of each program
	once       bool                    // it is before a line once
	oneProgram bool                    // its sources are processes of one program, unless two have a name
	accept     func(lines []line) bool // of those that may have it; nil for all
}

// evidence is what it takes for a prefix to be taken off.
type evidence int

const (
	always    evidence = iota // no tool's own line begins so, and who writes it writes it before every line
	inRows                    // several lines in a row have it
	onAll                     // nearly all lines have it
	byLoggers                 // all lines have it: some programs write it before some of their own lines
)

// found is a prefix of a line.
type found struct {
	rest   []byte // the line without it
	source []byte // which of several programs wrote the line; nil for unknown
	goesOn bool   // the line is cut, and goes on in the next
	again  bool   // it was written in another way, in which signs of a terminal were not seen
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

// byFirst are the prefixes that may begin with a byte.
var byFirst = func() (by [256][]uint8) {
	for i, p := range prefixes {
		for _, c := range []byte(p.begins) {
			by[c] = append(by[c], uint8(i))
		}
	}
	return by
}()

// ofLoggers are the prefixes that all lines must have, once those that are taken off once
// from a line or not at all, by their indices.
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

// byByte are the prefixes that have a byte wherever they are, by their indices.
var byByte = func() map[byte]uint64 {
	by := map[byte]uint64{}
	for i, p := range prefixes {
		if p.has != 0 {
			by[p.has] |= 1 << i
		}
	}
	return by
}()

// lacking returns the prefixes that no line of a text has, by their indices.
func lacking(text []byte) (none uint64) {
	for c, of := range byByte {
		if bytes.IndexByte(text, c) < 0 {
			none |= of
		}
	}
	return none
}

// matching returns the first prefix of a line by its index, -1 when it has none. Some are
// not looked for.
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

// after takes the blank off that is between a prefix and the line. A line that was
// empty may have none.
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

// shape matches the beginning of a text with a pattern in which 0 is any digit, and
// returns its length, 0 when it does not match.
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

// count returns how many digits a text begins with.
func count(text []byte) int {
	n := 0
	for n < len(text) && scan.IsDigit(text[n]) {
		n++
	}
	return n
}

// fraction returns the length of the decimals of a second.
func fraction(text []byte) int {
	if len(text) > 1 && (text[0] == '.' || text[0] == ',') {
		if n := count(text[1:]); n > 0 && n <= 9 {
			return n + 1
		}
	}
	return 0
}

// zone returns the length of a zone.
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

// moment returns the length of a date with a time: 2026-11-22T12:00:00.123456Z.
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

// isReading reports whether a line keeps the time before it: readers of telemetry, and of
// EvalScope's log, know it as part of theirs.
func isReading(rest []byte) bool {
	if gpu, ok := bytes.CutPrefix(rest, []byte("GPU ")); ok {
		n := count(gpu)
		return n > 0 && n < len(gpu) && gpu[n] == ' '
	}
	return bytes.HasPrefix(rest, []byte("RAM ")) || bytes.HasPrefix(rest, []byte("#Entity")) || bytes.HasPrefix(rest, []byte("ID  ")) ||
		bytes.HasPrefix(rest, []byte("- evalscope - "))
}

// isReplay reports whether a line keeps the time before it for the replay of traces.
func isReplay(rest []byte) bool {
	n := level(rest)
	return n > 0 && bytes.HasPrefix(rest[n:], []byte(" - "))
}

// cri matches what the container runtimes of Kubernetes write: a time, the stream, and
// F for a whole line or P for a part of one.
func cri(text []byte) (f found, ok bool) {
	n := moment(text)
	if n == 0 || n == len(text) {
		return f, false
	}
	rest := text[n:]
	for _, stream := range []string{" stdout ", " stderr "} {
		if r, ok := bytes.CutPrefix(rest, []byte(stream)); ok && len(r) > 0 && (r[0] == 'F' || r[0] == 'P') {
			rest, ok := after(r[1:])
			return found{rest: rest, goesOn: r[0] == 'P'}, ok
		}
	}
	return f, false
}

// isoTime matches a date with a time, in brackets or not, and what SGLang and GitLab
// write behind it.
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

// monthTime matches the time of syslog, and the host and the program behind it.
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

// clock matches a time of day. Columns of numbers behind one are telemetry.
func clock(text []byte) (f found, ok bool) {
	bracket := text[0] == '['
	if bracket {
		text = text[1:]
	}
	n := shape(text, "00:00:00")
	if n == 0 {
		return f, false
	}
	n += fraction(text[n:])
	if bracket {
		if n == len(text) || text[n] != ']' {
			return f, false
		}
		n++
	}
	rest, ok := after(text[n:])
	return found{rest: rest}, ok && !isReading(rest) && (bracket || len(rest) == 0 || rest[0] != ' ')
}

// epoch matches the seconds since 1970.
func epoch(text []byte) (f found, ok bool) {
	bracket := text[0] == '['
	if bracket {
		text = text[1:]
	}
	n := count(text)
	if n != 10 {
		return f, false
	}
	n += fraction(text[n:])
	if bracket {
		if n == len(text) || text[n] != ']' {
			return f, false
		}
		n++
	}
	rest, ok := after(text[n:])
	return found{rest: rest}, ok && !isReading(rest) && (bracket || !isColumn(rest))
}

// isColumn reports whether a time is the first column of a row: of turbostat's and of
// amd-smi's.
func isColumn(rest []byte) bool {
	return bytes.HasPrefix(rest, []byte("-\t")) || bytes.HasPrefix(rest, []byte(" ")) && bytes.Contains(rest, []byte(" °C "))
}

var levels = []string{"INFO", "WARNING", "ERROR", "DEBUG", "CRITICAL", "WARN"}

// level returns the length of the level of a log that a text begins with.
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

// logger matches what is behind the time in logs of Python's logging, of loguru and of
// Hydra: "- name - INFO - ", "| INFO     | module:function:12 - ", "INFO - ", "[INFO] ".
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

// dash cuts a text at its first " - ", of which an empty line has lost the last blank.
func dash(text []byte) (before, rest []byte, ok bool) {
	if before, rest, ok = bytes.Cut(text, []byte(" - ")); ok {
		return before, rest, true
	}
	before, ok = bytes.CutSuffix(bytes.TrimSuffix(text, []byte{'\r'}), []byte(" -"))
	return before, nil, ok
}

// process matches "(APIServer pid=123) " of vLLM and "(pid=1234, ip=10.0.0.1) " of Ray.
func process(text []byte) (f found, ok bool) {
	end := bytes.IndexByte(text[:min(len(text), 120)], ')')
	if end < 0 {
		return f, false
	}
	inside := text[1:end]
	i := bytes.Index(inside, []byte("pid="))
	if i < 0 || i > 0 && inside[i-1] != ' ' {
		return f, false
	}
	if n := count(inside[i+4:]); n == 0 || i+4+n < len(inside) && !bytes.HasPrefix(inside[i+4+n:], []byte(", ip=")) {
		return f, false
	}
	rest, ok := after(text[end+1:])
	source := inside
	if i == 0 {
		source = text[:end] // of Ray's workers each is a program of its own
	}
	return found{rest: rest, source: source}, ok
}

// mpirun matches "[1,0]<stdout>:".
func mpirun(text []byte) (f found, ok bool) {
	a := count(text[1:])
	if a == 0 || 1+a >= len(text) || text[1+a] != ',' {
		return f, false
	}
	b := count(text[2+a:])
	n := 2 + a + b
	if b == 0 || n >= len(text) || text[n] != ']' {
		return f, false
	}
	for _, stream := range []string{"<stdout>:", "<stderr>:"} {
		if rest, ok := bytes.CutPrefix(text[n+1:], []byte(stream)); ok {
			return found{rest: rest, source: text[:n+1]}, true
		}
	}
	return f, false
}

// torchrun matches "[rank0]:" and "[default0]:".
func torchrun(text []byte) (f found, ok bool) {
	for _, word := range []string{"[rank", "[default", "[Rank ", "[rank "} {
		rest, ok := bytes.CutPrefix(text, []byte(word))
		if !ok {
			continue
		}
		n := count(rest)
		if n == 0 || !bytes.HasPrefix(rest[n:], []byte("]:")) && !bytes.HasPrefix(rest[n:], []byte("] ")) {
			return f, false
		}
		source := text[:len(word)+n+1]
		if rest = rest[n+2:]; word != "[default" { // of which torchrun writes no blank behind it
			rest = bytes.TrimPrefix(rest, []byte{' '})
		}
		return found{rest: rest, source: source}, true
	}
	return f, false
}

// pod matches "[pod/name/container] " of kubectl.
func pod(text []byte) (f found, ok bool) {
	end := bytes.IndexByte(text[:min(len(text), 240)], ']')
	if end < 0 || !bytes.HasPrefix(text, []byte("[pod/")) {
		return f, false
	}
	rest, ok := after(text[end+1:])
	return found{rest: rest, source: text[:end+1]}, ok
}

// srun matches "0: ", the number of a task.
func srun(text []byte) (f found, ok bool) {
	from := len(text) - len(bytes.TrimLeft(text, " "))
	n := count(text[from:])
	if from > 4 || n == 0 || n > 5 || from+n >= len(text) || text[from+n] != ':' {
		return f, false
	}
	rest, ok := after(text[from+n+1:])
	return found{rest: rest, source: text[from : from+n+1]}, ok
}

// compose matches "service-1  | ".
func compose(text []byte) (f found, ok bool) {
	n := 0
	for n < len(text) && n < 80 && isWord(text[n]) {
		n++
	}
	bar := n
	for bar < len(text) && text[bar] == ' ' {
		bar++
	}
	if bar == n || bar == len(text) || text[bar] != '|' || bar > 80 {
		return f, false
	}
	rest, ok := after(text[bar+1:])
	return found{rest: rest, source: text[:n]}, ok
}

// beforeBars are prefixes that may be between the name of a service and a line with bars.
var beforeBars = []func([]byte) (found, bool){isoTime, monthTime, epoch, logger, srun}

// isInstance reports whether a name is that of one of several containers: it ends in a
// number behind a hyphen.
func isInstance(name string) bool {
	n := strings.TrimRight(name, digits)
	return len(n) < len(name) && len(n) > 1 && (n[len(n)-1] == '-' || n[len(n)-1] == '_')
}

// isCompose reports whether lines are of docker compose, not rows of a table that has no
// bars at its sides.
func isCompose(lines []line) bool {
	for i := range lines {
		rest := bytes.TrimSpace(lines[i].rest)
		for _, match := range beforeBars {
			if len(rest) > 0 {
				if inner, ok := match(rest); ok {
					rest = inner.rest
				}
			}
		}
		if isInstance(lines[i].of) && bytes.Contains(scan.Clip(lines[i].text, 80), []byte("  | ")) {
			return true
		}
		if lines[i].maybe == 0 || len(rest) == 0 || rest[0] == '-' || rest[0] != '|' && bytes.IndexByte(rest, '|') >= 0 {
			continue
		}
		if _, unit, isFigure := scan.Quantity(string(scan.Clip(rest, 40))); !isFigure || len(unit) > 12 || unit != "" && (unit[0] == ':' || count(rest) == 10) {
			return true
		}
	}
	return false
}

// stern matches "name-of-pod container ".
func stern(text []byte) (f found, ok bool) {
	n, hyphens, numbers := 0, 0, 0
	for n < len(text) && (text[n] >= 'a' && text[n] <= 'z' || scan.IsDigit(text[n]) || text[n] == '-') {
		if text[n] == '-' {
			hyphens++
		} else if scan.IsDigit(text[n]) {
			numbers++
		}
		n++
	}
	if n < 8 || n > 100 || hyphens < 1 || numbers < 1 || n == len(text) || text[n] != ' ' {
		return f, false
	}
	m := n + 1
	for m < len(text) && (text[m] >= 'a' && text[m] <= 'z' || scan.IsDigit(text[m]) || text[m] == '-') {
		m++
	}
	if m == n+1 || m > n+64 {
		return f, false
	}
	rest, ok := after(text[m:])
	return found{rest: rest, source: text[:m]}, ok
}

// job matches the job and the step before the time in the log of a workflow of GitHub.
func job(text []byte) (f found, ok bool) {
	head := text[:min(len(text), 200)]
	a := bytes.IndexByte(head, '\t')
	if a <= 0 {
		return f, false
	}
	b := bytes.IndexByte(head[a+1:], '\t')
	if b < 0 {
		return f, false
	}
	rest := bytes.TrimPrefix(text[a+b+2:], []byte("\ufeff"))
	n := shape(rest, "0000-00-00T00:00:00")
	if n == 0 || len(rest) == n || rest[n] != '.' {
		return f, false
	}
	return found{rest: rest, source: text[:a]}, true
}

// quote matches "> ".
func quote(text []byte) (f found, ok bool) {
	rest := text[1:]
	if len(rest) > 0 && rest[0] == ' ' {
		rest = rest[1:]
	}
	return found{rest: rest}, true
}
