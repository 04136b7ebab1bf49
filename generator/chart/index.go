package chart

import "slices"

// index finds what lies near a box without looking at everything: a raster over a part of the
// canvas, each cell with the numbers of what touches it. What lies beyond is in the cells at
// the edge.
type index struct {
	area          box
	cell          float64 // the side of a cell
	columns, rows int
	cells         [][]int32
	seen          []int // for each number the search that found it last
	searches      int
	found         []int32 // by the last search
}

// newIndex returns an empty index over an area, with cells of a size, for numbers below n.
func newIndex(area box, cell float64, n int) *index {
	columns, rows := int(max(1, area.width()/cell)), int(max(1, area.height()/cell))
	return &index{area: area, cell: cell, columns: columns, rows: rows, cells: make([][]int32, columns*rows), seen: make([]int, n)}
}

// add notes where a number is.
func (x *index) add(n int, b box) {
	t := x.touched(b)
	for row := t.y0; row <= t.y1; row++ {
		for cell := row*x.columns + t.x0; cell <= row*x.columns+t.x1; cell++ {
			x.cells[cell] = append(x.cells[cell], int32(n))
		}
	}
}

// remove takes a number from where it was added.
func (x *index) remove(n int, b box) {
	t := x.touched(b)
	for row := t.y0; row <= t.y1; row++ {
		for cell := row*x.columns + t.x0; cell <= row*x.columns+t.x1; cell++ {
			in := x.cells[cell]
			i := slices.Index(in, int32(n))
			in[i] = in[len(in)-1]
			x.cells[cell] = in[:len(in)-1]
		}
	}
}

// near returns each number once that may touch a box: all that do, and some beside it. They
// are the index's until the next search.
func (x *index) near(b box) []int32 {
	x.searches++
	x.found = x.found[:0]
	t := x.touched(b)
	for row := t.y0; row <= t.y1; row++ {
		for _, in := range x.cells[row*x.columns+t.x0 : row*x.columns+t.x1+1] {
			for _, n := range in {
				if x.seen[n] != x.searches {
					x.seen[n] = x.searches
					x.found = append(x.found, n)
				}
			}
		}
	}
	return x.found
}

// cellRange is columns and rows of an index, the last of each included.
type cellRange struct{ x0, y0, x1, y1 int }

// touched returns the cells of a box.
func (x *index) touched(b box) cellRange {
	place := func(v, from float64, n int) int { return min(max(int((v-from)/x.cell), 0), n-1) }
	return cellRange{
		place(b.x0, x.area.x0, x.columns), place(b.y0, x.area.y0, x.rows),
		place(b.x1, x.area.x0, x.columns), place(b.y1, x.area.y0, x.rows),
	}
}
