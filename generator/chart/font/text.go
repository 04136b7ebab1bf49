package font

import (
	"image"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/chart/raster"
	"golang.org/x/image/math/fixed"
)

// How far letters reach above and below the baseline, and the middle of
// capitals, digits and Chinese characters, as parts of the font size.
const (
	Ascent  = 0.88
	Descent = 0.22
	Middle  = 0.37
)

// Stack is fonts of one weight: a character is taken from the first that has it, or else from
// those embedded for its script, or else from those of the machine.
type Stack struct {
	fonts   []*Font
	chinese []func() (*Font, error) // opened when the fonts lack something
	bold    bool
	machine *Machine
}

// Stacks returns the stacks of fonts of one's own, completed by the embedded fonts and those
// of a machine, if there is one.
func Stacks(regular, bold []*Font, machine *Machine) (Stack, Stack, error) {
	plain, err := latin()
	if err != nil {
		return Stack{}, Stack{}, err
	}
	heavy, err := boldLatin()
	if err != nil {
		return Stack{}, Stack{}, err
	}
	thick, err := thickLatin()
	return Stack{fonts: append(slices.Clone(regular), plain), chinese: chinese, machine: machine},
		Stack{fonts: append(slices.Clone(bold), heavy, thick), chinese: boldChinese, bold: true, machine: machine}, err
}

var (
	chinese     = []func() (*Font, error){regularSC}
	boldChinese = []func() (*Font, error){boldSC, thickSC}
)

// all yields the fonts of the stack; a test opens the Chinese ones.
func (s Stack) all(yield func(*Font) bool) {
	for _, f := range s.fonts {
		if !yield(f) {
			return
		}
	}
	for _, open := range s.chinese {
		if f, err := open(); err == nil && !yield(f) {
			return
		}
	}
}

// box is what a character is drawn as that no font has.
const box = '□'

// find returns the glyph of a rune and its font; nil for none.
func (s Stack) find(r rune) (*Font, glyph) {
	for f := range s.all {
		if g := f.glyph(r); g.index != 0 {
			return f, g
		}
	}
	if f := s.other([]rune{r}); f != nil {
		return f, f.glyph(r)
	}
	return nil, glyph{}
}

// font returns the font for a rune; nil for none.
func (s Stack) font(r rune) *Font {
	f, _ := s.find(r)
	return f
}

// other returns the font for what the fonts of the stack lack; nil for none.
func (s Stack) other(cluster []rune) *Font {
	if f := supplied(cluster, s.bold); f != nil {
		return f
	}
	return s.machine.font(cluster, s.bold)
}

// clusterFont returns the font for all of a cluster; nil for none.
func (s Stack) clusterFont(cluster []rune) *Font {
	switch {
	case len(cluster) == 1 && isolating(cluster[0]): // it has no sign
		return s.fonts[0]
	case len(cluster) == 1:
		return s.font(cluster[0])
	}
	for f := range s.all {
		if f.has(cluster...) {
			return f
		}
	}
	return s.other(cluster)
}

// glyph returns the glyph of a rune that stands for itself, and its font.
func (s Stack) glyph(r rune) (*Font, glyph) {
	if g := s.fonts[0].glyph(r); g.index != 0 {
		return s.fonts[0], g
	}
	if f, g := s.find(r); f != nil {
		return f, g
	}
	last := s.fonts[len(s.fonts)-1]
	return last, last.glyph(box)
}

// Face is a stack at a size in layout units.
type Face struct {
	Stack
	Size float64
	Bold bool
}

// Width is how wide a text is, in layout units.
func (f Face) Width(s string) float64 {
	em := 0.0
	for _, r := range s {
		if shaped(r) {
			return f.shapedWidth(s)
		}
		_, g := f.glyph(r)
		width, _ := side(r, g.width)
		em += width
	}
	return em * f.Size
}

// LineHeight is the distance of baselines in a paragraph.
func (f Face) LineHeight() float64 { return 1.3 * f.Size }

// Masks calls stamp with the glyphs of a text and where each pen is, in pixels, of
// which scale are a layout unit.
func (f Face) Masks(s string, left, baseline, scale float64, stamp func(m *raster.Mask, at image.Point)) {
	pen, y := left*scale, int(math.Round(baseline*scale))
	size := fixed.Int26_6(math.Round(f.Size * scale * 64))
	if strings.ContainsFunc(s, shaped) {
		for _, p := range f.shape([]rune(s)) {
			quarter := int(math.Round((pen + p.x*f.Size*scale) * 4))
			stamp(p.font.mask(p.index, size, quarter&3), image.Pt(quarter>>2, y-int(math.Round(p.y*f.Size*scale))))
			pen += p.advance * f.Size * scale
		}
		return
	}
	for _, r := range s {
		font, g := f.glyph(r)
		advance, shift := side(r, g.width)
		quarter := int(math.Round((pen - shift*f.Size*scale) * 4))
		stamp(font.mask(g.index, size, quarter&3), image.Pt(quarter>>2, y))
		pen += advance * f.Size * scale
	}
}

// Uniform reports whether a text is as wide in other fonts too, more or less: all of it was
// found, and nothing in it is shaped.
func (f Face) Uniform(s string) bool {
	for _, r := range s {
		if shaped(r) || f.font(r) == nil {
			return false
		}
	}
	return true
}

// measured is a text taken apart: where each of its clusters begins, and how wide it is.
type measured struct {
	runes  []rune
	starts []int // and the end
	widths []float64
	shaped bool // in a line by itself, a part may be wider than in the text
}

func (f Face) measure(s string) measured {
	m := measured{runes: []rune(s), shaped: strings.ContainsFunc(s, shaped)}
	m.starts = clusters(m.runes)
	m.widths = make([]float64, len(m.starts)-1)
	if m.shaped {
		f.shapedWidths(m)
		return m
	}
	for i := range m.widths {
		r := m.runes[m.starts[i]]
		_, g := f.glyph(r)
		width, _ := side(r, g.width)
		m.widths[i] = width * f.Size
	}
	return m
}

// part returns the clusters from a to before b.
func (m measured) part(a, b int) string { return string(m.runes[m.starts[a]:m.starts[b]]) }

// Wrap breaks s into lines no wider than width. It breaks after spaces,
// hyphens and the like and between Chinese characters; fits is false when that
// does not do and a word had to be cut.
func (f Face) Wrap(s string, width float64) (lines []string, fits bool) {
	if f.Width(s) <= width {
		if s = strings.TrimSpace(s); s == "" {
			return nil, true
		}
		return []string{s}, true
	}
	fits = true
	m := f.measure(s)
	start, breakAt := 0, 0
	w := 0.0
	for i := 0; i < len(m.widths); i++ {
		r := m.runes[m.starts[i]]
		if i > start && breaksBetween(m.runes[m.starts[i]-1], r) {
			breakAt = i
		}
		if w+m.widths[i] > width && i > start && r != ' ' {
			if breakAt == start {
				breakAt, fits = i, false
			}
			for m.shaped && breakAt > start+1 && f.Width(strings.TrimSpace(m.part(start, breakAt))) > width {
				breakAt, fits = breakAt-1, false
			}
			lines = append(lines, strings.TrimSpace(m.part(start, breakAt)))
			start, i, w = breakAt, breakAt-1, 0
			continue
		}
		w += m.widths[i]
	}
	if rest := strings.TrimSpace(m.part(start, len(m.widths))); rest != "" {
		lines = append(lines, rest)
	}
	return lines, fits
}

// breaksBetween reports whether a line may end after a and go on with b.
func breaksBetween(a, b rune) bool {
	switch {
	case a == ' ':
		return b != ' '
	case strings.ContainsRune("，。、；：！？）》」』】％%,.;:!?)]}·…", b) || b == ' ':
		return false
	case strings.ContainsRune("・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ", b): // of Japanese
		return false
	case strings.ContainsRune("（《「『【([{", a):
		return false
	case strings.ContainsRune("-_/，。、；：！？）》」』】·", a):
		return true
	case isSpaceless(a) && isSpaceless(b):
		return !strings.ContainsRune("เแโใไ", a) && !strings.ContainsRune("ะาำๅๆฯ", b)
	}
	return isWide(a) || isWide(b)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x30ff || r >= 0xff00 && r <= 0xffef
}

// isSpaceless reports whether r is of a script without spaces between words, which would need
// a dictionary: lines break between its syllables.
func isSpaceless(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Paragraph wraps prose; what is too long for the lines ends in an ellipsis.
func (f Face) Paragraph(s string, width float64, most int) []string {
	lines, _ := f.Wrap(s, width)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	last := []rune(lines[most-1])
	starts := clusters(last)
	for n := len(starts) - 1; n > 0 && f.Width(string(last)+"…") > width; n-- {
		last = last[:starts[n-1]]
	}
	lines[most-1] = strings.TrimSpace(string(last)) + "…"
	return lines
}

// NameLines wraps a name, in lines about as long; one that is too long loses its middle,
// since names of models differ at their ends.
func (f Face) NameLines(s string, width float64, most int) []string {
	if lines, fits := f.Wrap(s, width); fits && len(lines) <= most {
		return f.balanced(s, lines)
	}
	runes := []rune(s)
	starts := clusters(runes)
	n := len(starts) - 1
	var best []string
	for low, high := 0, n-1; low <= high; {
		keep := (low + high) / 2
		short := string(runes[:starts[(keep+1)/2]]) + "…" + string(runes[starts[n-keep/2]:])
		if lines, _ := f.Wrap(short, width); len(lines) <= most {
			best, low = lines, keep+1
		} else {
			high = keep - 1
		}
	}
	return best
}

// balanced returns the same number of lines of a text whose longest is as short as can be.
func (f Face) balanced(s string, lines []string) []string {
	for len(lines) > 1 {
		longest := 0.0
		for _, line := range lines {
			longest = max(longest, f.Width(line))
		}
		shorter, fits := f.Wrap(s, longest-0.01)
		if !fits || len(shorter) > len(lines) {
			break
		}
		lines = shorter
	}
	return lines
}

// NameLine is NameLines in one line.
func (f Face) NameLine(s string, width float64) string {
	return strings.Join(f.NameLines(s, width, 1), "")
}
