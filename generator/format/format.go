// Package format reads the raw output of benchmark tools. Each file beside
// this one reads one format, or the several forms of one tool's; this one tells
// them apart by content, never by name, and hands out what they found.
//
// There are two kinds of format. An object is JSON and is told by its keys. A
// block stands anywhere in a text, between whatever else a console or a page
// holds; it is told by a mark that one of its lines has. A new format is one
// file and one line in the table of its kind. Where a tool saves the same as YAML,
// that is told by its head and read as the JSON it could be.
package format

import (
	"bytes"
	"io"
	"os"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
)

// Output is what one file held.
type Output struct {
	Results    []result.Result     // ID is empty, Source.File is the name given; sorted by line
	Traces     []result.Trace      // telemetry
	Captured   result.Labels       // what the file says of the machine or the software
	Capture    string              // the format of that
	Snapshot   *Snapshot           // of a server's counters; nil for none
	Unfinished []result.Unfinished // runs that were begun and have no result; sorted by line, ID is empty
	Messages   []result.Message    // what reading found odd or broken, with positions
	Cut        bool                // it ends in the middle of JSON, or has nothing yet: it may still be written
	Archive    bool                // the file holds others, of which nothing is read here
	Reason     string              // why there is no result: "no known format", "placeholders, not figures"
}

// input is one file being read and what was found in it so far.
type input struct {
	name string
	*session
	window window
	open   []openReader // of JSON objects
	begun  set          // readers of lines that were given one
	marked set          // readers of which the line has a mark
	cut    bool         // its JSON broke off, or was broken

	mapping  *Mapping // how objects are to be read; nil for by their keys
	disputed []string // names of what the file says of the machine in two ways
	out      Output
}

const (
	windowSize  = 64 << 10 // a longer line or token is cut
	headSize    = 4 << 10  // what is looked at to tell texts from other files
	jsonHead    = 64       // and to tell JSON from text
	maxInterned = 4096
)

// Read recognises and reads one file, also one compressed with gzip or zstd;
// lines are then those of what it holds. It never fails on content: what is
// wrong with that is a Message. The error is the reader's own. However large
// the file, Read holds 64 KB of it and what it found; of YAML what is not passed
// over, up to a limit.
func Read(name string, r io.Reader) (Output, error) {
	return readAs(name, r, (*input).read)
}

// readAs reads one file with a way of reading it.
func readAs(name string, r io.Reader, read func(*input)) (Output, error) {
	s := sessions.Get().(*session)
	defer s.release()
	in := &input{name: name, session: s, window: window{r: r, buf: s.buf}}
	switch kind := rawfile.KindOf(in.window.peek(rawfile.HeadSize)); kind {
	case rawfile.Zip:
		return Output{Archive: true, Reason: "a zip archive"}, nil
	case rawfile.Gzip, rawfile.Zstd:
		plain, err := rawfile.Decompress(kind, io.MultiReader(bytes.NewReader(bytes.Clone(in.window.peek(1))), r))
		if err != nil {
			return Output{Reason: "cannot be decompressed"}, err
		}
		defer plain.Close()
		in.window = window{r: plain, buf: s.buf}
	}
	if in.hasText() {
		read(in)
	}
	for _, open := range in.open {
		open.reader.end()
	}
	if in.begun.has(progressReader) {
		in.readers[progressReader].(*progress).settle()
	}
	if len(in.out.Results)+len(in.out.Traces)+len(in.out.Captured) > 0 || in.out.Snapshot != nil {
		in.out.Reason = ""
	} else {
		if n := len(in.out.Unfinished); n > 0 {
			in.out.Reason = locale.English(in.out.Unfinished[n-1].State())
		}
		in.out.Messages = slices.DeleteFunc(in.out.Messages, func(m result.Message) bool { return m.ID == noResultID })
		if in.out.Reason == "" {
			in.out.Reason = "no known format"
		}
	}
	slices.SortStableFunc(in.out.Results, func(a, b result.Result) int { return a.Source.Line - b.Source.Line })
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
func Raw(data []byte, r *result.Result) []byte {
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

// hasText tells whether there is text to be read, and else why not.
func (in *input) hasText() bool {
	head := in.window.peek(headSize)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		in.out.Reason, in.out.Cut = "empty file", true
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		in.out.Reason = "UTF-16 text; save it as UTF-8"
	case bytes.IndexByte(head, 0) >= 0:
		in.out.Reason = "binary file"
	default:
		if bytes.HasPrefix(head, []byte("\ufeff")) {
			in.window.pos += len("\ufeff")
		}
		return true
	}
	return false
}

func (in *input) read() {
	head := in.window.peek(headSize)
	if isJSON(head) {
		in.document()
		return
	}
	for i := range yamlFormats {
		if yamlFormats[i].head(head) {
			in.yaml(&yamlFormats[i])
			return
		}
	}
	in.readLines(1)
}

// readLines gives the lines, the first of the given number, to the readers of
// the blocks they are of.
func (in *input) readLines(first int) {
	var awake set
	lines := lines{w: &in.window, number: first}
	for {
		if head := in.window.peek(1); len(head) > 0 && (head[0] == '{' || head[0] == '[') && isJSON(in.window.peek(jsonHead)) {
			lines.number = in.embedded(lines.number)
		}
		l, ok := lines.next()
		if !ok {
			break
		}
		if bytes.IndexByte(l.text, 0x1b) >= 0 {
			l.text = in.withoutColours(l.text)
		}
		if hasOtherForms(l.text) {
			l.text = in.withASCIIForms(l.text)
		}
		in.marked = set{}
		blockMarks.find(l.text, &in.marked)
		awake.with(in.marked).each(func(i int) {
			if in.lineReader(i).line(l) {
				awake.add(i)
			} else {
				awake.remove(i)
			}
		})
	}
	in.begun.each(func(i int) { in.readers[i].end() })
}

// lineReader gives the reader of a block format.
func (in *input) lineReader(i int) lineReader {
	if in.readers[i] == nil {
		in.readers[i] = newLineReader(i)
	}
	if !in.begun.has(i) {
		in.begun.add(i)
		in.readers[i].begin(in)
	}
	return in.readers[i]
}

// noResultID marks a message that tells of a part of the file without result.
const noResultID = "format.no-result"

// noResult tells why a part of the file gives no result. With other results in
// the file that is a message, without any it is the reason of the file.
func (in *input) noResult(line int, reason string) {
	in.out.Reason = reason
	in.message(line, result.Info, noResultID, reason, "")
}

// message notes something about the file.
func (in *input) message(line int, severity result.Severity, id, text, hint string) {
	in.out.Messages = append(in.out.Messages, result.Message{
		Pos:      result.Position{File: in.name, Line: line},
		Severity: severity, ID: id, Text: text, Hint: hint,
	})
}
