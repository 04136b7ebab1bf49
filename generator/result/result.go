// Package result defines what a run measured: results, their labels and metrics, the source of each number, and
// selectors of results.
//
// Names of metrics and labels are common terms of the field. Package vocabulary lists them with unit and
// direction, and package locale has the texts of the checks.
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

// OutputList is the file that marks an output folder of benchpost. It lists the files that benchpost wrote
// there.
const OutputList = ".benchpost-files"

// Position is a place in a file. File is slash-separated and relative to the folder that the command works on.
// Line and Column count from 1; 0 means unknown.
type Position struct {
	File   string
	Line   int
	Column int
}

// String returns file:line:column without the unknown parts.
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
	Error                   // it cannot be used as it is
)

// String returns the word used in messages and in the results document.
func (s Severity) String() string {
	return [...]string{"info", "warning", "error"}[s]
}

// Message is a report to the user: where something is wrong, how severe it is, what is wrong, and what to do
// about it. Messages are data: they are printed, shown on pages and restored from caches.
type Message struct {
	Pos      Position
	Severity Severity
	ID       string      // stable name of the rule, such as "run.contradiction"
	Text     locale.Text // what is wrong; no capital, no full stop
	Hint     locale.Text // what to do, or what exists instead; may be empty

	Figures map[string]float64 // the numbers that a check used; nil for other messages
}

// Error returns "file:line: severity: text", so a Message is an error too.
func (m Message) Error() string {
	s := m.Severity.String() + ": " + locale.English(m.Text)
	if m.Pos.File != "" {
		s = m.Pos.String() + ": " + s
	}
	return s
}

// Reason returns why a file could not be read, as the text of a message. It omits the path in the error,
// because paths of this machine must not appear in published messages.
func Reason(err error) locale.Text {
	var perr *fs.PathError
	if errors.As(err, &perr) {
		return locale.Reason(perr.Err)
	}
	return locale.Reason(err)
}

// SortMessages sorts messages by position, then severity, then text. Messages about site.toml and runs come
// before messages about posts, which may be consequences.
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
		return strings.Compare(locale.English(a.Text), locale.English(b.Text)) // computed only if the rest is equal
	})
}

// stage ranks files by the order in which a build reads them.
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

// Better is the direction in which a metric improves.
type Better = vocabulary.Better

const (
	Neutral = vocabulary.Neutral
	Higher  = vocabulary.Higher
	Lower   = vocabulary.Lower
)

// Metric is one number that a tool reported, or that was derived from such numbers. The results of a site share
// a few kinds.
type Metric struct {
	_ [0]func() // makes Metric incomparable with ==; use Equal

	*Kind    `pack:"shared"`
	Value    float64 // finite, in Unit
	Line     int32   // line in the source file
	Decimals int8    // digits after the point as printed; FullPrecision for a binary float
}

// Kind describes a metric apart from its number. It is immutable: a different description is another kind.
type Kind struct {
	Name    string // "ttft_p99"; see package vocabulary
	Unit    string // "ms", "tok/s"; "1" for a count
	Better  Better
	Derived bool   // computed by benchpost; Field then has the formula
	Field   string // the tool's own name, such as "Mean TTFT (ms)"
	File    string // the source file, if it is not that of the result: telemetry beside it
}

// Equal reports whether two metrics have equal kinds, numbers, lines and decimals.
func (m Metric) Equal(o Metric) bool {
	return m.Value == o.Value && m.Line == o.Line && m.Decimals == o.Decimals && *m.Kind == *o.Kind
}

// String returns all fields of a metric. Metrics that are Equal have equal strings.
func (m Metric) String() string {
	return fmt.Sprintf("%+v %v, line %d, %d decimals", *m.Kind, m.Value, m.Line, m.Decimals)
}

// With returns a copy of a kind after change has modified it.
func (k *Kind) With(change func(*Kind)) *Kind {
	other := *k
	change(&other)
	return &other
}

// FullPrecision as Decimals marks a value that was stored with all its digits (JSON): the tool did not choose a
// number of decimals.
const FullPrecision = -1

// Text returns the digits as the tool printed them, or a full-precision value in its shortest exact form.
func (m Metric) Text() string {
	return strconv.FormatFloat(m.Value, 'f', int(m.Decimals), 64)
}

// Digits formats a metric as the tool printed it. Full-precision values have no chosen digits: they get two
// decimals, as on the consoles of the tools, and small ones three significant digits.
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

// Check is a rule's verdict on one result. An error excludes the whole result. A warning marks the metrics it
// concerns.
type Check struct {
	ID       string // stable name of the rule, such as "physics.memory-roofline"
	Severity Severity
	Text     locale.Text        // what was found, with its numbers
	Hint     locale.Text        // what to do; may be empty
	Figures  map[string]float64 // the numbers it used, by name and unit, such as "floor_ms"
	Metrics  []string           // names or families ("ttft") of the metrics it concerns; empty for all
	Line     int                // of the number in the run's file; 0 for the whole run
	Waived   string             // why the site overrides the check; "" if it does not
}

// Rule describes a kind of check: what it requires of a run, and when it is raised.
type Rule struct {
	ID     string      // the id under which a run passes the rule, or is not judged
	Raises []string    // ids of the checks it raises
	Title  locale.Text // what is wrong if it is raised, in a few words
	Asks   locale.Text
	Bounds []Bound // the worst first

	Sources []string // keys in the catalogue of the works that it follows
}

// Bound is a condition under which a rule is raised, with its severity.
type Bound struct {
	Severity Severity
	When     locale.Text
}

// Message returns the check as a message at the line of the number it is about. A waived check has severity
// Info.
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
	Tool    string   // the client that measured, such as "vllm-serve"
	Format  string   // the format that was read, such as "vllm-serve-text"
	Status  Status
	Labels  Labels
	Metrics []Metric // in the order of the source
	Checks  []Check
	Digest  string // equal for blocks that state the same facts, regardless of white space

	Period        Period         // when it was measured, if the file states it
	Distributions []Distribution // of latencies, if the file has single requests
	Requests      *Requests      // single requests, if the file has them; otherwise nil
	Telemetry     *Telemetry     // of the machine during the run; may be nil
	Counters      []string       // files with the server's counters before and after the run

	Revision *Revision // of a past result: its commit in the repository; nil for a current result

	Stamp Stamp // checksum of all this, once it is complete; see Seal

	shape *shape // index of its labels and metrics; may be nil
}

// Is reports whether two results are copies of one that have not changed since: they share their memory.
func (r *Result) Is(o *Result) bool {
	return r.ID == o.ID && r.Source == o.Source && r.EndLine == o.EndLine && r.Tool == o.Tool && r.Format == o.Format && r.Status == o.Status &&
		r.Digest == o.Digest && r.Period == o.Period && r.Requests == o.Requests && r.Telemetry == o.Telemetry && r.Revision == o.Revision &&
		shared(r.Labels, o.Labels) && shared(r.Metrics, o.Metrics) && shared(r.Checks, o.Checks) && shared(r.Distributions, o.Distributions) &&
		shared(r.Counters, o.Counters)
}

// shared reports whether two slices share their memory.
func shared[T any](a, b []T) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// Command is how a run was started: as shown by its raw file, or composed from its labels.
type Command struct {
	Text      string
	Line      int    // its first line in the raw file; 0 if it was composed
	Arguments bool   // the text has the arguments that the tool printed, not what was typed
	Flags     []Flag // of a composed command: its flags and their labels
}

// Flag is a flag of a command and the label that it was derived from.
type Flag struct{ Name, Label string }

// Revision is the commit that added a past result, which another result has replaced since.
type Revision struct {
	Commit  string // its full id
	Subject string
	Time    time.Time // when it was authored
	URL     string    // of a page that shows it; may be ""
}

// Short returns the abbreviated id of the commit.
func (r *Revision) Short() string { return r.Commit[:min(len(r.Commit), 10)] }

// Period is a span of time. Zoned is set if the file states the time zone. Otherwise the times are local to the
// machine and given as UTC.
type Period struct {
	From, To time.Time
	Zoned    bool
}

// Metric returns a metric by name, or NoMetric. A percentile that the tool did not print is computed from the
// requests, if the file has them.
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

// NoMetric represents a missing metric.
var NoMetric = Metric{Kind: new(Kind)}

// At returns the position of one of the result's metrics. The file of a past result is written with its
// revision as in git: 3fa2b1c9e0:runs/a.log.
func (r *Result) At(m Metric) Position {
	file := cmp.Or(m.File, r.Source.File)
	if r.Revision != nil {
		file = r.Revision.Short() + ":" + file
	}
	return Position{File: file, Line: int(m.Line)}
}

// Distribution returns the distribution of a latency, or nil if there is none.
func (r *Result) Distribution(family string) *Distribution {
	for i := range r.Distributions {
		if r.Distributions[i].Family == family {
			return &r.Distributions[i]
		}
	}
	return nil
}

// Label returns the value of a label, or "" if it is absent. The result's own fields tool, format, status and
// id count as labels.
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

// Excluded reports whether a check of severity error was raised for the result and is not waived. An excluded
// result is shown struck through and is part of no conclusion.
func (r *Result) Excluded() bool {
	return slices.ContainsFunc(r.Checks, func(c Check) bool { return c.Severity == Error && c.Waived == "" })
}

// Auxiliary reports whether the result is not a measurement of its own: a warm-up, a superseded copy, or
// telemetry without a run. Tables include it only on request.
func (r *Result) Auxiliary() bool {
	phase := r.Label("phase")
	isTrace := r.Telemetry != nil && r.Telemetry.Tool == r.Tool // for which no run was found
	return isTrace || phase != "" && phase != "measured"
}

// Compare orders results by id, then file and line. All outputs use this order.
func Compare(a, b *Result) int {
	if c := NaturalCompare(a.ID, b.ID); c != 0 { // nearly always
		return c
	}
	return cmp.Or(strings.Compare(a.Source.File, b.Source.File), cmp.Compare(a.Source.Line, b.Source.Line))
}

// NaturalCompare orders strings with their numbers by value: c2 before c16. Strings that differ only in leading
// zeros are ordered by bytes.
func NaturalCompare(a, b string) int {
	i := 0 // skip the common prefix, except digits of a number that may continue
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
