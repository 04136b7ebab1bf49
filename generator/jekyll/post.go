// Package jekyll writes Jekyll posts: the file's name, its YAML front matter,
// and the Markdown of tables, raw output and images, so that Jekyll 4.3 and
// 3.10 render them as they were meant.
package jekyll

import (
	"bytes"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/document/kramdown"
)

// Options are what posts take from the site's [jekyll] table.
type Options struct {
	Language   string   // posts in another language have it in their file's name
	Layout     string   // for posts that name none: "single", "post"; "" writes none
	Image      string   // address of the post's image; "" keeps the author's
	Omit       []string // keys of the front matter that are not for Jekyll
	Provenance string   // of the data, as Provenance writes it; "" for nothing
	Remark     string   // a line at the end of the post, after everything the author wrote; "" for none
}

// Path returns the post's place in a Jekyll site,
// "_posts/2025-10-12-slug.md" or, in another language than the site's,
// "_posts/2025-10-12-slug-en.md". The day is that of the date's own zone.
func Path(d *document.Document, opt Options) string {
	name := d.Front.Date.Format("2006-01-02") + "-" + Slug(d.Slug)
	if opt.Language != "" && d.Lang != opt.Language {
		name += "-" + strings.ToLower(d.Lang)
	}
	return "_posts/" + name + ".md"
}

// Slug makes a name fit for files and addresses: letters of every script,
// digits, dots and underscores stay, all else becomes a hyphen.
func Slug(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.In(r, unicode.L, unicode.M, unicode.N) || r == '.' || r == '_' {
			b.WriteRune(r)
		} else if !strings.HasSuffix(b.String(), "-") {
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-._"); s != "" {
		return s
	}
	return "post"
}

// Post returns the whole file. Fill renders the blocks as Markdown, by Table,
// Raw and Image.
func Post(d *document.Document, fill document.Fill, opt Options) ([]byte, error) {
	buf := bytes.NewBuffer(front(d, opt))
	buf.WriteByte('\n')
	err := d.Markdown(buf, fill)
	if opt.Remark != "" {
		buf.WriteString("\n" + kramdown.Text(clean(opt.Remark), kramdown.Block) + "\n")
	}
	buf.WriteString(opt.Provenance)
	return buf.Bytes(), err
}

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
	layout, image := f.Layout, f.Image
	if layout == "" {
		layout = opt.Layout
	}
	if opt.Image != "" {
		image = opt.Image
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
	add("image", image)
	add("description", f.Description)
	add("author", f.Author)
	if f.Draft {
		add("published", false)
	}
	for _, e := range f.Extra {
		if !slices.Contains(opt.Omit, e.Key) {
			b = appendField(b, e, 0)
		}
	}
	return append(b, "---\n"...)
}

// Raw returns the output of a tool as a fenced code block that Liquid leaves
// alone. Info is the language of the block, "" for none. Control characters,
// which neither HTML nor feeds can contain, are shown as replacements.
func Raw(text, info string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\ufffd"), "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
			return r
		}
		return '\ufffd'
	}, text)
	return kramdown.Fence(text, info, false) + "\n"
}

// Image returns an image. The address is written as it is: it comes from Asset.
func Image(alt, address string) string {
	var in kramdown.Inline
	in.Image(strings.ToValidUTF8(alt, "\ufffd"), address, "")
	return string(in.Append(nil, kramdown.Block)) + "\n"
}

// Picture writes a picture that has a form for dark pages, which Markdown has no
// way to say.
func Picture(alt, address, dark string) string {
	return fmt.Sprintf("<picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"%s\"><img src=\"%s\" alt=\"%s\"></picture>\n",
		dark, address, html.EscapeString(strings.ToValidUTF8(alt, "\ufffd")))
}

// Reference writes a paragraph that is a link.
func Reference(text, address string) string {
	var in kramdown.Inline
	in.OpenLink()
	in.Text(strings.ToValidUTF8(text, "\ufffd"))
	in.CloseLink(address, "")
	return string(in.Append(nil, kramdown.Block)) + "\n"
}

// Asset returns the address of a file of the site, as
// "assets/benchpost/slug/x.png". Without a prefix Jekyll is asked to put its
// baseurl before it; with one, a path or an absolute address, that is put
// before it, and no Jekyll is needed.
func Asset(prefix, path string) string {
	path = (&url.URL{Path: "/" + strings.TrimLeft(path, "/")}).EscapedPath()
	path = kramdown.Address(path)
	if prefix != "" {
		return strings.TrimRight(prefix, "/") + path
	}
	return `{{ "` + path + `" | relative_url }}`
}
