package watch

import (
	"maps"
	"slices"
	"time"
)

// pending is the batch being collected.
type pending struct {
	opt    Options
	paths  map[string]bool
	all    bool
	sorted []string // the paths; nil if not computed

	first, last time.Time // times of the first and the last change in it
	changes     int       // number of changes, several of one path included
}

func (p *pending) add(path string) {
	p.paths[path] = true
	p.sorted = nil
	p.stir()
}

// addAll records that anything may have changed.
func (p *pending) addAll() {
	p.all = true
	p.stir()
}

func (p *pending) stir() {
	p.last = time.Now()
	if p.changes == 0 {
		p.first = p.last
	}
	p.changes++
}

// due returns when the batch may be delivered, if there is one. The required quiet time grows with the number of
// changes, up to Options.Storm.
func (p *pending) due() (time.Time, bool) {
	if p.changes == 0 {
		return time.Time{}, false
	}
	quiet := p.opt.Quiet + time.Duration(p.changes-1)*p.opt.Quiet/32
	due := p.last.Add(min(quiet, max(p.opt.Quiet, p.opt.Storm)))
	if longest := p.first.Add(p.opt.Longest); longest.Before(due) {
		due = longest
	}
	return due, true
}

func (p *pending) ready(now time.Time) bool {
	due, waiting := p.due()
	return waiting && !due.After(now)
}

func (p *pending) batch() Batch {
	if p.sorted == nil {
		p.sorted = slices.Sorted(maps.Keys(p.paths))
	}
	return Batch{Paths: p.sorted, All: p.all}
}

// clear drops what was delivered. It makes a new map, because a map never shrinks.
func (p *pending) clear() {
	*p = pending{opt: p.opt, paths: map[string]bool{}}
}
