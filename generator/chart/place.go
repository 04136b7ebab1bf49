package chart

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// placer places names beside their marks: inside the plot, clear of marks, lines and each other, and as near as
// possible. A name that has to go further away gets a leader.
type placer struct {
	plot   box
	marks  []box
	lines  []segment
	wanted []wanted
	before []wanted // earlier names with the same marks and lines, whose candidate places are reused
	near   bool     // a name is placed beside its mark or not at all
	tries  int      // comparisons of places made so far, counted as if each name were compared with all

	nearMarks, nearLines *index // indexes of marks and of lines
	nearNames            *index // index of the chosen places of wanted
}

// patience is the number of comparisons, which take some milliseconds, after which a placer keeps what it has
// found.
const patience = 400_000

// wanted is a name that needs a place.
type wanted struct {
	mark     box
	width    float64
	height   float64
	places   []place // candidates clear of everything except other names, cheapest first; see look
	all      bool    // candidates with leaders are included
	chosen   *place
	homeless float64 // the cost of having no place
}

// place is a possible place of a name and its cost, a measure of how bad it looks.
type place struct {
	box    box
	led    bool
	leader segment // the leader, if led is set
	cost   float64
	rival  int // the name whose place last clashed with this one
}

// extent returns the box around a place and its leader.
func (c *place) extent() box {
	if c.led {
		return c.box.around(c.leader.extent())
	}
	return c.box
}

func (w *wanted) cost() float64 {
	if w.chosen == nil {
		return w.homeless
	}
	return w.chosen.cost
}

// want requests a place for a name of the given size. If there are too few places, the names whose absence
// costs least (homeless) get none.
func (p *placer) want(mark box, width, height, homeless float64) {
	p.wanted = append(p.wanted, wanted{mark: mark, width: width, height: height, homeless: homeless})
}

// place chooses the places. The names that matter most choose first, and among these the names with the fewest
// places. Then each name in turn may take a cheaper place and move others elsewhere, if that reduces the total
// cost.
func (p *placer) place() {
	const aMark, aName = 60, 150 // the approximate size of what is searched for
	p.nearMarks, p.nearLines, p.nearNames = newIndex(p.plot, aMark, len(p.marks)), newIndex(p.plot, aName, len(p.lines)), newIndex(p.plot, aName, len(p.wanted))
	for i, m := range p.marks {
		p.nearMarks.add(i, m)
	}
	for i, line := range p.lines {
		p.nearLines.add(i, line.extent())
	}
	order := make([]int, len(p.wanted))
	for i := range p.wanted {
		w := &p.wanted[i]
		order[i] = i
		if i < len(p.before) && p.before[i].mark == w.mark && p.before[i].width == w.width && p.before[i].height == w.height {
			w.places, w.all = p.before[i].places, p.before[i].all
		} else {
			p.look(w, p.near)
		}
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

// look finds the candidate places for a name. Those with leaders are searched only if all is set, because most
// names need none.
func (p *placer) look(w *wanted, all bool) {
	leaders := all && !p.near
	around := arounds.Get().(*[]place)
	defer arounds.Put(around)
	*around = places((*around)[:0], p.plot, w.mark, w.width, w.height, leaders)
	w.places, w.all = slices.Clone(slices.DeleteFunc(*around, func(c place) bool { return !p.clear(w.mark, &c) })), all
	for n := range w.places {
		w.places[n].cost += p.astray(w.mark, w.places[n].box)
	}
	slices.SortStableFunc(w.places, func(a, b place) int { return cmp.Compare(a.cost, b.cost) })
}

// arounds is a pool of memory for candidate places.
var arounds = sync.Pool{New: func() any { return new([]place) }}

// nth returns the n-th cheapest place for a name if it costs less than below, or else nil.
func (p *placer) nth(w *wanted, n int, below float64) *place {
	if !w.all && below > leastLed && (n == len(w.places) || w.places[n].cost >= leastLed) {
		p.look(w, true)
	}
	if n == len(w.places) || w.places[n].cost >= below {
		return nil
	}
	return &w.places[n]
}

// beside returns the number of places without a leader.
func (w *wanted) beside() int {
	n := 0
	for _, c := range w.places {
		if !c.led {
			n++
		}
	}
	return n
}

// settle gives a name a place, or none if c is nil.
func (p *placer) settle(i int, c *place) {
	w := &p.wanted[i]
	if w.chosen != nil {
		p.nearNames.remove(i, w.chosen.extent())
	}
	if w.chosen = c; c != nil {
		p.nearNames.add(i, c.extent())
	}
}

// choose gives a name the cheapest place that the others leave, if any.
func (p *placer) choose(i int) {
	p.settle(i, nil)
	for n := 0; ; n++ {
		c := p.nth(&p.wanted[i], n, math.Inf(1))
		if c == nil || p.free(i, c) {
			p.settle(i, c)
			return
		}
	}
}

// improve looks for a cheaper place for a name and moves at most two others for it. It reports whether the
// total cost has decreased.
func (p *placer) improve(i int) bool {
	w := &p.wanted[i]
	before := w.chosen
	var room [2]int
	for n := 0; ; n++ {
		c := p.nth(w, n, w.cost())
		if c == nil || p.tries > patience {
			return false
		}
		rivals, few := p.rivals(room[:0], i, c)
		if !few {
			continue
		}
		var old [len(room)]*place
		sum := w.cost()
		for k, j := range rivals {
			old[k], sum = p.wanted[j].chosen, sum+p.wanted[j].cost()
			p.settle(j, nil)
		}
		p.settle(i, c)
		now := c.cost
		for _, j := range rivals {
			p.choose(j)
			now += p.wanted[j].cost()
		}
		if now < sum {
			return true
		}
		for k, j := range rivals {
			p.settle(j, old[k])
		}
		p.settle(i, before)
	}
}

// squeeze gives the names without a place the nearest free room, clear of marks and names.
func (p *placer) squeeze() {
	for i := range p.wanted {
		if w := &p.wanted[i]; w.chosen == nil {
			p.settle(i, p.anywhere(w))
		}
	}
}

// anywhere looks for room in the whole plot. Its leader may cross others if necessary.
func (p *placer) anywhere(w *wanted) *place {
	const crossing = 1e4
	best, found := place{}, false
	for y := p.plot.y0; y+w.height <= p.plot.y1; y += w.height / 2 {
		for x := p.plot.x0; x+w.width <= p.plot.x1; x += w.width / 2 {
			c := place{box: box{x, y, x + w.width, y + w.height}, led: true}
			end := c.box.nearest(w.mark.centre())
			c.leader, c.cost = segment{w.mark.nearest(end), end}, distance(w.mark.centre(), end)
			if found && c.cost >= best.cost || !p.offMarks(c.box) {
				continue
			}
			free := true
			for _, j := range p.nearNames.near(c.extent().grow(4)) {
				if other := p.wanted[j].chosen; c.clashes(other) {
					free = free && !c.box.grow(3).overlaps(other.box)
					c.cost += crossing
				}
			}
			if free && (!found || c.cost < best.cost) {
				best, found = c, true
			}
		}
	}
	if !found {
		return nil
	}
	return &best
}

// offMarks reports whether a box touches no mark.
func (p *placer) offMarks(b box) bool {
	for _, i := range p.nearMarks.near(b.grow(1)) {
		if b.grow(1).overlaps(p.marks[i]) {
			return false
		}
	}
	return true
}

// free reports whether a place for the i-th name does not clash with the chosen places of others.
func (p *placer) free(i int, c *place) bool {
	p.tries += len(p.wanted)
	if last := p.wanted[c.rival].chosen; last != nil && c.rival != i && c.clashes(last) {
		return false
	}
	for _, j := range p.nearNames.near(c.extent().grow(4)) {
		if j != i && c.clashes(p.wanted[j].chosen) {
			c.rival = j
			return false
		}
	}
	return true
}

// rivals appends the names whose chosen places clash with a place for the i-th, in ascending order. It returns
// false if found has no room for all of them.
func (p *placer) rivals(found []int, i int, c *place) (all []int, few bool) {
	p.tries += len(p.wanted)
	for _, j := range p.nearNames.near(c.extent().grow(4)) {
		if j == i || !c.clashes(p.wanted[j].chosen) {
			continue
		}
		if len(found) == cap(found) {
			return nil, false
		}
		found = append(found, j)
	}
	return found, true
}

// clashes reports whether two places cannot both be used.
func (c *place) clashes(other *place) bool {
	return c.box.grow(3).overlaps(other.box) ||
		c.led && c.leader.meets(other.box.grow(4)) ||
		other.led && other.leader.meets(c.box.grow(4)) ||
		c.led && other.led && c.leader.crosses(other.leader)
}

// clear reports whether a place is inside the plot, touches no mark or line and, without a leader, is clearly
// nearest to its own mark. A leader may cross lines, but no mark except those at the place of its own.
func (p *placer) clear(own box, c *place) bool {
	if !c.box.within(p.plot) {
		return false
	}
	away, around := c.box.away(own), c.extent().grow(1)
	if !c.led {
		around = c.box.grow(away + 4)
	}
	for _, i := range p.nearMarks.near(around) {
		m := p.marks[i]
		if c.box.overlaps(m.grow(1)) {
			return false
		}
		if (!c.led && c.box.away(m) < away+4 || c.led && c.leader.meets(m.grow(-3))) && distance(m.centre(), own.centre()) >= 3 {
			return false
		}
	}
	for _, i := range p.nearLines.near(c.box.grow(2)) {
		if p.lines[i].meets(c.box.grow(2)) {
			return false
		}
	}
	return true
}

// astray returns the cost of being close to the marks of other names.
func (p *placer) astray(own, b box) float64 {
	cost := 0.0
	for _, i := range p.nearMarks.near(b.grow(20)) {
		m := p.marks[i]
		if d := b.away(m) - m.width()/2; d < 20 && !m.overlaps(own) {
			cost += (20 - d) / 3
		}
	}
	return cost
}

// away returns the distance between a box and the centre of a mark.
func (b box) away(mark box) float64 { return distance(mark.centre(), b.nearest(mark.centre())) }

// rings lists the distances from a mark at which places with leaders are tried, each in several directions.
var rings = [...]float64{18, 32, 50, 72, 100, 135, 175, 220, 270, 330, 400}

const (
	directions = 16
	ringCost   = 10                // cost of a place in a ring, plus a quarter of its distance
	leastLed   = ringCost + 18/4.0 // the least cost of a place with a leader
)

// compass has the sine and cosine of each direction.
var compass = func() (all [directions]struct{ sin, cos float64 }) {
	for i := range all {
		all[i].sin, all[i].cos = math.Sincos(float64(i) * math.Pi / 8)
	}
	return all
}()

// places appends the places where a name could be: right of the mark, left, above, below, at its corners, and
// then in rings around it, as far as the plot extends. Places with leaders are included only if leaders is set.
func places(found []place, plot, mark box, width, height float64, leaders bool) []place {
	const gap = 5
	centre := mark.centre()
	at := func(x, y, cost float64) place {
		return place{box: box{x, y, x + width, y + height}, cost: cost}
	}
	level, above, below := centre.y-height/2, mark.y0-height+2, mark.y1-2
	right, left, mid := mark.x1+gap, mark.x0-gap-width, centre.x-width/2
	found = append(found,
		at(right, level, 0), at(left, level, 2), at(mid, above, 3), at(mid, below, 4),
		at(right-gap, above+gap, 3), at(right-gap, below-gap, 5), at(left+gap, above+gap, 5), at(left+gap, below-gap, 6))
	for _, away := range rings {
		for _, to := range compass {
			// The centre of the box lies on an ellipse around the mark.
			c := point{centre.x + to.cos*(mark.width()/2+away+width/2), centre.y + to.sin*(mark.height()/2+away+height/2)}
			p := at(c.x-width/2, c.y-height/2, ringCost+away/4)
			if !p.box.within(plot) {
				continue
			}
			end := p.box.nearest(centre)
			if d := distance(centre, end); d > mark.width() {
				if !leaders {
					continue
				}
				start := point{
					centre.x + (end.x-centre.x)*mark.width()/2/d,
					centre.y + (end.y-centre.y)*mark.height()/2/d,
				}
				p.led, p.leader = true, segment{start, end}
				p.cost += math.Abs(to.cos) * 2
			}
			found = append(found, p)
		}
	}
	return found
}
