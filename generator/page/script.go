package page

import (
	"errors"
	"html/template"
	"io/fs"
	"maps"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/script"
)

// scriptPath returns the path of a script in the site.
func scriptPath(entry string) string { return "script/" + entry + ".js" }

// script emits a script of the site, or the script of the same name in the site's layouts.
func (b *Site) script(entry string) job {
	return func() ([]file, error) {
		name := scriptPath(entry)
		if b.Layouts != nil {
			data, err := fs.ReadFile(b.Layouts, name)
			if err == nil || !errors.Is(err, fs.ErrNotExist) {
				return []file{{path: name, data: data}}, err
			}
		}
		data, err := script.Bundle(entry)
		return []file{{path: name, data: data}}, err
	}
}

// enliven adds a script to a page, with the messages whose keys begin with one of the prefixes.
func (l *language) enliven(pg *Page, entry string, prefixes ...string) {
	l.runs(pg, scriptPath(entry))
	l.teach(pg, prefixes...)
}

// teach passes messages to the scripts of a page: those whose keys begin with one of the prefixes.
func (l *language) teach(pg *Page, prefixes ...string) {
	if pg.Words == nil {
		pg.Words = map[string]string{}
	}
	for _, prefix := range prefixes {
		forms, ok := l.forms.Load(prefix)
		if !ok {
			forms, _ = l.forms.LoadOrStore(prefix, l.Printer.Forms(prefix))
		}
		maps.Copy(pg.Words, forms.(map[string]string))
	}
}

// runs adds the script at a path of the site to a page.
func (l *language) runs(pg *Page, path string) {
	pg.Scripts = append(pg.Scripts, template.URL(address.Root(l.dir+pg.path)+address.Escape(path)))
}

// LiveScript returns the script that keeps pages up to date while the site is served. It is not part of the site: the
// server inserts it into pages.
func LiveScript() ([]byte, error) { return script.Bundle(script.Live) }
