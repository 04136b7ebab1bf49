// Package explain shows where every number of a file went: the lines of the file beside what was read from each.
//
//	read := explain.Of("runs/a/high.log", results, captured, messages)
//	for _, item := range read.At(7) {
//		fmt.Println(item.Name, item.Value, item.Unit) // output_throughput 298.07 tok/s
//	}
//	explain.Text(os.Stdout, printer, 80, text, read)
//
// It uses the positions that results have anyway, so nothing is computed before a user asks.
package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// The kinds of items.
const (
	Metric   = "metric"   // a metric of a result
	Derived  = "derived"  // a metric computed from others; Field is the formula
	Label    = "label"    // a label of a run in this file
	Captured = "captured" // a label of the machine or the software, for runs in other files
	Note     = "note"     // a message, or why something is ignored; Note is the text
)

// Item is something that was read from a line.
type Item struct {
	Kind  string
	Line  int     // counted from 1; 0 if it applies to the whole file
	Run   string  // id of the result; "" for none
	Name  string  // "ttft_mean", "model_raw"; the id of a note
	Value string  // a metric with the digits of the tool
	Unit  string  // of Value; "" for none
	Field string  // the tool's own name for a metric: "Mean TTFT (ms)", "metrics.ttft.mean"
	From  string  // the position, if it is from another file
	Exact float64 // a metric with full precision

	Origin result.Origin // of a label
	Note   locale.Text   // of a note
}

// Reading is everything that was read from a file.
type Reading struct {
	File      string
	Runs      []*result.Result // results in the file, in the order of their lines
	Items     []Item           // from lines of the file, sorted by line
	Elsewhere []Item           // labels of its runs that are not from the file, and computed metrics
}

// Of collects what was read from a file: the results in it, labels that it captured for runs in other files or for
// none, and messages with a position in it.
func Of(file string, results []*result.Result, captured result.Labels, messages []result.Message) *Reading {
	r := &Reading{File: file}
	said := map[[3]string]bool{} // labels of runs in other files
	for _, run := range results {
		if run.Source.File == file {
			r.Runs = append(r.Runs, run)
			r.add(run)
			continue
		}
		for _, l := range run.Labels {
			key := [3]string{l.Name, l.Value, l.Pos.String()}
			if l.Pos.File == file && !said[key] {
				said[key] = true
				r.Items = append(r.Items, Item{Kind: Captured, Line: l.Pos.Line, Name: l.Name, Value: l.Value})
			}
		}
		for _, m := range run.Metrics {
			if m.File == file && !m.Derived {
				r.Items = append(r.Items, figure(run, m))
			}
		}
	}
	for _, l := range captured {
		if key := [3]string{l.Name, l.Value, l.Pos.String()}; !said[key] && !r.has(l) {
			r.Items = append(r.Items, Item{Kind: Captured, Line: l.Pos.Line, Name: l.Name, Value: l.Value})
		}
	}
	for _, m := range messages {
		if m.Pos.File == file {
			text := m.Text
			if !m.Hint.IsZero() {
				text = locale.Textf("%s (%s)", m.Text, m.Hint)
			}
			r.Items = append(r.Items, Item{Kind: Note, Line: m.Pos.Line, Name: m.ID, Note: text})
		}
	}
	slices.SortStableFunc(r.Runs, func(a, b *result.Result) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
	slices.SortStableFunc(r.Items, func(a, b Item) int { return cmp.Compare(a.Line, b.Line) })
	return r
}

// Items returns what was read from lines of a result's own file, sorted by line.
func Items(run *result.Result) []Item {
	items := make([]Item, 0, len(run.Metrics)+len(run.Labels))
	for _, m := range run.Metrics {
		if isOnLine(m) {
			items = append(items, figure(run, m))
		}
	}
	for _, l := range run.Labels {
		if isIn(run.Source.File, l) {
			items = append(items, label(run, l))
		}
	}
	slices.SortStableFunc(items, func(a, b Item) int { return cmp.Compare(a.Line, b.Line) })
	return items
}

// isOnLine reports whether a metric was read from a line of its run's file.
func isOnLine(m result.Metric) bool { return !m.Derived && m.File == "" && m.Line > 0 }

// isIn reports whether a label was read from a line of a file.
func isIn(file string, l result.Label) bool { return l.Pos.File == file && l.Pos.Line > 0 }

// add adds the metrics and labels of a run in the file.
func (r *Reading) add(run *result.Result) {
	for _, m := range run.Metrics {
		item := figure(run, m)
		if isOnLine(m) {
			r.Items = append(r.Items, item)
			continue
		}
		if m.File != "" {
			item.From = run.At(m).String()
		}
		r.Elsewhere = append(r.Elsewhere, item)
	}
	for _, l := range run.Labels {
		item := label(run, l)
		if isIn(r.File, l) {
			r.Items = append(r.Items, item)
			continue
		}
		item.Line = 0
		if l.Pos.File != "" {
			item.From = l.Pos.String()
		}
		r.Elsewhere = append(r.Elsewhere, item)
	}
}

func figure(run *result.Result, m result.Metric) Item {
	item := Item{Kind: Metric, Line: int(m.Line), Run: run.ID, Name: m.Name, Value: m.Digits(), Unit: m.Unit, Field: m.Field, Exact: m.Value}
	if m.Unit == "1" {
		item.Unit = ""
	}
	if m.Derived {
		item.Kind = Derived
	}
	return item
}

func label(run *result.Result, l result.Label) Item {
	return Item{Kind: Label, Line: l.Pos.Line, Run: run.ID, Name: l.Name, Value: l.Value, Origin: l.Origin}
}

// has reports whether a label is among the items.
func (r *Reading) has(l result.Label) bool {
	return slices.ContainsFunc(r.Items, func(i Item) bool { return i.Name == l.Name && i.Line == l.Pos.Line && i.Value == l.Value })
}

// At returns the items of a line.
func (r *Reading) At(line int) []Item { return At(r.Items, line) }

// At returns the items of a line from items sorted by line.
func At(items []Item, line int) []Item {
	from, _ := slices.BinarySearchFunc(items, line, func(i Item, line int) int { return cmp.Compare(i.Line, line) })
	to := from
	for to < len(items) && items[to].Line == line {
		to++
	}
	return items[from:to]
}

// Span is a range of lines that are shown or folded together.
type Span struct {
	From, To int
	Folded   bool
}

// How lines without items are folded.
const (
	around = 3 // lines shown before and after a line with items
	least  = 8 // the least number of lines to fold
)

// Spans divides the lines from … to into ranges near a line that must be shown, and folded ranges of other lines.
func Spans(from, to int, shown func(line int) bool) []Span {
	var spans []Span
	add := func(s Span) {
		if s.From > s.To {
			return
		}
		if n := len(spans); n > 0 && !s.Folded && !spans[n-1].Folded {
			spans[n-1].To = s.To
			return
		}
		spans = append(spans, s)
	}
	last := from - 1 // the last line that is in a span
	for line := from; line <= to; line++ {
		if !shown(line) {
			continue
		}
		begin := max(last+1, line-around)
		if hidden := begin - 1 - last; hidden >= least {
			add(Span{last + 1, begin - 1, true})
		} else {
			begin = last + 1
		}
		last = min(to, line+around)
		add(Span{begin, last, false})
	}
	switch hidden := to - last; {
	case hidden >= least:
		add(Span{last + 1, to, true})
	default:
		add(Span{last + 1, to, false})
	}
	return spans
}

// Excerpt returns the part of a long line from which an item was read: at most the given number of letters, beginning
// at the tool's own name for it, or at its value. Ok is false if the line contains neither.
func Excerpt(line string, item Item, letters int) (part string, ok bool) {
	key := item.Field[strings.LastIndexByte(item.Field, '.')+1:]
	if key == "" {
		key = item.Name
	}
	at := -1
	for from := 0; ; { // prefer the name with the value after it, then the name, then the value
		i := strings.Index(line[from:], key)
		if i < 0 {
			break
		}
		if at < 0 {
			at = from + i
		}
		end := from + i + len(key)
		if rest := line[end:min(len(line), end+len(item.Value)+8)]; item.Value != "" && strings.Contains(rest, strings.TrimRight(item.Value, "0")) {
			at = from + i
			break
		}
		from = end
	}
	if at < 0 && item.Value != "" {
		at = strings.Index(line, item.Value)
	}
	if at < 0 {
		return "", false
	}
	if at > 0 && line[at-1] == '"' {
		at--
	}
	runes := []rune(line[at:min(len(line), at+4*letters)])
	if len(runes) > letters {
		runes = runes[:letters]
	}
	return strings.ToValidUTF8(string(runes), "\ufffd"), true
}
