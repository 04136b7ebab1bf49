// Package redirect makes the page that is left at an old address. It leads to the new one by
// itself, also from a folder, and names it to search engines and to readers whose browser does
// not follow:
//
//	data := redirect.Page{Lang: "en", Title: "Qwen3", Words: "This page has moved to", To: "../new/index.html"}.HTML()
package redirect

import (
	"bytes"
	"html/template"
)

// Page is what is at the old address.
type Page struct {
	Lang      string // a tag, as "zh-CN"
	Title     string // of the page it leads to
	Words     string // before the link to it
	To        string // reference to it, escaped
	Canonical string // its absolute address, "" where the site's is not known
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
		panic(err) // the layout asks for nothing that is not there
	}
	return b.Bytes()
}
