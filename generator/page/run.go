package page

import (
	"fmt"
	"html/template"
	"path"
	"sync"

	"benchpost/generator/bench"
	"benchpost/generator/locale"
)

// runData is what run.html is given. The parts are finished HTML because they
// are written for thousands of pages; Result has the same as data.
type runData struct {
	Result      *bench.Result
	Name, Load  string
	Status      string // complete, partial, failed
	StatusWord  string // the same in the page's language
	Quarantined bool
	Trail       template.HTML // links to its campaign and its model
	Headline    template.HTML
	Checks      template.HTML // "" when there is nothing to say; so with the others
	Latency     template.HTML
	Metrics     template.HTML
	Labels      template.HTML
	Raw         template.HTML // the lines, inside <pre>
	RawNote     template.HTML // which file it is, how much of it is shown, where it is whole
	RawError    string
}

// runs makes the pages of some results, in every language, and the copies of
// their source files.
func (b *builder) runs(rs []*bench.Result) job {
	return func() ([]file, error) {
		files := make([]file, 0, len(rs)*(len(b.languages)+1))
		for _, r := range rs {
			src := b.source(r)
			facts := factsOf(r)
			if b.Verdicts != nil {
				facts.passed, facts.unjudged = b.Verdicts(r)
			}
			for _, l := range b.languages {
				fs, err := b.run(l, facts, &src)
				if err != nil {
					return nil, err
				}
				files = append(files, fs...)
			}
			if src.copy != "" && b.rawOwner[r.Source.File] == r {
				files = append(files, file{src.copy, src.data})
			}
		}
		return files, nil
	}
}

func (b *builder) run(l *language, facts *runFacts, src *source) ([]file, error) {
	r, p := facts.r, l.printer
	path := runPath(r.ID)
	d := &runData{
		Result:      r,
		Name:        runName(r),
		Load:        loadName(r, l),
		Status:      r.Status.String(),
		StatusWord:  p.Words("status." + r.Status.String()),
		Quarantined: r.Quarantined(),
		Trail:       b.trail(r, root(l.dir+path)+escapePath(l.dir)),
	}
	title := d.Name
	if d.Load != "" {
		title += " · " + d.Load
	}
	pg := b.page(l, "run", path, title)
	pg.Description = r.ID
	v := runView{runFacts: facts, src: src, l: l, p: p, file: baseName(r.Source.File)}
	d.Headline, d.Checks, d.Latency, d.Metrics, d.Labels = v.parts(b.byFile[r.Source.File])
	d.Raw = src.lines
	d.RawNote = v.rawNote(root(l.dir + path))
	if src.err != nil {
		d.RawError = src.err.Error()
	}
	pg.Data = d
	return b.finish(l, pg)
}

// trail leads from a run up to its campaign and its model.
func (b *builder) trail(r *bench.Result, home string) template.HTML {
	var w writer
	link := func(path, text string) {
		w.tag(`<a href="`)
		w.text(home + escapePath(path))
		w.tag(`">`)
		w.text(text)
		w.tag("</a>")
	}
	c := campaign(r)
	link(b.campaignPage(c), c)
	if m := r.Labels.Get("model"); m != "" {
		w.tag(" / ")
		link(modelPath(m), m)
	}
	return w.html()
}

// runFacts are a run's figures as its page arranges them, in any language.
type runFacts struct {
	r         *bench.Result
	told      []bench.Metric // the figures the page begins with
	latencies latencies
	groups    []group

	passed, unjudged []bench.Check // as Site.Verdicts tells
}

func factsOf(r *bench.Result) *runFacts {
	return &runFacts{r: r, told: headline(r, 5), latencies: latencyMatrix(r.Metrics), groups: groups(r.Metrics)}
}

// runView writes the parts of one run's page in one language.
type runView struct {
	*runFacts
	src  *source
	l    *language
	p    locale.Printer
	file string // base name of the source file
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// parts writes everything into one buffer, of which each part is a piece.
func (v *runView) parts(messages []bench.Message) (headline, checks, latency, metrics, labels template.HTML) {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.b = w.b[:0]
	v.headline(w)
	a := len(w.b)
	v.checks(w, messages)
	b := len(w.b)
	v.latency(w)
	c := len(w.b)
	v.metrics(w)
	d := len(w.b)
	v.labels(w)
	all := w.html()
	return all[:a], all[a:b], all[b:c], all[c:d], all[d:]
}

func (v *runView) headline(w *writer) {
	if len(v.told) == 0 {
		return
	}
	w.tag(`<dl class="headline">`)
	for _, m := range v.told {
		w.tag("<div><dt>")
		w.text(v.p.Metric(m.Name))
		w.tag("</dt><dd>")
		if v.r.Quarantined() {
			w.tag("<s>")
		}
		v.figure(w, m)
		if v.r.Quarantined() {
			w.tag("</s>")
		}
		if u := unitOf(m); u != "" {
			w.tag(` <small class="unit">`)
			w.text(u)
			w.tag("</small>")
		}
		w.tag("</dd></div>")
	}
	w.tag("</dl>\n")
}

// figure writes a value that leads to the line it was read on.
func (v *runView) figure(w *writer, m bench.Metric) {
	link := m.File == "" && v.src.shows(m.Line)
	if link {
		w.tag(`<a href="#L`)
		w.int(m.Line)
		w.tag(`"`)
	} else {
		w.tag("<span")
	}
	w.tag(` title="`)
	w.text(m.Field)
	w.tag(" · ")
	if m.File != "" {
		w.text(path.Base(m.File))
	} else {
		w.text(v.file)
	}
	if m.Line > 0 {
		w.tag(":")
		w.int(m.Line)
	}
	if m.Decimals == bench.FullPrecision {
		w.tag(" · ", m.Text())
	}
	w.tag(`">`, digits(m))
	if link {
		w.tag("</a>")
	} else {
		w.tag("</span>")
	}
}

// place writes where a figure or label was read, as a link when the page
// shows that line.
func (v *runView) place(w *writer, pos bench.Position) {
	switch {
	case pos.File == "":
	case pos.File == v.r.Source.File && pos.Line > 0 && v.src.shows(pos.Line):
		w.tag(`<a href="#L`)
		w.int(pos.Line)
		w.tag(`">`)
		w.text(v.file)
		w.tag(":")
		w.int(pos.Line)
		w.tag("</a>")
	default:
		pos.Column = 0 // a label stands alone on its line
		w.text(pos.String())
	}
}

func (v *runView) latency(w *writer) {
	l := &v.latencies
	if len(l.families) == 0 {
		return
	}
	w.openScroll(v.p.Words("page.group.latency"), v.p)
	w.tag(`<table class="latency"><thead><tr><th scope="col">`, `<small class="unit">ms</small></th>`)
	for _, s := range l.stats {
		w.tag(`<th scope="col" class="num">`, statName(s, v.p), "</th>")
	}
	w.tag("</tr></thead><tbody>\n")
	for i, f := range l.families {
		w.tag(`<tr><th scope="row">`, v.p.Metric(f), "</th>")
		for j := range l.stats {
			w.tag(`<td class="num">`)
			if m := l.at(i, j); m != nil {
				v.figure(w, *m)
			} else {
				w.missing(v.p)
			}
			w.tag("</td>")
		}
		w.tag("</tr>\n")
	}
	w.tag("</tbody></table></div>\n")
}

func (v *runView) metrics(w *writer) {
	if len(v.groups) == 0 {
		return
	}
	p := v.p
	w.openScroll(p.Words("page.metrics"), p)
	w.tag(`<table class="facts"><thead><tr><th scope="col">`, p.Words("page.metric"),
		`</th><th scope="col" class="num">`, p.Words("page.value"),
		`</th><th scope="col">`, p.Words("page.unit"),
		`</th><th scope="col">`, p.Words("page.field"),
		`</th><th scope="col">`, p.Words("page.source"), "</th></tr></thead>\n")
	for _, g := range v.groups {
		w.tag(`<tbody><tr class="group"><th scope="rowgroup" colspan="5">`, p.Words(g.key), "</th></tr>\n")
		for _, m := range g.metrics {
			w.tag(`<tr><th scope="row">`)
			w.text(p.Metric(m.Name))
			w.tag(`</th><td class="num">`, digits(m), `</td><td class="unit">`)
			w.text(unitOf(m))
			w.tag(`</td><td class="code">`)
			if m.Derived {
				w.tag(`<small class="tag">`, p.Words("origin.derived"), "</small> ")
			}
			w.text(m.Field)
			w.tag(`</td><td class="code">`)
			if m.Line > 0 {
				v.place(w, v.r.At(m))
			}
			w.tag("</td></tr>\n")
		}
		w.tag("</tbody>")
	}
	w.tag("</table></div>\n")
}

func (v *runView) labels(w *writer) {
	if len(v.r.Labels) == 0 {
		return
	}
	p := v.p
	w.openScroll(p.Words("page.labels"), p)
	w.tag(`<table class="facts"><thead><tr><th scope="col">`, p.Words("page.label"),
		`</th><th scope="col">`, p.Words("page.value"),
		`</th><th scope="col">`, p.Words("page.origin"),
		`</th><th scope="col">`, p.Words("page.source"), "</th></tr></thead>\n<tbody>")
	for _, lb := range v.r.Labels {
		w.tag(`<tr><th scope="row" title="`)
		w.text(lb.Name)
		w.tag(`">`)
		w.text(p.Label(lb.Name))
		w.tag("</th><td>")
		w.text(v.l.value(lb.Name, lb.Value))
		w.tag(`</td><td class="origin">`, p.Words("origin."+lb.Origin.String()), `</td><td class="code">`)
		v.place(w, lb.Pos)
		w.tag("</td></tr>\n")
	}
	w.tag("</tbody></table></div>\n")
}

// checks lists what was found about the run and in reading its file, and then,
// folded, the rules that hold and those that could not be judged.
func (v *runView) checks(w *writer, messages []bench.Message) {
	const opening = `<ul class="findings">`
	w.tag(opening)
	start := len(w.b)
	for i := range v.r.Checks {
		c := &v.r.Checks[i]
		if c.Waived != "" {
			w.openVerdict("waived", c.ID, v.p)
		} else {
			w.openFinding(c.Severity, c.ID, v.p)
		}
		v.verdict(w, c)
		if c.Waived != "" {
			w.tag(` <small class="hint">`)
			w.text(v.p.Words("page.waived", c.Waived))
			w.tag("</small>")
		} else if hint := v.p.Say(c.Hint); hint != "" {
			w.tag(` <small class="hint">`)
			w.text(hint)
			w.tag("</small>")
		}
		w.tag("</div></li>\n")
	}
	for _, m := range messages {
		if m.Pos.Line != 0 && v.r.EndLine != 0 && (m.Pos.Line < v.r.Source.Line || m.Pos.Line > v.r.EndLine) {
			continue
		}
		w.openFinding(m.Severity, m.ID, v.p)
		w.text(m.Text)
		if m.Hint != "" {
			w.tag(` <small class="hint">`)
			w.text(m.Hint)
			w.tag("</small>")
		}
		w.tag(` <small class="code">`)
		v.place(w, m.Pos)
		w.tag("</small></div></li>\n")
	}
	if len(w.b) == start {
		w.b = w.b[:start-len(opening)]
	} else {
		w.tag("</ul>\n")
	}
	passed, unjudged := v.passed, v.unjudged
	if len(passed)+len(unjudged) == 0 {
		return
	}
	w.tag(`<details class="passed"><summary>`)
	w.text(v.p.Words("page.checks.passed", len(passed)))
	if len(unjudged) > 0 {
		w.tag(" · ")
		w.text(v.p.Words("page.checks.unjudged", len(unjudged)))
	}
	w.tag("</summary>\n", opening)
	for class, cs := range [][]bench.Check{passed, unjudged} {
		for i := range cs {
			w.openVerdict([]string{"pass", "unjudged"}[class], cs[i].ID, v.p)
			v.verdict(w, &cs[i])
			w.tag("</div></li>\n")
		}
	}
	w.tag("</ul></details>\n")
}

// verdict writes what a check says and the line of the figure it is about.
func (v *runView) verdict(w *writer, c *bench.Check) {
	w.text(v.p.Say(c.Text))
	if c.Line > 0 {
		w.tag(` <small class="code">`)
		v.place(w, bench.Position{File: v.r.Source.File, Line: c.Line})
		w.tag("</small>")
	}
}

// openFinding begins an entry of a list of problems: its severity in words,
// and the rule that found it.
func (w *writer) openFinding(s bench.Severity, id string, p locale.Printer) {
	w.openVerdict(s.String(), id, p)
}

// openVerdict begins an entry of a class that the catalogue has a word for.
func (w *writer) openVerdict(class, id string, p locale.Printer) {
	w.tag(`<li class="`, class, `"><span class="severity" title="`)
	w.text(id)
	w.tag(`">`, p.Words("page.severity."+class), "</span> <div>")
}

// rawNote tells of the source file; root leads to the site's root.
func (v *runView) rawNote(root string) template.HTML {
	var w writer
	s := v.src
	w.tag("<code>")
	w.text(v.r.Source.File)
	w.tag("</code> ")
	w.text(v.r.Format)
	if s.size > 0 {
		w.tag(" · ")
		switch {
		case s.cut:
			w.text(v.p.Words("page.raw.cut", s.first, s.last, size(s.size)))
		case s.whole:
			w.text(v.p.Words("page.raw.whole", s.last, size(s.size)))
		default:
			w.text(v.p.Words("page.raw.block", s.first, s.last, size(s.size)))
		}
	}
	if s.copy != "" {
		w.tag(` · <a href="`)
		w.text(root + escapePath(s.copy))
		w.tag(`">`, v.p.Words("page.raw.copy"), "</a>")
	}
	return w.html()
}

// size words a number of bytes.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
