package scan

import (
	"iter"
	"strings"
)

// PlainMarkdown removes Markdown markup from a cell: emphasis, code, the target of a link, icons.
func PlainMarkdown(cell string) string {
	if open := strings.IndexByte(cell, '['); open >= 0 {
		if middle := strings.Index(cell[open:], "]("); middle > 0 {
			if end := strings.IndexByte(cell[open+middle:], ')'); end > 0 {
				cell = cell[:open] + cell[open+1:open+middle] + cell[open+middle+end+1:]
			}
		}
	}
	if mayHaveSigns(cell) {
		cell = markdownSigns.Replace(cell)
	}
	return strings.TrimSpace(cell)
}

// mayHaveSigns reports whether a text may contain one of markdownSigns. It excludes most cells quickly.
func mayHaveSigns(text string) bool {
	for _, c := range []byte(text) {
		switch c {
		case '*', '_', '`', '<', '&', '\\', "⭐"[0], "🏆"[0]:
			return true
		}
	}
	return false
}

var markdownSigns = strings.NewReplacer("**", "", "__", "", "`", "", "<br>", " ", "<br/>", " ", "&nbsp;", " ", "⭐", "", "✅", "", "🏆", "", "🥇", "",
	`\|`, "|", `\_`, "_")

// HasThousands reports whether the numbers of a table show that commas separate thousands: one number has a decimal
// point or several commas, and no comma can be a decimal comma.
func HasThousands(cells iter.Seq[string]) bool {
	shown := false
	for cell := range cells {
		mean, _ := PlusMinus(cell)
		number, _, _ := strings.Cut(mean, " ")
		_, decimals, point := strings.Cut(number, ".")
		switch commas := strings.Count(number, ","); {
		case !IsPlainNumber(number):
		case commas > 0 && !IsGrouped(number):
			return false
		case commas > 1, commas > 0 && point:
			shown = true
		case point && len(decimals) != 3: // 1.234 may be a thousand, and 1.2.3 is a version
			_, ok := ParseFigure([]byte(number), 0)
			shown = shown || ok
		}
	}
	return shown
}

// HasNote reports whether a text is a number, with or without unit, followed by a footnote mark or a remark.
func HasNote(text string) bool {
	_, note, ok := Quantity(text)
	return ok && note != "" && (!strings.ContainsAny(note, "0123456789") || strings.IndexByte("[^<", note[0]) >= 0)
}

// IsPlainNumber reports whether a text looks like a number, with or without commas.
func IsPlainNumber(text string) bool {
	return text != "" && strings.Trim(text, "+-0123456789.,") == ""
}
