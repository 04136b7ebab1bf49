package page

import (
	"bytes"
	"html/template"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/meta"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// file is one file of the site.
type file struct {
	path string
	data []byte
	room *bytes.Buffer // holds data; nil if data has its own memory
}

// rooms is a pool of buffers for pages. A page uses a buffer until it is put into the store.
var rooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// release returns the buffer of a file to the pool. The data must not be used afterwards.
func (f *file) release() {
	if f.room != nil {
		rooms.Put(f.room)
		f.data, f.room = nil, nil
	}
}

// job makes some files. Jobs are independent of each other.
type job func() ([]file, error)

// builder makes the files of a site. It is read-only once it is built.
type builder struct {
	*contents
	languages []*language
	runKeys   map[*language]result.Stamp // stamps of the inputs shared by all run pages
	runStamps *runStamps
	had       *runStamps // of the previous renderer, if the terms are the same; nil for none

	ordered    result.Stamp        // stamp of the orders of values
	drawing    result.Stamp        // stamp of the orders and styles of values
	everything func() result.Stamp // stamp of all results and posts, and of what was found about them
	measured   func() []string     // the leading metrics that any run has
}

func (s *Site) newBuilder() (*builder, error) {
	b := &builder{contents: s.contents(), runKeys: map[*language]result.Stamp{}}
	shown := b.shownSections()
	for _, tag := range s.Languages {
		l, err := s.newLanguage(tag, shown)
		if err != nil {
			return nil, err
		}
		var had *data.Names
		if old := s.before(tag); old != nil && b.sameTerms {
			had = old.named.Load()
		}
		l.names = sync.OnceValue(func() *data.Names { return b.namesIn(l, had) })
		b.languages = append(b.languages, l)
		b.runKeys[l] = b.made(l, "run", func(*result.Stamper) {})
	}
	b.runStamps = &runStamps{make([]atomic.Pointer[result.Stamp], len(b.results)), b.results, b.byFile, b.trendOf}
	if b.sameTerms && slices.EqualFunc(b.languages, s.Before.languages, func(now, was *language) bool { return b.runKeys[now] == s.Before.runKeys[was] }) {
		b.had = s.Before.runStamps
	}
	b.ordered = result.StampOf(func(s *result.Stamper) { s.Value(b.Orders) })
	b.drawing = result.StampOf(func(s *result.Stamper) { s.Stamp(b.ordered); s.Value(b.Styles) })
	b.everything = sync.OnceValue(b.stampAll)
	if b.sameTerms {
		b.measured = s.Before.measured
	} else {
		results := b.results // kept by later builders
		b.measured = sync.OnceValue(func() []string { return meta.Headlines(results) })
	}
	return b, nil
}

// RenderPost makes the page of one post, and the files that every page needs.
func (s *Site) RenderPost(lang, slug string, emit func(path string, data []byte) error) error {
	b, err := s.newBuilder()
	if err != nil {
		return err
	}
	for _, l := range b.languages {
		i := slices.IndexFunc(b.posts[l.tag], func(p *Post) bool { return l.tag == lang && p.Slug == slug })
		if i >= 0 {
			return inOrder(slices.Values(append(b.assetArtifacts(), b.postArtifact(l, i))), emitter(emit), b.turn)
		}
	}
	return locale.Errorf("there is no post %s in %s", slug, lang)
}

// composer makes one page of a site in one language.
type composer struct {
	*builder
	l  *language
	pg *Page
}

// compose begins a page: it sets everything except its data. path is relative to the language's folder.
func (b *builder) compose(l *language, kind, path, title string) *composer {
	at := address.Root(l.dir + path)
	pg := &Page{
		kind:  kind,
		Title: title,
		Feed:  b.hasFeed(l),
		path:  path,
		home:  at + address.Escape(l.dir),
	}
	l.teach(pg, "tool.", "page.cop", "share.link")
	pg.Elsewhere = make([]Version, 0, len(b.languages)-1)
	for _, other := range b.languages {
		if other != l {
			pg.Elsewhere = append(pg.Elsewhere, Version{Lang: other.tag, Name: other.Printer.Name(), Href: template.URL(at + address.Escape(other.dir+path)), Same: true})
		}
	}
	return &composer{b, l, pg}
}

// links returns the <link> elements with the address of a page and of its versions in other languages. The addresses
// are absolute if the site's address is known.
func (v *composer) links() template.HTML {
	var w parts.Writer
	link := func(attributes, href string) {
		w.Tag("<link ", attributes, ` href="`)
		w.Text(href)
		w.Tag("\">\n")
	}
	self := v.l.site.URL(v.pg.path)
	if v.base != "" {
		link(`rel="canonical"`, self)
	}
	translated := slices.ContainsFunc(v.pg.Elsewhere, func(version Version) bool { return version.Same })
	if v.base != "" && translated { // search engines ignore versions unless each lists all of them and itself
		link(`rel="alternate" hreflang="`+v.l.tag+`"`, self)
	}
	for _, version := range v.pg.Elsewhere {
		if version.Same {
			link(`rel="alternate" hreflang="`+version.Lang+`"`, v.absolute(version))
		}
	}
	return w.HTML()
}

// absolute returns the address of a version of a page, absolute if the site's address is known.
func (v *composer) absolute(version Version) string {
	if v.base == "" {
		return string(version.Href)
	}
	return v.base + strings.TrimPrefix(string(version.Href), address.Root(v.l.dir+v.pg.path))
}

// finish lays out the page and returns its files.
func (v *composer) finish() ([]file, error) {
	card, err := cardOf(v)
	if err != nil {
		return nil, err
	}
	v.pg.Links, v.pg.Address, v.pg.Meta = v.links(), v.l.site.URL(v.pg.path), v.head().HTML()
	if len(v.pg.charts) > 0 {
		v.drawCharts()
	}
	page, err := v.l.execute(v.pg.kind, v.pg.path, v.pg)
	return append([]file{page}, card...), err
}
