package site

import (
	"crypto/sha256"
	"errors"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// memo is what a session remembers about the file of a post or of a page of the manual.
type memo struct {
	source [sha256.Size]byte // checksum of its masked text
	plain  bool              // masking changed nothing in the text
	found  []result.Message  // messages about reading it
	post   *post             // nil if it is not published

	// The result of the evaluation:
	shared   result.Stamp              // key of what all posts were evaluated with; zero before the evaluation
	key      result.Stamp              // key of everything that the post was evaluated with
	lenient  bool                      // some run could not be read
	styles   map[string]map[string]int // styles of the values of its runs' labels
	aims     []string                  // where its links to posts lead
	lost     bool                      // selecting its runs failed, perhaps for lack of runs: any new run may matter
	where    *result.Selector          // selector of its runs; nil for all
	problems []result.Message
}

// readPosts lists content/posts/*.md in order of their names, and reads the files that have changed. It does the same
// for the manual.
func (s *Session) readPosts(b *builder, pending *changes) ([]*memo, []result.Message) {
	if !pending.all && len(pending.below("content")) == 0 && len(pending.below(b.config.Pages.Dir)) == 0 && s.listed != nil {
		return s.listed, slices.Clone(s.found)
	}
	s.listed, s.found = nil, nil
	dir := filepath.Join(s.opt.Dir, "content", "posts")
	entries, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, []result.Message{{Pos: result.Position{File: "content/posts"}, Severity: result.Error, ID: "site.content", Text: locale.Reason(err)}}
	}
	before := s.posts
	s.posts = map[string]*memo{}
	all := map[string]place{}
	var names []string
	for _, e := range entries {
		name := "content/posts/" + e.Name()
		if e.IsDir() || path.Ext(name) != ".md" || e.Name()[0] == '.' || e.Name() == "README.md" {
			continue
		}
		names = append(names, name)
	}
	read := make([]*memo, len(names))
	cores.Each(len(names), func(i int) {
		name := names[i]
		read[i] = before[name]
		if read[i] == nil || pending.all || pending.paths[name] || pending.paths["content"] || pending.paths["content/posts"] {
			read[i] = b.readPost(name, read[i])
		}
	})
	for i, name := range names {
		m := read[i]
		s.posts[name] = m
		s.found = append(s.found, m.found...)
		if m.post == nil {
			continue
		}
		at := place{page: m.post.path(&page.Site{Languages: b.config.Languages})}
		if b.config.Jekyll.Takes(m.post.printer.Lang()) {
			at.blog = m.post.blog
		}
		if !s.opt.Apart || selectsAny(m.post.doc.Front.Runs, b.results) {
			all[name] = at
			s.listed = append(s.listed, m)
		} else if part := partOf(m.post.doc.Front.Runs); part != "" {
			at.page, at.away = "../../"+part+"/site/"+at.page, true
			all[name] = at
		}
	}
	slugs, blog := map[string]string{}, map[string]string{}
	var docs []*document.Document
	for _, m := range s.listed {
		d := m.post.doc
		docs = append(docs, d)
		m.post.others = all
		key := address.Fold(d.Lang + "/" + d.Slug)
		if other, taken := slugs[key]; taken {
			s.found = append(s.found, result.Message{Pos: result.Position{File: d.File}, Severity: result.Error, ID: "site.slug",
				Text: locale.Textf("the slug %q is that of %s too", d.Slug, other), Hint: locale.Textf("give one of them another slug in its front matter")})
		}
		slugs[key] = d.File
		in := address.Fold(m.post.blog)
		if other, taken := blog[in]; taken && other != d.File {
			s.found = append(s.found, result.Message{Pos: result.Position{File: d.File}, Severity: result.Error, ID: "site.slug",
				Text: locale.Textf("its file in the blog, %s, is that of %s too", m.post.blog, other), Hint: locale.Textf("give one of them another slug or date in its front matter")})
		}
		blog[in] = d.File
	}
	s.found = append(s.found, addAliases(s.listed, all)...)
	s.misplaced = misplaced(s.opt.Dir, b.config.Pages.Dir, func() []*document.Document { return docs })
	for _, m := range s.readManual(b, pending) {
		all[m.post.doc.File] = place{page: m.post.path(&page.Site{Languages: b.config.Languages})}
		m.post.others, m.post.pages = all, s.manual
		s.listed = append(s.listed, m)
	}
	return s.listed, slices.Clone(s.found)
}

// selectsAny reports whether a post with the selector runs may select some of the results. It is false without a
// selector.
func selectsAny(runs string, results []*result.Result) bool {
	selector, err := result.ParseSelector(runs)
	return runs != "" && (err != nil || slices.ContainsFunc(results, selector.Match))
}

// partOf returns the part of an archive that has the post: the campaign in the selector of its runs, "" if it names
// none.
func partOf(runs string) string {
	selector, err := result.ParseSelector(runs)
	if err != nil {
		return ""
	}
	for _, m := range selector.Matchers {
		isFolder := fs.ValidPath(m.Value) && m.Value != "." && !strings.Contains(m.Value, "/")
		if m.Label == "campaign" && m.Op == "=" && isFolder {
			return m.Value
		}
	}
	return ""
}

// readSource reads and masks the source of a post or a page. If the source has not changed or cannot be read, changed
// is false and m is complete: the known memo, or one with the error.
func readSource(b *builder, dir, name string, known *memo, refused func(why locale.Text) locale.Text) (src []byte, m *memo, changed bool) {
	src, err := linkable(b.opt, dir).Read(name)
	var no *sitefile.Refusal
	if err != nil {
		wrong := result.Message{Pos: result.Position{File: name}, Severity: result.Error, ID: "site.content"}
		if errors.As(err, &no) {
			wrong.Text, wrong.Hint = refused(no.Why), no.Hint
		} else {
			wrong.Text = locale.Reason(err)
		}
		return nil, &memo{found: []result.Message{wrong}}, false
	}
	src, before := b.session.maskPost(name, src)
	m = &memo{source: sha256.Sum256(src)}
	m.plain = m.source == before
	if known != nil && known.source == m.source {
		return nil, known, false
	}
	return src, m, true
}

// readPost reads one file. If the text is the same as before, it returns the known memo.
func (b *builder) readPost(name string, known *memo) *memo {
	src, m, changed := readSource(b, b.config.Pages.Dir, name, known, func(why locale.Text) locale.Text { return locale.Textf("a post that %s is not read", why) })
	if !changed {
		return m
	}
	doc, problems := document.Parse(name, src, document.Options{Language: b.config.Languages[0], Location: b.config.Location()})
	m.found = problems
	if wrong, ok := suffixMessage(name, doc.Lang); ok {
		m.found = append(m.found, wrong)
	}
	if hasErrors(problems) || doc.Front.Draft && !b.opt.Drafts {
		return m
	}
	printer, isKnown := locale.For(doc.Lang)
	if !isKnown {
		m.found = append(m.found, result.Message{Pos: result.Position{File: name}, Severity: result.Error, ID: "site.language",
			Text: locale.Textf("the language %q of this post is not known", doc.Lang), Hint: locale.Textf("there are zh and en: rename the file NAME.zh.md or NAME.en.md")})
		return m
	}
	if !slices.Contains(b.config.Languages, printer.Lang()) {
		m.found = append(m.found, result.Message{Pos: result.Position{File: name}, Severity: result.Error, ID: "site.language",
			Text: locale.Textf("post language %q is not in the site's languages (%s)", doc.Lang, locale.Commas(b.config.Languages...)),
			Hint: locale.Textf("add it to languages in %s, or rename the file NAME.LANG.md", config.Name)})
		return m
	}
	m.post = newPost(doc, printer, blogpost.Path(doc, b.jekyll()))
	if where := doc.Front.Runs; where != "" {
		if selector, err := result.ParseSelector(where); err == nil {
			m.where = &selector
		}
	}
	return m
}

// touched reports whether the post, or a file that it links to, has changed.
func (m *memo) touched(pending *changes) bool {
	if pending.all || pending.paths[m.post.doc.File] {
		return true
	}
	return slices.ContainsFunc(m.post.doc.Links, func(l *document.Link) bool {
		file, ok := m.post.localFile(l.Address)
		for ok && file != "." && file != "/" {
			if pending.paths[file] {
				return true
			}
			file = path.Dir(file)
		}
		return false
	})
}

// moved reports whether something has changed since the evaluation: where linked posts are, or the style of a value
// that the post draws.
func (m *memo) moved(styles map[string]map[string]int) bool {
	for label, own := range m.styles {
		for value, style := range own {
			if styles[label][value] != style {
				return true
			}
		}
	}
	return !slices.Equal(m.aims, m.post.aims())
}

// showsPlans reports whether the post shows the progress of a plan.
func (m *memo) showsPlans() bool {
	return slices.ContainsFunc(m.post.doc.Blocks, func(block *document.Block) bool { return block.Kind == "coverage" })
}

// selects reports whether the post may select any of these runs.
func (m *memo) selects(runs []*result.Result) bool {
	if m.post.doc.Plain {
		return false
	}
	if m.where == nil || m.lost {
		return len(runs) > 0
	}
	return slices.ContainsFunc(runs, m.where.Match)
}

// evaluate evaluates the post, or takes the evaluation of another process if that was made from the same inputs. shared
// is the key of what all posts are evaluated with.
func (m *memo) evaluate(b *builder, shared result.Stamp) {
	before := m.post
	p := newPost(before.doc, before.printer, before.blog)
	p.others, p.draft, p.manual = before.others, before.draft, before.manual
	p.pages = before.pages
	data, err := b.data.Narrow(p.doc.Front.Runs)
	if p.doc.Plain {
		data = &dataset.Selection{} // nothing in the post depends on runs
	}
	m.post, m.lost = p, err != nil
	if m.lost { // the error message may depend on all runs
		data = b.data
	}
	m.shared, m.lenient, m.styles, m.aims = shared, b.lenient, data.StylesOfOwn(), p.aims()
	m.key = m.evaluationKey(b, data)
	if known, ok := b.session.evaluations.Of(p.doc.File, m.key, b.lenient); ok && !m.lost {
		m.problems = known.Problems
		p.recall(known)
	} else {
		m.problems = b.evaluate(p)
		if b.evaluated.Load() > mostWaiting {
			p.wait(b)
		}
	}
	p.stamp = m.filesKey(b)
}

// recall restores the post from a saved evaluation. What its files show is evaluated when they are made.
func (p *post) recall(known *cache.Evaluation) {
	p.lacks, p.pending, p.count, p.files = known.Lacks, true, known.Charts, maps.Clone(known.Files)
	if p.files == nil {
		p.files = map[string]string{}
	}
	p.noteIDs(known.Runs...)
	p.remarks, p.drawn = known.Remarks, true
	p.teaser = &teaser{template.HTML(known.Excerpt), known.Image, known.Outline, nil}
	for _, h := range known.Headings {
		p.teaser.headings = append(p.teaser.headings, page.Heading(h))
	}
}

// evaluation returns what another process needs to know about the post. mask is the stamp of the site's masker. ok is
// false if something is not known yet.
func (m *memo) evaluation(mask result.Stamp) (e cache.Evaluation, ok bool) {
	p := m.post
	if p.teaser == nil || !p.drawn || m.lost || m.shared == (result.Stamp{}) {
		return e, false
	}
	e = cache.Evaluation{Key: m.key, Source: m.source, Lacks: p.lacks, Lenient: m.lenient && p.lacks, Charts: p.count, Files: p.files, Problems: m.problems, Remarks: p.remarks,
		Excerpt: string(p.teaser.excerpt), Image: p.teaser.image, Outline: p.teaser.outline, Runs: slices.Sorted(maps.Keys(p.runs))}
	if m.plain {
		e.Plain = mask
	}
	for _, h := range p.teaser.headings {
		e.Headings = append(e.Headings, cache.Heading(h))
	}
	return e, true
}

// evaluationKey returns the key of a post's evaluation; data has the runs that the post may select.
func (m *memo) evaluationKey(b *builder, data *dataset.Selection) result.Stamp {
	k := cache.EvaluationKey{Posts: m.shared, Source: m.source, Results: data.Results, Auxiliary: data.Auxiliary, Styles: m.styles,
		Waiting: len(data.Unfinished) > 0, Linked: map[string]string{}, Aims: m.aims}
	for _, rs := range [][]*result.Result{data.Results, data.Auxiliary} {
		for _, r := range rs {
			k.Versions = append(k.Versions, b.files().version(r.Source.File))
		}
	}
	for _, l := range m.post.doc.Links {
		file, ok := m.post.localFile(l.Address)
		if _, isPost := m.post.others[file]; ok && !isPost {
			k.Linked[l.Address] = m.post.state(b, file)
		}
	}
	return cache.Key(k)
}

// state returns "" if a linked file may be published, and otherwise the reason why not.
func (p *post) state(b *builder, file string) string {
	if p.manual {
		return pageState(b, file)
	}
	err := linkable(b.opt, b.config.Pages.Dir).Check(file)
	var no *sitefile.Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &no):
		return locale.English(no.Why)
	}
	return "missing"
}

// filesKey returns the key of the files of an evaluated post.
func (m *memo) filesKey(b *builder) result.Stamp {
	p := m.post
	k := cache.PostKey{Evaluation: m.key, Lenient: m.lenient && p.lacks, OwnLayouts: b.layouts().has("base.html") || b.layouts().has("post.html"),
		Cited: map[string]string{}, Linked: map[string]cache.File{}}
	for _, r := range b.cited(p) {
		for _, f := range r.Files() {
			k.Cited[f.Name] = b.files().version(f.Name)
		}
	}
	for _, l := range p.doc.Links {
		if file, ok := p.files[l.Address]; ok {
			k.Linked[l.Address] = b.opt.file(file)
		}
	}
	return cache.Key(k)
}

// prepare adds the posts to the pages and prepares the renderer. The text of a post is made when its page is.
func (b *builder) prepare() (*page.Renderer, error) {
	if b.renderer != nil {
		return b.renderer, nil
	}
	b.pages.Posts, b.pages.Documents = nil, nil
	translations := translations(b.posts)
	for _, p := range b.posts {
		article, err := b.article(p)
		if err != nil {
			return nil, err
		}
		article.Translations = translations[p.doc.Name]
		article.Fill = func(a *page.Post) error {
			return b.fill(p, a, func(p *post) error { return sketchPost(b, p) })
		}
		if p.manual {
			b.pages.Documents = append(b.pages.Documents, article)
		} else {
			b.pages.Posts = append(b.pages.Posts, article)
		}
	}
	b.pages.Before = b.session.renderer
	renderer, err := b.pages.Prepare()
	if err == nil {
		b.pages.Before = nil // otherwise all earlier renderers would stay in memory
		b.renderer, b.session.renderer = renderer, renderer
	}
	return renderer, err
}
