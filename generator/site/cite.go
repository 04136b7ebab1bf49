package site

import (
	"cmp"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/cite"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
)

// authors returns the author of, or the authors of the site if of is "".
func authors(c *config.Config, of string) []cite.Author {
	if of != "" {
		return []cite.Author{{Name: of}}
	}
	var all []cite.Author
	for _, a := range c.Cite.Authors {
		all = append(all, cite.Author{Name: a.Name, Family: a.Family, Given: a.Given, ORCID: a.ORCID})
	}
	if all == nil && c.Author != "" {
		all = []cite.Author{{Name: c.Author}}
	}
	return all
}

// work returns the citation of something on the site, still without id, title and date. at is its page; "" if it has
// none. If no author is known, the site is the author.
func work(c *config.Config, author, at string, p locale.Printer) cite.Work {
	w := cite.Work{Authors: authors(c, author), In: p.Say(c.Title.Text), Lang: p.Lang(),
		Repository: c.Cite.Repository, DOI: c.Cite.DOI, License: c.Cite.License}
	if base := cmp.Or(c.Cite.URL, c.BaseURL); base != "" {
		w.URL = strings.TrimSuffix(base, "/") + "/" + (&url.URL{Path: at}).EscapedPath()
	}
	if w.Authors == nil {
		w.Authors, w.In = []cite.Author{{Name: cmp.Or(w.In, "benchpost")}}, ""
	}
	return w
}

// siteWork returns the citation of the site itself, with the authors that site.toml names.
func siteWork(c *config.Config) cite.Work {
	english, _ := locale.For("en")
	w := work(c, "", "", english)
	w.Authors = authors(c, "")
	return w
}

// evidence returns the files that a run was read from and the citation of the run.
func (b *builder) evidence(r *result.Result, lang string) (page.Evidence, error) {
	var e page.Evidence
	roles := map[result.Role]string{result.Itself: "result", result.Joined: "joined", result.Told: "told"}
	add := func(file, role string) error {
		name, one, err := b.files().measured(file)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(e.Files, func(x page.Exhibit) bool { return x.Path == name }) {
			return nil // several files in one archive
		}
		x := page.Exhibit{File: one.File(name), Role: role}
		if one.Bytes <= b.config.Raw.Bytes(page.MaxRaw) {
			x.Copy = b.names.Raw(name, one.Ending())
			if name == r.Source.File {
				x.Read = b.files().reading(name, one)
				x.Is = func(text []byte) bool { return int64(len(text)) == one.Bytes && one.Contains(text) }
			}
		} else if b.config.Cite.Files != "" {
			x.Href = b.config.Cite.Files + (&url.URL{Path: name}).EscapedPath()
		}
		e.Files = append(e.Files, x)
		return nil
	}
	for _, f := range r.Files() {
		if err := add(f.Name, roles[f.Role]); err != nil {
			return e, err
		}
	}
	files := make([]cite.File, len(e.Files))
	for i := range e.Files {
		files[i] = e.Files[i].File
	}
	e.Work = b.runWork(r, files, lang)
	return e, nil
}

// copies returns the raw files that are published as they are on the disk, in addition to the runs' own files, which
// are published with their pages: telemetry, captures, archives.
func (b *builder) copies() []page.Copy {
	seen := make(map[string]bool, len(b.results))
	for _, r := range b.results {
		seen[r.Source.File] = true
	}
	var out []page.Copy
	add := func(file string) {
		name, one, err := b.files().measured(file)
		if err != nil || one.Bytes > b.config.Raw.Bytes(page.MaxRaw) || name != file && seen[name] {
			return // the run's page reports what cannot be read
		}
		seen[name] = true
		out = append(out, page.Copy{Path: b.names.Raw(name, one.Ending()), Stamp: result.Stamp(one.SHA256[:16]), Read: b.files().reading(name, one)})
	}
	for _, r := range b.results {
		if file, _ := b.files().onDisk(r.Source.File); file != "" && file != r.Source.File {
			add(r.Source.File)
		}
		for _, f := range r.Files()[1:] {
			if !seen[f.Name] {
				seen[f.Name] = true
				add(f.Name)
			}
		}
	}
	return append(out, pageFiles(b)...)
}

// cited returns the runs whose figures a post shows, in order.
func (b *builder) cited(p *post) []*result.Result {
	runs := make([]*result.Result, 0, len(p.runs))
	for id := range p.runs {
		i, ok := slices.BinarySearchFunc(b.results, id, func(r *result.Result, id string) int { return result.NaturalCompare(r.ID, id) })
		if ok {
			runs = append(runs, b.results[i])
		}
	}
	slices.SortFunc(runs, result.Compare)
	return runs
}

// postWork returns the citation of a post.
func (b *builder) postWork(p *post, files []cite.File) cite.Work {
	d := p.doc
	w := work(&b.config, d.Front.Author, b.pages.PostPage(d.Lang, d.Slug), p.printer)
	w.ID = cite.Key(path.Base(d.Slug), strconv.Itoa(d.Front.Date.Year()))
	w.Title, w.Date, w.IsReport, w.Revision = d.Front.Title, d.Front.Date, true, cite.Revision(files)
	return w
}

// runWork returns the citation of a run.
func (b *builder) runWork(r *result.Result, files []cite.File, lang string) cite.Work {
	p, _ := locale.For(lang)
	w := work(&b.config, "", b.pages.RunPage(p.Lang(), r.ID), p)
	w.ID, w.Title, w.Date, w.Revision = cite.Key(r.ID), p.Words("cite.run.title", r.ID), dateOf(r), cite.Revision(files)
	return w
}

// siteWork returns the citation of the site with all its data.
func (b *builder) siteWork(files []cite.File) cite.Work {
	p, _ := locale.For(b.config.Languages[0])
	w := work(&b.config, "", "", p)
	w.Title, w.In, w.Revision = cmp.Or(p.Say(b.config.Title.Text), "benchpost"), "", cite.Revision(files)
	for _, r := range b.results {
		if at := dateOf(r); at.After(w.Date) {
			w.Date = at
		}
	}
	for _, post := range b.posts {
		if at := post.doc.Front.Date; at.After(w.Date) {
			w.Date = at
		}
	}
	w.ID = cite.Key(locale.English(b.config.Title.Text))
	return w
}

// dateOf returns when a run was measured; zero if that is unknown.
func dateOf(r *result.Result) time.Time {
	if !r.Period.To.IsZero() {
		return r.Period.To
	}
	for _, form := range []string{time.RFC3339, time.DateTime, time.DateOnly} {
		if at, err := time.Parse(form, r.Label("date")); err == nil {
			return at
		}
	}
	return time.Time{}
}

// provenance returns what a post states about its data at its end; nil if it states nothing. link returns the address
// of a run's page.
func (b *builder) provenance(p *post, link func(run string) string) (*cite.Provenance, error) {
	runs := b.cited(p)
	if p.doc.Front.Bare || len(runs) == 0 {
		return nil, nil
	}
	files, err := b.files().of(runs)
	if err != nil {
		return nil, err
	}
	work := b.postWork(p, files)
	footer := &cite.Provenance{Revision: work.Revision, Files: files, Versions: versions(runs, p.printer), Text: work.Text(p.printer), BibTeX: work.BibTeX()}
	for _, r := range runs {
		footer.Runs = append(footer.Runs, cite.Run{ID: r.ID, Name: b.pages.RunName(r, p.doc.Lang), Href: link(r.ID)})
	}
	return footer, nil
}

// sumsName is the file with the checksums of a post's raw files, beside the post.
const sumsName = "sha256sums.txt"

// versions returns the programs named in the runs' labels, such as "vllm 0.10.1": first engines, then benchmark tools.
func versions(runs []*result.Result, p locale.Printer) []string {
	var engines, tools []string
	add := func(to *[]string, label, name, version string) {
		if name == "" {
			return
		}
		program := strings.TrimSpace(p.Value(label, name) + " " + version)
		if !slices.Contains(*to, program) {
			*to = append(*to, program)
		}
	}
	for _, r := range runs {
		add(&engines, "engine", r.Label("engine"), r.Label("engine_version"))
		if r.Tool != "generic" && r.Tool != r.Label("engine") { // such names add nothing
			add(&tools, "tool", r.Tool, r.Label("tool_version"))
		}
	}
	slices.SortFunc(engines, result.NaturalCompare)
	slices.SortFunc(tools, result.NaturalCompare)
	return append(engines, tools...)
}
