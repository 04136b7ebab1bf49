package page

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// diffData is the data of diff.html: two sets of results, one against the other.
type diffData struct {
	A, B     string // the names of the sides
	Verdict  string // in one line
	Pairs    int    // results that were matched
	Compared int    // number of their figures
	Shows    template.HTML
	Changes  template.HTML // other differences between the sides
	Figures  template.HTML // of each pair
	Removed  template.HTML
	Added    template.HTML
	Method   []string // the method of the verdicts, in sentences
}

// RenderDiff makes the page of a comparison, which is no part of the site, and the files
// that it leans on. It returns the path of the page.
func (s *Site) RenderDiff(lang string, of *compare.Comparison, emit func(path string, data []byte) error) (string, error) {
	b, err := s.newBuilder()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(b.languages, func(l *language) bool { return l.tag == lang })
	if i < 0 {
		return "", locale.Errorf("the site does not speak %q", lang)
	}
	l := b.languages[i]
	v := b.compose(l, "diff", "diff.html", l.Printer.Say(of.Title()))
	v.pg.Elsewhere, v.pg.Feed = nil, false
	d := diffWriter{of, l.Printer}
	data := &diffData{
		A: l.Printer.Say(of.A.Name), B: l.Printer.Say(of.B.Name), Verdict: l.Printer.Words("diff.sentence", of.Verdict()),
		Pairs: len(of.Pairs), Compared: of.Compared,
		Shows: parts.Findings(of.Findings(), l.Printer, nil), Changes: d.changes(), Figures: d.figures(),
		Removed: d.cells(&of.A, of.Removed), Added: d.cells(&of.B, of.Added),
	}
	for _, text := range of.Method() {
		data.Method = append(data.Method, l.Printer.Say(text))
	}
	v.pg.Data = data
	html, err := l.execute(v.pg.kind, v.pg.path, v.pg)
	if err != nil {
		return "", err
	}
	at := l.dir + v.pg.path
	if err := emit(at, html); err != nil {
		return "", err
	}
	return at, inOrder(slices.Values(b.assetArtifacts()), emitter(emit), b.turn)
}

// diffWriter writes the tables of a comparison in one language.
type diffWriter struct {
	of *compare.Comparison
	p  locale.Printer
}

// changes lists in what else the sides differ, and in how many pairs.
func (d diffWriter) changes() template.HTML {
	if len(d.of.Changed) == 0 {
		return ""
	}
	var w parts.Writer
	w.OpenScroll(d.p.Words("diff.differs"), d.p)
	w.Tag("<table>\n<thead><tr>")
	for _, title := range []string{d.p.Words("compare.label"), "A", "B", d.p.Words("diff.kind"), d.p.Words("diff.where")} {
		w.Tag(`<th scope="col">`, title, "</th>")
	}
	w.Tag("</tr></thead>\n<tbody>\n")
	for _, ch := range d.of.Changed {
		w.Tag(`<tr><th scope="row">`)
		w.Text(d.p.Say(compare.ChangeName(ch.Label)))
		w.Tag("</th>")
		for _, v := range []string{ch.A, ch.B} {
			w.Tag("<td>")
			w.Text(d.p.Say(d.of.Value(ch.Label, v)))
			w.Tag("</td>")
		}
		key := "diff.other"
		if ch.Setting {
			key = "diff.setting"
		}
		w.Tag("<td>", d.p.Words(key), "</td><td>", d.p.Words("diff.pairs", ch.Pairs, len(d.of.Pairs)), "</td></tr>\n")
	}
	w.Tag("</tbody>\n</table></div>\n")
	return w.HTML()
}

// figures writes the figures of each pair: those that differ, and folded those that do not.
func (d diffWriter) figures() template.HTML {
	var w, quiet parts.Writer
	n := 0
	for i := range d.of.Pairs {
		pair := &d.of.Pairs[i]
		if pair.Count(compare.Same) == len(pair.Figures) {
			d.pair(&quiet, pair)
			n++
		} else {
			d.pair(&w, pair)
		}
	}
	if n > 0 {
		w.Tag(`<details class="quiet"><summary>`, d.p.Words("diff.quiet", n), "</summary>\n", string(quiet.HTML()), "</details>\n")
	}
	return w.HTML()
}

func (d diffWriter) pair(w *parts.Writer, pair *compare.Pair) {
	title := d.p.Say(pair.Title)
	w.Tag(`<section class="pair"><h3>`)
	w.Text(title)
	w.Tag("</h3>\n<p><code>")
	w.Text(d.p.Say(d.of.Places(pair)))
	w.Tag("</code></p>\n")
	if own := d.of.Own(pair); !own.IsZero() {
		w.Tag(`<p class="caveat">`)
		w.Text(d.p.Words("diff.here", own))
		w.Tag("</p>\n")
	}
	var differ, same []*compare.Figure
	for i := range pair.Figures {
		if f := &pair.Figures[i]; f.Verdict == compare.Same {
			same = append(same, f)
		} else {
			differ = append(differ, f)
		}
	}
	switch {
	case len(differ) == 0 && len(same) > 0:
		d.table(w, d.p.Words("diff.same.of", title), same)
	case len(differ) > 0:
		d.table(w, title, differ)
		if len(same) > 0 {
			w.Tag("<details><summary>", d.p.Words("diff.same.more", len(same)), "</summary>\n")
			d.table(w, d.p.Words("diff.same.of", title), same)
			w.Tag("</details>\n")
		}
	}
	w.Tag("</section>\n")
}

func (d diffWriter) table(w *parts.Writer, label string, fs []*compare.Figure) {
	w.OpenScroll(label, d.p)
	w.Tag(`<table>
<thead><tr><th scope="col">`, d.p.Words("diff.metric"), `</th><th scope="col" class="num">A</th><th scope="col" class="num">B</th><th scope="col" class="num">`,
		d.p.Words("diff.change.head"), `</th><th scope="col">`, d.p.Words("diff.verdict.head"), `</th><th scope="col">`, d.p.Words("diff.ground.head"), "</th></tr></thead>\n<tbody>\n")
	for _, f := range fs {
		w.Tag(`<tr><th scope="row">`)
		w.Text(d.p.Metric(f.Metric))
		w.HeadUnit(f.Unit, f.Better, d.p)
		w.Tag("</th>")
		d.value(w, &d.of.A, &f.A)
		d.value(w, &d.of.B, &f.B)
		w.Tag(`<td class="num">`)
		w.Text(f.ChangeText())
		w.Tag(`</td><td><span class="ruling `, f.Verdict.String(), `">`, d.p.Words("diff.word."+f.Verdict.String()), `</span></td><td class="ground">`)
		w.Text(d.p.Say(f.Grounds()))
		for _, id := range f.Doubts() {
			w.Tag("<small>")
			w.Text(d.p.Words("diff.doubt", id))
			w.Tag("</small>")
		}
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody>\n</table></div>\n")
}

// value writes a figure, how its repeats scatter, and the line it is on.
func (d diffWriter) value(w *parts.Writer, side *compare.Side, v *compare.Value) {
	w.Tag(`<td class="num">`)
	defer w.Tag("</td>")
	if len(v.Runs) == 0 {
		w.Tag(`<span class="none">–</span>`)
		return
	}
	w.Text(v.Text(v.Median))
	if v.N > 1 {
		w.Tag("<small>")
		w.Text(d.p.Words("diff.spread", v.N, v.Text(v.Low), v.Text(v.High)))
		w.Tag("</small>")
	}
	if v.Aside > 0 {
		w.Tag("<small>", d.p.Words("diff.left-out", v.Aside), "</small>")
	}
	at := v.Where()
	switch {
	case v.Metric.Derived && at.Line == 0:
		w.Tag("<small>", d.p.Words("diff.derived"), "</small>")
	case v.N == 1 && at.File == v.Nearest.Source.File && at.Line > 0:
		w.Tag("<small>", d.p.Words("diff.line", at.Line), "</small>")
	default:
		w.Tag("<small><code>")
		w.Text(side.At(at))
		w.Tag("</code></small>")
	}
}

// cells lists what only one side has.
func (d diffWriter) cells(side *compare.Side, cells []compare.Cell) template.HTML {
	if len(cells) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"files\">\n")
	for i := range cells {
		w.Tag("<li>")
		w.Text(d.p.Say(cells[i].Title))
		w.Tag(" <span><code>")
		w.Text(d.p.Say(side.Places(cells[i].Runs)))
		w.Tag("</code></span></li>\n")
	}
	w.Tag("</ul>\n")
	return w.HTML()
}
