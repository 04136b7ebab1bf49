package pack

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"testing"
	"time"
)

type kind uint8

type inner struct {
	Name  string
	Lines []int32
	Next  *inner
}

type outer struct {
	Text   string
	Same   string
	Yes    bool
	Small  int8
	Big    uint64
	Float  float64
	When   time.Time
	Zoned  time.Time
	Sum    [3]byte
	Kinds  [2]kind
	Data   []byte
	None   []string
	Empty  []string
	Names  map[string]float64
	NoMap  map[string]bool
	Inner  inner
	To     *inner
	Nobody *inner
	hidden int
}

func value() outer {
	return outer{Text: "ms", Same: "ms", Yes: true, Small: -3, Big: math.MaxUint64, Float: math.Inf(-1),
		When: time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC), Zoned: time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 19800)),
		Sum: [3]byte{1, 2, 255}, Kinds: [2]kind{7, 200}, Data: []byte{0, 9}, Empty: []string{}, Names: map[string]float64{"a": 1, "ms": -0.5},
		Inner: inner{Name: "in", Lines: []int32{math.MinInt32, 0, math.MaxInt32}}, To: &inner{Name: "ms", Next: &inner{}}}
}

// TestAValueComesBack: an unpacked value equals the packed one, except for unexported fields. nil and empty
// differ.
func TestAValueComesBack(t *testing.T) {
	t.Parallel()
	want := value()
	data, ok := Pack(&want)
	if !ok {
		t.Fatal("it is not packed")
	}
	want.hidden = 0
	texts := NewTexts()
	for range 2 { // the second time every text is known
		got, ok := Unpack[outer](data, texts)
		if !ok || !got.Zoned.Equal(want.Zoned) {
			t.Fatal(ok, got.Zoned)
		}
		got.Zoned = want.Zoned // its location is another pointer
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v\nnot\n%+v", got, want)
		}
	}
}

// secret has no exported field. It packs itself.
type secret struct{ word string }

func (s secret) PackTo(p *Packer) { p.Uint(1); p.Text(s.word); p.Int(-2); p.Float(0.5) }

func (s *secret) UnpackFrom(u *Unpacker) {
	if u.Uint() != 1 {
		u.Fail()
	}
	if s.word = u.Text(); u.Int() != -2 || u.Float() != 0.5 {
		u.Fail()
	}
}

// TestATypePacksItself: a type that packs itself can be part of other values, shares texts with them, and
// rejects invalid bytes.
func TestATypePacksItself(t *testing.T) {
	t.Parallel()
	want := map[string][]secret{"output_throughput": {{"output_throughput"}, {}}}
	data := must(Pack(&want))
	if n := bytes.Count(data, []byte("output_throughput")); n != 1 {
		t.Errorf("a text is packed %d times", n)
	}
	if got, ok := Unpack[map[string][]secret](data, NewTexts()); !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, ok)
	}
	refused := 0
	for n := range data {
		damaged := slices.Clone(data)
		damaged[n] ^= 0xff
		if _, ok := Unpack[map[string][]secret](damaged, NewTexts()); !ok {
			refused++
		}
	}
	if refused < len(data)/2 {
		t.Errorf("%d of %d damaged values are refused", refused, len(data))
	}
}

// TestDamagedBytesAreRefused: truncated bytes are rejected. Changed bytes are rejected or give some value. They
// never cause a panic or more memory than their length justifies.
func TestDamagedBytesAreRefused(t *testing.T) {
	t.Parallel()
	v := value()
	data, _ := Pack(&v)
	for n := range data {
		if _, ok := Unpack[outer](data[:n], NewTexts()); ok {
			t.Errorf("the first %d of %d bytes are a value", n, len(data))
		}
		for _, with := range []byte{0, 1, 0x7f, 0xff} {
			damaged := slices.Clone(data)
			damaged[n] = with
			Unpack[outer](damaged, NewTexts())
		}
	}
	if _, ok := Unpack[outer](append(data, 0), NewTexts()); ok {
		t.Error("bytes are left")
	}
	type inner struct { // as a later version of the program may declare it
		Name string
		Line []int32
		Next *int
	}
	if _, ok := Unpack[inner](must(Pack(&v.Inner)), NewTexts()); ok {
		t.Error("another type is taken for the same")
	}
}

// TestTextsAreShared: values that share texts use the same memory for short ones.
func TestTextsAreShared(t *testing.T) {
	v := []string{"output_throughput", "output_throughput"}
	data, _ := Pack(&v)
	texts := NewTexts()
	if n := testing.AllocsPerRun(10, func() { Unpack[[]string](data, texts) }); n > 5 {
		t.Errorf("%g allocations", n)
	}
}

func must(data []byte, _ bool) []byte { return data }

type Shared struct{ Name, Unit string }

type sharing struct {
	*Shared `pack:"shared"`
	Again   *Shared `pack:"shared"`
	Value   float64
}

// TestThingsAreShared: the target of a field with the tag is the same in all values, and is packed once.
func TestThingsAreShared(t *testing.T) {
	t.Parallel()
	one := &Shared{"ttft_mean", "ms"}
	want := []sharing{{one, one, 1}, {one, nil, 2}, {&Shared{"ttft_mean", "s"}, &Shared{}, 3}}
	data := must(Pack(&want))
	if n := bytes.Count(data, []byte("ttft_mean")); n != 2 {
		t.Errorf("a name of two things is written %d times", n)
	}
	texts := NewTexts()
	first, ok := Unpack[[]sharing](data, texts)
	second, again := Unpack[[]sharing](data, texts)
	if !ok || !again || !reflect.DeepEqual(first, want) || !reflect.DeepEqual(second, want) {
		t.Fatalf("%+v and %+v", first, second)
	}
	if first[0].Shared != first[1].Shared || first[0].Shared != second[0].Again {
		t.Error("what is shared is there twice")
	}
	for n := range data {
		damaged := slices.Clone(data)
		damaged[n] ^= 0x55
		Unpack[[]sharing](damaged, NewTexts())
		if _, ok := Unpack[[]sharing](data[:n], NewTexts()); ok {
			t.Errorf("the first %d bytes are a value", n)
		}
	}
}
