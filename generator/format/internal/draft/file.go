package draft

import (
	"bytes"
	"encoding/hex"
	"iter"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// File is what was found in one file so far, and the memory to read it with.
type File struct {
	*scan.Memory
	Name   string
	Out    Found
	Cut    bool // its JSON broke off, or was broken
	Marked bool // the line that is read has a mark of the reader it is given to
	Tail   Tail

	draft    Draft
	Keys     map[string]*Meaning // of JSON, as understood before
	Rows     map[string]*Meaning // of tables
	figures  map[figure]*known
	latest   *known // of them
	kinds    map[result.Kind]*result.Kind
	recalled map[question]string
	room     []result.Kind // for the next ones
	Key      []byte
	disputed []string // names of what the file says of the machine in two ways

	results []result.Result // room for those of a file, empty
	metrics []result.Metric // room for those of further results
	labels  []result.Label
	digests strings.Builder
}

// Tail is a last line that has no end. The file may be cut there: its last word may lack letters or digits, and a list
// may go on.
type Tail struct {
	Open   bool
	Text   []byte // valid until the next file
	Number int
}

// endsWith reports whether a value of a line may lack its end.
func (t *Tail) endsWith(value []byte, line int) bool {
	return t.Open && line == t.Number && bytes.HasSuffix(t.Text, value)
}

// copyOf returns a copy of what a draft has of a result. The copies of many results lie in the same
// room, which is made larger as they become more.
func copyOf[T any](room *[]T, of []T, results int) []T {
	const most = 64 // results that share one
	if n := len(of); *room == nil || cap(*room)-len(*room) < n {
		*room = make([]T, 0, n*max(1, min(results, most)))
	}
	from := len(*room)
	*room = append(*room, of...)
	return (*room)[from:len(*room):len(*room)]
}

// digest writes a checksum. Those of many results lie in the same room, too.
func (in *File) digest(sum []byte) string {
	const most = 64 // that share one
	if in.digests.Cap()-in.digests.Len() < 2*len(sum) {
		in.digests = strings.Builder{}
		in.digests.Grow(2 * len(sum) * max(1, min(len(in.Out.Results), most)))
	}
	var digits [64]byte
	from := in.digests.Len()
	in.digests.Write(digits[:hex.Encode(digits[:], sum)])
	return in.digests.String()[from:]
}

// Found is what the readers of a file return.
type Found struct {
	Results    []result.Result
	Traces     []result.Trace
	Captured   result.Labels
	CapturedOf string // the tool whose runs alone it is about; "" for all
	Capture    string
	Snapshot   *result.Snapshot
	Unfinished []result.Unfinished
	Messages   []result.Message
	Reason     locale.Text // why the last part without result has none
	Kind       unread.Kind // the kind of that
}

// NewFile makes a file with memory of its own.
func NewFile() *File {
	return &File{Memory: scan.NewMemory(), Keys: map[string]*Meaning{}, Rows: map[string]*Meaning{}, figures: map[figure]*known{}, latest: &known{}, kinds: map[result.Kind]*result.Kind{},
		recalled: map[question]string{}, results: make([]result.Result, 0, fewResults)}
}

// Open empties the file for the next one, of a name. It keeps no hold of the last
// one, and does not grow with the number of files.
func (in *File) Open(name string) {
	in.Name, in.Out, in.Cut, in.disputed, in.Tail = name, Found{Results: in.results}, false, nil, Tail{}
	in.metrics, in.labels, in.digests = nil, nil, strings.Builder{}
	if len(in.Keys)+len(in.Rows) > scan.MaxInterned {
		clear(in.Keys)
		clear(in.Rows)
	}
	if len(in.kinds)+len(in.figures) > scan.MaxInterned {
		clear(in.kinds)
		clear(in.figures)
	}
}

// Results returns the results of the file. Until then they are in memory that is used for one file
// after the other, and grows up to a limit with the results of one.
func (in *File) Results() []result.Result {
	found := in.Out.Results
	if cap(found) > mostResults {
		clear(in.results[:cap(in.results)])
		return found
	}
	all := append([]result.Result(nil), found...)
	clear(found)
	if cap(found) > cap(in.results) {
		in.results = found[:0]
	}
	return all
}

const (
	fewResults  = 64   // for which there is room at first
	mostResults = 4096 // between files
)

// figure is what a reader says of a figure: the name and the unit that it is given, and the tool's field.
type figure struct{ name, unit, field string }

// known is what that stands for.
type known struct {
	Meaning
	of     figure
	next   *known  // what was asked for after it the last time
	fact   []byte  // the field, as [Draft.Fact] notes it
	factor float64 // for the figure
	fits   bool    // the unit is one of the name
}

// figure returns the meaning of a figure, as it was understood before.
func (in *File) figure(name, unit, field string) *known {
	of := figure{name, unit, field}
	k := in.latest.next
	if k == nil || k.of != of {
		k = in.figures[of]
	}
	if k == nil {
		k = &known{of: of, fact: append(appendWords(nil, field), '\t')}
		k.Meaning, k.factor, k.fits = Known(name, unit)
		k.Field = field
		in.figures[of] = k
	}
	in.latest.next, in.latest = k, k
	return k
}

// Recall returns what a function makes of a text, which is asked once, as rows repeat their texts. What it is about
// tells functions apart.
func (in *File) Recall(about, text string, ask func(text string) string) string {
	answer, known := in.recalled[question{about, text}]
	if !known {
		if len(in.recalled) >= scan.MaxInterned {
			clear(in.recalled)
		}
		answer = ask(text)
		in.recalled[question{about, text}] = answer
	}
	return answer
}

type question struct{ about, text string }

// OwnName returns the name of a label or a metric that only a tool has: its own, with "x_" before it.
func (in *File) OwnName(key string) string {
	return in.Recall("own name", key, func(key string) string { return "x_" + Snake(key) })
}

// pathOf returns the field of a value of JSON: its path from the document down.
func (in *File) pathOf(v *scan.Value) string {
	if in.Key = v.AppendPath(in.Key[:0]); len(in.Key) == len(v.Key) {
		return v.Key
	}
	return in.Intern(in.Key)
}

// Kind returns the one place of a kind that the figures of all files share.
func (in *File) Kind(k result.Kind) *result.Kind {
	known := in.kinds[k]
	if known == nil {
		if len(in.room) == 0 {
			in.room = make([]result.Kind, 16)
		}
		known, in.room = &in.room[0], in.room[1:]
		*known = k
		in.kinds[k] = known
	}
	return known
}

// MaxLabel is the length of the longest text that is kept as a label.
const MaxLabel = 1 << 10

const (
	MaxDistance = 200 // lines between a command and the block it made
	MaxGap      = 3   // lines of something else between two rows
)

// NoResultID marks a message that reports a part of the file without result.
const NoResultID = "format.no-result"

// NoResult reports why a part of the file gives no result. With other results in
// the file that is a message, without any it is the reason of the file.
func (in *File) NoResult(line int, reason locale.Text) {
	in.NoResultOf(unread.LookAlike, line, reason)
}

// NoResultOf is NoResult for another kind than what looks like a known format.
func (in *File) NoResultOf(kind unread.Kind, line int, reason locale.Text) {
	in.Out.Reason, in.Out.Kind = reason, kind
	in.Message(line, result.Info, NoResultID, reason, locale.Text{})
}

// BrokenLine reports a line that lacks its end, as one that a window broke, and is left out.
func (in *File) BrokenLine(line int) {
	text := locale.Textf("the line ends before its last part, as one that a window broke; it is left out")
	in.Message(line, result.Warning, "format.broken-lines", text, locale.Textf("widen the terminal, or save the output to a file"))
	in.Out.Reason, in.Out.Kind = text, unread.LookAlike
}

// Advise says what to do about what was noted last.
func (in *File) Advise(hint locale.Text) { in.Out.Messages[len(in.Out.Messages)-1].Hint = hint }

// Message notes something about the file.
func (in *File) Message(line int, severity result.Severity, id string, text, hint locale.Text) {
	in.Out.Messages = append(in.Out.Messages, result.Message{
		Pos:      result.Position{File: in.Name, Line: line},
		Severity: severity, ID: id, Text: text, Hint: hint,
	})
}

// Begin empties the draft of the file's documents for a run that begins at a
// line. A text's reader has a draft of its own.
func (in *File) Begin(tool, format string, line int) *Draft {
	in.draft.Reset(in, tool, format, line)
	return &in.draft
}

// Capture notes what a file says of the machine or the software its runs were
// made with. Format is the name under which the file is known. Of what a file
// says in two ways, as the power mode before and after it was set, nothing is
// certain.
func (in *File) Capture(format, name, value string, line int) {
	value = strings.TrimSpace(strings.ToValidUTF8(value, "\ufffd"))
	if scan.IsMissing(value) || len(value) > MaxLabel || slices.Contains(in.disputed, name) || in.Tail.endsWith([]byte(value), line) {
		return
	}
	switch known, ok := in.Out.Captured.Lookup(name); {
	case ok && known.Value != value:
		in.disputed = append(in.disputed, name)
		in.Out.Captured = slices.DeleteFunc(in.Out.Captured, func(l result.Label) bool { return l.Name == name })
		if len(in.Out.Captured) == 0 {
			in.Out.Capture = ""
			in.NoResult(line, locale.Textf("its statements about the machine contradict each other"))
		}
	case !ok:
		in.Out.Capture = format
		in.Out.Captured.Set(result.Label{Name: name, Value: value, Origin: result.Captured,
			Pos: result.Position{File: in.Name, Line: line}})
	}
}

// Entries returns the entries of a list that is a list of results. One too long
// to be held is reported.
func (in *File) Entries(v *scan.Value) iter.Seq[*scan.Value] {
	if v != nil && v.Columns != nil {
		held := 0
		for range v.Children() {
			held++
		}
		in.Message(v.Line, result.Warning, "format.too-long",
			locale.Textf("only the first %d of %d entries of %s are read", held, v.Count, v.Path()), locale.Textf("split the file"))
	}
	return v.Children()
}
