package chart

import "math/bits"

// index finds what lies near a box without looking at everything: for each column and each
// row of a raster over a part of the canvas, it has a bit for each number that touches it.
// What lies beyond is in those at the edge.
type index struct {
	columns, rows strips
	found         []int // by the last search
}

// strips are columns or rows side by side.
type strips struct {
	from      float64
	size      float64 // of each
	n, words  int     // how many there are, and the words of one
	bits      []uint64
	collected []uint64 // of several
}

// newIndex returns an empty index over an area, with strips of a size, for numbers below n.
func newIndex(area box, size float64, n int) *index {
	return &index{columns: newStrips(area.x0, area.width(), size, n), rows: newStrips(area.y0, area.height(), size, n)}
}

func newStrips(from, length, size float64, numbers int) strips {
	n, words := int(max(1, length/size)), (numbers+63)/64
	return strips{from, size, n, words, make([]uint64, n*words), make([]uint64, words)}
}

// between returns the bits of the strips from one place to another.
func (s *strips) between(from, to float64) []uint64 {
	strip := func(v float64) int { return min(max(int((v-s.from)/s.size), 0), s.n-1) }
	return s.bits[strip(from)*s.words : (strip(to)+1)*s.words]
}

// put notes that a number is between two places, or that it is not there any more.
func (s *strips) put(n int, from, to float64, there bool) {
	bits, bit := s.between(from, to), uint64(1)<<(n%64)
	for i := n / 64; i < len(bits); i += s.words {
		if bits[i] &^= bit; there {
			bits[i] |= bit
		}
	}
}

// collect returns a bit for each number between two places, until it is called again.
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

// add notes where a number is.
func (x *index) add(n int, b box) { x.put(n, b, true) }

// remove takes a number from where it was added.
func (x *index) remove(n int, b box) { x.put(n, b, false) }

func (x *index) put(n int, b box, there bool) {
	x.columns.put(n, b.x0, b.x1, there)
	x.rows.put(n, b.y0, b.y1, there)
}

// near returns, ascending, each number that may touch a box: all that do, and some beside it.
// They are the index's until the next search.
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
