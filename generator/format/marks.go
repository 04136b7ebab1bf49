package format

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unicode/utf8"
)

// marks finds which of many texts a line contains, in a single pass. It looks at three bytes at a time and skips ahead
// as far as no text can begin in between, following Wu and Manber, "A fast algorithm for multi-pattern searching"
// (1994).
//
// An automaton (github.com/BobuSumisu/aho-corasick) searches as fast, but needs 24 ms and 10 MB to build from the marks
// of all formats; this needs 1 ms and 0.1 MB. The build time matters for a command that reads a single file.
type marks struct {
	texts  [][]byte
	owners []int
	short  []int // texts that are searched one by one, so that the search for all others skips further
	length int   // length of the shortest of the other texts
	jump   [1 << hashBits]uint8
	ends   [1 << hashBits]uint16 // index into like: texts with these bytes at the end of the shortest length
	like   [][]candidate         // like[0] is empty
	mask   uint64                // selects the first length bytes of a word
}

// candidate is a text that may be at a position.
type candidate struct {
	begins uint64 // its first length bytes
	text   int
}

const (
	shortest = 5  // minimum bytes of a text that is searched together with all others
	block    = 3  // bytes
	hashBits = 14 // small enough for a processor's L1 cache
)

// hash mixes three bytes. Texts with the same hash are compared in full.
func hash(a, b, c byte) uint16 {
	return (uint16(a) ^ uint16(b)<<5 ^ uint16(c)<<8) & (1<<hashBits - 1)
}

func newMarks() *marks {
	return &marks{like: [][]candidate{nil}}
}

func (m *marks) add(text string, owner int) {
	m.texts = append(m.texts, []byte(text))
	m.owners = append(m.owners, owner)
}

// prepare builds the tables. It must be called once all texts have been added.
func (m *marks) prepare() {
	m.length = wordSize
	for i, t := range m.texts {
		if isRare(t) {
			m.short = append(m.short, i)
		} else {
			m.length = min(m.length, len(t))
		}
	}
	m.mask = 1<<(8*m.length) - 1 // all bits for a whole word
	for i := range m.jump {
		m.jump[i] = uint8(m.length - block + 1)
	}
	for i, t := range m.texts {
		if isRare(t) {
			continue
		}
		for n := block - 1; n < m.length; n++ {
			h := hash(t[n-2], t[n-1], t[n])
			m.jump[h] = min(m.jump[h], uint8(m.length-1-n))
			if n == m.length-1 {
				if m.ends[h] == 0 {
					m.ends[h] = uint16(len(m.like))
					m.like = append(m.like, nil)
				}
				m.like[m.ends[h]] = append(m.like[m.ends[h]], candidate{word(t) & m.mask, i})
			}
		}
	}
}

// isRare reports whether a text is short and its second byte occurs in few lines: " ± ".
func isRare(text []byte) bool { return len(text) < shortest && text[1] >= utf8.RuneSelf }

// set is a set of block formats, by index.
type set []uint64

func newSet(size int) set { return make(set, (size+63)/64) }

func (s set) add(i int)      { s[i/64] |= 1 << (i % 64) }
func (s set) remove(i int)   { s[i/64] &^= 1 << (i % 64) }
func (s set) has(i int) bool { return s[i/64]&(1<<(i%64)) != 0 }
func (s set) clear()         { clear(s) }

// empty reports whether the set has no member.
func (s set) empty() bool {
	return !slices.ContainsFunc(s, func(word uint64) bool { return word != 0 })
}

// only returns the member of a set with exactly one member.
func (s set) only() (i int, ok bool) {
	for word, members := range s {
		switch {
		case members == 0:
		case ok || members&(members-1) != 0:
			return 0, false
		default:
			i, ok = 64*word+bits.TrailingZeros64(members), true
		}
	}
	return i, ok
}

// addAll adds the members of another set.
func (s set) addAll(other set) {
	for i := range s {
		s[i] |= other[i]
	}
}

// each calls the function with each member in ascending order. The function may remove members.
func (s set) each(call func(i int)) {
	for word, bitsLeft := range s {
		for ; bitsLeft != 0; bitsLeft &= bitsLeft - 1 {
			call(64*word + bits.TrailingZeros64(bitsLeft))
		}
	}
}

// find adds to owners the owners of the texts that occur in a line.
func (m *marks) find(line []byte, owners set) {
	for _, i := range m.short {
		if bytes.IndexByte(line, m.texts[i][1]) >= 0 && bytes.Contains(line, m.texts[i]) {
			owners.add(m.owners[i])
		}
	}
	farthest := m.length - block + 1
	for i := m.length - 1; i < len(line); {
		last := line[i-2 : i+1 : i+1]
		h := hash(last[0], last[1], last[2])
		jump := int(m.jump[h])
		if jump == farthest { // the most frequent case, kept apart so that the branch is predicted
			i += farthest
			continue
		}
		if jump > 0 {
			i += jump
			continue
		}
		at := line[i-m.length+1:]
		begins := word(at) & m.mask
		like := m.like[m.ends[h]]
		for n := range like {
			if c := &like[n]; c.begins == begins && bytes.HasPrefix(at, m.texts[c.text]) {
				owners.add(m.owners[c.text])
			}
		}
		i++
	}
}

const wordSize = 8 // bytes

// word returns the first wordSize bytes of a text as one number.
func word(text []byte) uint64 {
	if len(text) >= wordSize {
		return binary.LittleEndian.Uint64(text)
	}
	var all [wordSize]byte
	copy(all[:], text)
	return binary.LittleEndian.Uint64(all[:])
}
