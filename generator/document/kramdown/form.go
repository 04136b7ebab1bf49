package kramdown

import (
	"html"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Form is the reader for which Markdown is written.
type Form int

const (
	Jekyll Form = iota // kramdown, after Liquid
	Hugo               // goldmark, which omits HTML, after shortcodes
	Plain              // readers of CommonMark with tables, perhaps without HTML: code hosts, wikis, editors of other sites
)

// OpenParam and CommentParam are names of page parameters. Hugo acts on {{<, {{% and <!-- everywhere, also in
// code, so code contains shortcodes that print these parameters instead (see inertCode).
const (
	OpenParam    = "benchpost.open"
	CommentParam = "benchpost.comment"
)

var hugoActs = strings.NewReplacer("{{<", `{{< param "`+OpenParam+`" >}}<`, "{{%", `{{< param "`+OpenParam+`" >}}%`,
	"<!--", `{{< param "`+CommentParam+`" >}}`)

// inertCode returns code in which Hugo finds no shortcode of the author and no end of a summary.
func inertCode(s string, form Form) string {
	if form != Hugo || !strings.Contains(s, "{{<") && !strings.Contains(s, "{{%") && !strings.Contains(s, "<!--more") {
		return s
	}
	return hugoActs.Replace(s)
}

// styleOf maps elements to the emphasis that Markdown has for them.
var styleOf = map[string]Style{"strong": Strong, "b": Strong, "em": Em, "i": Em, "del": Strike, "s": Strike, "strike": Strike}

var (
	codeElements = set("code kbd samp tt")
	attribute    = lazy.Regexp(`(?i)\s(title|href|src|alt)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// withoutTags replaces tags by Markdown and plain text, for readers that would omit HTML. The title of a span
// follows it in parentheses. Superscripts and subscripts are written with the corresponding Unicode characters.
func (in *Inline) withoutTags() {
	type opened struct {
		name  string
		at    int // index of the next piece in out
		after string
	}
	var stack []opened
	var out []piece
	for _, p := range in.pieces {
		if p.kind != tag {
			out = append(out, p)
			continue
		}
		t, values := ParseTag(p.s), map[string]string{}
		for _, m := range attribute().FindAllStringSubmatch(p.s, -1) {
			values[strings.ToLower(m[1])] = html.UnescapeString(m[2] + m[3])
		}
		style, isStyle := styleOf[t.Name]
		switch {
		case t.Name == "br":
			out = append(out, piece{kind: brk})
		case t.Name == "img":
			out = append(out, piece{kind: markup, s: "![" + altText(values["alt"]) + "](" + Address(values["src"]) + ")"})
		case t.Name == "" || t.Whole || t.Void:
		case !t.Close:
			o := opened{name: t.Name, at: len(out)}
			switch {
			case isStyle:
				out = append(out, piece{kind: opens, style: style, mark: '*'})
			case t.Name == "a" && values["href"] != "":
				out = append(out, piece{kind: markup, s: "["})
				o.after = "](" + Address(values["href"]) + ")"
			case values["title"] != "":
				o.after = " (" + values["title"] + ")"
			}
			stack = append(stack, o)
		default:
			i := len(stack) - 1
			for i >= 0 && stack[i].name != t.Name {
				i--
			}
			if i < 0 {
				break
			}
			o := stack[i]
			stack = slices.Delete(stack, i, i+1)
			inner := out[o.at:]
			switch {
			case isStyle:
				out = append(out, piece{kind: closes, style: style})
			case codeElements[t.Name] && len(inner) == 1 && inner[0].kind == text:
				inner[0].kind = code
			case t.Name == "sup" || t.Name == "sub":
				for k := range inner {
					if inner[k].kind == text {
						inner[k].s = shift(inner[k].s, t.Name == "sup")
					}
				}
			case strings.HasPrefix(o.after, "]("):
				out = append(out, piece{kind: markup, s: o.after})
			case o.after != "":
				out = append(out, piece{kind: text, s: o.after})
			}
		}
	}
	in.pieces = joinTexts(out)
}

// joinTexts joins adjacent texts into one piece, because escaping depends on neighbouring characters.
func joinTexts(pieces []piece) []piece {
	var out []piece
	for _, p := range pieces {
		if n := len(out); n > 0 && p.kind == text && out[n-1].kind == text && p.inLink == out[n-1].inLink {
			out[n-1].s += p.s
			continue
		}
		out = append(out, p)
	}
	return out
}

const (
	plainSigns   = "0123456789+-=()abcdefghijklmnoprstuvwxyz"
	raisedSigns  = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
	loweredSigns = "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎"
)

// shift returns text as superscript or subscript characters. If a character has no such form, it returns the
// text in parentheses.
func shift(s string, up bool) string {
	signs := []rune(loweredSigns)
	if up {
		signs = []rune(raisedSigns)
	}
	var b strings.Builder
	for _, r := range s {
		i := strings.IndexRune(plainSigns, r)
		switch {
		case i >= 0 && i < len(signs):
			b.WriteRune(signs[i])
		case up && (r == ',' || r == '*'):
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteRune(r)
		default:
			return "(" + s + ")"
		}
	}
	return b.String()
}

// settleMarks writes emphasis with marks only. Between punctuation and a letter CommonMark would not read the
// marks, so it adds a space. Empty emphasis and emphasis inside emphasis of the same style get no marks.
func (in *Inline) settleMarks() {
	in.open = in.open[:0]
	for i := range in.pieces {
		p := &in.pieces[i]
		switch p.kind {
		case opens:
			p.mate = -1
			in.open = append(in.open, i)
		case closes:
			k := len(in.open) - 1
			for k >= 0 && in.pieces[in.open[k]].style != p.style {
				k--
			}
			p.mate = -1
			if k >= 0 {
				p.mate = in.open[k]
				in.pieces[p.mate].mate = i
				in.open = in.open[:k] // emphasis still open inside it has no end
			}
		}
	}
	var depth [3]int
	for i := range in.pieces {
		p := &in.pieces[i]
		if p.kind == closes && p.mate >= 0 {
			depth[p.style]--
		}
		if p.kind != opens || p.mate < 0 {
			continue
		}
		q := &in.pieces[p.mate]
		before, first, last, after := in.runeBefore(i), in.runeAfter(i), in.runeBefore(p.mate), in.runeAfter(p.mate)
		depth[p.style]++
		if depth[p.style] > 1 || p.mate == i+1 || unicode.IsSpace(first) || unicode.IsSpace(last) {
			continue
		}
		mark := "*"
		switch {
		case p.style == Strike:
			mark = "~~"
		case p.style == Strong:
			mark = "**"
		case (p.mark == '_' || in.isEmphasis(i-1) || in.isEmphasis(i+1)) && !isWord(before) && !isWord(after):
			mark = "_"
		}
		p.s, q.s = mark, mark
		if isPunct(first) && isWord(before) {
			p.s = " " + mark
		}
		if isPunct(last) && isWord(after) {
			q.s = mark + " "
		}
	}
}
