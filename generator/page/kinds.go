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

// kind is a kind of page. Its row in the table below is all that the program
// has to know of it: the layouts that are read, the links at the head and at
// the foot of every page, the front page, the sitemap, the files that are made
// and docs/layouts.md follow from the table.
type kind struct {
	name string // its layout is NAME.html
	data any    // what the layout receives as .Data: a value of its type

	// A section has one page in each language, which every other page links to.
	path  string                       // of the page, in its language's folder; "" for no section
	group string                       // of the index at the foot that lists it; "" for none
	main  bool                         // linked at the head of every page, too
	shown func(*contents) bool         // whether there is anything to see; nil when there always is
	fill  func(*composer) (any, error) // completes the page of a section and returns its data

	// Other kinds have a page for each thing they show.
	under string // the section that is marked as current on them

	// more makes what fill does not: the pages of a kind that is no section, and
	// those of a section that needs several. Nil for what is made with something
	// else: see Renderer.Render.
	more func(*builder, *language) iter.Seq[artifact]
}

// kinds is the table of all kinds of pages: sections in the order of the index
// at the foot, each followed by the kinds under it.
//
// The words of a section are page.NAME, those of the manual when it has no title of its own; those by which the front page offers it
// are page.start.NAME, where there are any. The page that fill completes is made
// again when any result or post changes, or the configuration. Links at the head
// have to fit into two lines of a phone: seven short words.
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

// The table is made when it is first asked for: its functions ask for it, which an initial value may not.
var (
	kindsOnce  sync.Once
	kindsTable []kind
)

// indexGroups are the columns of the index at the foot, headed by
// page.index.GROUP.
var indexGroups = []string{"results", "subjects", "about"}

// currentOn returns the name of the section that is marked as current on a kind
// of page, "" for none.
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

// sections are the kinds that have one page.
func sections() []kind {
	return slices.DeleteFunc(slices.Clone(kinds()), func(k kind) bool { return k.path == "" })
}

// shownSections are the sections in which there is something to see.
func (b *contents) shownSections() []kind {
	return slices.DeleteFunc(sections(), func(k kind) bool { return k.shown != nil && !k.shown(b) })
}

// pages are the artifacts of one kind of page in a language.
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

// masthead writes the links at the head of a page, siteIndex those at its foot.
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

// called is what a section is called in the language: the manual as its author says.
func (l *language) called(section string) string {
	if section == "manual" {
		return l.manual
	}
	return l.Printer.Words("page." + section)
}

// startEntry is where a reader may begin, and what is to be found there.
type startEntry struct {
	Name, Words string
	Href        template.URL
}

// start lists the sections that have words for what they are for.
func (v *composer) start(p locale.Printer, home string) []startEntry {
	var entries []startEntry
	for _, s := range v.l.sections {
		if key := "page.start." + s.name; p.Has(key) {
			entries = append(entries, v.l.sectionEntry(s, home))
		}
	}
	return entries
}
