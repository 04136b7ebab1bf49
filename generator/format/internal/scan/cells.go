package scan

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Commas splits one line of CSV. Cells in quotes may contain the separator and doubled quotes. Cells that continue in
// the next line are not supported, because tools do not write them. White space around a cell is removed.
func Commas(dst []string, line []byte, separator byte) []string {
	var few [32][]byte
	var short [512]byte
	cells, joined := Cells(few[:0], line, separator), short[:0]
	for _, cell := range cells {
		joined = append(joined, cell...)
	}
	text := string(joined) // one allocation for the row, not one per cell
	dst = slices.Grow(dst, len(cells))
	for _, cell := range cells {
		dst = append(dst, text[:len(cell)])
		text = text[len(cell):]
	}
	return dst
}

// Cells splits a line as [Commas] does. The cells are slices of the line, except cells with doubled quotes.
func Cells(dst [][]byte, line []byte, separator byte) [][]byte {
	for {
		for len(line) > 0 && (line[0] == ' ' || line[0] == '\t') {
			line = line[1:]
		}
		if len(line) > 0 && line[0] == '"' {
			var cell []byte
			rest := line[1:]
			for {
				n := bytes.IndexByte(rest, '"')
				if n < 0 { // never closed
					cell, rest = append(cell, rest...), nil
					break
				}
				doubled := n+1 < len(rest) && rest[n+1] == '"'
				if !doubled && cell == nil {
					cell, rest = rest[:n:n], rest[n+1:]
					break
				}
				cell = append(cell, rest[:n]...)
				rest = rest[n+1:]
				if !doubled {
					break
				}
				cell = append(cell, '"')
				rest = rest[1:]
			}
			dst = append(dst, cell)
			n := bytes.IndexByte(rest, separator)
			if n < 0 {
				return dst
			}
			line = rest[n+1:]
			continue
		}
		n := bytes.IndexByte(line, separator)
		if n < 0 {
			return append(dst, bytes.TrimSpace(line))
		}
		cell := line[:n]
		if n > 0 && (cell[n-1] <= ' ' || cell[n-1] >= 0x80 || cell[0] <= ' ' || cell[0] >= 0x80) {
			cell = bytes.TrimSpace(cell)
		}
		dst = append(dst, cell)
		line = line[n+1:]
	}
}

// Pipes splits a row of a table between bars, "| a | b |". It returns false for other lines. The bars at both ends make
// no cells. Frames drawn by consoles have other bars: │ ┃ ║ ┆.
func Pipes(dst []string, line []byte) ([]string, bool) {
	line = bytes.TrimSpace(line)
	width := bar(line)
	if width == 0 {
		return dst, false
	}
	text, next := string(line[width:]), strings.IndexByte
	if !IsASCII(line) {
		next = nextBar
	}
	dst = slices.Grow(dst, strings.Count(text, "|")+1)
	for {
		end := next(text, '|')
		if end < 0 {
			return append(dst, strings.TrimSpace(text)), true
		}
		dst = append(dst, strings.TrimSpace(text[:end]))
		if text = text[end+bar(text[end:]):]; text == "" {
			return dst, true
		}
	}
}

// bar returns the length in bytes of the bar at the beginning of a text, 0 for none.
func bar[T string | []byte](text T) int {
	switch {
	case len(text) > 0 && text[0] == '|':
		return 1
	case len(text) > 2 && text[0] == 0xe2 && (text[1] == 0x94 && (text[2] == 0x82 || text[2] == 0x83 || text[2] == 0x86) || text[1] == 0x95 && text[2] == 0x91):
		return 3
	}
	return 0
}

// nextBar returns the index of the next bar of a text, drawn or plain, or -1.
func nextBar(text string, plain byte) int {
	for i := range len(text) {
		if c := text[i]; c == plain || c == 0xe2 && bar(text[i:]) > 0 {
			return i
		}
	}
	return -1
}

// IsDivider reports whether the cells are those of the line below a table's header, "| --- | ---: |".
func IsDivider(cells []string) bool {
	for _, c := range cells {
		if strings.Trim(c, "-:=─━╌ ") != "" {
			return false
		}
	}
	return len(cells) > 0
}

// Rule is a drawn line between the rows of a table: "+----+-----+" of a grid, "|----+-----|" of org-mode,
// "├────┼─────┤" of a frame, "-----|-----" and "-----+-----" of a table with bars only between columns, "-----  -----"
// below heads that are separated by blanks.
type Rule struct {
	Spans  [][2]int // start and end of each column, in characters
	Outer  bool     // rows also begin and end with a bar
	Spaced bool     // there are no bars between columns
}

// ParseRule parses a rule of at least two columns. It returns false for other lines.
func ParseRule(line []byte) (r Rule, ok bool) {
	line = bytes.TrimRight(line, " \t\r")
	if len(line) < 3 || bytes.ContainsFunc(line, func(c rune) bool { return c < utf8.RuneSelf && strings.IndexByte("-=+|: ", byte(c)) < 0 }) {
		return r, false
	}
	at, from, joints := 0, -1, 0
	for _, c := range string(line) {
		switch {
		case c == '-' || c == '=' || c == '─' || c == '━' || c == '═' || c == '╌' || c == ':':
			if from < 0 {
				from = at
			}
		case c == ' ' || c == '+' || c == '|' || 0x2500 <= c && c < 0x2580:
			if from >= 0 {
				r.Spans = append(r.Spans, [2]int{from, at})
				from = -1
			}
			if c != ' ' {
				r.Outer = r.Outer || joints == 0 && len(r.Spans) == 0
				joints++
			}
		default:
			return r, false
		}
		at++
	}
	if from >= 0 {
		r.Spans = append(r.Spans, [2]int{from, at})
	}
	r.Spaced = joints == 0
	for _, span := range r.Spans {
		if !r.Outer && span[1]-span[0] < 2 {
			return r, false
		}
	}
	return r, len(r.Spans) > 1
}

// Cut splits a row of a table that has this rule. It returns false for a line that is not a row, because it has text
// where no column is.
func (r *Rule) Cut(dst []string, line []byte) ([]string, bool) {
	if r.Outer {
		return Pipes(dst, line)
	}
	text := string(bytes.TrimRight(line, " \t\r"))
	if !r.Spaced {
		for cell := range strings.SplitSeq(text, "|") {
			dst = append(dst, strings.TrimSpace(cell))
		}
		return dst, strings.Contains(text, "|")
	}
	all := []rune(text)
	if cells, ok := r.cut(dst, all); ok {
		return cells, true
	}
	var wide []rune // the row with two columns for each East Asian wide character
	for _, c := range all {
		if wide = append(wide, c); width.LookupRune(c).Kind() == width.EastAsianWide {
			wide = append(wide, 0)
		}
	}
	return r.cut(dst, wide)
}

// IsWhole reports whether nothing can be missing at the end of a row: it ends with a bar, or where its last column
// ends. It returns false for rows with bars only between columns, because their end is unknown.
func (r *Rule) IsWhole(line []byte) bool {
	text := string(bytes.TrimRight(line, " \t\r"))
	if r.Outer {
		last, _ := utf8.DecodeLastRuneInString(text)
		return bar(string(last)) > 0
	}
	return r.Spaced && utf8.RuneCountInString(text) == r.Spans[len(r.Spans)-1][1]
}

// cut splits a row at the columns of the rule. A zero is the second half of a wide character.
func (r *Rule) cut(dst []string, row []rune) ([]string, bool) {
	part := func(from, to int) string {
		cell := string(row[min(from, len(row)):min(to, len(row))])
		return strings.TrimSpace(strings.ReplaceAll(cell, "\x00", ""))
	}
	end := 0
	for i, span := range r.Spans {
		if part(end, span[0]) != "" {
			return dst, false
		}
		if end = span[1]; i == len(r.Spans)-1 {
			end = max(end, len(row))
		}
		dst = append(dst, part(span[0], end))
	}
	return dst, len(row) > 0
}

// Columns maps header names in lower case to cell indices.
type Columns map[string]int

func NewColumns(header []string) Columns {
	c := make(Columns, len(header))
	for i, name := range header {
		name = strings.ToLower(name)
		if _, twice := c[name]; !twice {
			c[name] = i
		}
	}
	return c
}

// AreColumns reports whether a row has cells with all these names, as the header of a table has. The names must be in
// lower case.
func AreColumns(row []string, names ...string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(row, func(cell string) bool { return len(cell) == len(name) && strings.EqualFold(cell, name) }) {
			return false
		}
	}
	return true
}

// Has reports whether there are columns with all these names.
func (c Columns) Has(names ...string) bool {
	for _, name := range names {
		if _, ok := c[name]; !ok {
			return false
		}
	}
	return true
}

// Cell returns the cell of a row in the named column, or "" if it is absent or a placeholder for a missing value.
func (c Columns) Cell(row []string, name string) string {
	i, ok := c[name]
	if !ok || i >= len(row) || IsMissing(row[i]) {
		return ""
	}
	return row[i]
}

// IsMissing reports whether a cell is a placeholder that tools write if there is no figure.
func IsMissing(cell string) bool {
	if len(cell) > len("[not supported]") || cell != "" && IsDigit(cell[0]) {
		return false
	}
	var room [32]byte
	switch string(AppendLower(room[:0], cell)) {
	case "", "-", "--", "n/a", "[n/a]", "na", "nan", "none", "null", "[not supported]", "not supported", "[unknown error]":
		return true
	}
	return false
}

// Labelled splits a row "label: value" or "label = value" at the separator. It returns false for other lines. White
// space around both parts is removed.
func Labelled(line []byte, separator string) (label, value string, ok bool) {
	label, value, ok = strings.Cut(string(line), separator)
	label = strings.TrimSpace(label)
	return label, strings.TrimSpace(value), ok && label != ""
}

// AppendLower appends a text in lower case.
func AppendLower(dst []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return append(dst[:len(dst)-i], strings.ToLower(text)...)
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		dst = append(dst, c)
	}
	return dst
}

// Quantity splits a number from the unit after it: "12.34 ms", "725 MiB", "8%", "1,234.5 tok/s". Commas between
// thousands are removed.
func Quantity(text string) (number, unit string, ok bool) {
	text = strings.TrimSpace(text)
	n := 0
	for n < len(text) && (IsDigit(text[n]) || strings.IndexByte("+-.,eE", text[n]) >= 0) {
		n++
	}
	// The letter e of a unit is not part of the number; neither is a trailing sign.
	for n > 0 && !IsDigit(text[n-1]) && text[n-1] != '.' {
		n--
	}
	number = text[:n]
	if strings.Contains(number, ",") {
		if !IsGrouped(number) {
			return "", "", false
		}
		number = strings.ReplaceAll(number, ",", "")
	}
	if _, ok := ParseFigure([]byte(number), 0); !ok {
		return "", "", false
	}
	return number, strings.TrimSpace(text[n:]), true
}

// IsGrouped reports whether the commas of a number separate thousands: 1,234,567.8.
func IsGrouped(number string) bool {
	whole, fraction, _ := strings.Cut(strings.TrimLeft(number, "+-"), ".")
	if strings.Contains(fraction, ",") { // 1.234,5
		return false
	}
	groups := strings.Split(whole, ",")
	for i, g := range groups {
		if len(g) > 3 || len(g) == 0 || i > 0 && len(g) != 3 {
			return false
		}
	}
	return true
}

// PlusMinus splits "12.34 ± 0.56" into its two numbers. In a file that was decoded with a wrong encoding, an Â precedes
// the sign.
func PlusMinus(text string) (mean, spread string) {
	mean, spread, _ = strings.Cut(text, "±")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(mean), "Â")), strings.TrimSpace(spread)
}

// GoDuration parses a duration in Go's format, "1m2.5s", and returns seconds.
func GoDuration(text string) (seconds float64, ok bool) {
	d, err := time.ParseDuration(strings.TrimSpace(text))
	return d.Seconds(), err == nil
}

// ISODate converts "20260711 08:52:45" and similar dates to ISO 8601. It returns other texts unchanged.
func ISODate(text string) string {
	for _, layout := range [...]string{"20060102 15:04:05", "20060102_150405", "2006/01/02 15:04:05", "2006-01-02 15:04:05"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.Format("2006-01-02T15:04:05")
		}
	}
	return text
}

// Clip returns the first n bytes.
func Clip(b []byte, n int) []byte { return b[:min(n, len(b))] }

func IsDigit(c byte) bool { return '0' <= c && c <= '9' }
