package page

import (
	"cmp"
	"html/template"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// runData is the data of run.html. The parts are finished HTML because they
// are written for thousands of pages; Result has the same as data.
type runData struct {
	Result     *result.Result
	Name, Load string
	Status     string // complete, partial, failed
	StatusWord string // the same in the page's language
	Excluded   bool
	Trail      template.HTML // links to its campaign and its model
	Permalink  template.URL  // of this page; absolute if the site's address is known
	Compare    template.URL  // of the page that compares runs, with this one

	Headline      template.HTML
	Checks        template.HTML // "" if there is nothing to show, as for the others
	Latency       template.HTML
	Metrics       template.HTML
	Distributions template.HTML // charts of single requests
	Telemetry     template.HTML // charts over the time of the run
	Past          template.HTML // earlier results of its variant from git
	PastHref      template.URL  // where the complete list is
	Environment   template.HTML // labels of the machine and the software
	Setup         template.HTML // all other labels: model, load, the run itself
	Reproduce     template.HTML
	Raw           template.HTML // the lines with the values read from each; others are folded
	RawNote       template.HTML // the file, how much of it is shown, and a link to all of it
	RawError      string
	Files         template.HTML // the files it was read from, with sizes and checksums
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
	r, p := facts.r, l.Printer
	at := b.Names.Run(r.ID)
	d := &runData{
		Result:     r,
		Name:       parts.RunName(r),
		Load:       l.LoadName(r),
		Status:     r.Status.String(),
		StatusWord: p.Words("status." + r.Status.String()),
		Excluded:   r.Excluded(),
		Permalink:  "index.html",
	}
	permalink := l.dir + at // how it is named to others: where it is in the site, or on the web
	if b.base != "" {
		permalink = b.base + address.Escape(permalink)
		d.Permalink = template.URL(permalink)
	}
	title := d.Name
	if d.Load != "" {
		title += " · " + d.Load
	}
	on := b.compose(l, "run", at, title)
	on.pg.Description = r.ID
	d.Compare = template.URL(on.pg.home + "compare/index.html#run=" + url.QueryEscape(r.ID))
	v := runView{runFacts: facts, b: b, src: src, l: l, p: p, file: path.Base(r.Source.File),
		root: address.Root(l.dir + at), home: on.pg.home, method: template.HTMLEscapeString(on.pg.home) + address.Methodology}
	if b.Evidence != nil {
		evidence, err := b.Evidence(r, l.tag)
		if err != nil {
			src.err = cmp.Or(src.err, err)
		}
		v.evidence, src.exhibits = &evidence, evidence.Files
	}
	v.write(d, permalink)
	d.Raw = src.lines
	if src.err != nil {
		d.RawError = src.err.Error()
	}
	d.Past, d.PastHref = on.past(r)
	drawings, err := on.drawings(d)
	if err != nil {
		return nil, err
	}
	on.pg.Data = d
	files, err := on.finish()
	return append(files, drawings...), err
}

// drawings puts the charts of a run on its page, and returns their files.
func (v *composer) drawings(d *runData) ([]file, error) {
	if v.Drawings == nil {
		return nil, nil
	}
	all, err := v.Drawings(d.Result, v.l.tag)
	var files []file
	folder := strings.TrimSuffix(v.l.dir+v.Names.Run(d.Result.ID), "index.html")
	for _, one := range all {
		v.pg.charts++
		figure := parts.Figure(parts.Picture{Chart: one.Name, Src: one.Name + ".png", CSV: one.Name + ".csv", Alt: one.Alt, Width: one.Width, Height: one.Height,
			SVG: one.SVG, Narrow: one.Narrow, Notes: one.Notes}, v.l.Printer)
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
func (v *runView) trail(w *parts.Writer) {
	link := func(path, text string) {
		w.Tag(`<a href="`)
		w.Text(v.home + address.Escape(path))
		w.Tag(`">`)
		w.Text(text)
		w.Tag("</a>")
	}
	c := parts.Campaign(v.r)
	link(v.b.campaignPage(c), c)
	if m := v.r.Labels.Get("model"); m != "" {
		w.Tag(" / ")
		link(v.l.Names.Model(m), m)
	}
}

// neighbours leads from a run to those before and after it in its campaign, and
// to the others of its model.
func (v *runView) neighbours(w *parts.Writer) {
	link := func(attributes, path, about, text string) {
		w.Tag("<a ", attributes, `href="`)
		w.Text(v.home + address.Escape(path))
		w.Tag(`"><small>`, v.p.Words(about), "</small>")
		w.Text(text)
		w.Tag("</a>\n")
	}
	for i, other := range v.b.beside(v.r) {
		if other != nil {
			name := parts.RunName(other)
			if load := v.l.LoadName(other); load != "" {
				name += " · " + load
			}
			link([]string{`rel="prev" `, `rel="next" `}[i], v.l.Names.Run(other.ID), []string{"page.run.previous", "page.run.next"}[i], name)
		}
	}
	if m := v.r.Labels.Get("model"); m != "" {
		link("", v.l.Names.Model(m), "page.run.others", m)
	}
}

// runFacts are a run's figures as its page arranges them, in any language.
type runFacts struct {
	r         *result.Result
	placed    []parts.PlacedLabel
	leading   []result.Metric // the figures the page begins with
	latencies parts.Latencies
	groups    []parts.Group

	needed, missing []string // labels that it takes to measure it again; those that are unknown

	passed, unjudged []result.Check // from Site.Verdicts
}

func factsOf(r *result.Result) *runFacts {
	f := &runFacts{r: r, placed: parts.PlacedLabels(r), leading: parts.Headline(r, 5), latencies: parts.LatencyMatrix(r.Metrics), groups: parts.Groups(r.Metrics)}
	f.needed, f.missing = dataset.Needs(r)
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

var writers = sync.Pool{New: func() any { return new(parts.Writer) }}

// write writes everything into one buffer, of which each part is a piece.
func (v *runView) write(d *runData, permalink string) {
	w := writers.Get().(*parts.Writer)
	defer writers.Put(w)
	w.Truncate(0)
	place := func(pos result.Position) { v.place(w, pos) }
	pieces := [...]*template.HTML{&d.Trail, &d.Headline, &d.Checks, &d.Latency, &d.Metrics, &d.Environment, &d.Setup, &d.Reproduce, &d.Files, &d.Citation, &d.RawNote, &d.Neighbours}
	var ends [len(pieces)]int
	for i, write := range [len(pieces)]func(){
		func() { v.trail(w) },
		func() { v.headline(w) },
		func() { v.checks(w, v.b.byFile[v.r.Source.File]) },
		func() { v.latency(w) },
		func() { v.metrics(w) },
		func() { parts.Environment.Write(w, v.placed, "page.environment", v.home, &v.l.Reader, place) },
		func() { parts.Setup.Write(w, v.placed, "page.setup", v.home, &v.l.Reader, place) },
		func() { v.reproduce(w) },
		func() { v.files(w) },
		func() { v.citation(w, permalink) },
		func() { v.rawNote(w) },
		func() { v.neighbours(w) },
	} {
		write()
		ends[i] = w.Len()
	}
	all, from := w.HTML(), 0
	for i, part := range pieces {
		*part, from = all[from:ends[i]], ends[i]
	}
}

// name writes what a metric is called, as a link to its definition.
func (v *runView) name(w *parts.Writer, metric, text string) {
	if defined := definitionOf(metric); defined != "" {
		v.defined(w, metricAnchor, defined, text)
	} else {
		w.Text(text)
	}
}

// defined writes a name that the methodology page explains.
func (v *runView) defined(w *parts.Writer, anchor, name, text string) {
	w.Tag(`<a href="`, v.method, "#", anchor, name, `">`)
	w.Text(text)
	w.Tag("</a>")
}

func (v *runView) headline(w *parts.Writer) {
	if len(v.leading) == 0 {
		return
	}
	w.Tag(`<dl class="headline">`)
	for _, m := range v.leading {
		w.Tag("<div><dt>")
		v.name(w, m.Name, v.p.Metric(m.Name))
		w.Tag("</dt><dd>")
		if v.r.Excluded() {
			w.Tag("<s>")
		}
		v.figure(w, m)
		if v.r.Excluded() {
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

// figure writes a value that leads to the line it was read on.
func (v *runView) figure(w *parts.Writer, m result.Metric) {
	link := m.File == "" && v.src.shows(m.Line)
	if link {
		w.Tag(`<a href="#L`)
		w.Int(m.Line)
		w.Tag(`"`)
	} else {
		w.Tag("<span")
	}
	w.Tag(` title="`)
	w.Text(m.Field)
	w.Tag(" · ")
	if m.File != "" {
		w.Text(path.Base(m.File))
	} else {
		w.Text(v.file)
	}
	if m.Line > 0 {
		w.Tag(":")
		w.Int(m.Line)
	}
	if m.Decimals == result.FullPrecision {
		w.Tag(" · ", m.Text())
	}
	w.Tag(`">`, parts.Digits(m))
	if link {
		w.Tag("</a>")
	} else {
		w.Tag("</span>")
	}
}

// place writes where a figure or label was read, as a link when the page
// shows that line.
func (v *runView) place(w *parts.Writer, pos result.Position) {
	switch {
	case pos.File == "":
	case pos.File == v.r.Source.File && pos.Line > 0 && v.src.shows(pos.Line):
		w.Tag(`<a href="#L`)
		w.Int(pos.Line)
		w.Tag(`">`)
		w.Text(v.file)
		w.Tag(":")
		w.Int(pos.Line)
		w.Tag("</a>")
	default:
		folder := strings.TrimSuffix(v.r.Source.File, v.file)
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

func (v *runView) latency(w *parts.Writer) {
	l := &v.latencies
	if len(l.Families) == 0 {
		return
	}
	w.OpenScroll(v.p.Words("page.group.latency"), v.p)
	w.Tag(`<table class="latency"><thead><tr><th scope="col">`, `<small class="unit">ms</small></th>`)
	for _, s := range l.Stats {
		w.Tag(`<th scope="col" class="num">`)
		v.defined(w, statisticAnchor, statisticOf(s), parts.StatName(s, v.p))
		w.Tag("</th>")
	}
	w.Tag("</tr></thead><tbody>\n")
	for i, f := range l.Families {
		w.Tag(`<tr><th scope="row">`)
		v.name(w, f+"_mean", v.p.Metric(f))
		w.Tag("</th>")
		for j := range l.Stats {
			m := l.At(i, j)
			if m == nil {
				w.Tag(`<td class="num">`)
				w.Missing(v.p)
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

func (v *runView) metrics(w *parts.Writer) {
	if len(v.groups) == 0 {
		return
	}
	p := v.p
	w.OpenScroll(p.Words("page.metrics"), p)
	w.Tag(`<table class="facts"><thead><tr><th scope="col">`, p.Words("page.metric"),
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
			w.Tag(`</th><td class="num">`, parts.Digits(m), `</td><td class="unit">`)
			w.Text(parts.UnitOf(m))
			w.Tag(`</td><td class="code">`)
			if m.Derived {
				w.Tag(`<small class="tag">`, p.Words("origin.derived"), "</small> ")
			}
			w.Text(m.Field)
			w.Tag(`</td><td class="code">`)
			if m.Line > 0 {
				v.place(w, v.r.At(m))
			}
			w.Tag("</td></tr>\n")
		}
		w.Tag("</tbody>")
	}
	w.Tag("</table></div>\n")
}

// checks lists what was found about the run and in reading its file, and then,
// folded, the rules that are met and those that could not be judged.
func (v *runView) checks(w *parts.Writer, messages []result.Message) {
	const opening = `<ul class="findings">`
	w.Tag(opening)
	start := w.Len()
	for i := range v.r.Checks {
		c := &v.r.Checks[i]
		if c.Waived != "" {
			w.OpenVerdict("waived", c.ID, v.ruleOf(c.ID), v.p)
		} else {
			w.OpenVerdict(c.Severity.String(), c.ID, v.ruleOf(c.ID), v.p)
		}
		v.verdict(w, c)
		if c.Waived != "" {
			w.Tag(` <small class="hint">`)
			w.Text(v.p.Words("page.waived", c.Waived))
			w.Tag("</small>")
		} else if hint := v.p.Say(c.Hint); hint != "" {
			w.Tag(` <small class="hint">`)
			w.Text(hint)
			w.Tag("</small>")
		}
		w.Tag("</div></li>\n")
	}
	for _, m := range messages {
		if m.Pos.Line != 0 && v.r.EndLine != 0 && (m.Pos.Line < v.r.Source.Line || m.Pos.Line > v.r.EndLine) {
			continue
		}
		w.OpenFinding(m.Severity, m.ID, v.p)
		w.Text(v.p.Say(m.Text))
		writeHint(w, v.p.Say(m.Hint))
		w.Tag(` <small class="code">`)
		v.place(w, m.Pos)
		w.Tag("</small></div></li>\n")
	}
	if w.Len() == start {
		w.Truncate(start - len(opening))
	} else {
		w.Tag("</ul>\n")
	}
	passed, unjudged := v.passed, v.unjudged
	if len(passed)+len(unjudged) == 0 {
		return
	}
	w.Tag(`<details class="passed"><summary>`)
	w.Text(v.p.Words("page.checks.passed", len(passed)))
	if len(unjudged) > 0 {
		w.Tag(" · ")
		w.Text(v.p.Words("page.checks.unjudged", len(unjudged)))
	}
	w.Tag("</summary>\n", opening)
	for class, cs := range [][]result.Check{passed, unjudged} {
		for i := range cs {
			w.OpenVerdict([]string{"pass", "unjudged"}[class], cs[i].ID, v.ruleOf(cs[i].ID), v.p)
			v.verdict(w, &cs[i])
			w.Tag("</div></li>\n")
		}
	}
	w.Tag("</ul></details>\n")
}

// verdict writes what a check found and the line of the figure it is about.
func (v *runView) verdict(w *parts.Writer, c *result.Check) {
	w.Text(v.p.Say(c.Text))
	if c.Line > 0 {
		w.Tag(` <small class="code">`)
		v.place(w, result.Position{File: v.r.Source.File, Line: c.Line})
		w.Tag("</small>")
	}
}

// ruleOf leads to what a check asks, "" where the site does not explain it. Ids of
// rules are our own and need no escaping.
func (v *runView) ruleOf(id string) string {
	if !v.b.rules[id] {
		return ""
	}
	return v.method + "#" + checkAnchor + id
}

// rawNote describes the source file.
func (v *runView) rawNote(w *parts.Writer) {
	s := v.src
	w.Tag("<code>")
	w.Text(v.r.Source.File)
	w.Tag("</code> ")
	w.Text(v.r.Format)
	if s.size > 0 {
		w.Tag(" · ")
		switch {
		case s.cut:
			w.Text(v.p.Words("page.raw.cut", s.first, s.last, parts.Size(s.size)))
		case s.whole:
			w.Text(v.p.Words("page.raw.whole", s.last, parts.Size(s.size)))
		default:
			w.Text(v.p.Words("page.raw.block", s.first, s.last, parts.Size(s.size)))
		}
	}
	if s.copy != "" {
		w.Tag(` · <a href="`)
		w.Text(v.root + address.Escape(s.copy))
		w.Tag(`">`, v.p.Words("page.raw.copy"), "</a>")
	}
	if s.marked {
		w.Tag("<br>", v.p.Words("page.raw.read"))
	}
}
