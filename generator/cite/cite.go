// Package cite identifies the basis of a report: the revision of its data, which anybody can recompute with
// coreutils, and its entry for a bibliography.
package cite

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/lazy"
)

// File is a file with its checksum.
type File struct {
	Path   string // relative to the site, with slashes
	Size   int64
	SHA256 string // in hexadecimal digits
}

// Sums returns the checksums of files in the format of sha256sum, sorted by name. sha256sum -c verifies them.
func Sums(files []File) []byte {
	sorted := slices.Clone(files)
	slices.SortFunc(sorted, func(a, b File) int { return cmp.Compare(escapeName(a.Path), escapeName(b.Path)) })
	var b []byte
	for _, f := range slices.Compact(sorted) {
		name := escapeName(f.Path)
		if name != f.Path {
			b = append(b, '\\')
		}
		b = append(b, f.SHA256+"  "+name+"\n"...)
	}
	return b
}

// escapeName escapes a name as sha256sum does, so that it stays on one line.
func escapeName(name string) string { return sumNames.Replace(name) }

var sumNames = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\r", `\r`)

// Revision identifies a state of the data by its files. It is the SHA-256 of the list of their checksums:
//
//	sha256sum FILE… | LC_ALL=C sort -k 2 | sha256sum
func Revision(files []File) string {
	sum := sha256.Sum256(Sums(files))
	return hex.EncodeToString(sum[:])
}

// Short returns the form of a revision that is shown to people.
func Short(revision string) string { return revision[:min(12, len(revision))] }

// Author is a person with a family name, or any other author with a name.
type Author struct {
	Name   string // the full name
	Family string
	Given  string
	ORCID  string // 0000-0002-1825-0097
}

func (a Author) String() string {
	if a.Name != "" {
		return a.Name
	}
	return strings.TrimSpace(a.Given + " " + a.Family)
}

// Work is a work to be cited.
type Work struct {
	ID       string // of the bibliography entry
	Title    string
	Authors  []Author
	Date     time.Time // zero if unknown
	In       string    // the site that contains it; "" for the site itself
	Lang     string
	IsReport bool // a report with text; otherwise only data

	URL, Repository, DOI string
	License              string // SPDX identifier or address
	Revision             string // revision of the data
	Commit               string // git commit that contains the data; "" if unknown
}

// Key makes the id of a bibliography entry. It has only characters that BibTeX accepts and people can type.
func Key(words ...string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		}
		return '-'
	}, strings.Join(words, "-"))
	parts := strings.FieldsFunc(plain, func(r rune) bool { return r == '-' })
	key := cmp.Or(strings.Join(parts, "-"), "benchpost")
	if len(key) > mostKey {
		sum := sha256.Sum256([]byte(key))
		key = strings.TrimRight(key[:mostKey-9], "-") + "-" + hex.EncodeToString(sum[:4])
	}
	return key
}

// mostKey is the maximum length of an id. Nobody types a longer one.
const mostKey = 100

var (
	orcidForm = lazy.Regexp(`^(\d{4}-){3}\d{3}[\dX]$`)
	doiForm   = lazy.Regexp(`^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$`)
	spdxForm  = lazy.Regexp(`^[A-Za-z0-9.-]+$`)
)

// IsORCID reports whether id is a valid ORCID iD, including its check digit.
func IsORCID(id string) bool {
	if !orcidForm().MatchString(id) {
		return false
	}
	total := 0
	digits := strings.ReplaceAll(id, "-", "")
	for _, d := range digits[:15] {
		total = (total + int(d-'0')) * 2
	}
	check := (12 - total%11) % 11
	return digits[15] == "0123456789X"[check]
}

// IsDOI reports whether id is a DOI without the address of a resolver.
func IsDOI(id string) bool { return doiForm().MatchString(id) }

// IsLicense reports whether id has the form of an SPDX identifier.
func IsLicense(id string) bool { return spdxForm().MatchString(id) }

// address returns the address at which a reader finds the work.
func (w *Work) address() string {
	if w.DOI != "" {
		return "https://doi.org/" + w.DOI
	}
	return cmp.Or(w.URL, w.Repository)
}

// clean returns a text as one line, without characters that bibliographies do not support.
func clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff'
	}), " ")
}
