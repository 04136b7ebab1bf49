package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// layouts is the folder of a site's own layouts.
type layouts string

func (b *builder) layouts() layouts { return layouts(filepath.Join(b.opt.Dir, "layouts")) }

// files returns the layouts that may be read: the regular files in their folder.
func (l layouts) files() fs.FS { return l.own().FS("layouts") }

// Layouts returns a site's own layouts that may be read; nil if it has none.
func Layouts(dir string) fs.FS {
	l := layouts(filepath.Join(dir, "layouts"))
	if !isDir(string(l)) {
		return nil
	}
	return l.files()
}

func (l layouts) own() sitefile.Folders { return sitefile.In(filepath.Dir(string(l)), "layouts") }

// refused reports layouts and files in layouts/ that must not be read. They stop the build.
func (l layouts) refused() []result.Message {
	var ms []result.Message
	_ = fs.WalkDir(l.files(), ".", func(name string, d fs.DirEntry, err error) error { // what cannot be listed fails when read
		if err != nil || d.IsDir() || d.Type().IsRegular() {
			return nil
		}
		file := "layouts/" + name
		var no *sitefile.Refusal
		if errors.As(l.own().Check(file), &no) {
			ms = append(ms, result.Message{Pos: result.Position{File: file}, Severity: result.Error, ID: "site.layout", Text: locale.Textf("a layout that %s is not read", no.Why), Hint: no.Hint})
		}
		return nil
	})
	return ms
}

// stray reports files among the layouts that nothing uses.
func (l layouts) stray() []result.Message {
	known := []string{page.CustomStyle}
	entries, _ := fs.ReadDir(page.Layouts(), ".")
	for _, e := range entries {
		known = append(known, e.Name())
	}
	var ms []result.Message
	entries, _ = os.ReadDir(string(l))
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || slices.Contains(known, name) || name == "README.md" || name[0] == '.' {
			continue
		}
		m := result.Message{Pos: result.Position{File: "layouts/" + name}, Severity: result.Warning, ID: "site.layout",
			Text: locale.Textf("no layout has this name; it is not used"), Hint: locale.Textf("there are: %s, and files to be copied in static/", locale.Commas(known...))}
		if near := settings.Nearest(name, known); near != "" {
			m.Hint = locale.Textf("did you mean %s?", near)
		}
		ms = append(ms, m)
	}
	return ms
}

// has reports whether the site overrides a layout.
func (l layouts) has(name string) bool {
	_, err := os.Stat(filepath.Join(string(l), name))
	return err == nil
}

// templateFault matches an error of text/template or html/template.
var templateFault = regexp.MustCompile(`template: ([\w./-]+\.html):(\d+)(?::\d+)?: (.*)`)

// mistake finds the position in one of the site's own layouts that an error is about.
func (l layouts) mistake(err error) (result.Message, bool) {
	if err == nil {
		return result.Message{}, false
	}
	found := templateFault.FindStringSubmatch(err.Error())
	if found == nil || !l.has(found[1]) {
		return result.Message{}, false
	}
	line, _ := strconv.Atoi(found[2])
	return result.Message{Pos: result.Position{File: "layouts/" + found[1], Line: line}, Severity: result.Error, ID: "site.layout", Text: locale.Lit(found[3]),
		Hint: locale.Textf("docs/layouts.md lists the data of each layout; benchpost init --layouts writes the built-in ones")}, true
}
