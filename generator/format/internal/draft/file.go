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

// File holds what has been found in one file so far, and the memory for reading it.
type File struct {
	*scan.Memory
	Name   string
	Out    Found
	Cut    bool // its JSON broke off, or was broken
	Marked bool // the current line has a mark of the current reader
	Tail   Tail

	draft    Draft
	Keys     map[string]*Meaning // cached meanings of JSON keys
	Rows     map[string]*Meaning // cached meanings of table rows
	figures  map[figure]*known
	latest   *known // the last entry of figures that was used
	kinds    map[result.Kind]*result.Kind
	recalled map[question]string
	room     []result.Kind // free slots for the next kinds
	Key      []byte
	disputed []string // names of facts about the machine that the file states in two ways

	results []result.Result // empty slice with room for the results of a file
	metrics []result.Metric // shared room for the metrics of further results
	labels  []result.Label
	digests strings.Builder
}

// Tail is a last line without a line end. The file may be cut there: the last word may lack letters or digits, and a
// list may continue.
type Tail struct {
	Open   bool
	Text   []byte // valid until the next file
	Number int
}

// endsWith reports whether a value of a line may be incomplete.
func (t *Tail) endsWith(value []byte, line int) bool {
	return t.Open && line == t.Number && bytes.HasSuffix(t.Text, value)
}

// copyOf returns a copy of a draft's metrics or labels for a result. The copies for many results share one allocation,
// whose size grows with the number of results.
func copyOf[T any](room *[]T, of []T, results int) []T {
	const most = 64 // limit of results that share one allocation
	if n := len(of); *room == nil || cap(*room)-len(*room) < n {
		*room = make([]T, 0, n*max(1, min(results, most)))
	}
	from := len(*room)
	*room = append(*room, of...)
	return (*room)[from:len(*room):len(*room)]
}

// digest returns a checksum in hexadecimal digits. The digests of many results share one allocation, too.
func (in *File) digest(sum []byte) string {
	const most = 64 // limit of results that share one allocation
	if in.digests.Cap()-in.digests.Len() < 2*len(sum) {
		in.digests = strings.Builder{}
		in.digests.Grow(2 * len(sum) * max(1, min(len(in.Out.Results), most)))
	}
	var digits [64]byte
	from := in.digests.Len()
	in.digests.Write(digits[:hex.Encode(digits[:], sum)])
	return in.digests.String()[from:]
}

// Found is what the readers of a file have found.
type Found struct {
	Results    []result.Result
	Traces     []result.Trace
	Captured   result.Labels
	CapturedOf string // the tool whose runs Captured applies to; "" for all
	Capture    string
	Snapshot   *result.Snapshot
	Unfinished []result.Unfinished
	Messages   []result.Message
	Reason     locale.Text // why the last part without result has none
	Kind       unread.Kind // the kind of Reason
}

// NewFile returns a file with its own memory.
func NewFile() *File {
	return &File{Memory: scan.NewMemory(), Keys: map[string]*Meaning{}, Rows: map[string]*Meaning{}, figures: map[figure]*known{}, latest: &known{}, kinds: map[result.Kind]*result.Kind{},
		recalled: map[question]string{}, results: make([]result.Result, 0, fewResults)}
}

// Open prepares the file for the next file, with the given name. It keeps no references to the last file, and its
// memory does not grow with the number of files.
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

// Results returns the results of the file. Before that call they are in memory that is reused for each file; it grows
// with the number of results of a file up to a limit.
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
	fewResults  = 64   // initial room for results
	mostResults = 4096 // room kept between files
)

// figure is a reader's description of a figure: its name, its unit, and the tool's field.
type figure struct{ name, unit, field string }

// known is the cached meaning of a figure.
type known struct {
	Meaning
	of     figure
	next   *known  // the figure that followed it the last time
	fact   []byte  // the field, as [Draft.Fact] writes it
	factor float64 // factor for the value
	fits   bool    // the unit fits the name
}

// figure returns the meaning of a figure. It caches the answers.
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

// Recall returns the result of a function for a text. It caches the answers, because rows repeat their texts. about
// identifies the function.
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

// OwnName returns the name of a label or metric that only one tool has: the tool's own name with the prefix "x_".
func (in *File) OwnName(key string) string {
	return in.Recall("own name", key, func(key string) string { return "x_" + Snake(key) })
}

// pathOf returns the field of a JSON value: its path from the document down.
func (in *File) pathOf(v *scan.Value) string {
	if in.Key = v.AppendPath(in.Key[:0]); len(in.Key) == len(v.Key) {
		return v.Key
	}
	return in.Intern(in.Key)
}

// Kind returns the shared pointer for a kind, which the figures of all files use.
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

// MaxLabel is the maximum length of a label's value in bytes.
const MaxLabel = 1 << 10

const (
	MaxDistance = 200 // lines between a command and the block it made
	MaxGap      = 3   // lines of something else between two rows
)

// NoResultID marks a message that reports a part of the file without result.
const NoResultID = "format.no-result"

// NoResult reports why a part of the file gives no result. It is a message if the file has other results, else it is
// the reason for the whole file.
func (in *File) NoResult(line int, reason locale.Text) {
	in.NoResultOf(unread.LookAlike, line, reason)
}

// NoResultOf is NoResult for a kind other than unread.LookAlike.
func (in *File) NoResultOf(kind unread.Kind, line int, reason locale.Text) {
	in.Out.Reason, in.Out.Kind = reason, kind
	in.Message(line, result.Info, NoResultID, reason, locale.Text{})
}

// BrokenLine reports a line that lacks its end, for example because a window broke it, and is skipped.
func (in *File) BrokenLine(line int) {
	text := locale.Textf("the line ends before its last part, as one that a window broke; it is left out")
	in.Message(line, result.Warning, "format.broken-lines", text, locale.Textf("widen the terminal, or save the output to a file"))
	in.Out.Reason, in.Out.Kind = text, unread.LookAlike
}

// Advise sets the hint of the last message.
func (in *File) Advise(hint locale.Text) { in.Out.Messages[len(in.Out.Messages)-1].Hint = hint }

// Message adds a message about the file.
func (in *File) Message(line int, severity result.Severity, id string, text, hint locale.Text) {
	in.Out.Messages = append(in.Out.Messages, result.Message{
		Pos:      result.Position{File: in.Name, Line: line},
		Severity: severity, ID: id, Text: text, Hint: hint,
	})
}

// Begin empties and returns the draft that the readers of documents share, for a run that begins at the given line.
// Readers of text have their own drafts.
func (in *File) Begin(tool, format string, line int) *Draft {
	in.draft.Reset(in, tool, format, line)
	return &in.draft
}

// Capture adds a fact about the machine or the software of the file's runs. format is the name of the file's format. A
// fact that the file states in two ways, such as the power mode before and after it was set, is uncertain and is
// dropped.
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

// Entries returns the entries of a list of results. If the list is too long to be kept, Entries reports that.
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
