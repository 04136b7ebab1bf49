// Package svg writes compact SVG: lengths to a tenth of a unit, colours and paths in as few characters as
// possible.
package svg

import (
	"image/color"
	"math"
	"strconv"
	"strings"
)

// Writer collects the markup of a picture. Its methods return it, so that an element can be written by one
// chain of calls.
type Writer struct {
	b    []byte
	x, y int64 // current point of a path, in tenths
}

// Reset starts another picture in the same memory.
func (w *Writer) Reset() { w.b = w.b[:0] }

// Bytes returns the markup written so far. It is valid until the next write.
func (w *Writer) Bytes() []byte { return w.b }

// Len returns the number of bytes written.
func (w *Writer) Len() int { return len(w.b) }

// Truncate removes all but the first n bytes.
func (w *Writer) Truncate(n int) { w.b = w.b[:n] }

// Add writes markup.
func (w *Writer) Add(markup string) *Writer {
	w.b = append(w.b, markup...)
	return w
}

// Append appends with write, which works as the append functions of strconv do.
func (w *Writer) Append(write func([]byte) []byte) *Writer {
	w.b = write(w.b)
	return w
}

// Length writes a length.
func (w *Writer) Length(v float64) *Writer { return w.tenths(Tenths(v)) }

// Tenths returns a length in tenths of a unit, as it is written.
func Tenths(v float64) int64 { return int64(math.Round(v * 10)) }

func (w *Writer) tenths(n int64) *Writer {
	if n < 0 {
		w.b = append(w.b, '-')
		n = -n
	}
	w.b = strconv.AppendInt(w.b, n/10, 10)
	if rest := byte(n % 10); rest != 0 {
		w.b = append(w.b, '.', '0'+rest)
	}
	return w
}

// Attribute writes an attribute whose value is a length.
func (w *Writer) Attribute(name string, v float64) *Writer {
	return w.Add(" ").Add(name).Add(`="`).Length(v).Add(`"`)
}

// Data writes a data attribute, which scripts read.
func (w *Writer) Data(name, text string) *Writer {
	return w.Add(" data-").Add(name).Add(`="`).Text(text).Add(`"`)
}

// Text writes a part of an attribute's value, escaped.
func (w *Writer) Text(text string) *Writer { return w.Add(value.Replace(text)) }

// LineBreak is a line break in an attribute. XML would replace an unescaped one by a space.
const LineBreak = "&#10;"

var value = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;", "\n", LineBreak)

// Colour writes a colour attribute: fill or stroke.
func (w *Writer) Colour(property string, c color.RGBA) *Writer {
	w.Add(" ").Add(property).Add(`="`)
	w.b = appendHex(w.b, c)
	return w.Add(`"`)
}

// Hex returns a colour as it is written.
func Hex(c color.RGBA) string { return string(appendHex(nil, c)) }

func appendHex(b []byte, c color.RGBA) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '#')
	short := c.R%17 == 0 && c.G%17 == 0 && c.B%17 == 0 // #fff
	for _, part := range [3]byte{c.R, c.G, c.B} {
		if !short {
			b = append(b, digits[part>>4])
		}
		b = append(b, digits[part&15])
	}
	return b
}

// Move starts a part of a path.
func (w *Writer) Move(x, y float64) *Writer {
	w.x, w.y = Tenths(x), Tenths(y)
	return w.Add("M").tenths(w.x).Add(" ").tenths(w.y)
}

// Line continues a path by a straight line. A line along an axis is written by its end coordinate alone.
func (w *Writer) Line(x, y float64) *Writer {
	before, above := w.x, w.y
	w.x, w.y = Tenths(x), Tenths(y)
	switch {
	case w.x == before:
		return w.Add("V").tenths(w.y)
	case w.y == above:
		return w.Add("H").tenths(w.x)
	}
	return w.Add("L").tenths(w.x).Add(" ").tenths(w.y)
}
