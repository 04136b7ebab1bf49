package rundir

import (
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// neighbours finds the runs to which a companion file belongs. It is quick even for tens of thousands of files.
type neighbours struct {
	byStem   map[string][]*file // by name without extension
	byNumber map[string][]*file // by folder and the number at the beginning of the name
	sorted   []*file            // by path
	runs     map[*file][]*result.Result
}

func newNeighbours(runs []entry) *neighbours {
	n := &neighbours{byStem: map[string][]*file{}, byNumber: map[string][]*file{}, runs: map[*file][]*result.Result{}}
	for _, r := range runs {
		if n.runs[r.file] = append(n.runs[r.file], r.Result); len(n.runs[r.file]) == 1 {
			n.add(r.file)
		}
	}
	slices.SortFunc(n.sorted, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	return n
}

func (n *neighbours) add(f *file) {
	s := stem(f.rel)
	n.byStem[s] = append(n.byStem[s], f)
	if number := leadingNumber(s); number != "" {
		key := path.Join(path.Dir(f.rel), number)
		n.byNumber[key] = append(n.byNumber[key], f)
	}
	n.sorted = append(n.sorted, f)
}

// stem returns a file's name without extension and compression suffix.
func stem(rel string) string {
	name := uncompressed(path.Base(rel))
	return strings.TrimSuffix(name, extension(name))
}

// named returns the files of runs after which the companion is named: its name contains the whole stem of theirs as a
// word, in any folder beside or above, or begins with the same number in the same folder. "Beside" means the same
// folder or one with the same parent.
func (n *neighbours) named(companion string) []*file {
	var found []*file
	folder, name := path.Dir(companion), path.Base(companion)
	take := func(f *file) {
		if !slices.Contains(found, f) {
			found = append(found, f)
		}
	}
	for i := range name {
		if i > 0 && isWordEnd(name[i-1]) {
			continue
		}
		for j := i + 2; j <= len(name); j++ {
			if j < len(name) && isWordEnd(name[j]) {
				continue
			}
			for _, f := range n.byStem[name[i:j]] {
				of := path.Dir(f.rel)
				if folder == of || path.Dir(folder) == path.Dir(of) || strings.HasPrefix(folder, of+"/") {
					take(f)
				}
			}
		}
	}
	if number := leadingNumber(name); number != "" {
		for _, f := range n.byNumber[path.Join(folder, number)] {
			take(f)
		}
	}
	slices.SortFunc(found, func(a, b *file) int { return strings.Compare(a.rel, b.rel) })
	return found
}

// below returns the files in a folder and below it.
func (n *neighbours) below(folder string) []*file {
	if folder == "." {
		return n.sorted
	}
	prefix := folder + "/"
	first, _ := slices.BinarySearchFunc(n.sorted, prefix, func(f *file, prefix string) int { return strings.Compare(f.rel, prefix) })
	end := first
	for end < len(n.sorted) && strings.HasPrefix(n.sorted[end].rel, prefix) {
		end++
	}
	return n.sorted[first:end]
}

func isWordEnd(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// leadingNumber returns the digits at the beginning of a name that are followed by -, _ or . and more text: "01-chat".
func leadingNumber(name string) string {
	n := 0
	for n < len(name) && name[n] >= '0' && name[n] <= '9' {
		n++
	}
	if n == 0 || n > 4 || n >= len(name)-1 || strings.IndexByte("-_.", name[n]) < 0 {
		return ""
	}
	return name[:n]
}
