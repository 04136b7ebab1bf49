// Package png writes pictures of at most 256 colours as PNG.
package png

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"sync"

	"github.com/klauspost/compress/flate"
)

// The filters of a row (PNG specification, 9.2).
const (
	filterNone = 0
	filterUp   = 2
)

// Encode encodes an opaque image with a byte for each pixel, as specified by ISO/IEC 15948.
//
// image/png tries five filters on every row. In charts most rows equal the row above, and for the others no
// filter is best.
func Encode(m *image.Paletted) []byte {
	b := outputs.Get().(*bytes.Buffer)
	defer outputs.Put(b)
	b.Reset()
	b.WriteString("\x89PNG\r\n\x1a\n")
	writeChunk(b, "IHDR", func() {
		const depth, indexed = 8, 3
		header := binary.BigEndian.AppendUint32(b.AvailableBuffer(), uint32(m.Rect.Dx()))
		header = binary.BigEndian.AppendUint32(header, uint32(m.Rect.Dy()))
		b.Write(append(header, depth, indexed, 0, 0, 0))
	})
	writeChunk(b, "PLTE", func() {
		for _, c := range m.Palette {
			rgba := c.(color.RGBA)
			b.Write([]byte{rgba.R, rgba.G, rgba.B})
		}
	})
	writeChunk(b, "IDAT", func() { compress(b, m) })
	writeChunk(b, "IEND", func() {})
	return bytes.Clone(b.Bytes())
}

// outputs is a pool of buffers.
var outputs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// compressors is a pool of compressors: clearing their tables is cheaper than allocating them.
var compressors = sync.Pool{New: func() any {
	z, err := flate.NewWriter(nil, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	return z
}}

// compress writes the pixels as a zlib stream (RFC 1950). A row that equals the row above is written as a row
// of zeros, its difference from that row.
func compress(b *bytes.Buffer, m *image.Paletted) {
	z := compressors.Get().(*flate.Writer)
	defer compressors.Put(z)
	b.WriteString("\x78\x01") // deflated, fast
	z.Reset(b)                // writing to a buffer never fails
	none, up := []byte{filterNone}, []byte{filterUp}
	width := m.Rect.Dx()
	nothing := make([]byte, width)
	sum := adler{low: 1}
	var above []byte
	for y := range m.Rect.Dy() {
		pixels := m.Pix[y*m.Stride : y*m.Stride+width]
		if bytes.Equal(pixels, above) {
			z.Write(up)
			z.Write(nothing)
			sum.add(up)
			sum.addZeros(width)
		} else {
			z.Write(none)
			z.Write(pixels)
			sum.add(none)
			sum.add(pixels)
		}
		above = pixels
	}
	z.Close()
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(sum.high<<16|sum.low)))
}

// adler is the checksum of a zlib stream (Adler-32): low is one plus the sum of the bytes, high is the sum of
// all values of low on the way. Package hash/adler32, which adds byte by byte, took a quarter of the time
// needed for a picture.
type adler struct{ low, high uint64 }

const adlerBase = 65521

// addZeros adds n bytes that are zero.
func (s *adler) addZeros(n int) { s.high = (s.high + uint64(n)*s.low) % adlerBase }

// add adds a row, which is too short for the sums to overflow.
func (s *adler) add(row []byte) {
	const pairs, ones = 0x00ff00ff00ff00ff, 0x0001000100010001
	low, high := s.low, s.high
	for ; len(row) >= 8*words; row = row[8*words:] {
		// Each variable has four lanes of 16 bits: even and odd have the sums of the even and of the odd bytes;
		// way has the sum of all intermediate values of both.
		var even, odd, way uint64
		for i := 0; i < 8*words; i += 8 {
			word := binary.LittleEndian.Uint64(row[i : i+8 : 8*words])
			even += word & pairs
			odd += word >> 8 & pairs
			way += even + odd
		}
		way = way&0x0000ffff0000ffff + way>>16&0x0000ffff0000ffff
		// The highest lane of each product is the sum of all lanes, weighted by their position in the word.
		high += 8*words*low + 8*(way&0xffffffff+way>>32) - even*0x0000000200040006>>48 - odd*0x0001000300050007>>48
		low += (even + odd) * ones >> 48
	}
	for _, v := range row {
		low += uint64(v)
		high += low
	}
	s.low, s.high = low%adlerBase, high%adlerBase
}

// words is the number of words of eight bytes that add sums up at once, the most for which no lane overflows.
const words = 15

// writeChunk writes a chunk with the data that write appends.
func writeChunk(b *bytes.Buffer, name string, write func()) {
	from := b.Len()
	b.WriteString("\x00\x00\x00\x00" + name) // the length is known afterwards
	write()
	data := b.Bytes()[from:]
	binary.BigEndian.PutUint32(data, uint32(len(data)-8))
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(data[4:])))
}
