// Package kramdown writes text, code and ids for kramdown with the GFM input that Jekyll 4.3 and 3.10 use.
// kramdown shows them as CommonMark would, and Liquid, which Jekyll runs first, finds nothing to run.
//
// Where possible, the output is CommonMark too. The reasons for each rule are in kramdown 2.4
// (lib/kramdown/parser/kramdown/*.rb) and kramdown-parser-gfm 1.1. The comments name their regular expressions.
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

// Inert makes Liquid print s unchanged, wherever it is, by printing each opening mark with {{ }}. It is used
// where neither {% raw %} nor an entity is possible.
func Inert(s string) string {
	return strings.NewReplacer("{{", `{{ "{{" }}`, "{%", `{{ "{%" }}`).Replace(s)
}

// Guard puts s inside {% raw %} if Liquid would act on it, with sep between the marks and s.
func Guard(s, sep string) string {
	switch {
	case !hasLiquid(s):
		return s
	case strings.Contains(s, "endraw"):
		return Inert(s)
	}
	return "{% raw %}" + sep + s + sep + "{% endraw %}"
}

// HeadingID returns the id that kramdown makes for a heading with this text, before it numbers duplicates
// (GFM#generate_gfm_header_id).
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

// headerID matches the ids that may be written as {#id} after a heading. It accepts a subset of HEADER_ID,
// which allows the name characters of XML.
var headerID = lazy.Regexp(`^[\p{L}_:][\p{L}\p{Nd}_:.-]*$`)

// HeadingMark returns the Markdown that sets a heading's id: either " {#id}" for the end of its line, or an
// attribute list for the line below.
func HeadingMark(id string) (after, below string) {
	if headerID().MatchString(id) {
		return " {#" + id + "}", ""
	}
	return "", AttributeList("id", id)
}

// AttributeList returns pairs of a name and a value as {: name="value"}, or "" if there are none. It omits
// names that kramdown cannot read.
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

// Scroll is the line below a table that makes it scroll horizontally in a narrow column. Not every theme does
// that.
const Scroll = `{: style="display: block; overflow-x: auto"}`

// ScrollNames does what [Scroll] does, for a table of names and figures. It also prevents themes from breaking
// a Chinese name after every character.
const ScrollNames = `{: style="display: block; overflow-x: auto; word-break: keep-all"}`

var attributeName = lazy.Regexp(`^\w[\w-]*$`)

// FootnoteName reports whether kramdown can read [^name] (ALD_ID_NAME).
func FootnoteName(name string) bool { return attributeName().MatchString(name) }

// HTML escapes text for an element or an attribute of an HTML block. It uses entities for all characters that
// Liquid, kramdown or HTML would interpret.
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

// htmlText escapes text for HTML and Liquid. In a table cell it also escapes pipes.
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
