package unwrap

import (
	"bytes"
)

// frame is the state for recognising lines before and after a text that do not belong to it.
type frame struct {
	rule bool // the previous line was a rule of asterisks
	head bool // inside the header or footer of a PowerShell transcript
	page bool // inside an HTML page
}

// frameLines lists the beginnings of lines before and after a text.
var frameLines = [][]byte{[]byte("Script started on "), []byte("Script done on "), []byte("nohup: "), []byte("Attaching to "), []byte("section_start:"), []byte("section_end:"), []byte("```"), []byte("~~~")}

// has reports whether a line belongs to the frame, not to the text.
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
