package page

import (
	"errors"
	"html/template"
	"io/fs"
	"maps"

	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/script"
)

// scriptPath is where a script is in the site.
func scriptPath(entry string) string { return "script/" + entry + ".js" }

// script emits a script of the site, or the one of the same name that the
// site's layouts have instead.
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

// enliven has a page run a script, which may say the words whose keys begin with
// one of the prefixes.
func (l *language) enliven(pg *Page, entry string, prefixes ...string) {
	l.runs(pg, scriptPath(entry))
	l.teach(pg, prefixes...)
}

// teach passes to the scripts of a page the words whose keys begin with one of the
// prefixes.
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

// runs has a page run the script at a path of the site.
func (l *language) runs(pg *Page, path string) {
	pg.Scripts = append(pg.Scripts, template.URL(address.Root(l.dir+pg.path)+address.Escape(path)))
}

// LiveScript is the script with which pages follow the site while it is served. It is no
// part of the site: its server puts it into pages.
func LiveScript() ([]byte, error) { return script.Bundle(script.Live) }
