package site

import (
	"bytes"
	"context"
	"errors"
	"html/template"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/pieces"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/schema"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// write renders everything that is not yet in the output folder and moves it into place at the end, the blog last.
func (b *builder) write(ctx context.Context) (s Summary, err error) {
	out, err := b.session.public().Open()
	if err != nil {
		return s, err
	}
	blog := out
	if dir := b.blogDir(); dir != "" {
		if blog, err = publish.At(dir, publish.Options{Foreign: publish.Refuse, Durable: b.opt.Durable}).Open(); err != nil {
			return s, errors.Join(err, out.Discard())
		}
	}
	to := b.session.ledger.Write(ctx, out, blog)
	if err = b.render(to); err != nil {
		return s, errors.Join(err, out.Discard(), blog.Discard())
	}
	if s.Summary, err = out.Commit(); err != nil {
		return s, errors.Join(err, blog.Discard())
	}
	s.Disturbed = out.Disturbed()
	if blog == out {
		s.Left = postsIn(out.Removed(), "jekyll/")
	}
	for _, path := range out.Changed() {
		if file, ok := strings.CutPrefix(path, "site/"); ok {
			s.Changed = append(s.Changed, file)
		}
	}
	if blog != out {
		var t publish.Summary
		t, err = blog.Commit()
		s.Left = postsIn(blog.Removed(), "")
		s.Written, s.Unchanged, s.Removed = s.Written+t.Written, s.Unchanged+t.Unchanged, s.Removed+t.Removed
	}
	s.Evaluated = int(b.evaluated.Load())
	if err == nil {
		to.Settle()
		s.Made = to.Made()
	}
	return s, err
}

// postsIn returns the posts among files of a blog in a folder.
func postsIn(files []string, folder string) (posts []string) {
	for _, file := range files {
		if name, ok := strings.CutPrefix(file, folder); ok && strings.HasPrefix(name, "_posts/") {
			posts = append(posts, name)
		}
	}
	return posts
}

// blogDir returns the folder of the blog, or "" if the posts go to the output folder.
func (b *builder) blogDir() string {
	dir := b.config.Jekyll.Dir
	switch {
	case dir == "":
		return ""
	case b.opt.Into != "":
		return filepath.Join(b.opt.Into, "blog")
	case filepath.IsAbs(dir):
		return dir
	}
	return filepath.Join(b.opt.Dir, dir)
}

// misplacedBlog reports a blog folder that cannot be used for posts; "" means no blog.
func misplacedBlog(blog string, c *config.Config, opt Options) []result.Message {
	if blog == "" || opt.Into != "" {
		return nil
	}
	var why locale.Text
	err := sitefile.CheckBlog(opt.Dir, blog, opt.Out)
	var refusal *sitefile.Refusal
	switch {
	case errors.As(err, &refusal):
		why = locale.Textf("dir = %q %s", c.Jekyll.Dir, refusal.Why)
	case err != nil:
		why = locale.Textf("dir = %q: %s", c.Jekyll.Dir, result.Reason(err))
	case c.Jekyll.AssetsURL == "" && !isJekyll(blog): // otherwise a misspelt name would create a folder
		why = locale.Textf("dir = %q is not a Jekyll blog: it has no _config.yml, Gemfile or _posts", c.Jekyll.Dir)
	default:
		return nil
	}
	return []result.Message{{Pos: c.At("jekyll", "dir"), Severity: result.Error, ID: "site.blog", Text: why,
		Hint: locale.Textf("name the folder of the blog, the one with its _config.yml; set assets_url if the blog is not made with Jekyll")}}
}

// isJekyll reports whether a folder contains a file or folder typical of a Jekyll blog.
func isJekyll(dir string) bool {
	return slices.ContainsFunc([]string{"_config.yml", "_config.yaml", "_config.toml", "Gemfile", "_posts"}, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// put publishes a file.
type put func(path string, data []byte) error

// render writes the posts and all pages. The files of a post are made together with its page, while its text and
// pictures are in memory: a site may have thousands of posts.
func (b *builder) render(to *cache.Writer) error {
	b.session.gate.Lock()
	renderer, err := b.prepare()
	b.session.gate.Unlock()
	if err != nil {
		return err
	}
	b.pages.Written = b.pages.Written[:0]
	pages, made := map[string]*post{}, map[*post]bool{} // all posts by page; posts whose files are made
	var kept []*post
	left, keeps := make([][]cache.Written, len(b.posts)), make([]bool, len(b.posts))
	cores.Each(len(b.posts), func(i int) { left[i], keeps[i] = to.Keeps(b.posts[i].artifact(), b.posts[i].stamp) })
	for i, p := range b.posts {
		at := p.path(b.pages)
		pages[at] = p
		if keeps[i] {
			b.pages.Written = append(b.pages.Written, cache.DataFiles(left[i])...)
			kept = append(kept, p)
			continue
		}
		to.Remake(at) // the post's files are made with this page
		made[p] = true
	}
	if err := b.draw(to.Context(), kept); err != nil {
		return err
	}
	var mu sync.Mutex // protects b.pages.Written
	return renderer.Filling(func(of *page.Post) func(*page.Post) error {
		p := pages[b.pages.PageOf(of)]
		return func(a *page.Post) error {
			defer b.session.turn()()
			defer p.release()
			if !made[p] {
				return b.fill(p, a, b.drawPost)
			}
			artifact := to.Artifact(p.artifact(), p.stamp)
			if err := errors.Join(b.fill(p, a, b.drawPost), b.putPost(p, a, artifact.Site, artifact.Blog)); err != nil {
				return err
			}
			p.rest()
			mu.Lock()
			defer mu.Unlock()
			b.pages.Written = append(b.pages.Written, cache.DataFiles(artifact.Done())...)
			return nil
		}
	}).Render(to, func() error {
		files, err := b.writeResults(to, renderer.Table)
		err = errors.Join(err, b.writeSchemas(to))
		mu.Lock()
		defer mu.Unlock()
		b.pages.Written = append(b.pages.Written, files...)
		return err
	})
}

// artifact names the artifact of a post: all its files except the page.
func (p *post) artifact() string { return "post " + p.doc.File }

// translations maps the name of each post to its slugs by language.
func translations(posts []*post) map[string]map[string]string {
	slugs := map[string]map[string]string{}
	for _, p := range posts {
		if p.manual {
			continue
		}
		if slugs[p.doc.Name] == nil {
			slugs[p.doc.Name] = map[string]string{}
		}
		slugs[p.doc.Name][p.doc.Lang] = p.doc.Slug
	}
	return slugs
}

// putPost writes all files of a post except its page, which is made from a.
func (b *builder) putPost(p *post, a *page.Post, site, blog put) error {
	if p.manual { // linked files are published once for all pages
		return putFigures(b, p, site)
	}
	if err := errors.Join(putFigures(b, p, site), b.putData(p, a, site), p.putRedirects(b.pages, site), site(b.pictureFile(p, cardName), p.card)); err != nil {
		return err
	}
	if a.Provenance != nil {
		if err := site(b.pictureFile(p, sumsName), cite.Sums(a.Provenance.Files)); err != nil {
			return err
		}
	}
	for _, address := range p.ownFiles() {
		data, err := b.ownFile(p.files[address])
		if err == nil {
			err = site(b.assetFile(p, address), data)
		}
		if err != nil {
			return err
		}
	}
	if !p.isForBlog(&b.config) {
		return nil
	}
	return jekyllOutlet(b, p).put(b, p, blog)
}

// isForBlog reports whether a post is also published in the blog.
func (p *post) isForBlog(c *config.Config) bool {
	return !p.manual && !p.draft && c.Jekyll.Takes(p.printer.Lang())
}

// putFigures writes the figures of charts that are too large for the post's page.
func putFigures(b *builder, p *post, site put) error {
	for _, block := range p.doc.Blocks {
		if pic := p.charts[block]; pic != nil && parts.Apart(pic.figures) {
			if err := site(b.pictureFile(p, pic.csv()), pic.figures); err != nil {
				return err
			}
		}
	}
	return nil
}

// dataRooms reuses buffers for the data of posts.
var dataRooms = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// putData publishes the evaluated blocks of a post as data.
func (b *builder) putData(p *post, a *page.Post, site put) error {
	doc := dataRooms.Get().(*bytes.Buffer)
	defer dataRooms.Put(doc)
	doc.Reset()
	err := export.Report(doc, export.Post{Slug: a.Slug, Lang: a.Lang, Title: a.Title, Date: a.Date, Source: a.Source, Runs: a.Runs, Blocks: a.Data}, p.printer)
	if err != nil {
		return locale.Errorf("%s: %s", a.Source, err)
	}
	return site(b.pages.PostData(a.Lang, a.Slug), doc.Bytes())
}

// ownFiles returns the addresses of the author's own files that a post shows, one for each file.
func (p *post) ownFiles() []string {
	done := map[string]bool{}
	var addresses []string
	for _, address := range slices.Sorted(maps.Keys(p.files)) {
		if file := p.files[address]; !done[file] {
			done[file] = true
			addresses = append(addresses, address)
		}
	}
	return addresses
}

// ownFile reads a file of the author's and masks it as it is published.
func (b *builder) ownFile(file string) ([]byte, error) {
	data, err := linkable(b.opt, b.config.Pages.Dir).Read(file)
	if err == nil {
		data, err = b.session.author.Form(b.opt.path(file), data)
	}
	return data, err
}

// article returns what pages show of a post, without its text.
func (b *builder) article(p *post) (page.Post, error) {
	d := p.doc
	if p.teaser == nil {
		t, err := p.tease(b)
		if err != nil {
			return page.Post{}, err
		}
		p.teaser = t
	}
	a := page.Post{
		Slug: d.Slug, Lang: d.Lang, Title: d.Front.Title, Author: d.Front.Author, Description: d.Front.Description, Date: d.Front.Date, Tags: d.Front.Tags.Items, Categories: d.Front.Categories.Items,
		Excerpt: p.teaser.excerpt, Source: p.source(), Stamp: p.stamp, Card: b.pictureFile(p, cardName), Manual: p.manual,
		Headings: p.teaser.headings, Outline: p.teaser.outline, Image: p.teaser.image, Runs: p.sortedRuns(),
	}
	return a, nil
}

// tease makes what other pages show of a post.
func (p *post) tease(b *builder) (*teaser, error) {
	d := p.doc
	p.complete(b)
	var excerpt bytes.Buffer
	fill := htmlFill{b, p, p.path(b.pages), true}
	if p.manual { // no other page shows an excerpt of it
	} else if d.Front.Excerpt != "" {
		excerpt.WriteString("<p>" + template.HTMLEscapeString(d.Front.Excerpt) + "</p>\n")
	} else if err := d.Excerpt(&excerpt, htmlFill{b, p, b.pages.HomePage(d.Lang), false}); err != nil {
		return nil, locale.Errorf("%s: %s", d.File, err)
	}
	if remark := p.remark(); remark != "" && strings.Contains(excerpt.String(), dagger) {
		excerpt.WriteString(remarkHTML(remark))
	}
	t := &teaser{excerpt: template.HTML(excerpt.String())}
	for _, h := range d.Contents(fill) {
		t.headings = append(t.headings, page.Heading{Level: h.Level, ID: h.ID, Text: h.Text})
		t.outline += strconv.Itoa(h.Level)
	}
	for _, block := range d.Blocks {
		t.outline += " " + block.Kind
	}
	if p.firstPicture() != nil {
		t.image = b.pictureFile(p, cardName)
	}
	return t, nil
}

func remarkHTML(remark string) string {
	return "<p class=\"remark\">" + template.HTMLEscapeString(remark) + "</p>\n"
}

// fill adds the text, the charts and the evaluated blocks to an article. draw draws the charts if they are not drawn
// yet.
func (b *builder) fill(p *post, a *page.Post, draw func(*post) error) error {
	p.complete(b)
	if p.card == nil {
		if err := draw(p); err != nil {
			return err
		}
	}
	d := p.doc
	var body strings.Builder
	if err := d.HTML(&body, htmlFill{b, p, p.path(b.pages), true}); err != nil {
		return locale.Errorf("%s: %s", d.File, err)
	}
	if remark := p.remark(); remark != "" {
		body.WriteString(remarkHTML(remark))
	}
	a.Body = template.HTML(body.String())
	at := b.pages.PostPage(d.Lang, d.Slug)
	footer, err := b.provenance(p, func(id string) string { return address.Link(at, b.pages.RunPage(d.Lang, id)) })
	if err != nil {
		return locale.Errorf("%s: %s", d.File, err)
	}
	if footer != nil {
		footer.Sums = sumsName
	}
	a.Provenance = footer
	a.Data, a.Charts = nil, nil
	for _, block := range d.Blocks {
		if pic := p.charts[block]; pic != nil {
			a.Charts = append(a.Charts, pic.id())
		}
		a.Data = append(a.Data, export.Block{Kind: block.Kind, Line: block.Pos.Line, Absent: locale.English(p.absent[block]), Block: p.blocks[block]})
	}
	return nil
}

// writeResults publishes all results in one file of each format. Together the files are as large as all campaigns, so
// they are written in pieces, one file after the other, and unchanged pieces are copied. table returns the results as
// rows.
func (b *builder) writeResults(out *cache.Writer, table func() *datapackage.Table) (written []page.DataFile, err error) {
	results := b.pages.Results
	if len(results) == 0 {
		return nil, nil
	}
	all := cache.Key(cache.ResultsKey{Site: b.pages.Key, Results: results})
	for _, f := range []struct {
		path  string
		write func(*pieces.Writer) error
	}{
		{page.ResultsParquet, func(w *pieces.Writer) error { return table().Parquet(w) }},
		{page.ResultsCSV, func(w *pieces.Writer) error { return table().CSV(w) }},
		{page.ResultFigures, func(w *pieces.Writer) error { return table().Figures(w) }},
	} {
		files, ok := out.Keeps(f.path, all)
		if !ok {
			artifact := out.Artifact(f.path, all)
			if err := artifact.Stream(f.path, b.pages.Key, f.write, b.session.turn); err != nil {
				return nil, err
			}
			files = artifact.Done()
		}
		written = append(written, cache.DataFiles(files)...)
	}
	return written, nil
}

// schemaFolder contains the JSON Schemas with which editors check what authors write.
const schemaFolder = "schema/"

// writeSchemas publishes the JSON Schemas. They change only with the program or the configuration.
func (b *builder) writeSchemas(out *cache.Writer) error {
	key := cache.Key(cache.ResultsKey{Site: b.pages.Key})
	if _, ok := out.Keeps(schemaFolder, key); ok {
		return nil
	}
	artifact := out.Artifact(schemaFolder, key)
	for _, name := range schema.Names() {
		text, _ := schema.Of(name)
		if err := artifact.Site(schemaFolder+name+".json", text); err != nil {
			return err
		}
	}
	artifact.Done()
	return nil
}
