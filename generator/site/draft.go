package site

import (
	"cmp"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/blogpost"
	"github.com/benchpost/benchpost/generator/compose"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/document"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Draft is the name of the post that a site without posts shows.
const Draft = "runs"

// mostDrafted is how many runs such a post is about at the most: of more, an author has to
// choose.
const mostDrafted = 2000

// Compose writes a post from the runs of the snapshot; see compose.Post.
func (e *Snapshot) Compose(r compose.Request) ([]byte, error) {
	r.Commands = e.files().commands
	return compose.Post(e.pages.Report, r)
}

// SiteFile writes a site.toml that fits the runs of the snapshot; see compose.Site.
func (e *Snapshot) SiteFile(title string) []byte { return compose.Site(e.pages.Report, title) }

// Runs counts the results of the snapshot, those too that only count when they are asked for.
func (e *Snapshot) Runs() int { return len(e.pages.Report.Results) + len(e.pages.Report.Auxiliary) }

// commands returns how a run was started, nil where its file cannot be read, which the
// build reports.
func (s rawFiles) commands(r *result.Result) []result.Command {
	raw, err := s.source(r)
	if err != nil {
		return nil
	}
	return commands(r, raw)
}

// draft returns what a site without posts shows: a post in each of its languages, composed
// from its runs and kept in no file. Who has written a post, published or not, has chosen
// what to show.
func (s *Session) draft(b *builder, data *dataset.Selection) []*memo {
	if len(s.posts) > 0 || s.opt.Keep == "" && len(data.Results) > mostDrafted {
		return nil
	}
	before := s.drafts
	s.drafts = map[string]*memo{}
	var out []*memo
	for _, lang := range b.config.Languages {
		const undated = "2000-01-01" // which the post does not keep: it was written at no time
		src, err := compose.Post(data, compose.Request{Where: s.opt.Where, Language: lang, Date: undated,
			Draft: cmp.Or(s.opt.Keep, "benchpost new post"), Commands: b.files().commands})
		if err != nil {
			return nil
		}
		m := &memo{source: sha256.Sum256(src)}
		if known := before[lang]; known != nil && known.source == m.source {
			m = known
		} else {
			primary, _, _ := strings.Cut(lang, "-")
			doc, problems := document.Parse("content/posts/"+Draft+"."+primary+".md", src, document.Options{Language: lang})
			if hasErrors(problems) {
				continue
			}
			doc.Front.Bare = true // nobody has edited what would be cited
			printer, _ := locale.For(lang)
			m.post = newPost(doc, printer, blogpost.Path(doc, b.jekyll()))
			m.post.draft = true
			doc.Front.Date = time.Time{}
		}
		s.drafts[lang] = m
		out = append(out, m)
	}
	return out
}

// Languages are those of the site, that of its root first.
func (e *Snapshot) Languages() []string { return e.config.Languages }

// Location is the time zone of the site.
func (e *Snapshot) Location() *time.Location { return e.config.Location() }
