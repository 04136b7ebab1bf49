package chart

import (
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// How far letters reach above and below the baseline, and the middle of
// capitals, digits and Chinese characters, as parts of the font size.
const (
	ascent  = 0.88
	descent = 0.22
	middle  = 0.37
)

// weight is a stack of fonts: a rune is taken from the first that has it.
type weight []*Font

func (w weight) font(r rune) *Font {
	for _, f := range w {
		if f.has(r) {
			return f
		}
	}
	return w[len(w)-1]
}

// face is a weight at a size in layout units.
type face struct {
	weight
	size float64
	bold bool
}

func (f face) width(s string) float64 {
	em := 0.0
	for _, r := range s {
		width, _ := f.font(r).advance(r)
		em += width
	}
	return em * f.size
}

// lineHeight is the distance of baselines in a paragraph.
func (f face) lineHeight() float64 { return 1.3 * f.size }

// box is the room a line of text takes.
func (f face) box(s string, left, baseline float64) box {
	return box{left, baseline - ascent*f.size, left + f.width(s), baseline + descent*f.size}
}

// equivalents stand in for runes a font lacks; nothing is lost by them.
var equivalents = map[rune]string{
	'✅': "✓", '✔': "✓", '☑': "✓", '❌': "×", '✗': "×", '✘': "×", '✖': "×",
	'➜': "→", '➡': "→", '⟶': "→", '⬅': "←", '⬆': "↑", '⬇': "↓", '⭐': "★",
	'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9",
	'′': "'", '″': "\"", '‐': "-", '‑': "-", '‒': "–", '−': "-", '∶': ":", '⋅': "·", '∙': "·",
}

// typesetter makes texts fit for the fonts and remembers what they lack.
type typesetter struct {
	regular, bold weight
	lang          string
	missing       []rune
}

// The quotation marks of a Chinese font are as wide as a character.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'")

// clean returns s in one line, with white space collapsed and every rune in the
// fonts. What says nothing by itself (joiners, variation selectors) goes
// quietly, signs and emoji without an equivalent go with a warning, and
// letters become question marks with a warning.
func (t *typesetter) clean(s string) string {
	if t.lang == "en" {
		s = straight.Replace(s)
	}
	var b strings.Builder
	before := ' '
	for _, r := range s {
		if r == '’' && before < 0x250 && unicode.IsLetter(before) {
			r = '\'' // an apostrophe
		}
		before = r
		switch {
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
		case t.has(r):
			b.WriteRune(r)
		case equivalents[r] != "" && t.has([]rune(equivalents[r])[0]):
			b.WriteString(equivalents[r])
		default:
			if !slices.Contains(t.missing, r) {
				t.missing = append(t.missing, r)
			}
			if !dispensable(r) {
				b.WriteByte('?')
			}
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// dispensable tells signs, accents and private runes from letters. What is not
// UTF-8 stands for a letter.
func dispensable(r rune) bool {
	return r != unicode.ReplacementChar && unicode.In(r, unicode.S, unicode.M, unicode.Co)
}

func (t *typesetter) has(r rune) bool {
	return t.regular.font(r).has(r) && t.bold.font(r).has(r)
}

// warnings names the runes that could not be drawn.
func (t *typesetter) warnings() []result.Message {
	var ms []result.Message
	for _, r := range t.missing {
		text := locale.Textf("the chart's font lacks %U %q, which was drawn as ?", r, r)
		if dispensable(r) {
			text = locale.Textf("the chart's font lacks %U %q, which was left out", r, r)
		}
		ms = append(ms, result.Message{
			Severity: result.Warning,
			ID:       "chart.rune",
			Text:     text,
			Hint:     locale.Textf("write it otherwise, or name a font that has it"),
		})
	}
	return ms
}

// wrap breaks s into lines no wider than width. It breaks after spaces,
// hyphens and the like and between Chinese characters; fits is false when that
// does not do and a word had to be cut.
func wrap(s string, f face, width float64) (lines []string, fits bool) {
	fits = true
	runes := []rune(s)
	start, breakAt := 0, 0
	w := 0.0
	for i := 0; i < len(runes); i++ {
		if i > start && breaksBetween(runes[i-1], runes[i]) {
			breakAt = i
		}
		advance := f.width(string(runes[i]))
		if w+advance > width && i > start && runes[i] != ' ' {
			if breakAt == start {
				breakAt, fits = i, false
			}
			lines = append(lines, strings.TrimSpace(string(runes[start:breakAt])))
			start, i, w = breakAt, breakAt-1, 0
			continue
		}
		w += advance
	}
	if rest := strings.TrimSpace(string(runes[start:])); rest != "" {
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
	case strings.ContainsRune("（《「『【([{", a):
		return false
	case strings.ContainsRune("-_/，。、；：！？）》」』】·", a):
		return true
	}
	return isWide(a) || isWide(b)
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x30ff || r >= 0xff00 && r <= 0xffef
}

// paragraph wraps prose; what is too long for the lines ends in an ellipsis.
func paragraph(s string, f face, width float64, most int) []string {
	lines, _ := wrap(s, f, width)
	if len(lines) <= most {
		return lines
	}
	lines = lines[:most]
	last := []rune(lines[most-1])
	for len(last) > 0 && f.width(string(last)+"…") > width {
		last = last[:len(last)-1]
	}
	lines[most-1] = strings.TrimSpace(string(last)) + "…"
	return lines
}

// nameLines wraps a name; one that is too long loses its middle, since names
// of models differ at their ends.
func nameLines(s string, f face, width float64, most int) []string {
	if lines, fits := wrap(s, f, width); fits && len(lines) <= most {
		return lines
	}
	runes := []rune(s)
	var best []string
	for low, high := 0, len(runes)-1; low <= high; {
		keep := (low + high) / 2
		short := string(runes[:(keep+1)/2]) + "…" + string(runes[len(runes)-keep/2:])
		if lines, _ := wrap(short, f, width); len(lines) <= most {
			best, low = lines, keep+1
		} else {
			high = keep - 1
		}
	}
	return best
}

// nameLine is nameLines in one line.
func nameLine(s string, f face, width float64) string {
	return strings.Join(nameLines(s, f, width, 1), "")
}
