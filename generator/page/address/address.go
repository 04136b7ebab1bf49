// Package address defines the paths of pages and files of a site, slash-separated, and the links between them.
//
// A path is relative to the root of the site, or for a page to the folder of its language: Run("a/b") is
// "runs/a/b.html". The page of a name is one file, and its other files are beside it (Own), since a folder costs as
// much as a file. Only posts, which have many files, have folders. index.html is the page of its folder. Names of runs,
// models and posts may contain any characters. FileName converts them to paths that every file system and web server
// accepts, and no two names have the same path. On disks that do not distinguish upper and lower case, two paths may
// still be one file. The Book of all names of a site keeps such paths distinct. A link is relative, so that the site
// works from a folder and below any address, and is escaped for use in an attribute:
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

// Post returns the path of a post's page within the folder of its language. Slugs of different posts that differ only
// in case or Unicode form are an error.
func Post(slug string) string { return "posts/" + FileName(slug) + "/index.html" }

// Methodology is the page that explains metrics and checks.
const Methodology = "methodology/index.html"

// Link returns the link from the page at path from to the file at path to, escaped for use in an attribute.
func Link(from, to string) string { return Root(from) + Escape(to) }

// Root returns the prefix of links from a page to the site's root: "../../" for "a/b/c.html".
func Root(path string) string { return strings.Repeat("../", strings.Count(path, "/")) }

// Escape escapes a path for use in a link.
func Escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// FileName converts an id to a path. Characters that some file system or web server rejects are written as ~ and two
// hexadecimal digits. So are parts of names that would leave the folder or collide with a page: the last step is never
// index, and no other step ends like a file of the site. Long paths are shortened and get a checksum of the id. No two
// ids have the same path.
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
	// Replace a path of many steps by its beginning and a checksum.
	return cut(strings.Join(segments[:min(2, len(segments))], "-"), id)
}

// The maximum length of a step of a path, and of the path of a name, in bytes. Windows allows 260 characters for the
// folder of a checkout, the folder of the language, and the path.
const (
	mostSegment = 100
	mostPath    = 160
	sumLength   = 16 // length of a checksum with its separator
)

// isPlain reports whether an id is its own path, as most are. It may return false for an id that is.
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

// Segment converts a name to one step of a path.
func Segment(s string) string { return step(s, strings.EqualFold(s, "index.html"), false) }

// step escapes a step of a path. With first it also escapes the first character, with ending the dot of the extension.
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

// cut shortens a name and adds a checksum of the text it was made from. No other name ends like this, since a ~ is
// otherwise followed by digits.
func cut(name, of string) string {
	sum := sha256.Sum256([]byte(of))
	name = name[:min(len(name), mostSegment-sumLength)]
	for !utf8.ValidString(name) {
		name = name[:len(name)-1]
	}
	if i := strings.LastIndexByte(name, '~'); i >= 0 && i > len(name)-3 { // part of an escape
		name = name[:i]
	}
	return strings.TrimRight(name, ". ") + "~-" + hex.EncodeToString(sum[:6])
}

// isCut reports whether some step of a path was shortened.
func isCut(file string) bool { return strings.Contains(file, "~-") }

// isIndex reports whether the page or folder of a name would be index.html.
func isIndex(s string) bool {
	return strings.EqualFold(s, "index") || strings.EqualFold(s, "index.html")
}

// endsAsFile reports whether a step has the extension of a file of the site.
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

// devices matches the names that Windows treats as devices, with any extension.
var devices = lazy.Regexp(`(?i)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$`)

func isDevice(s string) bool {
	return len(s) > 2 && strings.Contains("con prn aux nul com lpt", strings.ToLower(s[:3])) && devices().MatchString(strings.TrimRight(s, ". "))
}

// Fold returns the same text for names that some file system treats as one: names that differ only in case or Unicode
// form.
func Fold(name string) string {
	if isASCII(name) {
		return strings.ToLower(name)
	}
	// Folding can change how letters are composed, so decompose again.
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

// escapeBytes writes invalid UTF-8, control characters, and characters not allowed on Windows or in addresses as ~XX.
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

// Page returns the path of page i of several, counted from 0. It differs from the path of any name, where ~ is followed
// by two digits.
func Page(path string, i int) string {
	if i == 0 {
		return path
	}
	return strings.TrimSuffix(path, ".html") + "~p" + strconv.Itoa(i+1) + ".html"
}

var pageNumber = lazy.Regexp(`~p\d+\.html$`)

// FirstPage returns the path of the first page, given the path of any of its pages.
func FirstPage(path string) string { return pageNumber().ReplaceAllString(path, ".html") }

// Own returns the path of a file that belongs to a page. The file is beside the page; if others share the folder, its
// name begins with that of the page. name must not contain ~, so that the files of two pages are distinct.
func Own(page, name string) string {
	if dir, file := path.Split(page); file == "index.html" {
		return dir + name
	}
	return strings.TrimSuffix(page, ".html") + "~" + name
}

// JSON converts a name to the name of a JSON file without a folder.
func JSON(name string) string { return flat(FileName(name), name) + ".json" }

// flat converts the path of a name to one step.
func flat(file, name string) string {
	file = strings.ReplaceAll(file, "/", "~2F")
	if len(file) > mostSegment {
		return cut(file, name)
	}
	return file
}
