package importer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
)

// heading returns the level and the words of line i if that is a Markdown heading, level 0 otherwise.
func (r *reader) heading(i int, fences []fence) (int, string) {
	if fences[i].fenced || fences[i].mark {
		return 0, ""
	}
	text := strings.TrimRight(r.lines[i], " \t")
	if m := atxHeading().FindStringSubmatch(text); m != nil {
		// A line with a single # may be a shell comment in a text that lost its fences.
		if level := len(m[1]); level > 1 || r.edge(i-1, fences) || r.edge(i+1, fences) {
			return level, cleanTitle(m[2])
		}
		return 0, ""
	}
	if i+1 < len(r.lines) && isUnderline(strings.TrimSpace(r.lines[i+1])) && r.edge(i-1, fences) &&
		!isItem(text) && !isUnderline(strings.TrimSpace(text)) && strings.TrimSpace(text) != "" && !strings.Contains(text, "|") &&
		utf8.RuneCountInString(text) <= maxTitle && !r.inResult(i+2) {
		if strings.HasPrefix(strings.TrimSpace(r.lines[i+1]), "=") {
			return 1, cleanTitle(text)
		}
		return 2, cleanTitle(text)
	}
	return 0, ""
}

// edge reports whether line i separates its neighbours: it is blank, a fence, a rule, part of a result, or outside the
// text.
func (r *reader) edge(i int, fences []fence) bool {
	if i < 0 || i >= len(r.lines) || fences[i].mark || r.inResult(i+1) {
		return true
	}
	text := strings.TrimSpace(r.lines[i])
	return text == "" || isUnderline(text)
}

// inResult reports whether a line, counted from 1, is part of a result.
func (r *reader) inResult(line int) bool {
	i, ok := slices.BinarySearchFunc(r.results, line, func(res result.Result, line int) int { return res.Source.Line - line })
	return ok || i > 0 && r.results[i-1].EndLine >= line
}

// frontMatter reads the date in a post's front matter and returns the index of the line after it.
func (r *reader) frontMatter() int {
	if strings.TrimSpace(r.lines[0]) != "---" {
		return 0
	}
	for i := 1; i < len(r.lines) && !r.inResult(i+1); i++ {
		switch strings.TrimSpace(r.lines[i]) {
		case "---", "...":
			for n, line := range r.lines[1:i] {
				if m := postDate().FindStringSubmatch(line); m != nil {
					r.say(fact{facet: facet{label: "published", value: m[1]}, kind: statement, line: n + 2})
				}
			}
			return i + 1
		}
	}
	return 0
}

var (
	atxHeading = lazy.Regexp(`^ {0,3}(#{1,6})[ \t]+(.*)$`)
	postDate   = lazy.Regexp(`^date:\s*["']?(\d{4}-\d{2}-\d{2})\b`)
	underline  = lazy.Regexp(`^(={3,}|-{3,})$`)
	listItem   = lazy.Regexp(`^(?:[-*+]\s|[•·]|\(?\d{1,2}[.)、](?:\D|$))\s*`)
	fenceMark  = lazy.Regexp("^[>\\s]*(`{3,}|~{3,})\\s*([^`]*)$")
)

func isUnderline(text string) bool { return underline().MatchString(text) }
func isItem(text string) bool      { return listItem().MatchString(text) }

// fence says whether a line is in a fenced block.
type fence struct {
	mark    bool // the line itself is a ``` or ~~~
	fenced  bool
	results bool // the block contains a result
}

// findFences pairs the fences of a text. It ignores a fence that is never closed, because the text of a page may have
// lost the other one.
func findFences(lines []string) []fence {
	fences := make([]fence, len(lines))
	open, mark := -1, ""
	for i, line := range lines {
		m := fenceMark().FindStringSubmatch(line)
		switch {
		case m == nil:
		case open >= 0 && m[2] == "" && strings.HasPrefix(m[1], mark):
			inside := fence{fenced: true, results: strings.Contains(strings.Join(lines[open:i], "\n"), "Successful requests")}
			for n := open + 1; n < i; n++ {
				fences[n] = inside
			}
			fences[open].mark, fences[i].mark = true, true
			open = -1
		default:
			open, mark = i, m[1]
		}
	}
	return fences
}
