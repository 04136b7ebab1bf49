package scan

import (
	"iter"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Value is a JSON value with its position. Methods answer for a value that is
// not there (nil) too, so that a path can be followed without asking at each
// step. A value lives until the next document of its file is read.
//
// However long a list, only the beginning of it is held as values: numbers are
// gathered in a sample, and of a long list of objects, as one entry for each
// request, the numbers are kept by column.
type Value struct {
	Kind   Kind
	Cut    bool   // the text broke off inside of it
	Used   bool   // given to a result by name
	Key    string // in the object that holds it
	Raw    []byte // of a number, word or string; of a long string nil
	Line   int
	Last   int // line of the closing bracket
	parent *Value

	First, end, next *Value // children, and the next beside this one
	Count            int    // entries of a list or object, those that are not held too
	Filled           int    // entries of a list that are texts and not empty, or hold more
	Numbers          *Sample
	Rows             []rowSum           // of a list of lists of numbers, one for each
	Columns          map[string]*Sample // of a long list of objects, by dotted path
}

// rowSum is one list of numbers in a list of such.
type rowSum struct {
	count int32
	Sum   float64
}

const (
	HeldEntries = 64      // of a list that are held as values in any case
	heldFreely  = 1 << 14 // values of a document up to which all entries are held
	heldText    = 8 << 10 // bytes of a string that are held
	heldLines   = 1 << 20 // bytes of longer strings of several lines that are held of a document
	heldValues  = 1 << 18 // of a document; what comes after is passed over
	maxColumns  = 64      // of a list of objects
	MaxField    = 80      // bytes of a field's name, of a row's label
)

// Is reports whether there is a value.
func (v *Value) Is() bool { return v != nil && !(v.Kind == Word && string(v.Raw) == "null") }

// Get follows keys down from an object. A document that is recognised by a short name
// may give it in full: get("metrics", "time_to_first_token_ms").
func (v *Value) Get(path ...string) *Value {
	for _, key := range path {
		if v == nil || v.Kind != '{' {
			return nil
		}
		child := v.First
		for child != nil && child.Key != key {
			child = child.next
		}
		v = child
	}
	return v
}

// Has reports whether an object has all of the keys, with a value each.
func (v *Value) Has(keys ...string) bool {
	for _, key := range keys {
		if !v.Get(key).Is() {
			return false
		}
	}
	return true
}

// Children returns the members of an object, or the entries of a list that are
// held.
func (v *Value) Children() iter.Seq[*Value] {
	return func(yield func(*Value) bool) {
		if v == nil {
			return
		}
		for child := v.First; child != nil; child = child.next {
			if !yield(child) {
				return
			}
		}
	}
}

// At returns an entry of a list, nil when it is not held.
func (v *Value) At(i int) *Value {
	for child := range v.Children() {
		if i == 0 {
			return child
		}
		i--
	}
	return nil
}

// Text returns a text, "" for anything else.
func (v *Value) Text() string {
	if v == nil || v.Kind != String {
		return ""
	}
	return string(v.Raw)
}

// Figure returns a number, also one in quotes, multiplied by ten to the power of
// shift.
func (v *Value) Figure(shift int8) (Figure, bool) {
	if v == nil || v.Kind != Number && v.Kind != String {
		return Figure{}, false
	}
	f, ok := ParseFigure(v.Raw, shift)
	f.Decimals = result.FullPrecision
	return f, ok
}

// Use marks a value as given to a result, so that it is no rest.
func (v *Value) Use() {
	if v != nil {
		v.Used = true
	}
}

// Float returns a finite number.
func (v *Value) Float() (float64, bool) {
	f, ok := v.Figure(0)
	return f.Value, ok && f.Finite
}

// Scalar reports whether it is a text, a number, true or false.
func (v *Value) Scalar() bool {
	return v.Is() && v.Kind != '{' && v.Kind != '['
}

// Path returns the keys from the document down, joined with dots. An entry of a
// list has none.
func (v *Value) Path() string {
	var room [MaxField]byte
	path := v.AppendPath(room[:0])
	if v != nil && len(path) == len(v.Key) {
		return v.Key
	}
	return string(path)
}

// AppendPath appends what [Value.Path] returns.
func (v *Value) AppendPath(dst []byte) []byte {
	if v == nil {
		return dst
	}
	begin := len(dst)
	dst = v.parent.AppendPath(dst)
	if len(dst) > begin && v.Key != "" {
		dst = append(dst, '.')
	}
	return append(dst, v.Key...)
}

// Column returns one number of every entry of a list of objects, in their order,
// with NaN where an entry has none.
func (v *Value) Column(path ...string) *Sample {
	if v == nil || v.Kind != '[' {
		return nil
	}
	if v.Columns != nil {
		s := v.Columns[strings.Join(path, ".")]
		if s != nil {
			s.pad(v.Count)
		}
		return s
	}
	s := &Sample{}
	for entry := range v.Children() {
		n, ok := entry.Get(path...).Float()
		if !ok {
			n = math.NaN()
		}
		s.Add(n)
	}
	if s.n == 0 {
		return nil
	}
	return s
}

// AsWritten returns a scalar as it is in the file, "" for null.
func (v *Value) AsWritten() string {
	if !v.Scalar() {
		return ""
	}
	return string(v.Raw)
}
