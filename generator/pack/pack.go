// Package pack turns values into bytes and back, for caches. Each distinct text of a value is stored once. The
// bytes begin with a hash of the type, so a program whose type has other fields rejects them.
//
//	data, ok := pack.Pack(&v)
//	v, ok := pack.Unpack[T](data, pack.NewTexts())
//
// A value consists of numbers, texts, structs, slices, arrays, maps and pointers. A field with the tag
// pack:"shared" points to a value that is packed once, like a text. All values that are unpacked with the same
// [Texts] share it, so it must not change. Unexported fields are omitted. A type that implements [Own] packs
// itself, and a type of another package with a MarshalBinary method is packed by that method. Package
// encoding/gob is not used because it describes the types in each stream, which is expensive for values that
// are read one by one.
package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding"
	"encoding/binary"
	"math"
	"reflect"
	"sync"
)

// Texts holds the texts that unpacked values share. With the zero value, values share nothing. A Texts must not
// be used by several goroutines.
type Texts struct {
	known  map[string]string // nil if values share nothing
	local  []string          // of the value that is being unpacked
	shared map[sharedAs]reflect.Value
}

// sharedAs is the key of a shared value: its type and its bytes.
type sharedAs struct {
	t    reflect.Type
	data string
}

// NewTexts returns an empty Texts with which values share texts.
func NewTexts() *Texts {
	return &Texts{known: map[string]string{}, shared: map[sharedAs]reflect.Value{}}
}

// mostShared is the greatest length of shared texts in bytes. Longer texts hardly occur twice.
const mostShared = 128

func (t *Texts) share(b []byte) string {
	if t.known == nil || len(b) > mostShared {
		return string(b)
	}
	s, ok := t.known[string(b)]
	if !ok {
		s = string(b)
		t.known[s] = s
	}
	return s
}

// Pack returns a value as bytes. ok is false if a part that packs itself cannot be packed. It panics if a type
// cannot be packed, such as a function.
func Pack[T any](v *T) (data []byte, ok bool) {
	p := packers.Get().(*Packer)
	defer p.rest()
	c := codecOf(reflect.TypeFor[T]())
	c.pack(p, reflect.ValueOf(v).Elem())
	form := c.form()
	data = make([]byte, 0, len(form)+binary.MaxVarintLen64+len(p.texts)+len(p.body))
	data = append(data, form[:]...)
	data = binary.AppendUvarint(data, p.count)
	data = append(data, p.texts...)
	return append(data, p.body...), !p.bad
}

// Unpack returns the value that was packed. ok is false if the bytes are not those of such a value.
func Unpack[T any](data []byte, texts *Texts) (v T, ok bool) {
	c := codecOf(reflect.TypeFor[T]())
	form := c.form()
	data, ok = bytes.CutPrefix(data, form[:])
	if !ok {
		return v, false
	}
	u := &Unpacker{rest: data, texts: texts}
	n := u.Size(1)
	texts.local = texts.local[:0]
	for range n {
		texts.local = append(texts.local, texts.share(u.take(u.Size(1))))
	}
	c.unpack(u, reflect.ValueOf(&v).Elem())
	return v, !u.bad && len(u.rest) == 0
}

// Packer collects the bytes of a value.
type Packer struct {
	index       map[string]uint64 // index of each text
	count       uint64
	texts, body []byte
	within      bool // inside a shared value, which contains its texts
	bad         bool
}

var packers = sync.Pool{New: func() any { return &Packer{index: map[string]uint64{}} }}

// mostReused is the greatest size in bytes of a packer that is reused.
const mostReused = 64 << 10

// rest resets the packer and returns it to the pool.
func (p *Packer) rest() {
	if len(p.texts)+len(p.body) > mostReused {
		return
	}
	clear(p.index)
	p.texts, p.body, p.count, p.bad = p.texts[:0], p.body[:0], 0, false
	packers.Put(p)
}

// Uint packs a number.
func (p *Packer) Uint(n uint64) { p.body = binary.AppendUvarint(p.body, n) }

// Int packs a number.
func (p *Packer) Int(n int64) { p.body = binary.AppendVarint(p.body, n) }

// Float packs a number.
func (p *Packer) Float(f float64) {
	p.body = binary.LittleEndian.AppendUint64(p.body, math.Float64bits(f))
}

// Text packs a text.
func (p *Packer) Text(s string) {
	if p.within {
		p.Uint(uint64(len(s)))
		p.body = append(p.body, s...)
		return
	}
	n, ok := p.index[s]
	if !ok {
		n = p.count
		p.index[s] = n
		p.count++
		p.texts = binary.AppendUvarint(p.texts, uint64(len(s)))
		p.texts = append(p.texts, s...)
	}
	p.Uint(n)
}

// Unpacker reads a value from bytes. After an error it returns only zero values.
type Unpacker struct {
	rest   []byte
	texts  *Texts
	within bool // inside a shared value
	bad    bool
}

// Uint returns a number.
func (u *Unpacker) Uint() uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

// Int returns a number.
func (u *Unpacker) Int() int64 {
	n := u.Uint()
	return int64(n>>1) ^ -int64(n&1)
}

// Float returns a number.
func (u *Unpacker) Float() float64 {
	b := u.take(8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// Fail marks the bytes as invalid.
func (u *Unpacker) Fail() { u.bad, u.rest = true, nil }

// Size returns the number of elements that follow. It fails unless there is room for them, with at least each bytes
// for an element.
func (u *Unpacker) Size(each int) int {
	n := u.Uint()
	if n > uint64(len(u.rest)/each) {
		u.bad, u.rest = true, nil
		return 0
	}
	return int(n)
}

func (u *Unpacker) take(n int) []byte {
	if n > len(u.rest) {
		u.bad, u.rest = true, nil
		return nil
	}
	b := u.rest[:n]
	u.rest = u.rest[n:]
	return b
}

// Text returns a text.
func (u *Unpacker) Text() string {
	if u.within {
		return u.texts.share(u.take(u.Size(1)))
	}
	n := u.Uint()
	if n >= uint64(len(u.texts.local)) {
		u.bad = true
		return ""
	}
	return u.texts.local[n]
}

// Own is a type whose values pack themselves, for example because their fields are not exported. PackTo must
// write at least one byte.
type Own interface{ PackTo(*Packer) }

// OwnUnpacker is implemented by pointers to an [Own] type: UnpackFrom reads what PackTo wrote.
type OwnUnpacker interface{ UnpackFrom(*Unpacker) }

func isOwn(t reflect.Type) bool {
	return t.Implements(reflect.TypeFor[Own]()) && reflect.PointerTo(t).Implements(reflect.TypeFor[OwnUnpacker]())
}

// codec packs and unpacks the values of a type.
type codec struct {
	pack   func(*Packer, reflect.Value)
	unpack func(*Unpacker, reflect.Value)
	form   func() [8]byte // a hash of the type
}

var codecs sync.Map // *codec by reflect.Type

func codecOf(t reflect.Type) *codec {
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	c := newCodec(t)
	c.form = sync.OnceValue(func() [8]byte {
		sum := sha256.Sum256(appendForm(nil, t, map[reflect.Type]bool{}))
		return [8]byte(sum[:])
	})
	codecs.Store(t, c)
	return c
}

// appendForm appends a description of a type, including the names of struct fields.
func appendForm(b []byte, t reflect.Type, told map[reflect.Type]bool) []byte {
	b = append(append(b, t.String()...), '\n')
	if told[t] {
		return b
	}
	told[t] = true
	if isOwn(t) {
		return append(b, "packs itself\n"...)
	}
	switch t.Kind() {
	case reflect.Map:
		return appendForm(appendForm(b, t.Key(), told), t.Elem(), told)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return appendForm(b, t.Elem(), told)
	case reflect.Struct:
		for i := range t.NumField() {
			b = append(append(append(b, t.Field(i).Name...), t.Field(i).Tag...), ' ')
			b = appendForm(b, t.Field(i).Type, told)
		}
	default:
		b = append(append(b, t.Kind().String()...), '\n')
	}
	return b
}

// later returns the codec of a type, but looks it up only when it is used, because a type may contain itself.
func later(t reflect.Type) func() *codec {
	return sync.OnceValue(func() *codec { return codecOf(t) })
}

func newCodec(t reflect.Type) *codec {
	if isOwn(t) {
		return &codec{
			pack:   func(p *Packer, v reflect.Value) { v.Interface().(Own).PackTo(p) },
			unpack: func(u *Unpacker, v reflect.Value) { v.Addr().Interface().(OwnUnpacker).UnpackFrom(u) }}
	}
	if c := binaryCodec(t); c != nil {
		return c
	}
	switch t.Kind() {
	case reflect.String:
		return &codec{
			pack:   func(p *Packer, v reflect.Value) { p.Text(v.String()) },
			unpack: func(u *Unpacker, v reflect.Value) { v.SetString(u.Text()) }}
	case reflect.Bool:
		return &codec{
			pack: func(p *Packer, v reflect.Value) {
				n := uint64(0)
				if v.Bool() {
					n = 1
				}
				p.Uint(n)
			},
			unpack: func(u *Unpacker, v reflect.Value) { v.SetBool(u.Uint() == 1) }}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &codec{
			pack:   func(p *Packer, v reflect.Value) { p.Int(v.Int()) },
			unpack: func(u *Unpacker, v reflect.Value) { v.SetInt(u.Int()) }}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &codec{
			pack:   func(p *Packer, v reflect.Value) { p.Uint(v.Uint()) },
			unpack: func(u *Unpacker, v reflect.Value) { v.SetUint(u.Uint()) }}
	case reflect.Float64:
		return &codec{
			pack:   func(p *Packer, v reflect.Value) { p.Float(v.Float()) },
			unpack: func(u *Unpacker, v reflect.Value) { v.SetFloat(u.Float()) }}
	case reflect.Pointer:
		return pointerCodec(t)
	case reflect.Slice:
		return sliceCodec(t)
	case reflect.Array:
		if t.Elem() == reflect.TypeFor[byte]() {
			return bytesCodec(t)
		}
		each := later(t.Elem())
		return &codec{
			pack: func(p *Packer, v reflect.Value) {
				for i := range v.Len() {
					each().pack(p, v.Index(i))
				}
			},
			unpack: func(u *Unpacker, v reflect.Value) {
				for i := range v.Len() {
					each().unpack(u, v.Index(i))
				}
			}}
	case reflect.Map:
		return mapCodec(t)
	case reflect.Struct:
		return structCodec(t)
	}
	panic("nothing of " + t.String() + " can be packed")
}

// binaryCodec returns the codec of a type of another package that encodes itself, nil for other types. A zero
// value takes one byte.
func binaryCodec(t reflect.Type) *codec {
	if !t.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) || !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()) {
		return nil
	}
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			if v.IsZero() {
				p.Uint(0)
				return
			}
			data, err := v.Interface().(encoding.BinaryMarshaler).MarshalBinary()
			p.bad = p.bad || err != nil
			p.Uint(1 + uint64(len(data)))
			p.body = append(p.body, data...)
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			n := u.Uint()
			if n == 0 {
				return
			}
			if n-1 > uint64(len(u.rest)) || v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(u.take(int(n-1))) != nil {
				u.bad = true
			}
		}}
}

// bytesCodec returns the codec of an array of bytes.
func bytesCodec(t reflect.Type) *codec {
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			n := len(p.body)
			p.body = append(p.body, make([]byte, t.Len())...)
			reflect.Copy(reflect.ValueOf(p.body[n:]), v)
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			if b := u.take(t.Len()); b != nil {
				copy(v.Slice(0, t.Len()).Bytes(), b)
			}
		}}
}

func pointerCodec(t reflect.Type) *codec {
	to := later(t.Elem())
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			if v.IsNil() {
				p.Uint(0)
				return
			}
			p.Uint(1)
			to().pack(p, v.Elem())
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			if u.Uint() == 1 {
				v.Set(reflect.New(t.Elem()))
				to().unpack(u, v.Elem())
			}
		}}
}

// sharedCodec returns the codec of a pointer to a shared value.
func sharedCodec(t reflect.Type) *codec {
	to := later(t.Elem())
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			if v.IsNil() {
				p.Text("")
				return
			}
			n := len(p.body)
			p.within = true
			p.Uint(1) // distinguishes an empty shared value from nil
			to().pack(p, v.Elem())
			p.within = false
			data := string(p.body[n:])
			p.body = p.body[:n]
			p.Text(data)
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			as := sharedAs{t, u.Text()}
			if as.data == "" {
				return
			}
			known, ok := u.texts.shared[as]
			if !ok {
				known = reflect.New(t.Elem())
				within := &Unpacker{rest: []byte(as.data)[1:], texts: u.texts, within: true}
				to().unpack(within, known.Elem())
				if u.bad = u.bad || within.bad || len(within.rest) > 0; !u.bad && u.texts.shared != nil {
					u.texts.shared[as] = known
				}
			}
			v.Set(known)
		}}
}

// sliceCodec returns the codec of a slice. It distinguishes nil from empty.
func sliceCodec(t reflect.Type) *codec {
	each := later(t.Elem())
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			if v.IsNil() {
				p.Uint(0)
				return
			}
			p.Uint(1 + uint64(v.Len()))
			c := each()
			for i := range v.Len() {
				c.pack(p, v.Index(i))
			}
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			n := u.Uint()
			if n == 0 {
				return
			}
			if n-1 > uint64(len(u.rest)) { // each element takes at least one byte
				u.bad, u.rest = true, nil
				return
			}
			all, c := reflect.MakeSlice(t, int(n-1), int(n-1)), each()
			for i := 0; i < int(n-1) && !u.bad; i++ {
				c.unpack(u, all.Index(i))
			}
			v.Set(all)
		}}
}

func mapCodec(t reflect.Type) *codec {
	key, value := later(t.Key()), later(t.Elem())
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			if v.IsNil() {
				p.Uint(0)
				return
			}
			p.Uint(1 + uint64(v.Len()))
			for it := v.MapRange(); it.Next(); {
				key().pack(p, it.Key())
				value().pack(p, it.Value())
			}
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			n := u.Uint()
			if n == 0 {
				return
			}
			v.Set(reflect.MakeMapWithSize(t, int(min(n-1, uint64(len(u.rest)))))) // invalid data must not allocate more than its size
			k, e := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			for range n - 1 {
				if u.bad {
					return
				}
				k.SetZero()
				e.SetZero()
				key().unpack(u, k)
				value().unpack(u, e)
				v.SetMapIndex(k, e)
			}
		}}
}

func structCodec(t reflect.Type) *codec {
	var fields []int
	var codecs []func() *codec
	for i := range t.NumField() {
		if t.Field(i).IsExported() {
			each := later(t.Field(i).Type)
			if t.Field(i).Tag.Get("pack") == "shared" {
				each = sync.OnceValue(func() *codec { return sharedCodec(t.Field(i).Type) })
			}
			fields, codecs = append(fields, i), append(codecs, each)
		}
	}
	return &codec{
		pack: func(p *Packer, v reflect.Value) {
			for n, i := range fields {
				codecs[n]().pack(p, v.Field(i))
			}
		},
		unpack: func(u *Unpacker, v reflect.Value) {
			for n, i := range fields {
				codecs[n]().unpack(u, v.Field(i))
			}
		}}
}
