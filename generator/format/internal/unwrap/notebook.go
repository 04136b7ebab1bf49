package unwrap

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// isNotebook recognises a Jupyter notebook.
func isNotebook(head []byte) bool {
	if !bytes.HasPrefix(bytes.TrimLeft(head, " \t\r\n\ufeff"), []byte{'{'}) {
		return false
	}
	isFirst := func(key string) bool {
		i := bytes.Index(scan.Clip(head, 100+len(key)), []byte(key))
		return i >= 0 && i < 100
	}
	if isFirst(`"cells"`) {
		return bytes.Contains(head, []byte(`"cell_type"`))
	}
	return isFirst(`"nbformat"`)
}

// notebook adds the commands and the output of a notebook, cell by cell. The output is the text of the streams, and of
// results shown as text.
func notebook(data []byte, to *contents) {
	w := walker{decoder: json.NewDecoder(bytes.NewReader(data)), data: data, line: 1}
	w.object(func(key string) {
		if key != "cells" {
			w.skip()
			return
		}
		w.list(func() { w.cell(to) })
	})
}

// cell reads one cell. The source may precede the cell type, so it is written at the end.
func (w *walker) cell(to *contents) {
	var source, output []part
	kind := ""
	w.object(func(key string) {
		switch key {
		case "cell_type":
			kind, _ = w.text()
		case "source":
			source = w.parts(nil)
		case "outputs":
			w.list(func() { output = w.output(output) })
		default:
			w.skip()
		}
	})
	if kind != "code" {
		return
	}
	write := func(parts []part) {
		for _, p := range parts {
			to.add(p.text, p.line)
		}
		if n := len(parts); n > 0 {
			to.end(parts[n-1].line)
		}
	}
	write(commands(source))
	write(output)
}

// commands returns the shell commands in a cell's code. Other code is skipped, because its strings may look like a
// result.
func commands(source []part) (typed []part) {
	shell := false
	goesOn := false
	for i, p := range source {
		for l := range strings.Lines(p.text) {
			if i == 0 && len(typed) == 0 && !shell && (strings.HasPrefix(l, "%%bash") || strings.HasPrefix(l, "%%sh") || strings.HasPrefix(l, "%%script")) {
				shell = true
				continue
			}
			command, isCommand := strings.CutPrefix(l, "!")
			if shell || isCommand || goesOn {
				goesOn = strings.HasSuffix(strings.TrimRight(l, " \r\n"), `\`)
				typed = append(typed, part{command, p.line})
			}
		}
	}
	return typed
}

// output reads one output of a cell.
func (w *walker) output(parts []part) []part {
	w.object(func(key string) {
		switch key {
		case "text":
			parts = w.parts(parts)
		case "data":
			w.object(func(key string) {
				if key == "text/plain" {
					parts = w.parts(parts)
					return
				}
				w.skip()
			})
		default:
			w.skip()
		}
	})
	return parts
}

// part is a text and its line in the file.
type part struct {
	text string
	line int
}

// walker reads JSON and tracks line numbers.
type walker struct {
	decoder *json.Decoder
	data    []byte
	at      int64 // offset up to which lines were counted
	line    int
	broken  bool
}

// next returns the next token, nil at the end and at a fault. It counts the lines up to the token.
func (w *walker) next() json.Token {
	if w.broken {
		return nil
	}
	t, err := w.decoder.Token()
	if err != nil {
		w.broken = true
		return nil
	}
	w.line += bytes.Count(w.data[w.at:w.decoder.InputOffset()], []byte{'\n'})
	w.at = w.decoder.InputOffset()
	return t
}

// object reads an object and calls member with each key. The call must read the value.
func (w *walker) object(member func(key string)) {
	if w.next() != json.Delim('{') {
		return
	}
	for !w.broken && w.decoder.More() {
		key, _ := w.next().(string)
		member(key)
	}
	w.next()
}

// list reads a list and calls entry for each entry. The call must read the entry.
func (w *walker) list(entry func()) {
	if w.next() != json.Delim('[') {
		return
	}
	for !w.broken && w.decoder.More() {
		entry()
	}
	w.next()
}

// text reads a string.
func (w *walker) text() (string, bool) {
	s, ok := w.next().(string)
	return s, ok
}

// parts reads a text: a string, or a list of strings.
func (w *walker) parts(parts []part) []part {
	switch t := w.next().(type) {
	case string:
		return append(parts, part{t, w.line})
	case json.Delim:
		for !w.broken && w.decoder.More() {
			if s, ok := w.text(); ok {
				parts = append(parts, part{s, w.line})
			}
		}
		w.next()
	}
	return parts
}

// skip skips a value.
func (w *walker) skip() {
	depth := 0
	for !w.broken {
		switch w.next() {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return
		}
	}
}
