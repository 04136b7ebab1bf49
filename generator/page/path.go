package page

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
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
	return s.dir(lang) + postPath(slug)
}

// RunPage gives the path of a result's page.
func (s *Site) RunPage(lang, id string) string {
	return s.dir(lang) + runPath(id)
}

// RunPages gives the folder of all results' pages.
func (s *Site) RunPages(lang string) string { return s.dir(lang) + "runs/" }

// ModelPage gives the path of a model's page.
func (s *Site) ModelPage(lang, id string) string {
	return s.dir(lang) + modelPath(id)
}

// HardwarePage gives the path of a machine's page.
func (s *Site) HardwarePage(lang, id string) string { return s.dir(lang) + boardPath(id) }

// LoadPage gives the path of the page of a load or a scenario, as label says.
func (s *Site) LoadPage(lang, label, name string) string { return s.dir(lang) + loadPath(label, name) }

// The paths of pages within their language's folder.
func runPath(id string) string    { return "runs/" + fileName(id) + "/index.html" }
func postPath(slug string) string { return "posts/" + fileName(slug) + "/index.html" }
func modelPath(id string) string  { return "models/" + fileName(id) + "/index.html" }
func boardPath(id string) string  { return "hardware/" + fileName(id) + "/index.html" }

// loadPath is below loads/ for a load and below scenarios/ for a scenario.
func loadPath(label, name string) string { return label + "s/" + fileName(name) + "/index.html" }

// subjectPath is the page of a label's value, "" for a label whose values have
// none.
func subjectPath(label, value string) string {
	switch label {
	case "model":
		return modelPath(value)
	case "hardware":
		return boardPath(value)
	case "load", "scenario":
		return loadPath(label, value)
	}
	return ""
}

// methodologyPath is where it is told what names and checks mean.
const methodologyPath = "methodology/index.html"

// dir is the folder of a language: the first has none.
func (s *Site) dir(lang string) string {
	if slices.Index(s.Languages, lang) <= 0 {
		return ""
	}
	return lang + "/"
}

// Link gives the reference by which the page at path from points to the file
// at path to, escaped for use in an attribute's URL.
func Link(from, to string) string { return root(from) + escapePath(to) }

// root leads from a page to the site's root: "../../" for "a/b/index.html".
func root(path string) string { return strings.Repeat("../", strings.Count(path, "/")) }

func escapePath(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// fileName makes a path below the site of an id. What some file system or web
// server cannot bear is written as ~ and two hexadecimal digits; so are names
// that would climb out of the folder or stand in the way of a page. Two ids
// never give the same path.
func fileName(id string) string {
	segments := strings.Split(id, "/")
	for i, s := range segments {
		segments[i] = segmentName(s)
	}
	return strings.Join(segments, "/")
}

func segmentName(s string) string {
	switch {
	case s == "":
		return "~"
	case s[0] == '.' || s == "index.html":
		return fmt.Sprintf("~%02X", s[0]) + escapeBytes(s[1:])
	}
	return escapeBytes(s)
}

// escapeBytes writes broken UTF-8, controls and the characters that Windows or
// an address cannot hold as ~XX.
func escapeBytes(s string) string {
	odd := func(r rune) bool {
		return r < ' ' || r == 0x7f || r == utf8.RuneError || strings.ContainsRune(`~\:*?"<>|#%`, r)
	}
	if !strings.ContainsFunc(s, odd) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		if odd(r) && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, "~%02X", s[i])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
