package unwrap

import (
	"bytes"
	"io"
)

// maxContainer is the maximum number of bytes read of a container.
const maxContainer = 64 << 20

// container is a kind of file whose lines are not the lines of the text: the text is in JSON values, or its lines were
// broken.
type container struct {
	name string
	is   func(head []byte) bool
	text func(data []byte, to *contents)
}

var containers = []container{
	{"notebook", isNotebook, notebook},
	{"asciinema", isCast, cast},
	{"folded", isFolded, unfold},
}

// IsWrapped reports whether a file that begins like JSON contains a text.
func IsWrapped(head []byte) bool {
	head = bytes.TrimPrefix(head, byteOrder)
	return containerOf(head) != nil || bytes.HasPrefix(head, []byte(`{"log":"`))
}

func containerOf(head []byte) *container {
	for i := range containers {
		if containers[i].is(head) {
			return &containers[i]
		}
	}
	return nil
}

// enter replaces the file by its text, if the file is a container.
func (r *Reader) enter() {
	c := containerOf(bytes.TrimPrefix(r.buf[r.from:r.to], byteOrder))
	if c == nil {
		return
	}
	data, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(bytes.Clone(r.buf[r.from:r.to])), r.rest()), maxContainer))
	if r.Cut = len(data) == maxContainer; r.Cut {
		data = data[:bytes.LastIndexByte(data, '\n')+1]
	}
	var to contents
	c.text(bytes.TrimPrefix(data, byteOrder), &to)
	r.outer = &to.in
	r.Broken = to.broken
	r.src, r.from, r.to = bytes.NewReader(to.data), 0, 0
	r.err = nil
	if err != nil {
		r.src = io.MultiReader(r.src, failing{err})
	}
	r.fill()
}

// rest returns a reader for the part of the file that is not in buf.
func (r *Reader) rest() io.Reader {
	if r.err != nil {
		return failing{r.err}
	}
	return r.src
}

// failing is a reader that returns an error, such as the one that ended another stream.
type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// contents is the text of a container.
type contents struct {
	data   []byte
	text   int // number of the last line so far
	in     runs
	broken Broken
}

// add appends a part of the text. file is its line in the file.
func (c *contents) add(part string, file int) {
	if c.text == 0 {
		c.text = 1
	}
	if len(c.data) == 0 || c.data[len(c.data)-1] == '\n' {
		c.in.add(c.text, file)
	}
	for len(part) > 0 {
		i := 0
		for i < len(part) && part[i] != '\n' {
			i++
		}
		if i == len(part) {
			c.data = append(c.data, part...)
			return
		}
		c.data = append(c.data, part[:i+1]...)
		c.text++
		if part = part[i+1:]; len(part) > 0 {
			c.in.add(c.text, file)
		}
	}
}

// end ends the current line and adds an empty one.
func (c *contents) end(file int) {
	if len(c.data) > 0 && c.data[len(c.data)-1] != '\n' {
		c.add("\n", file)
	}
	if len(c.data) > 0 {
		c.add("\n", file)
	}
}
