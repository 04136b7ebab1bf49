package settings

import (
	"iter"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Nearest returns the known word that word is most likely a typing error of: the one with the fewest edits, at
// most a third of the word's length. It returns "" if none is near.
func Nearest(word string, known []string) string {
	best, bestDistance := "", len([]rune(word))/3+1
	for _, k := range known {
		if d := distance(strings.ToLower(word), strings.ToLower(k)); d < bestDistance {
			best, bestDistance = k, d
		}
	}
	return best
}

// NearestFile returns the known file whose base name is nearest to that of file, in any folder, or "" if none
// is near. Only files with the same extension count.
func NearestFile(file string, known iter.Seq[string]) string {
	named := map[string]string{} // base name → the first file with it
	for other := range known {
		name := path.Base(other)
		if first, taken := named[name]; path.Ext(name) == path.Ext(file) && (!taken || other < first) {
			named[name] = other
		}
	}
	return named[Nearest(path.Base(file), slices.Sorted(maps.Keys(named)))]
}

// Offer returns a hint about an unknown word: the nearest known word, followed by choice.
func Offer(word string, known []string, choice locale.Text) locale.Text {
	if near := Nearest(word, known); near != "" {
		return locale.Textf("did you mean %s? %s", near, choice)
	}
	return choice
}

// distance counts the insertions, deletions, replacements and swaps of adjacent characters between two words
// (optimal string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(t)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(t)]
}
