// Package address says where things are in the site: the paths of pages and
// files, slash-separated, and the references between them.
//
// A path is relative to the root of the site, or, of a page, to the folder of
// its language: Run("a/b") is "runs/a/b/index.html". Names of runs, models and
// posts may contain anything; FileName makes paths of them that every file system
// and web server accepts, and no two names share one. A reference is relative,
// so that the site opens from a folder and below any address, and is escaped
// for use in an attribute:
//
//	address.Link("en/index.html", "en/"+address.Run(id))
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

// The paths of pages within the folder of their language.
func Run(id string) string      { return "runs/" + FileName(id) + "/index.html" }
func Post(slug string) string   { return "posts/" + FileName(slug) + "/index.html" }
func Model(id string) string    { return "models/" + FileName(id) + "/index.html" }
func Hardware(id string) string { return "hardware/" + FileName(id) + "/index.html" }

// Load returns the page of a load, below loads/, or of a scenario, below scenarios/.
func Load(label, name string) string { return label + "s/" + FileName(name) + "/index.html" }

// Subject returns the page of a label's value, "" for a label whose values have
// none.
func Subject(label, value string) string {
	switch label {
	case "model":
		return Model(value)
	case "hardware":
		return Hardware(value)
	case "load", "scenario":
		return Load(label, value)
	}
	return ""
}

// Methodology is the page that explains what names and checks mean.
const Methodology = "methodology/index.html"

// Link returns the reference by which the page at path from points to the file
// at path to, escaped for use in an attribute's URL.
func Link(from, to string) string { return Root(from) + Escape(to) }

// Root leads from a page to the site's root: "../../" for "a/b/index.html".
func Root(path string) string { return strings.Repeat("../", strings.Count(path, "/")) }

// Escape escapes a path for use in a reference.
func Escape(path string) string { return (&url.URL{Path: path}).EscapedPath() }

// FileName makes a path below the site of an id. What some file system or web
// server rejects is written as ~ and two hexadecimal digits; so are names
// that would climb out of the folder or be in the way of a page. What is too long is
// shortened, with a sum of the whole. Two ids never have the same path.
func FileName(id string) string {
	segments := strings.Split(id, "/")
	for i, s := range segments {
		segments[i] = Segment(s)
	}
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
)

// Segment is FileName of a name that is no path: one step of one.
func Segment(s string) string {
	if s == "" {
		return "~"
	}
	from, to := "", ""
	rest := s
	if last := s[len(s)-1]; len(s) > 1 && (last == '.' || last == ' ') { // Windows drops it
		rest, to = s[:len(s)-1], fmt.Sprintf("~%02X", last)
	}
	if rest[0] == '.' || rest[0] == ' ' || s == "index.html" || isDevice(s) {
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
	name = name[:min(len(name), mostSegment-16)]
	for !utf8.ValidString(name) {
		name = name[:len(name)-1]
	}
	if i := strings.LastIndexByte(name, '~'); i >= 0 && i > len(name)-3 { // half of an escape
		name = name[:i]
	}
	return strings.TrimRight(name, ". ") + "~-" + hex.EncodeToString(sum[:6])
}

// devices are what Windows takes for a device, whatever ending follows.
var devices = lazy.Regexp(`(?i)^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?$`)

func isDevice(s string) bool { return devices().MatchString(strings.TrimRight(s, ". ")) }

// Fold is equal for names that some file system takes for one: whatever their case, and
// however their letters are composed.
func Fold(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return strings.ToLower(name)
	}
	// Folding may leave letters that compose, or decompose, otherwise than before.
	return norm.NFD.String(cases.Fold().String(norm.NFD.String(name)))
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

// Page returns the path of page i of several, counted from 0. No name of a
// subject is the name of the folder: a ~ in one is followed by two digits.
func Page(path string, i int) string {
	if i == 0 {
		return path
	}
	return strings.TrimSuffix(path, "index.html") + "~" + strconv.Itoa(i+1) + "/index.html"
}

// JSON makes of a name the name of a JSON file, which has no folder in it.
func JSON(name string) string {
	file := strings.ReplaceAll(FileName(name), "/", "~2F")
	if len(file) > mostSegment {
		file = cut(file, name)
	}
	return file + ".json"
}

// RawText is where a source file is in the site. The ending .txt makes
// every server and browser show it as text, whatever a hostile run is named.
func RawText(name string) string { return "raw/" + FileName(name) + ".txt" }

// Raw returns the path at which a file is published as it is on the disk. Ending is
// that of its compression or archive, "" for a text: without a harmless ending of its
// own it gets one. Nothing else that is published ends in these.
func Raw(name, ending string) string {
	switch {
	case ending == "":
		return RawText(name)
	case ending == ".zip", strings.HasPrefix(ending, ".tar"): // a folder has its name already, of the texts of what it contains
		return "raw/" + FileName(name) + "/" + withEnding(Segment(path.Base(name)), ending)
	}
	return "raw/" + withEnding(FileName(name), ending)
}

func withEnding(name, ending string) string {
	if strings.HasSuffix(name, ending) {
		return name
	}
	return name + "~" + ending
}
