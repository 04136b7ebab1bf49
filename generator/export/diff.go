package export

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

// DiffSchema names the format of a comparison.
const DiffSchema = "benchpost.diff/1"

// JSON structures of the comparison.
type (
	diffSide struct {
		Name    string `json:"name"`
		Commit  string `json:"commit,omitempty"`
		Results int    `json:"results"`
	}
	diffSummary struct {
		Pairs     int            `json:"pairs"`
		Verdicts  map[string]int `json:"verdicts"`
		Added     int            `json:"added"`
		Removed   int            `json:"removed"`
		Ambiguous int            `json:"ambiguous"`
		Compared  int            `json:"compared"`
		Tested    int            `json:"tested"`
	}
	diffChange struct {
		Label   string `json:"label"`
		A       string `json:"a"`
		B       string `json:"b"`
		Setting bool   `json:"setting"`
		Pairs   int    `json:"pairs,omitempty"`
	}
	diffRun struct {
		ID     string `json:"id"`
		File   string `json:"file"`
		Line   int    `json:"line"`
		Status string `json:"status"`
	}
	diffValue struct {
		Median   float64      `json:"median"`
		N        int          `json:"n"`
		Low      float64      `json:"low"`
		High     float64      `json:"high"`
		Interval bool         `json:"interval"` // low and high are the 95% interval of the median; otherwise the range
		Aside    int          `json:"aside,omitempty"`
		Values   []diffFigure `json:"values"`
	}
	diffFigure struct {
		Value float64 `json:"value"`
		ID    string  `json:"id"`
		File  string  `json:"file"`
		Line  int     `json:"line,omitempty"`
	}
	diffMetric struct {
		Metric  string     `json:"metric"`
		Unit    string     `json:"unit"`
		Better  string     `json:"better,omitempty"`
		Verdict string     `json:"verdict"`
		Ground  string     `json:"ground"`
		Why     string     `json:"why,omitempty"`
		Noise   float64    `json:"noise"`
		Ratio   *float64   `json:"ratio,omitempty"` // ratio of the medians, b to a
		P       *float64   `json:"p,omitempty"`
		Q       *float64   `json:"q,omitempty"` // p adjusted for all tests of the comparison
		Doubts  []string   `json:"doubts,omitempty"`
		A       *diffValue `json:"a,omitempty"`
		B       *diffValue `json:"b,omitempty"`
	}
	diffPair struct {
		Title   string            `json:"title"`
		Labels  map[string]string `json:"labels"` // labels in which all runs of both sides agree
		A       []diffRun         `json:"a"`
		B       []diffRun         `json:"b"`
		Changed []diffChange      `json:"changed"`
		Mixed   []string          `json:"mixed,omitempty"`
		Metrics []diffMetric      `json:"metrics"`
	}
	diffCell struct {
		Title  string            `json:"title"`
		Labels map[string]string `json:"labels"`
		Runs   []diffRun         `json:"runs"`
	}
	diffAmbiguity struct {
		Title  string     `json:"title"`
		A      []diffCell `json:"a"`
		B      []diffCell `json:"b"`
		Differ []string   `json:"differ"`
	}
)

// DiffJSON writes a comparison as JSON, one pair a line.
func DiffJSON(w io.Writer, c *compare.Comparison) error {
	b := bufio.NewWriter(w)
	fields := 0
	field := func(name string, v any) error {
		if fields++; fields > 1 {
			b.WriteString(",\n ")
		}
		data, err := encode(v)
		b.WriteString(`"` + name + `": `)
		b.Write(data)
		return err
	}
	list := func(name string, n int, at func(i int) any) error {
		b.WriteString(",\n \"" + name + "\": [")
		for i := range n {
			if err := item(b, i, at(i)); err != nil {
				return err
			}
		}
		b.WriteString("]")
		return nil
	}
	b.WriteString("{")
	summary := diffSummary{len(c.Pairs), map[string]int{}, len(c.Added), len(c.Removed), len(c.Ambiguous), c.Compared, c.Tested}
	for _, v := range compare.Verdicts {
		summary.Verdicts[v.String()] = c.Count(v)
	}
	for _, f := range []struct {
		name string
		v    any
	}{{"schema", DiffSchema}, {"a", sideOf(&c.A)}, {"b", sideOf(&c.B)}, {"chosen", orEmpty(c.Subject)}, {"summary", summary}} {
		if err := field(f.name, f.v); err != nil {
			return err
		}
	}
	for _, l := range []struct {
		name string
		n    int
		at   func(i int) any
	}{
		{"changed", len(c.Changed), func(i int) any { return changeOf(c.Changed[i].Change, c.Changed[i].Pairs) }},
		{"pairs", len(c.Pairs), func(i int) any { return pairOf(&c.Pairs[i]) }},
		{"removed", len(c.Removed), func(i int) any { return cellOf(&c.Removed[i]) }},
		{"added", len(c.Added), func(i int) any { return cellOf(&c.Added[i]) }},
		{"ambiguous", len(c.Ambiguous), func(i int) any {
			a := &c.Ambiguous[i]
			return diffAmbiguity{locale.English(a.Title), cellsOf(a.A), cellsOf(a.B), orEmpty(a.Differ)}
		}},
	} {
		if err := list(l.name, l.n, l.at); err != nil {
			return err
		}
	}
	b.WriteString("}\n")
	return b.Flush()
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

func sideOf(s *compare.Side) diffSide {
	return diffSide{locale.English(s.Name), s.Commit, len(s.Results)}
}

func changeOf(ch compare.Change, pairs int) diffChange {
	return diffChange{ch.Label, ch.A, ch.B, ch.Setting, pairs}
}

func runsOf(rs []*result.Result) []diffRun {
	out := []diffRun{}
	for _, r := range rs {
		out = append(out, diffRun{r.ID, r.Source.File, r.Source.Line, r.Status.String()})
	}
	return out
}

func cellOf(cell *compare.Cell) diffCell {
	return diffCell{locale.English(cell.Title), common(cell.Runs), runsOf(cell.Runs)}
}

func cellsOf(cells []compare.Cell) []diffCell {
	out := []diffCell{}
	for i := range cells {
		out = append(out, cellOf(&cells[i]))
	}
	return out
}

// common returns the labels in which runs agree.
func common(rs []*result.Result) map[string]string {
	out := map[string]string{}
	for name, value := range rs[0].Labels.Values() {
		agreed := true
		for _, r := range rs {
			agreed = agreed && r.Labels.Get(name) == value
		}
		if agreed {
			out[name] = value
		}
	}
	return out
}

func pairOf(p *compare.Pair) diffPair {
	out := diffPair{Title: locale.English(p.Title), Labels: common(append(append([]*result.Result{}, p.A...), p.B...)), A: runsOf(p.A), B: runsOf(p.B), Changed: []diffChange{}, Mixed: p.Mixed, Metrics: []diffMetric{}}
	for _, ch := range p.Changed {
		out.Changed = append(out.Changed, changeOf(ch, 0))
	}
	for i := range p.Figures {
		f := &p.Figures[i]
		m := diffMetric{Metric: f.Metric, Unit: f.Unit, Better: f.Better.String(), Verdict: f.Verdict.String(), Ground: f.Ground.String(), Why: locale.English(f.Why),
			Noise: f.Noise, Doubts: f.Doubts(), A: valueOf(&f.A, f.Metric), B: valueOf(&f.B, f.Metric)}
		if f.HasRatio && !math.IsInf(f.Ratio, 0) {
			m.Ratio = &f.Ratio
		}
		if f.Q > 0 {
			m.P, m.Q = &f.P, &f.Q
		}
		out.Metrics = append(out.Metrics, m)
	}
	return out
}

func valueOf(v *compare.Value, metric string) *diffValue {
	if len(v.Runs) == 0 {
		return nil
	}
	out := &diffValue{Median: v.Median, N: v.N, Low: v.Low, High: v.High, Interval: v.HasInterval, Aside: v.Aside}
	for i, r := range v.Runs {
		m, _ := r.Metric(metric)
		at := r.At(m)
		out.Values = append(out.Values, diffFigure{v.Values[i], r.ID, at.File, at.Line})
	}
	return out
}

// DiffText writes a comparison for a terminal: for each pair, the differences and the figures, one below the
// other. If full is true, it also writes figures that show no difference.
func DiffText(w io.Writer, c *compare.Comparison, p locale.Printer, full, colour bool) error {
	t := diffText{c: c, p: p, colour: colour}
	t.line("A  " + p.Say(c.A.Name))
	t.line("B  " + p.Say(c.B.Name))
	t.line(t.paint("1", p.Say(c.Sentence())))
	t.line(p.Say(c.Verdict()))
	if limits := c.Findings().Limits; len(limits) > 0 {
		t.line("")
		for _, f := range limits {
			t.line("! " + p.Say(f.Text))
		}
	}
	var other []locale.Text
	for _, ch := range c.Changed {
		if !ch.Setting {
			other = append(other, locale.T("diff.change.of", c.ChangeText(ch.Change), locale.T("diff.pairs", ch.Pairs, len(c.Pairs))))
		}
	}
	if len(other) > 0 {
		t.line("")
		t.line(p.Words("diff.here", compare.Clauses(other)))
	}
	t.overall()
	t.pairs(full)
	for _, of := range []struct {
		key   string
		side  *compare.Side
		cells []compare.Cell
	}{{"diff.removed", &c.A, c.Removed}, {"diff.added", &c.B, c.Added}} {
		if len(of.cells) == 0 {
			continue
		}
		t.line("")
		t.line(t.paint("1", p.Words(of.key)))
		for i := range of.cells {
			cell := &of.cells[i]
			t.line("  ", p.Say(cell.Title), "  ", t.paint("2", p.Say(of.side.Places(cell.Runs))))
		}
	}
	if c.Compared > 0 {
		t.line("")
		for _, text := range c.Method() {
			t.line(t.paint("2", p.Say(text)))
		}
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type diffText struct {
	b      strings.Builder
	c      *compare.Comparison
	p      locale.Printer
	colour bool
}

// painted is text that may be written to a terminal unchanged.
type painted string

// line writes a line. Control characters in strings are made visible; painted parts are written unchanged.
func (t *diffText) line(parts ...any) {
	var b strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case painted:
			b.WriteString(string(part))
		default:
			b.WriteString(visible.Line(fmt.Sprint(part)))
		}
	}
	t.b.WriteString(strings.TrimRight(b.String(), " ") + "\n")
}

func (t *diffText) paint(code, text string) painted {
	text = visible.Line(text)
	if !t.colour || text == "" {
		return painted(text)
	}
	return painted("\x1b[" + code + "m" + text + "\x1b[0m")
}

// hues are the colours of verdicts. As on the site, blue is better and orange is worse.
var hues = map[compare.Verdict]string{compare.Better: "34", compare.Worse: "1;33", compare.Uncertain: "35", compare.Same: "2"}

// overall summarises several pairs, with one line for each metric that differs in some of them.
func (t *diffText) overall() {
	if len(t.c.Pairs) < 2 {
		return
	}
	type row struct {
		name, ratio, span, counts string
		v                         compare.Verdict
	}
	var rows []row
	var widths [3]int
	for _, o := range t.c.Overall() {
		if o.Verdict == compare.Same || o.Pairs == 0 {
			continue
		}
		r := row{metricTitle(o.Figures[0], t.p), compare.Ratio(o.Ratio), t.p.Words("diff.span", compare.Ratio(o.Low), compare.Ratio(o.High)), t.p.Say(o.Tally()), o.Verdict}
		for i, cell := range []string{r.name, r.ratio, r.span} {
			widths[i] = max(widths[i], locale.Width(cell))
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return
	}
	pad := func(i int, cell string) string { return strings.Repeat(" ", widths[i]-locale.Width(cell)) }
	t.line("")
	t.line(t.paint("1", t.p.Words("diff.overall", len(t.c.Pairs))))
	for _, r := range rows {
		t.line("  ", r.name, pad(0, r.name), "  ", pad(1, r.ratio), t.paint(hues[r.v], r.ratio), "  ", r.span, pad(2, r.span), "  ", r.counts)
	}
}

func (t *diffText) pairs(full bool) {
	p := t.p
	type row struct {
		cells [6]string
		v     compare.Verdict
	}
	rows := make([][]row, len(t.c.Pairs))
	var widths [6]int
	for i := range t.c.Pairs {
		figures := t.c.Pairs[i].Figures
		for n := range figures {
			f := &figures[n]
			if f.Verdict == compare.Same && !full {
				continue
			}
			r := row{v: f.Verdict, cells: [6]string{metricTitle(f, p), shown(&f.A), shown(&f.B), f.ChangeText(), p.Words("diff.word." + f.Verdict.String()), grounds(f, p)}}
			for k, cell := range r.cells {
				cell = visible.Line(cell)
				r.cells[k] = cell
				widths[k] = max(widths[k], locale.Width(cell))
			}
			rows[i] = append(rows[i], r)
		}
	}
	quiet := 0
	for i := range t.c.Pairs {
		pair := &t.c.Pairs[i]
		changes := p.Say(t.c.Own(pair))
		if len(rows[i]) == 0 {
			quiet++
			continue
		}
		t.line("")
		t.line(t.paint("1", p.Say(pair.Title)), "  ", t.paint("2", p.Say(t.c.Places(pair))))
		if changes != "" {
			t.line("  " + p.Words("diff.here", changes))
		}
		for _, r := range rows[i] {
			var line []any
			for k, cell := range r.cells {
				pad := strings.Repeat(" ", widths[k]-min(widths[k], locale.Width(cell)))
				switch k {
				case 1, 2, 3:
					line = append(line, "  ", pad, cell)
				case 4:
					line = append(line, "  ", t.paint(hues[r.v], cell), pad)
				default:
					line = append(line, "  ", cell, pad)
				}
			}
			t.line(line...)
		}
		if same := pair.Count(compare.Same); same > 0 && !full {
			t.line("  ", t.paint("2", p.Words("diff.same.more", same)))
		}
	}
	if quiet > 0 {
		t.line("")
		t.line(t.paint("2", p.Words("diff.quiet", quiet)))
	}
}

func metricTitle(f *compare.Figure, p locale.Printer) string {
	title := p.Metric(f.Metric)
	if f.Read() != "" && f.Read() != "1" {
		title = p.Words("chart.axis", title, f.Read())
	}
	return title + map[result.Better]string{result.Higher: " ↑", result.Lower: " ↓"}[f.Better]
}

func shown(v *compare.Value) string {
	if len(v.Runs) == 0 {
		return "–"
	}
	return v.Text(v.Median)
}

// grounds returns the reasons for a verdict, including doubts.
func grounds(f *compare.Figure, p locale.Printer) string {
	var parts []locale.Text
	if g := f.Grounds(); !g.IsZero() {
		parts = append(parts, g)
	}
	if ids := f.Doubts(); len(ids) > 0 {
		parts = append(parts, locale.T("diff.doubt", strings.Join(ids, ", ")))
	}
	for _, v := range []*compare.Value{&f.A, &f.B} {
		if v.Aside > 0 {
			parts = append(parts, locale.T("diff.left-out", v.Aside))
		}
	}
	return p.Say(compare.Clauses(parts))
}
