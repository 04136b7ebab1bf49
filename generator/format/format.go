// Package format reads the raw output of benchmark tools.
//
// [Read] and [ReadFile] recognise a file by its content, never by its name, and return an [Output]: results (their
// figures and labels have the names of the vocabulary), traces of telemetry, facts about the machine, and messages
// about what could not be read. Every figure has the line and the field it was read from:
//
//	out, err := format.ReadFile("runs/a/bench.log", "a/bench.log")
//	if err != nil {
//		return err // an I/O error; faults of the content are in out.Messages
//	}
//	for _, r := range out.Results {
//		m, _ := r.Metric("ttft_mean")
//		fmt.Println(r.Tool, r.Label("max_concurrency"), m.Text(), m.Unit, m.Line)
//	}
//	if out.Reason != "" {
//		fmt.Println("no result:", out.Reason)
//	}
//
// [ReadMapped] reads a file of an unknown tool as a [Mapping] describes it. [Raw] cuts the lines of a result out of its
// file, [Commands] returns how its run was started, and [SettingName] returns the label of a setting.
//
// The readers are in the packages of the families (vllm, llamacpp, nvidia, loadgen, quality, telemetry, machine), with
// one file per tool. Each family exports one table of formats, and this package joins the tables into a registry. There
// are two main kinds of formats: a JSON object is recognised by its keys, and a block of lines by a mark that one of
// the lines contains, anywhere in a text. No file matches two formats, so the order of the tables does not matter. A
// reader receives a draft.File and adds what it finds to it; internal/draft and internal/scan describe how.
// docs/adding-a-format.md shows how to add a format.
// add one.
package format

import (
	"bytes"
	"io"
	"math"
	"os"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/format/internal/unwrap"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// Output is the content of one file.
type Output struct {
	Results    []result.Result     // ID is empty, Source.File is the name passed to Read; sorted by line
	Traces     []result.Trace      // telemetry
	Captured   result.Labels       // facts about the machine or the software
	CapturedOf string              // the tool whose runs Captured applies to; "" for all runs beside the file
	Capture    string              // the format of Captured
	Snapshot   *result.Snapshot    // a server's counters; nil if there are none
	Unfinished []result.Unfinished // runs that began and have no result; sorted by line, ID is empty
	Messages   []result.Message    // oddities and faults found while reading, with positions
	Missing    []Absent            // columns or keys that the file's mapping names and the file does not have
	Cut        bool                // the file is empty or ends in the middle of JSON: it may still be written
	Archive    bool                // the file is an archive of other files, which are not read here
	Reason     locale.Text         // why there is no result: "no known format", "placeholders, not figures"
	Kind       unread.Kind         // the kind of Reason; "" with a result
}

// input is one file being read, with its readers.
type input struct {
	*draft.File
	*registry
	wrapped unwrap.Reader
	others  others
	open    func() io.WriteCloser // others.open
	window  scan.Window
	readers []draft.LineReader // by block format, reused for the next file; nil until a line has the reader's mark
	begun   set                // readers that received a line of this file
	marked  set                // readers whose mark is in the current line
	awake   set                // readers that receive the following lines
	objects []openReader       // of this file
	fence   yamlFence          // the open block of YAML in a page
	mapping *Mapping           // how to read objects; nil to recognise them by their keys
	keys    map[string]bool    // keys of the objects read with the mapping
	missing []Absent           // columns or keys of the mapping that the file lacks

	titles  titles  // titles of the file's sections
	shapes  []shape // shapes of the last lines that a reader received
	above   []heading
	unmixed int // number of results already checked for lines of two runs
	mixing  mixing

	broken bool // Output.Cut
	lost   lost // lost parts of a recording
	loose  genericJSON
	nested int           // nesting depth of the text, if it is a string in an object
	around []*scan.Value // the objects and lists around that string
}

const (
	headSize = 4 << 10 // bytes examined to distinguish texts from other files
	jsonHead = 64      // bytes examined to distinguish JSON from text

	noKnownFormat = "no known format"
	emptyFile     = "empty file"
)

// Read recognises and reads one file. The file may be compressed with gzip, zstd or bzip2, or wrapped in a form that
// docs/formats.md lists; line numbers then count the lines of the content. Read never fails on content: faults of the
// content become Messages. The error returned is that of r. Whatever the size of the file, Read keeps 64 KB of it in
// memory, plus what it found. Of YAML it keeps the parts that are not skipped, up to a limit.
func Read(name string, r io.Reader) (Output, error) {
	return builtin().read(name, r, (*input).read)
}

// read reads one file with the given function.
func (reg *registry) read(name string, r io.Reader, read func(*input)) (Output, error) {
	in := reg.inputs.Get().(*input)
	defer reg.inputs.Put(in)
	return in.file(name, r, read)
}

// file reads one file. If the file gives no result and its lines may have a prefix, file reads it a second time without
// the prefix.
func (in *input) file(name string, r io.Reader, read func(*input)) (Output, error) {
	out, err := in.unwrapped(name, r, read, false)
	if err != nil || out.Reason.IsZero() || out.Archive || !in.wrapped.Doubted {
		return out, err
	}
	again := r
	if whole, ok := in.wrapped.Whole(); ok {
		again = bytes.NewReader(bytes.Clone(whole))
	} else if s, ok := r.(io.Seeker); !ok {
		return out, nil
	} else if _, err := s.Seek(0, io.SeekStart); err != nil {
		return out, err
	}
	if second, err := in.unwrapped(name, again, read, true); err != nil || second.Reason.IsZero() {
		return second, err
	}
	return out, nil
}

// unwrapped reads the text in a file, and the text of each further program that wrote to the file.
func (in *input) unwrapped(name string, r io.Reader, read func(*input), insist bool) (Output, error) {
	in.others = others{registry: in.registry, name: name}
	in.wrapped.Reset(r, in.open)
	switch kind := rawfile.KindOf(in.wrapped.Head()); kind {
	case rawfile.Plain:
	case rawfile.Zip:
		return Output{Archive: true, Reason: locale.Textf("a zip archive"), Kind: unread.Archive}, nil
	case rawfile.Tar:
		return aTar(), nil
	default:
		head := bytes.Clone(in.wrapped.Head())
		plain, err := rawfile.Decompress(kind, io.MultiReader(bytes.NewReader(head), r))
		if err != nil {
			return Output{Reason: locale.Textf("cannot be decompressed"), Kind: unread.Archive}, err
		}
		defer plain.Close()
		in.wrapped.Reset(plain, in.open)
		if rawfile.KindOf(in.wrapped.Head()) == rawfile.Tar {
			return aTar(), nil
		}
	}
	if what := packed(in.wrapped.Head()); what != "" {
		return Output{Reason: locale.Textf("%s; unpack it into a folder", what), Kind: unread.Archive}, nil
	}
	switch {
	case insist:
		in.wrapped.Insist()
	case isJSON(scan.Clip(bytes.TrimPrefix(in.wrapped.Head(), bom), headSize)) && !unwrap.IsWrapped(in.wrapped.Head()) && bytes.IndexByte(in.wrapped.Head(), '\n') >= 0:
		in.wrapped.Leave()
	}
	out, err := in.text(name, &in.wrapped, read)
	if len(in.others.streams) > 0 {
		io.Copy(io.Discard, &in.wrapped) //nolint:errcheck // an error was returned above, or concerns unused text
	}
	out.move(in.wrapped.Lines(0))
	in.others.join(&out, &in.wrapped)
	in.others = others{}
	return out, err
}

// aTar returns the output for a tar archive, compressed or not.
func aTar() Output {
	return Output{Archive: true, Reason: locale.Textf("a tar archive"), Kind: unread.Archive}
}

// packed returns what kind of archive or compressed file, unsupported here, begins with head, or "" for other files.
func packed(head []byte) string {
	for _, p := range []struct{ begins, is string }{
		{"\xfd7zXZ\x00", "compressed with xz"}, {"7z\xbc\xaf\x27\x1c", "a 7z archive"},
		{"\x04\x22\x4d\x18", "compressed with lz4"}, {"Rar!\x1a\x07", "a rar archive"},
	} {
		if bytes.HasPrefix(head, []byte(p.begins)) {
			return p.is
		}
	}
	return ""
}

var bom = []byte("\ufeff")

// text reads a file that is not wrapped.
func (in *input) text(name string, r io.Reader, read func(*input)) (Output, error) {
	in.start(name, r)
	if in.hasText() {
		read(in)
	}
	in.finish()
	out := in.output()
	if err := in.window.Err; err != nil && err != io.EOF {
		return out, err
	}
	return out, nil
}

// start prepares the input for a file.
func (in *input) start(name string, r io.Reader) {
	in.Open(name)
	in.window = in.Over(r)
	in.begun.clear()
	in.awake.clear()
	in.titles.reset()
	in.fence.open = false
	in.shapes, in.above, in.unmixed = in.shapes[:0], in.above[:0], 0
	in.objects, in.mapping, in.broken, in.lost = in.objects[:0], nil, false, lost{}
	in.keys, in.missing = nil, nil
}

// finish ends the readers.
func (in *input) finish() {
	for _, open := range in.objects {
		open.reader.End()
	}
	in.begun.each(func(i int) {
		if r, ok := in.readers[i].(draft.Settler); ok {
			r.Settle()
		}
	})
	in.joinPrinted()
	in.settleGeneric()
}

// output returns what was found in the file.
func (in *input) output() Output {
	f := &in.Out
	slices.SortStableFunc(f.Results, func(a, b result.Result) int { return a.Source.Line - b.Source.Line })
	in.titles.label(in.File)
	out := Output{Results: in.Results(), Traces: f.Traces, Captured: f.Captured, CapturedOf: f.CapturedOf, Capture: f.Capture, Snapshot: f.Snapshot,
		Unfinished: f.Unfinished, Messages: f.Messages, Cut: in.broken, Missing: in.missing}
	in.lost.mark(in.Name, &out)
	if len(out.Results)+len(out.Traces)+len(out.Captured) > 0 || out.Snapshot != nil {
		return out
	}
	out.Reason, out.Kind = f.Reason, f.Kind
	if n := len(out.Unfinished); n > 0 {
		out.Reason, out.Kind = out.Unfinished[n-1].State(), unread.Unfinished
	}
	out.Messages = slices.DeleteFunc(out.Messages, func(m result.Message) bool { return m.ID == draft.NoResultID })
	if out.Reason.IsZero() {
		out.Reason, out.Kind = locale.Textf(noKnownFormat), unread.Unknown
	}
	return out
}

// ReadFile reads the file at path. Positions use name as the file's name.
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

// hasText reports whether the file has text to read. If not, it sets the reason.
func (in *input) hasText() bool {
	head := in.window.Peek(headSize)
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		in.Out.Reason, in.Out.Kind, in.broken = locale.Textf(emptyFile), unread.Empty, true
	case bytes.HasPrefix(head, []byte("\xff\xfe\x00\x00")), bytes.HasPrefix(head, []byte("\x00\x00\xfe\xff")):
		in.Out.Reason, in.Out.Kind = locale.Textf("UTF-32 text; save it as UTF-8"), unread.Encoding
	case bytes.IndexByte(head, 0) >= 0:
		in.Out.Reason, in.Out.Kind = locale.Textf("binary file"), unread.Binary
	default:
		if bytes.HasPrefix(head, bom) {
			in.window.Pos += len(bom)
		}
		return true
	}
	return false
}

func (in *input) read() {
	head := in.window.Peek(headSize)
	if isJSON(head) {
		in.document()
		return
	}
	if bytes.IndexByte(head, '\r') >= 0 {
		head = bytes.ReplaceAll(head, []byte{'\r'}, nil)
	}
	for i := range in.yamlFormats {
		if in.yamlFormats[i].Head(head) {
			in.yaml(&in.yamlFormats[i])
			return
		}
	}
	in.readLines(1)
}

// readLines passes each line to the readers of the blocks that contain it. The first line has the given number.
func (in *input) readLines(first int) {
	lines := scan.Lines{W: &in.window, Number: first}
	for {
		if head := in.window.Peek(1); len(head) > 0 && (head[0] == '{' || head[0] == '[') && isJSON(in.window.Peek(jsonHead)) {
			lines.Number = in.embedded(lines.Number)
		}
		l, ok := lines.Next()
		if !ok {
			break
		}
		if bytes, reason, ok := lostHere(l.Text); ok {
			if in.lost.places == 0 {
				in.lost.line, in.lost.reason = l.Number, reason
			}
			in.lost.places++
			in.lost.bytes += bytes
			continue
		}
		if bytes.IndexByte(l.Text, 0x1b) >= 0 {
			l.Text = in.WithoutColours(l.Text)
		}
		if scan.HasOtherForms(l.Text) {
			l.Text = in.WithASCIIForms(l.Text)
		}
		l.Text = trimmedRight(l.Text)
		if !l.Ended {
			in.Tail = draft.Tail{Open: true, Text: bytes.Clone(l.Text), Number: l.Number}
		}
		in.titles.line(l.Text, l.Number)
		if in.isRow(l) {
			continue
		}
		in.marked.clear()
		in.marks.find(l.Text, in.marked)
		in.awake.addAll(in.marked)
		if !in.awake.empty() {
			in.remember(l)
		}
		in.awake.each(func(i int) {
			in.File.Marked = in.marked.has(i)
			if !in.lineReader(i).Line(l) {
				in.awake.remove(i)
			}
		})
		in.fence.line(in, l)
	}
	in.begun.each(func(i int) { in.readers[i].End() })
	in.unmix(math.MaxInt)
}

// trimmedRight returns a line without the spaces and tabs at its end.
func trimmedRight(line []byte) []byte {
	n := len(line)
	for n > 0 && (line[n-1] == ' ' || line[n-1] == '\t') {
		n--
	}
	return line[:n]
}

// isRow passes a line to the only awake reader, if there is just one, and reports whether the line is a row of its
// table.
func (in *input) isRow(l scan.Line) bool {
	i, one := in.awake.only()
	if !one {
		return false
	}
	r, rows := in.readers[i].(draft.RowReader)
	return rows && r.Row(l)
}

// lineReader returns the reader of a block format.
func (in *input) lineReader(i int) draft.LineReader {
	if in.readers[i] == nil {
		in.readers[i] = in.blockFormats[i].New()
	}
	if !in.begun.has(i) {
		in.begun.add(i)
		in.readers[i].Begin(in.File)
	}
	return in.readers[i]
}
