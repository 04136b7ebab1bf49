package format

import (
	"bytes"
	"fmt"

	"github.com/benchpost/benchpost/generator/result"
)

// objectFormat is a format whose unit is a JSON object. A file may be one
// object, several one after the other (JSON lines), or a list of them.
type objectFormat struct {
	name string
	keys []string            // an object of this format has one of them at its top
	is   func(v *value) bool // and satisfies this; nil when the key is enough
	read func(*input, *value)
	// open is for formats in which several objects make one result, in place of
	// read.
	open func(*input) objectReader
}

// objectReader is given the objects of a file one after the other, and then
// the end. An object lives until the next.
type objectReader interface {
	object(*value)
	end()
}

// byKey finds the formats that a key at the top of an object may belong to.
var byKey = func() map[string][]int {
	keys := map[string][]int{}
	for i, f := range objectFormats {
		for _, k := range f.keys {
			keys[k] = append(keys[k], i)
		}
	}
	return keys
}()

// isJSON tells whether a text begins like a JSON object, or a list of more
// than plain numbers: "[1,0]<stdout>:" is what mpirun writes.
func isJSON(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if len(head) == 0 {
		return false
	}
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	switch head[0] {
	case '{':
		return len(rest) > 0 && (rest[0] == '"' || rest[0] == '}')
	case '[':
		return len(rest) > 0 && (rest[0] == '{' || rest[0] == '"' || rest[0] == '[')
	}
	return false
}

// objects reads the JSON objects of a file.
type objects struct {
	in    *input
	scan  jsonScanner
	build builder
	taken int // objects that were of a known format
}

func newObjects(in *input, line int) *objects {
	o := &objects{in: in}
	o.scan = jsonScanner{w: &in.window, line: line, lineStart: in.window.base + int64(in.window.pos)}
	o.build = builder{in: in, scan: &o.scan, arena: &in.arena}
	return o
}

// document reads a file that is JSON from its beginning.
func (in *input) document() {
	o := newObjects(in, 1)
	list := false // inside one of objects
	for {
		t := o.scan.next()
		switch {
		case t.kind == '{':
			o.object(t, true)
		case t.kind == '[' && !list:
			list = true
		case t.kind == ']' && list:
			list = false
		case t.kind == ',' && list:
		case list && t.kind == '[':
			o.scan.skip()
		case list && t.kind != jsonNone:
		case o.taken == 0 && o.scan.fault != nil:
			in.readLines(o.scan.line) // a log whose first lines are objects
			return
		case o.taken == 0:
			return
		case t.kind != jsonNone:
			o.scan.reject(t, "only whole objects may follow one another")
		case o.scan.fault == nil:
			in.cut = in.cut || list
			return
		}
		if o.scan.fault != nil {
			list = false
			if !o.scan.resume() {
				return
			}
		}
	}
}

// embedded reads the JSON that begins at the window's position amid a text, of
// which this is the given line, and gives the line it ends in. A page leaves
// members out of its examples, so only whole objects count.
func (in *input) embedded(line int) int {
	o := newObjects(in, line)
	depth := 0
	for {
		t := o.scan.next()
		switch {
		case t.kind == '{':
			o.object(t, false)
		case t.kind == '[' && depth == 0:
			depth++
		case t.kind == '[':
			o.scan.skip()
		case t.kind == ']':
			depth--
		case t.kind == jsonNone:
			return o.scan.line
		}
		if o.scan.fault != nil || depth <= 0 {
			return o.scan.line
		}
	}
}

// object reads one object whose brace has been taken, and gives it to the
// format it is of.
func (o *objects) object(brace jsonToken, broken bool) {
	in := o.in
	in.forget()
	o.scan.inside = true
	v := o.build.object(brace, nil)
	o.scan.inside = false
	fault := o.scan.fault
	in.cut = in.cut || fault != nil
	in.out.Cut = in.out.Cut || fault != nil && fault.cut
	if in.mapping != nil {
		if fault == nil {
			o.taken++
			in.mapped(v)
		} else {
			in.noResult(v.line, fmt.Sprintf("broken JSON at line %d, column %d: %s", fault.line, fault.column, fault.text))
		}
		return
	}
	f := recognise(v)
	if f < 0 || v.cut && !broken {
		if fault != nil {
			in.noResult(v.line, fmt.Sprintf("broken JSON at line %d, column %d: %s", fault.line, fault.column, fault.text))
		}
		return
	}
	o.taken++
	results := len(in.out.Results)
	in.objectReader(f).object(v)
	if fault == nil {
		return
	}
	m := result.Message{Pos: result.Position{File: in.name, Line: fault.line, Column: fault.column},
		Severity: result.Error, ID: "format.syntax", Text: fault.text, Hint: "only what stands before is read"}
	if fault.cut {
		m.Severity, m.ID, m.Hint = result.Warning, "format.cut-off", "the run may still be going on; what stands before is read"
	}
	in.out.Messages = append(in.out.Messages, m)
	for i := range in.out.Results[results:] {
		if r := &in.out.Results[results+i]; r.Status == result.Complete {
			r.Status = result.Partial
		}
	}
}

// recognise gives the format of an object, by index, -1 for none. Of several it
// is the first of the list.
func recognise(v *value) int {
	best := -1
	for child := range v.children() {
		for _, i := range byKey[child.key] {
			f := &objectFormats[i]
			if (best < 0 || i < best) && (f.is == nil || f.is(v)) {
				best = i
			}
		}
	}
	return best
}

// objectReader gives the reader of a format that goes through this file.
func (in *input) objectReader(format int) objectReader {
	for _, open := range in.open {
		if open.format == format {
			return open.reader
		}
	}
	f := &objectFormats[format]
	var r objectReader
	if f.open != nil {
		r = f.open(in)
	} else {
		r = single{in, f.read}
	}
	in.open = append(in.open, openReader{format, r})
	return r
}

type openReader struct {
	format int
	reader objectReader
}

// single reads objects that are results of their own.
type single struct {
	in   *input
	read func(*input, *value)
}

func (e single) object(v *value) { e.read(e.in, v) }
func (e single) end()            {}
