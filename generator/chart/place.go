package chart

import (
	"cmp"
	"math"
	"slices"
)

// placer finds places for names beside their marks: inside the plot, clear of
// marks, lines and each other, as near as can be; one that has to go further
// gets a leader.
type placer struct {
	plot   box
	marks  []box
	lines  []segment
	wanted []wanted
	tries  int // comparisons of places made so far
}

// patience is after how many comparisons, some milliseconds, a placer makes do
// with what it has found.
const patience = 400_000

// wanted is a name that looks for a place.
type wanted struct {
	mark     box
	width    float64
	height   float64
	places   []place // those clear of everything but other names, cheapest first
	chosen   *place
	homeless float64 // what it costs to have no place
}

// place is where a name could be, and what that costs in looks.
type place struct {
	box    box
	leader *segment
	cost   float64
}

func (w *wanted) cost() float64 {
	if w.chosen == nil {
		return w.homeless
	}
	return w.chosen.cost
}

// want asks for a place for a name of a size; where there are too few, those go
// without that lose least by it.
func (p *placer) want(mark box, width, height, homeless float64) {
	p.wanted = append(p.wanted, wanted{mark: mark, width: width, height: height, places: places(mark, width, height), homeless: homeless})
}

// place chooses. What matters most goes first, and of that what has the fewest
// places; then each in turn may better itself, sending others elsewhere if that
// costs less than it gains.
func (p *placer) place() {
	order := make([]int, len(p.wanted))
	for i := range p.wanted {
		w := &p.wanted[i]
		w.places = slices.DeleteFunc(w.places, func(c place) bool { return !p.clear(w.mark, c) })
		for n := range w.places {
			w.places[n].cost += p.astray(w.mark, w.places[n].box)
		}
		slices.SortStableFunc(w.places, func(a, b place) int { return cmp.Compare(a.cost, b.cost) })
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &p.wanted[i], &p.wanted[j]
		return cmp.Or(cmp.Compare(b.homeless, a.homeless), cmp.Compare(a.beside(), b.beside()))
	})
	for _, i := range order {
		p.choose(i)
	}
	for better := true; better && p.tries < patience; {
		better = false
		for _, i := range order {
			better = p.tries < patience && p.improve(i) || better
		}
	}
}

// beside counts the places that need no leader.
func (w *wanted) beside() int {
	n := 0
	for _, c := range w.places {
		if c.leader == nil {
			n++
		}
	}
	return n
}

// choose takes the cheapest place the others leave, if any.
func (p *placer) choose(i int) {
	w := &p.wanted[i]
	w.chosen = nil
	for n := range w.places {
		if p.rivals(i, &w.places[n], 0) != nil {
			continue
		}
		w.chosen = &w.places[n]
		return
	}
}

// improve looks for a cheaper place for a name, moving at most two others, and
// reports whether all of them together now cost less.
func (p *placer) improve(i int) bool {
	w := &p.wanted[i]
	before := w.chosen
	for n := range w.places {
		c := &w.places[n]
		if c.cost >= w.cost() || p.tries > patience {
			return false
		}
		rivals := p.rivals(i, c, 2)
		if len(rivals) > 2 {
			continue
		}
		old, sum := make([]*place, len(rivals)), w.cost()
		for k, j := range rivals {
			old[k], sum = p.wanted[j].chosen, sum+p.wanted[j].cost()
			p.wanted[j].chosen = nil
		}
		w.chosen = c
		now := c.cost
		for _, j := range rivals {
			p.choose(j)
			now += p.wanted[j].cost()
		}
		if now < sum {
			return true
		}
		for k, j := range rivals {
			p.wanted[j].chosen = old[k]
		}
		w.chosen = before
	}
	return false
}

// squeeze returns the names still without a place the nearest room there is, clear
// of marks and names.
func (p *placer) squeeze() {
	for i := range p.wanted {
		if w := &p.wanted[i]; w.chosen == nil {
			w.chosen = p.anywhere(w)
		}
	}
}

// anywhere looks for room all over the plot. A leader may cross others, if need be.
func (p *placer) anywhere(w *wanted) *place {
	const crossing = 1e4
	var best *place
	for y := p.plot.y0; y+w.height <= p.plot.y1; y += w.height / 2 {
		for x := p.plot.x0; x+w.width <= p.plot.x1; x += w.width / 2 {
			c := place{box: box{x, y, x + w.width, y + w.height}}
			end := c.box.nearest(w.mark.centre())
			c.leader, c.cost = &segment{w.mark.nearest(end), end}, distance(w.mark.centre(), end)
			if best != nil && c.cost >= best.cost || slices.ContainsFunc(p.marks, c.box.grow(1).overlaps) {
				continue
			}
			free := true
			for j := range p.wanted {
				if other := p.wanted[j].chosen; other != nil && c.clashes(other) {
					free = free && !c.box.grow(3).overlaps(other.box)
					c.cost += crossing
				}
			}
			if free && (best == nil || c.cost < best.cost) {
				best = &c
			}
		}
	}
	return best
}

// rivals lists the names whose chosen places do not go together with a place
// for the i-th, giving up after more than most.
func (p *placer) rivals(i int, c *place, most int) []int {
	var found []int
	p.tries += len(p.wanted)
	for j := range p.wanted {
		other := p.wanted[j].chosen
		if j == i || other == nil || !c.clashes(other) {
			continue
		}
		found = append(found, j)
		if len(found) > most {
			break
		}
	}
	return found
}

// clashes reports whether two names' places cannot both be taken.
func (c *place) clashes(other *place) bool {
	return c.box.grow(3).overlaps(other.box) ||
		c.leader != nil && c.leader.meets(other.box.grow(4)) ||
		other.leader != nil && other.leader.meets(c.box.grow(4)) ||
		c.leader != nil && other.leader != nil && c.leader.crosses(*other.leader)
}

// clear reports whether a place is inside the plot, touches no mark or line
// and, without a leader, is plainly nearest to its own mark. A leader may
// cross a line, but no mark that lies elsewhere than its own.
func (p *placer) clear(own box, c place) bool {
	if !c.box.within(p.plot) {
		return false
	}
	away := c.box.away(own)
	for _, m := range p.marks {
		if c.box.overlaps(m.grow(1)) {
			return false
		}
		if distance(m.centre(), own.centre()) < 3 {
			continue
		}
		if c.leader == nil && c.box.away(m) < away+4 || c.leader != nil && c.leader.meets(m.grow(-3)) {
			return false
		}
	}
	for _, line := range p.lines {
		if line.meets(c.box.grow(2)) {
			return false
		}
	}
	return true
}

// astray is what it costs to be close to the marks of others.
func (p *placer) astray(own, b box) float64 {
	cost := 0.0
	for _, m := range p.marks {
		if d := b.away(m) - m.width()/2; d < 20 && !m.overlaps(own) {
			cost += (20 - d) / 3
		}
	}
	return cost
}

// away is how far a box keeps from the centre of a mark.
func (b box) away(mark box) float64 { return distance(mark.centre(), b.nearest(mark.centre())) }

// places lists where a name could be around a mark: right, left, above,
// below, at the corners, and then further away in rings.
func places(mark box, width, height float64) []place {
	const gap = 5
	centre := mark.centre()
	at := func(x, y, cost float64) place {
		return place{box: box{x, y, x + width, y + height}, cost: cost}
	}
	level, above, below := centre.y-height/2, mark.y0-height+2, mark.y1-2
	right, left, mid := mark.x1+gap, mark.x0-gap-width, centre.x-width/2
	found := []place{
		at(right, level, 0), at(left, level, 2), at(mid, above, 3), at(mid, below, 4),
		at(right-gap, above+gap, 3), at(right-gap, below-gap, 5), at(left+gap, above+gap, 5), at(left+gap, below-gap, 6),
	}
	for _, away := range []float64{18, 32, 50, 72, 100, 135, 175, 220, 270, 330, 400} {
		for i := range 16 {
			sin, cos := math.Sincos(float64(i) * math.Pi / 8)
			// The middle of the box lies on an ellipse around the mark.
			c := point{centre.x + cos*(mark.width()/2+away+width/2), centre.y + sin*(mark.height()/2+away+height/2)}
			p := at(c.x-width/2, c.y-height/2, 10+away/4)
			end := p.box.nearest(centre)
			if d := distance(centre, end); d > mark.width() {
				start := point{
					centre.x + (end.x-centre.x)*mark.width()/2/d,
					centre.y + (end.y-centre.y)*mark.height()/2/d,
				}
				p.leader = &segment{start, end}
				p.cost += math.Abs(cos) * 2
			}
			found = append(found, p)
		}
	}
	return found
}
