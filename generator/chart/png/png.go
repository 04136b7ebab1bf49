// Package png writes drawings as PNG: opaque, of at most 256 colours, most of whose rows are
// like the one above and most of whose pixels are like the one before.
//
//	file := png.Encode(image) // the same bytes for the same pixels, everywhere
//
// A general encoder tries five filters on every row and looks for repetitions in every byte.
// Here a row like the one above is one match (Encode), and the others are searched only where
// they neither go on as before nor as above (deflate.go).
package png

import (
	"bytes"
	"encoding/binary"
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

// Encode returns an image as the PNG specification (ISO/IEC 15948) has it, with a byte for
// each pixel. All colours of its palette are opaque and of type color.RGBA.
func Encode(m *image.Paletted) []byte {
	d := deflaters.Get().(*deflater)
	defer deflaters.Put(d)
	pixels := compressed(d, m)

	const around = 8 + 4*12 + 13 // signature, chunks, header
	b := make([]byte, 0, around+3*len(m.Palette)+len(pixels))
	b = append(b, "\x89PNG\r\n\x1a\n"...)
	header := make([]byte, 0, 13)
	header = binary.BigEndian.AppendUint32(header, uint32(m.Rect.Dx()))
	header = binary.BigEndian.AppendUint32(header, uint32(m.Rect.Dy()))
	const depth, indexed = 8, 3
	b = appendChunk(b, "IHDR", append(header, depth, indexed, 0, 0, 0))
	palette := make([]byte, 0, 3*256)
	for _, c := range m.Palette {
		rgba := c.(color.RGBA)
		palette = append(palette, rgba.R, rgba.G, rgba.B)
	}
	b = appendChunk(b, "PLTE", palette)
	b = appendChunk(b, "IDAT", pixels)
	return appendChunk(b, "IEND", nil)
}

// deflaters serve one picture after the other.
var deflaters = sync.Pool{New: func() any { return new(deflater) }}

// compressed returns the pixels as a zlib stream (RFC 1950), which is the deflater's until
// that is used again.
func compressed(d *deflater, m *image.Paletted) []byte {
	width, height := m.Rect.Dx(), m.Rect.Dy()
	d.reset(1+width, height)
	d.out = append(d.out, 0x78, 0x01) // a window of 32 KB, compressed fast
	same := make([]byte, 1+width)
	same[0] = filterUp
	sumOfSame, sum := checksum(same), uint32(1)
	var above []byte
	for y := range height {
		pixels := m.Pix[y*m.Stride : y*m.Stride+width]
		if bytes.Equal(pixels, above) {
			d.same(y)
			sum = joined(sum, sumOfSame, 1+width)
		} else {
			d.row(y, pixels)
			sum = joined(sum, checksum(d.rows[y*(1+width):(y+1)*(1+width)]), 1+width)
		}
		above = pixels
	}
	return binary.BigEndian.AppendUint32(d.end(), sum)
}

func appendChunk(b []byte, name string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	from := len(b)
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
}
