package page

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// runData is what run.html is given. The parts are finished HTML because they
// are written for thousands of pages; Result has the same as data.
type runData struct {
	Result     *result.Result
	Name, Load string
	Status     string // complete, partial, failed
	StatusWord string // the same in the page's language
	Excluded   bool
	Trail      template.HTML // links to its campaign and its model
	Permalink  template.URL  // of this page; absolute where the site's address is known
	Compare    template.URL  // of the page that compares runs, with this one

	Headline      template.HTML
	Checks        template.HTML // "" when there is nothing to say; so with the others
	Latency       template.HTML
	Metrics       template.HTML
	Distributions template.HTML // charts of single requests
	Telemetry     template.HTML // charts over the time of the run
	Past          template.HTML // what a repository remembers of its variant
	PastHref      template.URL  // where all of that is
	Environment   template.HTML // labels of the machine and the software
	Setup         template.HTML // all other labels: model, load, the run itself
	Reproduce     template.HTML
	Raw           template.HTML // the lines, inside <pre>
	RawNote       template.HTML // which file it is, how much of it is shown, where it is whole
	RawError      string
	Files         template.HTML // what it was read from, with sizes and sums
	Citation      template.HTML // its address, and how to cite it
	Neighbours    template.HTML // links to the runs before and after, and to the others of its model
}

// run makes the pages of a result, in every language, and the copy of its source
// file.
func (b *builder) run(r *result.Result) job {
	return func() ([]file, error) {
		src := b.source(r)
		facts := factsOf(r)
		if b.Verdicts != nil {
			facts.passed, facts.unjudged = b.Verdicts(r)
		}
		files := make([]file, 0, len(b.languages)+1)
		for _, l := range b.languages {
			pages, err := b.runPage(l, facts, &src)
			if err != nil {
				return nil, err
			}
			files = append(files, pages...)
		}
		if b.rawOwner()[r.Source.File] != r {
			return files, nil
		}
		for _, x := range src.exhibits {
			if x.Read == nil {
				continue
			}
			data, err := x.Read()
			if err != nil {
				return nil, err
			}
			files = append(files, file{x.Copy, data})
			if x.Copy == src.copy { // as it lies on the disk, rather than what was made of it
				src.copy = ""
			}
		}
		if src.copy != "" {
			files = append(files, file{src.copy, src.data})
		}
		return files, nil
	}
}

func (b *builder) runPage(l *language, facts *runFacts, src *source) ([]file, error) {
	r, p := facts.r, l.printer
	path := runPath(r.ID)
	d := &runData{
		Result:     r,
		Name:       runName(r),
		Load:       loadName(r, l),
		Status:     r.Status.String(),
		StatusWord: p.Words("status." + r.Status.String()),
		Excluded:   r.Excluded(),
		Permalink:  "index.html",
	}
	address := l.dir + path // how it is named to others: where it is in the site, or on the web
	if b.base != "" {
		address = b.base + escapePath(address)
		d.Permalink = template.URL(address)
	}
	title := d.Name
	if d.Load != "" {
		title += " · " + d.Load
	}
	pg := b.page(l, "run", path, title)
	pg.Description = r.ID
	d.Compare = template.URL(pg.home + "compare/index.html#run=" + url.QueryEscape(r.ID))
	v := runView{runFacts: facts, b: b, src: src, l: l, p: p, file: baseName(r.Source.File),
		root: root(l.dir + path), home: pg.home, method: template.HTMLEscapeString(pg.home) + methodologyPath}
	if b.Evidence != nil {
		evidence, err := b.Evidence(r, l.tag)
		if err != nil {
			src.err = cmp.Or(src.err, err)
		}
		v.evidence, src.exhibits = &evidence, evidence.Files
	}
	v.write(d, address)
	d.Raw = src.lines
	if src.err != nil {
		d.RawError = src.err.Error()
	}
	d.Past, d.PastHref = b.past(l, pg, r)
	drawings, err := b.drawings(l, pg, d)
	if err != nil {
		return nil, err
	}
	pg.Data = d
	files, err := b.finish(l, pg)
	return append(files, drawings...), err
}

// drawings puts the charts of a run on its page, and gives their files.
func (b *builder) drawings(l *language, pg *Page, d *runData) ([]file, error) {
	if b.Drawings == nil {
		return nil, nil
	}
	all, err := b.Drawings(d.Result, l.tag)
	var files []file
	folder := strings.TrimSuffix(l.dir+runPath(d.Result.ID), "index.html")
	for _, one := range all {
		shown := ""
		if one.Spec != nil {
			shown = one.Name
			pg.charts = append(pg.charts, Chart{ID: one.Name, Spec: one.Spec})
		}
		figure := Figure(Picture{Chart: shown, Src: one.Name + ".png", CSV: one.Name + ".csv", Alt: one.Alt, Width: one.Width, Height: one.Height,
			SVG: one.SVG, Narrow: one.Narrow}, l.printer)
		if one.Trace {
			d.Telemetry += figure
		} else {
			d.Distributions += figure
		}
		files = append(files, file{folder + one.Name + ".png", one.PNG}, file{folder + one.Name + ".csv", one.CSV})
	}
	return files, err
}

// trail leads from a run up to its campaign and its model.
func (v *runView) trail(w *writer) {
	link := func(path, text string) {
		w.tag(`<a href="`)
		w.text(v.home + escapePath(path))
		w.tag(`">`)
		w.text(text)
		w.tag("</a>")
	}
	c := campaign(v.r)
	link(v.b.campaignPage(c), c)
	if m := v.r.Labels.Get("model"); m != "" {
		w.tag(" / ")
		link(modelPath(m), m)
	}
}

// neighbours leads from a run to those before and after it in its campaign, and
// to the others of its model.
func (v *runView) neighbours(w *writer) {
	link := func(attributes, path, about, text string) {
		w.tag("<a ", attributes, `href="`)
		w.text(v.home + escapePath(path))
		w.tag(`"><small>`, v.p.Words(about), "</small>")
		w.text(text)
		w.tag("</a>\n")
	}
	for i, other := range v.b.beside(v.r) {
		if other != nil {
			name := runName(other)
			if load := loadName(other, v.l); load != "" {
				name += " · " + load
			}
			link([]string{`rel="prev" `, `rel="next" `}[i], runPath(other.ID), []string{"page.run.previous", "page.run.next"}[i], name)
		}
	}
	if m := v.r.Labels.Get("model"); m != "" {
		link("", modelPath(m), "page.run.others", m)
	}
}

// runFacts are a run's figures as its page arranges them, in any language.
type runFacts struct {
	r         *result.Result
	placed    []placedLabel
	told      []result.Metric // the figures the page begins with
	latencies latencies
	groups    []group

	needed, missing []string // labels that it takes to measure it again; those that nobody told

	passed, unjudged []result.Check // as Site.Verdicts tells
}

func factsOf(r *result.Result) *runFacts {
	f := &runFacts{r: r, placed: placedLabels(r), told: headline(r, 5), latencies: latencyMatrix(r.Metrics), groups: groups(r.Metrics)}
	f.needed, f.missing = needs(r)
	return f
}

// runView writes the parts of one run's page in one language.
type runView struct {
	*runFacts
	b          *builder
	src        *source
	l          *language
	p          locale.Printer
	file       string    // base name of the source file
	root, home string    // lead from the page to the site's root and to its language's folder
	evidence   *Evidence // nil for none
	method     string    // leads to the methodology page; escaped for markup
}

var writers = sync.Pool{New: func() any { return new(writer) }}

// write writes everything into one buffer, of which each part is a piece.
func (v *runView) write(d *runData, address string) {
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.b = w.b[:0]
	parts := [...]*template.HTML{&d.Trail, &d.Headline, &d.Checks, &d.Latency, &d.Metrics, &d.Environment, &d.Setup, &d.Reproduce, &d.Files, &d.Citation, &d.RawNote, &d.Neighbours}
	var ends [len(parts)]int
	for i, write := range [len(parts)]func(){
		func() { v.trail(w) },
		func() { v.headline(w) },
		func() { v.checks(w, v.b.byFile[v.r.Source.File]) },
		func() { v.latency(w) },
		func() { v.metrics(w) },
		func() { v.labels(w, environment, "page.environment") },
		func() { v.labels(w, setup, "page.setup") },
		func() { v.reproduce(w) },
		func() { v.files(w) },
		func() { v.citation(w, address) },
		func() { v.rawNote(w) },
		func() { v.neighbours(w) },
	} {
		write()
		ends[i] = len(w.b)
	}
	all, from := w.html(), 0
	for i, part := range parts {
		*part, from = all[from:ends[i]], ends[i]
	}
}

// name writes what a metric is called, as a link to its definition.
func (v *runView) name(w *writer, metric, text string) {
	if defined := definitionOf(metric); defined != "" {
		v.defined(w, metricAnchor, defined, text)
	} else {
		w.text(text)
	}
}

// defined writes a name that the methodology page explains.
func (v *runView) defined(w *writer, anchor, name, text string) {
	w.tag(`<a href="`, v.method, "#", anchor, name, `">`)
	w.text(text)
	w.tag("</a>")
}

func (v *runView) headline(w *writer) {
	if len(v.told) == 0 {
		return
	}
	w.tag(`<dl class="headline">`)
	for _, m := range v.told {
		w.tag("<div><dt>")
		v.name(w, m.Name, v.p.Metric(m.Name))
		w.tag("</dt><dd>")
		if v.r.Excluded() {
			w.tag("<s>")
		}
		v.figure(w, m)
		if v.r.Excluded() {
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
func (v *runView) figure(w *writer, m result.Metric) {
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
	if m.Decimals == result.FullPrecision {
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
func (v *runView) place(w *writer, pos result.Position) {
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
		folder := strings.TrimSuffix(v.r.Source.File, v.file)
		if name, beside := strings.CutPrefix(pos.File, folder); beside && strings.IndexByte(name, '/') < 0 {
			w.text(name)
		} else {
			w.text(pos.File)
		}
		if pos.Line > 0 {
			w.tag(":")
			w.int(pos.Line)
		}
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
		w.tag(`<th scope="col" class="num">`)
		v.defined(w, statisticAnchor, statisticOf(s), statName(s, v.p))
		w.tag("</th>")
	}
	w.tag("</tr></thead><tbody>\n")
	for i, f := range l.families {
		w.tag(`<tr><th scope="row">`)
		v.name(w, f+"_mean", v.p.Metric(f))
		w.tag("</th>")
		for j := range l.stats {
			m := l.at(i, j)
			if m == nil {
				w.tag(`<td class="num">`)
				w.missing(v.p)
			} else {
				w.tag(`<td class="num" id="`)
				w.anchor(m.Name)
				w.tag(`">`)
				v.figure(w, *m)
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
			w.tag(`<tr id="`)
			w.anchor(m.Name)
			w.tag(`"><th scope="row">`)
			v.name(w, m.Name, p.Metric(m.Name))
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

// checks lists what was found about the run and in reading its file, and then,
// folded, the rules that hold and those that could not be judged.
func (v *runView) checks(w *writer, messages []result.Message) {
	const opening = `<ul class="findings">`
	w.tag(opening)
	start := len(w.b)
	for i := range v.r.Checks {
		c := &v.r.Checks[i]
		if c.Waived != "" {
			w.openVerdict("waived", c.ID, v.ruleOf(c.ID), v.p)
		} else {
			w.openVerdict(c.Severity.String(), c.ID, v.ruleOf(c.ID), v.p)
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
	for class, cs := range [][]result.Check{passed, unjudged} {
		for i := range cs {
			w.openVerdict([]string{"pass", "unjudged"}[class], cs[i].ID, v.ruleOf(cs[i].ID), v.p)
			v.verdict(w, &cs[i])
			w.tag("</div></li>\n")
		}
	}
	w.tag("</ul></details>\n")
}

// verdict writes what a check says and the line of the figure it is about.
func (v *runView) verdict(w *writer, c *result.Check) {
	w.text(v.p.Say(c.Text))
	if c.Line > 0 {
		w.tag(` <small class="code">`)
		v.place(w, result.Position{File: v.r.Source.File, Line: c.Line})
		w.tag("</small>")
	}
}

// ruleOf leads to what a check asks, "" where the site does not tell. Ids of
// rules are our own and need no escaping.
func (v *runView) ruleOf(id string) string {
	if !v.b.rules[id] {
		return ""
	}
	return v.method + "#" + checkAnchor + id
}

// openFinding begins an entry of a list of problems: its severity in words,
// and the rule that found it.
func (w *writer) openFinding(s result.Severity, id string, p locale.Printer) {
	w.openVerdict(s.String(), id, "", p)
}

// openVerdict begins an entry of a class that the catalogue has a word for; rule
// leads to what was asked, escaped for markup, "" for nowhere.
func (w *writer) openVerdict(class, id, rule string, p locale.Printer) {
	element := "span"
	if rule != "" {
		element = "a"
	}
	w.tag(`<li class="`, class, `"><`, element)
	if rule != "" {
		w.tag(` href="`, rule, `"`)
	}
	w.tag(` class="severity" title="`)
	w.text(id)
	w.tag(`">`, p.Words("page.severity."+class), "</", element, "> <div>")
}

// rawNote tells of the source file.
func (v *runView) rawNote(w *writer) {
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
		w.text(v.root + escapePath(s.copy))
		w.tag(`">`, v.p.Words("page.raw.copy"), "</a>")
	}
	if s.marked {
		w.tag("<br>", v.p.Words("page.raw.read"))
	}
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
