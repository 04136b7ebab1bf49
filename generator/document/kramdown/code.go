package kramdown

import (
	"strings"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/visible"
)

// longestRun returns the length of the longest run of c in s.
func longestRun(s string, c byte) int {
	longest, run := 0, 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// codeSpan writes inline code. Between backticks kramdown keeps the spaces that CommonMark removes, does not
// recognise code that begins with a space, and splits cells at a pipe. In these cases only an HTML element is
// read correctly by both.
func codeSpan(s string, place Place, form Form) string {
	s = strings.ReplaceAll(s, "\n", " ")
	n := longestRun(s, '`') + 1
	if form != Jekyll {
		if strings.TrimSpace(s) == "" {
			return s
		}
		fence, pad := strings.Repeat("`", n), ""
		if n > 1 || s[0] == ' ' || s[len(s)-1] == ' ' {
			pad = " "
		}
		if place == Cell {
			s = strings.ReplaceAll(s, "|", `\|`)
		}
		return fence + pad + inertCode(s, form) + pad + fence
	}
	element := n > 2 ||
		place == Cell && strings.Contains(s, "|") ||
		strings.TrimSpace(s) != s || s == "" ||
		hasLiquid(s) && strings.Contains(s, "endraw")
	if element {
		return "<code>" + htmlText(s, place) + "</code>"
	}
	fence, pad := strings.Repeat("`", n), ""
	if n > 1 {
		pad = " "
	}
	return Guard(fence+pad+s+pad+fence, "")
}

// Formula returns TeX as a block, without a newline at its end.
func Formula(tex string, form Form) string {
	if form != Jekyll {
		return "$$\n" + formulaText(visible.Text(tex)) + "\n$$"
	}
	return Guard("$$\n"+formulaText(visible.Text(tex))+"\n$$", "")
}

// formulaSpan writes TeX within a line. kramdown also expects double dollar signs there. A pipe would turn the
// line into a table, so it is replaced.
func formulaSpan(tex string, form Form) string {
	tex = formulaText(strings.NewReplacer("\n", " ", `\|`, `\Vert `, "|", `\vert `).Replace(tex))
	switch form {
	case Hugo:
		return `\(` + tex + `\)`
	case Plain:
		return "$" + strings.TrimSpace(tex) + "$"
	}
	return Guard("$$"+tex+"$$", "")
}

// formulaText changes TeX so that it does not contain the end of the formula.
func formulaText(tex string) string {
	if tex = strings.ReplaceAll(tex, "$$", "$ $"); strings.HasSuffix(tex, "$") {
		tex += " "
	}
	return tex
}

// Fence returns a fenced code block, without a newline at its end. info is the language; kramdown reads one
// word of it. list must be true inside a list: there kramdown looks for items and rules inside the code as
// well.
//
// Code that cannot be inside a fence is written as <pre>: code that would end Liquid's {% raw %}, and in lists,
// lines that look like items or rules.
func Fence(code, info string, list bool, form Form) string {
	code = visible.Text(code)
	if code != "" && !strings.HasSuffix(code, "\n") {
		code += "\n"
	}
	info, _, _ = strings.Cut(strings.TrimSpace(info), " ")
	info, _, _ = strings.Cut(info, "?")
	if form != Jekyll {
		if strings.Contains(info, "`") {
			info = ""
		}
		fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
		return fence + info + "\n" + inertCode(code, form) + fence
	}
	if hasLiquid(code) && strings.Contains(code, "endraw") || list && listLike().MatchString(code) {
		return pre(code, info)
	}
	fence := strings.Repeat("`", max(3, longestRun(code, '`')+1))
	if strings.Contains(info, "`") {
		info = ""
	}
	sep := "\n"
	if list {
		sep = ""
	}
	return Guard(fence+info+"\n"+code+fence, sep)
}

// listLike matches lines that kramdown treats as part of the list even when they are code inside an item
// (LIST_START in parse_list, HR_START).
var listLike = lazy.Regexp(`(?m)^[ \t]*(?:[-*+_]|\d+\.)(?:[ \t|]|[-*_ \t]*$)`)

// listMark captures the character that makes such a line an item or rule.
var listMark = lazy.Regexp(`(?m)^([ \t]*\d*)([-*+_.])`)

func pre(code, info string) string {
	code = htmlText(code, Block)
	code = listMark().ReplaceAllStringFunc(code, func(m string) string {
		last := len(m) - 1
		return m[:last] + entity(m[last])
	})
	class := ""
	if info != "" {
		class = ` class="language-` + htmlText(info, Block) + `"`
	}
	return "<pre><code" + class + ">" + code + "</code></pre>"
}
