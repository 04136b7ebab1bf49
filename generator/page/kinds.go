package page

import (
	"html/template"
	"iter"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/manual"
	"github.com/benchpost/benchpost/generator/page/parts"
)

// kind is a kind of page. Everything specific to a kind is in its row of the table below: the layouts to read, the
// links at the head and at the foot of every page, the front page, the sitemap, the files to make, and docs/layouts.md
// follow from the table.
type kind struct {
	name string // its layout is NAME.html
	data any    // what the layout receives as .Data: a value of its type

	// A section has one page in each language. All other pages link to it.
	path  string                       // path of the page in its language's folder; "" if not a section
	group string                       // group in the index at the foot; "" for none
	main  bool                         // also linked at the head of every page
	shown func(*contents) bool         // reports whether the section has content; nil if it always has
	fill  func(*composer) (any, error) // completes the page of a section and returns its data

	// Other kinds have a page for each item.
	under string // the section that is marked as current on their pages

	// more returns the artifacts that fill does not make: the pages of a kind that is not a section, and those of a
	// section with several pages. It is nil if other code makes the pages: see Renderer.Render.
	more func(*builder, *language) iter.Seq[artifact]
}

// kinds returns the table of all kinds of pages: sections in the order of the index at the foot, each followed by the
// kinds under it.
//
// The message page.NAME is the title of a section, and page.start.NAME, if it exists, describes it on the front page.
// The manual may have a title of its own. A page completed by fill is made again when any result, any post or the
// configuration changes. The links at the head must fit into two lines of a phone: seven short words.
func kinds() []kind {
	kindsOnce.Do(func() {
		kindsTable = []kind{
			{name: "home", data: homeData{}, path: "index.html", group: "about", main: true, fill: (*composer).homePage},
			{name: "posts", data: postsData{}, under: "home", more: (*builder).postsPages},
			{name: "tags", data: tagsData{}, path: "tags/index.html", group: "about", shown: (*contents).hasTags, fill: (*composer).tagsPage, more: tagPages},
			{name: "post", data: postData{}, under: "home", more: (*builder).postArtifacts},
			{name: "results", data: resultsData{}, path: "results/index.html", group: "results", main: true, fill: (*composer).resultsPage, more: (*builder).campaignArtifacts},
			{name: "run", data: runData{}, under: "results"},
			{name: "compare", data: compareData{}, path: "compare/index.html", group: "results", main: true, fill: (*composer).comparePage},
			{name: "deploy", data: deployData{}, path: "deploy/index.html", group: "results", main: true, fill: (*composer).deployPage},
			{name: "coverage", data: coverageData{}, path: "coverage/index.html", group: "results", fill: (*composer).coveragePage},
			{name: "history", data: historyData{}, path: historyPath, group: "results", shown: (*contents).hasTrends, more: (*builder).historyArtifacts},
			{name: "trend", data: trendData{}, under: "history"},
			{name: "models", data: indexData{}, path: "models/index.html", group: "subjects", main: true, fill: (*composer).modelsPage},
			{name: "model", data: subjectData{}, under: "models", more: (*builder).modelArtifacts},
			{name: "hardware", data: indexData{}, path: "hardware/index.html", group: "subjects", main: true, fill: (*composer).hardwarePage},
			{name: "board", data: subjectData{}, under: "hardware", more: (*builder).boardArtifacts},
			{name: "loads", data: indexData{}, path: "loads/index.html", group: "subjects", main: true, fill: (*composer).loadsPage},
			{name: "load", data: subjectData{}, under: "loads", more: (*builder).loadArtifacts},
			{name: "manual", data: manualData{}, path: manual.Index, group: "about", main: true, shown: (*contents).hasManual, more: manualArtifacts},
			{name: "methodology", data: methodologyData{}, path: address.Methodology, group: "about", fill: (*composer).methodologyPage},
			{name: "problems", data: problemsData{}, path: "problems/index.html", group: "about", fill: (*composer).problemsPage},
			{name: "downloads", data: downloadsData{}, path: downloadsPath, group: "about"},
			{name: "search", data: searchData{}, path: "search/index.html", group: "about", fill: (*composer).searchPage},
			{name: "404", data: notFoundData{}},
			{name: "diff", data: diffData{}},
		}
	})
	return kindsTable
}

// The table is made on first use: an initializer could not refer to functions that use the table.
var (
	kindsOnce  sync.Once
	kindsTable []kind
)

// indexGroups lists the columns of the index at the foot. Their headings are the messages page.index.GROUP.
var indexGroups = []string{"results", "subjects", "about"}

// currentOn returns the section that is marked as current on a kind of page, "" for none.
func currentOn(name string) string {
	for _, k := range kinds() {
		switch {
		case k.name != name:
		case k.path != "":
			return k.name
		default:
			return k.under
		}
	}
	return ""
}

// sections returns the kinds that have one page.
func sections() []kind {
	return slices.DeleteFunc(slices.Clone(kinds()), func(k kind) bool { return k.path == "" })
}

// shownSections returns the sections that have content.
func (b *contents) shownSections() []kind {
	return slices.DeleteFunc(sections(), func(k kind) bool { return k.shown != nil && !k.shown(b) })
}

// pages returns the artifacts of one kind of page in a language.
func (b *builder) pages(l *language, k kind) iter.Seq[artifact] {
	return func(yield func(artifact) bool) {
		if k.fill != nil && !yield(b.whole(l, k.name, k.path, func() ([]file, error) {
			v := b.compose(l, k.name, k.path, l.Printer.Words("page."+k.name))
			var err error
			if v.pg.Data, err = k.fill(v); err != nil {
				return nil, err
			}
			return v.finish()
		})) {
			return
		}
		if k.more == nil {
			return
		}
		for a := range k.more(b, l) {
			if !yield(a) {
				return
			}
		}
	}
}

// masthead returns the links at the head of a page; siteIndex returns those at its foot.
func (f functions) masthead() template.HTML {
	var w parts.Writer
	for _, s := range f.l.sections {
		if s.main {
			f.link(&w, s)
			w.Tag("\n")
		}
	}
	if f.l.whole != "" {
		w.Tag(`<a href="`)
		w.Text(f.root + f.l.whole)
		w.Tag(`">`)
		w.Text(f.l.Printer.Words("page.parts"))
		w.Tag("</a>\n")
	}
	return w.HTML()
}

func (f functions) siteIndex() template.HTML {
	var w parts.Writer
	for _, group := range indexGroups {
		w.Tag("<div><h2>", f.l.Printer.Words("page.index."+group), "</h2>\n<ul>")
		for _, s := range f.l.sections {
			if s.group == group {
				w.Tag("<li>")
				f.link(&w, s)
				w.Tag("</li>")
			}
		}
		w.Tag("</ul></div>\n")
	}
	return w.HTML()
}

// link writes a link to a section.
func (f functions) link(w *parts.Writer, section kind) {
	w.Tag(`<a href="`)
	w.Text(f.home + section.path)
	w.Tag(`"`, string(f.current(section.name)), ">")
	w.Text(f.l.called(section.name))
	w.Tag("</a>")
}

// called returns the title of a section in the language. The author may name the manual.
func (l *language) called(section string) string {
	if section == "manual" {
		return l.manual
	}
	return l.Printer.Words("page." + section)
}

// startEntry is a link to a section, with a description of it.
type startEntry struct {
	Name, Words string
	Href        template.URL
}

// start lists the sections that have a description.
func (v *composer) start(p locale.Printer, home string) []startEntry {
	var entries []startEntry
	for _, s := range v.l.sections {
		if key := "page.start." + s.name; p.Has(key) {
			entries = append(entries, v.l.sectionEntry(s, home))
		}
	}
	return entries
}
