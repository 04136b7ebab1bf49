package raster

import (
	"math/bits"
	"slices"
)

// coverage computes how much of each pixel a path covers. As a Flattener of go-chart's drawing package it
// receives the path in straight lines that end where they began. Freetype's rasteriser keeps a list of pixels
// for each row and searches it whenever it adds one. This type has a number for every pixel instead, so long
// lines that go back and forth, as traces do, take no longer than others.
type coverage struct {
	width, height int
	cells         []int32  // see scan; a row has two cells more than pixels
	touched       []uint64 // a bit for each cell that may be nonzero
	words         int      // words of bits per row
	top, bottom   int      // touched rows: from top to before bottom
	x, y          int      // position of the pen, in 1/64 pixels
}

// Places are multiples of 1/64 pixel, so all sums are exact and the same on every machine.
const (
	subpixels = 64
	fullCover = 2 * subpixels * subpixels // of a pixel
)

// resize changes the size of an empty coverage. paint leaves only zeros, also beyond the new size.
func (c *coverage) resize(width, height int) {
	c.width, c.height, c.top, c.bottom = width, height, height, 0
	c.cells = slices.Grow(c.cells[:0], (width+2)*height)[:(width+2)*height]
	c.words = (width+2)/64 + 1
	c.touched = slices.Grow(c.touched[:0], c.words*height)[:c.words*height]
}

// MoveTo is part of drawing.Flattener.
func (c *coverage) MoveTo(x, y float64) { c.x, c.y = int(x*subpixels), int(y*subpixels) }

// LineTo is part of drawing.Flattener.
func (c *coverage) LineTo(x, y float64) {
	x0, y0 := c.x, c.y
	c.MoveTo(x, y)
	c.line(x0, y0, c.x, c.y)
}

// line adds a line, split into rows.
func (c *coverage) line(x0, y0, x1, y1 int) {
	dx, dy, way := x1-x0, abs(y1-y0), 1
	if y1 < y0 {
		way = -1
	}
	y, to := max(min(y0, y1), 0), min(max(y0, y1), c.height*subpixels)
	if y >= to {
		return
	}
	at, rest := divided(dx*abs(y-y0), dy)
	step, part := divided(way*dx*subpixels, dy)
	for y < to {
		row, from := y/subpixels, at
		next := min((row+1)*subpixels, to)
		if at, rest = at+step, rest+part; next-y < subpixels {
			at, rest = divided(dx*abs(next-y0), dy)
		} else if rest >= dy {
			at, rest = at+1, rest-dy
		}
		if way > 0 {
			c.scan(row, x0+from, x0+at, next-y)
		} else {
			c.scan(row, x0+at, x0+from, y-next)
		}
		y = next
	}
}

// LineJoin is part of drawing.Flattener.
func (c *coverage) LineJoin() {}

// Close is part of drawing.Flattener.
func (c *coverage) Close() {}

// End is part of drawing.Flattener.
func (c *coverage) End() {}

// scan adds a line within one row, from x0 to x1 and down by dy. The area to its right is covered: the cells it
// crosses in part, the cells behind them entirely.
func (c *coverage) scan(row, x0, x1, dy int) {
	x0, x1 = min(max(x0, 0), c.width*subpixels), min(max(x1, 0), c.width*subpixels)
	last, step := x1/subpixels, 1
	if x1 < x0 {
		step = -1
	}
	c.top, c.bottom = min(c.top, row), max(c.bottom, row+1)
	cells, touched := c.cells[row*(c.width+2):], c.touched[row*c.words:]
	if x0/subpixels == last { // as most steps of steep lines do
		area, bit := int32((x0+x1-2*last*subpixels)*dy), uint(last)
		cells[bit] += int32(2*subpixels*dy) - area
		cells[bit+1] += area
		touched[bit/64] |= 1 << (bit % 64)
		touched[(bit+1)/64] |= 1 << ((bit + 1) % 64)
		return
	}
	x, done := x0, 0
	for cell := x0 / subpixels; ; cell += step {
		next, part := x1, dy-done
		if cell != last {
			next = (cell + (step+1)/2) * subpixels
			part, _ = divided(dy*abs(next-x0), abs(x1-x0))
			part -= done
		}
		area := int32((x + next - 2*cell*subpixels) * part)
		cells[cell] += int32(2*subpixels*part) - area
		cells[cell+1] += area
		touched[cell/64] |= 1 << (cell % 64)
		touched[(cell+1)/64] |= 1 << ((cell + 1) % 64)
		if cell == last {
			return
		}
		x, done = next, done+part
	}
}

func abs(v int) int { return max(v, -v) }

// divided divides by a positive number, rounds down, and also returns the remainder.
func divided(a, b int) (whole, rest int) {
	if whole, rest = a/b, a%b; rest < 0 {
		return whole - 1, rest + b
	}
	return whole, rest
}

// paint calls over with each run of equal coverage, with levels from 1 to Opaque, row by row, and empties the
// coverage. Areas that are covered more than once count once.
func (c *coverage) paint(over func(y, x0, x1 int, level uint8)) {
	for y := c.top; y < c.bottom; y++ {
		cells, touched := c.cells[y*(c.width+2):], c.touched[y*c.words:][:c.words]
		sum := int32(0)
		start, level := 0, uint8(0)
		for i, word := range touched {
			touched[i] = 0
			for ; word != 0; word &= word - 1 {
				x := 64*i + bits.TrailingZeros64(word)
				sum += cells[x]
				cells[x] = 0
				covered := min(abs(int(sum+1)>>1), fullCover/2-1)
				now := Level(uint32(covered<<4 | covered>>8)) // expands 12 bits to 16
				if now == level {
					continue
				}
				if level > 0 {
					over(y, start, min(x, c.width), level)
				}
				start, level = x, now
			}
		}
		if level > 0 && start < c.width {
			over(y, start, c.width, level)
		}
	}
	c.top, c.bottom = c.height, 0
}
