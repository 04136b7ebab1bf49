package unwrap

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// This file joins lines that a window broke at its width, as copies from a terminal and `fold` have them. No line is
// wider than the window. A text is known to be broken by lines that cannot be complete: rows of a table that have all
// cells only together with the next line, open JSON strings, rules that end in another line. Then each line of the full
// width is joined with the next, or complete, or left out if its parts do not show which: a number may have lost digits
// at the edge.

const (
	narrowest, widest = 20, 512 // columns of a window
	nearly            = 4       // a line with up to this many columns fewer than the window is nearly full
	narrowOnce        = 60      // a window narrower than this needs more than one full line as evidence
	manyBroken        = 2       // incomplete lines needed as evidence; for usual widths one is enough
)

// usualWidths lists usual widths of windows in columns.
var usualWidths = []int{80, 100, 120, 132, 160, 200, 240}

// Broken describes the broken lines of a file that are left out.
type Broken struct {
	Columns int // width of the window; 0 if no lines were broken
	Line    int // line number of the first of them in the file; 0 for none
	Count   int
}

// IsBroken reports whether a window broke the lines of a text.
func IsBroken(data []byte) bool { return isFolded(data[:min(len(data), size)]) }

// isFolded reports whether the lines of a text were broken at a width.
func isFolded(head []byte) bool {
	_, ok := foldOf(head)
	return ok
}

// unfold adds the text with its broken lines joined.
func unfold(data []byte, to *contents) {
	f, ok := foldOf(data[:min(len(data), size)])
	if f.to = to; !ok {
		f.columns = widest + 1
	}
	f.read(data)
	to.broken.Columns = f.columns
}

// fold describes a text whose lines were broken at a width.
type fold struct {
	columns int
	wide    bool      // columns counts displayed columns, not bytes
	to      *contents // nil for analysis only

	marks   int    // number of bars in the head of the current table
	bars    int    // number of bars in the divider of a table without bars at its sides
	commas  int    // number of commas in the head of a CSV file
	broken  bool   // that head was broken
	hint    []byte // the last line whose word continued in the next line
	leaving bool   // inside the lines that are left out after a broken line, up to an empty line
	begun   []byte // first part of the last joined row that begins like a row beside it

	whole  int // full lines followed by a line that begins alike
	near   int // lines of nearly the full width
	full   int // lines of the full width
	proven int // lines that cannot be complete
	hinted int // sequences of lines with a word that continues in the next line
	alike  int // how many of these begin like a row beside them
}

// foldOf returns the width at which the lines of a text were broken: in bytes, as `fold` counts, or in columns, as
// terminals do.
func foldOf(head []byte) (fold, bool) {
	if len(head) == size { // the last line may be cut
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	if movesCursor(head) || allBeginAlike(head) { // copies from a terminal have no colours and no overwritten bars
		return fold{}, false
	}
	best, wide, found := widthOf(head, false)
	found = found && best.is(head)
	if !wide {
		return best, found
	}
	f, _, ok := widthOf(head, true)
	if ok && f.is(head) && (!found || f.fulls(head) > best.fulls(head)) {
		return f, true
	}
	return best, found
}

// movesCursor reports whether a text has control characters that only a terminal interprets.
func movesCursor(text []byte) bool {
	if bytes.IndexByte(text, 0x1b) >= 0 || bytes.IndexByte(text, '\b') >= 0 {
		return true
	}
	for i := bytes.IndexByte(text, '\r'); i >= 0 && i+1 < len(text); i = bytes.IndexByte(text, '\r') {
		if text = text[i+1:]; text[0] != '\n' {
			return true
		}
	}
	return false
}

// widthOf returns the width of the longest lines of a text, and whether the lines may have been broken: at least one
// longest line precedes a shorter line. other is true if the longest line is not ASCII, so that columns and bytes
// differ.
func widthOf(head []byte, wide bool) (f fold, other, ok bool) {
	f.wide = wide
	last, count, followed := 0, 0, 0
	var longest []byte
	for len(head) > 0 {
		line, rest, _ := bytes.Cut(head, []byte{'\n'})
		line, head = bytes.TrimSuffix(line, []byte{'\r'}), rest
		n := f.measure(line)
		switch {
		case n > f.columns:
			f.columns, longest, count, followed = n, line, 1, 0
		case n == f.columns:
			count++
		case last >= f.columns-1 && n > 0 && n < f.columns-nearly:
			followed++
		}
		last = n
	}
	many := followed > 0 && (count >= manyBroken || slices.Contains(usualWidths, f.columns))
	return f, !scan.IsASCII(longest), f.columns >= narrowest && f.columns <= widest && (many || isObject(longest))
}

// fulls returns the number of lines of the full width.
func (f *fold) fulls(head []byte) int {
	looked := *f
	looked.read(head)
	return looked.full
}

// measure returns the width of a line, in columns or bytes.
func (f *fold) measure(line []byte) (columns int) {
	if !f.wide || scan.IsASCII(line) {
		return len(line)
	}
	for _, sign := range string(line) {
		columns += locale.Columns(sign)
	}
	return columns
}

// is reports whether the lines of a text were broken at its width.
func (f *fold) is(head []byte) bool {
	looked := *f
	looked.read(head)
	needed := manyBroken
	if slices.Contains(usualWidths, f.columns) {
		needed = 1
	}
	if f.columns < narrowOnce && looked.full < manyBroken {
		return false // a single short line is always a full line
	}
	if looked.proven >= 2*manyBroken || looked.proven >= needed && looked.near <= looked.full/2 || looked.alike >= 2*needed {
		return true
	}
	return needed == 1 && looked.hinted > 1 && looked.whole == 0 && looked.near == 0
}

// read processes a text.
func (f *fold) read(data []byte) {
	f.head(data)
	var few [4][]byte // most rows are short
	var short [256]byte
	parts, row := few[:0], short[:0]
	for number := 1; len(data) > 0; {
		line, rest, ended := bytes.Cut(data, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if w := f.measure(line); !f.isFull(line, rest) {
			if w >= f.columns-nearly {
				f.near++
			}
			f.tableLine(line)
			if f.commas > 0 && f.broken && countCommas(line) == f.commas {
				f.proven++
			}
			if w == 0 || bytes.HasPrefix(line, []byte("$ ")) { // another table may follow
				f.head(rest)
				f.leaving = false
			}
			if f.leaving {
				line = nil
			}
			f.write(line, ended, number)
			data = rest
			number++
			continue
		}
		f.full++
		parts, row = append(parts[:0], line), append(row[:0], line...)
		var in bracketed
		in.add(line)
		state := alone
		hinted := false
		for len(rest) > 0 && rest[0] != '\n' && rest[0] != '\r' && f.isFull(line, rest) {
			next, behind, nextEnded := bytes.Cut(rest, []byte{'\n'})
			next = bytes.TrimSuffix(next, []byte{'\r'})
			verdict, sure := f.together(row, line, next, in)
			if verdict == alone {
				break
			}
			state = max(state, verdict)
			f.proven += sure
			if in.depth > 0 || verdict >= likely && isWordSign(line[len(line)-1]) && isWordSign(next[0]) && (isCapital(line[len(line)-1]) || !isCapital(next[0])) {
				hinted = !bytes.Equal(parts[0], f.hint) // the same command may come again
			}
			if f.isFull(next, behind) {
				f.full++
			}
			parts, row = append(parts, next), append(row, next...)
			in.add(next)
			line, rest, ended = next, behind, nextEnded
		}
		if hinted && !f.isFull(line, rest) {
			f.hint = parts[0]
			f.hinted++
		}
		if len(parts) > 1 && (beginAlike(parts[0], rest) || beginAlike(parts[0], f.begun)) {
			f.begun = parts[0]
			if hinted {
				f.alike++
			}
			if !f.isFull(line, rest) {
				state = min(state, likely)
			}
		}
		switch {
		case f.commas > 0 && len(parts) > 1:
			if countCommas(row) != f.commas {
				state = doubtful
			} else if state == one && number > 1 {
				f.proven++
			}
		case state != doubtful && !f.tableLine(row):
			state = doubtful
		}
		if bars := countMarks(row); f.bars > 0 && bars == f.bars {
			state = min(state, likely)
		} else if f.bars = 0; bars > 1 && len(bytes.Trim(row, "-+:| ")) == 0 {
			f.bars = bars
		}
		if state == doubtful || f.leaving {
			f.leaving = f.leaving || f.marks == 0 && !isMark(row)
			f.leave(number, len(parts))
		} else {
			f.write(row, ended, number)
		}
		number += len(parts)
		data = rest
	}
}

// isFull reports whether a line has the full width, or one column less because the next line begins with a wide
// character.
func (f *fold) isFull(line, rest []byte) bool {
	w := f.measure(line)
	return w == f.columns || w == f.columns-1 && len(rest) > 0 && rest[0] >= utf8.RuneSelf && f.measure(firstSign(rest)) == 2
}

func firstSign(text []byte) []byte {
	_, n := utf8.DecodeRune(text)
	return text[:n]
}

func (f *fold) write(line []byte, ended bool, number int) {
	if f.to == nil {
		return
	}
	f.to.add(string(line), number)
	if ended {
		f.to.add("\n", number)
	}
}

// leave leaves out lines.
func (f *fold) leave(number, lines int) {
	f.marks = 0
	if f.to == nil {
		return
	}
	if f.to.broken.Count == 0 {
		f.to.broken.Line = number
	}
	f.to.broken.Count++
	for i := range lines {
		f.to.add("\n", number+i)
	}
}

// Verdicts on whether lines belong together.
const (
	alone    = iota
	one      // they do
	likely   // they do, unless a line has the full width by chance
	doubtful // their meaning depends on it
)

// together returns whether a row of parts continues in the next line; last is its last part, which has the full width.
// sure is the number of lines that cannot be complete.
func (f *fold) together(row, last, next []byte, in bracketed) (verdict, sure int) {
	text := bytes.TrimLeft(row, " ")
	if len(text) < 4 {
		return doubtful, 0
	}
	cut := 0 // 1 if a word continues in the next line
	if isWordSign(last[len(last)-1]) && isWordSign(next[0]) {
		cut = 1
	}
	switch c := text[0]; {
	case isMark(text):
		return f.rowGoesOn(text, next), 0
	case f.commas > 0:
		return f.cellsGoOn(row, next), 0
	case isRule(text) && isRule(next):
		if end := lastSign(text); bytes.Equal(end, firstSign(next)) && !isCorner(end) && f.measure(next) < f.columns {
			return one, 1
		}
		if isCorner(lastSign(text)) && isCorner(firstSign(next)) {
			return alone, 0
		}
		return one, 0
	case isRule(text):
		return alone, 0
	case isRule(text[:4]) && isRule(next) && bytes.Equal(lastSign(text), firstSign(next)):
		return one, 1
	case isJSON(text):
		if in.depth <= 0 && !in.quoted {
			return alone, 0
		}
		if (in.quoted || cut > 0) && isObject(text) {
			cut = manyBroken // a break inside a string of an object is strong evidence
		}
		return one, cut
	case c == '"' || c == '}' || c == ']':
		return one, cut
	case beginAlike(row, next):
		f.whole++
		return alone, 0
	case in.depth > 0 && bytes.Contains(text, []byte("Namespace(")):
		return one, manyBroken
	case in.quoted || in.depth > 0:
		return one, cut
	case isNumber(next) && isOpenLabel(text):
		return one, 0
	case isRule(next) && len(bytes.TrimSpace(next)) > 3:
		return alone, 0
	case cutsNumber(last, next):
		return doubtful, 0
	}
	return likely, 0
}

// cutsNumber reports whether a line ends in a number that may continue in the next line.
func cutsNumber(line, next []byte) bool {
	isPart := func(c byte) bool { return scan.IsDigit(c) || c == '.' || c == ',' }
	return isPart(line[len(line)-1]) && isPart(next[0])
}

// isJSON reports whether a text begins like JSON, not like a log whose lines begin with a bracket.
func isJSON(text []byte) bool {
	return text[0] == '{' || text[0] == '[' && bytes.IndexByte([]byte(" {[\""), text[1]) >= 0
}

// isObject reports whether a text begins like a JSON object or a list of objects.
func isObject(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`{"`)) || bytes.HasPrefix(text, []byte(`[{"`))
}

// cellsGoOn returns whether a row of CSV continues in the next line: it does while it has fewer cells than the head.
// The last cell may also continue, if the next line has no comma.
func (f *fold) cellsGoOn(row, next []byte) int {
	switch commas := countCommas(row); {
	case commas < f.commas:
		return one
	case commas == f.commas && bytes.IndexByte(next, ',') < 0:
		return one
	case commas == f.commas:
		return alone
	}
	return doubtful
}

// head starts a CSV file if its first row consists of column names.
func (f *fold) head(data []byte) {
	const fewestCommas = 3
	f.commas = 0
	var short [256]byte
	row := short[:0]
	for full := true; full && len(data) > 0; {
		line, rest, _ := bytes.Cut(data, []byte{'\n'})
		line = bytes.TrimSuffix(line, []byte{'\r'})
		row, data, full = append(row, line...), rest, f.isFull(line, rest)
	}
	n := countCommas(row)
	if n < fewestCommas || isMark(row) || bytes.ContainsAny(row, "={:") {
		return
	}
	for cell, rest, more := row, row, true; more; {
		if cell, rest, more = bytes.Cut(rest, []byte{','}); len(cell) == 0 || isNumber(cell) {
			return
		}
	}
	f.commas = n
	f.broken = f.measure(row) > f.columns
}

// countCommas returns the number of commas between cells.
func countCommas(row []byte) (n int) {
	quoted := false
	for _, c := range row {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			n++
		}
	}
	return n
}

// rowGoesOn returns whether a row of a table continues in the next line: it does while it has fewer bars than the head.
func (f *fold) rowGoesOn(row, next []byte) int {
	ends := isMark(lastSign(bytes.TrimRight(row, " ")))
	switch marks := countMarks(row); {
	case ends && (isMark(next) || isCorner(firstSign(next))) && (f.marks == 0 || marks == f.marks):
		return alone
	case f.marks == 0 || marks < f.marks:
		return one
	case marks == f.marks && ends:
		return alone
	}
	return doubtful
}

// tableLine tracks tables: their heads, and whether a row has as many cells as the head. It reports whether the line
// can be used.
func (f *fold) tableLine(line []byte) bool {
	text := bytes.TrimSpace(line)
	if len(text) > 0 && isWord(text[0]) && text[0] != '-' && text[0] != '_' {
		f.marks = 0
		return true
	}
	switch {
	case isMark(text) && len(bytes.Trim(text, "|=-+: ")) == 0:
		return true
	case isRule(text): // rows below may have other cells
		f.marks = 0
		return true
	case !isMark(text):
		f.marks = 0
		return true
	}
	marks := countMarks(text)
	wide := f.measure(bytes.TrimRight(line, "\r")) > f.columns
	switch {
	case !wide && f.marks == 0:
		f.marks = marks
		return true
	case !wide:
		return marks == f.marks || f.marks == 0
	case !isMark(lastSign(text)) || f.marks > 0 && marks != f.marks || hasDivider(text):
		return false
	case f.marks == marks:
		f.proven++
	}
	f.marks = marks
	return true
}

// hasDivider reports whether a row also contains the divider below the head, which means that lines were joined
// wrongly.
func hasDivider(row []byte) bool {
	dashes, words := false, false
	for cell, rest, more := row, row, true; more; {
		cell, rest, more = bytes.Cut(rest, []byte{'|'})
		cell = bytes.TrimSpace(cell)
		rule := len(bytes.Trim(cell, ":-")) == 0
		dashes = dashes || rule && len(cell) > 2
		words = words || !rule
	}
	return dashes && words
}

func lastSign(text []byte) []byte {
	_, n := utf8.DecodeLastRune(text)
	return text[len(text)-n:]
}

// isMark reports whether a text begins with a bar of a table.
func isMark(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	return r == '|' || r == '│' || r == '┃' || r == '║' || r == '┆'
}

func countMarks(row []byte) int {
	n := bytes.Count(row, []byte{'|'})
	if bytes.IndexByte(row, "│"[0]) < 0 {
		return n
	}
	for _, mark := range []string{"│", "┃", "║", "┆"} {
		n += bytes.Count(row, []byte(mark))
	}
	return n
}

// isRule reports whether a text consists only of characters of drawn lines.
func isRule(text []byte) bool {
	text = bytes.TrimRight(text, " ")
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if !isOfRule[c] {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r < 0x2500 || r > 0x259f || r == '│' || r == '┃' || r == '║' || r == '┆' {
			return false
		}
		i += n
	}
	return len(text) > 0
}

// isOfRule is the set of ASCII characters of drawn lines.
var isOfRule = [utf8.RuneSelf]bool{'-': true, '=': true, '+': true, '*': true, '#': true, '_': true, '~': true}

// isCorner reports whether a character ends a drawn line.
func isCorner(sign []byte) bool {
	return bytes.Contains([]byte("+┏┓┗┛┌┐└┘├┤┡┩┠┨╔╗╚╝╠╣╭╮╰╯╒╕╞╡╘╛"), sign)
}

// isWordSign reports whether a byte may belong to a word or a number.
func isWordSign(c byte) bool { return isWord(c) && c != '-' || c == '%' }

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// isNumber reports whether a line is a number or the end of a number.
func isNumber(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && len(bytes.Trim(line, "0123456789.")) == 0
}

// isOpenLabel reports whether a line ends with a label without a value, or with a numeric value that may continue.
func isOpenLabel(line []byte) bool {
	i := bytes.LastIndexByte(line, ':')
	if i < 3 {
		return false
	}
	value := bytes.TrimLeft(line[i+1:], " ")
	return len(value) == 0 || len(bytes.Trim(value, "0123456789.")) == 0
}
