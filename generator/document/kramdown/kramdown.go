// Package kramdown writes text, code and ids so that kramdown, with the GFM
// input that Jekyll 4.3 and 3.10 pass to it, shows them as CommonMark would, and
// so that Liquid, which Jekyll runs first, finds nothing to run.
//
// Where both can be had, what is written is CommonMark too. The reasons for
// each rule are in kramdown 2.4 (lib/kramdown/parser/kramdown/*.rb) and
// kramdown-parser-gfm 1.1, whose regular expressions the comments name.
package kramdown

import (
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/visible"
)

// hasLiquid reports whether Liquid would act on s.
func hasLiquid(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%")
}

// Inert makes Liquid print s as it is, whatever it is part of, by printing
// each of its opening marks. It serves where neither {% raw %} nor an entity
// can be.
func Inert(s string) string {
	return strings.NewReplacer("{{", `{{ "{{" }}`, "{%", `{{ "{%" }}`).Replace(s)
}

// Guard puts {% raw %} around s if Liquid would act on it; sep goes between
// the marks and s.
func Guard(s, sep string) string {
	switch {
	case !hasLiquid(s):
		return s
	case strings.Contains(s, "endraw"):
		return Inert(s)
	}
	return "{% raw %}" + sep + s + sep + "{% endraw %}"
}

// HeadingID returns the id kramdown makes for a heading of this text, before it
// numbers duplicates (GFM#generate_gfm_header_id).
func HeadingID(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == ' ' || r == '\t':
			b.WriteByte('-')
		case r == '-' || unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			b.WriteString(strings.ToLower(string(r)))
		}
	}
	return b.String()
}

// headerID is what may be in {#id} after a heading (HEADER_ID, whose name
// characters are XML's; these are a part of them).
var headerID = lazy.Regexp(`^[\p{L}_:][\p{L}\p{Nd}_:.-]*$`)

// HeadingMark returns what names a heading's id explicitly: " {#id}" for the end
// of its line, or an attribute list for the line below.
func HeadingMark(id string) (after, below string) {
	if headerID().MatchString(id) {
		return " {#" + id + "}", ""
	}
	return "", AttributeList("id", id)
}

// AttributeList returns {: name="value"} of pairs, "" for none. Names that
// kramdown cannot read are left out.
func AttributeList(pairs ...string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		if !attributeName().MatchString(pairs[i]) {
			continue
		}
		value := htmlText(pairs[i+1], Block)
		value = strings.NewReplacer("}", "&#125;", "\n", " ").Replace(value)
		b.WriteString(" " + pairs[i] + `="` + value + `"`)
	}
	if b.Len() == 0 {
		return ""
	}
	return "{:" + b.String() + "}"
}

// Scroll is the line below a table that has it scroll in itself where a column is narrow: not
// every theme does that.
const Scroll = `{: style="display: block; overflow-x: auto"}`

// ScrollNames is Scroll for a table of names and figures, in which no theme may set a Chinese name downwards, a letter
// a line.
const ScrollNames = `{: style="display: block; overflow-x: auto; word-break: keep-all"}`

var attributeName = lazy.Regexp(`^\w[\w-]*$`)

// FootnoteName reports whether kramdown can read [^name] (ALD_ID_NAME).
func FootnoteName(name string) bool { return attributeName().MatchString(name) }

// HTML escapes text for an element or an attribute in a block of HTML: entities where
// Liquid, kramdown or HTML would look for something to do.
func HTML(s string) string { return block.Replace(visible.Text(s)) }

var block = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&#34;", "'", "&#39;",
	"{", "&#123;", "*", "&#42;", "_", "&#95;", "`", "&#96;", "|", "&#124;", "\\", "&#92;", "\n", "&#10;")

// attributeList writes pairs of a name and a value for a tag.
func attributeList(pairs []string) string {
	var b strings.Builder
	for i := 0; i+1 < len(pairs); i += 2 {
		b.WriteString(" " + pairs[i] + `="` + htmlText(pairs[i+1], Block) + `"`)
	}
	return b.String()
}

// htmlText escapes text for HTML and for Liquid; in a table's cell for the
// splitting into cells too.
func htmlText(s string, place Place) string {
	s = visible.Text(s)
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			b.WriteString("&amp;")
		case c == '<':
			b.WriteString("&lt;")
		case c == '>':
			b.WriteString("&gt;")
		case c == '"':
			b.WriteString("&quot;")
		case c == '|' && place == Cell:
			b.WriteString("&#124;")
		case c == '{' && i+1 < len(s) && (s[i+1] == '{' || s[i+1] == '%'):
			b.WriteString("&#123;")
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
