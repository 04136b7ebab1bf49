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

// HugoFolder returns the page bundle of a post in a Hugo site, such as "content/posts/quant/". All languages of
// a post share it.
func HugoFolder(d *document.Document) string { return "content/posts/" + Slug(d.Name) + "/" }

// HugoPath returns the path of a post in its bundle, such as "index.zh.md". The language is written as in the
// name of the source file.
func HugoPath(d *document.Document) string {
	return HugoFolder(d) + "index" + strings.ToLower(strings.TrimPrefix(path.Base(d.File), d.Name))
}

// HugoLanguage returns the language of a post as in the name of its source file, such as ".zh", or "" if the
// name has none.
func HugoLanguage(d *document.Document) string {
	return path.Ext(strings.TrimSuffix(HugoPath(d), ".md"))
}

// HugoAddress returns the address of another post of a Hugo site. Hugo reports an error if that post does not
// exist.
func HugoAddress(d *document.Document) Address {
	lang := ""
	if ending := HugoLanguage(d); ending != "" {
		lang = ` lang="` + ending[1:] + `"`
	}
	return Address{text: `{{< relref path="/` + strings.TrimSuffix(strings.TrimPrefix(HugoFolder(d), "content/"), "/") + `"` + lang + ` >}}`}
}

// HugoPost returns the whole file of a post for a Hugo site. image is the card image of the post, relative to
// the bundle. If it is "", the author's image is kept.
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

// hugoFront returns the fields of the front matter. Keys that the author added override the generated ones.
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
	for _, alias := range f.Aliases { // relative to the parent of the bundle, in the same language
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

// words returns the items of a list. A single string is split into words, as Jekyll does.
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
