package page

import (
	"cmp"
	"html/template"
	"net/url"
	"path"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/meta"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/run"
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
	Variations    template.HTML // the runs that differ in exactly one setting
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

// run makes the pages of a result in every language, and a copy of its source file if the pages do not contain exactly
// its text.
func (b *builder) run(r *result.Result) job {
	return func() ([]file, error) {
		src := b.source(r)
		facts := run.FactsOf(r)
		if b.Verdicts != nil {
			facts.Passed, facts.Unjudged = b.Verdicts(r)
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
		copied := false
		for _, x := range src.evidence {
			if x.Read == nil {
				continue
			}
			data := src.data
			if !x.Is(data) {
				var err error
				if data, err = x.Read(); err != nil {
					return nil, err
				}
			}
			files = append(files, file{path: x.Copy, data: data})
			copied = copied || x.Copy == src.Copy // the original file rather than the text derived from it
		}
		if src.Copy != "" && !copied {
			files = append(files, file{path: src.Copy, data: src.data})
		}
		return files, nil
	}
}

func (b *builder) runPage(l *language, facts *run.Facts, src *source) ([]file, error) {
	r, p := facts.Result, l.Printer
	at, place := b.Names.Run(r.ID), b.place(r)
	d := &runData{
		Result:     r,
		Name:       parts.RunName(r),
		Load:       l.LoadName(r),
		Status:     r.Status.String(),
		StatusWord: p.Words("status." + r.Status.String()),
		Excluded:   r.Excluded(),
	}
	d.Permalink = template.URL(address.Escape(path.Base(at)))
	permalink := l.dir + at // its address for others: on the web if known, else within the site
	if b.base != "" {
		permalink = b.base + address.Escape(permalink)
		d.Permalink = template.URL(permalink)
	}
	title := d.Name
	if d.Load != "" {
		title += " · " + d.Load
	}
	on := b.compose(l, "run", at, title)
	d.Compare = template.URL(on.pg.home + "compare/index.html#run=" + url.QueryEscape(r.ID))
	v := &run.View{Reader: l.Reader, Facts: facts, Source: &src.Source, Root: address.Root(l.dir + at), Home: on.pg.home,
		Method:   template.HTMLEscapeString(on.pg.home) + address.Methodology,
		Campaign: b.campaignPage(parts.Campaign(r)), Beside: b.order()[place], Near: b.neighbours.of(place), Messages: b.byFile[r.Source.File], Rules: b.rules}
	if b.Evidence != nil {
		var err error
		if v.Evidence, err = b.Evidence(r, l.tag); err != nil {
			src.Err = cmp.Or(src.Err, err)
		}
		src.evidence = v.Evidence.Files
		src.hold(b.Names.RawText(r.Source.File))
	}
	d.write(v, permalink)
	d.Raw = src.Lines
	if src.Err != nil {
		d.RawError = src.Err.Error()
	}
	d.Past, d.PastHref = on.past(r)
	drawings, err := on.drawings(d)
	if err != nil {
		return nil, err
	}
	on.pg.Data = d
	on.pg.Description, on.pg.dataset = l.site.Run(title, r), l.site.OfRun(r)
	for _, x := range src.evidence {
		switch {
		case x.Copy != "":
			on.pg.dataset.Files = append(on.pg.dataset.Files, l.site.File(x.Copy))
		case x.Href != "":
			on.pg.dataset.Files = append(on.pg.dataset.Files, meta.File{URL: x.Href, Type: meta.MediaType(x.Href)})
		}
	}
	if src.evidence == nil && src.Copy != "" {
		on.pg.dataset.Files = []meta.File{l.site.File(src.Copy)}
	}
	files, err := on.finish()
	return append(files, drawings...), err
}

// drawings adds the charts of a run to its page, and returns their files.
func (v *composer) drawings(d *runData) ([]file, error) {
	if v.Drawings == nil {
		return nil, nil
	}
	all, err := v.Drawings(d.Result, v.l.tag)
	var files []file
	own := func(name string) string { return address.Own(v.l.dir+v.pg.path, name) }
	for _, one := range all {
		picture := parts.Picture{Chart: one.Name, From: v.SourceOf(v.l.Printer, v.pg.Title), CSV: one.CSV, File: address.Escape(path.Base(own(one.Name + ".csv"))),
			Alt: one.Alt, SVG: one.SVG, Narrow: one.Narrow, Notes: one.Notes}
		v.pg.charts = append(v.pg.charts, one.Name)
		figure := parts.Figure(picture, v.l.Printer)
		if one.Trace {
			d.Telemetry += figure
		} else {
			d.Distributions += figure
		}
		if parts.Apart(one.CSV) {
			files = append(files, file{path: own(one.Name + ".csv"), data: one.CSV})
		}
	}
	return files, err
}

// source is the raw text of a run, with its published files.
type source struct {
	run.Source
	data     []byte
	evidence []Exhibit
}

// hold omits copies of files whose exact bytes the page contains. The page differs from the file if a log has grown
// since, or if the text has another encoding: then the page links to the copy, whose path is copied.
func (s *source) hold(copied string) {
	for i := range s.evidence {
		switch x := &s.evidence[i]; {
		case !s.Exact || x.Is == nil:
		case x.Is(s.data):
			x.Hold()
		case x.Copy == copied:
			s.Exact, s.Copy = false, copied
		}
	}
}

func (b *contents) source(r *result.Result) source {
	if b.Raw == nil {
		return source{}
	}
	raw, err := b.Raw(r)
	if err != nil {
		return source{Source: run.Source{Err: err}}
	}
	var commands []result.Command
	if b.Commands != nil {
		commands = b.Commands(r, raw)
	}
	s := source{Source: run.Show(r, run.Text(raw), commands), data: raw.Data}
	if run.Text(raw).Complete() && raw.Size <= MaxRaw && !s.Exact {
		s.Copy = b.Names.RawText(r.Source.File)
	}
	return s
}

var writers = sync.Pool{New: func() any { return new(parts.Writer) }}

// write writes all parts into one buffer and slices it.
func (d *runData) write(v *run.View, permalink string) {
	w := writers.Get().(*parts.Writer)
	defer writers.Put(w)
	w.Truncate(0)
	pieces := [...]*template.HTML{&d.Trail, &d.Headline, &d.Checks, &d.Latency, &d.Metrics, &d.Environment, &d.Setup, &d.Variations, &d.Reproduce, &d.Files, &d.Citation, &d.RawNote, &d.Neighbours}
	var ends [len(pieces)]int
	for i, write := range [len(pieces)]func(){
		func() { v.Trail(w) },
		func() { v.Headline(w) },
		func() { v.Checks(w) },
		func() { v.Latency(w) },
		func() { v.Metrics(w) },
		func() { v.Environment(w) },
		func() { v.Setup(w) },
		func() { v.Variations(w) },
		func() { v.Reproduce(w) },
		func() { v.Files(w) },
		func() { v.Citation(w, permalink) },
		func() { v.RawNote(w) },
		func() { v.Adjacent(w) },
	} {
		write()
		ends[i] = w.Len()
	}
	all, from := w.HTML(), 0
	for i, part := range pieces {
		*part, from = all[from:ends[i]], ends[i]
	}
}

// RunName returns the name of a run in a language, with its load.
func (s *Site) RunName(r *result.Result, lang string) string {
	printer, _ := locale.For(lang)
	name := parts.RunName(r)
	if load := (&parts.Reader{Printer: printer, Titles: s.Titles}).LoadName(r); load != "" {
		name += " · " + load
	}
	return name
}
