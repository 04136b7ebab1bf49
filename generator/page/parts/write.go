// Package parts lays out what is on many pages of the HTML site, and in
// posts: tables, figures, findings, tables of runs. Each function takes what is
// shown and for whom (a printer, or a Reader, who has the site's words too), and
// returns or appends finished HTML; where a run links to is the caller's:
//
//	html := parts.Table(t, printer, func(id string) string { return home + names.Run(id) })
//
// The HTML is written in Go rather than by templates because it repeats
// thousands of times on a site: a Writer takes a tenth of the time. What a site
// may override is in the layouts of package page and in its style sheet.
package parts

import (
	"html/template"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer puts HTML together. The parts of a page that repeat thousands of
// times are written with it rather than by a template, which costs ten times
// as much. Markup goes through tag, everything else through text.
type Writer struct{ b []byte }

// Tag appends pieces of markup as they are.
func (w *Writer) Tag(pieces ...string) {
	for _, s := range pieces {
		w.b = append(w.b, s...)
	}
}

// Raw appends markup as it is.
func (w *Writer) Raw(markup []byte) { w.b = append(w.b, markup...) }

// Text appends s for use as text or inside a quoted attribute. What no HTML
// file may contain is made visible: other control characters as their pictures
// (␛), broken UTF-8 as U+FFFD.
func (w *Writer) Text(s string) {
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

// Anchor appends the id of the element that shows a metric. What an id or an
// address cannot contain, of a tool's own names, becomes a stroke.
func (w *Writer) Anchor(metric string) {
	w.b = append(w.b, "f-"...)
	for _, c := range []byte(metric) {
		if c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 'A' && c <= 'Z' {
			w.b = append(w.b, c)
		} else {
			w.b = append(w.b, '-')
		}
	}
}

// Int appends a whole number.
func (w *Writer) Int(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// Len returns how many bytes were written.
func (w *Writer) Len() int { return len(w.b) }

// Truncate drops all but the first n bytes.
func (w *Writer) Truncate(n int) { w.b = w.b[:n] }

// Grow makes room for n more bytes.
func (w *Writer) Grow(n int) { w.b = slices.Grow(w.b, n) }

// Append returns a writer whose HTML follows what is in dst.
func Append(dst []byte) Writer { return Writer{dst} }

// Bytes returns what was written, which is the writer's own.
func (w *Writer) Bytes() []byte { return w.b }

// HTML returns what was written, as a string of its own.
func (w *Writer) HTML() template.HTML { return template.HTML(w.b) }
