package unwrap

import (
	"bytes"
)

// frame is where a line is in what is written before and behind a text.
type frame struct {
	rule bool // the line above is one of asterisks
	head bool // of a transcript of PowerShell
	page bool // of HTML
}

// frameLines are what lines before and behind a text begin with.
var frameLines = [][]byte{[]byte("Script started on "), []byte("Script done on "), []byte("nohup: "), []byte("Attaching to "), []byte("section_start:"), []byte("section_end:"), []byte("```"), []byte("~~~")}

// has reports whether a line is of the frame, and not of the text.
func (f *frame) has(text []byte) bool {
	below := f.rule
	f.rule = false
	if len(text) == 0 {
		return false
	}
	switch text[0] {
	case '*':
		if stars := bytes.TrimLeft(bytes.TrimSuffix(text, []byte{'\r'}), "*"); len(stars) == 0 && len(text) >= 20 {
			f.rule, f.head = !f.head, false
			return true
		}
	case 'S', 'n', 'A', 's', '`', '~':
		for _, begin := range frameLines {
			if bytes.HasPrefix(text, begin) {
				return true
			}
		}
	case '<':
		if begin := bytes.ToLower(text[:min(len(text), 9)]); bytes.Equal(begin, []byte("<!doctype")) || bytes.HasPrefix(begin, []byte("<html")) {
			f.page = true
		}
	}
	f.head = f.head || below && bytes.Contains(text, []byte("PowerShell")) // in the title of every language; below other rules is text
	return f.head || f.page && text[0] == '<'
}
