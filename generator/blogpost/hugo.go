package blogpost

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/document/kramdown"
)

// HugoFolder returns the page bundle of a post in a Hugo site, "content/posts/quant/". All
// languages of a post share it.
func HugoFolder(d *document.Document) string { return "content/posts/" + Slug(d.Name) + "/" }

// HugoPath returns the place of a post in its bundle: "index.zh.md", with the language as the
// post's own file has it.
func HugoPath(d *document.Document) string {
	return HugoFolder(d) + "index" + strings.ToLower(strings.TrimPrefix(path.Base(d.File), d.Name))
}

// HugoLanguage is the language of a post as its file has it, ".zh"; "" where it has none.
func HugoLanguage(d *document.Document) string {
	return path.Ext(strings.TrimSuffix(HugoPath(d), ".md"))
}

// HugoAddress returns the address of another post of a Hugo site, which reports one that leads
// nowhere.
func HugoAddress(d *document.Document) Address {
	lang := ""
	if ending := HugoLanguage(d); ending != "" {
		lang = ` lang="` + ending[1:] + `"`
	}
	return Address{text: `{{< relref path="/` + strings.TrimSuffix(strings.TrimPrefix(HugoFolder(d), "content/"), "/") + `"` + lang + ` >}}`}
}

// HugoPost returns the whole file of a Hugo site. Image is the post's card, relative to the
// bundle; "" keeps the author's.
func HugoPost(d *document.Document, fill Fill, image string, foot Foot) ([]byte, error) {
	var body bytes.Buffer
	err := d.Markdown(&body, filled{fill}, Hugo)
	foot.write(&body, Hugo)
	out := bytes.NewBufferString("---\n")
	for _, f := range hugoFront(d, image, body.String()) {
		out.Write(appendField(nil, f, 0))
	}
	out.WriteString("---\n\n")
	out.Write(body.Bytes())
	return out.Bytes(), err
}

// hugoFront are the fields of the front matter. A key the author wrote beside the known ones
// overrides what is written here by itself.
func hugoFront(d *document.Document, image, body string) []document.Field {
	f := &d.Front
	var fields []document.Field
	add := func(key string, value any) {
		own := slices.ContainsFunc(f.Extra, func(e document.Field) bool { return e.Key == key })
		list, isList := value.([]any)
		if !own && value != "" && (!isList || len(list) > 0) {
			fields = append(fields, document.Field{Key: key, Value: value})
		}
	}
	add("title", f.Title)
	add("date", f.Date.Format(time.RFC3339))
	if slug := Slug(d.Slug); slug != Slug(d.Name) {
		add("slug", slug)
	}
	if f.Draft {
		add("draft", true)
	}
	add("categories", words(f.Categories))
	add("tags", words(f.Tags))
	var old []any
	for _, alias := range f.Aliases { // relative to the bundle's neighbours, in its language
		old = append(old, Slug(alias))
	}
	add("aliases", old)
	add("summary", f.Excerpt)
	add("description", f.Description)
	add("author", f.Author)
	switch {
	case f.Image != "":
		add("image", f.Image)
	case image != "":
		add("cover", []document.Field{{Key: "image", Value: image}, {Key: "relative", Value: true}, {Key: "hidden", Value: true}})
		add("resources", []any{[]document.Field{{Key: "src", Value: strings.TrimSuffix(image, HugoLanguage(d)+path.Ext(image)) + "*"}, {Key: "name", Value: "cover"}}})
	}
	if d.Math {
		add("math", true)
	}
	if strings.Contains(body, kramdown.OpenParam) || strings.Contains(body, kramdown.CommentParam) {
		add("benchpost", []document.Field{{Key: "open", Value: "{{"}, {Key: "comment", Value: "<!--"}})
	}
	for _, e := range f.Extra {
		if e.Key != redirects {
			fields = append(fields, e)
		}
	}
	return fields
}

// words are the entries of a list, of one string its words, as Jekyll takes them.
func words(l document.List) []any {
	items := l.Items
	if l.Plain {
		items = strings.Fields(l.Items[0])
	}
	var list []any
	for _, s := range items {
		list = append(list, s)
	}
	return list
}
