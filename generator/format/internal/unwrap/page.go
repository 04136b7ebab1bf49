package unwrap

import (
	"bytes"
	"html"
)

// page is the state for reading an HTML page.
type page struct {
	inside bool // inside <pre>
}

// line replaces a line inside <pre> by the text that a browser displays. It reports whether it changed the line.
func (p *page) line(l *line) bool {
	if !p.inside {
		i := bytes.Index(l.text, []byte("<pre"))
		if i < 0 || i+4 < len(l.text) && l.text[i+4] != '>' && l.text[i+4] != ' ' {
			return false
		}
		p.inside = true
	}
	end := bytes.Index(l.text, []byte("</pre"))
	inside, behind := l.text, []byte(nil)
	if end >= 0 {
		p.inside = false
		inside, behind = l.text[:end], l.text[end:]
	}
	shown := []byte(html.UnescapeString(string(untagged(inside))))
	if end >= 0 {
		if len(shown) > 0 {
			shown = append(shown, '\n')
		}
		shown = append(shown, behind...) // the end tag stays, because readers recognise the end of a quotation by it
	}
	l.text = shown
	return true
}

// untagged removes the tags from a line of a page. Text between < and > is a tag if it begins with a letter or a slash.
func untagged(text []byte) []byte {
	if bytes.IndexByte(text, '<') < 0 {
		return text
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '<' && i+1 < len(text) && (text[i+1] == '/' || text[i+1]|0x20 >= 'a' && text[i+1]|0x20 <= 'z') {
			if end := bytes.IndexByte(text[i:], '>'); end > 0 {
				i += end
				continue
			}
		}
		out = append(out, text[i])
	}
	return out
}
