// Package address says where things are in the site: the paths of pages and
// files, slash-separated, and the references between them.
//
// A path is relative to the root of the site, or, of a page, to the folder of
// its language: Run("a/b") is "runs/a/b.html". The page of a name is a file, and what belongs to
// it is beside it (Own), for a folder costs as much as a file; posts alone, which have
// many files, have folders. Index.html is the page of its folder. Names of runs, models and
// posts may contain anything; FileName makes paths of them that every file system
// and web server accepts, and no two names share one. Where a disk does not distinguish
// upper and lower case two paths may still be one file: the Book of all names of a site
// keeps those apart. A reference is relative, so that the site opens from a
// folder and below any address, and is escaped for use in an attribute:
//
//	var names address.Index
//	names.Add(address.Name{Kind: address.Runs, Text: id})
//	book := names.Book()
//	address.Link("en/index.html", "en/"+book.Run(id))
package address

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Post is the path of a post's page within the folder of its language. Posts whose slugs
// differ only in case or Unicode form are an error.
func Post(slug string) string { return "posts/" + FileName(slug) + "/index.html" }

// Methodology is the page that explains what names and checks mean.
const Methodology = "methodology/index.html"

// Link returns the reference by which the page at path from points to the file
// at path to, escaped for use in an attribute's URL.
func Link(from, to string) string { return Root(from) + Escape(to) }

// Root leads from a page to the site's root: "../../" for "a/b/c.html".
func Root(path string) string { return strings.Repeat("../", strings.Count(path, "/")) }

// Escape escapes a path for use in a reference.
func Escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// FileName makes a path below the site of an id. What some file system or web
// server rejects is written as ~ and two hexadecimal digits; so are names
// that would climb out of the folder or be in the way of a page: the last step is never index,
// and no other one ends as files of the site do. What is too long is
// shortened, with a sum of the whole. Two ids never have the same path.
func FileName(id string) string {
	if isPlain(id) {
		return id
	}
	segments := strings.Split(id, "/")
	last := len(segments) - 1
	for i, s := range segments[:last] {
		segments[i] = step(s, false, endsAsFile(s))
	}
	segments[last] = step(segments[last], isIndex(segments[last]), false)
	name := strings.Join(segments, "/")
	if len(name) <= mostPath {
		return name
	}
	// A long way down is no longer a path: what it begins with, and a sum of it.
	return cut(strings.Join(segments[:min(2, len(segments))], "-"), id)
}

// The longest step of a path, and the longest path of a name, in bytes: a checkout on
// Windows has 260 characters for the folder it is in, the folder of the language, and
// what is below.
const (
	mostSegment = 100
	mostPath    = 160
	sumLength   = 16 // room for a sum
)

// isPlain reports whether an id is its own path, as nearly all are. Of some it does not know.
func isPlain(id string) bool {
	if len(id) > mostSegment {
		return false
	}
	for rest, more := id, true; more; {
		var step string
		step, rest, more = strings.Cut(rest, "/")
		if step == "" || step[0] == '.' || step[len(step)-1] == '.' || isDevice(step) || more && endsAsFile(step) || !more && isIndex(step) {
			return false
		}
		for _, c := range []byte(step) {
			if (c < 'a' || 'z' < c) && (c < 'A' || 'Z' < c) && (c < '0' || '9' < c) && c != '-' && c != '_' && c != '.' && c != '=' {
				return false
			}
		}
	}
	return true
}

// Segment is FileName of a name that is no path: one step of one.
func Segment(s string) string { return step(s, strings.EqualFold(s, "index.html"), false) }

// step writes a step of a path, with its first character or the dot of its ending escaped
// even where nothing else asks for it.
func step(s string, first, ending bool) string {
	if s == "" {
		return "~"
	}
	from, to := "", ""
	rest := s
	if last := s[len(s)-1]; len(s) > 1 && (last == '.' || last == ' ') { // Windows drops it
		rest, to = s[:len(s)-1], fmt.Sprintf("~%02X", last)
	}
	if dot := strings.LastIndexByte(rest, '.'); ending && dot > 0 {
		rest, to = rest[:dot], "~2E"+rest[dot+1:]
	}
	if first || rest[0] == '.' || rest[0] == ' ' || isDevice(s) {
		from, rest = fmt.Sprintf("~%02X", rest[0]), rest[1:]
	}
	name := from + escapeBytes(rest) + to
	if len(name) > mostSegment {
		return cut(name, s)
	}
	return name
}

// cut shortens a name and adds a sum of what it is of. No other name ends like it: a ~
// is followed by digits.
func cut(name, of string) string {
	sum := sha256.Sum256([]byte(of))
	name = name[:min(len(name), mostSegment-sumLength)]
	for !utf8.ValidString(name) {
		name = name[:len(name)-1]
	}
	if i := strings.LastIndexByte(name, '~'); i >= 0 && i > len(name)-3 { // half of an escape
		name = name[:i]
	}
	return strings.TrimRight(name, ". ") + "~-" + hex.EncodeToString(sum[:6])
}

// isCut reports whether some step of a path was shortened.
func isCut(file string) bool { return strings.Contains(file, "~-") }

// isIndex reports whether the page of a name, or its folder, would be a folder's own page.
func isIndex(s string) bool {
	return strings.EqualFold(s, "index") || strings.EqualFold(s, "index.html")
}

// endsAsFile reports whether a step ends as some file below a folder of names does.
func endsAsFile(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	if dot <= 0 {
		return false
	}
	switch Fold(s[dot:]) {
	case ".html", ".png", ".csv", ".txt", ".gz", ".zst", ".bz2", ".zip", ".tar":
		return true
	}
	return false
}

// devices are what Windows takes for a device, whatever ending follows.
var devices = lazy.Regexp(`(?i)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$`)

func isDevice(s string) bool {
	return len(s) > 2 && strings.Contains("con prn aux nul com lpt", strings.ToLower(s[:3])) && devices().MatchString(strings.TrimRight(s, ". "))
}

// Fold is equal for names that some file system takes for one: whatever their case, and
// however their letters are composed.
func Fold(name string) string {
	if isASCII(name) {
		return strings.ToLower(name)
	}
	// Folding may leave letters that compose, or decompose, otherwise than before.
	return norm.NFD.String(cases.Fold().String(norm.NFD.String(name)))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// escapeBytes writes broken UTF-8, controls and the characters that Windows or
// an address cannot contain as ~XX.
func escapeBytes(s string) string {
	odd := func(r rune) bool {
		return unicode.IsControl(r) || r == utf8.RuneError || r == 0xfffe || r == 0xffff || strings.ContainsRune(`~/\:*?"<>|#%`, r)
	}
	if !strings.ContainsFunc(s, odd) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if odd(r) && s[:n] != "\uFFFD" {
			for _, c := range []byte(s[:n]) {
				fmt.Fprintf(&b, "~%02X", c)
			}
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

// Page returns the path of page i of several, counted from 0. No page of a name has
// that path: a ~ in one is followed by two digits.
func Page(path string, i int) string {
	if i == 0 {
		return path
	}
	return strings.TrimSuffix(path, ".html") + "~p" + strconv.Itoa(i+1) + ".html"
}

var pageNumber = lazy.Regexp(`~p\d+\.html$`)

// FirstPage returns the path of the first of the pages that a path is one of.
func FirstPage(path string) string { return pageNumber().ReplaceAllString(path, ".html") }

// Own returns the path of a file that belongs to a page: beside it, and after its name where
// it shares its folder with others. The name has no ~, so that no two pages have the same one.
func Own(page, name string) string {
	if dir, file := path.Split(page); file == "index.html" {
		return dir + name
	}
	return strings.TrimSuffix(page, ".html") + "~" + name
}

// JSON makes of a name the name of a JSON file, which has no folder in it.
func JSON(name string) string { return flat(FileName(name), name) + ".json" }

// flat makes one step of the path of a name.
func flat(file, name string) string {
	file = strings.ReplaceAll(file, "/", "~2F")
	if len(file) > mostSegment {
		return cut(file, name)
	}
	return file
}
