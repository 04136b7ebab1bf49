package scan

import (
	"iter"
	"math"
	"strings"

	"github.com/benchpost/benchpost/generator/result"
)

// Value is a JSON value with its position. Methods also accept an absent value (nil), so that a path can be followed
// without a check at each step. A value is valid until the next document of its file is read.
//
// Only the beginning of a long list is kept as values. Numbers are collected in a sample, and the numbers of a long
// list of objects, such as one entry per request, are kept by column.
type Value struct {
	Kind   Kind
	Cut    bool   // the text broke off inside the value
	Used   bool   // a result has the value under a name
	Key    string // in the object that holds it
	Raw    []byte // text of a number, word or string; nil for a long string
	Line   int
	Last   int // line of the closing bracket
	parent *Value

	First, end, next *Value // children, and the next sibling
	Count            int    // number of entries of a list or object, including those not kept
	Filled           int    // number of entries of a list that are non-empty texts, lists or objects
	Numbers          *Sample
	Rows             []rowSum           // for a list of lists of numbers, one entry for each
	Columns          map[string]*Sample // for a long list of objects, by dotted path
}

// rowSum is the count and the sum of an inner list of numbers.
type rowSum struct {
	count int32
	Sum   float64
}

const (
	HeldEntries = 64      // entries of a list that are always kept as values
	heldFreely  = 1 << 14 // values of a document up to which all entries are kept
	heldText    = 8 << 10 // bytes of a string up to which it is kept
	heldLines   = 1 << 20 // bytes of longer strings of several lines that are kept per document
	heldValues  = 1 << 18 // values per document; later lists and objects are skipped
	maxColumns  = 64      // columns per list of objects
	MaxField    = 80      // bytes of a field's name or a row's label
)

// Is reports whether there is a value other than null.
func (v *Value) Is() bool { return v != nil && !(v.Kind == Word && string(v.Raw) == "null") }

// Get returns the value at a path of keys: v.Get("metrics", "time_to_first_token_ms"). It returns nil if there is none.
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

// Has reports whether an object has all of the keys, with values other than null.
func (v *Value) Has(keys ...string) bool {
	for _, key := range keys {
		if !v.Get(key).Is() {
			return false
		}
	}
	return true
}

// Children returns the members of an object, or the kept entries of a list.
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

// At returns an entry of a list, or nil if it is not kept.
func (v *Value) At(i int) *Value {
	for child := range v.Children() {
		if i == 0 {
			return child
		}
		i--
	}
	return nil
}

// Text returns the value of a string, "" for other values.
func (v *Value) Text() string {
	if v == nil || v.Kind != String {
		return ""
	}
	return string(v.Raw)
}

// Figure returns a number, also one in quotes, multiplied by ten to the power of shift.
func (v *Value) Figure(shift int8) (Figure, bool) {
	if v == nil || v.Kind != Number && v.Kind != String {
		return Figure{}, false
	}
	f, ok := ParseFigure(v.Raw, shift)
	f.Decimals = result.FullPrecision
	return f, ok
}

// Use marks a value as used, so that it is not kept again under the tool's own key.
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

// Scalar reports whether the value is a text, a number, true or false.
func (v *Value) Scalar() bool {
	return v.Is() && v.Kind != '{' && v.Kind != '['
}

// Path returns the keys from the document down, joined with dots. Entries of a list add no key.
func (v *Value) Path() string {
	var room [MaxField]byte
	path := v.AppendPath(room[:0])
	if v != nil && len(path) == len(v.Key) {
		return v.Key
	}
	return string(path)
}

// AppendPath appends the path that [Value.Path] returns.
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

// Column returns one number of every entry of a list of objects, in order. It is NaN if an entry does not have it.
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

// AsWritten returns a scalar as the file writes it, "" for null and for other values.
func (v *Value) AsWritten() string {
	if !v.Scalar() {
		return ""
	}
	return string(v.Raw)
}
