// Package format reads the raw output of benchmark tools. Each file beside
// this one reads one format; this one tells them apart by content, never by
// name, and hands out what they found.
//
// There are two kinds of format. A document fills its file and is told by the
// first bytes (JSON). A block stands anywhere in a text, between whatever else
// a console or a page holds, so every line is looked at. A new format is one
// file and one line in the table of its kind.
package format

import (
	"bytes"
	"io"
	"os"
	"slices"
	"sync"

	"benchpost/generator/bench"
)

// Output is what one file held.
type Output struct {
	Format   string          // "vllm-serve-text"; "" when no format was recognised
	Results  []bench.Result  // ID is empty, Source.File is the name given; sorted by line
	Messages []bench.Message // what reading found odd or broken, with positions
	Reason   string          // why there is no result: "no known format", "placeholders, not figures"
}

// documents are tried in order on the head of a file.
var documents = []struct {
	detect func(head []byte) bool
	read   func(*input)
}{
	{isJSON, readServeJSON},
}

// blocks are the formats that look at every line of a text.
var blocks = []func(*input) lineReader{
	newServeText,
}

// lineReader is given the lines of a text one after the other, and then the
// end.
type lineReader interface {
	line(line)
	end()
}

// input is one file being read and what was found in it so far.
type input struct {
	name string
	*session
	window window
	out    Output
}

// session is working memory that outlives one file: buffers, and strings that
// the files of a dataset repeat. Nothing that is handed out refers to its
// buffers.
type session struct {
	buf     []byte
	strings map[string]string
	sheet   sheet
	keys    map[string]*meaning // of JSON, as understood before
	rows    map[string]*meaning // of tables
	key     []byte
	prefix  []byte
	plain   []byte
	ascii   []byte
	above   []setting
}

var sessions = sync.Pool{New: func() any {
	return &session{buf: make([]byte, windowSize), strings: map[string]string{},
		keys: map[string]*meaning{}, rows: map[string]*meaning{}}
}}

// intern gives the bytes as a string, the same one for the same bytes.
func (s *session) intern(b []byte) string {
	if v, ok := s.strings[string(b)]; ok {
		return v
	}
	if len(s.strings) >= maxInterned {
		clear(s.strings)
	}
	v := string(b)
	s.strings[v] = v
	return v
}

// release gives the session back for the next file. It keeps no hold of this
// one, and does not grow with the number of files.
func (s *session) release() {
	s.sheet.in = nil
	if len(s.keys)+len(s.rows) > maxInterned {
		clear(s.keys)
		clear(s.rows)
	}
	sessions.Put(s)
}

const (
	windowSize  = 64 << 10 // a longer line or token is cut
	headSize    = 4 << 10  // what detection looks at
	maxInterned = 4096
)

// Read recognises and reads one file. It never fails on content: what is
// wrong with that is a Message. The error is the reader's own. However large
// the file, Read holds 64 KB of it.
func Read(name string, r io.Reader) (Output, error) {
	s := sessions.Get().(*session)
	defer s.release()
	in := &input{name: name, session: s, window: window{r: r, buf: s.buf}}
	in.read()
	if len(in.out.Results) > 0 {
		in.out.Reason = ""
	} else {
		in.out.Messages = slices.DeleteFunc(in.out.Messages, func(m bench.Message) bool { return m.ID == noResultID })
		if in.out.Reason == "" {
			in.out.Reason = "no known format"
		}
	}
	slices.SortStableFunc(in.out.Results, func(a, b bench.Result) int { return a.Source.Line - b.Source.Line })
	if err := in.window.err; err != nil && err != io.EOF {
		return in.out, err
	}
	return in.out, nil
}

// ReadFile reads the file at path; positions name it as name.
func ReadFile(path, name string) (Output, error) {
	f, err := os.Open(path)
	if err != nil {
		return Output{}, err
	}
	defer f.Close()
	return Read(name, f)
}

// Raw cuts the lines of a result out of the file it was read from.
func Raw(data []byte, r *bench.Result) []byte {
	start := 0
	for n := 1; n < r.Source.Line; n++ {
		i := bytes.IndexByte(data[start:], '\n')
		if i < 0 {
			return nil
		}
		start += i + 1
	}
	end := start
	for n := r.Source.Line; n <= r.EndLine; n++ {
		i := bytes.IndexByte(data[end:], '\n')
		if i < 0 {
			return data[start:]
		}
		end += i + 1
	}
	return data[start:end]
}

func (in *input) read() {
	head := in.window.peek(headSize)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		in.out.Reason = "empty file"
		return
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.out.Reason = "UTF-16 text; save it as UTF-8"
		return
	case bytes.IndexByte(head, 0) >= 0:
		in.out.Reason = "binary file"
		return
	case bytes.HasPrefix(head, []byte("\ufeff")):
		in.window.pos += len("\ufeff")
		head = head[len("\ufeff"):]
	}
	for _, d := range documents {
		if d.detect(head) {
			d.read(in)
			return
		}
	}
	in.readLines(1)
}

// readLines gives every line, the first of the given number, to every block
// format.
func (in *input) readLines(first int) {
	readers := make([]lineReader, len(blocks))
	for i, open := range blocks {
		readers[i] = open(in)
	}
	lines := lines{w: &in.window, number: first}
	for {
		l, ok := lines.next()
		if !ok {
			break
		}
		for _, r := range readers {
			r.line(l)
		}
	}
	for _, r := range readers {
		r.end()
	}
}

// noResultID marks a message that tells of a part of the file without result.
const noResultID = "format.no-result"

// noResult tells why a part of the file gives no result. With other results in
// the file that is a message, without any it is the reason of the file.
func (in *input) noResult(line int, reason string) {
	in.out.Reason = reason
	in.message(line, bench.Info, noResultID, reason, "")
}

// message notes something about the file.
func (in *input) message(line int, severity bench.Severity, id, text, hint string) {
	in.out.Messages = append(in.out.Messages, bench.Message{
		Pos:      bench.Position{File: in.name, Line: line},
		Severity: severity, ID: id, Text: text, Hint: hint,
	})
}
