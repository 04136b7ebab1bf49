package kramdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/visible"
)

// Place is where inline content is written.
type Place int

const (
	Block   Place = iota // a paragraph, whose lines may look like other blocks
	Heading              // one line after #
	Cell                 // a table cell: one line between pipes
)

// Style is a kind of emphasis.
type Style uint8

const (
	Em Style = iota
	Strong
	Strike
)

var tagNames = [...]string{Em: "em", Strong: "strong", Strike: "del"}

type kind uint8

const (
	text   kind = iota // text for the reader
	markup             // Markdown, written as it is
	tag                // an HTML tag or comment of the author
	opens              // start of emphasis
	closes             // end of emphasis
	code
	formula
	brk // hard line break
)

type piece struct {
	kind   kind
	s      string
	style  Style
	mark   byte // the character that the author used, * or _
	mate   int  // index of the piece at the other end
	inHTML bool // inside an element whose content kramdown reads as HTML
	inLink bool
}

// Inline collects the inline content of one block and then writes it. The zero value is ready to use.
type Inline struct {
	Form   Form
	pieces []piece
	open   []int // indices of the emphasis that is not yet closed
	links  int
}

func (in *Inline) add(p piece) {
	p.inLink = in.links > 0
	in.pieces = append(in.pieces, p)
}

// Text adds text for the reader, which may contain newlines.
func (in *Inline) Text(s string) {
	if s == "" {
		return
	}
	s = visible.Text(s)
	if n := len(in.pieces); n > 0 && in.pieces[n-1].kind == text && in.pieces[n-1].inLink == (in.links > 0) {
		in.pieces[n-1].s += s
		return
	}
	in.add(piece{kind: text, s: s})
}

// Code adds inline code.
func (in *Inline) Code(s string) { in.add(piece{kind: code, s: visible.Text(s)}) }

// Formula adds TeX within a line.
func (in *Inline) Formula(tex string) { in.add(piece{kind: formula, s: visible.Text(tex)}) }

// Break adds a hard line break.
func (in *Inline) Break() { in.add(piece{kind: brk}) }

// Markup adds Markdown unchanged.
func (in *Inline) Markup(s string) { in.add(piece{kind: markup, s: s}) }

// Tag adds an HTML tag or comment unchanged.
func (in *Inline) Tag(s string) { in.add(piece{kind: tag, s: s}) }

// Start adds a start tag. attributes are pairs of a name and a value. Values are escaped.
func (in *Inline) Start(element string, attributes ...string) {
	in.Tag("<" + element + attributeList(attributes) + ">")
}

// End adds an end tag.
func (in *Inline) End(element string) { in.Tag("</" + element + ">") }

// Open begins emphasis. mark is the character that the author used.
func (in *Inline) Open(style Style, mark byte) {
	in.open = append(in.open, len(in.pieces))
	in.add(piece{kind: opens, style: style, mark: mark, mate: -1})
}

// Close ends the emphasis that was begun last.
func (in *Inline) Close() {
	i := in.open[len(in.open)-1]
	in.open = in.open[:len(in.open)-1]
	in.pieces[i].mate = len(in.pieces)
	in.add(piece{kind: closes, style: in.pieces[i].style, mate: i})
}

// OpenLink begins the text of a link.
func (in *Inline) OpenLink() {
	in.add(piece{kind: markup, s: "["})
	in.links++
}

// CloseLink ends a link. address is written unchanged (see Address).
func (in *Inline) CloseLink(address, title string) {
	in.links--
	in.add(piece{kind: markup, s: "](" + address + linkTitle(title) + ")"})
}

// Image adds an image. address is written unchanged (see Address).
func (in *Inline) Image(alt, address, title string) {
	in.add(piece{kind: markup, s: "![" + altText(alt) + "](" + address + linkTitle(title) + ")"})
}

// Append writes the content to dst and empties in.
func (in *Inline) Append(dst []byte, place Place) []byte {
	if in.Form == Jekyll {
		in.settleTags(place)
		in.settleEmphasis()
	} else {
		in.withoutTags()
		in.settleMarks()
	}
	start := len(dst)
	for i := range in.pieces {
		p := &in.pieces[i]
		switch p.kind {
		case text:
			if p.inHTML {
				dst = append(dst, htmlText(p.s, place)...)
				continue
			}
			var next byte
			if i+1 < len(in.pieces) {
				next = in.firstByte(i + 1)
			}
			e := escaper{dst: dst, start: start, s: p.s, next: next, last: i+1 == len(in.pieces), place: place, inLink: p.inLink, form: in.Form}
			dst = e.run()
		case code:
			dst = append(dst, codeSpan(p.s, place, in.Form)...)
		case formula:
			if in.Form == Jekyll && place == Block && len(dst) == start && in.firstByte(i+1) == '\n' { // alone in a block it would become a displayed formula
				dst = append(dst, '\\')
			}
			dst = append(dst, formulaSpan(p.s, in.Form)...)
		case brk:
			dst = trimSpaces(dst, start)
			switch {
			case place != Block && in.Form != Jekyll:
				dst = append(dst, ' ')
			case place != Block:
				dst = append(dst, "<br />"...)
			case in.Form != Jekyll && (len(dst) == start || dst[len(dst)-1] == '\n'):
			case in.Form == Plain: // two spaces at the end of a line are lost when text is pasted
				dst = append(dst, "\\\n"...)
			case len(dst) == start || dst[len(dst)-1] == '\n':
				dst = append(dst, "<br />\n"...)
			default:
				dst = append(dst, "  \n"...)
			}
		default:
			dst = append(dst, p.s...)
		}
	}
	in.pieces, in.open, in.links = in.pieces[:0], in.open[:0], 0
	return dst
}

// firstByte returns a byte that represents the beginning of a piece, a newline after the last piece.
func (in *Inline) firstByte(i int) byte {
	if i == len(in.pieces) {
		return '\n'
	}
	p := &in.pieces[i]
	switch {
	case p.kind == formula && in.Form == Hugo:
		return '\\'
	case in.Form == Jekyll && p.kind == code && hasLiquid(p.s):
		return '{' // of {% raw %}
	case p.kind == code:
		return '`'
	case p.kind == formula && (in.Form != Jekyll || !hasLiquid(p.s)):
		return '$'
	case p.kind == formula:
		return '{'
	case p.kind == brk:
		return '\n'
	case p.s == "":
		return 0
	}
	return p.s[0]
}

// settleEmphasis chooses between marks and HTML elements. kramdown does not nest emphasis in emphasis of the
// same style, and reads adjacent marks differently from CommonMark. CommonMark does not read marks with
// punctuation on the inner side and a letter on the outer side.
func (in *Inline) settleEmphasis() {
	var depth [3]int
	for i := range in.pieces {
		p := &in.pieces[i]
		if p.kind == closes {
			depth[p.style]--
			continue
		}
		if p.kind != opens {
			continue
		}
		j := p.mate
		q := &in.pieces[j]
		before, first := in.runeBefore(i), in.runeAfter(i)
		last, after := in.runeBefore(j), in.runeAfter(j)
		touches := in.isEmphasis(i-1) || in.isEmphasis(i+1) || in.isEmphasis(j-1) || in.isEmphasis(j+1)
		marks := depth[p.style] == 0 && !touches &&
			(!isPunct(first) || !isWord(before)) && (!isPunct(last) || !isWord(after)) &&
			!unicode.IsSpace(first) && !unicode.IsSpace(last)
		depth[p.style]++
		if p.style == Strike {
			// STRIKETHROUGH_MATCH ends at the next ~~, whatever is between.
			for k := i + 1; k < j; k++ {
				marks = marks && !strings.Contains(in.pieces[k].s, "~")
			}
		}
		if !marks {
			p.s, q.s = "<"+tagNames[p.style]+">", "</"+tagNames[p.style]+">"
			continue
		}
		mark := "*"
		switch {
		case p.style == Strike:
			mark = "~~"
		case p.mark == '_' && !isWord(before) && !isWord(after) && before != '-':
			mark = "_"
		}
		if p.style == Strong {
			mark += mark
		}
		p.s, q.s = mark, mark
	}
}

func (in *Inline) isEmphasis(i int) bool {
	return i >= 0 && i < len(in.pieces) && (in.pieces[i].kind == opens || in.pieces[i].kind == closes)
}

// runeBefore returns the last rune before piece i, a space at the start.
func (in *Inline) runeBefore(i int) rune {
	if i == 0 {
		return ' '
	}
	switch p := &in.pieces[i-1]; p.kind {
	case text:
		r, _ := utf8.DecodeLastRuneInString(p.s)
		return r
	case brk:
		return ' '
	}
	return '*' // some punctuation
}

// runeAfter returns the first rune after piece i, a space at the end.
func (in *Inline) runeAfter(i int) rune {
	if i+1 == len(in.pieces) {
		return ' '
	}
	switch p := &in.pieces[i+1]; p.kind {
	case text:
		r, _ := utf8.DecodeRuneInString(p.s)
		return r
	case brk:
		return ' '
	}
	return '*'
}

func isPunct(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
func isWord(r rune) bool  { return !unicode.IsSpace(r) && !isPunct(r) }
