package chart

import "math/bits"

// index finds the numbered boxes near a box without comparing all of them. It divides a part of the canvas into
// columns and rows. Each column and each row has a bit for every number whose box touches it. Boxes beyond the
// area count as in the strips at its edge.
type index struct {
	columns, rows strips
	found         []int // result of the last search
}

// strips are columns or rows side by side.
type strips struct {
	from      float64
	size      float64 // of each
	n, words  int     // n: the number of strips; words: words of bits per strip
	bits      []uint64
	collected []uint64 // the union of several strips
}

// newIndex returns an empty index over an area, with strips of the given size, for numbers below n.
func newIndex(area box, size float64, n int) *index {
	return &index{columns: newStrips(area.x0, area.width(), size, n), rows: newStrips(area.y0, area.height(), size, n)}
}

func newStrips(from, length, size float64, numbers int) strips {
	n, words := int(max(1, length/size)), (numbers+63)/64
	return strips{from, size, n, words, make([]uint64, n*words), make([]uint64, words)}
}

// between returns the bits of the strips between two places.
func (s *strips) between(from, to float64) []uint64 {
	strip := func(v float64) int { return min(max(int((v-s.from)/s.size), 0), s.n-1) }
	return s.bits[strip(from)*s.words : (strip(to)+1)*s.words]
}

// put records that a number is between two places, or no longer is.
func (s *strips) put(n int, from, to float64, there bool) {
	bits, bit := s.between(from, to), uint64(1)<<(n%64)
	for i := n / 64; i < len(bits); i += s.words {
		if bits[i] &^= bit; there {
			bits[i] |= bit
		}
	}
}

// collect returns the union of the bits between two places. The result is valid until the next call.
func (s *strips) collect(from, to float64) []uint64 {
	bits := s.between(from, to)
	if len(bits) == s.words {
		return bits
	}
	copy(s.collected, bits)
	for bits = bits[s.words:]; len(bits) > 0; bits = bits[s.words:] {
		for i := range s.collected {
			s.collected[i] |= bits[i]
		}
	}
	return s.collected
}

// add records the box of a number.
func (x *index) add(n int, b box) { x.put(n, b, true) }

// remove removes a number from the box it was added with.
func (x *index) remove(n int, b box) { x.put(n, b, false) }

func (x *index) put(n int, b box, there bool) {
	x.columns.put(n, b.x0, b.x1, there)
	x.rows.put(n, b.y0, b.y1, there)
}

// near returns, in ascending order, each number that may touch a box: all that do, and some near it. The result
// is valid until the next search.
func (x *index) near(b box) []int {
	x.found = x.found[:0]
	rows := x.rows.collect(b.y0, b.y1)
	for i, word := range x.columns.collect(b.x0, b.x1) {
		for word &= rows[i]; word != 0; word &= word - 1 {
			x.found = append(x.found, 64*i+bits.TrailingZeros64(word))
		}
	}
	return x.found
}
