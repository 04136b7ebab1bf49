package killer

import (
	"path"
	"strings"
)

// Points returns the numbers of the calls before which to kill a program. Of each sequence of calls that do the
// same in the same folder, as when many files are written, these are the first and the last.
func Points(calls []string) []int {
	var points []int
	for i := range calls {
		if i == 0 || i == len(calls)-1 || kind(calls[i-1]) != kind(calls[i]) || kind(calls[i]) != kind(calls[i+1]) {
			points = append(points, i+1)
		}
	}
	return points
}

// kind returns the name of a call and the folders of the files that it changes. Opening a file counts as
// writing.
func kind(call string) string {
	words := strings.Fields(call)
	if words[0] == "openat" || words[0] == "write" || words[0] == "mkdirat" {
		words[0] = "write"
	}
	for i := 1; i < len(words); i++ {
		words[i] = path.Base(path.Dir(words[i]))
		if words[0] == "write" {
			words[i] = top(call)
		}
	}
	return strings.Join(words, " ")
}

// top returns the temporary folder of benchpost in which a call writes, or the folder of the call if it is
// another.
func top(call string) string {
	for _, own := range []string{".benchpost/publish/new", ".benchpost-stage"} {
		if strings.Contains(call, own) {
			return own
		}
	}
	return path.Dir(call)
}
