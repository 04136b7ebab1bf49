package chart

import "math"

// Lengths are layout units, y grows downwards.

type point struct{ x, y float64 }

type box struct{ x0, y0, x1, y1 float64 }

func (b box) width() float64  { return b.x1 - b.x0 }
func (b box) height() float64 { return b.y1 - b.y0 }

func (b box) centre() point { return point{(b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2} }

// grow moves every side outwards by d.
func (b box) grow(d float64) box { return box{b.x0 - d, b.y0 - d, b.x1 + d, b.y1 + d} }

func (b box) overlaps(o box) bool {
	return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
}

// around returns the smallest box that contains both.
func (b box) around(o box) box {
	return box{min(b.x0, o.x0), min(b.y0, o.y0), max(b.x1, o.x1), max(b.y1, o.y1)}
}

func (b box) within(o box) bool {
	return b.x0 >= o.x0 && b.y0 >= o.y0 && b.x1 <= o.x1 && b.y1 <= o.y1
}

// nearest returns the point of the box closest to p.
func (b box) nearest(p point) point {
	return point{min(max(p.x, b.x0), b.x1), min(max(p.y, b.y0), b.y1)}
}

func square(c point, r float64) box { return box{c.x - r, c.y - r, c.x + r, c.y + r} }

type segment struct{ a, b point }

// extent returns the bounding box of the segment.
func (s segment) extent() box {
	return box{min(s.a.x, s.b.x), min(s.a.y, s.b.y), max(s.a.x, s.b.x), max(s.a.y, s.b.y)}
}

// meets reports whether the segment touches the box, by clipping it to the
// box's sides (Liang and Barsky).
func (s segment) meets(b box) bool {
	if e := s.extent(); e.x1 < b.x0 || e.x0 > b.x1 || e.y1 < b.y0 || e.y0 > b.y1 {
		return false
	}
	from, to := 0.0, 1.0
	clip := func(p, q float64) bool {
		if p == 0 {
			return q >= 0
		}
		if r := q / p; p < 0 {
			from = max(from, r)
		} else {
			to = min(to, r)
		}
		return from <= to
	}
	dx, dy := s.b.x-s.a.x, s.b.y-s.a.y
	return clip(-dx, s.a.x-b.x0) && clip(dx, b.x1-s.a.x) &&
		clip(-dy, s.a.y-b.y0) && clip(dy, b.y1-s.a.y)
}

// crosses reports whether two segments intersect.
func (s segment) crosses(o segment) bool {
	side := func(a, b, c point) float64 { return (b.x-a.x)*(c.y-a.y) - (b.y-a.y)*(c.x-a.x) }
	return side(s.a, s.b, o.a)*side(s.a, s.b, o.b) < 0 && side(o.a, o.b, s.a)*side(o.a, o.b, s.b) < 0
}

// distance returns the distance of two points. It rounds the squares explicitly, because some machines fuse
// multiplication and addition and would return other bits.
func distance(a, b point) float64 {
	dx, dy := b.x-a.x, b.y-a.y
	return math.Sqrt(float64(dx*dx) + float64(dy*dy))
}
