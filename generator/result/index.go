package result

import (
	"math/bits"
	"slices"
)

// index maps names to their first place in a list. It is built once and queried millions of times. The hash of
// a name combines its length and the bytes at its ends, which differ for nearly all names, with a factor chosen
// so that no two names share a slot.
type index struct {
	names  []string
	factor uint64
	slots  *[256]uint8    // place plus one; 0 for an empty slot
	others map[string]int // used instead of slots if no factor avoids collisions
}

// tries is the number of factors that are tried.
const tries = 64

func newIndex(names []string) index {
	x := index{names: names}
	if len(names) < len(x.slots) {
		x.slots = new([256]uint8)
		for try := range uint64(tries) {
			if x.factor = 0x9e3779b97f4a7c15 * (2*try + 1); x.fill() {
				return x
			}
		}
	}
	x.slots, x.others = nil, make(map[string]int, len(names))
	for i, name := range slices.Backward(names) {
		x.others[name] = i
	}
	return x
}

// fill puts the names into slots and reports whether no two share one.
func (x *index) fill() bool {
	clear(x.slots[:])
	for i, name := range x.names {
		at := &x.slots[x.slot(name)]
		switch {
		case *at == 0:
			*at = uint8(i + 1)
		case x.names[*at-1] != name:
			return false
		}
	}
	return true
}

// place returns the place of a name.
func (x *index) place(name string) (i int, found bool) {
	if x.slots == nil {
		i, found = x.others[name]
		return i, found
	}
	i = int(x.slots[x.slot(name)]) - 1
	return i, i >= 0 && x.names[i] == name
}

// slot returns the only slot in which a name can be.
func (x *index) slot(name string) uint8 {
	n := len(name)
	if n < 8 {
		sum := uint64(n)
		for i := range n {
			sum = sum<<8 | uint64(name[i])
		}
		return uint8(sum * x.factor >> 56)
	}
	return uint8((word(name) ^ bits.RotateLeft64(word(name[n-8:]), 29) + uint64(n)) * x.factor >> 56)
}

// word returns the first eight bytes of a text as a number.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
