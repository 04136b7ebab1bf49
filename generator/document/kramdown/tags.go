package kramdown

import (
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
)

// spanElements are the elements that kramdown allows in running text (HTML_SPAN_ELEMENTS). All others begin a
// block if they begin a line.
var spanElements = set(`a abbr acronym b big bdo br button cite code del dfn em i img input
	ins kbd label mark option q rb rbc rp rt rtc ruby samp select small
	span strong sub sup tt u var`)

// rawElements are the elements whose content kramdown does not read as Markdown.
var rawElements = set("script style math option textarea pre code kbd samp var select")

// voidElements are the elements without an end tag.
var voidElements = set("area base br col embed hr img input link meta param source track wbr")

// liquid escapes the opening marks of Liquid in an attribute. It replaces both braces of a pair, because the
// second could open a tag together with the next character.
var liquid = strings.NewReplacer("{{", "&#123;&#123;", "{%", "&#123;%")

func set(words string) map[string]bool {
	m := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

var (
	tagName = lazy.Regexp(`^<(/?)([A-Za-z][A-Za-z0-9-]*)`)

	// wellFormed matches what kramdown reads as a tag (HTML_TAG_RE, HTML_TAG_CLOSE_RE). An attribute value
	// without quotes must be a word.
	wellFormed = lazy.Regexp(`(?s)^<(?:/[A-Za-z][\w-]*\s*|[A-Za-z][\w-]*(?:\s+[A-Za-z_][\w:.-]*(?:\s*=\s*(?:[\p{L}\p{M}\p{Nd}\p{Pc}]+|"[^"]*"|'[^']*'))?)*\s*/?)>$`)

	// markdownAttribute is the attribute that makes kramdown read Markdown in an element.
	markdownAttribute = lazy.Regexp(`(?i)\s+markdown\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>/]+)`)
)

// nomarkdown wraps HTML so that kramdown passes it through unread.
func nomarkdown(s string) string { return "{::nomarkdown}" + s + "{:/}" }

// settleTags decides for each tag whether kramdown reads it as intended. It makes kramdown pass all other tags
// through unread.
func (in *Inline) settleTags(place Place) {
	type opened struct {
		name  string
		index int
	}
	var stack []opened
	settle := func(i int, ok bool) {
		s := strings.ReplaceAll(in.pieces[i].s, "\n", " ")
		if place == Cell {
			s = strings.ReplaceAll(s, "|", "&#124;")
		}
		s = liquid.Replace(s)
		if ok {
			s = markdownAttribute().ReplaceAllString(s, "")
		} else {
			s = nomarkdown(s)
		}
		in.pieces[i].s = s
	}
	pair := func(from, to int, name string) {
		ok := spanElements[name] && wellFormed().MatchString(in.pieces[from].s) &&
			in.pieces[from].inLink == in.pieces[to].inLink
		raw := rawElements[name]
		for k := from + 1; raw && k < to; k++ {
			ok = ok && in.pieces[k].kind == text
		}
		for k := from + 1; raw && ok && k < to; k++ {
			in.pieces[k].inHTML = true
		}
		settle(from, ok)
		settle(to, ok)
	}
	for i := range in.pieces {
		p := &in.pieces[i]
		switch p.kind {
		case opens:
			stack = append(stack, opened{"", i})
			continue
		case closes: // an element cannot extend beyond the end of emphasis
			for len(stack) > 0 {
				top := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if top.index == p.mate {
					break
				}
				settle(top.index, false)
			}
			continue
		case tag:
		default:
			continue
		}
		m := tagName().FindStringSubmatch(p.s)
		if m == nil {
			settle(i, strings.HasPrefix(p.s, "<!--"))
			continue
		}
		name := strings.ToLower(m[2])
		switch {
		case m[1] == "/":
			if n := len(stack); n > 0 && stack[n-1].name == name {
				pair(stack[n-1].index, i, name)
				stack = stack[:n-1]
			} else {
				settle(i, false)
			}
		case voidElements[name]:
			settle(i, spanElements[name] && wellFormed().MatchString(p.s))
		default:
			stack = append(stack, opened{name, i})
		}
	}
	for _, o := range stack {
		if o.name != "" {
			settle(o.index, false)
		}
	}
}

// Tag is how kramdown reads a tag, a comment, or an element with non-HTML content in an HTML block.
type Tag struct {
	Name  string
	Close bool // an end tag
	Void  bool // without an end tag
	Whole bool // a comment or a whole element such as <pre>…</pre>
	Block bool // kramdown reads it as a block
}

// ParseTag parses a tag.
func ParseTag(s string) Tag {
	if strings.HasPrefix(s, "<!--") {
		return Tag{Whole: true, Block: true}
	}
	m := tagName().FindStringSubmatch(s)
	if m == nil {
		return Tag{Whole: true}
	}
	t := Tag{Name: strings.ToLower(m[2]), Close: m[1] == "/"}
	t.Void = voidElements[t.Name]
	end := strings.IndexByte(s, '>') + 1
	t.Whole = strings.HasSuffix(s, ">") && strings.Contains(s[1:], "</")
	t.Block = !spanElements[t.Name] && (t.Whole && wellFormed().MatchString(s[:end]) || wellFormed().MatchString(s))
	return t
}

// MarkTag removes the attribute markdown from a tag. If the element is left open, it adds one that makes
// kramdown read the element's content.
func MarkTag(s string, open bool) string {
	s = markdownAttribute().ReplaceAllString(s, "")
	if !open {
		return s
	}
	value := "block"
	if blockElements[ParseTag(s).Name] {
		value = "1"
	}
	return strings.TrimSuffix(s, ">") + ` markdown="` + value + `">`
}

// blockElements are the elements whose content kramdown reads as blocks if markdown="1" is set
// (HTML_CONTENT_MODEL_BLOCK).
var blockElements = set(`address applet article aside blockquote body dd details div dl fieldset
	figure figcaption footer form header hgroup iframe li main map menu nav noscript object section
	summary td`)
