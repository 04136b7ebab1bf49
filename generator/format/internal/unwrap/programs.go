package unwrap

import (
	"bytes"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// cri matches the prefix of Kubernetes' container runtimes: a time, the stream, and F for a whole line or P for a part
// of a line.
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
		source = text[:end] // each of Ray's workers is a separate program
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
		if rest = rest[n+2:]; word != "[default" { // torchrun writes no blank after [default0]:
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

// beforeBars lists prefixes that may be between the name of a service and a line with bars.
var beforeBars = []func([]byte) (found, bool){isoTime, monthTime, epoch, logger, srun}

// isInstance reports whether a name is that of one of several containers: it ends in a hyphen or underscore and a
// number.
func isInstance(name string) bool {
	n := strings.TrimRight(name, digits)
	return len(n) < len(name) && len(n) > 1 && (n[len(n)-1] == '-' || n[len(n)-1] == '_')
}

// isCompose reports whether lines come from docker compose, and are not rows of a table without bars at its sides.
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

// job matches the job and the step before the time in the log of a GitHub workflow.
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
