package publish

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// listName is the list of the files that benchpost wrote, in the folder itself.
const listName = result.OutputList

// Files yields the paths of the files that earlier builds wrote into dir, sorted.
func Files(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		list, err := sitefile.Read(filepath.Join(dir, listName))
		if err != nil {
			return
		}
		for path := range listed(list) {
			if !yield(path) {
				return
			}
		}
	}
}

// listOf returns the list of some paths.
func listOf(paths iter.Seq[string]) []byte {
	return []byte(strings.Join(slices.Sorted(paths), "\n") + "\n")
}

// listed yields the paths in a list.
func listed(list []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(string(list)) {
			path := strings.TrimSpace(line)
			if path != "" && filepath.IsLocal(filepath.FromSlash(path)) && !yield(path) {
				return
			}
		}
	}
}

// isList reports whether text is exactly what listOf writes for a number of files: each path once, in order.
func isList(text []byte, files int) bool {
	last, size := "", 0
	for path := range listed(text) {
		if path <= last {
			return false
		}
		last, size, files = path, size+len(path)+1, files-1
	}
	return files == 0 && size == len(text)
}
