// Package feed writes files of a site for other programs: an Atom feed of news (RFC 4287), a sitemap (sitemaps.org) and
// robots.txt.
//
//	data, err := feed.Feed{Lang: "en", ID: address, Title: "Bench", Author: "Lin", Entries: entries}.Atom()
package feed

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"fmt"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/visible"
)

// Feed holds the news of a site in one language. Its update time is that of the latest entry.
type Feed struct {
	Lang       string // a tag such as "zh-CN"
	ID         string // a permanent URI
	Title      string
	Author     string
	Self, Home string // links to the feed and to the front page
	Entries    []Entry
}

// Entry is one item of news.
type Entry struct {
	ID, Title          string
	Published, Updated time.Time
	Href               string
	Categories         []string
	HTML               string // the content, as HTML
	Text               string
	Base               string // base of relative links in HTML; "" for the feed's address
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

// MostEntries is the maximum number of entries in a feed. Readers load a feed often, and only for what is new.
const MostEntries = 100

// Atom writes the feed with the latest MostEntries entries, the latest first.
func (f Feed) Atom() ([]byte, error) {
	entries := slices.Clone(f.Entries)
	slices.SortStableFunc(entries, func(x, y Entry) int { return y.Updated.Compare(x.Updated) })
	entries = entries[:min(len(entries), MostEntries)]
	out := atomFeed{Lang: f.Lang, ID: f.ID, Title: f.Title, Author: &atomAuthor{f.Author}, Links: []atomLink{
		{"self", "application/atom+xml", f.Self},
		{"alternate", "text/html", f.Home},
	}}
	for _, e := range entries {
		one := atomEntry{ID: e.ID, Title: e.Title, Published: e.Published.Format(time.RFC3339), Updated: e.Updated.Format(time.RFC3339),
			Link: atomLink{"alternate", "text/html", e.Href}}
		for _, c := range e.Categories {
			one.Categories = append(one.Categories, atomCategory{c})
		}
		switch {
		case e.HTML != "":
			one.Summary = &atomText{Type: "html", Base: e.Base, Text: e.HTML}
		case e.Text != "":
			one.Summary = &atomText{Type: "text", Text: e.Text}
		}
		out.Entries = append(out.Entries, one)
	}
	var latest time.Time
	if len(entries) > 0 {
		latest = entries[0].Updated
	}
	out.Updated = latest.Format(time.RFC3339)
	return encode(out)
}

// UUID returns the URI of a UUID derived from a name (RFC 9562, version 8). It identifies pages without an address.
func UUID(name string) string {
	h := sha256.Sum256([]byte(name))
	h[6] = h[6]&0x0f | 0x80
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", h[:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// MostURLs is the maximum number of pages in a sitemap.
const MostURLs = 50000

// URL is a page in a sitemap: its address, and the day of its last change such as 2026-01-15, or "".
type URL struct {
	Loc     string `xml:"loc"`
	LastMod string `xml:"lastmod,omitempty"`
}

// Sitemap writes a sitemap of the first MostURLs pages.
func Sitemap(urls []URL) ([]byte, error) {
	return encode(struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []URL    `xml:"url"`
	}{URLs: urls[:min(len(urls), MostURLs)]})
}

// Robots writes robots.txt: it allows everything and names the sitemap.
func Robots(sitemap string) []byte {
	return []byte("User-agent: *\nAllow: /\nSitemap: " + sitemap + "\n")
}

func encode(v any) ([]byte, error) {
	buf := bytes.NewBufferString(xml.Header)
	enc := xml.NewEncoder(buf)
	enc.Indent("", " ")
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	buf.WriteByte('\n')
	return visible.Bytes(buf.Bytes()), nil
}
