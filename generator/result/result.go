// Package result is what a run measured: results, their labels and
// metrics, where each number came from, and the selectors that pick them.
//
// Names of metrics and labels are the field's own terms; package vocabulary
// lists them with unit and direction, and package locale words the checks.
package result

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// OutputList is the file by which a folder of our outputs is known: the list
// of what we wrote there.
const OutputList = ".benchpost-files"

// Position is a place in a file. File is slash-separated and relative to the
// folder the command works on; Line and Column count from 1, 0 means unknown.
type Position struct {
	File   string
	Line   int
	Column int
}

// String returns file:line:column, leaving out what is unknown.
func (p Position) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return p.File + ":" + strconv.Itoa(p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Severity says what a message means for the number or file it concerns.
type Severity int

const (
	Info    Severity = iota // worth knowing
	Warning                 // shown with a mark; fails only a strict build
	Error                   // the thing is not usable as it is
)

// String returns the word used in messages and in the results document.
func (s Severity) String() string {
	return [...]string{"info", "warning", "error"}[s]
}

// Message is something to report to the person: where, how bad, what is wrong, and
// what to do about it. Messages are data: they are printed, shown on pages and
// replayed from caches alike.
type Message struct {
	Pos      Position
	Severity Severity
	ID       string      // stable name of the rule, as "run.contradiction"
	Text     locale.Text // what is wrong; no capital, no full stop
	Hint     locale.Text // what to do, or what is there instead; may be empty

	Figures map[string]float64 // what a check was judged on; nil for other messages
}

// Error returns "file:line: severity: text", so a Message is an error too.
func (m Message) Error() string {
	s := m.Severity.String() + ": " + locale.English(m.Text)
	if m.Pos.File != "" {
		s = m.Pos.String() + ": " + s
	}
	return s
}

// Reason is why a file could not be read, in the words of a message: without its
// path, which is that of this machine, while messages are published.
func Reason(err error) locale.Text {
	var perr *fs.PathError
	if errors.As(err, &perr) {
		return locale.Reason(perr.Err)
	}
	return locale.Reason(err)
}

// SortMessages orders messages by position, then severity, then text. What is wrong with site.toml and with
// runs comes before what is wrong with posts, which may follow from it.
func SortMessages(ms []Message) {
	slices.SortStableFunc(ms, func(a, b Message) int {
		if n := cmp.Or(
			cmp.Compare(stage(a.Pos.File), stage(b.Pos.File)),
			strings.Compare(a.Pos.File, b.Pos.File),
			cmp.Compare(a.Pos.Line, b.Pos.Line),
			cmp.Compare(a.Pos.Column, b.Pos.Column),
			cmp.Compare(b.Severity, a.Severity)); n != 0 {
			return n
		}
		return strings.Compare(locale.English(a.Text), locale.English(b.Text)) // said only where the rest is equal
	})
}

// stage ranks files by when a build reads them.
func stage(file string) int {
	switch {
	case file == "site.toml":
		return 0
	case file == "runs" || strings.HasPrefix(file, "runs/"):
		return 1
	}
	return 2
}

// Status is how far a run got.
type Status int

const (
	Complete Status = iota // the tool finished and printed its result
	Partial                // cut off, or still being written
	Failed                 // no request succeeded
)

// String returns the word used in the results document.
func (s Status) String() string {
	return [...]string{"complete", "partial", "failed"}[s]
}

// Better is the direction of a metric that is good.
type Better = vocabulary.Better

const (
	Neutral = vocabulary.Neutral
	Higher  = vocabulary.Higher
	Lower   = vocabulary.Lower
)

// Metric is one number a tool reported, or one derived from such numbers. The results of a site have
// few kinds of them between them, which they share.
type Metric struct {
	_ [0]func() // Equal compares two

	*Kind    `pack:"shared"`
	Value    float64 // finite, in Unit
	Line     int32   // where in the source file
	Decimals int8    // digits after the point as printed; FullPrecision for a binary float
}

// Kind is what a metric is, apart from its number. It never changes: what differs is another kind.
type Kind struct {
	Name    string // "ttft_p99"; see package vocabulary
	Unit    string // "ms", "tok/s"; "1" for a count
	Better  Better
	Derived bool   // computed by us; Field then holds the formula
	Field   string // the tool's own name for it, "Mean TTFT (ms)"
	File    string // the source file, where it is not that of the result: telemetry beside it
}

// Equal reports whether two metrics are of equal kinds and have the same number, written and read alike.
func (m Metric) Equal(o Metric) bool {
	return m.Value == o.Value && m.Line == o.Line && m.Decimals == o.Decimals && *m.Kind == *o.Kind
}

// String returns all of a metric: two that are Equal are printed alike.
func (m Metric) String() string {
	return fmt.Sprintf("%+v %v, line %d, %d decimals", *m.Kind, m.Value, m.Line, m.Decimals)
}

// With returns a kind that differs in what change sets.
func (k *Kind) With(change func(*Kind)) *Kind {
	other := *k
	change(&other)
	return &other
}

// FullPrecision as Decimals marks a value that was stored with all its digits
// (JSON), so that no number of decimals was chosen by the tool.
const FullPrecision = -1

// Text returns the digits as the tool printed them; a full-precision value in
// its shortest exact form.
func (m Metric) Text() string {
	return strconv.FormatFloat(m.Value, 'f', int(m.Decimals), 64)
}

// Digits writes a metric as the tool printed it. A tool that stored all bits
// chose no digits: such a value gets two decimals as on the tools' consoles,
// and small ones three significant digits.
func (m Metric) Digits() string {
	if m.Decimals != FullPrecision {
		return m.Text()
	}
	switch a := max(m.Value, -m.Value); {
	case m.Value == float64(int64(m.Value)) && (m.Unit == "1" || m.Unit == "tok"):
		return strconv.FormatInt(int64(m.Value), 10)
	case a != 0 && a < 0.1:
		return strconv.FormatFloat(m.Value, 'g', 3, 64)
	}
	return strconv.FormatFloat(m.Value, 'f', 2, 64)
}

// Check is a rule's verdict on one result. An error sets the whole result
// aside; a warning is a mark on the metrics it concerns.
type Check struct {
	ID       string // stable name of the rule, as "physics.memory-roofline"
	Severity Severity
	Text     locale.Text        // what was found, with its figures
	Hint     locale.Text        // what to do; may say nothing
	Figures  map[string]float64 // what it was judged on, by name and unit, as "floor_ms"
	Metrics  []string           // names or families ("ttft") of the metrics it concerns; empty for all
	Line     int                // of the figure in the run's file; 0 for the whole of it
	Waived   string             // why the site does not heed it; "" when it does
}

// Rule is what a kind of check asks of a run, and when it is raised.
type Rule struct {
	ID     string      // under which a run passes it, or is not judged
	Raises []string    // ids of the checks it raises
	Title  locale.Text // what is wrong when it is raised, in a few words
	Asks   locale.Text
	Bounds []Bound // the worst first

	Sources []string // works that it follows, by their keys in the catalogue
}

// Bound is what a rule is raised at, and with which severity.
type Bound struct {
	Severity Severity
	When     locale.Text
}

// Message words the check as a compiler would, at the figure it is about. What
// is waived is only worth knowing.
func (c *Check) Message(r *Result) Message {
	m := Message{Pos: r.Source, Severity: c.Severity, ID: c.ID, Text: c.Text, Hint: c.Hint, Figures: c.Figures}
	if c.Line > 0 {
		m.Pos.Line = c.Line
	}
	if c.Waived != "" {
		m.Severity, m.Hint = Info, locale.Textf("waived: %s", c.Waived)
	}
	return m
}

// Concerns reports whether the check is about a metric.
func (c *Check) Concerns(metric string) bool {
	family, _, _ := vocabulary.Statistic(metric)
	return len(c.Metrics) == 0 || slices.Contains(c.Metrics, metric) || family != "" && slices.Contains(c.Metrics, family)
}

// Result is one measurement: what one tool printed or saved at its end.
type Result struct {
	ID      string   // unique in a dataset: path of the file below runs, without extension
	Source  Position // first line of the block; line 1 for JSON
	EndLine int      // last line of the block
	Tool    string   // the client that measured: "vllm-serve"
	Format  string   // what was read: "vllm-serve-text"
	Status  Status
	Labels  Labels
	Metrics []Metric // in the order of the source
	Checks  []Check
	Digest  string // equal for blocks that state the same facts, whatever the white space

	Period        Period         // when it was measured, where the file says so
	Distributions []Distribution // of latencies, where the file has single requests
	Requests      *Requests      // one after the other, where the file has them; nil for none
	Telemetry     *Telemetry     // of the machine during the run; nil for none
	Counters      []string       // files of the server's counters, before the run and after it

	Revision *Revision // of the past: what a repository remembers; nil for what is there

	Stamp Stamp // of all this, once it is complete; see Seal

	shape *shape // where its labels and metrics are; nil when that is not known
}

// Is reports whether two results were copied from one and not changed since: they share their memory.
func (r *Result) Is(o *Result) bool {
	return r.ID == o.ID && r.Source == o.Source && r.EndLine == o.EndLine && r.Tool == o.Tool && r.Format == o.Format && r.Status == o.Status &&
		r.Digest == o.Digest && r.Period == o.Period && r.Requests == o.Requests && r.Telemetry == o.Telemetry && r.Revision == o.Revision &&
		shared(r.Labels, o.Labels) && shared(r.Metrics, o.Metrics) && shared(r.Checks, o.Checks) && shared(r.Distributions, o.Distributions) &&
		shared(r.Counters, o.Counters)
}

// shared reports whether two slices are the same memory.
func shared[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Command is how a run was started: as its raw file shows it, or put together
// from labels that rest on it.
type Command struct {
	Text      string
	Line      int    // of the raw file, its first; 0 when it is put together
	Arguments bool   // what the tool printed of them, not what was typed
	Flags     []Flag // of one that is put together: what each rests on
}

// Flag is a flag of a command and the label that it rests on.
type Flag struct{ Name, Label string }

// Revision is the commit that brought a result which another has taken the place of.
type Revision struct {
	Commit  string // its id, whole
	Subject string
	Time    time.Time // when it was authored
	URL     string    // of a page that shows it; "" for none
}

// Short is the commit's id as people write it.
func (r *Revision) Short() string { return r.Commit[:min(len(r.Commit), 10)] }

// Period is a span of time. Zoned is whether the zone was noted with it; else
// it is local to the machine and given as UTC.
type Period struct {
	From, To time.Time
	Zoned    bool
}

// Metric finds a metric by name, or returns NoMetric. A percentile that the tool did not print is
// taken from the requests, where the file has them.
func (r *Result) Metric(name string) (Metric, bool) {
	i, found, ok := r.shape.metric(r.Metrics, name)
	if !ok {
		for i = 0; i < len(r.Metrics) && r.Metrics[i].Name != name; i++ {
		}
		found = i < len(r.Metrics)
	}
	if found {
		return r.Metrics[i], true
	}
	if len(r.Distributions) > 0 {
		if family, statistic, ok := vocabulary.Statistic(name); ok {
			if d := r.Distribution(family); d != nil {
				return d.metric(name, statistic)
			}
		}
	}
	return NoMetric, false
}

// NoMetric stands for a metric that is not there.
var NoMetric = Metric{Kind: new(Kind)}

// At returns the place of one of the result's metrics. What is of the past is
// in a file of a revision, which is written as git writes it: 3fa2b1c9e0:runs/a.log.
func (r *Result) At(m Metric) Position {
	file := cmp.Or(m.File, r.Source.File)
	if r.Revision != nil {
		file = r.Revision.Short() + ":" + file
	}
	return Position{File: file, Line: int(m.Line)}
}

// Distribution returns that of a latency, nil when there is none.
func (r *Result) Distribution(family string) *Distribution {
	for i := range r.Distributions {
		if r.Distributions[i].Family == family {
			return &r.Distributions[i]
		}
	}
	return nil
}

// Label returns the value of a label, "" when absent. The results' own fields
// tool, format, status and id can be asked for as labels.
func (r *Result) Label(name string) string {
	i, found, ok := r.shape.label(r.Labels, name)
	if !ok {
		i, found = r.Labels.find(name)
	}
	if found && r.Labels[i].Value != "" {
		return r.Labels[i].Value
	}
	return r.own(name)
}

// own returns the value of one of the result's own fields.
func (r *Result) own(name string) string {
	switch name {
	case "id":
		return r.ID
	case "tool":
		return r.Tool
	case "format":
		return r.Format
	case "status":
		return r.Status.String()
	}
	return ""
}

// Excluded reports whether a check of severity error was raised for the
// result and is not waived: it is shown, struck, and never counts as one.
func (r *Result) Excluded() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Severity == Error && c.Waived == "" })
}

// Auxiliary reports whether the result is no measurement of its own: a warm-up, a copy that another has the
// place of, or telemetry of no run. Tables have it only when they are asked for it.
func (r *Result) Auxiliary() bool {
	phase := r.Label("phase")
	isTrace := r.Telemetry != nil && r.Telemetry.Tool == r.Tool // that no run could be found for
	return isTrace || phase != "" && phase != "measured"
}

// Compare orders results by id, then file and line: the order of every output.
func Compare(a, b *Result) int {
	if c := NaturalCompare(a.ID, b.ID); c != 0 { // nearly always
		return c
	}
	return cmp.Or(strings.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// NaturalCompare orders strings with their numbers by value: c2 before c16.
// Strings that differ only in leading zeros fall back to byte order.
func NaturalCompare(a, b string) int {
	i := 0 // what begins alike is passed over, but for a number that may go on
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	for i > 0 && isDigit(a[i-1]) {
		i--
	}
	j := i
	for i < len(a) && j < len(b) {
		if isDigit(a[i]) && isDigit(b[j]) {
			si, sj := i, j
			for i < len(a) && isDigit(a[i]) {
				i++
			}
			for j < len(b) && isDigit(b[j]) {
				j++
			}
			na, nb := strings.TrimLeft(a[si:i], "0"), strings.TrimLeft(b[sj:j], "0")
			if c := cmp.Or(cmp.Compare(len(na), len(nb)), strings.Compare(na, nb)); c != 0 {
				return c
			}
			continue
		}
		if a[i] != b[j] {
			return cmp.Compare(a[i], b[j])
		}
		i++
		j++
	}
	return cmp.Or(cmp.Compare(len(a)-i, len(b)-j), strings.Compare(a, b))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
