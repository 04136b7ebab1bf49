// Package redirect makes the page that remains at an old address. It redirects to the new one, also when opened from a
// folder, and links to it for search engines and for readers whose browser does not redirect:
//
//	data := redirect.Page{Lang: "en", Title: "Qwen3", Words: "This page has moved to", To: "../new/index.html"}.HTML()
package redirect

import (
	"bytes"
	"html/template"
)

// Page is the page at the old address.
type Page struct {
	Lang      string // a tag such as "zh-CN"
	Title     string // title of the new page
	Words     string // text before the link to the new page
	To        string // link to the new page, escaped
	Canonical string // absolute address of the new page; "" if unknown
}

var layout = template.Must(template.New("").Parse(`<!DOCTYPE html>
<html lang="{{.Lang}}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'">
<meta http-equiv="refresh" content="0; url={{.To}}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{{.Title}}</title>
<link rel="canonical" href="{{.Canonical}}">
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p>{{.Words}} <a href="{{.To}}">{{.Title}}</a></p>
</main>
</body>
</html>
`))

// HTML returns the page.
func (p Page) HTML() []byte {
	if p.Canonical == "" {
		p.Canonical = p.To
	}
	var b bytes.Buffer
	type data struct {
		Page
		To, Canonical template.URL
	}
	if err := layout.Execute(&b, data{p, template.URL(p.To), template.URL(p.Canonical)}); err != nil {
		panic(err) // cannot happen: the layout uses only existing fields
	}
	return b.Bytes()
}
