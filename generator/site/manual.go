package site

import (
	"errors"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// manualFolder returns the folder of the site's manual.
func manualFolder(c *config.Config) manual.Folder {
	return manual.Folder{Dir: c.Pages.Dir, Language: c.Pages.Language, Languages: c.Languages, Except: c.Pages.Except}
}

// readManual lists the documents of the manual in order of their names, reads those that have changed, and arranges
// them all.
func (s *Session) readManual(b *builder, pending *changes) []*memo {
	before := s.documents
	s.documents, s.manual = map[string]*memo{}, nil
	folder := manualFolder(&b.config)
	if folder.Dir == "" {
		return nil
	}
	var names []string
	root := filepath.Join(s.opt.Dir, filepath.FromSlash(folder.Dir))
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(d.Name(), ".") && d.IsDir():
			return fs.SkipDir
		case strings.HasPrefix(d.Name(), ".") || d.IsDir():
			return nil
		}
		rel, err := filepath.Rel(s.opt.Dir, name)
		if _, _, ok := folder.Place(filepath.ToSlash(rel)); ok {
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		s.found = append(s.found, result.Message{Pos: result.Position{File: folder.Dir}, Severity: result.Error, ID: "site.content", Text: locale.Reason(err)})
	}
	read := make([]*memo, len(names))
	cores.Each(len(names), func(i int) {
		name := names[i]
		read[i] = before[name]
		if read[i] == nil || pending.all || pending.touches(name) {
			read[i] = readPage(b, folder, name, read[i])
		}
	})
	var pages []*memo
	var docs []*document.Document
	for i, m := range read {
		s.documents[names[i]] = m
		s.found = append(s.found, m.found...)
		if m.post != nil {
			pages, docs = append(pages, m), append(docs, m.post.doc)
		}
	}
	var found []result.Message
	s.manual, found = folder.Arrange(docs)
	s.found = append(s.found, found...)
	return pages
}

// touches reports whether a file, or a folder that it is in, may have changed.
func (c *changes) touches(name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if c.paths[name] {
			return true
		}
	}
	return false
}

// readPage reads one document. If the text is the same as before, it returns the known memo.
func readPage(b *builder, folder manual.Folder, name string, known *memo) *memo {
	src, m, changed := readSource(b, folder.Dir, name, known, func(why locale.Text) locale.Text { return locale.Textf("a page that %s is not read", why) })
	if !changed {
		return m
	}
	doc, problems := document.Parse(name, src, document.Options{Language: folder.Language, Location: b.config.Location(), Page: true})
	doc.Name, doc.Lang, _ = folder.Place(name)
	doc.Slug, doc.Front.Bare = doc.Name, true
	m.found = problems
	if hasErrors(problems) || doc.Front.Draft && !b.opt.Drafts {
		return m
	}
	printer, _ := locale.For(doc.Lang)
	m.post = newPost(doc, printer, "")
	m.post.manual = true
	if where := doc.Front.Runs; where != "" {
		if selector, err := result.ParseSelector(where); err == nil {
			m.where = &selector
		}
	}
	return m
}

// path returns the path of a post's or a manual page's page in the site.
func (p *post) path(s *page.Site) string {
	return s.PageOf(&page.Post{Lang: p.doc.Lang, Slug: p.doc.Slug, Manual: p.manual})
}

// lead says where a link from a page of the manual to a file leads.
type lead int

const (
	published lead = iota // published beside the pages
	elsewhere             // to the file in the repository
	refused
	missing
)

// leadOf determines where a link to a file leads that is not a page.
func leadOf(b *builder, file string) (lead, *sitefile.Refusal) {
	dir := b.config.Pages.Dir
	if !filepath.IsLocal(filepath.FromSlash(file)) {
		return refused, &sitefile.Refusal{Name: file, Why: locale.Textf("is outside of the site"), Hint: locale.Textf("copy the file into %s", dir+"/")}
	}
	if strings.HasPrefix(file, dir+"/") {
		err := linkable(b.opt, dir).Check(file)
		var no *sitefile.Refusal
		switch {
		case err == nil:
			return published, nil
		case errors.As(err, &no) && !no.Folder:
			return refused, no
		}
	}
	if _, err := os.Stat(b.opt.path(file)); err != nil {
		return missing, nil
	}
	return elsewhere, nil
}

// pageState returns what a manual page with a link to a file depends on, if the file is not a page itself.
func pageState(b *builder, file string) string {
	to, no := leadOf(b, file)
	if no != nil {
		return locale.English(no.Why)
	}
	return [...]string{published: "", elsewhere: "elsewhere", missing: "missing"}[to]
}

// pageLinks checks the links of a manual page to files that are not pages. Files in the manual's folder are published;
// links to other files lead to the repository.
func (p *post) pageLinks(b *builder) []result.Message {
	var ms []result.Message
	report := func(l *document.Link, severity result.Severity, text, hint locale.Text) {
		ms = append(ms, result.Message{Pos: l.Pos, Severity: severity, ID: "manual.link", Text: text, Hint: hint})
	}
	for _, l := range p.doc.Links {
		file, ok := p.localFile(l.Address)
		if _, isPage := p.others[file]; !ok || isPage {
			continue
		}
		if meant := p.pages.Meant(file); meant != nil {
			report(l, result.Info, locale.Textf("%s is not written yet; the link leads to %s", l.Address, meant.Doc.File), locale.Text{})
			continue
		}
		switch to, no := leadOf(b, file); {
		case to == published:
			p.files[l.Address] = file
		case to == refused:
			report(l, result.Error, locale.Textf("%s %s; it cannot be published", l.Address, no.Why), no.Hint)
		case to == missing:
			hint := locale.Textf("addresses are relative to the file")
			if near := settings.NearestFile(file, maps.Keys(p.others)); near != "" {
				hint = locale.Textf("did you mean %s?", near)
			}
			report(l, result.Warning, locale.Textf("%s does not exist", l.Address), hint)
		case b.config.Cite.Files == "" && l.Image:
			report(l, result.Warning, locale.Textf("the picture %s is not below %s/", l.Address, b.config.Pages.Dir), locale.Textf("put it there, and it is published with the pages"))
		case b.config.Cite.Files == "":
			report(l, result.Warning, locale.Textf("%s is not a page, so nobody can open it on the site", l.Address),
				locale.Textf(`say in site.toml where files of the repository are read, as [cite] files = "https://github.com/me/bench/blob/HEAD/"`))
		}
	}
	return ms
}

// inRepository returns the address of an unpublished file of the site in the repository; "" if that is unknown.
func inRepository(c *config.Config, file string) string {
	if c.Cite.Files == "" {
		return ""
	}
	return c.Cite.Files + (&url.URL{Path: file}).EscapedPath()
}

// pageFiles returns the files that pages of the manual show, each once.
func pageFiles(b *builder) []page.Copy {
	files := map[string]bool{}
	for _, p := range b.posts {
		if p.manual {
			for _, file := range p.files {
				files[file] = true
			}
		}
	}
	folder := manualFolder(&b.config)
	var all []page.Copy
	for _, file := range slices.Sorted(maps.Keys(files)) {
		var from result.Stamper
		from.Stamp(b.key())
		from.Stamp(cache.Key(cache.FilesKey{Files: []cache.File{b.opt.file(file)}}))
		all = append(all, page.Copy{Path: folder.File(file), Stamp: from.Sum(), Read: func() ([]byte, error) { return b.ownFile(file) }})
	}
	return all
}
