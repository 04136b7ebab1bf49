package format

import (
	"math"
	"math/bits"
	"slices"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// This file finds results whose lines come from two runs that wrote to one file at the same time, without a prefix that
// shows which run wrote a line. The order of such lines differs from that of a single run: a row occurs again with
// another figure before the next title.

// shape identifies a line by two hashes: of its text without figures, and of its figures.
type shape struct {
	line          int
	words, digits uint64
}

const (
	mostShapes = 1 << 13 // number of lines remembered
	near       = 20      // results within this many lines of mixed lines are dropped
	behind     = 60      // number of lines before and after a result that are compared with it
)

// shapeOf returns the shape of a line, without regard to the lines above. White space is ignored.
func shapeOf(text []byte, line int) shape {
	const prime, basis = 1099511628211, 14695981039346656037
	words, digits := uint64(basis), uint64(basis)
	for i := 0; i < len(text); {
		c := text[i]
		if c == ' ' || c == '\t' {
			i++
			continue
		}
		if !scan.IsDigit(c) || i > 0 && isLetter(text[i-1]) || isShare(text[i:]) { // such as P99 and 99% in a label
			words = (words ^ uint64(c)) * prime
			i++
			continue
		}
		words = (words ^ '0') * prime
		digits = (digits ^ ' ') * prime
		for ; i < len(text) && isOfFigure(text, i); i++ {
			digits = (digits ^ uint64(text[i])) * prime
		}
	}
	return shape{line, words, digits}
}

// isOfFigure reports whether the byte at i belongs to a figure that began before it.
func isOfFigure(text []byte, i int) bool {
	return scan.IsDigit(text[i]) || (text[i] == '.' || text[i] == ',') && i+1 < len(text) && scan.IsDigit(text[i+1])
}

// isShare reports whether a text begins with an integer percentage.
func isShare(text []byte) bool {
	n := 0
	for n < len(text) && scan.IsDigit(text[n]) {
		n++
	}
	return n < len(text) && text[n] == '%'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// remember keeps the shape of a line that a reader received.
func (in *input) remember(l scan.Line) {
	if len(in.shapes) == mostShapes {
		in.unmix(l.Number - 2*behind)
		in.shapes = slices.Delete(in.shapes, 0, mostShapes/2)
	}
	s := shapeOf(l.Text, l.Number)
	indent := 0
	for indent < len(l.Text) && (l.Text[indent] == ' ' || l.Text[indent] == '\t') {
		indent++
	}
	for n := len(in.above); n > 0 && in.above[n-1].indent >= indent; n-- {
		in.above = in.above[:n-1]
	}
	if n := len(in.above); n > 0 {
		s.words ^= in.above[n-1].words * 31
	}
	if indent < len(l.Text) {
		in.above = append(in.above, heading{indent, s.words})
	}
	in.shapes = append(in.shapes, s)
}

// heading is a line that is less indented than the lines below it.
type heading struct {
	indent int
	words  uint64
}

// unmix removes the results that end before a line and contain lines of two runs. Near them there are rows that are
// equal to rows of a result but belong to no result.
func (in *input) unmix(before int) {
	all := in.Out.Results
	first := math.MaxInt
	for i := in.unmixed; i < len(all); i++ {
		if r := &all[i]; r.EndLine < before {
			first = min(first, r.Source.Line)
		}
	}
	if first == math.MaxInt {
		return
	}
	var places places // places of the results, computed once one of them may be mixed
	var spoilt []span
	for i := in.unmixed; i < len(all); i++ {
		r := &all[i]
		if r.EndLine >= before || !in.repeats(r) {
			continue
		}
		if places.results == nil {
			places = placesOf(all, first-behind)
		}
		if !isOfTable(r, places) {
			if a, b, ok := in.mixed(r, places); ok {
				spoilt = append(spoilt, span{min(a, b, r.Source.Line), max(a, b, r.EndLine)})
				in.Message(min(a, b), result.Error, "format.mixed",
					locale.Textf("lines of two runs are mixed: lines %d and %d are the same row with different figures", min(a, b), max(a, b)),
					locale.Textf("nothing around them is read; write the output of each run to a file of its own"))
				in.Out.Reason, in.Out.Kind = locale.Textf("lines of two runs are mixed"), unread.Damaged
			}
		}
	}
	if len(spoilt) > 0 {
		in.Out.Results = slices.DeleteFunc(all, func(r result.Result) bool {
			return slices.ContainsFunc(spoilt, func(s span) bool { return r.Source.Line <= s.to+near && r.EndLine >= s.from-near })
		})
	}
	for in.unmixed < len(in.Out.Results) && in.Out.Results[in.unmixed].EndLine < before {
		in.unmixed++
	}
}

// span is a range of lines, inclusive.
type span struct{ from, to int }

// places holds results sorted by their first lines.
type places struct {
	results []*result.Result
	last    []int // for each result, the maximum EndLine of it and the results before it
}

// placesOf returns the places of the results that end at line from or later.
func placesOf(all []result.Result, from int) places {
	var p places
	for i := range all {
		if all[i].EndLine >= from {
			p.results = append(p.results, &all[i])
		}
	}
	slices.SortStableFunc(p.results, func(a, b *result.Result) int { return a.Source.Line - b.Source.Line })
	last := 0
	for _, r := range p.results {
		last = max(last, r.EndLine)
		p.last = append(p.last, last)
	}
	return p
}

// around returns the results that may have lines between from and to.
func (p places) around(from, to int) []*result.Result {
	low, _ := slices.BinarySearch(p.last, from)
	high, _ := slices.BinarySearchFunc(p.results, to+1, func(r *result.Result, line int) int { return r.Source.Line - line })
	return p.results[low:max(low, high)]
}

// isOfTable reports whether a result overlaps others of its format, which means they are rows of one table.
func isOfTable(r *result.Result, p places) bool {
	return slices.ContainsFunc(p.around(r.Source.Line, r.EndLine), func(o *result.Result) bool {
		return o.Source != r.Source && o.Format == r.Format && o.Source.Line <= r.EndLine && o.EndLine >= r.Source.Line
	})
}

// mixed returns two lines that show that a result has lines of two runs: a row of a result of the format, and the same
// row with other figures that belongs to no result.
func (in *input) mixed(r *result.Result, p places) (a, b int, found bool) {
	first := r.Source.Line - behind
	if !hasLines(r) {
		return 0, 0, false
	}
	m := &in.mixing
	own, owned, begins := &m.own, &m.owned, &m.begins
	for _, lines := range []*lineSet{own, owned, begins} {
		lines.reset(first, r.EndLine+behind)
	}
	own.addFigures(r)
	for _, o := range p.around(first, r.EndLine+behind) {
		if o.Format == r.Format && o.Source.Line <= r.EndLine+behind && o.EndLine >= first {
			owned.addFigures(o)
			begins.add(o.Source.Line)
		}
	}
	from, _ := slices.BinarySearchFunc(in.shapes, first, func(s shape, line int) int { return s.line - line })
	to, _ := slices.BinarySearchFunc(in.shapes, r.EndLine+behind, func(s shape, line int) int { return s.line - line })
	around := in.shapes[from:to]
	rows := &m.rows
	rows.reset(own.count(around))
	sections := false // the result has several sections with equal rows
	var title shape
	for _, s := range around {
		if s.line == r.Source.Line && title.line == 0 {
			title = s
		}
		if own.has(s.line) {
			sections = rows.add(s) > 1 || sections
		}
	}
	again := 0
	for _, s := range around {
		if s.line > r.EndLine && (s.words == title.words || begins.has(s.line)) {
			break // the next result begins
		}
		row := rows.of(s.words)
		inside := s.line > r.Source.Line && s.line <= r.EndLine
		switch {
		case inside && s.words == title.words && row == nil:
			return r.Source.Line, s.line, true
		case row == nil || owned.has(s.line) || s.digits == row.digits || row.count > 1:
		case inside && !sections:
			return row.line, s.line, true
		case s.line > r.Source.Line && s.line <= r.EndLine+near:
			if !row.again {
				row.again = true
				again++
			}
			a, b = row.line, s.line
		}
	}
	return a, b, again >= min(len(rows.all), 2) && again > 0
}

// mixing is memory that is reused for each result.
type mixing struct {
	own, owned, begins lineSet // lines of its figures, of the figures of all results, and first lines of results
	rows               rows    // the result's lines by their words
}

// rows holds the lines of a result by their words.
type rows struct {
	all   []row
	slots []int32 // a hash table: one more than the index of a row, 0 for an empty slot
}

// row is the last of the lines with the same words.
type row struct {
	shape
	count int  // how many lines have these words
	again bool // the row occurs again after the result
}

// reset empties the rows and makes room for the given number.
func (r *rows) reset(most int) {
	size := 2 << bits.Len(uint(most))
	r.all, r.slots = r.all[:0], slices.Grow(r.slots[:0], size)[:size]
	clear(r.slots)
}

// slot returns the slot of the row with the given words, or the slot where it would be stored.
func (r *rows) slot(words uint64) int {
	last := len(r.slots) - 1
	i := int(words) & last
	for r.slots[i] != 0 && r.all[r.slots[i]-1].words != words {
		i = (i + 1) & last
	}
	return i
}

// of returns the row with the given words, or nil.
func (r *rows) of(words uint64) *row {
	if i := r.slots[r.slot(words)]; i > 0 {
		return &r.all[i-1]
	}
	return nil
}

// add adds a line, and returns how many lines have its words.
func (r *rows) add(s shape) int {
	i := r.slot(s.words)
	if r.slots[i] == 0 {
		r.all = append(r.all, row{})
		r.slots[i] = int32(len(r.all))
	}
	known := &r.all[r.slots[i]-1]
	known.shape = s
	known.count++
	return known.count
}

// lineSet is a set of line numbers that are close to each other.
type lineSet struct {
	first   int
	members []bool
}

// reset empties the set and prepares it for lines from first to last.
func (s *lineSet) reset(first, last int) {
	s.first, s.members = first, slices.Grow(s.members[:0], last-first+1)[:last-first+1]
	clear(s.members)
}

func (s *lineSet) has(line int) bool {
	i := line - s.first
	return i >= 0 && i < len(s.members) && s.members[i]
}

func (s *lineSet) add(line int) {
	if i := line - s.first; i >= 0 && i < len(s.members) {
		s.members[i] = true
	}
}

// count returns how many of the lines are members.
func (s *lineSet) count(of []shape) (n int) {
	for i := range of {
		if s.has(of[i].line) {
			n++
		}
	}
	return n
}

// addFigures adds the lines from which a result's figures were read.
func (s *lineSet) addFigures(r *result.Result) {
	for i := range r.Metrics {
		if m := &r.Metrics[i]; !m.Derived {
			s.add(int(m.Line))
		}
	}
}

// hasLines reports whether the figures of a result were read from more than one line.
func hasLines(r *result.Result) bool {
	first := -1
	for i := range r.Metrics {
		switch m := &r.Metrics[i]; {
		case m.Derived || int(m.Line) == first:
		case first >= 0:
			return true
		default:
			first = int(m.Line)
		}
	}
	return false
}

// repeats reports whether lines of a result, or shortly after it, may have the same words. It is quick: false is
// certain, true may be a collision.
func (in *input) repeats(r *result.Result) bool {
	first, _ := slices.BinarySearchFunc(in.shapes, r.Source.Line, func(s shape, line int) int { return s.line - line })
	if r.EndLine <= r.Source.Line || first == len(in.shapes) {
		return false
	}
	const size = 1 << 12
	var seen [size / 64]uint64
	for _, s := range in.shapes[first:] {
		if s.line > r.EndLine+near {
			break
		}
		i := s.words % size
		if seen[i/64]&(1<<(i%64)) != 0 {
			return true
		}
		seen[i/64] |= 1 << (i % 64)
	}
	return false
}
