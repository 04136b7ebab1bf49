package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"benchpost/generator/bench"
	"benchpost/generator/export"
	"benchpost/generator/jekyll"
	"benchpost/generator/page"
	"benchpost/generator/publish"
)

// write renders everything into the output folder and moves it into place at
// the end, the blog's part last.
func (b *builder) write(ctx context.Context, posts []*post) (publish.Summary, error) {
	out, err := publish.Open(b.opt.Out, publish.Replace)
	if err != nil {
		return publish.Summary{}, err
	}
	blog := out
	blogPut := func(path string, data []byte) error { return out.Put("jekyll/"+path, data) }
	if dir := b.blogDir(); dir != "" {
		if blog, err = publish.Open(dir, publish.Refuse); err != nil {
			out.Discard()
			return publish.Summary{}, err
		}
		blogPut = blog.Put
	}
	sitePut := func(path string, data []byte) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return out.Put("site/"+path, data)
	}
	siteStream := func(path string, write func(io.Writer) error) error { return out.Stream("site/"+path, write) }
	if err = b.writeResults(siteStream); err == nil {
		err = b.render(posts, sitePut, blogPut)
	}
	if err != nil {
		out.Discard()
		blog.Discard()
		return publish.Summary{}, err
	}
	s, err := out.Commit()
	if err != nil {
		blog.Discard()
		return s, err
	}
	if blog != out {
		var t publish.Summary
		t, err = blog.Commit()
		s.Written, s.Unchanged, s.Removed = s.Written+t.Written, s.Unchanged+t.Unchanged, s.Removed+t.Removed
	}
	return s, err
}

// blogDir is the blog's folder, "" when the posts go to the output folder.
func (b *builder) blogDir() string {
	dir := b.config.Jekyll.Dir
	if dir == "" || filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(b.opt.Dir, dir)
}

// put publishes a file, stream one that is written piece by piece.
type (
	put    func(path string, data []byte) error
	stream func(path string, write func(io.Writer) error) error
)

func (b *builder) render(posts []*post, site, blog put) error {
	translations := translations(posts)
	for i, p := range posts {
		article, err := b.putPost(p, translations[p.doc.Name], site, blog)
		if err != nil {
			return err
		}
		b.pages.Posts = append(b.pages.Posts, article)
		posts[i] = nil // what is written need not be kept: a site may have thousands
	}
	return b.pages.Render(site)
}

// translations gives for the name of each post its slugs by language.
func translations(posts []*post) map[string]map[string]string {
	slugs := map[string]map[string]string{}
	for _, p := range posts {
		if slugs[p.doc.Name] == nil {
			slugs[p.doc.Name] = map[string]string{}
		}
		slugs[p.doc.Name][p.doc.Lang] = p.doc.Slug
	}
	return slugs
}

// putPost writes all files of a post but its page, for which it gives what the page
// is made from.
func (b *builder) putPost(p *post, translations map[string]string, site, blog put) (page.Post, error) {
	article, err := b.article(p, translations)
	if err != nil {
		return article, err
	}
	if err := b.putData(p, &article, site); err != nil {
		return article, err
	}
	fill := markdownFill{b, p}
	opt := b.jekyll()
	if p.doc.Front.Image == "" {
		// Front matter is no place for Liquid: themes put the base before it.
		opt.Image = strings.TrimSuffix(b.config.Jekyll.AssetsURL, "/") + "/" + assetFolder(p) + cardName
	}
	if err := errors.Join(site(b.pictureFile(p, cardName), p.card), blog(assetFolder(p)+cardName, p.card)); err != nil {
		return article, err
	}
	opt.Remark = p.remark()
	text, err := jekyll.Post(p.doc, fill, opt)
	if err != nil {
		return article, fmt.Errorf("%s: %w", p.doc.File, err)
	}
	if err := blog(p.blog, text); err != nil {
		return article, err
	}
	for _, block := range p.doc.Blocks {
		pic := p.charts[block]
		if pic == nil {
			continue
		}
		points := export.Points(pic.spec, p.printer)
		if err := errors.Join(site(b.pictureFile(p, pic.name), pic.image.PNG), blog(assetFolder(p)+pic.name, pic.image.PNG),
			site(b.pictureFile(p, pic.csv()), points), blog(assetFolder(p)+pic.csv(), points)); err != nil {
			return article, err
		}
		if pic.dark != nil {
			if err := blog(assetFolder(p)+pic.darkName(), pic.dark); err != nil {
				return article, err
			}
		}
	}
	if err := b.copyFiles(p, site, blog); err != nil {
		return article, err
	}
	return article, nil
}

// putData publishes what the blocks of a post came to. The blocks themselves
// are for layouts: where the site has none that could read them, they need not
// be kept.
func (b *builder) putData(p *post, a *page.Post, site put) error {
	var doc bytes.Buffer
	err := export.Report(&doc, export.Post{Slug: a.Slug, Lang: a.Lang, Title: a.Title, Date: a.Date, Source: a.Source, Runs: a.Runs, Blocks: a.Data}, p.printer)
	if err != nil {
		return fmt.Errorf("%s: %w", a.Source, err)
	}
	if !b.ownLayout("base.html") && !b.ownLayout("post.html") {
		a.Data = nil
	}
	at := b.pages.PostData(a.Lang, a.Slug)
	sum := sha256.Sum256(doc.Bytes())
	b.pages.Written = append(b.pages.Written, page.DataFile{Path: at, Bytes: int64(doc.Len()), SHA256: hex.EncodeToString(sum[:])})
	return site(at, doc.Bytes())
}

// copyFiles publishes the author's own files that a post shows.
func (b *builder) copyFiles(p *post, site, blog put) error {
	done := map[string]bool{}
	addresses := make([]string, 0, len(p.files))
	for address := range p.files {
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	for _, address := range addresses {
		file := p.files[address]
		if done[file] {
			continue
		}
		done[file] = true
		data, err := os.ReadFile(filepath.Join(b.opt.Dir, filepath.FromSlash(file)))
		if err == nil {
			err = errors.Join(site(b.assetFile(p, address), data), blog(assetFolder(p)+filepath.Base(file), data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// article renders a post for the HTML site.
func (b *builder) article(p *post, translations map[string]string) (page.Post, error) {
	d := p.doc
	var body, excerpt bytes.Buffer
	fill := htmlFill{b, p, b.pages.PostPage(d.Lang, d.Slug), true}
	if err := d.HTML(&body, fill); err != nil {
		return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
	}
	if d.Front.Excerpt != "" {
		excerpt.WriteString("<p>" + template.HTMLEscapeString(d.Front.Excerpt) + "</p>\n")
	} else if err := d.Excerpt(&excerpt, htmlFill{b, p, b.pages.HomePage(d.Lang), false}); err != nil {
		return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
	}
	if remark := p.remark(); remark != "" {
		note := "<p class=\"remark\">" + template.HTMLEscapeString(remark) + "</p>\n"
		body.WriteString(note)
		if strings.Contains(excerpt.String(), dagger) {
			excerpt.WriteString(note)
		}
	}
	a := page.Post{
		Slug: d.Slug, Lang: d.Lang, Title: d.Front.Title, Date: d.Front.Date, Tags: d.Front.Tags.Items, Categories: d.Front.Categories.Items,
		Excerpt: template.HTML(excerpt.String()), Body: template.HTML(body.String()), Translations: translations, Source: d.File,
	}
	for _, h := range d.Contents(fill) {
		a.Headings = append(a.Headings, page.Heading{Level: h.Level, ID: h.ID, Text: h.Text})
		a.Outline += strconv.Itoa(h.Level)
	}
	for _, block := range d.Blocks {
		a.Outline += " " + block.Kind
	}
	for id := range p.runs {
		a.Runs = append(a.Runs, id)
	}
	slices.SortFunc(a.Runs, bench.NaturalCompare)
	for _, block := range d.Blocks {
		a.Data = append(a.Data, export.Block{Kind: block.Kind, Line: block.Pos.Line, Absent: p.absent[block], Block: p.blocks[block]})
	}
	for _, block := range d.Blocks {
		pic := p.charts[block]
		if pic == nil {
			continue
		}
		spec, err := export.Chart(*pic.spec, p.printer)
		if err != nil {
			return page.Post{}, fmt.Errorf("%s: %w", d.File, err)
		}
		a.Charts = append(a.Charts, page.Chart{ID: pic.id(), Spec: spec, Runs: page.RunsOf(pic.spec)})
	}
	a.Card = b.pictureFile(p, cardName)
	if pic := p.firstPicture(); pic != nil {
		a.Image = b.pictureFile(p, pic.name)
	}
	return a, nil
}
