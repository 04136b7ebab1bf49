package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/page/address"
)

// assets are the files every page leans on, and those that the site's layouts
// bring along.
func (b *builder) assets() ([]file, error) {
	style, err := b.style()
	if err != nil {
		return nil, err
	}
	icon, err := b.readLayout("favicon.svg")
	if err != nil {
		return nil, err
	}
	static, err := b.static()
	files := []file{{"style.css", style}, {"favicon.svg", icon}}
	return append(files, static...), err
}

// style is the style sheet of all pages: the built-in one, what charts need, and
// last the site's own.
func (b *builder) style() ([]byte, error) {
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

// static are the files below static/ of the site's layouts, as they are.
func (b *builder) static() ([]file, error) {
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
		files = append(files, file{name, data})
		return err
	})
	return files, err
}

// indexes are the files made for machines, and the page for addresses that
// lead nowhere.
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
		robots := "User-agent: *\nAllow: /\nSitemap: " + b.base + "sitemap.xml\n"
		files = append(files, sitemap, file{"robots.txt", []byte(robots)})
	}
	return files, nil
}

// notFound is served for any address, so that nothing relative holds in it:
// it carries its style with it and links to the absolute address, if known.
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
	data, err := l.execute("404", "404.html", &Page{Title: l.Printer.Words("page.404"), Data: d})
	return file{"404.html", data}, err
}

// notFoundData is the data of 404.html.
type notFoundData struct {
	Style template.URL // the style sheet itself, as an address
	Homes []home
}

// home is the front page of a language, and what to say to who is lost.
type home struct {
	Lang, Words, Site string
	Href              template.URL
}

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  *atomAuthor `xml:"author"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr"`
	Type string `xml:"type,attr"`
	Href string `xml:"href,attr"`
}

type atomEntry struct {
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published"`
	Updated    string         `xml:"updated"`
	Link       atomLink       `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Summary    *atomText      `xml:"summary"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

type atomText struct {
	Type string `xml:"type,attr"`
	Base string `xml:"xml:base,attr,omitempty"`
	Text string `xml:",chardata"`
}

// hasFeed tells whether there is anything to feed: a feed needs a date.
func (b *builder) hasFeed(l *language) bool {
	return len(b.posts[l.tag]) > 0 && !b.posts[l.tag][0].Date.IsZero() || len(b.events) > 0
}

// feed is the Atom feed of a language (RFC 4287): its posts, and the changes of level
// in the trends. Its times are those of the posts and of the runs. Without a base address its links are relative to itself, and its ids
// are made from the names.
func (b *builder) feed(l *language) (file, error) {
	f := atomFeed{
		Lang:   l.tag,
		ID:     b.atomID(l, "index.html"),
		Title:  l.Printer.Say(b.Title),
		Author: &atomAuthor{b.Author},
		Links: []atomLink{
			{"self", "application/atom+xml", b.feedLink(l, "feed.xml")},
			{"alternate", "text/html", b.feedLink(l, "index.html")},
		},
	}
	if b.Author == "" {
		f.Author.Name = f.Title
	}
	var latest time.Time
	for _, p := range b.posts[l.tag] {
		if p.Date.IsZero() {
			continue
		}
		updated := p.Date
		if p.Updated.After(updated) {
			updated = p.Updated
		}
		if updated.After(latest) {
			latest = updated
		}
		path := address.Post(p.Slug)
		e := atomEntry{
			ID:        b.atomID(l, path),
			Title:     p.Title,
			Published: p.Date.Format(time.RFC3339),
			Updated:   updated.Format(time.RFC3339),
			Link:      atomLink{"alternate", "text/html", b.feedLink(l, path)},
		}
		for _, t := range unique(p.Tags) {
			e.Categories = append(e.Categories, atomCategory{t})
		}
		if p.Excerpt != "" {
			e.Summary = &atomText{Type: "html", Text: string(p.Excerpt)}
			if b.base != "" {
				e.Summary.Base = b.feedLink(l, "index.html")
			}
		}
		f.Entries = append(f.Entries, e)
	}
	for _, e := range b.events {
		if e.time.After(latest) {
			latest = e.time
		}
		f.Entries = append(f.Entries, b.announce(l, &e))
	}
	f.Updated = latest.Format(time.RFC3339)
	data, err := encodeXML(f)
	return file{l.dir + "feed.xml", data}, err
}

// announce is the entry of a change of level: of the day it came, as long as the runs
// say so.
func (b *builder) announce(l *language, e *event) atomEntry {
	id := "#" + e.Anchor + "-" + e.Metric
	if b.base != "" {
		id = b.atomID(l, historyPath) + id
	} else {
		id = b.atomID(l, historyPath+id)
	}
	day := e.time.Format(time.RFC3339)
	return atomEntry{
		ID: id, Title: l.Printer.Say(e.Title), Published: day, Updated: day,
		Link:       atomLink{"alternate", "text/html", b.feedLink(l, e.page) + "#" + e.Anchor},
		Categories: []atomCategory{{l.Printer.Words("page.history")}},
		Summary:    &atomText{Type: "text", Text: l.Printer.Say(e.Detail)},
	}
}

func (b *builder) feedLink(l *language, path string) string {
	if b.base == "" {
		return address.Escape(path)
	}
	return b.base + address.Escape(l.dir+path)
}

// atomID is a page's address, or, without one, a UUID of its name (RFC 9562,
// version 8) that stays the same from build to build.
func (b *builder) atomID(l *language, path string) string {
	if b.base != "" {
		return b.base + address.Escape(l.dir+path)
	}
	h := sha256.Sum256([]byte(b.languages[0].Printer.Say(b.Title) + "\x00" + l.dir + path))
	h[6] = h[6]&0x0f | 0x80
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// urlsPerSitemap is the limit of the protocol (sitemaps.org).
const urlsPerSitemap = 50000

type sitemapURL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// sitemap lists the pages. Those of runs come last and are cut where the
// protocol ends; the tables of results lead to them all.
func (b *builder) sitemap() (file, error) {
	set := struct {
		XMLName xml.Name     `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []sitemapURL `xml:"url"`
	}{}
	add := func(l *language, path, mod string) {
		set.URLs = append(set.URLs, sitemapURL{b.base + address.Escape(l.dir+path), mod})
	}
	for _, l := range b.languages {
		for _, s := range b.shownSections() {
			add(l, s.path, "")
		}
		for _, p := range b.posts[l.tag] {
			mod := p.Date
			if p.Updated.After(mod) {
				mod = p.Updated
			}
			add(l, address.Post(p.Slug), isoDay(mod))
		}
		for _, m := range b.models {
			add(l, address.Model(m.ID), "")
		}
		for _, m := range b.boards {
			add(l, address.Hardware(m.ID), "")
		}
		for _, m := range b.loads {
			add(l, address.Load(m.Label, m.Name), "")
		}
	}
	for _, r := range b.results {
		for _, l := range b.languages {
			add(l, address.Run(r.ID), "")
		}
	}
	set.URLs = set.URLs[:min(len(set.URLs), urlsPerSitemap)]
	data, err := encodeXML(set)
	return file{"sitemap.xml", data}, err
}

func encodeXML(v any) ([]byte, error) {
	buf := bytes.NewBufferString(xml.Header)
	enc := xml.NewEncoder(buf)
	enc.Indent("", " ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	buf.WriteByte('\n')
	return buf.Bytes(), nil
}
