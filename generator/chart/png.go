package chart

import (
	"bytes"
	"encoding/binary"
	"hash/adler32"
	"hash/crc32"
	"image"
	"image/color"
	"sync"
)

// The filters of a row (PNG specification, 9.2).
const (
	filterNone = 0
	filterUp   = 2
)

// encodePNG writes an opaque image with a byte for each pixel, as the PNG
// specification (ISO/IEC 15948) has it. Its rows must have a byte between them,
// so that places in it are as far apart as in the file.
func encodePNG(m *image.Paletted) []byte {
	b := bytes.NewBufferString("\x89PNG\r\n\x1a\n")
	width, height := m.Rect.Dx(), m.Rect.Dy()

	header := binary.BigEndian.AppendUint32(nil, uint32(width))
	header = binary.BigEndian.AppendUint32(header, uint32(height))
	const depth, indexed = 8, 3
	writeChunk(b, "IHDR", append(header, depth, indexed, 0, 0, 0))

	var palette []byte
	for _, c := range m.Palette {
		rgba := c.(color.RGBA)
		palette = append(palette, rgba.R, rgba.G, rgba.B)
	}
	writeChunk(b, "PLTE", palette)
	d := deflaters.Get().(*deflater)
	writeChunk(b, "IDAT", compressed(d, m, width, height))
	deflaters.Put(d)
	writeChunk(b, "IEND", nil)
	return b.Bytes()
}

// deflaters serve one chart after the other: clearing their tables is cheaper
// than making them.
var deflaters = sync.Pool{New: func() any { return new(deflater) }}

// compressed gives the pixels as a zlib stream (RFC 1950), which is the
// deflater's until it is used again. A row like the one above it, as most are,
// is said to differ from it by nothing.
func compressed(d *deflater, m *image.Paletted, width, height int) []byte {
	d.reset(m.Pix, width, m.Stride)
	d.out = append(d.out, 0x78, 0x01) // a window of 32 KB, compressed fast
	same := make([]byte, 1+width)
	same[0] = filterUp
	sumOfSame, sum := adler32.Checksum(same), uint32(1)
	var above []byte
	for y := range height {
		pixels := m.Pix[y*m.Stride : y*m.Stride+width]
		if bytes.Equal(pixels, above) {
			d.literal(filterUp)
			d.literal(0)
			d.match(width-1, 1)
			sum = joined(sum, sumOfSame, 1+width)
		} else {
			d.literal(filterNone)
			d.row(y)
			sum = joined(sum, 1<<16|1, 1)
			sum = joined(sum, adler32.Checksum(pixels), width)
		}
		above = pixels
	}
	return binary.BigEndian.AppendUint32(d.end(), sum)
}

// joined gives the Adler-32 sum of two pieces from theirs; the second has n
// bytes. Most rows being alike, most sums are known.
func joined(first, second uint32, n int) uint32 {
	const prime = 65521
	a, b := first&0xffff, first>>16
	c, d := second&0xffff, second>>16
	low := (a + c + prime - 1) % prime
	high := (uint64(b) + uint64(d) + uint64(n)*uint64(a+prime-1)) % prime
	return uint32(high)<<16 | low
}

func writeChunk(b *bytes.Buffer, name string, data []byte) {
	b.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	from := b.Len()
	b.WriteString(name)
	b.Write(data)
	b.Write(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b.Bytes()[from:])))
}
