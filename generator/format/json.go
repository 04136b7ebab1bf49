package format

import (
	"bytes"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// isJSON reports whether a text begins like a JSON object, or like a list of more than plain numbers: mpirun writes
// "[1,0]<stdout>:".
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
	scan  scan.Scanner
	build scan.Builder
	taken int // number of objects of a known format
}

func newObjects(in *input, line int) *objects {
	o := &objects{in: in, scan: scan.NewScanner(&in.window, line)}
	o.build = scan.NewBuilder(in.Memory, &o.scan)
	return o
}

// document reads a file that is JSON from its beginning.
func (in *input) document() {
	o := newObjects(in, 1)
	list := false // inside a list of objects
	for {
		t := o.scan.Next()
		switch {
		case t.Kind == '{':
			o.object(t, true)
		case t.Kind == '[' && !list:
			list = true
		case t.Kind == ']' && list:
			list = false
		case t.Kind == ',' && list:
		case list && t.Kind == '[':
			o.scan.Skip()
		case list && t.Kind != scan.None:
		case o.taken == 0 && o.scan.Fault != nil:
			in.readLines(o.scan.Line) // a log whose first lines are objects
			return
		case o.taken == 0:
			return
		case t.Kind != scan.None:
			o.scan.Reject(t, "only whole objects may follow one another")
		case o.scan.Fault == nil:
			in.Cut = in.Cut || list
			return
		}
		if o.scan.Fault != nil {
			list = false
			if !o.scan.Resume() {
				return
			}
		}
	}
}

// embedded reads JSON inside a text. The JSON begins at the window's position, in the given line. It returns the line
// where the JSON ends. Examples in a page may omit members, so only whole objects are read.
func (in *input) embedded(line int) int {
	o := newObjects(in, line)
	depth := 0
	for {
		t := o.scan.Next()
		switch {
		case t.Kind == '{':
			o.object(t, false)
		case t.Kind == '[' && depth == 0:
			depth++
		case t.Kind == '[':
			o.scan.Skip()
		case t.Kind == ']':
			depth--
		case t.Kind == scan.None:
			return o.scan.Line
		}
		if o.scan.Fault != nil || depth <= 0 {
			return o.scan.Line
		}
	}
}

// object reads one object whose opening brace has been taken, and passes it to the reader of its format.
func (o *objects) object(brace scan.Token, broken bool) {
	in := o.in
	in.Memory.Forget()
	o.scan.Inside = true
	v := o.build.Object(brace, nil)
	o.scan.Inside = false
	o.take(v, o.scan.Fault, broken)
}

// take passes an object to the reader of its format. fault is where the object broke off, nil for a whole object.
// broken allows objects that broke off.
func (o *objects) take(v *scan.Value, fault *scan.Fault, broken bool) {
	in := o.in
	in.Cut = in.Cut || fault != nil
	in.broken = in.broken || fault != nil && fault.Cut
	if in.mapping != nil {
		if fault == nil {
			o.taken++
			in.mapped(v)
		} else {
			in.NoResultOf(brokenKind(fault), v.Line, locale.Textf("broken JSON at line %d, column %d: %s", fault.Line, fault.Column, fault.Text))
		}
		return
	}
	f := in.recognise(v)
	if f < 0 || v.Cut && !broken {
		if fault != nil {
			in.NoResultOf(brokenKind(fault), v.Line, locale.Textf("broken JSON at line %d, column %d: %s", fault.Line, fault.Column, fault.Text))
		} else if in.inner(v) || broken && (in.generic(v) || in.innerObjects(v)) {
			o.taken++
		}
		return
	}
	o.taken++
	results := len(in.Out.Results)
	in.objectReader(f).Object(v)
	if fault == nil {
		return
	}
	m := result.Message{Pos: result.Position{File: in.Name, Line: fault.Line, Column: fault.Column},
		Severity: result.Error, ID: "format.syntax", Text: fault.Text, Hint: locale.Textf("only the part before it is read")}
	if fault.Cut {
		m.Severity, m.ID, m.Hint = result.Warning, "format.cut-off", locale.Textf("the run may still be in progress; the part before it is read")
	}
	in.Out.Messages = append(in.Out.Messages, m)
	for i := range in.Out.Results[results:] {
		if r := &in.Out.Results[results+i]; r.Status == result.Complete {
			r.Status = result.Partial
		}
	}
}

// objectReader returns the reader of a format for this file, and opens it at first use.
func (in *input) objectReader(format int) draft.ObjectReader {
	for _, open := range in.objects {
		if open.format == format {
			return open.reader
		}
	}
	f := &in.objectFormats[format]
	var r draft.ObjectReader
	if f.Open != nil {
		r = f.Open(in.File)
	} else {
		r = single{in.File, f.Read}
	}
	in.objects = append(in.objects, openReader{format, r})
	return r
}

type openReader struct {
	format int
	reader draft.ObjectReader
}

// single reads objects each of which is a complete result.
type single struct {
	in   *draft.File
	read func(*draft.File, *scan.Value)
}

func (e single) Object(v *scan.Value) { e.read(e.in, v) }
func (e single) End()                 {}

// brokenKind returns the kind of reason for JSON with a fault.
func brokenKind(fault *scan.Fault) unread.Kind {
	if fault.Cut {
		return unread.Cut
	}
	return unread.Damaged
}
