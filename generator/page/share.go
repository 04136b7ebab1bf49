package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/meta"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// runsOf returns the ids of the results behind the points of a chart.
func runsOf(c *report.Chart) []string {
	var ids []string
	for _, s := range c.Series {
		for _, p := range s.Points {
			if p.Run != "" {
				ids = append(ids, p.Run)
			}
		}
	}
	for i := range c.Panels {
		ids = append(ids, runsOf(&c.Panels[i].Chart)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// PathsOf returns the file names of those runs of a chart for which they differ from the id. A Picture of the chart
// needs them to link its points.
func (s *Site) PathsOf(c *report.Chart) map[string]string {
	paths := map[string]string{}
	for _, id := range runsOf(c) {
		if path := s.Names.FileName(address.Runs, id); path != id {
			paths[id] = path
		}
	}
	return paths
}

// drawCharts adds the script of charts to a page. It must come before scripts that draw charts.
func (v *composer) drawCharts() { v.l.enliven(v.pg, "chart", "chart.", "share.", "page.value") }

// SourceOf returns the source that a chart names when it is shown alone, "" if the site does not allow embedding.
func (s *Site) SourceOf(p locale.Printer, page string) string {
	switch title := p.Say(s.Title); {
	case !s.Embeds:
		return ""
	case page == "" || page == title:
		return title
	default:
		return page + " · " + title
	}
}

// The size of a card in pixels, as previews require it.
const cardWidth, cardHeight = 1200, 630

// cardOf makes the preview picture of a page with a chart. Previews need an absolute address.
func cardOf(v *composer) ([]file, error) {
	if v.Card == nil || v.base == "" || v.pg.chart == nil || v.pg.Image != "" {
		return nil, nil
	}
	at := v.l.dir + address.Own(v.pg.path, "social-card.png")
	data, err := v.Card(v.l.tag, cmp.Or(v.pg.Title, v.l.title), meta.Short(v.pg.Description, 200), v.pg.chart)
	v.pg.isCard, v.pg.Image, v.pg.imageAlt = true, v.base+address.Escape(at), v.l.Printer.Say(v.pg.chart.Alt)
	return []file{{path: at, data: data}}, err
}

// chartName returns a name for a chart made from its titles. A number distinguishes charts with the same titles.
func chartName(c *report.Chart, others []string) string {
	title := cmp.Or(locale.English(c.Title), string(c.Kind)) + " " + locale.English(c.Subtitle)
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	base := strings.Join(words, "-")
	name := base
	for n := 2; slices.Contains(others, name); n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	return name
}

// head returns the metadata of the page for other programs.
func (v *composer) head() meta.Page {
	of := v.l.site
	if v.pg.Description == "" {
		v.pg.Description = aboutSection(v)
	}
	m := meta.Page{Site: of.Title, Title: v.pg.Title, Description: v.pg.Description, Lang: v.l.tag, URL: of.URL(v.pg.path),
		Image: meta.Image{URL: v.pg.Image, Alt: v.pg.imageAlt}, Article: v.pg.article, Data: v.pg.dataset}
	if v.pg.isCard {
		m.Image.Width, m.Image.Height = cardWidth, cardHeight
	}
	if v.pg.path != "index.html" {
		m.Trail = []meta.Step{{Name: of.Title, URL: of.URL("index.html")}}
		if section := currentOn(v.pg.kind); section != "" && section != "home" {
			if path := sectionPath(section); path != v.pg.path {
				m.Trail = append(m.Trail, meta.Step{Name: v.l.called(section), URL: of.URL(path)})
			}
		}
	}
	if m.Data == nil && len(v.results) > 0 && showsEverything(v.pg) {
		m.Data = of.Dataset(v.measured())
		m.Data.Name = of.Title
		for _, path := range []string{ResultsCSV, ResultsParquet} { // also on the downloads page
			m.Data.Files = append(m.Data.Files, of.File(path))
		}
	}
	return m
}

// aboutSection describes a page of a section of the site.
func aboutSection(v *composer) string {
	p := v.l.Printer
	if !p.Has("about." + v.pg.kind) {
		return ""
	}
	text := p.Words("about."+v.pg.kind, v.l.title)
	if v.pg.path != sectionPath(v.pg.kind) {
		return p.Words("about.label", v.pg.Title, text) // one of several pages
	}
	if showsEverything(v.pg) {
		counts := p.Words("about.counts", p.Words("page.runs.n", len(v.results)), p.Words("page.models.n", len(v.subjects().models)))
		return p.Words("about.then", text, counts)
	}
	return text
}

// showsEverything reports whether a page covers all data of the site.
func showsEverything(pg *Page) bool {
	switch pg.kind {
	case "home", "results", "compare", "deploy", "coverage", "history", "models", "hardware", "loads", "downloads":
		return pg.path == sectionPath(pg.kind)
	}
	return false
}

// sectionPath returns the path of a section in the folder of a language.
func sectionPath(name string) string {
	all := kinds()
	return all[slices.IndexFunc(all, func(k kind) bool { return k.name == name })].path
}

// articleOf describes a post, or a page of the manual.
func articleOf(of *meta.Site, kind string, post *Post) *meta.Article {
	a := of.Article(kind, post.Author)
	a.Published, a.Tags = isoDay(post.Date), unique(slices.Concat(post.Categories, post.Tags))
	if !post.Updated.IsZero() && !post.Updated.Equal(post.Date) {
		a.Modified = isoDay(post.Updated)
	}
	return a
}

// postDataset describes the data that a post shows; nil for one without any.
func postDataset(v *composer, post *Post) *meta.Dataset {
	var runs []*result.Result
	for _, id := range post.Runs {
		if r, ok := v.byID(id); ok {
			runs = append(runs, r)
		}
	}
	if len(runs) == 0 {
		return nil
	}
	d := v.l.site.OfRuns(runs)
	d.Keywords = unique(slices.Concat(post.Categories, post.Tags))
	d.Files = []meta.File{v.l.site.File(v.PostData(v.l.tag, post.Slug))}
	return d
}

// aboutPost returns the description of a post: the author's, or else its beginning.
func aboutPost(post *Post) string {
	return cmp.Or(post.Description, meta.Plain(string(post.Excerpt)))
}
