package page

import (
	"fmt"
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
)

// diffData is what diff.html is given: two sets of results, one against the other.
type diffData struct {
	A, B     string // what the sides are called
	Verdict  string // in a line
	Pairs    int    // results that were matched
	Compared int    // figures of them
	Shows    template.HTML
	Changes  template.HTML // in what else the sides differ
	Figures  template.HTML // of each pair
	Removed  template.HTML
	Added    template.HTML
	Method   []string // how verdicts came about, in sentences
}

// RenderDiff makes the page of a comparison, which is no part of the site, and the files
// that it leans on. It gives the path of the page.
func (s *Site) RenderDiff(lang string, of *compare.Comparison, emit func(path string, data []byte) error) (string, error) {
	b, err := s.newBuilder()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(b.languages, func(l *language) bool { return l.tag == lang })
	if i < 0 {
		return "", fmt.Errorf("the site does not speak %q", lang)
	}
	l := b.languages[i]
	pg := b.page(l, "diff", "diff.html", l.printer.Say(of.Title()))
	pg.Elsewhere, pg.Feed = nil, false
	d := diffWriter{of, l.printer}
	data := &diffData{
		A: l.printer.Say(of.A.Name), B: l.printer.Say(of.B.Name), Verdict: l.printer.Words("diff.sentence", of.Verdict()),
		Pairs: len(of.Pairs), Compared: of.Compared,
		Shows: Findings(of.Findings(), l.printer, nil), Changes: d.changes(), Figures: d.figures(),
		Removed: d.cells(&of.A, of.Removed), Added: d.cells(&of.B, of.Added),
	}
	for _, text := range of.Method() {
		data.Method = append(data.Method, l.printer.Say(text))
	}
	pg.Data = data
	html, err := l.execute(pg.kind, pg.path, pg)
	if err != nil {
		return "", err
	}
	at := l.dir + pg.path
	if err := emit(at, html); err != nil {
		return "", err
	}
	return at, inOrder(slices.Values(b.assetArtifacts()), emitter(emit))
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
	var w writer
	w.openScroll(d.p.Words("diff.differs"), d.p)
	w.tag("<table>\n<thead><tr>")
	for _, title := range []string{d.p.Words("compare.label"), "A", "B", d.p.Words("diff.kind"), d.p.Words("diff.where")} {
		w.tag(`<th scope="col">`, title, "</th>")
	}
	w.tag("</tr></thead>\n<tbody>\n")
	for _, ch := range d.of.Changed {
		w.tag(`<tr><th scope="row">`)
		w.text(d.p.Say(compare.ChangeName(ch.Label)))
		w.tag("</th>")
		for _, v := range []string{ch.A, ch.B} {
			w.tag("<td>")
			w.text(d.p.Say(d.of.Value(ch.Label, v)))
			w.tag("</td>")
		}
		key := "diff.other"
		if ch.Setting {
			key = "diff.setting"
		}
		w.tag("<td>", d.p.Words(key), "</td><td>", d.p.Words("diff.pairs", ch.Pairs, len(d.of.Pairs)), "</td></tr>\n")
	}
	w.tag("</tbody>\n</table></div>\n")
	return w.html()
}

// figures writes the figures of each pair: those that differ, and folded those that do not.
func (d diffWriter) figures() template.HTML {
	var w, quiet writer
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
		w.tag(`<details class="quiet"><summary>`, d.p.Words("diff.quiet", n), "</summary>\n", string(quiet.html()), "</details>\n")
	}
	return w.html()
}

func (d diffWriter) pair(w *writer, pair *compare.Pair) {
	title := d.p.Say(pair.Title)
	w.tag(`<section class="pair"><h3>`)
	w.text(title)
	w.tag("</h3>\n<p><code>")
	w.text(d.p.Say(d.of.Places(pair)))
	w.tag("</code></p>\n")
	if own := d.of.Own(pair); !own.IsZero() {
		w.tag(`<p class="caveat">`)
		w.text(d.p.Words("diff.here", own))
		w.tag("</p>\n")
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
			w.tag("<details><summary>", d.p.Words("diff.same.more", len(same)), "</summary>\n")
			d.table(w, d.p.Words("diff.same.of", title), same)
			w.tag("</details>\n")
		}
	}
	w.tag("</section>\n")
}

func (d diffWriter) table(w *writer, label string, fs []*compare.Figure) {
	w.openScroll(label, d.p)
	w.tag(`<table>
<thead><tr><th scope="col">`, d.p.Words("diff.metric"), `</th><th scope="col" class="num">A</th><th scope="col" class="num">B</th><th scope="col" class="num">`,
		d.p.Words("diff.change.head"), `</th><th scope="col">`, d.p.Words("diff.verdict.head"), `</th><th scope="col">`, d.p.Words("diff.ground.head"), "</th></tr></thead>\n<tbody>\n")
	for _, f := range fs {
		w.tag(`<tr><th scope="row">`)
		w.text(d.p.Metric(f.Metric))
		w.headUnit(f.Unit, f.Better, d.p)
		w.tag("</th>")
		d.value(w, &d.of.A, &f.A)
		d.value(w, &d.of.B, &f.B)
		w.tag(`<td class="num">`)
		w.text(f.ChangeText())
		w.tag(`</td><td><span class="ruling `, f.Verdict.String(), `">`, d.p.Words("diff.word."+f.Verdict.String()), `</span></td><td class="ground">`)
		w.text(d.p.Say(f.Grounds()))
		for _, id := range f.Doubts() {
			w.tag("<small>")
			w.text(d.p.Words("diff.doubt", id))
			w.tag("</small>")
		}
		w.tag("</td></tr>\n")
	}
	w.tag("</tbody>\n</table></div>\n")
}

// value writes a figure, how its repeats scatter, and the line it stands on.
func (d diffWriter) value(w *writer, side *compare.Side, v *compare.Value) {
	w.tag(`<td class="num">`)
	defer w.tag("</td>")
	if len(v.Runs) == 0 {
		w.tag(`<span class="none">–</span>`)
		return
	}
	w.text(v.Text(v.Median))
	if v.N > 1 {
		w.tag("<small>")
		w.text(d.p.Words("diff.spread", v.N, v.Text(v.Low), v.Text(v.High)))
		w.tag("</small>")
	}
	if v.Aside > 0 {
		w.tag("<small>", d.p.Words("diff.left-out", v.Aside), "</small>")
	}
	at := v.Where()
	switch {
	case v.Metric.Derived && at.Line == 0:
		w.tag("<small>", d.p.Words("diff.derived"), "</small>")
	case v.N == 1 && at.File == v.Nearest.Source.File && at.Line > 0:
		w.tag("<small>", d.p.Words("diff.line", at.Line), "</small>")
	default:
		w.tag("<small><code>")
		w.text(side.At(at))
		w.tag("</code></small>")
	}
}

// cells lists what only one side has.
func (d diffWriter) cells(side *compare.Side, cells []compare.Cell) template.HTML {
	if len(cells) == 0 {
		return ""
	}
	var w writer
	w.tag("<ul class=\"files\">\n")
	for i := range cells {
		w.tag("<li>")
		w.text(d.p.Say(cells[i].Title))
		w.tag(" <span><code>")
		w.text(d.p.Say(side.Places(cells[i].Runs)))
		w.tag("</code></span></li>\n")
	}
	w.tag("</ul>\n")
	return w.html()
}
