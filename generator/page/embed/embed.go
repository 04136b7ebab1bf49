// Package embed makes the page of one chart alone, which pages elsewhere show in a frame. It has
// the chart as SVG, what there is to know of it, and a link to the page that it is from; it needs
// no script and follows the reader's choice of light or dark.
//
//	name := embed.Path("en/", "posts/a/index.html", "throughput") // en/embed/posts/a/throughput.html
//	html := embed.Page{Lang: "en", Title: title, SVG: svg, Root: "../../../../", …}.HTML()
//
// All of them are in one folder of the language, so that a server that forbids frames can allow
// these.
package embed

import (
	"html/template"
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/visible"
)

// Path returns where the page of a chart is: dir is the folder of the language, page the path in it
// of the page that has the chart, name what that calls the chart.
func Path(dir, page, name string) string {
	return dir + "embed/" + strings.TrimSuffix(page, "index.html") + address.Segment(name) + ".html"
}

// Page is the page of a chart.
type Page struct {
	Policy      string // content security policy
	Lang        string
	Title       string // of the chart
	Root        string // leads to the site's root
	SVG, Narrow template.HTML
	Notes       []string
	From        string // title of the page that has the chart
	Site        string
	Source      string // reference to the chart on that page, escaped
	Canonical   string // absolute address of that page; "" for Source
	Words       string // before the link to the source
}

// read is an attribute that scripts read. Quotes within values and texts are escaped.
var read = lazy.Regexp(` data-[a-z]+="[^"]*"`)

// still is a chart without what only scripts need, which is a third of it.
func still(svg template.HTML) string { return read().ReplaceAllString(string(svg), "") }

// HTML returns the page.
func (p Page) HTML() []byte {
	var w parts.Writer
	text := func(before, s, after string) {
		w.Tag(before)
		w.Text(s)
		w.Tag(after)
	}
	canonical := p.Canonical
	if canonical == "" {
		canonical, _, _ = strings.Cut(p.Source, "#")
	}
	text("<!DOCTYPE html>\n<html lang=\"", p.Lang, "\">\n<head>\n<meta charset=\"utf-8\">\n")
	w.Tag(`<meta http-equiv="Content-Security-Policy" content="`, p.Policy, "\">\n") // quotes of its own stay as they are
	w.Tag(`<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
`)
	text("<title>", p.Title+" · "+p.Site, "</title>\n")
	text(`<link rel="canonical" href="`, canonical, "\">\n")
	text(`<link rel="icon" type="image/svg+xml" href="`, p.Root, "favicon.svg\">\n") // or browsers look for one elsewhere
	text(`<link rel="stylesheet" href="`, p.Root, "style.css\">\n</head>\n<body class=\"page-embed\">\n<main>\n")
	text(`<h1 class="aloud">`, p.Title, "</h1>\n")
	w.Tag(`<figure class="chart"><div>`)
	if p.Narrow != "" {
		w.Tag(`<span class="wide">`, still(p.SVG), `</span><span class="narrow" hidden>`, still(p.Narrow), `</span>`)
	} else {
		w.Tag(still(p.SVG))
	}
	w.Tag("</div>\n<figcaption>")
	for _, note := range p.Notes {
		text("<p>", note, "</p>")
	}
	text("<p>", p.Words, "")
	if !strings.HasSuffix(p.Words, "：") {
		w.Tag(" ")
	}
	text(`<a href="`, p.Source, `" target="_blank" rel="noopener">`)
	text("", p.From, "</a>")
	text(" · ", p.Site, "</p></figcaption></figure>\n</main>\n</body>\n</html>\n")
	return visible.Bytes([]byte(w.HTML()))
}
