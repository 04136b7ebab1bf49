package page

import (
	"cmp"
	"html/template"
	"slices"
	"time"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// postData is the data of post.html.
type postData struct {
	Title        string
	Date         string // in the notation of the language; "" for none
	ISODate      string // the same date as 2026-01-15
	Updated      string // "" when never
	ISOUpdated   string
	Tags         []string         // categories first
	Body         template.HTML    // the finished post
	Headings     []Heading        // of the table of contents; none for a post that needs none
	Source       string           // the file it was written in
	Provenance   *cite.Provenance // of its data; absent if the post states none
	Versions     string           // the programs used, as a list in words
	Runs         []runLink        // the origin of the post's figures
	Data         []export.Block   // its evaluated blocks, in order
	JSON         template.URL     // the same for other programs
	Newer, Older *postLink        // its neighbours; absent at the ends
	Translations []Version        // those that exist
}

// leastContents is the minimum number of headings for a table of contents.
const leastContents = 4

// runLink is a link to a run.
type runLink struct {
	Name, Load string // its name and its load
	ID         string
	Href       template.URL
}

type postLink struct {
	Title string
	Href  template.URL
}

func (b *builder) post(l *language, i int) job {
	return func() ([]file, error) {
		post := b.posts[l.tag][i]
		if post.Fill != nil {
			full := *post
			if err := full.Fill(&full); err != nil {
				return nil, err
			}
			post = &full
		}
		path := address.Post(post.Slug)
		v := b.compose(l, "post", path, post.Title)
		v.translate(post)
		if image := cmp.Or(post.Card, post.Image); image != "" && b.base != "" {
			v.pg.Image, v.pg.isCard, v.pg.imageAlt = b.base+address.Escape(image), post.Card != "", post.Title
		}
		home := v.pg.home
		d := &postData{
			Title:   post.Title,
			Date:    day(l.Printer, post.Date),
			ISODate: isoDay(post.Date),
			Tags:    slices.Concat(post.Categories, post.Tags),
			Body:    post.Body,
			Source:  post.Source,

			Headings: listed(post.Headings),

			Provenance: post.Provenance,
			Data:       post.Data,
			JSON:       template.URL(address.Link(l.dir+path, b.PostData(l.tag, post.Slug))),
		}
		if d.Provenance != nil {
			d.Versions = l.Printer.List(d.Provenance.Versions)
		}
		d.Tags = unique(d.Tags)
		if !post.Updated.IsZero() && !post.Updated.Equal(post.Date) {
			d.Updated, d.ISOUpdated = day(l.Printer, post.Updated), isoDay(post.Updated)
		}
		link := func(i int) *postLink {
			if i < 0 || i >= len(b.posts[l.tag]) {
				return nil
			}
			other := b.posts[l.tag][i]
			return &postLink{other.Title, template.URL(home + address.Escape(address.Post(other.Slug)))}
		}
		d.Newer, d.Older = link(i-1), link(i+1)
		for _, id := range post.Runs {
			rl := runLink{Name: id, ID: id, Href: template.URL(home + address.Escape(b.Names.Run(id)))}
			if r, ok := b.byID(id); ok {
				rl.Name, rl.Load = parts.RunName(r), l.LoadName(r)
				d.Runs = append(d.Runs, rl)
			}
		}
		for _, version := range v.pg.Elsewhere {
			if version.Same {
				d.Translations = append(d.Translations, version)
			}
		}
		v.pg.Data, v.pg.Dated, v.pg.Description = d, d.Date, aboutPost(post)
		v.pg.article, v.pg.dataset = articleOf(l.site, "BlogPosting", post), postDataset(v, post)
		v.pg.charts = post.Charts
		return v.finish()
	}
}

// listed returns the headings of a table of contents, none if there are few.
func listed(all []Heading) []Heading {
	var out []Heading
	for _, h := range all {
		if h.Level <= 3 && h.ID != "" {
			out = append(out, h)
		}
	}
	if len(out) < leastContents {
		return nil
	}
	return out
}

// translate links the versions of a post's page to its translations. If there is none, it links to the front page.
func (v *composer) translate(post *Post) {
	for i := range v.pg.Elsewhere {
		to := &v.pg.Elsewhere[i]
		other := v.languages[slices.IndexFunc(v.languages, func(l *language) bool { return l.tag == to.Lang })]
		path := "index.html"
		translation, ok := v.translation(post, to.Lang)
		if ok {
			path = address.Post(translation.Slug)
			to.Parallel = post.Outline != "" && translation.Outline == post.Outline
		}
		to.Href, to.Same = template.URL(address.Root(v.l.dir+v.pg.path)+address.Escape(other.dir+path)), ok
	}
}

// translation returns the translation of a post into a language, if it exists.
func (b *contents) translation(post *Post, lang string) (*Post, bool) {
	slug := post.Translations[lang]
	i := slices.IndexFunc(b.posts[lang], func(p *Post) bool { return p.Slug == slug })
	if i < 0 {
		return nil, false
	}
	return b.posts[lang][i], true
}

// unique returns the words, each once and none empty.
func unique(words []string) []string {
	var out []string
	for _, s := range words {
		if s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func day(p locale.Printer, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return p.Date(t)
}

func isoDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
