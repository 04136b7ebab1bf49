// Package parts lays out what many pages of the HTML site and posts contain: tables, figures, findings, tables of runs.
// Each function takes the data and a printer, or a Reader, which has the site's titles too. It returns or appends
// finished HTML. The caller defines the links to runs:
//
//	html := parts.Table(t, printer, func(id string) string { return home + names.Run(id) })
//
// The HTML is written in Go rather than by templates, because there are thousands of such parts in a site and a Writer
// takes a tenth of the time. What a site can override is in the layouts of package page and in the style sheet.
package parts

import (
	"html/template"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Writer assembles HTML. It writes the parts of a page that occur thousands of times; a template would take ten times
// as long. Markup is written by Tag, everything else by Text.
type Writer struct{ b []byte }

// Tag appends markup unchanged.
func (w *Writer) Tag(pieces ...string) {
	for _, s := range pieces {
		w.b = append(w.b, s...)
	}
}

// Raw appends markup unchanged.
func (w *Writer) Raw(markup []byte) { w.b = append(w.b, markup...) }

// Text appends s, escaped for text or a quoted attribute. Characters that HTML must not contain are made visible:
// control characters as their pictures (␛), invalid UTF-8 as U+FFFD.
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

// Anchor appends the id of the element that shows a metric. Characters not allowed in an id or an address become
// hyphens; only a tool's own names have such characters.
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

// Int appends an integer.
func (w *Writer) Int(n int) { w.b = strconv.AppendInt(w.b, int64(n), 10) }

// Len returns the number of bytes written.
func (w *Writer) Len() int { return len(w.b) }

// Truncate drops all but the first n bytes.
func (w *Writer) Truncate(n int) { w.b = w.b[:n] }

// Grow makes room for n more bytes.
func (w *Writer) Grow(n int) { w.b = slices.Grow(w.b, n) }

// Append returns a writer that appends to dst.
func Append(dst []byte) Writer { return Writer{dst} }

// Bytes returns the HTML without copying it.
func (w *Writer) Bytes() []byte { return w.b }

// HTML returns a copy of the HTML.
func (w *Writer) HTML() template.HTML { return template.HTML(w.b) }
