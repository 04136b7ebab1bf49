package report

import (
	"errors"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
)

// Block is a report block of a post, evaluated: exactly one field is set.
type Block struct {
	Table    *Table
	Findings *Findings
	Chart    *Chart
	Raw      []Raw
}

// Raw is a run's own output, to be shown as the tool printed it.
type Raw struct {
	Title  locale.Text // the values of the labels asked for; may be empty
	Result *result.Result
}

// blockKinds are the words that may follow "benchpost" in an info string.
var blockKinds = []string{"table", "matrix", "tradeoff", "findings", "sweep", "scaling", "effects", "coverage", "history", "config", "environment", "chart", "raw"}

// Block evaluates a report block: its kind, its TOML body, and the position
// of the fence. The body begins on the line after it. Messages are errors,
// with the line of the body they concern where it is known, and warnings that
// what stands side by side is not alike.
func (d *Data) Block(kind string, body []byte, fence result.Position) (Block, []result.Message) {
	var b Block
	var err error
	var ms []result.Message
	text := source{body, result.Position{File: fence.File, Line: fence.Line + 1}}
	switch kind {
	case "table":
		b.Table, ms, err = evaluate(text, d.summary)
	case "matrix":
		b.Table, ms, err = evaluate(text, d.matrix)
	case "tradeoff":
		b.Table, ms, err = evaluate(text, d.tradeoff)
	case "coverage":
		b.Table, ms, err = evaluate(text, d.coverage)
	case "history":
		b.Table, ms, err = evaluate(text, d.history)
	case "sweep":
		b.Table, ms, err = evaluate(text, d.sweep)
	case "scaling":
		b.Table, ms, err = evaluate(text, d.scaling)
	case "effects":
		b.Table, ms, err = evaluate(text, d.effects)
	case "config":
		b.Table, ms, err = evaluate(text, d.config)
	case "environment":
		b.Table, ms, err = evaluate(text, d.environment)
	case "chart":
		b.Chart, ms, err = evaluate(text, d.chart)
	case "findings":
		b.Findings, ms, err = evaluate(text, d.findings)
	case "raw":
		b.Raw, ms, err = evaluate(text, d.raw)
	default:
		hint := settings.Offer(kind, blockKinds, "there are: "+strings.Join(blockKinds, ", "))
		err = problem(hint, "no report block is called %q", kind)
		return b, []result.Message{at(fence, err)}
	}
	if err != nil {
		ms = append(ms, at(bodyLine(fence, body, err), err))
	}
	if len(ms) > 0 {
		return b, ms
	}
	return b, d.complete(b, fence)
}

// complete adds to a table or a chart what checks say of its figures, and in
// what its runs differ.
func (d *Data) complete(b Block, fence result.Position) (ms []result.Message) {
	switch {
	case b.Table != nil:
		ms = d.footnotes(b.Table, fence)
		b.Table.finish()
	case b.Chart != nil:
		b.Chart.Notes = append(b.Chart.Notes, d.remarks(b.Chart)...)
		var notes []locale.Text
		notes, ms = d.unlike(b.Chart.compared, fence)
		b.Chart.Notes = append(b.Chart.Notes, notes...)
	}
	return ms
}

// finish lets go of what was only needed on the way: a site has many tables.
func (t *Table) finish() {
	t.marks, t.compared = marks{}, comparison{}
	for i := range t.Rows {
		for j := range t.Rows[i].Cells {
			t.Rows[i].Cells[j].samples = nil
		}
	}
}

// footnotes completes the notes of a table: what checks say of its cells, in
// what its runs differ, and how often they were repeated.
func (d *Data) footnotes(t *Table, fence result.Position) []result.Message {
	t.settle()
	t.repeated()
	if len(t.compared.runs) < 2 {
		return nil
	}
	notes, ms := d.unlike(t.compared, fence)
	for _, n := range notes {
		t.note(result.Warning, n)
	}
	t.single(d.rules().Noise)
	return ms
}

// source is the TOML of a block and where it begins.
type source struct {
	toml  []byte
	first result.Position
}

// evaluate decodes a block's specification and makes what it asks for.
func evaluate[Spec, Result any](s source, answer func(Spec) (Result, error)) (result Result, ms []result.Message, err error) {
	var spec Spec
	if ms = settings.Decode(s.first.File, s.first.Line, s.toml, &spec); ms == nil {
		result, err = answer(spec)
	}
	return result, ms, err
}

// NoData is the id of a message that says that the runs do not give what a
// block or value asks for. When a run could not be read, that may be why.
const NoData = "report.no-data"

// at turns a problem into a message.
func at(pos result.Position, err error) result.Message {
	m := result.Message{Pos: pos, Severity: result.Error, ID: "report.block", Text: err.Error()}
	var p *Problem
	if errors.As(err, &p) {
		m.Hint = p.Hint
		if p.Lack {
			m.ID = NoData
		}
	}
	return m
}

// bodyLine finds the line of a block that a problem is about: that of its
// key, or one that holds a name it quotes; the fence otherwise.
func bodyLine(fence result.Position, body []byte, err error) result.Position {
	var p *Problem
	key := ""
	if errors.As(err, &p) {
		key = p.Key
	}
	lines := strings.Split(string(body), "\n")
	for i, line := range lines {
		name, _, ok := strings.Cut(line, "=")
		if ok && key != "" && strings.TrimSpace(name) == key {
			return result.Position{File: fence.File, Line: fence.Line + 1 + i}
		}
	}
	for i, line := range lines {
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune("'\"[], =", r) }) {
			if strings.Contains(err.Error(), "\""+word+"\"") {
				return result.Position{File: fence.File, Line: fence.Line + 1 + i}
			}
		}
	}
	return fence
}

type rawSpec struct {
	Where string
	Title []string // labels whose values stand above each block
	Sort  []string // labels to order by, in the site's order of their values
}

func (d *Data) raw(s rawSpec) ([]Raw, error) {
	rs, err := d.selectSome(s.Where)
	if err != nil {
		return nil, err
	}
	for _, name := range append(s.Title, s.Sort...) {
		if _, label := known(rs, name); !label {
			return nil, unknownName(rs, name)
		}
	}
	var out []Raw
	for _, r := range d.sorted(rs, s.Sort) {
		var words []locale.Text
		for _, name := range s.Title {
			if v := r.Label(name); v != "" {
				words = append(words, d.title(name, v))
			}
		}
		out = append(out, Raw{Title: locale.Join(" · ", words...), Result: r})
	}
	return out, nil
}
