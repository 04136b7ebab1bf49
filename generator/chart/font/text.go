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

// Ascent and Descent are how far letters extend above and below the baseline. Middle is the height of the
// middle of capitals, digits and Chinese characters. All are relative to the font size.
const (
	Ascent  = 0.88
	Descent = 0.22
	Middle  = 0.37
)

// Stack is a list of fonts of one weight. A character is drawn in the first font that has it, or else in the
// embedded font for its script, or else in a font of the machine.
type Stack struct {
	fonts   []*Font
	chinese []func() (*Font, error) // opened when the fonts lack something
	bold    bool
	machine *Machine
}

// Stacks returns the regular and the bold stack: the given fonts, then the embedded ones and those of a
// machine, which may be nil.
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

// all yields the fonts of the stack. Errors are skipped: a test opens the Chinese fonts.
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

// box is drawn for a character that no font has.
const box = '□'

// find returns the glyph of a rune and its font, or nil.
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

// font returns the font for a rune, or nil.
func (s Stack) font(r rune) *Font {
	f, _ := s.find(r)
	return f
}

// other returns a font for what the fonts of the stack lack, or nil.
func (s Stack) other(cluster []rune) *Font {
	if f := supplied(cluster, s.bold); f != nil {
		return f
	}
	return s.machine.font(cluster, s.bold)
}

// clusterFont returns the font that has all of a cluster, or nil.
func (s Stack) clusterFont(cluster []rune) *Font {
	switch {
	case len(cluster) == 1 && isolating(cluster[0]): // it is invisible
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

// glyph returns the glyph of a rune that is not shaped, and its font. It is a box if no font has the rune.
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

// Width returns the width of a text, in layout units.
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

// LineHeight returns the distance between the baselines of a paragraph.
func (f Face) LineHeight() float64 { return 1.3 * f.Size }

// Masks calls stamp with each glyph of a text and the position of its pen in pixels. A layout unit is scale
// pixels.
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

// Uniform reports whether a text is about equally wide in other fonts: fonts have all of it, and nothing in it
// is shaped.
func (f Face) Uniform(s string) bool {
	for _, r := range s {
		if shaped(r) || f.font(r) == nil {
			return false
		}
	}
	return true
}

// measured is a text split into clusters, with the start and the width of each.
type measured struct {
	runes  []rune
	starts []int // and the end
	widths []float64
	shaped bool // a part may be wider in a line by itself than in the text
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

// Wrap breaks s into lines no wider than width: after spaces, hyphens and the like, and between Chinese
// characters. fits is false if a word had to be cut.
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

// isSpaceless reports whether r belongs to a script without spaces between words. Breaking between words would
// need a dictionary, so lines break between syllables.
func isSpaceless(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Paragraph wraps prose into at most most lines. A text that is too long ends in an ellipsis.
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

// NameLines wraps a name into lines of similar length. A name that is too long loses its middle, because names
// of models differ at their ends.
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

// balanced returns the same number of lines, with the longest as short as possible.
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

// NameLine does what NameLines does for one line.
func (f Face) NameLine(s string, width float64) string {
	return strings.Join(f.NameLines(s, width, 1), "")
}
