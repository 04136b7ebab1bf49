package meta

import (
	"html"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/lazy"
)

// Lengths of descriptions, in characters.
const (
	shortest = 200  // shown by search engines and previews
	longest  = 5000 // maximum length for data set search
	least    = 50   // minimum length for data set search
)

var (
	element = lazy.Regexp(`(?s)<!--.*?-->|<script\b.*?</script>|<style\b.*?</style>|<figure\b.*?</figure>|<table\b.*?</table>|<svg\b.*?</svg>|<sup\b.*?</sup>|<[a-zA-Z/!][^>]*>`)
	ends    = lazy.Regexp(`</(?:p|li|h[1-6]|div)>|<br\b[^>]*>`)
	first   = lazy.Regexp(`(?s)<p>(.*?)</p>`)
)

// Plain returns the text of HTML as one line, without tables, pictures and notes.
func Plain(markup string) string {
	of := func(r *lazy.Pattern, with string) { markup = r.ReplaceAllString(markup, with) }
	of(ends(), " ")
	of(element(), "")
	return clean(html.UnescapeString(markup))
}

// Paragraph returns the first paragraph of HTML, "" for none.
func Paragraph(markup string) string {
	if m := first().FindStringSubmatch(markup); m != nil {
		return m[1]
	}
	return ""
}

// Short shortens a text to most characters in one line, with an ellipsis. It cuts at the end of a word if words are
// separated by spaces.
func Short(text string, most int) string {
	line := []rune(clean(text))
	if len(line) <= most {
		return string(line)
	}
	cut := most - 1
	for back := cut; back > most*3/4; back-- {
		if unicode.IsSpace(line[back]) {
			cut = back
			break
		}
	}
	return strings.TrimRightFunc(string(line[:cut]), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }) + "…"
}

// described returns a description of at most the maximum length.
func described(text string) string { return Short(text, longest) }

// between returns a description with the length that a data set needs. If the text is too short, it appends the
// sentence about such data.
func between(text, about string) string {
	text = clean(text)
	if len([]rune(text)) < least {
		text = strings.TrimSpace(text + " " + clean(about))
	}
	return described(text)
}
