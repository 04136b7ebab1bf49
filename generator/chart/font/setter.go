package font

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"golang.org/x/text/unicode/norm"
)

// Setter prepares texts for the fonts and records what the fonts lack.
type Setter struct {
	regular, bold Stack
	lang          string
	boxed, left   lacking
	borrowed      []borrowed
}

// borrowed is the clusters that are drawn in an installed font.
type borrowed struct {
	font *Font
	lacking
}

// lacking is a list of clusters that no font of the chart has, in the order in which they were met, and the
// first text with one of them.
type lacking struct {
	clusters []string
	text     string
}

// NewSetter returns a setter of texts in a language.
func NewSetter(regular, bold Stack, lang string) *Setter {
	return &Setter{regular: regular, bold: bold, lang: lang}
}

// equivalents replaces runes that a font lacks, without loss of meaning.
var equivalents = map[rune]string{
	'✅': "✓", '✔': "✓", '☑': "✓", '❌': "×", '✗': "×", '✘': "×", '✖': "×",
	'➜': "→", '➡': "→", '⟶': "→", '⬅': "←", '⬆': "↑", '⬇': "↓", '⭐': "★",
	'₀': "0", '₁': "1", '₂': "2", '₃': "3", '₄': "4", '₅': "5", '₆': "6", '₇': "7", '₈': "8", '₉': "9",
	'′': "'", '″': "\"", '‐': "-", '‑': "-", '‒': "–", '−': "-", '∶': ":", '⋅': "·", '∙': "·",
}

// The quotation marks of a Chinese font are as wide as a character.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "‘", "'", "’", "'")

// Clean returns s as one line, with white space collapsed and characters composed. It silently removes what has
// no meaning by itself: controls, direction marks, variation selectors, and joiners outside the scripts and
// emoji they join. It removes signs, accents and emoji without an equivalent with a warning. Letters that no
// font has stay, with a warning: a face draws a box for them, and a page has fonts of its own.
func (t *Setter) Clean(s string) string {
	if t.lang == "en" {
		s = straight.Replace(s)
	}
	if t.clean(s) {
		return s
	}
	runes := plain(s)
	var b strings.Builder
	starts := clusters(runes)
	for i, start := range starts[:len(starts)-1] {
		cluster := runes[start:starts[i+1]]
		r := cluster[0]
		switch {
		case r == ' ' && len(cluster) == 1:
			b.WriteRune(r)
		case t.has(cluster):
			t.borrow(cluster, s)
			b.WriteString(string(cluster))
		case len(cluster) == 1 && equivalents[r] != "" && t.has([]rune(equivalents[r])):
			b.WriteString(equivalents[r])
		case dispensable(r):
			t.left.add(cluster, s)
		case len(cluster) > 1 && t.has(cluster[:1]):
			b.WriteRune(r)
			for _, mark := range cluster[1:] {
				if !unseen(mark) {
					t.left.add([]rune{mark}, s)
				}
			}
		default:
			t.boxed.add(cluster, s)
			b.WriteString(string(cluster))
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// clean reports whether a text needs no changes.
func (t *Setter) clean(s string) bool {
	before := ' '
	for _, r := range s {
		switch {
		case r == ' ' && before == ' ', r == '’', r == utf8.RuneError, shaped(r):
			return false
		case r != ' ' && (!embedded(t.regular.font(r)) || !embedded(t.bold.font(r)) || !unicode.IsGraphic(r) || unicode.IsSpace(r)):
			return false
		}
		before = r
	}
	return before != ' ' || s == ""
}

// plain returns the composed runes of a text that are drawn.
func plain(s string) []rune {
	if !norm.NFC.IsNormalString(s) {
		s = norm.NFC.String(s)
	}
	runes := make([]rune, 0, len(s))
	before := ' '
	for _, r := range s {
		if r == '’' && before < 0x250 && unicode.IsLetter(before) {
			r = '\'' // an apostrophe
		}
		switch {
		case unicode.IsSpace(r):
			r = ' '
		case isolating(r), unseen(r) && (shaped(before) || unicode.In(before, unicode.S)):
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector):
			continue
		}
		before = r
		runes = append(runes, r)
	}
	return runes
}

// dispensable reports whether r is a sign, an accent or a private rune rather than a letter. Invalid UTF-8
// counts as a letter.
func dispensable(r rune) bool {
	return r != unicode.ReplacementChar && unicode.In(r, unicode.S, unicode.M, unicode.Co)
}

func (t *Setter) has(cluster []rune) bool {
	return t.regular.clusterFont(cluster) != nil && t.bold.clusterFont(cluster) != nil
}

// embedded reports whether a font is available on every machine: it is not an installed one.
func embedded(f *Font) bool { return f != nil && f.name == "" }

// borrow records a cluster that an installed font draws.
func (t *Setter) borrow(cluster []rune, text string) {
	f := t.regular.clusterFont(cluster)
	if embedded(f) {
		return
	}
	i := slices.IndexFunc(t.borrowed, func(b borrowed) bool { return b.font == f })
	if i < 0 {
		i = len(t.borrowed)
		t.borrowed = append(t.borrowed, borrowed{font: f})
	}
	t.borrowed[i].add(cluster, text)
}

// Sums identifies the installed fonts that were used, which may differ on another machine.
func (t *Setter) Sums() []string {
	var sums []string
	for _, b := range t.borrowed {
		sums = append(sums, b.font.sum)
	}
	return sums
}

func (l *lacking) add(cluster []rune, text string) {
	if len(l.clusters) == 0 {
		l.text = text
	}
	if name := fmt.Sprintf("%q (%U)", string(cluster), cluster[0]); !slices.Contains(l.clusters, name) && len(l.clusters) < mostLacking {
		l.clusters = append(l.clusters, name)
	}
}

// mostLacking is the number of clusters that are recorded; a warning names mostNamed of them.
const (
	mostLacking = 100
	mostNamed   = 5
)

// Warnings reports the characters that could not be drawn, and those drawn in installed fonts.
func (t *Setter) Warnings() []result.Message {
	var ms []result.Message
	add := func(text locale.Text) {
		ms = append(ms, result.Message{Severity: result.Warning, ID: "chart.rune", Text: text, Hint: locale.Textf("replace it, or name a font that has it")})
	}
	for _, b := range t.borrowed {
		ms = append(ms, result.Message{
			Severity: result.Warning,
			ID:       "chart.font",
			Text:     locale.Textf("%s in %q: drawn in the font %s of this machine; another machine may draw different bytes", locale.Few(b.clusters, mostNamed), shortened(b.text), b.font.name),
			Hint:     locale.Textf("copy the font into the site's folder and name it in font of [charts]"),
		})
	}
	if l := t.boxed; len(l.clusters) > 0 {
		add(locale.Textf("no font of the chart has %s, drawn as □ in %q", locale.Few(l.clusters, mostNamed), shortened(l.text)))
	}
	if l := t.left; len(l.clusters) > 0 {
		add(locale.Textf("no font of the chart has %s, left out of %q", locale.Few(l.clusters, mostNamed), shortened(l.text)))
	}
	return ms
}

// shortened returns the beginning of a text that is too long for a message.
func shortened(s string) string {
	const most = 80
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
