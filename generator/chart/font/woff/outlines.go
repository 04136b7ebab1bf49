package woff

import (
	"encoding/binary"
	"math"
)

// streams has the values of all outlines, separated by kind.
type streams struct {
	contours, points, flags, glyphs, composites, boxed, boxes, instructions reader
}

// outlines restores the tables glyf and loca from the transformed glyf.
func outlines(transformed []byte) (glyf, loca []byte, err error) {
	r := reader{b: transformed}
	r.bytes(4) // reserved; options: overlaps, which do not affect the shape
	glyphs := int(r.uint16())
	r.bytes(2) // the original entry size of loca
	var sizes [7]int
	for i := range sizes {
		sizes[i] = int(r.uint32())
	}
	var s streams
	for i, stream := range []*reader{&s.contours, &s.points, &s.flags, &s.glyphs, &s.composites} {
		stream.b = r.bytes(sizes[i])
	}
	bitmap := 4 * ((glyphs + 31) / 32)
	s.boxed.b = r.bytes(bitmap)
	s.boxes.b = r.bytes(sizes[5] - bitmap)
	s.instructions.b = r.bytes(sizes[6])
	if r.failed {
		return nil, nil, errFormat
	}
	glyf = make([]byte, 0, len(transformed)+len(transformed)/2)
	loca = make([]byte, 0, 4*(glyphs+1))
	var o outline
	for i := range glyphs {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		boxed := s.boxed.b[i/8]&(0x80>>(i%8)) != 0
		switch contours := int16(s.contours.uint16()); {
		case contours == 0:
		case contours > 0:
			o.read(&s, int(contours))
			glyf = o.write(glyf, &s, boxed)
		default:
			glyf = composite(glyf, &s)
		}
		for len(glyf)%4 != 0 {
			glyf = append(glyf, 0)
		}
		if s.failed() || len(glyf) > maxSize {
			return nil, nil, errFormat
		}
	}
	return glyf, binary.BigEndian.AppendUint32(loca, uint32(len(glyf))), nil
}

func (s *streams) failed() bool {
	for _, r := range []*reader{&s.contours, &s.points, &s.flags, &s.glyphs, &s.composites, &s.boxes, &s.instructions} {
		if r.failed {
			return true
		}
	}
	return false
}

// outline is a simple glyph.
type outline struct {
	ends   []int // of each contour: the number of points up to its end
	points []point
}

// point is a point of an outline. Its coordinates are relative to the previous point.
type point struct {
	x, y int
	on   bool
}

func (o *outline) read(s *streams, contours int) {
	o.ends, o.points = o.ends[:0], o.points[:0]
	n := 0
	for range contours {
		n += s.points.count()
		o.ends = append(o.ends, n)
	}
	if n > len(s.flags.b) {
		s.flags.failed = true
		return
	}
	for range n {
		o.points = append(o.points, triplet(s.flags.byte(), &s.glyphs))
	}
}

// triplet reads a point. The flag encodes how many bytes its coordinates have, and their signs.
func triplet(flag byte, r *reader) point {
	signed := func(v int, positive byte) int {
		if positive&1 == 0 {
			return -v
		}
		return v
	}
	p := point{on: flag&0x80 == 0}
	switch f := int(flag & 0x7f); {
	case f < 10:
		p.y = signed((f&14)<<7+int(r.byte()), flag)
	case f < 20:
		p.x = signed(((f-10)&14)<<7+int(r.byte()), flag)
	case f < 84:
		b, n := f-20, int(r.byte())
		p.x = signed(1+(b&0x30)+n>>4, flag)
		p.y = signed(1+(b&0x0c)<<2+n&0x0f, flag>>1)
	case f < 120:
		b := f - 84
		p.x = signed(1+b/12<<8+int(r.byte()), flag)
		p.y = signed(1+b%12>>2<<8+int(r.byte()), flag>>1)
	case f < 124:
		b := r.bytes(3)
		p.x = signed(int(b[0])<<4+int(b[1]>>4), flag)
		p.y = signed(int(b[1]&0x0f)<<8+int(b[2]), flag>>1)
	default:
		p.x, p.y = signed(int(r.uint16()), flag), signed(int(r.uint16()), flag>>1)
	}
	return p
}

// Flags of points in glyf.
const (
	onCurve        = 1
	shortX, shortY = 2, 4
	sameX, sameY   = 16, 32 // of short coordinates: positive
)

// write appends the glyph in the format of glyf.
func (o *outline) write(glyf []byte, s *streams, boxed bool) []byte {
	glyf = binary.BigEndian.AppendUint16(glyf, uint16(len(o.ends)))
	if boxed {
		glyf = append(glyf, s.boxes.bytes(8)...)
	} else {
		glyf = o.box(glyf)
	}
	for _, end := range o.ends {
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(end-1))
	}
	n := s.glyphs.count()
	glyf = binary.BigEndian.AppendUint16(glyf, uint16(n))
	glyf = append(glyf, s.instructions.bytes(n)...)
	for _, p := range o.points {
		flag := byte(0)
		if p.on {
			flag = onCurve
		}
		glyf = append(glyf, flag|form(p.x, shortX, sameX)|form(p.y, shortY, sameY))
	}
	for _, p := range o.points {
		glyf = coordinate(glyf, p.x)
	}
	for _, p := range o.points {
		glyf = coordinate(glyf, p.y)
	}
	return glyf
}

// form returns the flags for how a coordinate is written.
func form(v int, short, same byte) byte {
	switch {
	case v == 0:
		return same
	case v > 0 && v < 256:
		return short | same
	case v < 0 && v > -256:
		return short
	}
	return 0
}

func coordinate(glyf []byte, v int) []byte {
	switch {
	case v == 0:
		return glyf
	case v > -256 && v < 256:
		return append(glyf, byte(max(v, -v)))
	}
	return binary.BigEndian.AppendUint16(glyf, uint16(v))
}

// box appends the bounding box of the points.
func (o *outline) box(glyf []byte) []byte {
	x, y, x0, y0, x1, y1 := 0, 0, math.MaxInt, math.MaxInt, math.MinInt, math.MinInt
	for _, p := range o.points {
		x, y = x+p.x, y+p.y
		x0, y0, x1, y1 = min(x0, x), min(y0, y), max(x1, x), max(y1, y)
	}
	for _, v := range [4]int{x0, y0, x1, y1} {
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(v))
	}
	return glyf
}

// Flags of the components of composite glyphs.
const (
	wordArguments   = 1 << 0
	oneScale        = 1 << 3
	moreParts       = 1 << 5
	twoScales       = 1 << 6
	matrix          = 1 << 7
	hasInstructions = 1 << 8
)

// composite appends a glyph made of others, which is stored untransformed.
func composite(glyf []byte, s *streams) []byte {
	glyf = append(glyf, 0xff, 0xff)
	glyf = append(glyf, s.boxes.bytes(8)...)
	all := uint16(0)
	for more := true; more && !s.composites.failed; {
		flags := s.composites.uint16()
		all |= flags
		size := 2 + 2
		if flags&wordArguments != 0 {
			size += 2
		}
		switch {
		case flags&oneScale != 0:
			size += 2
		case flags&twoScales != 0:
			size += 4
		case flags&matrix != 0:
			size += 8
		}
		glyf = binary.BigEndian.AppendUint16(glyf, flags)
		glyf = append(glyf, s.composites.bytes(size)...)
		more = flags&moreParts != 0
	}
	if all&hasInstructions != 0 {
		n := s.glyphs.count()
		glyf = binary.BigEndian.AppendUint16(glyf, uint16(n))
		glyf = append(glyf, s.instructions.bytes(n)...)
	}
	return glyf
}
