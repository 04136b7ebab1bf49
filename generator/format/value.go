package format

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// value is a JSON value with its position. Methods answer for a value that is
// not there (nil) too, so that a path can be followed without asking at each
// step. A value lives until the next document of its file is read.
//
// However long a list, only the beginning of it is held as values: numbers are
// gathered in a sample, and of a long list of objects, as one entry for each
// request, the numbers are kept by column.
type value struct {
	kind   jsonKind
	key    string // in the object that holds it
	text   []byte // of a number, word or string; of a long string nil
	line   int
	last   int // line of the closing bracket
	parent *value

	first, end, next *value // children, and the next beside this one
	count            int    // entries of a list or object, those that are not held too
	filled           int    // entries of a list that are texts and not empty, or hold more
	numbers          *sample
	rows             []rowSum           // of a list of lists of numbers, one for each
	columns          map[string]*sample // of a long list of objects, by dotted path
	cut              bool               // the text broke off inside of it
	used             bool               // given to a result by name
}

// rowSum is one list of numbers in a list of such.
type rowSum struct {
	count int32
	sum   float64
}

const (
	heldEntries = 64      // of a list that are held as values in any case
	heldFreely  = 1 << 14 // values of a document up to which all entries are held
	heldText    = 8 << 10 // bytes of a string that are held
	heldValues  = 1 << 18 // of a document; what comes after is passed over
	maxColumns  = 64      // of a list of objects
)

// is tells whether there is a value.
func (v *value) is() bool { return v != nil && !(v.kind == jsonWord && string(v.text) == "null") }

// get follows keys down from an object. A document that is told by a short name
// may give it in full: get("metrics", "time_to_first_token_ms").
func (v *value) get(path ...string) *value {
	for _, key := range path {
		if v == nil || v.kind != '{' {
			return nil
		}
		child := v.first
		for child != nil && child.key != key {
			child = child.next
		}
		v = child
	}
	return v
}

// has tells whether an object has all of the keys, with a value each.
func (v *value) has(keys ...string) bool {
	for _, key := range keys {
		if !v.get(key).is() {
			return false
		}
	}
	return true
}

// children gives the members of an object, or the entries of a list that are
// held.
func (v *value) children() iter.Seq[*value] {
	return func(yield func(*value) bool) {
		if v == nil {
			return
		}
		for child := v.first; child != nil; child = child.next {
			if !yield(child) {
				return
			}
		}
	}
}

// entries gives the entries of a list that is a list of results. One too long
// to be held is told of.
func (in *input) entries(v *value) iter.Seq[*value] {
	if v != nil && v.columns != nil {
		held := 0
		for range v.children() {
			held++
		}
		in.message(v.line, result.Warning, "format.too-long",
			fmt.Sprintf("only the first %d of %d entries of %s are read", held, v.count, v.path()), "split the file")
	}
	return v.children()
}

// at gives an entry of a list, nil when it is not held.
func (v *value) at(i int) *value {
	for child := range v.children() {
		if i == 0 {
			return child
		}
		i--
	}
	return nil
}

// string gives a text, "" for anything else.
func (v *value) string() string {
	if v == nil || v.kind != jsonString {
		return ""
	}
	return string(v.text)
}

// figure gives a number, also one in quotes, multiplied by ten to the power of
// shift.
func (v *value) figure(shift int8) (figure, bool) {
	if v == nil || v.kind != jsonNumber && v.kind != jsonString {
		return figure{}, false
	}
	f, ok := parseFigure(v.text, shift)
	f.decimals = result.FullPrecision
	return f, ok
}

// use marks a value as given to a result, so that it is no rest.
func (v *value) use() {
	if v != nil {
		v.used = true
	}
}

// float gives a finite number.
func (v *value) float() (float64, bool) {
	f, ok := v.figure(0)
	return f.value, ok && f.finite
}

// scalar tells whether it is a text, a number, true or false.
func (v *value) scalar() bool {
	return v.is() && v.kind != '{' && v.kind != '['
}

// path gives the keys from the document down, joined with dots. An entry of a
// list has none.
func (v *value) path() string {
	if v == nil {
		return ""
	}
	above := v.parent.path()
	if above == "" || v.key == "" {
		return above + v.key
	}
	return above + "." + v.key
}

// column gives one number of every entry of a list of objects, in their order,
// with NaN where an entry has none.
func (v *value) column(path ...string) *sample {
	if v == nil || v.kind != '[' {
		return nil
	}
	if v.columns != nil {
		s := v.columns[strings.Join(path, ".")]
		if s != nil {
			s.pad(v.count)
		}
		return s
	}
	s := &sample{}
	for entry := range v.children() {
		n, ok := entry.get(path...).float()
		if !ok {
			n = math.NaN()
		}
		s.add(n)
	}
	if s.n == 0 {
		return nil
	}
	return s
}
