package format

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// The title above a table in a page says what the table is about: "## before", "**CUDA**", "this PR:", a banner of a
// script. Results with equal labels in different sections are different runs. The titles become the label section of
// all results of the file, with the smallest number of title levels that distinguishes the results. Titles that only
// count or date a run, such as "Run 2", are ignored, so that such runs remain repeats.

// title is a line that describes the lines below it.
type title struct {
	line     int
	level    titleLevel
	from, to int    // range in titles.words
	text     string // set once results were found
}

type titleLevel uint8

const ( // headings are 1 to 6
	titleSummary titleLevel = iota + 7 // of <details>
	titleBanner                        // "=== CUDA ==="
	titleBold                          // a line that consists of bold text
	titleLead                          // the line directly above a table or a quotation
	titleLevels
)

const (
	maxTitles    = 4096 // per file
	maxTitle     = 100  // bytes of a title
	maxLeadWords = 6
)

// titles finds the titles of a text, line by line.
type titles struct {
	all    []title
	words  []byte
	fenced bool   // inside a quotation
	table  bool   // the last line was a row between bars
	last   []byte // the last line with a word in it; empty if it is too long for a title, or no longer needed
	at     int    // line number of last
	blanks int    // number of blank lines since last
}

func (t *titles) reset() { *t = titles{all: t.all[:0], words: t.words[:0], last: t.last[:0]} }

// line handles the next line of the text.
func (t *titles) line(text []byte, number int) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 {
		t.table = false
		t.blanks++
		return
	}
	var row, fence, quotes bool
	switch text[0] {
	case '|':
		row = true
	case '<':
		row, quotes = bytes.HasPrefix(text, []byte("<table")), bytes.HasPrefix(text, []byte("<pre"))
	case "┏"[0]:
		row = bytes.HasPrefix(text, []byte("┏"))
	case '`', '~':
		fence = bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~"))
	}
	switch {
	case fence && t.fenced:
		t.fenced = false
	case fence || row && !t.table || quotes:
		t.lead(row)
		t.fenced = t.fenced || fence
	case row:
	case !t.fenced && isUnderline(text):
		if t.blanks == 0 && t.at == number-1 && isLead(t.last, false) {
			level := titleLevel(1)
			if text[0] == '-' {
				level = 2
			}
			t.add(level, t.last, t.at)
		}
	default:
		t.heading(text, number)
	}
	if t.table, t.last = row, t.last[:0]; row || fence {
		return
	}
	if t.at, t.blanks = number, 0; len(text) <= maxTitle {
		t.last = append(t.last, text...)
	}
}

// heading adds a line that is a title by its own form.
func (t *titles) heading(text []byte, number int) {
	switch text[0] {
	case '#', '=', '-', '*', '~', '+', '_', '>', '<':
	case "━"[0]: // also the first byte of "─"
		if !bytes.HasPrefix(text, []byte("━")) && !bytes.HasPrefix(text, []byte("─")) {
			return
		}
	default:
		return
	}
	if len(text) > 4*maxTitle {
		return
	}
	switch {
	case text[0] == '<':
		if m := titleTag().FindSubmatch(text); m != nil {
			level := titleBold
			switch tag := bytes.ToLower(m[1]); {
			case string(tag) == "summary":
				level = titleSummary
			case tag[0] == 'h':
				level = titleLevel(tag[1] - '0')
			}
			t.add(level, m[2], number)
		} else if bytes.HasPrefix(bytes.ToLower(text), []byte("</details")) {
			t.add(titleSummary, nil, number)
		}
	default:
		if level, words := hashTitle(text); level > 0 && !t.fenced {
			t.add(level, words, number)
		} else if words := boldTitle(text); len(words) > 0 && !t.fenced {
			t.add(titleBold, words, number)
		} else if words := banner(text); len(words) > 0 {
			t.add(titleBanner, words, number)
		}
	}
}

var titleTag = lazy.Regexp(`(?i)^<(h[1-6]|summary|b|strong)(?:\s[^>]*)?>(.*?)</(?:h[1-6]|summary|b|strong)>\s*:?\s*(?:<[^>]*>\s*)*$`)

// hashTitle returns the level and the words of "## words ##", and level 0 for other lines.
func hashTitle(text []byte) (titleLevel, []byte) {
	words := bytes.TrimLeft(text, "#")
	level := len(text) - len(words)
	if level < 1 || level > 6 || len(words) == 0 || words[0] != ' ' && words[0] != '\t' {
		return 0, nil
	}
	return titleLevel(level), bytes.Trim(bytes.TrimRight(words, "#"), " \t")
}

// boldTitle returns the words of a line that is entirely bold, with or without a colon at its end. It returns nil for
// other lines.
func boldTitle(text []byte) []byte {
	words, bold := cutBold(text, bytes.CutPrefix)
	if !bold || len(words) == 0 || words[0] == '*' || words[0] == '_' || words[0] == '|' {
		return nil
	}
	words, _ = cutBold(bytes.TrimRight(bytes.TrimSuffix(words, []byte(":")), " \t"), bytes.CutSuffix)
	return words
}

// cutBold cuts the sign for bold text off one end of a line. It returns false if there is none.
func cutBold(text []byte, cut func(text, sign []byte) ([]byte, bool)) ([]byte, bool) {
	for _, sign := range [][]byte{[]byte("**"), []byte("__")} {
		if words, ok := cut(text, sign); ok {
			return words, true
		}
	}
	return nil, false
}

// banner returns the words between rules at both ends of a line, or nil if there are no such rules.
func banner(text []byte) []byte {
	words := bytes.TrimLeftFunc(text, isOfRule)
	before := len(text) - len(words)
	words = bytes.TrimRightFunc(words, isOfRule)
	if before < 2 || len(text)-before-len(words) < 2 || bytes.IndexByte(words, '|') >= 0 {
		return nil
	}
	return bytes.TrimSpace(words)
}

func isOfRule(sign rune) bool {
	switch sign {
	case '#', '=', '*', '~', '+', '<', '>', '-', '─', '━':
		return true
	}
	return false
}

// lead adds the line above a table or a quotation, if it introduces the table or quotation.
func (t *titles) lead(table bool) {
	if t.blanks <= 1 && len(t.last) > 0 && isLead(t.last, table) && (len(t.all) == 0 || t.all[len(t.all)-1].line < t.at) {
		t.add(titleLead, t.last, t.at)
	}
}

// isLead reports whether a line may be a title: it has few words. A title above a bare table of a log must end in a
// colon or have no decimal figure, because tools print lines with figures there.
func isLead(line []byte, table bool) bool {
	if len(line) > maxTitle || len(line) == 0 || bytes.ContainsAny(line, "|=\t\\$`") && table {
		return false
	}
	words := 0
	for range bytes.FieldsSeq(line) {
		words++
	}
	colon := bytes.HasSuffix(bytes.TrimRight(line, "*_ "), []byte(":")) || bytes.HasSuffix(line, []byte("："))
	switch {
	case !bytes.ContainsFunc(line, unicode.IsLetter), bytes.HasPrefix(line, []byte("build: ")), bytes.HasSuffix(line, []byte(".")):
		return false
	case colon:
		return words <= 2*maxLeadWords
	case table:
		return words <= maxLeadWords && !decimalFigure().Match(line)
	}
	return words <= maxLeadWords
}

var decimalFigure = lazy.Regexp(`\d\.\d`)

// isUnderline reports whether a line makes the line above it a heading.
func isUnderline(text []byte) bool {
	return len(text) >= 3 && (text[0] == '=' || text[0] == '-') && bytes.Count(text, text[:1]) == len(text)
}

func (t *titles) add(level titleLevel, text []byte, number int) {
	if len(t.all) < maxTitles {
		t.words = append(t.words, text[:min(len(text), 4*maxTitle)]...)
		t.all = append(t.all, title{line: number, level: level, from: len(t.words) - min(len(text), 4*maxTitle), to: len(t.words)})
	}
}

// section holds the current title of each level.
type section [titleLevels]*title

// label sets the label section of results, if runs of different sections would otherwise be mistaken for repeats.
func (t *titles) label(in *draft.File) {
	rs := in.Out.Results
	if len(t.all) == 0 || len(rs) < 2 {
		return
	}
	alike := alikeIn(rs)
	if len(alike) == len(rs) {
		return
	}
	t.settle(rs)
	sections := t.sections(rs)
	var has, telling [titleLevels]bool
	for i := range t.all {
		has[t.all[i].level] = true
	}
	below := map[string]string{} // a title of this level, by the distinguishing titles above it
	for level := range telling {
		if !has[level] {
			continue
		}
		for _, group := range alike {
			clear(below)
			for _, i := range group {
				above, text := sections[i].words(telling), sections[i].text(level)
				if other, ok := below[above]; ok && other != text {
					telling[level] = true
				}
				below[above] = text
			}
		}
	}
	for i := range rs {
		words := sections[i].words(telling)
		if words == "" {
			continue
		}
		at := 0
		for level, tells := range telling {
			if tells && sections[i].text(level) != "" {
				at = sections[i][level].line
			}
		}
		rs[i].Labels.Set(result.Label{Name: "section", Value: in.Intern([]byte(words)), Origin: result.Derived, Pos: result.Position{File: in.Name, Line: at}})
	}
}

// alikeIn groups results with equal labels.
func alikeIn(rs []result.Result) (groups [][]int) {
	known := map[string]int{} // indices of groups by their labels
	var key []byte
	for i := range rs {
		key = append(append(key[:0], rs[i].Tool...), 0)
		for _, l := range rs[i].Labels {
			if !vocabulary.Incidental(l.Name) && l.Name != "x_table" { // x_table only counts tables
				key = append(append(append(append(key, l.Name...), 0), l.Value...), 0)
			}
		}
		group, ok := known[string(key)]
		if !ok {
			group = len(groups)
			known[string(key)] = group
			groups = append(groups, nil)
		}
		groups[group] = append(groups[group], i)
	}
	return groups
}

// settle removes lines that are not titles: lines inside a result, which its tool printed, and banners that occur more
// than once, because they do not describe the one run below them.
func (t *titles) settle(rs []result.Result) {
	seen, plain := map[string]int{}, map[string]string{} // caches plain titles, because titles repeat
	for i := range t.all {
		h := &t.all[i]
		written := t.words[h.from:h.to]
		text, ok := plain[string(written)]
		if !ok {
			text = plainTitle(string(written))
			plain[string(written)] = text
		}
		h.text = text
		seen[text]++
	}
	at := 0
	t.all = slices.DeleteFunc(t.all, func(h title) bool {
		if h.level == titleBanner && seen[h.text] > 1 {
			return true
		}
		for at < len(rs) && rs[at].EndLine < h.line {
			at++
		}
		return at < len(rs) && rs[at].Source.Line <= h.line
	})
}

// sections returns the section of each result. The results must be sorted by line.
func (t *titles) sections(rs []result.Result) []section {
	out := make([]section, len(rs))
	var now section
	next := 0
	for i := range rs {
		for ; next < len(t.all) && t.all[next].line <= rs[i].Source.Line; next++ {
			h := &t.all[next]
			clear(now[h.level:])
			now[h.level] = h
		}
		out[i] = now
	}
	return out
}

// text returns the title of a level, or "".
func (s *section) text(level int) string {
	if s[level] == nil {
		return ""
	}
	return s[level].text
}

// words joins the titles of the given levels.
func (s *section) words(of [titleLevels]bool) (words string) {
	for level, wanted := range of {
		if !wanted || s.text(level) == "" {
			continue
		}
		if words != "" {
			words += " / "
		}
		words += s.text(level)
	}
	return words
}

// plainTitle removes from a title the Markdown markup and the words that only count or date a run.
func plainTitle(text string) string {
	text = titleMarks().ReplaceAllString(scan.PlainMarkdown(text), "")
	text = countedRun().ReplaceAllString(vocabulary.Uncounted(text), "")
	text = emptyBrackets.Replace(text)
	return strings.Trim(strings.Join(strings.Fields(text), " "), " :：-–—,;#*_=")
}

var emptyBrackets = strings.NewReplacer("()", "", "[]", "", "（）", "")

var (
	titleMarks = lazy.Regexp(`<[^>]*>|^(?:[-*+]|\d+[.)])\s+`)
	countedRun = lazy.Regexp(`(?i)\b(?:re-?)?(?:run|rep|repeat|repetition|trial|try|attempt|iteration|iter|round|pass|take)s?[\s#:_-]*(?:no\.?\s*)?\d+(?:\s*(?:/|of)\s*\d+)?\b` +
		`|\b(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|another)\s+(?:run|rep|repeat|repetition|trial|try|attempt|iteration|round|pass|take)\b` +
		`|\b(?:re-?run|again)\b` +
		`|\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d(?:[:-]\d\d\S*)?)?|\b\d{1,2}:\d\d(?::\d\d)?\b`)
)
