package png

import (
	"bytes"
	"hash/adler32"
	"image"
	"image/color"
	stdpng "image/png"
	"math/rand/v2"
	"slices"
	"testing"
)

// picture returns an image of a size whose pixels are chosen by a function.
func picture(width, height int, pixel func(x, y int) uint8) *image.Paletted {
	m := &image.Paletted{Pix: make([]uint8, (width+3)*height), Stride: width + 3, Rect: image.Rect(0, 0, width, height)}
	for i := range 256 {
		m.Palette = append(m.Palette, color.RGBA{uint8(i), uint8(3 * i), uint8(7 * i), 255})
	}
	for y := range height {
		for x := range width {
			m.SetColorIndex(x, y, pixel(x, y))
		}
	}
	return m
}

// What image/png reads is what was encoded, whatever repeats in it or does not.
func TestEncode(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]uint8, 1<<20)
	for i := range noise {
		noise[i] = uint8(r.IntN(256))
	}
	any := func(i int) uint8 { return noise[i%len(noise)] }
	for name, m := range map[string]*image.Paletted{
		"one pixel":                     picture(1, 1, func(x, y int) uint8 { return 7 }),
		"narrow":                        picture(2, 9, func(x, y int) uint8 { return any(x + 2*y) }),
		"flat":                          picture(700, 500, func(x, y int) uint8 { return 0 }),
		"noise":                         picture(301, 200, func(x, y int) uint8 { return any(x + 301*y) }),
		"columns":                       picture(1200, 100, func(x, y int) uint8 { return any(x) }),
		"stripes":                       picture(64, 64, func(x, y int) uint8 { return uint8(y) }),
		"alike beyond the window":       picture(1300, 80, func(x, y int) uint8 { return any(x + 1300*(y%31)) }),
		"alike across the ends of rows": picture(17, 300, func(x, y int) uint8 { return any((x + 17*y) % 23) }),
		"codes as long as can be":       picture(1000, 1000, fibonacci()),
		"one colour very rare":          picture(900, 900, func(x, y int) uint8 { return uint8(min(x*y/9000, 40)) / 40 }),
	} {
		t.Run(name, func(t *testing.T) {
			decoded, err := stdpng.Decode(bytes.NewReader(Encode(m)))
			if err != nil {
				t.Fatal(err)
			}
			got := decoded.(*image.Paletted)
			if got.Rect != m.Rect {
				t.Fatalf("the image is %v, want %v", got.Rect, m.Rect)
			}
			width := m.Rect.Dx()
			for y := range m.Rect.Dy() {
				if !slices.Equal(got.Pix[y*got.Stride:y*got.Stride+width], m.Pix[y*m.Stride:y*m.Stride+width]) {
					t.Fatalf("row %d differs", y)
				}
			}
		})
	}
}

// fibonacci returns each colour as often as the two rarer ones together and in no order,
// which makes a Huffman tree as deep as the frequencies can.
func fibonacci() func(x, y int) uint8 {
	var colours []uint8
	for a, b, c := 1, 1, uint8(1); len(colours) < 1_000_000; a, b, c = b, a+b, c+1 {
		for range a {
			colours = append(colours, c)
		}
	}
	colours = colours[:1_000_000]
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(colours), func(i, j int) { colours[i], colours[j] = colours[j], colours[i] })
	return func(x, y int) uint8 { return colours[x+1000*y] }
}

// No codeword is the beginning of another, none is longer than allowed, and all are used up,
// as decoders want it.
func TestHuffmanCodes(t *testing.T) {
	t.Parallel()
	for name, counts := range map[string][]int32{
		"none":      make([]int32, 30),
		"first":     {5, 0, 0},
		"second":    {0, 5, 0},
		"last":      {0, 0, 5},
		"equal":     {4, 4, 4, 4, 4},
		"fibonacci": {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181},
	} {
		for _, most := range []int{7, 15} {
			room := 1 << most
			for symbol, c := range newCode(counts, most) {
				if int(c.length) > most {
					t.Errorf("%s: symbol %d takes %d bits, want at most %d", name, symbol, c.length, most)
				}
				if c.length == 0 && counts[symbol] > 0 {
					t.Errorf("%s: symbol %d has no codeword", name, symbol)
				}
				if c.length > 0 {
					room -= 1 << (most - int(c.length))
				}
			}
			if room != 0 {
				t.Errorf("%s: %d of %d codes are left over", name, room, 1<<most)
			}
		}
	}
}

// Sums are those of the standard library, of any bytes and of parts joined.
func TestChecksum(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 400 {
		b := make([]byte, n*n/8)
		for i := range b {
			switch r.IntN(4) {
			case 0:
				b[i] = 255
			case 1:
				b[i] = uint8(r.IntN(256))
			}
		}
		if got, want := checksum(b), adler32.Checksum(b); got != want {
			t.Fatalf("%d bytes have the sum %x, want %x", len(b), got, want)
		}
		k := r.IntN(len(b) + 1)
		if got, want := joined(checksum(b[:k]), checksum(b[k:]), len(b)-k), adler32.Checksum(b); got != want {
			t.Fatalf("%d and %d bytes have the sum %x, want %x", k, len(b)-k, got, want)
		}
	}
}

// A picture takes little more memory than its file, however large it is.
func TestEncodeAllocatesLittle(t *testing.T) {
	m := picture(1200, 675, func(x, y int) uint8 { return uint8(x * y / 4096) })
	if n := testing.AllocsPerRun(10, func() { Encode(m) }); n > 40 {
		t.Errorf("%v allocations, want at most 40", n)
	}
}

// The bytes are those of the picture alone, whatever the deflater has compressed before.
func TestWhatWasCompressedBeforeLeavesNoTrace(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	any := func(x, y int) uint8 { return uint8(r.IntN(3)) }
	used := new(deflater)
	for range 50 {
		m := picture(1+r.IntN(40), 1+r.IntN(40), any)
		fresh := compressed(new(deflater), m)
		if !bytes.Equal(compressed(used, m), fresh) {
			t.Fatalf("a picture of %v has other bytes", m.Rect)
		}
	}
}
