package redact

import (
	"cmp"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// TestKeywords compares the words found with a search for each word, and checks their order.
func TestKeywords(t *testing.T) {
	t.Parallel()
	words := patternIndex().words
	k := newKeywords(words)
	rnd := rand.New(rand.NewSource(1))
	for range 3000 {
		var b strings.Builder
		for range rnd.Intn(8) {
			w := words[rnd.Intn(len(words))]
			switch rnd.Intn(4) {
			case 0:
				w = w[:rnd.Intn(len(w)+1)]
			case 1:
				w = strings.ToUpper(w)
			case 2:
				w = string([]byte{byte(rnd.Intn(256)), byte(rnd.Intn(256))})
			}
			b.WriteString(w)
		}
		text := b.String()
		low := string(lowered([]byte(text)))
		var want []keyword
		for n, w := range words {
			for at := 0; ; at++ {
				i := strings.Index(low[at:], w)
				if i < 0 {
					break
				}
				at += i
				want = append(want, keyword{at, at + len(w), n})
			}
		}
		slices.SortFunc(want, func(a, b keyword) int { return cmp.Or(cmp.Compare(a.end, b.end), cmp.Compare(a.start, b.start)) })
		if got := k.find([]byte(text), nil); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, a plain search finds %v", text, got, want)
		}
	}
}

// lowered converts ASCII letters to lower case.
func lowered(text []byte) []byte {
	for i, c := range text {
		if c >= 'A' && c <= 'Z' {
			text[i] = c | 0x20
		}
	}
	return text
}

// TestEndsOfNames checks that the quick rejection by endsName rejects no name that mayName accepts.
func TestEndsOfNames(t *testing.T) {
	t.Parallel()
	for a := range 256 {
		for b := range 256 {
			if mayName(byte(a), byte(b)) && !endsName[b] {
				t.Fatalf("%q may be a name", []byte{byte(a), byte(b)})
			}
		}
	}
	var known names
	for range 2 {
		for _, name := range []string{"password", "HF_TOKEN", "tokens", "Serial", "user.name", "x"} {
			for _, variable := range []bool{false, true} {
				if got, want := known.classify([]byte(name), variable), classify(name, variable); got != want {
					t.Errorf("%s: %d, not %d", name, got, want)
				}
			}
		}
	}
}
