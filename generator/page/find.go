package page

import (
	"html/template"
	"slices"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/find"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/page/script"
	"github.com/benchpost/benchpost/generator/result"
)

// searchData is the data of search.html: the sections, for readers without scripts.
type searchData struct {
	Groups []sectionGroup
}

// sectionGroup is a group of sections with a heading.
type sectionGroup struct {
	Title   string
	Entries []startEntry
}

// searchPage is the page of the search. Its script searches. Without the script it lists the sections with their
// purposes.
func (v *composer) searchPage() (any, error) {
	v.pg.Description = v.l.Printer.Words("page.search.lead")
	d := &searchData{}
	for _, name := range indexGroups {
		group := sectionGroup{Title: v.l.Printer.Words("page.index." + name)}
		for _, s := range v.l.sections {
			if s.group != name || s.name == "search" {
				continue
			}
			group.Entries = append(group.Entries, v.l.sectionEntry(s, v.pg.home))
		}
		d.Groups = append(d.Groups, group)
	}
	v.l.enliven(v.pg, script.Find)
	return d, nil
}

// sectionEntry returns a link to a section, with its purpose if there is a text for it.
func (l *language) sectionEntry(s kind, home string) startEntry {
	e := startEntry{Name: l.called(s.name), Href: template.URL(home + s.path)}
	if key := "page.start." + s.name; l.Printer.Has(key) {
		e.Words = l.Printer.Words(key)
	}
	return e
}

// findArtifact returns the search index of a language.
func findArtifact(b *builder, l *language) artifact {
	path := data.Path(find.Name(l.tag))
	from := func() result.Stamp {
		return b.made(l, "search", func(s *result.Stamper) {
			s.Stamp(b.everything())
			for i := range b.Documents {
				s.Text(b.Documents[i].Lang, b.Documents[i].Slug, b.Documents[i].Title)
				s.Value(b.Documents[i].Headings)
			}
		})
	}
	return artifact{path, from, func() ([]file, error) {
		return []file{{path: path, data: data.Script(find.Name(l.tag), findIndex(b, l).JSON())}}, nil
	}}
}

// findIndex lists what can be found, the more general entries first.
func findIndex(b *builder, l *language) *find.Index {
	p := l.Printer
	names := l.names()
	x := &find.Index{Words: p.Forms("find."), Runs: names.Data, Names: find.Names{Paths: names.Paths, Values: names.Values}}
	x.Words["page.runs"], x.Words["compare.failed"] = p.Words("page.runs"), p.Words("compare.failed")
	v := b.compose(l, "search", "index.html", "")

	sections := x.Kind(p.Words("page.index"))
	for _, s := range l.sections {
		entry := l.sectionEntry(s, "")
		sections.Add(entry.Name, string(entry.Href), entry.Words)
	}
	posts := x.Kind(p.Words("page.posts"))
	for _, post := range v.postEntries() {
		posts.Add(post.Title, string(post.Href), slices.Concat([]string{post.Date}, post.Tags)...)
	}
	models := x.Kind(p.Words("page.models"))
	for _, m := range b.subjects().models {
		id := m.ID
		if id == m.name(p) {
			id = ""
		}
		models.Add(m.name(p), address.Escape(b.Names.Model(m.ID)), id, m.quantization(), m.Params)
	}
	boards := x.Kind(p.Words("page.hardware"))
	for _, m := range b.subjects().boards {
		title := l.Value("hardware", m.ID)
		boards.Add(title, address.Escape(b.Names.Hardware(m.ID)), m.Product)
	}
	loads := x.Kind(p.Words("page.loads"))
	for _, m := range b.subjects().loads {
		loads.Add(l.Value(m.Label, m.Name), address.Escape(b.Names.Load(m.Label, m.Name)), p.Label(m.Label))
	}
	if b.hasTags() {
		tags := x.Kind(p.Words("page.tags"))
		for _, tag := range v.tagEntries() {
			tags.Add(tag.Name, string(tag.Href))
		}
	}
	addMethod(x, v)
	documents, headings := x.Kind(l.manual), x.Kind(p.Words("find.headings"))
	for i := range b.Documents {
		if doc := &b.Documents[i]; doc.Lang == l.tag {
			documents.Add(doc.Title, manual.Path(doc.Slug))
			addHeadings(headings, doc.Title, manual.Path(doc.Slug), doc.Headings)
		}
	}
	for _, post := range b.posts[l.tag] {
		addHeadings(headings, post.Title, address.Escape(address.Post(post.Slug)), post.Headings)
	}
	return x
}

// addMethod adds the definitions of the methodology page.
func addMethod(x *find.Index, v *composer) {
	p := v.l.Printer
	metrics := x.Kind(p.Words("find.metrics"))
	for _, group := range v.definitions(p) {
		for _, m := range group.Entries {
			metrics.Add(m.Name, address.Methodology+"#"+m.ID, m.Code)
		}
	}
	rules := x.Kind(p.Words("find.checks"))
	for _, rule := range v.Method.Rules {
		rules.Add(p.Say(rule.Title), address.Methodology+"#"+parts.CheckAnchor+rule.ID, rule.ID)
	}
}

// addHeadings adds the headings of a page.
func addHeadings(k *find.Kind, page, path string, headings []Heading) {
	for _, h := range headings {
		k.Add(h.Text, path+"#"+h.ID, page)
	}
}
