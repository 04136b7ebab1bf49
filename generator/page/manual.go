package page

import (
	"html/template"
	"iter"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/page/meta"
	"github.com/benchpost/benchpost/generator/result"
)

// manualData is the data of manual.html: a document of the manual, and its place among the others.
type manualData struct {
	Title          string
	ID             string          // of the title, which links to it name; "" for none
	Body           template.HTML   // the finished text
	Headings       []Heading       // of the table of contents; none for a page that needs none
	Source         string          // the file it was written in; "" for a generated index
	Index          manualLink      // the page of the whole manual
	Sections       []manualSection // all other pages
	Previous, Next *manualLink     // absent at the ends
	Translations   []Version       // those that exist
}

// manualSection is a section of the list of pages.
type manualSection struct {
	Title string // "" for none
	Pages []manualLink
}

// manualLink is a link to a page of the manual.
type manualLink struct {
	Title   string
	Href    template.URL
	Lang    string // tag of the language of the page
	Foreign string // name of that language when it is not the page's
	Current bool
}

// hasManual reports whether the site has a manual.
func (b *contents) hasManual() bool { return !b.Manual.Empty() }

// manualArtifacts returns the pages of the manual in a language. There is always an index.
func manualArtifacts(b *builder, l *language) iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		if !b.hasManual() || b.documents[l.tag][""] == nil && !yield(manualArtifact(b, l, &Post{Lang: l.tag})) {
			return
		}
		for i := range b.Documents {
			if p := &b.Documents[i]; p.Lang == l.tag && !yield(manualArtifact(b, l, b.documents[l.tag][p.Slug])) {
				return
			}
		}
	}
}

// manualArtifact returns one page of the manual. It also shows the titles of all others.
func manualArtifact(b *builder, l *language, p *Post) artifact {
	from := func() result.Stamp {
		written := b.Manual.Page(p.Slug, l.tag) != nil
		if written && p.Stamp == (result.Stamp{}) {
			return p.Stamp
		}
		return b.made(l, "manual", func(s *result.Stamper) {
			s.Stamp(p.Stamp)
			for _, other := range b.languages {
				s.Bool(b.Manual.Page(p.Slug, other.tag) != nil)
			}
			for _, section := range b.Manual.Contents(l.tag) {
				s.Text(section.Title)
				for _, one := range section.Pages {
					s.Text(one.Name, one.Lang, one.Title)
				}
			}
		})
	}
	return artifact{l.dir + manual.Path(p.Slug), from, func() ([]file, error) { return manualPage(b, l, *p) }}
}

func manualPage(b *builder, l *language, p Post) ([]file, error) {
	if p.Fill != nil {
		if err := p.Fill(&p); err != nil {
			return nil, err
		}
	}
	d := &manualData{Title: l.manual, Body: p.Body, Source: p.Source, Headings: listed(p.Headings)}
	if written := b.Manual.Page(p.Slug, l.tag); written != nil {
		d.Title, d.ID = written.Title, written.Doc.TitleID
	}
	v := b.compose(l, "manual", manual.Path(p.Slug), d.Title)
	for i := range v.pg.Elsewhere {
		to := &v.pg.Elsewhere[i]
		path := manual.Index
		if to.Same = b.Manual.Page(p.Slug, to.Lang) != nil; to.Same {
			path = manual.Path(p.Slug)
			d.Translations = append(d.Translations, *to)
		}
		to.Href = template.URL(address.Root(l.dir+v.pg.path) + address.Escape(b.dir(to.Lang)+path))
	}
	d.Index = manualLink{Title: l.manual, Href: template.URL(v.pg.home + manual.Index), Lang: l.tag, Current: p.Slug == ""}
	for _, section := range b.Manual.Contents(l.tag) {
		s := manualSection{Title: section.Title}
		for _, one := range section.Pages {
			s.Pages = append(s.Pages, *v.manualLink(one))
		}
		d.Sections = append(d.Sections, s)
	}
	before, after := b.Manual.Beside(p.Slug, l.tag)
	d.Previous, d.Next = v.manualLink(before), v.manualLink(after)
	v.pg.Data, v.pg.charts = d, p.Charts
	v.pg.Description, v.pg.article = meta.Plain(meta.Paragraph(string(p.Body))), articleOf(l.site, "TechArticle", &p)
	return v.finish()
}

// manualLink returns a link from the page to another page of the manual, nil for none.
func (v *composer) manualLink(to *manual.Page) *manualLink {
	if to == nil {
		return nil
	}
	at := v.dir(to.Lang) + manual.Path(to.Name)
	link := &manualLink{Title: to.Title, Href: template.URL(address.Link(v.l.dir+v.pg.path, at)), Lang: to.Lang, Current: at == v.l.dir+v.pg.path}
	for _, other := range v.languages {
		if other != v.l && other.tag == to.Lang {
			link.Foreign = other.Printer.Name()
		}
	}
	return link
}
