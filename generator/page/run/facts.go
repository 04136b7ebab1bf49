package run

import (
	"path"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Trail writes links from a run to its campaign and its model.
func (v *View) Trail(w *parts.Writer) {
	link := func(path, text string) {
		w.Tag(`<a href="`)
		w.Text(v.Home + address.Escape(path))
		w.Tag(`">`)
		w.Text(text)
		w.Tag("</a>")
	}
	c := parts.Campaign(v.Result)
	link(v.Campaign, c)
	if m := v.Result.Labels.Get("model"); m != "" {
		w.Tag(" / ")
		link(v.Names.Model(m), m)
	}
}

// Adjacent writes links to the runs before and after in the campaign, and to the other runs of the model.
func (v *View) Adjacent(w *parts.Writer) {
	link := func(attributes, path, about, text string) {
		w.Tag("<a ", attributes, `href="`)
		w.Text(v.Home + address.Escape(path))
		w.Tag(`"><small>`, v.Printer.Words(about), "</small>")
		w.Text(text)
		w.Tag("</a>\n")
	}
	for i, other := range v.Beside {
		if other != nil {
			name := parts.RunName(other)
			if load := v.LoadName(other); load != "" {
				name += " · " + load
			}
			link([]string{`rel="prev" `, `rel="next" `}[i], v.Names.Run(other.ID), []string{"page.run.previous", "page.run.next"}[i], name)
		}
	}
	if m := v.Result.Labels.Get("model"); m != "" {
		link("", v.Names.Model(m), "page.run.others", m)
	}
}

// name writes the name of a metric as a link to its definition.
func (v *View) name(w *parts.Writer, metric, text string) {
	if defined := parts.DefinitionOf(metric); defined != "" {
		v.defined(w, parts.MetricAnchor, defined, text)
	} else {
		w.Text(text)
	}
}

// defined writes a name as a link to its definition on the methodology page.
func (v *View) defined(w *parts.Writer, anchor, name, text string) {
	w.Tag(`<a href="`, v.Method, "#", anchor, name, `">`)
	w.Text(text)
	w.Tag("</a>")
}

func (v *View) Headline(w *parts.Writer) {
	if len(v.leading) == 0 {
		return
	}
	w.Tag(`<dl class="headline">`)
	for _, m := range v.leading {
		w.Tag("<div><dt>")
		v.name(w, m.Name, v.Printer.Metric(m.Name))
		w.Tag("</dt><dd>")
		if v.Result.Excluded() {
			w.Tag("<s>")
		}
		v.figure(w, m)
		if v.Result.Excluded() {
			w.Tag("</s>")
		}
		if u := parts.UnitOf(m); u != "" {
			w.Tag(` <small class="unit">`)
			w.Text(u)
			w.Tag("</small>")
		}
		w.Tag("</dd></div>")
	}
	w.Tag("</dl>\n")
}

// figure writes a value as a link to the line it was read from. If the page does not show the line, a title names it.
func (v *View) figure(w *parts.Writer, m result.Metric) {
	if m.File == "" && v.Source.shows(int(m.Line)) {
		w.Tag(`<a href="#L`)
		w.Int(int(m.Line))
		w.Tag(`">`, parts.Digits(m), "</a>")
		return
	}
	w.Tag(`<span title="`)
	w.Text(m.Field)
	w.Tag(" · ")
	if m.File != "" {
		w.Text(path.Base(m.File))
	} else {
		w.Text(v.file())
	}
	if m.Line > 0 {
		w.Tag(":")
		w.Int(int(m.Line))
	}
	if m.Decimals == result.FullPrecision {
		w.Tag(" · ", m.Text())
	}
	w.Tag(`">`, parts.Digits(m), "</span>")
}

// place writes where a figure or label was read, as a link if the page shows that line.
func (v *View) place(w *parts.Writer, pos result.Position) {
	switch {
	case pos.File == "":
	case pos.File == v.Result.Source.File && pos.Line > 0 && v.Source.shows(pos.Line):
		w.Tag(`<a href="#L`)
		w.Int(pos.Line)
		w.Tag(`">`)
		w.Text(v.file())
		w.Tag(":")
		w.Int(pos.Line)
		w.Tag("</a>")
	default:
		folder := strings.TrimSuffix(v.Result.Source.File, v.file())
		if name, beside := strings.CutPrefix(pos.File, folder); beside && strings.IndexByte(name, '/') < 0 {
			w.Text(name)
		} else {
			w.Text(pos.File)
		}
		if pos.Line > 0 {
			w.Tag(":")
			w.Int(pos.Line)
		}
	}
}

func (v *View) Latency(w *parts.Writer) {
	l := &v.latencies
	if len(l.Families) == 0 {
		return
	}
	w.OpenScroll(v.Printer.Words("page.group.latency"), v.Printer)
	w.Tag(`<table class="latency"><thead><tr><th scope="col">`, `<small class="unit">ms</small></th>`)
	for _, s := range l.Stats {
		w.Tag(`<th scope="col" class="num">`)
		v.defined(w, parts.StatisticAnchor, parts.StatisticOf(s), parts.StatName(s, v.Printer))
		w.Tag("</th>")
	}
	w.Tag("</tr></thead><tbody>\n")
	for i, f := range l.Families {
		w.Tag(`<tr><th scope="row">`)
		v.name(w, f+"_mean", v.Printer.Metric(f))
		w.Tag("</th>")
		for j := range l.Stats {
			m := l.At(i, j)
			if m == nil {
				w.Tag(`<td class="num">`)
				w.Missing(v.Printer)
			} else {
				w.Tag(`<td class="num" id="`)
				w.Anchor(m.Name)
				w.Tag(`">`)
				v.figure(w, *m)
			}
			w.Tag("</td>")
		}
		w.Tag("</tr>\n")
	}
	w.Tag("</tbody></table></div>\n")
}

func (v *View) Metrics(w *parts.Writer) {
	if len(v.groups) == 0 {
		return
	}
	p := v.Printer
	w.OpenScroll(p.Words("page.metrics"), p)
	w.Tag(`<table class="facts metrics"><thead><tr><th scope="col">`, p.Words("page.metric"),
		`</th><th scope="col" class="num">`, p.Words("page.value"),
		`</th><th scope="col">`, p.Words("page.unit"),
		`</th><th scope="col">`, p.Words("page.field"),
		`</th><th scope="col">`, p.Words("page.source"), "</th></tr></thead>\n")
	for _, g := range v.groups {
		w.Tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="5">`, p.Words(g.Key), "</th></tr>\n")
		for _, m := range g.Metrics {
			w.Tag(`<tr id="`)
			w.Anchor(m.Name)
			w.Tag(`"><th scope="row">`)
			v.name(w, m.Name, p.Metric(m.Name))
			w.Tag(`</th><td>`, parts.Digits(m), `</td><td>`)
			w.Text(parts.UnitOf(m))
			w.Tag(`</td><td>`)
			if m.Derived {
				w.Tag(`<small class="tag">`, p.Words("origin.derived"), "</small> ")
			}
			w.Text(m.Field)
			w.Tag(`</td><td>`)
			if m.Line > 0 {
				v.place(w, v.Result.At(m))
			}
			w.Tag("</td></tr>\n")
		}
		w.Tag("</tbody>")
	}
	w.Tag("</table></div>\n")
}

// Checks lists the findings about the run and the messages about its file. Below, it folds the rules that are met and
// those that could not be judged.
func (v *View) Checks(w *parts.Writer) {
	const opening = `<ul class="findings">`
	w.Tag(opening)
	start := w.Len()
	for i := range v.Result.Checks {
		c := &v.Result.Checks[i]
		if c.Waived != "" {
			w.OpenVerdict("waived", c.ID, v.ruleOf(c.ID), v.Printer)
		} else {
			w.OpenVerdict(c.Severity.String(), c.ID, v.ruleOf(c.ID), v.Printer)
		}
		v.verdict(w, c)
		if c.Waived != "" {
			w.Tag(` <small class="hint">`)
			w.Text(v.Printer.Words("page.waived", c.Waived))
			w.Tag("</small>")
		} else if hint := v.Printer.Say(c.Hint); hint != "" {
			w.Tag(` <small class="hint">`)
			w.Text(hint)
			w.Tag("</small>")
		}
		w.Tag("</div></li>\n")
	}
	for _, m := range v.Messages {
		if m.Pos.Line != 0 && v.Result.EndLine != 0 && (m.Pos.Line < v.Result.Source.Line || m.Pos.Line > v.Result.EndLine) {
			continue
		}
		w.OpenFinding(m.Severity, m.ID, v.Printer)
		w.Text(v.Printer.Say(m.Text))
		w.Hint(v.Printer.Say(m.Hint))
		w.Tag(` <small class="code">`)
		v.place(w, m.Pos)
		w.Tag("</small></div></li>\n")
	}
	if w.Len() == start {
		w.Truncate(start - len(opening))
	} else {
		w.Tag("</ul>\n")
	}
	passed, unjudged := v.Passed, v.Unjudged
	if len(passed)+len(unjudged) == 0 {
		return
	}
	w.Tag(`<details class="passed"><summary>`)
	w.Text(v.Printer.Words("page.checks.passed", len(passed)))
	if len(unjudged) > 0 {
		w.Tag(" · ")
		w.Text(v.Printer.Words("page.checks.unjudged", len(unjudged)))
	}
	w.Tag("</summary>\n", opening)
	for class, cs := range [][]result.Check{passed, unjudged} {
		for i := range cs {
			id, rule := cs[i].ID, v.ruleOf(cs[i].ID)
			if rule != "" { // the link leads to a heading with the id
				id = ""
			}
			w.OpenVerdict([]string{"pass", "unjudged"}[class], id, rule, v.Printer)
			v.verdict(w, &cs[i])
			w.Tag("</div></li>\n")
		}
	}
	w.Tag("</ul></details>\n")
}

// verdict writes what a check found, and the line of its figure.
func (v *View) verdict(w *parts.Writer, c *result.Check) {
	w.Text(v.Printer.Say(c.Text))
	if c.Line > 0 {
		w.Tag(` <small class="code">`)
		v.place(w, result.Position{File: v.Result.Source.File, Line: c.Line})
		w.Tag("</small>")
	}
}

// ruleOf returns the link to the definition of a check, "" if the site does not explain it. Ids of rules need no
// escaping.
func (v *View) ruleOf(id string) string {
	if !v.Rules[id] {
		return ""
	}
	return v.Method + "#" + parts.CheckAnchor + id
}

// RawNote describes the source file and how much of it is shown.
func (v *View) RawNote(w *parts.Writer) {
	s := v.Source
	w.Tag("<code>")
	w.Text(v.Result.Source.File)
	w.Tag("</code> ")
	w.Text(v.Result.Format)
	if s.text.Size > 0 {
		w.Tag(" · ")
		switch {
		case s.cut:
			w.Text(v.Printer.Words("page.raw.cut", s.first, s.last, parts.Size(s.text.Size)))
		case s.whole:
			w.Text(v.Printer.Words("page.raw.whole", s.last, parts.Size(s.text.Size)))
		default:
			w.Text(v.Printer.Words("page.raw.block", s.first, s.last, parts.Size(s.text.Size)))
		}
	}
	if s.Exact {
		w.Tag(" · ")
		v.saving(w, v.Printer.Words("page.raw.copy"))
	} else if s.Copy != "" {
		w.Tag(` · <a href="`)
		w.Text(v.Root + address.Escape(s.Copy))
		w.Tag(`">`, v.Printer.Words("page.raw.copy"), "</a>")
	}
	if s.marked {
		w.Tag("<br>", v.Printer.Words("page.raw.read"))
	}
}
