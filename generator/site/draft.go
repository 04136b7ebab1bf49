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

// mostDrafted is the largest number of runs in such a post. With more runs, an author has to choose.
const mostDrafted = 2000

// Compose writes a post from the runs of the snapshot; see compose.Post.
func (e *Snapshot) Compose(r compose.Request) ([]byte, error) {
	r.Commands = e.files().commands
	return compose.Post(e.pages.Report, r)
}

// SiteFile writes a site.toml that fits the runs of the snapshot; see compose.Site.
func (e *Snapshot) SiteFile(title string) []byte { return compose.Site(e.pages.Report, title) }

// Runs returns the number of results in the snapshot, including auxiliary ones.
func (e *Snapshot) Runs() int { return len(e.pages.Report.Results) + len(e.pages.Report.Auxiliary) }

// commands returns the commands that started a run. It returns nil if the run's file cannot be read, which the build
// reports.
func (s rawFiles) commands(r *result.Result) []result.Command {
	raw, err := s.source(r)
	if err != nil {
		return nil
	}
	return commands(r, raw)
}

// draft returns what a site without posts shows: a post in each of the site's languages, composed from its runs and
// saved in no file. A site with any post, published or not, has no such draft, because its author has chosen what to
// show.
func (s *Session) draft(b *builder, data *dataset.Selection) []*memo {
	if len(s.posts) > 0 || s.opt.Keep == "" && len(data.Results) > mostDrafted {
		return nil
	}
	before := s.drafts
	s.drafts = map[string]*memo{}
	var out []*memo
	for _, lang := range b.config.Languages {
		const undated = "2000-01-01" // needed for composing; the post itself has no date
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
			doc.Front.Bare = true // nobody has edited it, so it has no citation
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

// Languages returns the languages of the site, starting with that of its root.
func (e *Snapshot) Languages() []string { return e.config.Languages }

// Location returns the time zone of the site.
func (e *Snapshot) Location() *time.Location { return e.config.Location() }
