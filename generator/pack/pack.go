// Package pack turns values into bytes and back, for caches: each text of a value is in it once. The bytes begin
// with a sum of the type, so that a program whose type has other fields does not take them for its own.
//
//	data, ok := pack.Pack(&v)
//	v, ok := pack.Unpack[T](data, pack.NewTexts())
//
// A value is made of numbers, texts, structs, slices, arrays, maps and pointers. What a field with the tag
// pack:"shared" points to is packed once, as a text is, and is one for all values that share texts: it may not
// change. Fields that are not exported are left out, and types with a MarshalBinary are packed by that. Package
// encoding/gob does the same with names of fields, and takes twice as long for a result.
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

// Texts are texts that unpacked values share; the zero value has each value keep its own. They serve one goroutine.
type Texts struct {
	known  map[string]string // nil when values share nothing
	local  []string          // of the value that is unpacked
	shared map[sharedAs]reflect.Value
}

// sharedAs is by what values know a thing that they share: its type and its bytes.
type sharedAs struct {
	t    reflect.Type
	data string
}

// NewTexts returns none.
func NewTexts() *Texts {
	return &Texts{known: map[string]string{}, shared: map[sharedAs]reflect.Value{}}
}

// mostShared bounds the length of texts that are shared, in bytes: longer ones hardly occur twice.
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

// Pack returns a value as bytes. Ok is false when a part that packs itself cannot be packed. It panics at
// a type that has no contents to pack, as a function.
func Pack[T any](v *T) (data []byte, ok bool) {
	p := packers.Get().(*packer)
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

// Unpack returns the value that was packed. Ok is false for bytes that are not of such a value.
func Unpack[T any](data []byte, texts *Texts) (v T, ok bool) {
	c := codecOf(reflect.TypeFor[T]())
	form := c.form()
	data, ok = bytes.CutPrefix(data, form[:])
	if !ok {
		return v, false
	}
	u := &unpacker{rest: data, texts: texts}
	n := u.size(1)
	texts.local = texts.local[:0]
	for range n {
		texts.local = append(texts.local, texts.share(u.take(u.size(1))))
	}
	c.unpack(u, reflect.ValueOf(&v).Elem())
	return v, !u.bad && len(u.rest) == 0
}

// packer collects the bytes of a value.
type packer struct {
	index       map[string]uint64 // of its texts
	count       uint64
	texts, body []byte
	within      bool // a thing that is shared, whose texts are among its bytes
	bad         bool
}

var packers = sync.Pool{New: func() any { return &packer{index: map[string]uint64{}} }}

// mostReused bounds the size of a packer that is used again, in bytes.
const mostReused = 64 << 10

// rest readies the packer for the next value.
func (p *packer) rest() {
	if len(p.texts)+len(p.body) > mostReused {
		return
	}
	clear(p.index)
	p.texts, p.body, p.count, p.bad = p.texts[:0], p.body[:0], 0, false
	packers.Put(p)
}

func (p *packer) uint(n uint64) { p.body = binary.AppendUvarint(p.body, n) }

func (p *packer) text(s string) {
	if p.within {
		p.uint(uint64(len(s)))
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
	p.uint(n)
}

// unpacker takes a value from bytes. Bad is set once they are not of such a value.
type unpacker struct {
	rest   []byte
	texts  *Texts
	within bool // a thing that is shared
	bad    bool
}

func (u *unpacker) uint() uint64 {
	n, size := binary.Uvarint(u.rest)
	if size <= 0 {
		u.bad, u.rest = true, nil
		return 0
	}
	u.rest = u.rest[size:]
	return n
}

// size takes a number of pieces that take at least some bytes each.
func (u *unpacker) size(each int) int {
	n := u.uint()
	if n > uint64(len(u.rest)/each) {
		u.bad, u.rest = true, nil
		return 0
	}
	return int(n)
}

func (u *unpacker) take(n int) []byte {
	if n > len(u.rest) {
		u.bad, u.rest = true, nil
		return nil
	}
	b := u.rest[:n]
	u.rest = u.rest[n:]
	return b
}

func (u *unpacker) text() string {
	if u.within {
		return u.texts.share(u.take(u.size(1)))
	}
	n := u.uint()
	if n >= uint64(len(u.texts.local)) {
		u.bad = true
		return ""
	}
	return u.texts.local[n]
}

// codec packs and unpacks the values of a type.
type codec struct {
	pack   func(*packer, reflect.Value)
	unpack func(*unpacker, reflect.Value)
	form   func() [8]byte // a sum of the type
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

// appendForm appends what a type is made of: the fields of structs with their names.
func appendForm(b []byte, t reflect.Type, told map[reflect.Type]bool) []byte {
	b = append(append(b, t.String()...), '\n')
	if told[t] {
		return b
	}
	told[t] = true
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

// later is the codec of a type that is looked up when it is used: a type may contain itself.
func later(t reflect.Type) func() *codec {
	return sync.OnceValue(func() *codec { return codecOf(t) })
}

func newCodec(t reflect.Type) *codec {
	if c := ownCodec(t); c != nil {
		return c
	}
	switch t.Kind() {
	case reflect.String:
		return &codec{
			pack:   func(p *packer, v reflect.Value) { p.text(v.String()) },
			unpack: func(u *unpacker, v reflect.Value) { v.SetString(u.text()) }}
	case reflect.Bool:
		return &codec{
			pack: func(p *packer, v reflect.Value) {
				n := uint64(0)
				if v.Bool() {
					n = 1
				}
				p.uint(n)
			},
			unpack: func(u *unpacker, v reflect.Value) { v.SetBool(u.uint() == 1) }}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return &codec{
			pack:   func(p *packer, v reflect.Value) { p.body = binary.AppendVarint(p.body, v.Int()) },
			unpack: func(u *unpacker, v reflect.Value) { n := u.uint(); v.SetInt(int64(n>>1) ^ -int64(n&1)) }}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return &codec{
			pack:   func(p *packer, v reflect.Value) { p.uint(v.Uint()) },
			unpack: func(u *unpacker, v reflect.Value) { v.SetUint(u.uint()) }}
	case reflect.Float64:
		return &codec{
			pack: func(p *packer, v reflect.Value) {
				p.body = binary.LittleEndian.AppendUint64(p.body, math.Float64bits(v.Float()))
			},
			unpack: func(u *unpacker, v reflect.Value) {
				if b := u.take(8); b != nil {
					v.SetFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)))
				}
			}}
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
			pack: func(p *packer, v reflect.Value) {
				for i := range v.Len() {
					each().pack(p, v.Index(i))
				}
			},
			unpack: func(u *unpacker, v reflect.Value) {
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

// ownCodec is that of a type which encodes itself, nil for others. A zero value takes one byte.
func ownCodec(t reflect.Type) *codec {
	if !t.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) || !reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()) {
		return nil
	}
	return &codec{
		pack: func(p *packer, v reflect.Value) {
			if v.IsZero() {
				p.uint(0)
				return
			}
			data, err := v.Interface().(encoding.BinaryMarshaler).MarshalBinary()
			p.bad = p.bad || err != nil
			p.uint(1 + uint64(len(data)))
			p.body = append(p.body, data...)
		},
		unpack: func(u *unpacker, v reflect.Value) {
			n := u.uint()
			if n == 0 {
				return
			}
			if n-1 > uint64(len(u.rest)) || v.Addr().Interface().(encoding.BinaryUnmarshaler).UnmarshalBinary(u.take(int(n-1))) != nil {
				u.bad = true
			}
		}}
}

// bytesCodec is that of an array of bytes.
func bytesCodec(t reflect.Type) *codec {
	return &codec{
		pack: func(p *packer, v reflect.Value) {
			n := len(p.body)
			p.body = append(p.body, make([]byte, t.Len())...)
			reflect.Copy(reflect.ValueOf(p.body[n:]), v)
		},
		unpack: func(u *unpacker, v reflect.Value) {
			if b := u.take(t.Len()); b != nil {
				copy(v.Slice(0, t.Len()).Bytes(), b)
			}
		}}
}

func pointerCodec(t reflect.Type) *codec {
	to := later(t.Elem())
	return &codec{
		pack: func(p *packer, v reflect.Value) {
			if v.IsNil() {
				p.uint(0)
				return
			}
			p.uint(1)
			to().pack(p, v.Elem())
		},
		unpack: func(u *unpacker, v reflect.Value) {
			if u.uint() == 1 {
				v.Set(reflect.New(t.Elem()))
				to().unpack(u, v.Elem())
			}
		}}
}

// sharedCodec is that of a pointer to what values share.
func sharedCodec(t reflect.Type) *codec {
	to := later(t.Elem())
	return &codec{
		pack: func(p *packer, v reflect.Value) {
			if v.IsNil() {
				p.text("")
				return
			}
			n := len(p.body)
			p.within = true
			p.uint(1) // no thing has the bytes of none
			to().pack(p, v.Elem())
			p.within = false
			data := string(p.body[n:])
			p.body = p.body[:n]
			p.text(data)
		},
		unpack: func(u *unpacker, v reflect.Value) {
			as := sharedAs{t, u.text()}
			if as.data == "" {
				return
			}
			known, ok := u.texts.shared[as]
			if !ok {
				known = reflect.New(t.Elem())
				within := &unpacker{rest: []byte(as.data)[1:], texts: u.texts, within: true}
				to().unpack(within, known.Elem())
				if u.bad = u.bad || within.bad || len(within.rest) > 0; !u.bad && u.texts.shared != nil {
					u.texts.shared[as] = known
				}
			}
			v.Set(known)
		}}
}

// sliceCodec distinguishes nil from empty.
func sliceCodec(t reflect.Type) *codec {
	each := later(t.Elem())
	return &codec{
		pack: func(p *packer, v reflect.Value) {
			if v.IsNil() {
				p.uint(0)
				return
			}
			p.uint(1 + uint64(v.Len()))
			c := each()
			for i := range v.Len() {
				c.pack(p, v.Index(i))
			}
		},
		unpack: func(u *unpacker, v reflect.Value) {
			n := u.uint()
			if n == 0 {
				return
			}
			if n-1 > uint64(len(u.rest)) { // each takes a byte or more
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
		pack: func(p *packer, v reflect.Value) {
			if v.IsNil() {
				p.uint(0)
				return
			}
			p.uint(1 + uint64(v.Len()))
			for it := v.MapRange(); it.Next(); {
				key().pack(p, it.Key())
				value().pack(p, it.Value())
			}
		},
		unpack: func(u *unpacker, v reflect.Value) {
			n := u.uint()
			if n == 0 {
				return
			}
			v.Set(reflect.MakeMapWithSize(t, int(min(n-1, uint64(len(u.rest)))))) // what is broken takes no more room than it has bytes
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
		pack: func(p *packer, v reflect.Value) {
			for n, i := range fields {
				codecs[n]().pack(p, v.Field(i))
			}
		},
		unpack: func(u *unpacker, v reflect.Value) {
			for n, i := range fields {
				codecs[n]().unpack(u, v.Field(i))
			}
		}}
}
