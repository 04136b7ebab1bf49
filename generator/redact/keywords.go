package redact

import (
	"cmp"
	"slices"
)

// keywords finds words in a text, regardless of case. It looks at the low five bits of each three bytes in a row, which
// are the same for capital and small letters. At almost every place no word begins with such a triple, which one bit of
// a table shows.
type keywords struct {
	begins [1 << (threeBytes - 6)]uint64
	places [1 << threeBytes]uint16 // by triple: the index in like
	like   [][]int                 // the words that begin with a triple; the first entry is empty
	words  []string                // in lower case, at least two bytes each
}

// threeBytes is the number of bits taken from three bytes.
const threeBytes = 15

// keyword is an occurrence of a word in a text.
type keyword struct{ start, end, word int }

func newKeywords(words []string) *keywords {
	k := &keywords{like: [][]int{nil}, words: words}
	for n, w := range words {
		first, last := w[min(2, len(w)-1)]&31, w[min(2, len(w)-1)]&31
		if len(w) == 2 {
			first, last = 0, 31 // any third byte may follow
		}
		for third := uint32(first); third <= uint32(last); third++ {
			h := uint32(w[0]&31)<<10 | uint32(w[1]&31)<<5 | third
			k.begins[h>>6] |= 1 << (h & 63)
			if k.places[h] == 0 {
				k.places[h] = uint16(len(k.like))
				k.like = append(k.like, nil)
			}
			k.like[k.places[h]] = append(k.like[k.places[h]], n)
		}
	}
	return k
}

// find appends the occurrences of words, sorted by their end; of those with the same end the longest comes first.
func (k *keywords) find(text []byte, found []keyword) []keyword {
	if len(text) < 2 {
		return found
	}
	from := len(found)
	h := uint32(text[0]&31)<<5 | uint32(text[1]&31)
	for i, c := range text[2:] {
		h = (h<<5 | uint32(c&31)) & (1<<threeBytes - 1)
		if k.begins[h>>6]>>(h&63)&1 != 0 {
			found = k.at(text, i, h, found)
		}
	}
	found = k.at(text, len(text)-2, h<<5&(1<<threeBytes-1), found) // a word of two bytes at the end of the text
	if len(found)-from > 1 {
		slices.SortFunc(found[from:], func(a, b keyword) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start)) })
	}
	return found
}

// at appends the words that begin at i.
func (k *keywords) at(text []byte, i int, h uint32, found []keyword) []keyword {
	for _, n := range k.like[k.places[h]] {
		if w := k.words[n]; len(w) <= len(text)-i && hasSmall(text[i:], w) {
			found = append(found, keyword{i, i + len(w), n})
		}
	}
	return found
}

// hasSmall reports whether a text begins with a word, which is in lower case, regardless of case.
func hasSmall(text []byte, word string) bool {
	for j := range len(word) {
		c := text[j]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != word[j] {
			return false
		}
	}
	return true
}
