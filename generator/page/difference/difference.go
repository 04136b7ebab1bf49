// Package difference writes the comparison of two sets of results as HTML: the other differences between them, the
// figures of each pair, and what only one of them has.
package difference

import (
	"html/template"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// Tables writes the tables of a comparison in one language.
type Tables struct {
	Of      *compare.Comparison
	Printer locale.Printer
}

// Changes lists the other differences between the sides, with the number of pairs that have them.
func (d Tables) Changes() template.HTML {
	if len(d.Of.Changed) == 0 {
		return ""
	}
	var w parts.Writer
	w.OpenScroll(d.Printer.Words("diff.differs"), d.Printer)
	w.Tag("<table>\n<thead><tr>")
	for _, title := range []string{d.Printer.Words("compare.label"), "A", "B", d.Printer.Words("diff.kind"), d.Printer.Words("diff.where")} {
		w.Tag(`<th scope="col">`, title, "</th>")
	}
	w.Tag("</tr></thead>\n<tbody>\n")
	for _, ch := range d.Of.Changed {
		w.Tag(`<tr><th scope="row">`)
		w.Text(d.Printer.Say(compare.ChangeName(ch.Label)))
		w.Tag("</th>")
		for _, v := range []string{ch.A, ch.B} {
			w.Tag("<td>")
			w.Text(d.Printer.Say(d.Of.Value(ch.Label, v)))
			w.Tag("</td>")
		}
		key := "diff.other"
		if ch.Setting {
			key = "diff.setting"
		}
		w.Tag("<td>", d.Printer.Words(key), "</td><td>", d.Printer.Words("diff.pairs", ch.Pairs, len(d.Of.Pairs)), "</td></tr>\n")
	}
	w.Tag("</tbody>\n</table></div>\n")
	return w.HTML()
}

// Overall writes a summary of several pairs, with a row for each metric that differs in some of them. It is empty for
// one pair.
func (d Tables) Overall() template.HTML {
	if len(d.Of.Pairs) < 2 {
		return ""
	}
	var rows parts.Writer
	for _, o := range d.Of.Overall() {
		if o.Verdict == compare.Same || o.Pairs == 0 {
			continue
		}
		rows.Tag(`<tr><th scope="row">`)
		rows.Text(d.Printer.Metric(o.Metric))
		rows.HeadUnit("", o.Better, d.Printer)
		rows.Tag(`</th><td class="num">`, compare.Ratio(o.Ratio), `</td><td class="num">`, d.Printer.Words("diff.span", compare.Ratio(o.Low), compare.Ratio(o.High)),
			`</td><td><span class="ruling `, o.Verdict.String(), `">`, d.Printer.Say(o.Tally()), "</span></td></tr>\n")
	}
	body := rows.HTML()
	if body == "" {
		return ""
	}
	var w parts.Writer
	w.OpenScroll(d.Printer.Words("diff.overall", len(d.Of.Pairs)), d.Printer)
	w.Tag(`<table>
<thead><tr><th scope="col">`, d.Printer.Words("diff.metric"), `</th><th scope="col" class="num">`, d.Printer.Words("diff.mean"), `</th><th scope="col" class="num">`,
		d.Printer.Words("diff.range"), `</th><th scope="col">`, d.Printer.Words("diff.verdict.head"), "</th></tr></thead>\n<tbody>\n", string(body), "</tbody>\n</table></div>\n")
	return w.HTML()
}

// Figures writes the figures of each pair. Figures that do not differ are folded.
func (d Tables) Figures() template.HTML {
	var w, quiet parts.Writer
	n := 0
	for i := range d.Of.Pairs {
		pair := &d.Of.Pairs[i]
		if pair.Count(compare.Same) == len(pair.Figures) {
			d.pair(&quiet, pair)
			n++
		} else {
			d.pair(&w, pair)
		}
	}
	if n > 0 {
		w.Tag(`<details class="quiet"><summary>`, d.Printer.Words("diff.quiet", n), "</summary>\n", string(quiet.HTML()), "</details>\n")
	}
	return w.HTML()
}

func (d Tables) pair(w *parts.Writer, pair *compare.Pair) {
	title := d.Printer.Say(pair.Title)
	w.Tag(`<section class="pair"><h3>`)
	w.Text(title)
	w.Tag("</h3>\n<p><code>")
	w.Text(d.Printer.Say(d.Of.Places(pair)))
	w.Tag("</code></p>\n")
	if own := d.Of.Own(pair); !own.IsZero() {
		w.Tag(`<p class="caveat">`)
		w.Text(d.Printer.Words("diff.here", own))
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
		d.table(w, d.Printer.Words("diff.same.of", title), same)
	case len(differ) > 0:
		d.table(w, title, differ)
		if len(same) > 0 {
			w.Tag("<details><summary>", d.Printer.Words("diff.same.more", len(same)), "</summary>\n")
			d.table(w, d.Printer.Words("diff.same.of", title), same)
			w.Tag("</details>\n")
		}
	}
	w.Tag("</section>\n")
}

func (d Tables) table(w *parts.Writer, label string, fs []*compare.Figure) {
	w.OpenScroll(label, d.Printer)
	w.Tag(`<table>
<thead><tr><th scope="col">`, d.Printer.Words("diff.metric"), `</th><th scope="col" class="num">A</th><th scope="col" class="num">B</th><th scope="col" class="num">`,
		d.Printer.Words("diff.change.head"), `</th><th scope="col">`, d.Printer.Words("diff.verdict.head"), `</th><th scope="col">`, d.Printer.Words("diff.ground.head"), "</th></tr></thead>\n<tbody>\n")
	for _, f := range fs {
		w.Tag(`<tr><th scope="row">`)
		w.Text(d.Printer.Metric(f.Metric))
		w.HeadUnit(f.Read(), f.Better, d.Printer)
		w.Tag("</th>")
		d.value(w, &d.Of.A, &f.A)
		d.value(w, &d.Of.B, &f.B)
		w.Tag(`<td class="num">`)
		w.Text(f.ChangeText())
		w.Tag(`</td><td><span class="ruling `, f.Verdict.String(), `">`, d.Printer.Words("diff.word."+f.Verdict.String()), `</span></td><td class="ground">`)
		if !byThreshold(f) {
			w.Text(d.Printer.Say(f.Grounds()))
		}
		for _, id := range f.Doubts() {
			w.Tag("<small>")
			w.Text(d.Printer.Words("diff.doubt", id))
			w.Tag("</small>")
		}
		w.Tag("</td></tr>\n")
	}
	w.Tag("</tbody>\n</table></div>\n")
}

// byThreshold reports whether a verdict on single runs rests only on the threshold, which the notes on the method
// explain.
func byThreshold(f *compare.Figure) bool {
	return f.N1 == 1 && f.N2 == 1 && (f.Ground == compare.Beyond || f.Ground == compare.Alike)
}

// value writes a figure with the range of its repeats and the line it was read from.
func (d Tables) value(w *parts.Writer, side *compare.Side, v *compare.Value) {
	w.Tag(`<td class="num">`)
	defer w.Tag("</td>")
	if len(v.Runs) == 0 {
		w.Tag(`<span class="none">–</span>`)
		return
	}
	w.Text(v.Text(v.Median))
	if v.N > 1 {
		w.Tag("<small>")
		w.Text(d.Printer.Words("diff.spread", v.N, v.Text(v.Low), v.Text(v.High)))
		w.Tag("</small>")
	}
	if v.Aside > 0 {
		w.Tag("<small>", d.Printer.Words("diff.left-out", v.Aside), "</small>")
	}
	at := v.Where()
	switch {
	case v.Metric.Derived && at.Line == 0:
		w.Tag("<small>", d.Printer.Words("diff.derived"), "</small>")
	case v.N == 1 && at.File == v.Nearest.Source.File && at.Line > 0:
		w.Tag("<small>", d.Printer.Words("diff.line", at.Line), "</small>")
	default:
		w.Tag("<small><code>")
		w.Text(side.At(at))
		w.Tag("</code></small>")
	}
}

// Cells lists the results that only one side has.
func (d Tables) Cells(side *compare.Side, cells []compare.Cell) template.HTML {
	if len(cells) == 0 {
		return ""
	}
	var w parts.Writer
	w.Tag("<ul class=\"files\">\n")
	for i := range cells {
		w.Tag("<li>")
		w.Text(d.Printer.Say(cells[i].Title))
		w.Tag(" <span><code>")
		w.Text(d.Printer.Say(side.Places(cells[i].Runs)))
		w.Tag("</code></span></li>\n")
	}
	w.Tag("</ul>\n")
	return w.HTML()
}
