package format

import (
	"cmp"
	"io"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/unwrap"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// This file reads the output of further programs that wrote to a file, and converts line numbers of an unwrapped text
// to those of the file.

// others holds the further programs that wrote to a file. Each is read while the file is being read.
type others struct {
	*registry
	name    string
	streams []*other
}

// other is the output of one further program.
type other struct {
	out  Output
	err  error
	done chan struct{}
}

// open starts to read the text of a program, and returns the writer for that text.
func (o *others) open() io.WriteCloser {
	from, to := io.Pipe()
	one := &other{done: make(chan struct{})}
	o.streams = append(o.streams, one)
	go func() {
		defer close(one.done)
		in := o.inputs.Get().(*input)
		defer o.inputs.Put(in)
		one.out, one.err = in.text(o.name, from, (*input).read)
		io.Copy(io.Discard, from) //nolint:errcheck // reading a pipe to its end
	}()
	return to
}

// join adds the outputs of the other programs to the output of a file.
func (o *others) join(out *Output, wrapped *unwrap.Reader) {
	if wrapped.Left > 0 {
		out.Messages = append(out.Messages, result.Message{Pos: result.Position{File: o.name, Line: wrapped.Left}, Severity: result.Warning,
			ID: "format.too-many", Text: locale.Textf("more than %d programs wrote to this file; the others are left out", unwrap.MaxStreams),
			Hint: locale.Textf("write the output of each program to a file of its own")})
	}
	if b := wrapped.Broken; b.Columns > 0 {
		m := result.Message{Pos: result.Position{File: o.name, Line: 1}, Severity: result.Info, ID: "format.broken-lines",
			Text: locale.Textf("the lines were broken at %d columns; they have been joined", b.Columns), Hint: locale.Textf("widen the terminal, or save the output to a file")}
		if b.Count > 0 {
			m.Severity, m.Pos.Line = result.Warning, b.Line
			m.Text = locale.Textf("the line was broken at %d columns and cannot be restored; it is left out, as are %d others", b.Columns, b.Count-1)
		}
		out.Messages = append(out.Messages, m)
	}
	if len(o.streams) == 0 {
		return
	}
	begun := wrapped.Lines(0).Of(wrapped.Preamble)
	out.Unfinished = slices.DeleteFunc(out.Unfinished, func(u result.Unfinished) bool { return u.Source.Line <= begun })
	for i, one := range o.streams {
		<-one.done
		one.out.move(wrapped.Lines(i + 1))
		out.add(&one.out, begun)
	}
	slices.SortStableFunc(out.Results, func(a, b result.Result) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
	slices.SortStableFunc(out.Unfinished, func(a, b result.Unfinished) int { return cmp.Compare(a.Source.Line, b.Source.Line) })
	slices.SortStableFunc(out.Messages, func(a, b result.Message) int { return cmp.Compare(a.Pos.Line, b.Pos.Line) })
}

// add adds the output of another program that wrote to the same file. A result that all ranks of a run print alike is
// added once. Lines up to begun are common to all programs.
func (out *Output) add(other *Output, begun int) {
	for _, r := range other.Results {
		if !slices.ContainsFunc(out.Results, func(known result.Result) bool { return known.Digest == r.Digest && known.Format == r.Format }) {
			out.Results = append(out.Results, r)
		}
	}
	out.Traces = append(out.Traces, other.Traces...)
	for _, l := range other.Captured {
		if _, known := out.Captured.Lookup(l.Name); !known {
			out.Captured.Set(l)
			out.Capture = cmp.Or(out.Capture, other.Capture)
		}
	}
	if out.Snapshot == nil {
		out.Snapshot = other.Snapshot
	}
	out.Unfinished = append(out.Unfinished, other.Unfinished...)
	for _, m := range other.Messages {
		if !slices.ContainsFunc(out.Messages, func(known result.Message) bool {
			return m.Pos.Line <= begun && known.Pos == m.Pos && locale.English(known.Text) == locale.English(m.Text)
		}) {
			out.Messages = append(out.Messages, m)
		}
	}
	out.Cut = out.Cut || other.Cut
	if other.Reason.IsZero() || locale.English(out.Reason) == noKnownFormat || locale.English(out.Reason) == emptyFile {
		out.Reason, out.Kind = other.Reason, other.Kind
	}
}

// move converts the line numbers of a text to those of the file.
func (out *Output) move(lines unwrap.Lines) {
	if lines.Shifted() {
		out.renumber(lines.Of)
	}
}

// renumber replaces every line number.
func (out *Output) renumber(of func(line int) int) {
	to := func(line *int) { *line = of(*line) }
	labels := func(all result.Labels) {
		for i := range all {
			to(&all[i].Pos.Line)
		}
	}
	for i := range out.Results {
		r := &out.Results[i]
		to(&r.Source.Line)
		to(&r.EndLine)
		labels(r.Labels)
		for n := range r.Metrics {
			r.Metrics[n].Line = int32(of(int(r.Metrics[n].Line)))
		}
		for n := range r.Checks {
			if r.Checks[n].Line > 0 {
				to(&r.Checks[n].Line)
			}
		}
		for n := range r.Distributions {
			to(&r.Distributions[n].Line)
		}
		if r.Requests != nil {
			to(&r.Requests.Line)
		}
	}
	for i := range out.Traces {
		trace := &out.Traces[i]
		to(&trace.Source.Line)
		to(&trace.EndLine)
		labels(trace.Labels)
		moved := map[*int32]bool{} // channels may share their lines
		for _, c := range trace.Channels {
			if len(c.Lines) == 0 || moved[&c.Lines[0]] {
				continue
			}
			moved[&c.Lines[0]] = true
			for n, line := range c.Lines {
				c.Lines[n] = int32(of(int(line)))
			}
		}
	}
	if s := out.Snapshot; s != nil {
		to(&s.Source.Line)
		for i := range s.Counters {
			to(&s.Counters[i].Line)
		}
	}
	labels(out.Captured)
	for i := range out.Unfinished {
		to(&out.Unfinished[i].Source.Line)
		labels(out.Unfinished[i].Labels)
	}
	for i := range out.Messages {
		m := &out.Messages[i]
		to(&m.Pos.Line)
		m.Pos.Column = 0 // the column is that of the text
	}
}
