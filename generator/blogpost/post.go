// Package blogpost writes posts for other publishing systems: for Jekyll (Post), for Hugo (HugoPost), or as
// Markdown (PlainPost). For each there are functions that return the path of the file and its contents: front
// matter, if the system uses it, and the body. A Writer writes the blocks in the same form:
//
//	w := blogpost.Writer{Printer: p, Form: blogpost.Hugo}
//	w.Table(table)                                  // Markdown, with everything escaped
//	blogpost.HugoPost(doc, fill, "card.png", foot)  // the whole file
//
// Text that Jekyll 4.3 and 3.10, Hugo's goldmark or a reader of CommonMark would interpret as markup is
// escaped. Data cannot run Liquid or shortcodes.
package blogpost

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/document"
)

// Options are settings for posts from the site's [jekyll] table.
type Options struct {
	Language  string   // language of the blog; posts in other languages have theirs in the file name
	Permalink string   // of the blog's posts: a named style of Jekyll or a template; "" means Jekyll's default
	Layout    string   // for posts that name none: "single", "post"; "" omits it
	Image     string   // address of the post's image; "" keeps the author's image
	Cover     []string // keys for that image: "image", "header.teaser"
	Omit      []string // keys of the front matter that are not written
	Foot               // end of the post
}

// Path returns the path of the post in a Jekyll site, such as "_posts/2025-10-12-slug.md" or, if its language
// is not that of the blog, "_posts/2025-10-12-slug-en.md". The day is in the time zone of the date itself.
func Path(d *document.Document, opt Options) string {
	return "_posts/" + d.Front.Date.Format("2006-01-02") + "-" + name(d, d.Slug, opt) + ".md"
}

// name returns Jekyll's name for a post with a slug.
func name(d *document.Document, slug string, opt Options) string {
	if opt.Language != "" && d.Lang != opt.Language {
		return Slug(slug) + "-" + strings.ToLower(d.Lang)
	}
	return Slug(slug)
}

// Slug makes a name suitable for files and addresses. It keeps letters of all scripts, digits, dots and
// underscores, and replaces everything else by hyphens. A long slug is cut and ends with a hash of the whole
// name.
func Slug(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '.' || r == '_' {
			b.WriteRune(r)
		} else if !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	slug := strings.Trim(b.String(), "-._")
	switch {
	case slug == "":
		return "post"
	case len(slug) > mostSlug: // file systems limit the length of names
		sum := sha256.Sum256([]byte(s))
		slug = strings.TrimRight(strings.ToValidUTF8(slug[:mostSlug-13], ""), "-._") + "-" + hex.EncodeToString(sum[:6])
	}
	return slug
}

// mostSlug is the maximum length of a slug in bytes.
const mostSlug = 90

// Post returns the whole file of a post for Jekyll. fill renders the blocks, usually with a [Writer].
func Post(d *document.Document, fill Fill, opt Options) ([]byte, error) {
	buf := bytes.NewBuffer(front(d, opt))
	buf.WriteByte('\n')
	err := d.Markdown(buf, filled{fill}, Jekyll)
	opt.Foot.write(buf, Jekyll)
	return buf.Bytes(), err
}

// redirects is the key with which the plugin jekyll-redirect-from creates pages at old addresses.
const redirects = "redirect_from"

// front returns the front matter with its fences. Keys that the author added override the generated ones.
func front(d *document.Document, opt Options) []byte {
	own := make(map[string]bool)
	for _, f := range d.Front.Extra {
		own[f.Key] = true
	}
	b := []byte("---\n")
	add := func(key string, value any) {
		if own[key] || value == "" {
			return
		}
		b = appendField(b, document.Field{Key: key, Value: value}, 0)
	}
	f := &d.Front
	layout := f.Layout
	if layout == "" {
		layout = opt.Layout
	}
	add("layout", layout)
	add("title", f.Title)
	add("date", f.Date)
	add("lang", d.Lang)
	for _, l := range []struct {
		key  string
		list document.List
	}{{"categories", f.Categories}, {"tags", f.Tags}} {
		switch {
		case l.list.Plain:
			add(l.key, l.list.Items[0])
		case len(l.list.Items) > 0:
			items := make([]any, len(l.list.Items))
			for i, s := range l.list.Items {
				items[i] = s
			}
			b = appendField(b, document.Field{Key: l.key, Value: items}, 0)
		}
	}
	add("excerpt", f.Excerpt)
	if d.More {
		add("excerpt_separator", "<!--more-->")
	}
	add("image", f.Image)
	if opt.Image != "" {
		for _, f := range cover(opt.Cover, opt.Image) {
			add(f.Key, f.Value)
		}
	}
	add("description", f.Description)
	add("author", f.Author)
	if f.Draft {
		add("published", false)
	}
	if d.Math { // themes load the script for formulas only if this is set
		add("math", true)
	}
	old := oldAddresses(d, opt)
	for _, e := range f.Extra {
		if e.Key == redirects && len(old) > 0 {
			if several, ok := e.Value.([]any); ok {
				old = slices.Concat(several, old)
			} else {
				old = slices.Insert(old, 0, e.Value)
			}
			continue
		}
		if !slices.Contains(opt.Omit, e.Key) {
			b = appendField(b, e, 0)
		}
	}
	if len(old) > 0 {
		b = appendField(b, document.Field{Key: redirects, Value: old}, 0)
	}
	return append(b, "---\n"...)
}

// cover returns fields with the address of a post's image under some keys. Keys of the same table, such as
// "header.teaser" and "header.og_image", are grouped.
func cover(keys []string, image string) []document.Field {
	var fields []document.Field
	for _, key := range keys {
		table, below, nested := strings.Cut(key, ".")
		if !nested {
			fields = append(fields, document.Field{Key: key, Value: image})
			continue
		}
		i := slices.IndexFunc(fields, func(f document.Field) bool { return f.Key == table })
		if i < 0 {
			i = len(fields)
			fields = append(fields, document.Field{Key: table, Value: []document.Field(nil)})
		}
		fields[i].Value = append(fields[i].Value.([]document.Field), document.Field{Key: below, Value: image})
	}
	return fields
}
