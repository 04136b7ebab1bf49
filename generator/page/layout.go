package page

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/data"
	"github.com/benchpost/benchpost/generator/page/meta"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

//go:embed layouts
var embedded embed.FS

// CustomStyle is the file of a site's layouts that is appended to the style sheet.
const CustomStyle = "custom.css"

// Layouts returns the built-in layouts, which authors can copy and change.
func Layouts() fs.FS {
	layouts, err := fs.Sub(embedded, "layouts")
	if err != nil {
		panic(err) // cannot happen: it is embedded above
	}
	return layouts
}

// Policy is the content security policy of every page: no resources from elsewhere, no inline scripts or styles. A
// server that adds scripts to pages, for example for live reload, must extend it.
const Policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"

// Page is the data passed to a layout. Data depends on the kind of page and is documented where it is filled.
//
// Layouts also have functions for what many pages share:
//
//	words "page.runs" …   a message of the catalogue, with its arguments
//	root, home            prefix of links to the site's root and to the
//	                      language's folder: "../../"
//	lang, kind            the language's tag, the page's kind
//	site, author          the site's title and author
//	masthead, siteindex   links to the parts of the site, at the head and at the foot
//	tag .Name             link to the page of a tag
//	current "results"     marks the part of the site that contains the page
//	say .Title            a text of a block in the page's language
//	table .Table, findings .Findings
//	                      a block laid out as in a post, with links to its runs
type Page struct {
	Title       string            // the page's own; "" on the front page
	Description string            // what the page is about, as plain text
	Meta        template.HTML     // metadata for search engines and previews: description, Open Graph, JSON-LD
	Links       template.HTML     // <link> to this page's address and to its other languages
	Address     string            // absolute address of the page itself; "" if the site's is unknown
	Dated       string            // the day, if the content has a date; "" if it changes with the runs
	Image       string            // absolute address of a picture; "" if there is none
	Feed        bool              // the language has a feed
	Elsewhere   []Version         // the same page in the other languages
	Scripts     []template.URL    // in addition to the script of all pages
	Words       map[string]string // words of the scripts, by key
	Names       *data.Names       // data about results for the scripts; nil for none
	Data        any               // the data of the kind of page, see its layout

	article  *meta.Article // for a page with a text of its own
	dataset  *meta.Dataset // for a page that shows some of the data
	imageAlt string
	isCard   bool // Image is a card of 1200 by 630 pixels

	charts []string      // names of the interactive charts on the page
	chart  *report.Chart // the first chart drawn for the page
	kind   string        // selects the layout
	path   string        // path of the page in its language's folder
	home   string        // prefix of links to that folder
}

// Version is a page in another language.
type Version struct {
	Lang     string       // its tag, "zh-CN"
	Name     string       // its own name, "中文"
	Href     template.URL // the front page if the page itself does not exist
	Same     bool         // the page itself exists
	Parallel bool         // it is a post whose sections and blocks have the same numbers in both languages
}

// readLayout returns a file of the site's layouts, or the embedded one.
func (s *Site) readLayout(name string) ([]byte, error) {
	if s.Layouts != nil {
		data, err := fs.ReadFile(s.Layouts, name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	data, err := embedded.ReadFile("layouts/" + name)
	if err != nil {
		return nil, locale.Errorf("layout %s: %s", name, err)
	}
	return data, nil
}

// language is a language of the site with its layouts.
type language struct {
	parts.Reader
	tag     string
	dir     string            // "" or "en/"
	title   string            // the site's
	author  string            // the site's
	whole   string            // Site.Whole
	site    *meta.Site        // for the metadata of pages
	sources map[string]string // sources of the layouts, by name

	sections []kind // sections with content
	manual   string // title of the manual

	names    func() *data.Names         // of all results, for scripts; made once
	named    atomic.Pointer[data.Names] // the same, once they are made
	layouts  *sync.Map                  // layoutKey → *template.Template
	toModels sync.Map                   // prefix of links to the language's folder → the links of modelLinks
	forms    sync.Map                   // prefix of keys → the messages with such keys, by key
}

// layoutKey identifies a parsed layout. The results of a layout's functions depend on the kind of page and on its
// depth.
type layoutKey struct {
	kind  string
	depth int
}

// newLanguage reads and parses the layouts, so that errors in them are found before any other work is done.
func (s *Site) newLanguage(tag string, shown []kind) (*language, error) {
	p, ok := locale.For(tag)
	if !ok {
		return nil, locale.Errorf("language %q is not known; there are %v", tag, locale.Languages)
	}
	l := &language{layouts: &sync.Map{}, tag: tag, dir: s.dir(tag), title: p.Say(s.Title), author: s.Author, whole: s.Whole, Reader: parts.Reader{Printer: p, Titles: s.Titles, Names: s.Names}, sources: map[string]string{}, sections: shown}
	l.site = &meta.Site{Reader: &l.Reader, Title: l.title, Author: s.Author, Base: s.Address(), Dir: l.dir, Work: s.Work}
	l.manual = cmp.Or(s.Manual.Title(tag), p.Words("page.manual"))
	names := []string{"base"}
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	for _, name := range names {
		source, err := s.readLayout(name + ".html")
		if err != nil {
			return nil, err
		}
		l.sources[name] = string(source)
		if err := l.checkWords(name+".html", string(source)); err != nil {
			return nil, err
		}
	}
	if old := s.before(tag); old != nil && maps.Equal(old.sources, l.sources) && old.manual == l.manual &&
		slices.EqualFunc(old.sections, shown, func(a, b kind) bool { return a.name == b.name }) {
		l.layouts = old.layouts
		return l, nil
	}
	for _, name := range names[1:] {
		if _, err := l.parse(layoutKey{name, 0}); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// calledWords matches a use of a message in a layout.
var calledWords = regexp.MustCompile(`\bwords\s+"([^"]*)"`)

// checkWords returns an error if a layout uses a message that is not in the catalogue. Otherwise readers would see the
// key.
func (l *language) checkWords(file, source string) error {
	for _, m := range calledWords.FindAllStringSubmatchIndex(source, -1) {
		if key := source[m[2]:m[3]]; !l.Printer.Has(key) {
			return locale.Errorf("%s:%d: there is no message %q", file, 1+strings.Count(source[:m[0]], "\n"), key)
		}
	}
	return nil
}

// before returns a language of the previous renderer, if at most runs and posts have changed since. Otherwise it
// returns nil.
func (s *Site) before(tag string) *language {
	if s.Before == nil || s.Key != s.Before.Key || s.Key == (result.Stamp{}) {
		return nil
	}
	i := slices.IndexFunc(s.Before.languages, func(l *language) bool { return l.tag == tag })
	if i < 0 {
		return nil
	}
	return s.Before.languages[i]
}

// parse makes the template of a kind of page: base.html with the layout of the kind as "main". 404.html has no base.
// Errors name layout and line.
func (l *language) parse(k layoutKey) (*template.Template, error) {
	up := strings.Repeat("../", k.depth)
	f := functions{l: l, kind: k.kind, root: up, home: up + address.Escape(l.dir), section: currentOn(k.kind)}
	parse := func(name string) (*template.Template, error) {
		return template.New(name + ".html").Funcs(f.all()).Parse(f.fold(l.sources[name]))
	}
	if k.kind == "404" {
		return parse("404")
	}
	frame, err := parse("base")
	if err != nil {
		return nil, err
	}
	main, err := parse(k.kind)
	if err != nil {
		return nil, err
	}
	for _, t := range main.Templates() {
		name := t.Name()
		if name == main.Name() {
			name = "main"
		}
		if _, err := frame.AddParseTree(name, t.Tree); err != nil {
			return nil, err
		}
	}
	return frame, nil
}

// functions holds the state of the functions for layouts, for one kind of page at one depth.
type functions struct {
	l                *language
	kind, root, home string
	section          string // the section marked as current
}

func (f functions) all() template.FuncMap {
	return template.FuncMap{
		"words":     f.l.Printer.Words,
		"current":   f.current,
		"masthead":  sync.OnceValue(f.masthead), // the same on all pages of the kind
		"siteindex": sync.OnceValue(f.siteIndex),
		"root":      func() template.URL { return template.URL(f.root) },
		"home":      func() template.URL { return template.URL(f.home) },
		"lang":      func() string { return f.l.tag },
		"site":      func() string { return f.l.title },
		"author":    func() string { return f.l.author },
		"kind":      func() string { return f.kind },
		"tag":       func(name string) template.URL { return template.URL(f.home + address.Escape(tagPath(name))) },
		"say":       f.l.Printer.Say,
		"table": func(t report.Table) template.HTML {
			return parts.Table(t, f.l.Printer, f.run)
		},
		"findings": func(of report.Findings) template.HTML {
			return parts.Findings(of, f.l.Printer, f.run)
		},
	}
}

// run returns a link to the page of a run.
func (f functions) run(id string) string { return f.home + address.Escape(f.l.Names.Run(id)) }

func (f functions) current(section string) template.HTMLAttr {
	if section == f.section {
		return ` aria-current="true"`
	}
	return ""
}

// constant matches calls that return the same on all pages of a kind and depth.
var constant = regexp.MustCompile(`\{\{(words|current) "([a-z0-9.]+)"\}\}|\{\{(root|home|lang|site|author|kind|masthead|siteindex)\}\}`)

// fold replaces constant calls in the source of a layout by their results. Calls are most of the cost of executing a
// template; this makes the page of a run three times as fast.
func (f functions) fold(source string) string {
	return constant.ReplaceAllStringFunc(source, func(call string) string {
		m := constant.FindStringSubmatch(call)
		switch m[1] + m[3] {
		case "words":
			return template.HTMLEscapeString(f.l.Printer.Words(m[2]))
		case "current":
			return string(f.current(m[2]))
		case "masthead":
			return string(f.masthead())
		case "siteindex":
			return string(f.siteIndex())
		case "root":
			return f.root
		case "home":
			return template.HTMLEscapeString(f.home)
		case "kind":
			return f.kind
		case "lang":
			return template.HTMLEscapeString(f.l.tag)
		case "author":
			return literal(f.l.author)
		}
		return literal(f.l.title)
	})
}

// literal escapes text for the source of a layout.
func literal(s string) string {
	return strings.ReplaceAll(template.HTMLEscapeString(s), "{", "&#123;")
}

// execute makes the page at a path of the language's folder.
func (l *language) execute(kind, path string, data any) (file, error) {
	k := layoutKey{kind, strings.Count(l.dir+path, "/")}
	t, ok := l.layouts.Load(k)
	if !ok {
		parsed, err := l.parse(k)
		if err != nil {
			return file{}, err
		}
		t, _ = l.layouts.LoadOrStore(k, parsed)
	}
	room := rooms.Get().(*bytes.Buffer)
	room.Reset()
	if err := t.(*template.Template).Execute(room, data); err != nil {
		return file{}, err
	}
	return file{l.dir + path, visible.Bytes(room.Bytes()), room}, nil
}
