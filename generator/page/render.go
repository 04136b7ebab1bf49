package page

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/block/coverage"
	"github.com/benchpost/benchpost/generator/block/tradeoff"
	"github.com/benchpost/benchpost/generator/block/trends"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// file is one file of the site.
type file struct {
	path string
	data []byte
}

// job makes some files; jobs are independent of each other.
type job func() ([]file, error)

// builder holds the site while it is rendered: everything sorted and indexed
// once, and read-only from then on.
type builder struct {
	*Site
	base      string // BaseURL with a slash at its end, or ""
	languages []*language
	posts     map[string][]*Post // by language, newest first
	results   []*result.Result   // in order
	models    []*model
	byModel   map[string]*model
	boards    []*board
	loads     []*load
	trends    []trends.Trend
	trendOf   map[string]int // of a run's id, where a repository remembers earlier ones
	events    []event        // of the trends, the last first
	trended   result.Stamp   // of what the trends are made from
	plans     []report.Table // how much of each plan is there
	tradeoffs []report.Table // of size and speed; shown where a variant to deploy is chosen
	report    *dataset.Selection
	campaigns []runGroup
	messages  []result.Message                 // in order
	byFile    map[string][]result.Message      // messages of a file
	rawOwner  func() map[string]*result.Result // the result that emits the copy of a file
	inGroup   map[string][]*result.Result      // the runs of a campaign
	rules     map[string]bool                  // ids of checks that the methodology tells of
	runKeys   map[*language]result.Stamp       // of what the pages of all runs are made from

	drawing    result.Stamp // of what tables and charts share over pages
	everything result.Stamp // of all results and posts, and of what was found about them
}

func (s *Site) newBuilder() (*builder, error) {
	b := &builder{
		Site:     s,
		base:     s.Address(),
		posts:    map[string][]*Post{},
		results:  slices.Clone(s.Results),
		messages: slices.Clone(s.Messages),
		byFile:   map[string][]result.Message{},
		rules:    s.Method.ids(),
		runKeys:  map[*language]result.Stamp{},
	}
	for i := range s.Posts {
		p := &s.Posts[i]
		b.posts[p.Lang] = append(b.posts[p.Lang], p)
	}
	for _, posts := range b.posts {
		slices.SortFunc(posts, func(x, y *Post) int {
			return cmp.Or(y.Date.Compare(x.Date), strings.Compare(x.Slug, y.Slug))
		})
	}
	if !slices.IsSortedFunc(b.results, result.Compare) {
		slices.SortFunc(b.results, result.Compare)
	}
	result.SortMessages(b.messages)
	for _, m := range b.messages {
		b.byFile[m.Pos.File] = append(b.byFile[m.Pos.File], m)
	}
	if b.report = s.Report; b.report == nil {
		b.report = &dataset.Selection{Site: dataset.Site{Titles: s.Titles}, Results: b.results}
	}
	b.rawOwner = sync.OnceValue(b.owners)
	var collecting sync.WaitGroup
	for _, collect := range []func(){
		func() { b.collectModels(); b.collectBoards(); b.collectLoads() },
		func() { b.collectCampaigns(); b.collectTrends() },
		func() { b.plans, b.tradeoffs = coverage.Tables(b.report), tradeoff.Tables(b.report) },
	} {
		collecting.Go(collect)
	}
	collecting.Wait()
	shown := b.shownSections()
	for _, tag := range s.Languages {
		l, err := s.newLanguage(tag, shown)
		if err != nil {
			return nil, err
		}
		b.languages = append(b.languages, l)
		b.runKeys[l] = b.made(l, "run", func(*result.Stamper) {})
	}
	b.drawing = b.drawnBy()
	b.everything = b.stampAll()
	return b, nil
}

// owners tells which result emits the copy of a file: the first of it.
func (b *builder) owners() map[string]*result.Result {
	owners := make(map[string]*result.Result, len(b.results))
	for _, r := range b.results {
		if _, ok := owners[r.Source.File]; !ok {
			owners[r.Source.File] = r
		}
	}
	return owners
}

// byID finds a run.
func (b *builder) byID(id string) (*result.Result, bool) {
	i, ok := slices.BinarySearchFunc(b.results, id, func(r *result.Result, id string) int { return result.NaturalCompare(r.ID, id) })
	if !ok {
		return nil, false
	}
	return b.results[i], true
}

// beside gives the runs before and after one in its campaign; nil for none.
func (b *builder) beside(r *result.Result) (around [2]*result.Result) {
	runs := b.inGroup[parts.Campaign(r)]
	i, _ := slices.BinarySearchFunc(runs, r, result.Compare)
	if i > 0 {
		around[0] = runs[i-1]
	}
	if i+1 < len(runs) {
		around[1] = runs[i+1]
	}
	return around
}

// RenderPost makes the page of one post, and the files that every page leans on.
func (s *Site) RenderPost(lang, slug string, emit func(path string, data []byte) error) error {
	b, err := s.newBuilder()
	if err != nil {
		return err
	}
	for _, l := range b.languages {
		i := slices.IndexFunc(b.posts[l.tag], func(p *Post) bool { return l.tag == lang && p.Slug == slug })
		if i >= 0 {
			return inOrder(slices.Values(append(b.assetArtifacts(), b.postArtifact(l, i))), emitter(emit))
		}
	}
	return fmt.Errorf("there is no post %s in %s", slug, lang)
}

// composer makes one page, in a language, of a site.
type composer struct {
	*builder
	l  *language
	pg *Page
}

// compose begins a page: everything of it but its data. Path is relative to the
// language's folder.
func (b *builder) compose(l *language, kind, path, title string) *composer {
	at := address.Root(l.dir + path)
	pg := &Page{
		kind:  kind,
		Title: title,
		Feed:  b.hasFeed(l),
		path:  path,
		home:  at + address.Escape(l.dir),
	}
	l.teach(pg, "tool.", "page.cop")
	pg.Elsewhere = make([]Version, 0, len(b.languages)-1)
	for _, other := range b.languages {
		if other != l {
			pg.Elsewhere = append(pg.Elsewhere, Version{Lang: other.tag, Name: other.Printer.Name(), Href: template.URL(at + address.Escape(other.dir+path)), Same: true})
		}
	}
	return &composer{b, l, pg}
}

// links are the <link>s that tell search engines where a page stands, and
// where its versions in other languages do. They are absolute where the site's
// address is known.
func (v *composer) links() template.HTML {
	var w parts.Writer
	link := func(attributes, href string) {
		w.Tag("<link ", attributes, ` href="`)
		w.Text(href)
		w.Tag("\">\n")
	}
	self := v.base + address.Escape(v.l.dir+v.pg.path)
	if v.base != "" {
		link(`rel="canonical"`, self)
	}
	translated := slices.ContainsFunc(v.pg.Elsewhere, func(version Version) bool { return version.Same })
	if v.base != "" && translated { // each version names all, itself among them, or none is believed
		link(`rel="alternate" hreflang="`+v.l.tag+`"`, self)
	}
	for _, version := range v.pg.Elsewhere {
		if version.Same {
			link(`rel="alternate" hreflang="`+version.Lang+`"`, v.absolute(version))
		}
	}
	return w.HTML()
}

// absolute gives the address of a version of a page, if the site's is known.
func (v *composer) absolute(version Version) string {
	if v.base == "" {
		return string(version.Href)
	}
	return v.base + strings.TrimPrefix(string(version.Href), address.Root(v.l.dir+v.pg.path))
}

// finish lays a page out into a file.
func (v *composer) finish() ([]file, error) {
	v.pg.Links = v.links()
	if v.base != "" {
		v.pg.Address = v.base + address.Escape(v.l.dir+v.pg.path)
	}
	if v.pg.charts > 0 {
		v.drawCharts()
	}
	data, err := v.l.execute(v.pg.kind, v.pg.path, v.pg)
	return []file{{v.l.dir + v.pg.path, data}}, err
}
