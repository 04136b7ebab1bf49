package unwrap

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// signs states which special characters occur in some lines, so that absent ones are not searched for in each line.
type signs struct {
	controls bool // escape, backspace
	returns  bool // carriage returns
	feeds    bool // form feeds, zeros
	zeros    bool // zeros in what is otherwise a text
	blanks   bool // no-break spaces
	pre      bool // <pre>
	tables   bool // <table>
	quoted   bool // docker's JSON
	parts    bool // lines that a container runtime has cut
}

func signsOf(data []byte) signs {
	has := func(c byte) bool { return bytes.IndexByte(data, c) >= 0 }
	return signs{
		controls: has(0x1b) || has('\b'),
		returns:  has('\r'),
		feeds:    has('\f') || has('\v') || has(0),
		zeros:    has(0) && hasStrayZeros(data),
		blanks:   has(0xc2) && bytes.Contains(data, noBreak),
		quoted:   has('{') && bytes.Contains(data, []byte(`{"log":"`)),
		parts:    hasWord(data, 'P'),
		pre:      has('<') && bytes.Contains(data, []byte("<pre")),
		tables:   has('<') && (bytes.Contains(data, []byte("<table")) || bytes.Contains(data, []byte("<TABLE"))),
	}
}

// hasWord reports whether a letter occurs between two blanks.
func hasWord(data []byte, letter byte) bool {
	for i := bytes.IndexByte(data, letter); i >= 0 && i+1 < len(data); i = bytes.IndexByte(data, letter) {
		if i > 0 && data[i-1] == ' ' && data[i+1] == ' ' {
			return true
		}
		data = data[i+1:]
	}
	return false
}

// hasStrayZeros reports whether data is a text with a few zeros, which some terminals insert into copies.
func hasStrayZeros(data []byte) bool {
	zeros := 0
	for _, c := range data {
		switch {
		case c == 0:
			zeros++
		case c < ' ' && bytes.IndexByte([]byte("\t\n\v\f\r\a\b\x1b"), c) < 0:
			return false
		}
	}
	return zeros*20 <= len(data)
}

var noBreak = []byte("\u00a0")

// shown returns a line as a terminal displays it.
func (r *Reader) shown(text []byte, ended bool) []byte {
	if r.signs.zeros && bytes.IndexByte(text, 0) >= 0 {
		from := len(r.scratch)
		for part := range bytes.SplitSeq(text, []byte{0}) {
			r.scratch = append(r.scratch, part...)
		}
		text = r.scratch[from:len(r.scratch):len(r.scratch)]
	}
	if r.signs.controls && (bytes.IndexByte(text, 0x1b) >= 0 || bytes.IndexByte(text, '\b') >= 0) {
		from := len(r.scratch)
		r.scratch = scan.AppendShown(r.scratch, text)
		text = r.scratch[from:len(r.scratch):len(r.scratch)]
	}
	if r.signs.returns || r.signs.controls {
		n := len(text)
		for n > 1 && text[n-1] == '\r' && text[n-2] == '\r' { // \r\r\n
			n--
		}
		if text = text[:n]; n > 1 {
			for len(text) > 1 && text[0] == '\r' {
				text = text[1:]
			}
		}
		if i := bytes.IndexByte(text, '\r'); ended && i >= 0 && i < len(text)-1 {
			text = overwritten(text)
		}
	}
	if r.signs.feeds {
		if rest := bytes.TrimLeft(text, "\x00"); len(text)-len(rest) >= padding {
			text = rest
		}
		text = bytes.TrimLeft(text, "\f\v")
	}
	if r.signs.blanks && bytes.Contains(text, noBreak) {
		from := len(r.scratch)
		for part := range bytes.SplitSeq(text, noBreak) {
			r.scratch = append(append(r.scratch, part...), ' ')
		}
		text = r.scratch[from : len(r.scratch)-1 : len(r.scratch)-1]
	}
	return text
}

// overwritten removes from a line the updates of a progress bar that were overwritten by other text.
func overwritten(text []byte) []byte {
	end := bytes.TrimRight(text, "\r")
	last := bytes.LastIndexByte(end, '\r') + 1
	if len(bytes.TrimSpace(end[last:])) == 0 || isBar(end[last:]) {
		return text
	}
	for state := range bytes.SplitSeq(end[:last], []byte{'\r'}) {
		if !isBar(state) && len(bytes.TrimSpace(state)) > 0 {
			return text
		}
	}
	return text[last:]
}

// isBar reports whether a text is an update of a progress bar.
func isBar(text []byte) bool { return bytes.Contains(text, []byte("%|")) }
