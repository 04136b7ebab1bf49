// Package meta writes metadata into the head of a page for search engines and link previews: a description, Open Graph,
// and JSON-LD with the vocabulary of schema.org.
//
//	html := meta.Page{Site: "Bench", Title: "Qwen3-8B", Lang: "en", URL: address, Description: text}.HTML()
//
// All addresses are absolute. Elements that need an unknown address ("") are omitted. Texts may contain any characters;
// they are escaped.
package meta

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html/template"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/visible"
)

// Page is the metadata of a page.
type Page struct {
	Site        string // title of the site
	Title       string // title of the page; "" on the front page
	Description string // plain text of any length; see Short
	Lang        string // its tag, "zh-CN"
	URL         string
	Image       Image
	Trail       []Step // from the front page to the parent of this page
	Article     *Article
	Data        *Dataset // the data that the page shows; nil for none
}

// Image is the preview picture of a page.
type Image struct {
	URL, Alt      string
	Width, Height int // in pixels; 0 if unknown
}

// Step is an ancestor of a page.
type Step struct{ Name, URL string }

// Article is the metadata of a page with a text of its own.
type Article struct {
	Type                string // schema.org type: "BlogPosting", "TechArticle"
	Published, Modified string // days, "2026-01-15"; "" when unknown
	Authors             []cite.Author
	Tags                []string
}

// HTML returns the elements for the head of the page.
func (p Page) HTML() template.HTML {
	var w parts.Writer
	meta := func(attribute, name, content string) {
		if content != "" {
			w.Tag("<meta ", attribute, `="`, name, `" content="`)
			w.Text(content)
			w.Tag("\">\n")
		}
	}
	// One element for both: name is for HTML, property for Open Graph.
	meta(`name="description" property`, "og:description", Short(p.Description, shortest))
	kind := "website"
	if p.Article != nil {
		kind = "article"
	}
	meta("property", "og:type", kind)
	meta("property", "og:title", cmp.Or(p.Title, p.Site))
	meta("property", "og:site_name", p.Site)
	meta("property", "og:url", p.URL)
	if strings.Contains(p.Lang, "-") { // Open Graph has no languages without a territory
		meta("property", "og:locale", strings.ReplaceAll(p.Lang, "-", "_"))
	}
	card := "summary"
	if p.Image.URL != "" {
		card = "summary_large_image"
		meta("property", "og:image", p.Image.URL)
		if p.Image.Width > 0 && p.Image.Height > 0 {
			meta("property", "og:image:width", strconv.Itoa(p.Image.Width))
			meta("property", "og:image:height", strconv.Itoa(p.Image.Height))
		}
		meta("property", "og:image:alt", p.Image.Alt)
	}
	if a := p.Article; a != nil {
		meta("property", "article:published_time", a.Published)
		meta("property", "article:modified_time", a.Modified)
		for _, tag := range a.Tags {
			meta("property", "article:tag", tag)
		}
	}
	meta("name", "twitter:card", card)
	if data := p.JSON(); data != nil {
		w.Tag(`<script type="application/ld+json">`, string(data), "</script>\n")
	}
	return w.HTML()
}

// JSON returns the page as JSON-LD, nil if there is none. It can be written into HTML unchanged: characters that could
// end its element or an attribute are escaped.
func (p Page) JSON() []byte {
	var graph []any
	if p.Title == "" {
		graph = append(graph, thing{Type: "WebSite", Name: clean(p.Site), Description: described(p.Description), URL: p.URL, Language: p.Lang})
	}
	if a := p.Article; a != nil {
		graph = append(graph, article{
			Type: a.Type, Headline: Short(clean(p.Title), longestHeadline), Description: described(p.Description), URL: p.URL, Language: p.Lang,
			Published: a.Published, Modified: a.Modified, Authors: people(a.Authors), Image: p.Image.URL, Keywords: keywords(a.Tags),
		})
	}
	if p.Data != nil {
		graph = append(graph, p.Data.thing(p))
	}
	if trail := p.trail(); trail != nil {
		graph = append(graph, *trail)
	}
	if graph == nil {
		return nil
	}
	data, err := json.Marshal(struct {
		Context string `json:"@context"`
		Graph   []any  `json:"@graph"`
	}{"https://schema.org", graph})
	if err != nil {
		panic(err) // cannot fail for texts and numbers
	}
	return bytes.ReplaceAll(data, []byte("'"), []byte(`\u0027`)) // json.Marshal escapes <, > and &
}

// longestHeadline is the maximum length of a headline before search engines shorten it.
const longestHeadline = 110

// trail returns the breadcrumbs of the page. It is nil if the site has no address, and for the front page.
func (p Page) trail() *breadcrumbs {
	if p.URL == "" || len(p.Trail) == 0 {
		return nil
	}
	list := &breadcrumbs{Type: "BreadcrumbList"}
	for i, step := range append(p.Trail[:len(p.Trail):len(p.Trail)], Step{p.Title, p.URL}) {
		list.Items = append(list.Items, crumb{"ListItem", i + 1, clean(step.Name), step.URL})
	}
	return list
}

// The schema.org types, with the properties that are used.
type (
	thing struct {
		Type        string `json:"@type"`
		ID          string `json:"@id,omitempty"`
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		URL         string `json:"url,omitempty"`
		Language    string `json:"inLanguage,omitempty"`
	}

	article struct {
		Type        string   `json:"@type"`
		Headline    string   `json:"headline"`
		Description string   `json:"description,omitempty"`
		URL         string   `json:"url,omitempty"`
		Language    string   `json:"inLanguage,omitempty"`
		Published   string   `json:"datePublished,omitempty"`
		Modified    string   `json:"dateModified,omitempty"`
		Authors     []person `json:"author,omitempty"`
		Image       string   `json:"image,omitempty"`
		Keywords    []string `json:"keywords,omitempty"`
	}

	breadcrumbs struct {
		Type  string  `json:"@type"`
		Items []crumb `json:"itemListElement"`
	}

	crumb struct {
		Type     string `json:"@type"`
		Position int    `json:"position"`
		Name     string `json:"name"`
		Item     string `json:"item"`
	}

	person struct {
		Type   string `json:"@type"`
		Name   string `json:"name"`
		SameAs string `json:"sameAs,omitempty"`
	}
)

// people converts authors. An author with a family name or an ORCID is a person, others are organizations.
func people(authors []cite.Author) []person {
	var all []person
	for _, a := range authors {
		one := person{Type: "Organization", Name: clean(a.String())}
		if a.Name == "" || a.ORCID != "" {
			one.Type = "Person"
		}
		if a.ORCID != "" {
			one.SameAs = "https://orcid.org/" + a.ORCID
		}
		if one.Name != "" {
			all = append(all, one)
		}
	}
	return all
}

func keywords(words []string) []string {
	var all []string
	for _, w := range words {
		if w = clean(w); w != "" {
			all = append(all, w)
		}
	}
	return all
}

// clean returns a text as one line with visible control characters.
func clean(s string) string {
	return visible.Text(visible.Words(strings.ToValidUTF8(s, "\uFFFD")))
}
