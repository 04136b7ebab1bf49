package locale

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
)

// A text is kept as its literal, a byte that says whether there is a message, and the message: its kind, its key, the
// number of its arguments, each after a byte of its type, and what the user gave for each language. Texts begin with
// their length, and numbers are varints. A cache holds many texts within texts, for each of which encoding/gob would
// describe its types again.
const (
	isText = iota
	isString
	isInt
	isUint
	isFloat
	isTrue
	isFalse
	isStrings
)

// MarshalBinary writes a text.
func (t Text) MarshalBinary() ([]byte, error) { return t.append(nil), nil }

func (t Text) append(b []byte) []byte {
	b = appendString(b, t.literal)
	if t.m == nil {
		return append(b, 0)
	}
	b = append(b, 1, byte(t.m.kind))
	b = appendString(b, t.m.key)
	b = binary.AppendUvarint(b, uint64(len(t.m.args)))
	for _, a := range t.m.args {
		b = appendArgument(b, a)
	}
	b = binary.AppendUvarint(b, uint64(len(t.m.by)))
	for _, lang := range slices.Sorted(maps.Keys(t.m.by)) {
		b = appendString(appendString(b, lang), t.m.by[lang])
	}
	return b
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func appendArgument(b []byte, a any) []byte {
	switch a := argumentOf(a).(type) {
	case Text:
		return a.append(append(b, isText))
	case string:
		return appendString(append(b, isString), a)
	case int:
		return binary.AppendVarint(append(b, isInt), int64(a))
	case uint64:
		return binary.AppendUvarint(append(b, isUint), a)
	case float64:
		return binary.LittleEndian.AppendUint64(append(b, isFloat), math.Float64bits(a))
	case bool:
		if a {
			return append(b, isTrue)
		}
		return append(b, isFalse)
	case []string:
		b = binary.AppendUvarint(append(b, isStrings), uint64(len(a)))
		for _, s := range a {
			b = appendString(b, s)
		}
		return b
	}
	panic("an argument of no type that can be kept")
}

// errBroken says that bytes are not of a text.
var errBroken = errors.New("no text")

// UnmarshalBinary reads it back.
func (t *Text) UnmarshalBinary(data []byte) error {
	u := &unmarshaler{rest: data}
	*t = u.text()
	if u.broken || len(u.rest) > 0 {
		return errBroken
	}
	return nil
}

// unmarshaler takes a text from bytes. Broken is set once they are not of one.
type unmarshaler struct {
	rest   []byte
	broken bool
}

func (u *unmarshaler) text() Text {
	t := Text{literal: u.string()}
	switch u.byte() {
	case 0:
		return t
	case 1:
	default:
		u.broken = true
		return t
	}
	m := &message{kind: kind(u.byte()), key: u.string()}
	if n := u.length(); n > 0 {
		m.args = make([]any, n)
		for i := range m.args {
			m.args[i] = u.argument()
		}
	}
	if n := u.length(); n > 0 {
		m.by = make(map[string]string, n)
		for range n {
			lang := u.string()
			m.by[lang] = u.string()
		}
	}
	t.m = m
	return t
}

func (u *unmarshaler) argument() any {
	switch u.byte() {
	case isText:
		return u.text()
	case isString:
		return u.string()
	case isInt:
		n, size := binary.Varint(u.rest)
		u.skip(size)
		return int(n)
	case isUint:
		return u.uint()
	case isFloat:
		if len(u.rest) < 8 {
			break
		}
		f := math.Float64frombits(binary.LittleEndian.Uint64(u.rest))
		u.skip(8)
		return f
	case isTrue:
		return true
	case isFalse:
		return false
	case isStrings:
		all := make([]string, u.length())
		for i := range all {
			all[i] = u.string()
		}
		return all
	}
	u.broken, u.rest = true, nil
	return nil
}

// skip goes beyond what was read; a size below 1 is of what cannot be read.
func (u *unmarshaler) skip(size int) {
	if size < 1 {
		u.broken, u.rest = true, nil
		return
	}
	u.rest = u.rest[size:]
}

func (u *unmarshaler) byte() byte {
	if len(u.rest) == 0 {
		u.broken = true
		return 0
	}
	b := u.rest[0]
	u.rest = u.rest[1:]
	return b
}

func (u *unmarshaler) uint() uint64 {
	n, size := binary.Uvarint(u.rest)
	u.skip(size)
	return n
}

// length is a number of pieces, each of a byte or more.
func (u *unmarshaler) length() int {
	n := u.uint()
	if n > uint64(len(u.rest)) {
		u.broken, u.rest = true, nil
		return 0
	}
	return int(n)
}

func (u *unmarshaler) string() string {
	n := u.length()
	s := string(u.rest[:n])
	u.rest = u.rest[n:]
	return s
}
