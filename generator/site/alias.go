package site

import (
	"path"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/redirect"
	"github.com/benchpost/benchpost/generator/result"
)

// addAliases adds the earlier names of posts to the places of all posts, so that a link with an old name leads to the
// post. A name that leads to two posts is an error.
func addAliases(listed []*memo, all map[string]place) []result.Message {
	var ms []result.Message
	taken := map[string]string{} // language and folded slug → file of the post
	for _, m := range listed {
		taken[address.Fold(m.post.doc.Lang+"/"+m.post.doc.Slug)] = m.post.doc.File
	}
	for _, m := range listed {
		d := m.post.doc
		ending := strings.TrimPrefix(path.Base(d.File), d.Name) // ".en.md"
		for i, alias := range d.Front.Aliases {
			key := address.Fold(d.Lang + "/" + alias)
			if other, clash := taken[key]; clash {
				text := locale.Textf("the alias %q is the name of %s", alias, other)
				if other == d.File {
					text = locale.Textf("the alias %q is a name of this post already", alias)
				}
				ms = append(ms, result.Message{Pos: d.Front.AliasesPos[i], Severity: result.Error, ID: "site.alias",
					Text: text, Hint: locale.Textf("one address leads to one post: remove the alias, or rename the other")})
				continue
			}
			taken[key] = d.File
			file := path.Join(path.Dir(d.File), alias+ending)
			if _, exists := all[file]; !exists {
				all[file] = all[d.File]
			}
		}
	}
	return ms
}

// putRedirects writes a redirect to the post at each of its earlier addresses.
func (p *post) putRedirects(pages *page.Site, site put) error {
	d := p.doc
	to := pages.PostPage(d.Lang, d.Slug)
	for _, alias := range d.Front.Aliases {
		at := pages.PostPage(d.Lang, alias)
		left := redirect.Page{Lang: d.Lang, Title: d.Front.Title, Words: p.printer.Words("page.moved"), To: address.Link(at, to)}
		if pages.BaseURL != "" {
			left.Canonical = pages.Address() + address.Escape(to)
		}
		if err := site(at, left.HTML()); err != nil {
			return err
		}
	}
	return nil
}
