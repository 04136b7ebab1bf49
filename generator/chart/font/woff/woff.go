// Package woff unpacks fonts in WOFF 2.0 (https://www.w3.org/TR/WOFF2/). That format stores TrueType outlines
// separated by kind of value and compresses them together: a fifth smaller than the same font in a general
// compressor.
//
//	sfnt, err := woff.Decode(file) // a TrueType or OpenType font, for any font library
//
// Collections and transformed metrics, which pyftsubset does not write, are errors.
package woff

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/andybalholm/brotli"
)

// errFormat is returned for a file that is not valid.
var errFormat = errors.New("not a WOFF 2.0 font")

// table is a table of a font.
type table struct {
	tag         string
	data        []byte
	transformed bool
}

// Decode returns the font in a WOFF 2.0 file, with its tables sorted by tag.
func Decode(file []byte) (sfnt []byte, err error) {
	r := &reader{b: file}
	if string(r.bytes(4)) != "wOF2" {
		return nil, errFormat
	}
	flavor := r.uint32()
	if int(r.uint32()) != len(file) {
		return nil, errFormat
	}
	tables := make([]table, r.uint16())
	r.bytes(2 + 4) // reserved, size of the font
	packed := int(r.uint32())
	r.bytes(2 + 2 + 5*4) // version, metadata, private data
	sizes := make([]int, len(tables))
	total := 0
	for i := range tables {
		t := &tables[i]
		flags := r.byte()
		if n := int(flags & 0x3f); n < len(tags) {
			t.tag = tags[n]
		} else {
			t.tag = string(r.bytes(4))
		}
		sizes[i] = r.base128()
		outlines := t.tag == "glyf" || t.tag == "loca"
		if t.transformed = (flags>>6 == 0) == outlines; t.transformed {
			sizes[i] = r.base128()
		}
		total += sizes[i]
	}
	if r.failed || string(binary.BigEndian.AppendUint32(nil, flavor)) == "ttcf" || total > maxSize {
		return nil, errFormat
	}
	content, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(r.bytes(packed))), int64(total)+1))
	if err != nil {
		return nil, err
	}
	rest := &reader{b: content}
	for i := range tables {
		tables[i].data = rest.bytes(sizes[i])
	}
	if r.failed || rest.failed || len(rest.b) > 0 {
		return nil, errFormat
	}
	if err := restore(tables); err != nil {
		return nil, err
	}
	return assemble(flavor, tables), nil
}

// maxSize is the greatest size of an unpacked font, in bytes. No real font is that large.
const maxSize = 64 << 20

// restore replaces the transformed outlines by glyf and loca.
func restore(tables []table) error {
	find := func(tag string) *table {
		if i := slices.IndexFunc(tables, func(t table) bool { return t.tag == tag }); i >= 0 {
			return &tables[i]
		}
		return &table{}
	}
	glyf, loca, head := find("glyf"), find("loca"), find("head")
	for i := range tables {
		if t := &tables[i]; t.transformed && t != glyf && t != loca {
			return errFormat
		}
	}
	if !glyf.transformed {
		return nil
	}
	if !loca.transformed || len(head.data) < 52 {
		return errFormat
	}
	var err error
	if glyf.data, loca.data, err = outlines(glyf.data); err != nil {
		return err
	}
	head.data = slices.Clone(head.data)
	binary.BigEndian.PutUint16(head.data[50:], 1) // entries of loca have four bytes
	return nil
}

// assemble writes the directory and the tables of a font. It leaves out the checksums, which no reader here
// verifies.
func assemble(flavor uint32, tables []table) []byte {
	slices.SortFunc(tables, func(a, b table) int { return bytes.Compare([]byte(a.tag), []byte(b.tag)) })
	size := 12 + 16*len(tables)
	for _, t := range tables {
		size += len(t.data) + 3
	}
	w := make([]byte, 0, size)
	w = binary.BigEndian.AppendUint32(w, flavor)
	w = binary.BigEndian.AppendUint16(w, uint16(len(tables)))
	w = append(w, 0, 0, 0, 0, 0, 0) // for binary search
	at := len(w) + 16*len(tables)
	for _, t := range tables {
		w = append(w, t.tag...)
		w = binary.BigEndian.AppendUint32(w, 0)
		w = binary.BigEndian.AppendUint32(w, uint32(at))
		w = binary.BigEndian.AppendUint32(w, uint32(len(t.data)))
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		w = append(w, t.data...)
		for len(w)%4 != 0 {
			w = append(w, 0)
		}
	}
	return w
}

// tags lists the tables that the directory identifies by number.
var tags = [63]string{
	"cmap", "head", "hhea", "hmtx", "maxp", "name", "OS/2", "post", "cvt ", "fpgm", "glyf", "loca", "prep", "CFF ", "VORG", "EBDT",
	"EBLC", "gasp", "hdmx", "kern", "LTSH", "PCLT", "VDMX", "vhea", "vmtx", "BASE", "GDEF", "GPOS", "GSUB", "EBSC", "JSTF", "MATH",
	"CBDT", "CBLC", "COLR", "CPAL", "SVG ", "sbix", "acnt", "avar", "bdat", "bloc", "bsln", "cvar", "fdsc", "feat", "fmtx", "fvar",
	"gvar", "hsty", "just", "lcar", "mort", "morx", "opbd", "prop", "trak", "Zapf", "Silf", "Glat", "Gloc", "Feat", "Sill",
}

// reader reads values from the start of bytes. If too few bytes are left, it sets failed and returns zeros.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) bytes(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.failed, r.b = true, nil
		return make([]byte, min(max(n, 0), 64))
	}
	taken := r.b[:n:n]
	r.b = r.b[n:]
	return taken
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.failed = true
		return 0
	}
	b := r.b[0]
	r.b = r.b[1:]
	return b
}

func (r *reader) uint16() uint16 { return binary.BigEndian.Uint16(r.bytes(2)) }
func (r *reader) uint32() uint32 { return binary.BigEndian.Uint32(r.bytes(4)) }

// base128 reads UIntBase128: seven bits per byte; the eighth bit is set in all but the last byte.
func (r *reader) base128() int {
	n := 0
	for range 5 {
		b := r.byte()
		n = n<<7 | int(b&0x7f)
		if b < 0x80 {
			return min(n, maxSize+1)
		}
	}
	r.failed = true
	return 0
}

// count reads 255UInt16.
func (r *reader) count() int {
	switch b := r.byte(); b {
	case 253:
		return int(r.uint16())
	case 254:
		return int(r.byte()) + 2*253
	case 255:
		return int(r.byte()) + 253
	default:
		return int(b)
	}
}
