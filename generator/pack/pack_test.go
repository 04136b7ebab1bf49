package pack

import (
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

// What is unpacked is what was packed: nil and empty apart, and no field that is not exported.
func TestAValueComesBack(t *testing.T) {
	t.Parallel()
	want := value()
	data, ok := Pack(&want)
	if !ok {
		t.Fatal("it is not packed")
	}
	want.hidden = 0
	for range 2 { // the second with texts that are known already
		got, ok := Unpack[outer](data, NewTexts())
		if !ok || !got.Zoned.Equal(want.Zoned) {
			t.Fatal(ok, got.Zoned)
		}
		got.Zoned = want.Zoned // whose location is another pointer
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%+v\nnot\n%+v", got, want)
		}
	}
}

// Bytes that are cut off, or others, are refused or come to some value: they never take memory or time beyond
// their length, and never panic.
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
	type inner struct { // as the program's next version may have it
		Name string
		Line []int32
		Next *int
	}
	if _, ok := Unpack[inner](must(Pack(&v.Inner)), NewTexts()); ok {
		t.Error("another type is taken for the same")
	}
}

// Short texts are the same memory in all values that share them.
func TestTextsAreShared(t *testing.T) {
	v := []string{"output_throughput", "output_throughput"}
	data, _ := Pack(&v)
	texts := NewTexts()
	if n := testing.AllocsPerRun(10, func() { Unpack[[]string](data, texts) }); n > 5 {
		t.Errorf("%g allocations", n)
	}
}

func must(data []byte, _ bool) []byte { return data }
