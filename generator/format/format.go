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
	"math/bits"
	"os"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"benchpost/generator/bench"
)

// objectFormats are tried in order on a JSON object that has one of their keys.
var objectFormats = []objectFormat{
	{name: "vllm-serve-json", keys: []string{"model_id", "tokenizer_id"}, is: isServeObject, read: readServeObject},
	{name: "ollama-json", keys: []string{"done", "eval_count", "prompt_eval_count"}, is: isOllama, read: readOllama},
	{name: "guidellm-json", keys: []string{"benchmarks"}, is: isGuideLLM, read: readGuideLLM},
	{name: "inference-perf-json", keys: []string{"successes"}, is: isInferencePerf, read: readInferencePerf},
	{name: "inference-perf-json", keys: []string{"start_time"}, is: isInferencePerfRequest, open: openInferencePerfRequests},
	{name: "llmperf-json", keys: []string{"results_ttft_s_mean", "results_mean_output_throughput_token_per_s"}, read: readLLMPerf},
	{name: "llmperf-json", keys: []string{"end_to_end_latency_s"}, is: isLLMPerfRequest, open: openLLMPerfRequests},
	{name: "llmperf-json", keys: []string{"throughput_token_per_s"}, is: isLLMPerfBench, read: readLLMPerfBench},
	{name: "llmperf-json", keys: []string{"1", "2", "4", "8", "16", "32", "64", "128"}, is: isLLMPerfSweep, read: readLLMPerfBench},
	{name: "inferencex-json", keys: []string{"output_tput_per_gpu"}, is: isInferenceX, read: readInferenceX},
	{name: "inferencex-json", keys: []string{"request_metrics"}, is: isInferenceXAgentic, read: readInferenceXAgentic},
}

// blockFormats are given the lines of a text from the first that has one of
// their marks on. A mark has at least six bytes.
var blockFormats = []blockFormat{
	{name: "vllm-serve-text", marks: serveMarks, new: newServeText},
	{name: "ollama-text", marks: ollamaMarks, new: newOllamaText},
	{name: "guidellm-csv", marks: guideCSVMarks, new: newGuideCSV},
	{name: "guidellm-text", marks: guideTextMarks, new: newGuideText},
	{name: "llmperf-csv", marks: llmperfCSVMarks, new: newLLMPerfCSV},
	{name: "inferencex-text", marks: replayMarks, new: newReplayText},
}

// yamlFormats are told by the head of a file.
var yamlFormats = []yamlFormat{
	{name: "guidellm-yaml", head: isGuideYAML, passOver: guideYAMLRest},
}

// blockFormat is a format whose results are lines of a text.
type blockFormat struct {
	name  string
	marks []string
	new   func() lineReader
}

// lineReader finds the blocks of one format in a text. It is used for one file
// after the other.
type lineReader interface {
	// begin is called once for a file, before the first line.
	begin(*input)
	// line is called with each line that has a mark. As long as it gives true,
	// all lines that follow are handed to it too.
	line(line) bool
	// end is called after the last line.
	end()
}

var blockMarks = func() *marks {
	m := newMarks()
	for i, f := range blockFormats {
		for _, text := range f.marks {
			m.add(text, i)
		}
	}
	m.prepare()
	return m
}()

// Output is what one file held.
type Output struct {
	Results  []bench.Result  // ID is empty, Source.File is the name given; sorted by line
	Traces   []bench.Trace   // telemetry
	Captured bench.Labels    // what the file says of the machine or the software
	Capture  string          // the format of that
	Messages []bench.Message // what reading found odd or broken, with positions
	Reason   string          // why there is no result: "no known format", "placeholders, not figures"
}

// input is one file being read and what was found in it so far.
type input struct {
	name string
	*session
	window window
	open   []openReader // of JSON objects
	begun  uint64       // readers of lines that were given one, a bit for each
	cut    bool         // its JSON broke off, or was broken
	out    Output
}

// session is working memory that outlives one file: buffers, and strings that
// the files of a dataset repeat. Nothing that is handed out refers to its
// buffers.
type session struct {
	buf     []byte
	strings map[string]string
	sheet   sheet
	arena   arena
	samples []*sample // to be used again
	path    []byte
	keys    map[string]*meaning // of JSON, as understood before
	rows    map[string]*meaning // of tables
	key     []byte
	plain   []byte
	ascii   []byte
	readers [maxBlockFormats]lineReader
}

const maxBlockFormats = 64

var sessions = sync.Pool{New: func() any {
	return &session{buf: make([]byte, windowSize), strings: map[string]string{}, path: make([]byte, 0, 256),
		keys: map[string]*meaning{}, rows: map[string]*meaning{}}
}}

// sample gives an empty one.
func (s *session) sample() *sample {
	if n := len(s.samples); n > 0 {
		used := s.samples[n-1]
		s.samples = s.samples[:n-1]
		return used
	}
	return &sample{}
}

// giveBack takes a sample that is not needed any more.
func (s *session) giveBack(used *sample) {
	used.reset()
	s.samples = append(s.samples, used)
}

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
	headSize    = 4 << 10  // what is looked at to tell texts from other files
	jsonHead    = 64       // and to tell JSON from text
	maxInterned = 4096
)

// Read recognises and reads one file. It never fails on content: what is
// wrong with that is a Message. The error is the reader's own. However large
// the file, Read holds 64 KB of it and what it found; of YAML what is not passed
// over, up to a limit.
func Read(name string, r io.Reader) (Output, error) {
	s := sessions.Get().(*session)
	defer s.release()
	in := &input{name: name, session: s, window: window{r: r, buf: s.buf}}
	in.read()
	for _, open := range in.open {
		open.reader.end()
	}
	if len(in.out.Results)+len(in.out.Traces)+len(in.out.Captured) > 0 {
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
	var awake uint64
	lines := lines{w: &in.window, number: first}
	for {
		if head := in.window.peek(1); awake == 0 && len(head) > 0 && (head[0] == '{' || head[0] == '[') &&
			isJSON(in.window.peek(jsonHead)) {
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
		for readers := blockMarks.find(l.text) | awake; readers != 0; readers &= readers - 1 {
			i := bits.TrailingZeros64(readers)
			if in.lineReader(i).line(l) {
				awake |= 1 << i
			} else {
				awake &^= 1 << i
			}
		}
	}
	for readers := in.begun; readers != 0; readers &= readers - 1 {
		in.readers[bits.TrailingZeros64(readers)].end()
	}
}

// lineReader gives the reader of a block format.
func (in *input) lineReader(i int) lineReader {
	if in.readers[i] == nil {
		in.readers[i] = blockFormats[i].new()
	}
	if in.begun&(1<<i) == 0 {
		in.begun |= 1 << i
		in.readers[i].begin(in)
	}
	return in.readers[i]
}

// withoutColours takes the terminal's escape sequences out of a line.
func (in *input) withoutColours(text []byte) []byte {
	plain := in.plain[:0]
	for i := 0; i < len(text); i++ {
		if text[i] != 0x1b {
			plain = append(plain, text[i])
			continue
		}
		i++
		switch {
		case i == len(text):
		case text[i] == '[':
			for i++; i < len(text) && (text[i] < '@' || text[i] > '~'); i++ {
			}
		case text[i] == ']': // a window's title, up to BEL or ESC \
			for i++; i < len(text) && text[i] != 0x07 && text[i] != 0x1b; i++ {
			}
			if i+1 < len(text) && text[i] == 0x1b {
				i++
			}
		}
	}
	in.plain = plain
	return plain
}

// hasOtherForms tells whether a line may hold what withASCIIForms changes: the
// marks of a progress bar, in most lines that are not ASCII, are none of it.
func hasOtherForms(text []byte) bool {
	for i, c := range text {
		switch {
		case c < utf8.RuneSelf || c == 0xe2 && i+1 < len(text) && text[i+1] > 0x81:
		case c == 0xc2 || c >= 0xe1 && c <= 0xe3 || c == 0xef:
			return true
		}
	}
	return false
}

// withASCIIForms writes what pages and editors put for the tool's own
// characters as the tool does: spaces of any width, and full-width signs.
func (in *input) withASCIIForms(text []byte) []byte {
	ascii := in.ascii[:0]
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '：': // its space is part of it
			ascii = append(ascii, ": "...)
		case r >= '！' && r <= '～':
			ascii = append(ascii, byte(r-'！'+'!'))
		case r == '\u200b' || r == '\ufeff': // of no width
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			ascii = append(ascii, ' ')
		default:
			ascii = append(ascii, text[:n]...)
		}
		text = text[n:]
	}
	in.ascii = ascii
	return ascii
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
