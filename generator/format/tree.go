package format

import (
	"math"
)

// arena is the memory of one document's values, used again for the next.
type arena struct {
	slabs [][]value
	slab  int // the one in use
	used  int // values of it that are taken
	total int
	text  []byte
	texts int // buffers of text so far
}

const slabSize = 256

// arenaMark is a place to go back to.
type arenaMark struct{ slab, used, total, text, texts int }

func (a *arena) mark() arenaMark {
	return arenaMark{a.slab, a.used, a.total, len(a.text), a.texts}
}

func (a *arena) back(m arenaMark) {
	a.slab, a.used, a.total = m.slab, m.used, m.total
	if m.texts != a.texts {
		m.text = 0 // of another buffer; all of this one was taken since
	}
	a.text = a.text[:m.text]
}

// reset forgets a document.
func (a *arena) reset() { a.back(arenaMark{texts: a.texts}) }

func (a *arena) value() *value {
	if a.slab < len(a.slabs) && a.used == slabSize {
		a.slab++
		a.used = 0
	}
	if a.slab == len(a.slabs) {
		a.slabs = append(a.slabs, make([]value, slabSize))
	}
	v := &a.slabs[a.slab][a.used]
	a.used++
	a.total++
	*v = value{}
	return v
}

// keep copies a text into the arena.
func (a *arena) keep(text []byte) []byte {
	if len(a.text)+len(text) > cap(a.text) {
		a.text = make([]byte, 0, max(windowSize, len(text))) // what was kept stays where it is
		a.texts++
	}
	from := len(a.text)
	a.text = append(a.text, text...)
	return a.text[from:len(a.text):len(a.text)]
}

// builder makes values out of a scanner's tokens.
type builder struct {
	in   *input
	scan *jsonScanner
	*arena
}

// object reads one object whose brace has been taken.
func (b *builder) object(brace jsonToken, parent *value) *value {
	v := b.value()
	*v = value{kind: '{', line: brace.line, parent: parent}
	for b.member(v) {
	}
	v.last = b.scan.line
	v.cut = b.scan.fault != nil
	return v
}

// member reads one key with its value and the comma after it. It reports false
// after the last, and at a fault.
func (b *builder) member(v *value) bool {
	s := b.scan
	key := s.next()
	if key.kind == '}' {
		return false
	}
	if key.kind != jsonString || key.long {
		s.reject(key, "a key in quotes is wanted")
		return false
	}
	name := b.in.intern(key.string())
	if colon := s.next(); colon.kind != ':' {
		s.reject(colon, "a colon is wanted after the key %q", clip([]byte(name), 40))
		return false
	}
	s.mayOpen = true
	t := s.next()
	s.mayOpen = false
	child := b.passedOver(name, t, v)
	if child == nil {
		child = b.any(t, v)
	}
	if child == nil {
		if s.fault == nil {
			s.reject(t, "a value is wanted for %q", clip([]byte(name), 40))
		}
		return false
	}
	child.key = name
	if !child.cut || child.kind == '{' || child.kind == '[' {
		v.append(child)
	}
	v.count++
	if s.fault != nil {
		return false
	}
	t = s.next()
	switch t.kind {
	case ',':
		return true
	case '}':
	default:
		s.reject(t, "a comma or } is wanted after the value of %q", clip([]byte(name), 40))
	}
	return false
}

func (v *value) append(child *value) {
	if v.end == nil {
		v.first = child
	} else {
		v.end.next = child
	}
	v.end = child
}

// any reads the value that begins with a token, nil when it begins none.
func (b *builder) any(t jsonToken, parent *value) *value {
	if b.total > heldValues && (t.kind == '{' || t.kind == '[') {
		return b.skipped(t, parent)
	}
	switch t.kind {
	case '{':
		return b.object(t, parent)
	case '[':
		return b.list(t, parent)
	case jsonString, jsonNumber, jsonWord:
		v := b.value()
		*v = value{kind: t.kind, line: t.line, last: t.line, parent: parent}
		if !t.long {
			text := t.text
			if t.kind == jsonString {
				text = t.string()
			}
			if len(text) <= heldText {
				v.text = b.keep(text)
			}
		}
		return v
	}
	return nil
}

// skipped passes over the list or object that begins with a token.
func (b *builder) skipped(t jsonToken, parent *value) *value {
	v := b.value()
	*v = value{kind: t.kind, line: t.line, parent: parent}
	v.cut = !b.scan.skip()
	v.last = b.scan.line
	return v
}

// passedOver passes over the member of an object that no reader looks at and that
// would crowd out others: the curve that GuideLLM draws of each distribution. It
// gives nil for any other.
func (b *builder) passedOver(name string, t jsonToken, parent *value) *value {
	if name == "pdf" && (t.kind == '{' || t.kind == '[') {
		return b.skipped(t, parent)
	}
	return nil
}

// list reads one list whose bracket has been taken.
func (b *builder) list(bracket jsonToken, parent *value) *value {
	s := b.scan
	v := b.value()
	*v = value{kind: '[', line: bracket.line, parent: parent}
	defer func() {
		v.last = s.line
		v.cut = s.fault != nil
	}()
	for {
		s.mayOpen = v.count == 0 || v.end != nil && v.end.kind == '{' || v.columns != nil
		t := s.next()
		s.mayOpen = false
		switch t.kind {
		case ']':
			if v.count == 0 {
				return v
			}
			s.reject(t, "a value is wanted after the comma")
			return v
		case jsonNumber:
			b.number(v, t.text)
			if s.numbers(v.numbers) {
				v.count = v.numbers.n
			}
		case '[':
			if !b.inner(v, t) {
				return v
			}
		case '{':
			b.entry(v, t)
		case jsonString, jsonWord:
			v.count++
			if t.kind == jsonString && (t.long || len(t.text) > 0) {
				v.filled++
			}
			if v.numbers != nil { // null among numbers
				v.numbers.add(math.NaN())
			}
			if v.count <= heldEntries {
				v.append(b.any(t, v))
			}
		case jsonNone:
			return v
		default:
			s.reject(t, "a value is wanted")
			return v
		}
		if s.fault != nil {
			return v
		}
		switch t := s.next(); t.kind {
		case ',':
		case ']':
			return v
		default:
			s.reject(t, "a comma or ] is wanted")
			return v
		}
	}
}

// number adds one to a list of numbers.
func (b *builder) number(v *value, text []byte) {
	if v.numbers == nil {
		v.numbers = b.sampleFor(v)
		for range v.count {
			v.numbers.add(math.NaN())
		}
	}
	v.count++
	f, _ := parseFigure(text, 0)
	if !f.finite {
		f.value = math.NaN()
	}
	v.numbers.add(f.value)
}

// sampleFor gives a list a sample. That of a list in a list goes back when its
// numbers have joined the outer one's, the others with the document.
func (b *builder) sampleFor(v *value) *sample {
	s := b.in.sample()
	if v.parent == nil || v.parent.kind != '[' {
		b.in.lent = append(b.in.lent, s)
	}
	return s
}

// inner reads a list in a list. Lists of numbers are gathered in the outer one.
func (b *builder) inner(v *value, t jsonToken) bool {
	mark := b.mark()
	child := b.list(t, v)
	v.count++
	v.filled++
	switch {
	case child.cut:
		return false
	case child.numbers != nil || child.count == 0:
		if v.numbers == nil {
			v.numbers = b.sampleFor(v)
		}
		if child.numbers != nil {
			v.numbers.join(child.numbers)
			v.row(rowSum{int32(child.numbers.n), child.numbers.sum})
			b.in.giveBack(child.numbers)
			child.numbers = nil
		} else {
			v.row(rowSum{})
		}
		b.back(mark)
	case v.count <= heldEntries:
		v.append(child)
	default:
		b.back(mark)
	}
	return true
}

// row keeps the sum of an inner list, as long as numbers are kept singly too.
func (v *value) row(r rowSum) {
	if len(v.rows) <= exactSize {
		v.rows = append(v.rows, r)
	}
}

// entry reads an object in a list.
func (b *builder) entry(v *value, t jsonToken) {
	mark, lent := b.mark(), len(b.in.lent)
	child := b.object(t, v)
	v.count++
	v.filled++
	if v.columns == nil && (v.count <= heldEntries || b.total <= heldFreely) {
		v.append(child)
		return
	}
	if v.columns == nil {
		v.columns = map[string]*sample{}
		i := 0
		for held := range v.children() {
			b.columns(v, held, b.in.path[:0], i)
			i++
		}
	}
	if !child.cut {
		b.columns(v, child, b.in.path[:0], v.count-1)
	}
	b.back(mark)
	b.in.takeBack(lent)
}

// columns adds the numbers of the i-th entry of a list to its columns.
func (b *builder) columns(list, entry *value, path []byte, i int) {
	n := len(path)
	for child := range entry.children() {
		path = append(path[:n], child.key...)
		switch {
		case child.kind == '{' && len(path) < maxField:
			b.columns(list, child, append(path, '.'), i)
		case child.kind == jsonNumber:
			s := list.columns[string(path)]
			if s == nil {
				if len(list.columns) == maxColumns {
					continue
				}
				s = &sample{}
				list.columns[string(path)] = s
			}
			s.pad(i)
			if n, ok := child.float(); ok {
				s.add(n)
			}
		}
	}
}
