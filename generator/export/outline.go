package export

import (
	"bufio"
	"bytes"
	"strings"
)

// outline writes JSON that diffs well: the short fields of an object on one line, its longer parts on lines
// below, and each item of a list on its own line.
type outline struct {
	w     *bufio.Writer
	depth int
	err   error
}

// part is a field of an object that begins a line. It is omitted if write is nil.
type part struct {
	key   string
	write func()
}

func (o *outline) object(head any, parts ...part) {
	data := o.encode(head)
	o.w.Write(bytes.TrimSuffix(data, []byte("}")))
	empty := len(data) == len("{}")
	o.depth++
	for _, p := range parts {
		if p.write == nil {
			continue
		}
		if !empty {
			o.w.WriteByte(',')
			o.newLine()
		}
		empty = false
		o.w.WriteString(`"` + p.key + `":`)
		p.write()
	}
	o.depth--
	o.w.WriteByte('}')
}

// list returns a function that writes n items, nil if there are none.
func (o *outline) list(n int, item func(i int)) func() {
	if n == 0 {
		return nil
	}
	return func() {
		o.depth++
		o.w.WriteByte('[')
		for i := range n {
			if i > 0 {
				o.w.WriteByte(',')
			}
			o.newLine()
			item(i)
		}
		o.w.WriteByte(']')
		o.depth--
	}
}

func (o *outline) value(v any) { o.w.Write(o.encode(v)) }

func (o *outline) encode(v any) []byte {
	data, err := encode(v)
	if err != nil && o.err == nil {
		o.err = err
	}
	return data
}

func (o *outline) newLine() { o.w.WriteString("\n" + strings.Repeat(" ", o.depth)) }
