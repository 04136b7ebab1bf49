package page

import (
	"html/template"
	"strconv"
	"unicode/utf8"
)

// writer puts HTML together. The parts of a page that repeat thousands of
// times are written with it rather than by a template, which costs ten times
// as much. Markup goes through tag, everything else through text.
type writer struct{ b []byte }

// tag appends pieces of markup as they are.
func (w *writer) tag(pieces ...string) {
	for _, s := range pieces {
		w.b = append(w.b, s...)
	}
}

// text appends s for use as text or inside a quoted attribute. What no HTML
// file may hold is made visible: other control characters as their pictures
// (␛), broken UTF-8 as U+FFFD.
func (w *writer) text(s string) {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		var with string
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || n != 1 {
				i += n
				continue
			}
			with = "\uFFFD"
		case c == '&':
			with = "&amp;"
		case c == '<':
			with = "&lt;"
		case c == '>':
			with = "&gt;"
		case c == '"':
			with = "&#34;"
		case c == '\'':
			with = "&#39;"
		case c == 0x7f:
			with = "␡"
		case c < ' ' && c != '\n' && c != '\t':
			with = string(rune(0x2400) + rune(c))
		default:
			i++
			continue
		}
		w.b = append(w.b, s[start:i]...)
		w.b = append(w.b, with...)
		i++
		start = i
	}
	w.b = append(w.b, s[start:]...)
}

// anchor appends the id of the element that shows a metric. What an id or an
// address cannot hold, of a tool's own names, becomes a stroke.
func (w *writer) anchor(metric string) {
	w.b = append(w.b, "f-"...)
	for _, c := range []byte(metric) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 'A' && c <= 'Z' {
			w.b = append(w.b, c)
		} else {
			w.b = append(w.b, '-')
		}
	}
}

// int appends a whole number.
func (w *writer) int(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// html gives what was written, as a string of its own.
func (w *writer) html() template.HTML { return template.HTML(w.b) }
