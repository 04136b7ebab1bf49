package killer

import (
	"path"
	"strings"
)

// Points returns the numbers of the calls before which to kill a program: the first and the last of
// each row of calls that do the same in the same folder, as when many files are written.
func Points(calls []string) []int {
	var points []int
	for i := range calls {
		if i == 0 || i == len(calls)-1 || kind(calls[i-1]) != kind(calls[i]) || kind(calls[i]) != kind(calls[i+1]) {
			points = append(points, i+1)
		}
	}
	return points
}

// kind is the name of a call, and the folders of what it changes; opening a file and writing
// it is the same.
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

// top is the folder of benchpost's own in which a call writes, "" for another.
func top(call string) string {
	for _, own := range []string{".benchpost/publish/new", ".benchpost-stage"} {
		if strings.Contains(call, own) {
			return own
		}
	}
	return path.Dir(call)
}
