package draft

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Commands pairs the commands of a text with the results below them, for every reader that takes settings from
// commands. A command labels only results whose own counts support it. The pairs are made when the next command after
// results, or the end of the text, shows the number of commands and of results:
//
//   - equal numbers: in order, if each command can have made its result;
//   - more commands than results: each result, from the last one up, gets the nearest command above it if that can have
//     made it, else the next one above that the result's counts support;
//   - fewer: each command, from the first one down, gets the next result that it can have made. A single command also
//     labels the further results, if their tokens are those it asks for.
//
// A reader calls Line with each line that is not part of a result, Made after each result, and Settle at the end of the
// text.
type Commands struct {
	Names    [][]byte                           // names of the programs
	Engine   bool                               // for benchmarks that run the engine themselves
	Own      map[string]string                  // labels of another client's arguments; they replace [Arguments]
	Repeats  bool                               // a command may have made all results below it
	Default  func(d *Draft, s *Settings) string // returns the dataset that is used if none is named, "" if unknown
	Mismatch func(d *Draft, s *Settings) bool   // reports further reasons against a pair; may be nil
	Complete func(d *Draft, s *Settings)        // adds labels that follow from the labels of a command; may be nil

	in        *File
	waiting   []Settings     // commands whose results have not come yet
	results   []made         // results since the first waiting command
	looked    Draft          // the result being examined
	labels    []result.Label // scratch memory for a result's labels
	continued bool
}

// made is a result, or the results that are rows of one table.
type made struct{ first, count, start int }

const maxWaiting = 64 // limit of waiting

// Begin resets the commands for a new text.
func (c *Commands) Begin(in *File) {
	c.in, c.continued = in, false
	c.waiting, c.results = c.waiting[:0], c.results[:0]
}

// Line handles a line and reports whether it belongs to a command. number is its line number.
func (c *Commands) Line(text []byte, number int) bool {
	if c.continued {
		c.read(bytes.TrimPrefix(bytes.TrimSpace(text), []byte("> ")), number)
		return true
	}
	i, name, flags := commandFlags(text, c.Names)
	if i < 0 {
		return false
	}
	if len(c.results) > 0 {
		c.Settle()
	}
	begin := programIn(text, i-len(name))
	next := c.another()
	*next = Settings{List: next.List[:0], Engine: c.Engine, Own: c.Own, Line: number, Program: c.in.Intern(text[begin:i])}
	c.read(flags, number)
	return true
}

// another returns a slot for a new command, reusing the memory of earlier ones.
func (c *Commands) another() *Settings {
	switch n := len(c.waiting); {
	case n == maxWaiting:
		first := c.waiting[0]
		copy(c.waiting, c.waiting[1:])
		c.waiting[n-1] = first
	case n < cap(c.waiting):
		c.waiting = c.waiting[:n+1]
	default:
		c.waiting = append(c.waiting, Settings{})
	}
	return &c.waiting[len(c.waiting)-1]
}

// read reads flags of the last command.
func (c *Commands) read(text []byte, number int) {
	last := &c.waiting[len(c.waiting)-1]
	last.ReadCommand(c.in, text, number)
	c.continued = last.Continued && number-last.Line < MaxDistance
}

// Continued reports whether the command continues in the next line.
func (c *Commands) Continued() bool { return c.continued }

// Waiting reports whether a command above has no result yet.
func (c *Commands) Waiting() bool { return len(c.waiting) > 0 }

// Last returns the nearest command above a line. It returns nil if there is none within MaxDistance, or if a result
// followed it.
func (c *Commands) Last(line int) *Settings {
	n := len(c.waiting)
	if n == 0 || len(c.results) > 0 || line-c.waiting[n-1].Line > MaxDistance {
		return nil
	}
	return &c.waiting[n-1]
}

// Known settles the commands above. A reader calls it when the benchmark has printed its arguments, which replace the
// command.
func (c *Commands) Known() {
	c.Settle()
	c.continued = false
}

// Made records that one run has made the last count results of the file. start is the line in which the run begins. A
// count of 0 means a run without figures.
func (c *Commands) Made(count, start int) {
	if len(c.waiting) > 0 && c.waiting[0].Line < start {
		c.results = append(c.results, made{len(c.in.Out.Results) - count, count, start})
	}
}

// Also adds the last result of the file to the run of the result before it. It is the warm-up of that run.
func (c *Commands) Also() {
	if n := len(c.results); n > 0 {
		c.results[n-1].count++
	}
}

// Settle pairs the waiting commands with the results since, and labels the results.
func (c *Commands) Settle() {
	commands, results := len(c.waiting), len(c.results)
	ordered := commands == results
	for i := 0; ordered && i < results; i++ {
		ordered = c.fits(&c.waiting[i], i)
	}
	switch {
	case commands == 0 || results == 0:
	case ordered:
		for i := range results {
			c.label(&c.waiting[i], c.results[i])
		}
	case commands >= results:
		for i, next := results-1, commands-1; i >= 0 && next >= 0; i-- {
			nearest := next
			for next >= 0 && !(c.fits(&c.waiting[next], i) && (next == nearest || c.all(&c.waiting[next], c.results[i], supports))) {
				next--
			}
			if next < 0 {
				c.report(&c.waiting[nearest], c.results[i])
				break
			}
			c.label(&c.waiting[next], c.results[i])
			next--
		}
	default:
		c.spread()
	}
	c.waiting, c.results = c.waiting[:0], c.results[:0]
}

// spread labels results if there are more results than commands.
func (c *Commands) spread() {
	next := 0
	for i, m := range c.results {
		switch alone := len(c.waiting) == 1; {
		case alone && i > 0:
			if s := &c.waiting[0]; c.fits(s, i) && (c.Repeats || c.all(s, m, supportsTokens)) {
				c.label(s, m)
			}
		case next < len(c.waiting) && c.fits(&c.waiting[next], i):
			c.label(&c.waiting[next], m)
			next++
		case alone:
			c.report(&c.waiting[0], m)
		}
	}
}

// fits reports whether a command can have made the i-th result.
func (c *Commands) fits(s *Settings, i int) bool {
	above := s.Line
	if i > 0 && !c.Repeats {
		above = max(above, c.results[i-1].start)
	}
	m := c.results[i]
	return m.start-above <= MaxDistance && c.all(s, m, func(d *Draft, s *Settings) bool {
		return !contradicts(d, s) && (c.Mismatch == nil || !c.Mismatch(d, s))
	})
}

// all reports whether a condition holds for a command and every result of a run.
func (c *Commands) all(s *Settings, m made, holds func(*Draft, *Settings) bool) bool {
	for i := range m.count {
		d := c.draft(m.first + i)
		s.Dataset = c.dataset(d, s)
		if !holds(d, s) {
			return false
		}
	}
	return true
}

// draft returns a result as a draft with the result's own labels only. It is valid until the next call.
func (c *Commands) draft(i int) *Draft {
	r := &c.in.Out.Results[i]
	c.looked = Draft{In: c.in, Tool: r.Tool, Format: r.Format, Start: r.Source.Line, Metrics: r.Metrics, Labels: r.Labels}
	return &c.looked
}

func (c *Commands) dataset(d *Draft, s *Settings) string {
	if c.Default == nil || s.Get("dataset") != "" || d.Label("dataset") != "" {
		return ""
	}
	return c.Default(d, s)
}

// label adds the labels of a command to the results of its run.
func (c *Commands) label(s *Settings, m made) {
	for i := range m.count {
		d := c.draft(m.first + i)
		s.Dataset = c.dataset(d, s)
		d.Labels = append(c.labels[:0], d.Labels...)
		d.Imply("dataset", s.Dataset, s.Line)
		s.Labels(d)
		if c.Complete != nil {
			c.Complete(d, s)
		}
		d.Labels = slices.DeleteFunc(d.Labels, func(l result.Label) bool { return strings.HasPrefix(l.Name, CommandOnly) })
		c.labels = d.Labels
		c.in.Out.Results[m.first+i].Labels = copyOf(&c.in.labels, d.Labels, len(c.in.Out.Results))
	}
}

// report emits a message that the command above a result cannot have made it, because of a length or the number of
// requests.
func (c *Commands) report(s *Settings, m made) {
	if m.count != 1 || m.start-s.Line > MaxDistance {
		return
	}
	d := c.draft(m.first)
	for _, set := range s.List {
		if !isLength(set.Label) || !s.used(set) || s.Get("dataset") == "" && set.Dataset != "" || !s.refutes(d, set) {
			continue
		}
		each, _, _ := tokensOf(d, s, set.Label)
		c.in.Message(s.Line, result.Warning, "format.command",
			locale.Textf("the command asks for %s=%s, but the requests of the result at line %d had %s tokens each",
				set.Label, set.Value, m.start, strconv.FormatFloat(each, 'f', 1, 64)),
			notUsed())
		return
	}
	if completed, _ := d.Value("requests_completed"); !overloaded(d, s) && lacksRequests(d, s) {
		c.in.Message(s.Line, result.Warning, "format.command",
			locale.Textf("the command asks for num_prompts=%s, but the result at line %d has %v completed requests", s.One("num_prompts"), m.start, completed), notUsed())
	}
}

func notUsed() locale.Text {
	return locale.Textf("its settings are not used; correct the command, or put the one that was run above the result")
}

// Fit reports whether the result's own counts are consistent with the settings.
func (s *Settings) Fit(d *Draft) bool { return !contradicts(d, s) }

// countedLabels lists labels that the counts of a result may contradict.
var countedLabels = []string{"max_concurrency", "request_rate", "num_prompts", "batch_size", "input_len", "output_len"}

// comparedLabels lists countedLabels and further labels that must be equal in a result and its command.
var comparedLabels = append([]string{"backend", "dataset"}, countedLabels...)

// IsCounted reports whether the counts of a result may contradict a label.
func IsCounted(label string) bool { return slices.Contains(countedLabels, label) }

// contradicts reports whether the counts of a result show that a command has not made it.
func contradicts(d *Draft, s *Settings) bool {
	for _, name := range comparedLabels {
		if measured, asked := d.Label(name), s.One(name); measured != "" && asked != "" && measured != asked {
			return true
		}
	}
	if overloaded(d, s) || lacksRequests(d, s) || otherTotal(d, s) {
		return true
	}
	for _, set := range s.List {
		if isLength(set.Label) && s.used(set) && s.refutes(d, set) {
			return true
		}
	}
	return false
}

// lacksRequests reports whether a run had fewer requests than a command asks for. If failed requests are not counted,
// it must be less than half of them.
func lacksRequests(d *Draft, s *Settings) bool {
	completed, counted := d.Value("requests_completed")
	failed, failures := d.Value("requests_failed")
	asked, err := s.requests()
	switch {
	case err != nil || !counted:
		return false
	case !strings.HasPrefix(d.Tool, "vllm-"):
		return false
	case failures:
		return completed+failed < asked
	}
	return completed > 0 && completed < asked/2
}

// requests returns the number of requests that a command asks for.
func (s *Settings) requests() (float64, error) {
	prompts, err := parseFloat(s.One("num_prompts"))
	return math.Ceil(prompts / s.prompts()), err
}

// parseFloat parses a number. An empty text is an error, which is returned without an allocation.
func parseFloat(text string) (float64, error) {
	if text == "" {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseFloat(text, 64)
}

// prompts returns the number of prompts per request, which is more than 1 for texts to embed or rank.
func (s *Settings) prompts() float64 {
	if n, err := parseFloat(s.One("prompts_per_request")); err == nil && n > 1 {
		return n
	}
	return 1
}

// overloaded reports whether a run had more requests than a command asks for: in all, at once or per second.
func overloaded(d *Draft, s *Settings) bool {
	completed, _ := d.Value("requests_completed")
	failed, _ := d.Value("requests_failed")
	asked, err := s.requests()
	if err == nil && completed+failed > asked {
		return true
	}
	const slack = 1.25 // for requests at the edges, and for figures that are derived from others
	allowed, err := parseFloat(s.One("max_concurrency"))
	if err == nil && allowed > 0 {
		atOnce, ok := d.Value("effective_concurrency")
		duration, timed := d.Value("duration")
		latency, known := d.Value("e2el_mean")
		if !ok && known && timed && duration > 0 {
			atOnce, ok = completed*latency/1000/duration, true
		}
		if ok && atOnce > slack*allowed+1 {
			return true
		}
	}
	const fewest = 30 // minimum number of requests for a meaningful rate
	rate, err := parseFloat(s.One("request_rate"))
	achieved, ok := d.Value("request_throughput")
	return err == nil && ok && rate > 0 && completed >= fewest && achieved > 2*rate
}

// otherTotal reports whether the mean number of tokens per request, prompt and answer together, differs from the
// requested number. It applies to benchmarks that run the engine themselves, because their answers have the requested
// length.
func otherTotal(d *Draft, s *Settings) bool {
	throughput, ok := d.Value("total_throughput")
	rate, known := d.Value("request_throughput")
	input, err := parseFloat(s.Get("input_len"))
	output, err2 := parseFloat(s.Get("output_len"))
	if !s.Engine || !ok || !known || rate < 0.5 || err != nil || err2 != nil || !s.takesInput() {
		return false
	}
	const rounding = 0.03
	return math.Abs(throughput/rate-input-output) > rounding*(input+output)+8
}

// supports reports whether a count of a result is equal to what a command asks for.
func supports(d *Draft, s *Settings) bool {
	completed, counted := d.Value("requests_completed")
	failed, _ := d.Value("requests_failed")
	asked, err := s.requests()
	atOnce := s.One("max_concurrency")
	return err == nil && counted && completed+failed == asked || atOnce != "" && atOnce == d.Label("max_concurrency") || supportsTokens(d, s)
}

// supportsTokens reports whether the tokens of a result match a length that a command asks for.
func supportsTokens(d *Draft, s *Settings) bool {
	for _, set := range s.List {
		if _, _, ok := tokensOf(d, s, set.Label); ok && isLength(set.Label) && s.used(set) && !s.refutes(d, set) {
			return true
		}
	}
	return false
}
