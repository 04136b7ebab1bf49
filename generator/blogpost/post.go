// Package blogpost writes posts for others to publish: for Jekyll (Post), for Hugo (HugoPost), or
// as Markdown alone (PlainPost). Each has a place for the file, front matter where it takes some,
// and a body, whose blocks a Writer writes in the same form:
//
//	w := blogpost.Writer{Printer: p, Form: blogpost.Hugo}
//	w.Table(table)                                  // Markdown, with everything escaped
//	blogpost.HugoPost(doc, fill, "card.png", foot)  // the whole file
//
// What Jekyll 4.3 and 3.10, Hugo's goldmark or a reader of CommonMark would take for markup is
// escaped, and nothing of the data is run: neither Liquid nor a shortcode.
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

// Options are what posts take from the site's [jekyll] table.
type Options struct {
	Language  string   // posts in another language have it in their file's name
	Permalink string   // of the blog's posts: a style that Jekyll has a name for, or a template; "" is Jekyll's own
	Layout    string   // for posts that name none: "single", "post"; "" writes none
	Image     string   // address of the post's image; "" keeps the author's
	Cover     []string // the keys under which that image is: "image", "header.teaser"
	Omit      []string // keys of the front matter that are not for Jekyll
	Foot               // of the post
}

// Path returns the post's place in a Jekyll site,
// "_posts/2025-10-12-slug.md" or, in another language than the site's,
// "_posts/2025-10-12-slug-en.md". The day is that of the date's own zone.
func Path(d *document.Document, opt Options) string {
	return "_posts/" + d.Front.Date.Format("2006-01-02") + "-" + name(d, d.Slug, opt) + ".md"
}

// name is what Jekyll calls a post with a slug.
func name(d *document.Document, slug string, opt Options) string {
	if opt.Language != "" && d.Lang != opt.Language {
		return Slug(slug) + "-" + strings.ToLower(d.Lang)
	}
	return Slug(slug)
}

// Slug makes a name fit for files and addresses: letters of every script,
// digits, dots and underscores stay, all else becomes a hyphen. A long one ends in a sum
// of the whole.
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
	case len(slug) > mostSlug: // a file's name has an end
		sum := sha256.Sum256([]byte(s))
		slug = strings.TrimRight(strings.ToValidUTF8(slug[:mostSlug-13], ""), "-._") + "-" + hex.EncodeToString(sum[:6])
	}
	return slug
}

// mostSlug is how long a slug may be, in bytes.
const mostSlug = 90

// Post returns the whole file. Fill renders the blocks, by Table, Findings, Raw and Image.
func Post(d *document.Document, fill Fill, opt Options) ([]byte, error) {
	buf := bytes.NewBuffer(front(d, opt))
	buf.WriteByte('\n')
	err := d.Markdown(buf, filled{fill}, Jekyll)
	opt.Foot.write(buf, Jekyll)
	return buf.Bytes(), err
}

// redirects is the key by which the plugin jekyll-redirect-from leaves pages at old addresses.
const redirects = "redirect_from"

// front returns the front matter with its fences. A key the author wrote beside
// the known ones overrides what is written here by itself.
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
	if d.Math { // themes load what sets it only then
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

// cover writes the address of a post's image under some keys, of which those of one table,
// "header.teaser" and "header.og_image", are together.
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
