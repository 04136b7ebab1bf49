package page

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"sync"

	"benchpost/generator/locale"
)

//go:embed layouts
var embedded embed.FS

// Policy is the content security policy of every page: nothing from
// elsewhere, no inline script or style. A server that adds to a page, as one
// with live reload does, has to widen it.
const Policy = "default-src 'none'; img-src 'self' data:; style-src 'self'; script-src 'self'; base-uri 'none'; form-action 'none'"

// Page is what a layout is given. Data depends on the kind and is documented
// where it is filled.
type Page struct {
	Kind        string // "home", "post", "run", "model", "models", "results", "problems"
	Section     string // the entry of the navigation the page stands under
	Lang        string
	Policy      string
	Site        string // the site's title
	Title       string // the page's own; "" on the front page
	Description string
	Author      string
	Root        template.URL // leads to the site's root: "../../", "" from the root itself
	Home        template.URL // leads to the language's folder
	Canonical   string       // absolute address; "" when the site's is not known
	Image       string       // absolute address of a picture; "" when there is none
	Feed        bool         // the language has a feed
	Elsewhere   []Version    // the same page in the other languages
	Data        any
}

// Version is a page in another language. Same is false where the page itself
// does not exist there and Href leads to the front page.
type Version struct {
	Lang, Name string
	Href       template.URL
	Absolute   string // for hreflang; "" when the site's address is not known
	Same       bool
}

// kinds are the layouts that fill the frame of base.html.
var kinds = []string{"home", "post", "run", "model", "models", "results", "problems"}

// readLayout gives a file of the site's layouts, or the embedded one.
func (s *Site) readLayout(name string) ([]byte, error) {
	if s.Layouts != nil {
		data, err := fs.ReadFile(s.Layouts, name)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return data, err
		}
	}
	return embedded.ReadFile("layouts/" + name)
}

// language is a language of the site with its layouts.
type language struct {
	tag     string
	dir     string // "" or "en/"
	printer locale.Printer
	layouts map[string]*template.Template // by kind; "404" stands alone
}

// newLanguage parses the layouts. Errors name layout and line.
func (s *Site) newLanguage(tag string) (*language, error) {
	p, ok := locale.For(tag)
	if !ok {
		return nil, fmt.Errorf("language %q is not known; there are %v", tag, locale.Languages)
	}
	l := &language{tag: tag, dir: s.dir(tag), printer: p, layouts: map[string]*template.Template{}}
	parse := func(name string) (*template.Template, error) {
		source, err := s.readLayout(name)
		if err != nil {
			return nil, fmt.Errorf("layout %s: %w", name, err)
		}
		return template.New(name).Funcs(template.FuncMap{"words": p.Words}).Parse(string(source))
	}
	base, err := parse("base.html")
	if err != nil {
		return nil, err
	}
	if l.layouts["404"], err = parse("404.html"); err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		main, err := parse(kind + ".html")
		if err != nil {
			return nil, err
		}
		frame, err := base.Clone()
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
		l.layouts[kind] = frame
	}
	return l, nil
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// execute lays out a page.
func (l *language) execute(layout string, data any) ([]byte, error) {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := l.layouts[layout].Execute(buf, data); err != nil {
		return nil, err
	}
	return bytes.Clone(buf.Bytes()), nil
}
