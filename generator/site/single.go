package site

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/singlefile"
	"github.com/benchpost/benchpost/generator/unread"
)

// Single is a post as one HTML file.
type Single struct {
	Name   string // suggested file name, "SLUG.LANG.html", without a folder
	Data   []byte
	Unread []unread.File // files of the site without a result of their own, with reasons
}

// UnknownPostError reports that no post has the given name.
type UnknownPostError struct {
	Name  string
	Near  string   // the post that may be meant; "" for none
	Posts []string // names of all posts
}

func (e *UnknownPostError) Error() string { return fmt.Sprintf("no post is called %q", e.Name) }

// BuildSingle makes one HTML file of a post, with everything that its page needs. The post is named by its slug, by
// slug and language (quant.en), or by its source. A slug that exists in several languages means the post in the site's
// first language. BuildSingle writes no output. Messages and errors are those of Build, and UnknownPostError. If there
// is no data, the messages report why.
func BuildSingle(ctx context.Context, opt Options, name string) (Single, []result.Message, error) {
	s := Open(opt)
	defer s.Discard()
	e, err := s.Read()
	if err != nil || e.Broken {
		return Single{}, e.Messages, err
	}
	b := e.builder
	p, err := b.find(b.posts, name)
	if err != nil {
		return Single{}, nil, err
	}
	s.opt.Progress("drawing charts")
	b.kept.ReadOnly()
	if err = errors.Join(b.drawPost(p), ctx.Err()); err != nil {
		return Single{}, e.Messages, err
	}
	ms := append(e.Messages, p.remarks...)
	result.SortMessages(ms)
	if opt.Strict && (slices.ContainsFunc(ms, isWarning) || slices.ContainsFunc(resultMessages(b.results), isWarning)) {
		return Single{}, ms, nil
	}
	data, err := b.pack(p)
	return Single{fmt.Sprintf("%s.%s.html", path.Base(p.doc.Slug), p.doc.Lang), data, b.dataset.Unread}, ms, err
}

func isWarning(m result.Message) bool { return m.Severity >= result.Warning }

// find returns the post with the given name.
func (b *builder) find(posts []*post, name string) (*post, error) {
	source := filepath.ToSlash(filepath.Clean(name))
	if abs, err := filepath.Abs(name); err == nil {
		if dir, err := filepath.Abs(b.opt.Dir); err == nil {
			if rel, err := filepath.Rel(dir, abs); err == nil {
				source = filepath.ToSlash(rel)
			}
		}
	}
	slug, tag, _ := cutLast(name)
	p, known := locale.For(tag)
	unknown := &UnknownPostError{Name: name}
	for _, lang := range b.config.Languages {
		for _, post := range posts {
			d := post.doc
			if post.printer.Lang() != lang || post.manual {
				continue
			}
			here := known && p.Lang() == lang && (d.Slug == slug || d.Name == slug)
			if d.File == source || d.Slug == name || d.Name == name || here {
				return post, nil
			}
			unknown.Posts = append(unknown.Posts, d.Slug+"."+lang)
		}
	}
	unknown.Near = settings.Nearest(name, unknown.Posts)
	if unknown.Near == "" {
		var slugs []string
		for _, post := range posts {
			slugs = append(slugs, post.doc.Slug)
		}
		unknown.Near = settings.Nearest(name, slugs)
	}
	return nil, unknown
}

// cutLast splits a name at its last dot.
func cutLast(name string) (before, after string, ok bool) {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return name, "", false
	}
	return name[:i], name[i+1:], true
}

// pack renders the page of a post and embeds what the page needs. Of other posts it only makes what the page shows.
func (b *builder) pack(wanted *post) ([]byte, error) {
	files := map[string][]byte{}
	keep := func(path string, data []byte) error { files[path] = data; return nil }
	if _, err := b.prepare(); err != nil {
		return nil, err
	}
	lang, slug := wanted.doc.Lang, wanted.doc.Slug
	article := b.pages.Posts[slices.IndexFunc(b.pages.Posts, func(p page.Post) bool { return p.Lang == lang && p.Slug == slug })]
	if err := errors.Join(article.Fill(&article), b.putPost(wanted, &article, keep, func(string, []byte) error { return nil })); err != nil {
		return nil, err
	}
	at := b.pages.PostPage(lang, slug)
	if err := b.pages.RenderPost(lang, slug, keep); err != nil {
		return nil, err
	}
	return singlefile.Pack(singlefile.Site{
		Base: b.pages.Address(),
		Open: func(file string) ([]byte, error) {
			if data, ok := files[file]; ok {
				return data, nil
			}
			return nil, locale.Errorf("%s refers to %s, which does not exist", wanted.doc.File, file)
		},
		Inside: func(file string) bool { return files[file] != nil && path.Ext(file) != ".html" },
	}, at, files[at])
}
