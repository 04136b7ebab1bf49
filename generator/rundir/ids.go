package rundir

import (
	"crypto/sha256"
	"encoding/hex"
	"path"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// idBase is the common beginning of the ids of one file's results.
type idBase string

// of returns the id of the result with index n (from 0) when the file has all results.
func (b idBase) of(n, all int) string {
	if all == 1 {
		return string(b)
	}
	return string(b) + "." + strconv.Itoa(n+1)
}

// assignIDs assigns each file the beginning of its results' ids: its path below the root without the extension. Files
// whose ids would collide keep the extension; if they still collide, they get a suffix made from a hash of the path.
// When a file whose path had to be changed collides with one whose path is unchanged, only the former gets another id.
// So an id depends on the other files, but never on the order in which files are found.
func assignIDs(files []*file) []idBase {
	const marked = 2
	bases := make([]idBase, len(files))
	levels := make([]int, len(files))
	changed := make([]bool, len(files))
	for i, f := range files {
		bases[i] = baseAt(0, f.rel)
		changed[i] = plainPath(f.rel) != f.rel
	}
	owners := make(map[string]int, len(files))
	for {
		clear(owners)
		meets := map[int]bool{}
		for i, f := range files {
			for n := range f.out.Results {
				id := bases[i].of(n, len(f.out.Results))
				owner, taken := owners[id]
				if !taken || owner == i {
					owners[id] = i
					continue
				}
				meets[i] = meets[i] || changed[i] || !changed[owner]
				meets[owner] = meets[owner] || changed[owner] || !changed[i]
			}
		}
		parted := true
		for i, collides := range meets {
			if !collides || levels[i] == marked {
				continue
			}
			levels[i]++
			if changed[i] {
				levels[i] = marked
			}
			bases[i] = baseAt(levels[i], files[i].rel)
			parted = false
		}
		if parted {
			return bases
		}
	}
}

// baseAt returns the beginning of an id: at level 0 without the extension, at level 1 with it, at level 2 with a hash
// of the path instead.
func baseAt(level int, rel string) idBase {
	stem := uncompressed(rel) // a run keeps its id when its file is compressed
	if level != 1 {
		stem = strings.TrimSuffix(stem, extension(stem))
	}
	base := plainPath(stem)
	if level == 2 {
		sum := sha256.Sum256([]byte(rel))
		base += "-" + hex.EncodeToString(sum[:6])
	}
	return idBase(base)
}

// uncompressed returns a file's name without a compression suffix.
func uncompressed(rel string) string {
	return strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(rel, ".gz"), ".zst"), ".bz2")
}

// extension returns the file extension of a name: a dot and up to seven letters and digits, a letter first. It returns
// "" for a name such as "glm-5.1".
func extension(rel string) string {
	ext := path.Ext(rel)
	if len(ext) < 2 || len(ext) > 8 || len(ext) == len(path.Base(rel)) {
		return ""
	}
	for i := 1; i < len(ext); i++ {
		c := ext[i] | 0x20
		if !(c >= 'a' && c <= 'z') && (i == 1 || !(ext[i] >= '0' && ext[i] <= '9')) {
			return ""
		}
	}
	return ext
}

// plainPath replaces characters that are awkward in a URL or in a file name by dashes. Letters of any script are kept.
func plainPath(s string) string {
	if isPlainASCII(s) || strings.IndexFunc(s, isAwkward) < 0 && utf8.ValidString(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isAwkward(r) || r == utf8.RuneError {
			return '-'
		}
		return r
	}, s)
}

const awkward = `#?%:\*"<>|`

func isAwkward(r rune) bool {
	return strings.ContainsRune(awkward, r) || unicode.IsSpace(r) || unicode.IsControl(r)
}

// isPlainASCII reports whether a text consists only of ASCII characters that are not awkward, as most texts do.
func isPlainASCII(s string) bool {
	for i := range len(s) {
		if !plain[s[i]] {
			return false
		}
	}
	return true
}

var plain = func() (is [256]bool) {
	for c := range rune(utf8.RuneSelf) {
		is[c] = !isAwkward(c)
	}
	return is
}()
