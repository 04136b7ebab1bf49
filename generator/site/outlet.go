package site

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// outlet is a place where a post is published besides its page: a Jekyll blog, a Hugo site, or a folder of Markdown.
type outlet struct {
	form     blogpost.Form
	path     string // path of the post
	folder   string // folder of the post's files, with a slash at the end; "" if none are written
	language string // inserted before the extension of their names (".zh"), so that Hugo assigns them to that language; "" for none
	options  blogpost.Options
	asset    func(name string, data []byte) blogpost.Address // address of a file in the folder; data only of pictures
	other    func(place) blogpost.Address                    // address of another post
	relative func(address string) blogpost.Address           // address written by the author that is neither a post nor a file
}

// jekyll returns the options of all posts in the blog.
func (b *builder) jekyll() blogpost.Options {
	c := &b.config.Jekyll
	return blogpost.Options{Language: slices.Concat(c.Languages, b.config.Languages)[0], Layout: c.Layout, Permalink: c.Permalink, Cover: c.Cover()}
}

// jekyllOutlet returns the outlet for the blog of site.toml.
func jekyllOutlet(b *builder, p *post) outlet {
	c := &b.config.Jekyll
	o := outlet{form: blogpost.Jekyll, path: p.blog, folder: assetFolder(p), options: b.jekyll()}
	if p.doc.Front.Image == "" {
		// Liquid does not work in front matter; themes add the base URL.
		o.options.Image = strings.TrimSuffix(c.AssetsURL, "/") + "/" + o.folder + cardName
	}
	o.asset = func(name string, _ []byte) blogpost.Address { return blogpost.Asset(assetBase(c), o.folder+name) }
	o.other = func(at place) blogpost.Address {
		if at.blog != "" {
			return blogpost.PostAddress(at.blog)
		}
		return onSite(b, at, blogpost.Address{})
	}
	return o
}

// assetBase returns how addresses of posts' files begin in the blog.
func assetBase(c *config.Jekyll) blogpost.Base {
	filters := map[string]string{"relative": "relative_url", "absolute": "absolute_url"}
	return blogpost.Base{Prefix: c.AssetsURL, Filter: filters[c.Images]}
}

// assetFolder returns the folder of a post's files in the blog.
func assetFolder(p *post) string {
	return strings.TrimSuffix("assets/benchpost/"+path.Base(p.blog), ".md") + "/"
}

// onSite returns the address of a post's page if the site's own address is known, and otherwise the other address.
func onSite(b *builder, at place, otherwise blogpost.Address) blogpost.Address {
	if b.pages.BaseURL == "" {
		return otherwise
	}
	return blogpost.Elsewhere(b.pages.Address() + address.Link("", at.page))
}

// pictureTypes maps file extensions to the media types of pictures.
var pictureTypes = map[string]string{".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".svg": "image/svg+xml", ".avif": "image/avif"}

// ExportTargets lists the formats to which posts can be exported.
var ExportTargets = []string{"hugo", "markdown", "jekyll"}

// Target says for which system posts are exported, and where to.
type Target struct {
	For      string // one of ExportTargets
	Dir      string // the folder of the blog, or of the Markdown
	Language string // only posts in this language, such as "en"; "" for all
	Inline   bool   // for Markdown: embed pictures in the text
}

// Exported says what an export did.
type Exported struct {
	publish.Summary
	Posts []string // files below the folder; none if an error stopped the export
}

// ExportPosts writes posts for publication elsewhere. Posts are named as for BuildSingle; a slug alone means the post
// in all languages. Files of posts exported before are kept. A file that benchpost did not write is never replaced
// (*publish.ForeignError). Other errors are those of BuildSingle, and *sitefile.Refusal for the folder.
func ExportPosts(ctx context.Context, opt Options, names []string, to Target) (Exported, []result.Message, error) {
	s := Open(opt)
	defer s.Close()
	e, err := s.Read()
	if err != nil || e.Broken {
		return Exported{}, e.Messages, err
	}
	b := e.builder
	if err := sitefile.CheckBlog(opt.Dir, to.Dir, s.opt.Out); err != nil {
		return Exported{}, nil, err
	}
	posts, err := exported(b, names, to.Language)
	if err != nil {
		return Exported{}, nil, err
	}
	s.opt.Progress("drawing charts")
	b.kept.ReadOnly()
	ms := e.Messages
	for _, p := range posts {
		if err := errors.Join(b.drawFor(p, true), ctx.Err()); err != nil {
			return Exported{}, ms, err
		}
		ms = append(ms, p.remarks...)
	}
	result.SortMessages(ms)
	if opt.Strict && (slices.ContainsFunc(ms, isWarning) || slices.ContainsFunc(resultMessages(b.results), isWarning)) {
		return Exported{}, ms, nil
	}
	if _, err := b.prepare(); err != nil {
		return Exported{}, ms, err
	}
	out, err := publish.At(to.Dir, publish.Options{Foreign: publish.Refuse, Durable: opt.Durable}).Open()
	if err != nil {
		return Exported{}, ms, err
	}
	var done Exported
	var outlets []outlet
	for _, p := range posts {
		o := exportOutlet(b, p, posts, to)
		if err := o.put(b, p, out.Put); err != nil {
			return Exported{}, ms, errors.Join(err, out.Discard())
		}
		outlets, done.Posts = append(outlets, o), append(done.Posts, o.path)
	}
	if err := out.KeepOthers(func(file string) bool {
		return slices.ContainsFunc(outlets, func(o outlet) bool {
			return file == o.path || o.holds(file)
		})
	}); err != nil {
		return Exported{}, ms, errors.Join(err, out.Discard())
	}
	done.Summary, err = out.Commit()
	return done, ms, err
}

// exported returns the posts with the given names, each once, in the order of the site.
func exported(b *builder, names []string, language string) ([]*post, error) {
	written := slices.DeleteFunc(slices.Clone(b.posts), func(p *post) bool { return p.draft || p.manual })
	chosen := map[*post]bool{}
	for _, name := range names {
		found, err := b.find(written, name)
		if err != nil {
			return nil, err
		}
		for _, p := range written {
			whole := name == found.doc.Slug || name == found.doc.Name // the name has no language
			if (p == found || whole && p.doc.Name == found.doc.Name) && (language == "" || p.printer.Lang() == language) {
				chosen[p] = true
			}
		}
	}
	posts := slices.DeleteFunc(written, func(p *post) bool { return !chosen[p] })
	if len(posts) == 0 {
		return nil, &UnknownPostError{Name: strings.Join(names, ", ") + " in " + language}
	}
	return posts, nil
}

// exportOutlet returns the outlet for a post that is exported together with others (posts).
func exportOutlet(b *builder, p *post, posts []*post, to Target) outlet {
	d := p.doc
	at := place{page: p.path(b.pages)}
	sibling := func(at place) *post {
		i := slices.IndexFunc(posts, func(p *post) bool { return p.path(b.pages) == at.page })
		if i < 0 {
			return nil
		}
		return posts[i]
	}
	o := outlet{relative: func(address string) blogpost.Address { return against(b, at, address) }}
	switch to.For {
	case "jekyll":
		return jekyllOutlet(b, p)
	case "hugo":
		o.form, o.path = blogpost.Hugo, blogpost.HugoPath(d)
		o.folder, o.language = blogpost.HugoFolder(d), blogpost.HugoLanguage(d)
		o.asset = func(name string, _ []byte) blogpost.Address { return blogpost.Beside(path.Base(o.file(name))) }
		o.other = func(at place) blogpost.Address {
			if other := sibling(at); other != nil {
				return blogpost.HugoAddress(other.doc)
			}
			return onSite(b, at, blogpost.Nowhere)
		}
		relative := o.relative
		o.relative = func(address string) blogpost.Address {
			if strings.HasPrefix(address, "/") { // an address of the blog
				return blogpost.Address{}
			}
			return relative(address)
		}
		return o
	}
	o.form, o.path = blogpost.Plain, blogpost.PlainPath(d)
	folder := strings.TrimSuffix(o.path, ".md") + "/"
	o.asset = func(name string, _ []byte) blogpost.Address { return blogpost.Beside(folder + name) }
	if to.Inline {
		o.asset = func(name string, data []byte) blogpost.Address {
			if media := pictureTypes[path.Ext(name)]; media != "" && data != nil {
				return blogpost.Inline(media, data)
			}
			return against(b, at, name)
		}
	} else {
		o.folder = folder
	}
	o.other = func(at place) blogpost.Address {
		if other := sibling(at); other != nil {
			return blogpost.Beside(blogpost.PlainPath(other.doc))
		}
		return onSite(b, at, blogpost.Nowhere)
	}
	return o
}

// against resolves an address relative to the page of a post. Without a base URL of the site the result is
// blogpost.Nowhere.
func against(b *builder, at place, address string) blogpost.Address {
	page, err := url.Parse(b.pages.Address() + at.page)
	if b.pages.BaseURL == "" || err != nil {
		return blogpost.Nowhere
	}
	to, err := page.Parse(address)
	if err != nil {
		return blogpost.Nowhere
	}
	return blogpost.Elsewhere(to.String())
}

// file returns the path at which a file of the post is written.
func (o outlet) file(name string) string {
	return o.folder + strings.TrimSuffix(name, path.Ext(name)) + o.language + path.Ext(name)
}

// holds reports whether a file belongs to the post, now or from an earlier export.
func (o outlet) holds(file string) bool {
	name, below := strings.CutPrefix(file, o.folder)
	return o.folder != "" && below && (o.form != blogpost.Hugo || path.Ext(strings.TrimSuffix(name, path.Ext(name))) == o.language)
}

// put writes the post and its files.
func (o outlet) put(b *builder, p *post, emit put) error {
	fill := markdownFill{b, p, o}
	foot, sums, err := o.foot(b, p)
	if err != nil {
		return fmt.Errorf("%s: %w", p.doc.File, err)
	}
	var text []byte
	switch o.form {
	case blogpost.Hugo:
		image := ""
		if p.doc.Front.Image == "" {
			image = path.Base(o.file(cardName))
		}
		text, err = blogpost.HugoPost(p.doc, fill, image, foot)
	case blogpost.Plain:
		text, err = blogpost.PlainPost(p.doc, fill, foot, p.printer)
	default:
		o.options.Foot = foot
		text, err = blogpost.Post(p.doc, fill, o.options)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", p.doc.File, err)
	}
	if err := emit(o.path, text); err != nil || o.folder == "" {
		return err
	}
	if o.form != blogpost.Plain {
		err = emit(o.file(cardName), p.card)
	}
	if err == nil && sums != nil {
		err = emit(o.file(sumsName), sums)
	}
	for _, block := range p.doc.Blocks {
		pic := p.charts[block]
		if pic == nil || err != nil {
			continue
		}
		if err = emit(o.file(pic.name), pic.image.PNG); err == nil {
			err = emit(o.file(pic.csv()), pic.figures)
		}
		if err == nil && pic.dark != nil && o.form == blogpost.Jekyll {
			err = emit(o.file(pic.darkName()), pic.dark)
		}
	}
	for _, address := range p.ownFiles() {
		if err != nil {
			break
		}
		var data []byte
		if data, err = b.ownFile(p.files[address]); err == nil {
			err = emit(o.file(path.Base(p.files[address])), data)
		}
	}
	return err
}

// foot returns what follows the text of a post, and the checksums of its raw files; both are empty if there is nothing
// to state.
func (o outlet) foot(b *builder, p *post) (foot blogpost.Foot, sums []byte, err error) {
	foot.Remark = p.remark()
	from, err := b.provenance(p, func(id string) string {
		if b.pages.BaseURL == "" {
			return ""
		}
		return b.pages.Address() + address.Link("", b.pages.RunPage(p.doc.Lang, id))
	})
	if err != nil || from == nil {
		return foot, nil, err
	}
	w := blogpost.Writer{Printer: p.printer, Form: o.form}
	foot.Provenance = w.Provenance(from, o.asset(sumsName, nil))
	return foot, cite.Sums(from.Files), nil
}

// isRelative reports whether an author's address depends on where the post is.
func isRelative(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(address, "#")
}
