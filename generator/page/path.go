package page

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/page/address"
)

// HomePage gives the path of a language's front page.
func (s *Site) HomePage(lang string) string { return s.dir(lang) + "index.html" }

// Address gives the site's address with a slash at its end, "" when it has none.
func (s *Site) Address() string {
	if s.BaseURL == "" || strings.HasSuffix(s.BaseURL, "/") {
		return s.BaseURL
	}
	return s.BaseURL + "/"
}

// PostPage gives the path of a post's page.
func (s *Site) PostPage(lang, slug string) string {
	return s.dir(lang) + address.Post(slug)
}

// RunPage gives the path of a result's page.
func (s *Site) RunPage(lang, id string) string {
	return s.dir(lang) + address.Run(id)
}

// RunPages gives the folder of all results' pages.
func (s *Site) RunPages(lang string) string { return s.dir(lang) + "runs/" }

// ModelPage gives the path of a model's page.
func (s *Site) ModelPage(lang, id string) string {
	return s.dir(lang) + address.Model(id)
}

// HardwarePage gives the path of a machine's page.
func (s *Site) HardwarePage(lang, id string) string { return s.dir(lang) + address.Hardware(id) }

// LoadPage gives the path of the page of a load or a scenario, as label says.
func (s *Site) LoadPage(lang, label, name string) string {
	return s.dir(lang) + address.Load(label, name)
}

// dir is the folder of a language: the first has none.
func (s *Site) dir(lang string) string {
	if slices.Index(s.Languages, lang) <= 0 {
		return ""
	}
	return lang + "/"
}
