package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Pages configures documents besides the posts: Markdown files that become pages of the HTML site.
type Pages struct {
	Dir      string   // folder relative to the site; default content/pages if that exists
	Language string   // of files whose names contain none; default: the first language of the site
	Except   []string // files and folders in Dir that are not pages; * matches any characters
}

// usualPages is the default folder.
const usualPages = "content/pages"

// PagesDir returns the folder of a site's pages, with slashes, or "" if there is none. No other setting of
// site.toml is needed before it is known whether anything has changed.
func PagesDir(dir string) string {
	var of struct{ Pages Pages }
	if text, err := sitefile.Read(filepath.Join(dir, Name)); err == nil && bytes.Contains(text, []byte("pages")) {
		settings.Decode(Name, 1, text, &of) // Read reports invalid contents
	}
	of.Pages.complete(dir, "")
	return of.Pages.Dir
}

// complete sets defaults for the site in dir.
func (p *Pages) complete(dir, lang string) {
	if p.Dir == "" {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(usualPages))); err == nil && info.IsDir() {
			p.Dir = usualPages
		}
	} else {
		p.Dir = path.Clean(p.Dir)
	}
	if p.Language == "" {
		p.Language = lang
	}
	if l, ok := locale.For(p.Language); ok {
		p.Language = l.Lang()
	}
}

// otherFolders of a site contain other kinds of files.
var otherFolders = []string{"content/posts", "runs", "layouts", "public"}

func (p *Pages) check(at place, dir string, languages []string) {
	if l, ok := locale.For(p.Language); p.Language != "" && (!ok || !slices.Contains(languages, l.Lang())) {
		at.at("language").wrong(locale.Textf("there are: %s", locale.Commas(languages...)), "the site has no language %q", p.Language)
	}
	for i, pattern := range p.Except {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			at.at("except", i).wrong(locale.Textf(`for example "drafts/*"`), "%q is not a pattern of names", pattern)
		}
	}
	if p.Dir == "" {
		return
	}
	hint := locale.Textf(`name a folder of the site's own for them, for example "docs"`)
	clean := path.Clean(p.Dir)
	within := func(a, b string) bool { return a == b || strings.HasPrefix(a, b+"/") }
	if !filepath.IsLocal(filepath.FromSlash(clean)) || clean == "." || strings.HasPrefix(clean, ".") || strings.Contains(clean, "/.") {
		at.at("dir").wrong(hint, "the folder of pages %q is hidden, or not in the site", p.Dir)
		return
	}
	for _, other := range otherFolders {
		if within(clean, other) || within(other, clean) {
			at.at("dir").wrong(hint, "the folder of pages %q and %s conflict", p.Dir, other)
			return
		}
	}
	switch info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(clean))); {
	case errors.Is(err, fs.ErrNotExist):
		at.at("dir").wrong(locale.Textf("make it, or remove the line"), "there is no folder %q", p.Dir)
	case err == nil && !info.IsDir():
		at.at("dir").wrong(hint, "%q is not a folder", p.Dir)
	}
}
