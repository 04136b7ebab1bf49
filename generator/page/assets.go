package page

import (
	"encoding/base64"
	"errors"
	"html/template"
	"io/fs"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/feed"
	"github.com/benchpost/benchpost/generator/page/manual"
)

// Assets emits the files that pages need, except the scripts.
func (s *Site) Assets(emit func(path string, data []byte) error) error {
	files, err := s.assets()
	for _, f := range files {
		if err == nil {
			err = emit(f.path, f.data)
		}
	}
	return err
}

// assets returns the files that every page needs, and the static files of the site's layouts.
func (b *Site) assets() ([]file, error) {
	style, err := b.style()
	if err != nil {
		return nil, err
	}
	icon, err := b.readLayout("favicon.svg")
	if err != nil {
		return nil, err
	}
	static, err := b.static()
	files := []file{{path: "style.css", data: style}, {path: "favicon.svg", data: icon}}
	return append(files, static...), err
}

// style returns the style sheet of all pages: the built-in one, the rules for charts, and last the site's own.
func (b *Site) style() ([]byte, error) {
	style, err := b.readLayout("style.css")
	if err != nil {
		return nil, err
	}
	if b.ChartStyle != "" {
		style = slices.Concat(style, []byte("\n/* Charts on a light and on a dark page */\n"), []byte(b.ChartStyle))
	}
	if b.Layouts == nil {
		return style, nil
	}
	own, err := fs.ReadFile(b.Layouts, CustomStyle)
	if errors.Is(err, fs.ErrNotExist) {
		return style, nil
	}
	return slices.Concat(style, []byte("\n/* The site's own */\n"), own), err
}

// static returns the files below static/ of the site's layouts, unchanged.
func (b *Site) static() ([]file, error) {
	if b.Layouts == nil {
		return nil, nil
	}
	var files []file
	err := fs.WalkDir(b.Layouts, "static", func(name string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "static" {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(b.Layouts, name)
		files = append(files, file{path: name, data: data})
		return err
	})
	return files, err
}

// indexes returns the files for machines (feeds, sitemap, robots.txt) and the page for unknown addresses.
func (b *builder) indexes() ([]file, error) {
	notFound, err := b.notFound()
	if err != nil {
		return nil, err
	}
	files := []file{notFound}
	for _, l := range b.languages {
		if b.hasFeed(l) {
			feed, err := b.feed(l)
			if err != nil {
				return nil, err
			}
			files = append(files, feed)
		}
	}
	if b.base != "" {
		sitemap, err := b.sitemap()
		if err != nil {
			return nil, err
		}
		files = append(files, sitemap, file{path: "robots.txt", data: feed.Robots(b.base + "sitemap.xml")})
	}
	return files, nil
}

// notFound returns the page that is served for any unknown address, so it cannot use relative links. It contains its
// style sheet, and links to absolute addresses if the base address is known.
func (b *builder) notFound() (file, error) {
	style, err := b.style()
	if err != nil {
		return file{}, err
	}
	d := &notFoundData{Style: template.URL("data:text/css;base64," + base64.StdEncoding.EncodeToString(style))}
	for _, l := range b.languages {
		d.Homes = append(d.Homes, home{
			Lang: l.tag, Words: l.Printer.Words("page.404"), Site: l.title,
			Href: template.URL(b.base + address.Escape(l.dir+"index.html")),
		})
	}
	l := b.languages[0]
	return l.execute("404", "404.html", &Page{Title: l.Printer.Words("page.404"), Data: d})
}

// notFoundData is the data of 404.html.
type notFoundData struct {
	Style template.URL // the style sheet as a data address
	Homes []home
}

// home is the front page of a language, with the text for the reader of an unknown address.
type home struct {
	Lang, Words, Site string
	Href              template.URL
}

// hasFeed reports whether the feed would have an entry. Entries need a date.
func (b *contents) hasFeed(l *language) bool {
	return len(b.posts[l.tag]) > 0 && !b.posts[l.tag][0].Date.IsZero() || len(b.events) > 0
}

// feed returns the feed of a language: its posts, and the level changes of trends. The times are those of the posts and
// of the runs. Without a base address, links are relative and ids are derived from the names.
func (b *builder) feed(l *language) (file, error) {
	f := feed.Feed{
		Lang: l.tag, ID: b.atomID(l, "index.html"), Title: l.Printer.Say(b.Title), Author: b.Author,
		Self: b.feedLink(l, "feed.xml"), Home: b.feedLink(l, "index.html"),
	}
	if f.Author == "" {
		f.Author = f.Title
	}
	for _, p := range b.posts[l.tag] {
		if p.Date.IsZero() {
			continue
		}
		path := address.Post(p.Slug)
		e := feed.Entry{ID: b.atomID(l, path), Title: p.Title, Published: p.Date, Updated: p.Date, Href: b.feedLink(l, path), Categories: unique(p.Tags), HTML: string(p.Excerpt)}
		if p.Updated.After(e.Updated) {
			e.Updated = p.Updated
		}
		if b.base != "" {
			e.Base = b.feedLink(l, "index.html")
		}
		f.Entries = append(f.Entries, e)
	}
	for _, e := range b.events {
		// The id contains the step's anchor, so it stays the same while the runs do.
		id := "#" + e.Anchor + "-" + e.Metric
		if b.base != "" {
			id = b.atomID(l, historyPath) + id
		} else {
			id = b.atomID(l, historyPath+id)
		}
		f.Entries = append(f.Entries, feed.Entry{ID: id, Title: l.Printer.Say(e.Title), Published: e.time, Updated: e.time,
			Href: b.feedLink(l, e.page) + "#" + e.Anchor, Categories: []string{l.Printer.Words("page.history")}, Text: l.Printer.Say(e.Detail)})
	}
	data, err := f.Atom()
	return file{path: l.dir + "feed.xml", data: data}, err
}

func (b *contents) feedLink(l *language, path string) string {
	if b.base == "" {
		return address.Escape(path)
	}
	return b.base + address.Escape(l.dir+path)
}

// atomID returns the id of a page: its address, or without a base address a UUID of its name.
func (b *builder) atomID(l *language, path string) string {
	if b.base != "" {
		return b.base + address.Escape(l.dir+path)
	}
	return feed.UUID(b.languages[0].Printer.Say(b.Title) + "\x00" + l.dir + path)
}

// sitemap lists the pages. The pages of runs come last, and are cut at the protocol's limit; they are all linked from
// the tables of results.
func (b *builder) sitemap() (file, error) {
	var urls []feed.URL
	add := func(l *language, path, mod string) {
		urls = append(urls, feed.URL{Loc: b.base + address.Escape(l.dir+path), LastMod: mod})
	}
	for _, l := range b.languages {
		for _, s := range b.shownSections() {
			add(l, s.path, "")
		}
		if b.manyPosts() {
			for i := range postsPages(len(b.posts[l.tag])) {
				add(l, address.Page(postsPath, i), "")
			}
		}
		if b.hasTags() {
			for _, path := range slices.Sorted(maps.Keys(tagged(b.compose(l, "posts", "index.html", "").postEntries()))) {
				add(l, path, "")
			}
		}
		for _, p := range b.posts[l.tag] {
			mod := p.Date
			if p.Updated.After(mod) {
				mod = p.Updated
			}
			add(l, address.Post(p.Slug), isoDay(mod))
		}
		for i := range b.Documents {
			if p := &b.Documents[i]; p.Lang == l.tag && p.Slug != "" { // the index is a section
				add(l, manual.Path(p.Slug), "")
			}
		}
		for _, m := range b.subjects().models {
			add(l, b.Names.Model(m.ID), "")
		}
		for _, m := range b.subjects().boards {
			add(l, b.Names.Hardware(m.ID), "")
		}
		for _, m := range b.subjects().loads {
			add(l, b.Names.Load(m.Label, m.Name), "")
		}
	}
	for _, r := range b.results {
		for _, l := range b.languages {
			add(l, b.Names.Run(r.ID), "")
		}
	}
	data, err := feed.Sitemap(urls)
	return file{path: "sitemap.xml", data: data}, err
}
