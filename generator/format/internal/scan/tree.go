package scan

import (
	"bytes"
	"math"
)

// arena is the memory for the values of one document. It is reused for the next document.
type arena struct {
	slabs [][]Value
	slab  int // index of the slab in use
	used  int // number of values used in it
	total int
	text  []byte
	texts int // number of text buffers so far
	long  int // bytes of long texts kept
}

const slabSize = 256

// arenaMark is a state of the arena to return to.
type arenaMark struct{ slab, used, total, text, texts int }

func (a *arena) mark() arenaMark {
	return arenaMark{a.slab, a.used, a.total, len(a.text), a.texts}
}

func (a *arena) back(m arenaMark) {
	a.slab, a.used, a.total = m.slab, m.used, m.total
	if m.texts != a.texts {
		m.text = 0 // the mark is in another buffer; all of the current one was used since
	}
	a.text = a.text[:m.text]
}

// reset discards the values of a document.
func (a *arena) reset() {
	a.back(arenaMark{texts: a.texts})
	a.long = 0
}

// value returns a new value that begins in the given line.
func (a *arena) value(kind Kind, line int, parent *Value) *Value {
	if a.slab < len(a.slabs) && a.used == slabSize {
		a.slab++
		a.used = 0
	}
	if a.slab == len(a.slabs) {
		a.slabs = append(a.slabs, make([]Value, slabSize))
	}
	v := &a.slabs[a.slab][a.used]
	a.used++
	a.total++
	*v = Value{Kind: kind, Line: line, parent: parent}
	return v
}

// keep copies a text into the arena.
func (a *arena) keep(text []byte) []byte {
	if len(a.text)+len(text) > cap(a.text) {
		a.text = make([]byte, 0, max(WindowSize, len(text))) // earlier texts stay in the old buffer
		a.texts++
	}
	from := len(a.text)
	a.text = append(a.text, text...)
	return a.text[from:len(a.text):len(a.text)]
}

// Builder builds values from a scanner's tokens.
type Builder struct {
	in   *Memory
	scan *Scanner
	*arena
}

// NewBuilder returns a builder for the tokens of a document.
func NewBuilder(m *Memory, s *Scanner) Builder {
	return Builder{in: m, scan: s, arena: &m.arena}
}

// Object reads one object whose opening brace has been taken.
func (b *Builder) Object(brace Token, parent *Value) *Value {
	v := b.value('{', brace.line, parent)
	for b.member(v) {
	}
	v.Last = b.scan.Line
	v.Cut = b.scan.Fault != nil
	return v
}

// member reads one key, its value and the comma after it. It returns false after the last member and at a fault.
func (b *Builder) member(v *Value) bool {
	s := b.scan
	key := s.Next()
	if key.Kind == '}' {
		return false
	}
	if key.Kind != String || key.long {
		s.Reject(key, "expected a key in quotes")
		return false
	}
	name := b.in.Intern(key.string())
	if !s.took(':') {
		if colon := s.Next(); colon.Kind != ':' {
			s.Reject(colon, "expected a colon after the key %q", Clip([]byte(name), 40))
			return false
		}
	}
	s.mayOpen = true
	t := s.Next()
	s.mayOpen = false
	child := b.passedOver(name, t, v)
	if child == nil {
		child = b.any(t, v)
	}
	if child == nil {
		if s.Fault == nil {
			s.Reject(t, "expected a value for %q", Clip([]byte(name), 40))
		}
		return false
	}
	child.Key = name
	if !child.Cut || child.Kind == '{' || child.Kind == '[' && child.First != nil {
		v.append(child) // a cut list of numbers is omitted: its sum and count are not those of the whole list
	}
	v.Count++
	if s.Fault != nil {
		return false
	}
	if s.took(',') {
		return true
	}
	t = s.Next()
	switch t.Kind {
	case ',':
		return true
	case '}':
	default:
		s.Reject(t, "expected a comma or } after the value of %q", Clip([]byte(name), 40))
	}
	return false
}

// BreakOff marks an object or list as cut, and also its last member or entry at each level.
func (v *Value) BreakOff() {
	for ; v != nil && (v.Kind == '{' || v.Kind == '['); v = v.end {
		v.Cut = true
	}
}

func (v *Value) append(child *Value) {
	if v.end == nil {
		v.First = child
	} else {
		v.end.next = child
	}
	v.end = child
}

// any reads the value that begins with the token. It returns nil if the token cannot begin a value.
func (b *Builder) any(t Token, parent *Value) *Value {
	if b.total > heldValues && (t.Kind == '{' || t.Kind == '[') {
		return b.skipped(t, parent)
	}
	switch t.Kind {
	case '{':
		return b.Object(t, parent)
	case '[':
		return b.list(t, parent)
	case String, Number, Word:
		v := b.value(t.Kind, t.line, parent)
		v.Last = t.line
		if !t.long {
			text := t.text
			if t.Kind == String {
				text = t.string()
			}
			if len(text) <= heldText || b.heldLong(text) {
				v.Raw = b.keep(text)
			}
		}
		return v
	}
	return nil
}

// heldLong reports whether a text that is longer than heldText is kept: it has several lines, so it may contain a
// tool's output.
func (b *Builder) heldLong(text []byte) bool {
	if b.long+len(text) > heldLines || bytes.IndexByte(text, '\n') < 0 {
		return false
	}
	b.long += len(text)
	return true
}

// skipped skips the list or object that begins with a token.
func (b *Builder) skipped(t Token, parent *Value) *Value {
	v := b.value(t.Kind, t.line, parent)
	v.Cut = !b.scan.Skip()
	v.Last = b.scan.Line
	return v
}

// passedOver skips a member of an object that no reader uses and that would crowd out others: the curve that GuideLLM
// writes for each distribution. It returns nil for other members.
func (b *Builder) passedOver(name string, t Token, parent *Value) *Value {
	if name == "pdf" && (t.Kind == '{' || t.Kind == '[') {
		return b.skipped(t, parent)
	}
	return nil
}

// list reads one list whose opening bracket has been taken.
func (b *Builder) list(bracket Token, parent *Value) *Value {
	s := b.scan
	v := b.value('[', bracket.line, parent)
	defer func() {
		v.Last = s.Line
		v.Cut = s.Fault != nil
	}()
	for {
		s.mayOpen = v.Count == 0 || v.end != nil && v.end.Kind == '{' || v.Columns != nil
		t := s.Next()
		s.mayOpen = false
		switch t.Kind {
		case ']':
			if v.Count == 0 {
				return v
			}
			s.Reject(t, "expected a value after the comma")
			return v
		case Number:
			b.number(v, t.text)
			if s.numbers(v.Numbers) {
				v.Count = v.Numbers.n
			}
		case '[':
			if !b.inner(v, func() *Value { return b.list(t, v) }) {
				return v
			}
		case '{':
			b.entry(v, func() *Value { return b.Object(t, v) })
		case String, Word:
			if b.word(v, t.Kind == String && (t.long || len(t.text) > 0)) {
				v.append(b.any(t, v))
			}
		case None:
			return v
		default:
			s.Reject(t, "expected a value")
			return v
		}
		if s.Fault != nil {
			return v
		}
		if s.took(',') {
			continue
		}
		switch t := s.Next(); t.Kind {
		case ',':
		case ']':
			return v
		default:
			s.Reject(t, "expected a comma or ]")
			return v
		}
	}
}

// number adds a number to a list of numbers.
func (b *Builder) number(v *Value, text []byte) {
	if v.Numbers == nil {
		v.Numbers = b.sampleFor(v)
		for range v.Count {
			v.Numbers.Add(math.NaN())
		}
	}
	v.Count++
	f, _ := ParseFigure(text, 0)
	if !f.Finite {
		f.Value = math.NaN()
	}
	v.Numbers.Add(f.Value)
}

// sampleFor returns a sample for a list. The sample of an inner list is freed when its numbers have been joined to the
// outer list; other samples are freed with the document.
func (b *Builder) sampleFor(v *Value) *Sample {
	s := b.in.sample()
	if v.parent == nil || v.parent.Kind != '[' {
		b.in.lent = append(b.in.lent, s)
	} else {
		s.passing = true
	}
	return s
}

// word counts a text, true, false or null in a list, and reports whether it is to be kept.
func (b *Builder) word(v *Value, filled bool) bool {
	v.Count++
	if filled {
		v.Filled++
	}
	if v.Numbers != nil { // null among numbers
		v.Numbers.Add(math.NaN())
	}
	return v.Count <= HeldEntries
}

// inner reads a list in a list. The numbers of inner lists are collected in the sample of the outer list.
func (b *Builder) inner(v *Value, read func() *Value) bool {
	mark := b.mark()
	child := read()
	v.Count++
	v.Filled++
	switch {
	case child.Cut:
		return false
	case child.Numbers != nil || child.Count == 0:
		if v.Numbers == nil {
			v.Numbers = b.sampleFor(v)
		}
		if child.Numbers != nil {
			v.Numbers.Join(child.Numbers)
			v.row(rowSum{int32(child.Numbers.n), child.Numbers.Sum})
			b.in.giveBack(child.Numbers)
			child.Numbers = nil
		} else {
			v.row(rowSum{})
		}
		b.back(mark)
	case v.Count <= HeldEntries:
		v.append(child)
	default:
		b.back(mark)
	}
	return true
}

// row keeps the sum of an inner list, for up to ExactSize lists.
func (v *Value) row(r rowSum) {
	if len(v.Rows) <= ExactSize {
		v.Rows = append(v.Rows, r)
	}
}

// entry reads an object in a list.
func (b *Builder) entry(v *Value, read func() *Value) {
	mark, lent := b.mark(), len(b.in.lent)
	child := read()
	v.Count++
	v.Filled++
	if v.Columns == nil && (v.Count <= HeldEntries || b.total <= heldFreely) {
		v.append(child)
		return
	}
	if v.Columns == nil {
		v.Columns = map[string]*Sample{}
		i := 0
		for held := range v.Children() {
			b.columns(v, held, b.in.path[:0], i)
			i++
		}
	}
	if !child.Cut {
		b.columns(v, child, b.in.path[:0], v.Count-1)
	}
	b.back(mark)
	b.in.takeBack(lent)
}

// columns adds the numbers of the i-th entry of a list to the list's columns.
func (b *Builder) columns(list, entry *Value, path []byte, i int) {
	n := len(path)
	for child := range entry.Children() {
		path = append(path[:n], child.Key...)
		switch {
		case child.Kind == '{' && len(path) < MaxField:
			b.columns(list, child, append(path, '.'), i)
		case child.Kind == Number:
			s := list.Columns[string(path)]
			if s == nil {
				if len(list.Columns) == maxColumns {
					continue
				}
				s = &Sample{}
				list.Columns[string(path)] = s
			}
			s.pad(i)
			if n, ok := child.Float(); ok {
				s.Add(n)
			}
		}
	}
}
