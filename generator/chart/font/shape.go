package font

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/harfbuzz"
	"github.com/go-text/typesetting/language"
)

const (
	zeroWidthNonJoiner = '\u200c'
	zeroWidthJoiner    = '\u200d'
)

// shaped reports whether a text with r has to be shaped, because r joins, moves or is stacked on its
// neighbours, or is read from right to left.
func shaped(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r < 0x370: // marks
		return true
	case r < 0x590: // Greek, Cyrillic, Armenian, and the marks of Cyrillic
		return r >= 0x483 && r <= 0x489
	case r < 0x10a0: // Hebrew to Myanmar
		return true
	case r < 0x2000: // Ethiopic, Cherokee and others stand alone; Jamo, Khmer, Mongolian, Balinese do not
		return r >= 0x1100 && r < 0x1200 || r >= 0x1780 && r < 0x18b0 || r >= 0x1900 && r < 0x1d00 || r >= 0x1dc0 && r < 0x1e00
	case unseen(r):
		return true
	case r < 0xa800:
		return r >= 0x20d0 && r < 0x2100 || r >= 0x302a && r < 0x3030 || r == 0x3099 || r == 0x309a || r >= 0xa66f && r < 0xa680
	case r < 0xac00: // Syloti Nagri to Meetei Mayek
		return true
	case r < 0x10000: // forms for presentation, and marks
		return r >= 0xd7b0 && r < 0xd800 || r >= 0xfb1d && r < 0xfe10 || r >= 0xfe20 && r < 0xfe30 || r >= 0xfe70 && r < 0xff00
	}
	return r < 0x12000 && r >= 0x10800 || r >= 0x16b00 && r < 0x16c00 || r >= 0x1e000 && r < 0x1f000 || r >= 0x1f3fb && r < 0x1f400
}

// clusters returns the start of each character as readers see it, which may be several runes, and the end of
// the text.
func clusters(runes []rune) []int {
	starts := make([]int, 0, len(runes)+1)
	for i, r := range runes {
		if i == 0 || !continues(runes[i-1], r) {
			starts = append(starts, i)
		}
	}
	return append(starts, len(runes))
}

// continues reports whether r belongs to the same character as the rune before it.
func continues(before, r rune) bool {
	switch {
	case r < 0x300:
		return false
	case before == ' ':
		return false
	case unseen(r), unicode.Is(unicode.M, r):
		return true
	case before == zeroWidthJoiner: // of emoji
		return unicode.Is(unicode.S, r)
	case r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xe0020 && r <= 0xe007f: // modifiers and tags of emoji
		return true
	case r >= 0x1160 && r < 0x1200: // vowels and ends of Korean syllables
		return before >= 0x1100 && before < 0x1200
	}
	return false
}

// placed is a glyph of a line, in visual order. Lengths are relative to the font size.
type placed struct {
	font    *Font
	index   uint32
	x, y    float64 // from the pen, y upwards
	advance float64
	cluster int // the index of a rune it draws
}

// item is a part of a text in one font, script and direction. font is nil if no font has it.
type item struct {
	from, to int
	font     *Font
	script   language.Script
	level    int
}

// shape returns the glyphs of a line.
func (s Stack) shape(runes []rune) []placed {
	items := s.items(runes)
	reorder(items)
	line := make([]placed, 0, len(runes))
	for _, it := range items {
		switch {
		case it.font == nil:
			line = s.boxes(line, runes, it)
		case it.level%2 == 0 && !slices.ContainsFunc(runes[it.from:it.to], shaped):
			for i, r := range runes[it.from:it.to] {
				g := it.font.glyph(r)
				advance, shift := side(r, g.width)
				line = append(line, placed{font: it.font, index: g.index, x: -shift, advance: advance, cluster: it.from + i})
			}
		default:
			line = it.font.shape(line, runes, it)
		}
	}
	return line
}

// items splits a text, in logical order.
func (s Stack) items(runes []rune) []item {
	levels, starts := levels(runes), clusters(runes)
	var items []item
	for i, from := range starts[:len(starts)-1] {
		cluster := runes[from:starts[i+1]]
		it := item{from, starts[i+1], s.clusterFont(cluster), language.LookupScript(cluster[0]), levels[from]}
		if len(items) > 0 {
			before := &items[len(items)-1]
			if !it.script.Strong() {
				it.script = before.script
			}
			if before.font == it.font && before.level == it.level && (before.script == it.script || !before.script.Strong()) {
				before.to, before.script = it.to, it.script
				continue
			}
		}
		items = append(items, it)
	}
	return items
}

// boxes appends a box for each cluster of an item.
func (s Stack) boxes(line []placed, runes []rune, it item) []placed {
	last := s.fonts[len(s.fonts)-1]
	g := last.glyph(box)
	starts := clusters(runes[it.from:it.to])
	starts = starts[:len(starts)-1]
	if it.level%2 == 1 {
		slices.Reverse(starts)
	}
	for _, start := range starts {
		line = append(line, placed{font: last, index: g.index, advance: g.width, cluster: it.from + start})
	}
	return line
}

// shape appends the glyphs of an item that has to be shaped.
func (f *Font) shape(line []placed, runes []rune, it item) []placed {
	f.mu.Lock()
	defer f.mu.Unlock()
	if sparing(func() error { return f.fill(runes, it) }) != nil { // letters are not joined then
		f.shaper = nil
		for i, r := range runes[it.from:it.to] {
			g := f.glyph(r)
			line = append(line, placed{font: f, index: g.index, advance: g.width, cluster: it.from + i})
		}
		return line
	}
	for i, info := range f.buffer.Info {
		at := f.buffer.Pos[i]
		line = append(line, placed{
			font: f, index: uint32(info.Glyph), cluster: info.Cluster,
			x: float64(at.XOffset) / f.em, y: float64(at.YOffset) / f.em, advance: float64(at.XAdvance) / f.em,
		})
	}
	return line
}

// fill shapes an item into the buffer of the font.
func (f *Font) fill(runes []rune, it item) error {
	if f.shaper == nil {
		if err := f.open(); err != nil {
			return err
		}
		f.shaper, f.buffer = harfbuzz.NewFont(f.face), harfbuzz.NewBuffer()
	}
	f.buffer.Clear()
	f.buffer.Props = harfbuzz.SegmentProperties{Direction: harfbuzz.LeftToRight, Script: it.script}
	if it.level%2 == 1 {
		f.buffer.Props.Direction = harfbuzz.RightToLeft
	}
	f.buffer.AddRunes(runes, it.from, it.to-it.from)
	f.buffer.Shape(f.shaper, nil)
	return nil
}

func (f Face) shapedWidth(s string) float64 {
	em := 0.0
	for _, p := range f.shape([]rune(s)) {
		em += p.advance
	}
	return em * f.Size
}

// shapedWidths adds up the widths of the clusters of a shaped text.
func (f Face) shapedWidths(m measured) {
	for _, p := range f.shape(m.runes) {
		i, found := slices.BinarySearch(m.starts, p.cluster)
		if !found {
			i--
		}
		m.widths[i] += p.advance * f.Size
	}
}
