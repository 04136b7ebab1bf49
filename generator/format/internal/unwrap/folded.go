package unwrap

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/format/internal/scan"
	"github.com/benchpost/benchpost/generator/locale"
)

// This file puts lines together that a window broke at its width, as copies of a terminal
// and `fold` keep them. No line is wider than the window. That a text was broken is known
// by lines that cannot be whole: rows of a table that have all cells only together with
// the next line, strings of JSON that are open, rules that end in another line. Then each
// line of the full width is either one with the next, or whole, or left out, where its
// parts do not show which: a number may have lost digits at the edge.

const (
	narrowest, widest = 20, 512 // columns of a window
	nearly            = 4       // columns less than a line of the full width has
	narrowOnce        = 60      // columns of a window that one line may show
	manyBroken        = 2       // lines that cannot be whole; of usual windows one is enough
)

// usualWidths are columns of windows.
var usualWidths = []int{80, 100, 120, 132, 160, 200, 240}

// Broken describes the lines of a file that were broken and are left out.
type Broken struct {
	Columns int // of the window
	Line    int // of the file, the first of them; 0 for none
	Count   int
}

// IsBroken reports whether the lines of a text were broken by a window.
func IsBroken(data []byte) bool { return isFolded(data[:min(len(data), size)]) }

// isFolded recognises a text whose lines were broken at a width.
func isFolded(head []byte) bool {
	_, ok := foldOf(head)
	return ok
}

// unfold returns a text with its broken lines put together.
func unfold(data []byte, to *contents) {
	f, ok := foldOf(data[:min(len(data), size)])
	if f.to = to; !ok {
		f.columns = widest + 1
	}
	f.read(data)
	to.broken.Columns = f.columns
}

// fold is a text whose lines were broken at a width.
type fold struct {
	columns int
	wide    bool      // they are columns of signs, not bytes
	to      *contents // nil to look only

	marks   int    // in the head of the table that goes on
	bars    int    // in the line below the head of a table that has no marks at its sides
	commas  int    // in the head of a file of CSV
	broken  bool   // that head was
	hint    []byte // the line of which a word went on last
	leaving bool   // what is below a line that was left out, up to an empty one
	begun   []byte // the line that was joined last because others begin as it does

	whole  int // lines of the full width that are followed by one that begins alike
	near   int // lines of nearly the full width
	full   int // lines of the full width
	proven int // lines that cannot be whole
	hinted int // rows of lines of which a word goes on in the next
	alike  int // of them those before a row that begins as they do
}

// foldOf returns the width at which the lines of a text were broken. In bytes, as `fold`
// counts, and in columns, as terminals do.
func foldOf(head []byte) (fold, bool) {
	if len(head) == size { // the last line is cut
		head = head[:bytes.LastIndexByte(head, '\n')+1]
	}
	if movesCursor(head) || allBeginAlike(head) { // what is copied has no colours, no bars that were drawn over
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

// movesCursor reports whether a text holds what only a terminal makes something of.
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

// widthOf returns the width of the longest lines of a text, and whether they may have been
// broken: one at least is before a shorter one. Other reports that they are not ASCII, so that signs and bytes differ.
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

// fulls counts the lines of the full width.
func (f *fold) fulls(head []byte) int {
	looked := *f
	looked.read(head)
	return looked.full
}

// measure returns the columns that a line takes.
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
		return false // one short line is as long as itself
	}
	if looked.proven >= 2*manyBroken || looked.proven >= needed && looked.near <= looked.full/2 || looked.alike >= 2*needed {
		return true
	}
	return needed == 1 && looked.hinted > 1 && looked.whole == 0 && looked.near == 0
}

// read goes through a text.
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

// isFull reports whether a line has the full width, or lacks a column of it because the
// next one begins with a wide sign.
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

// leave leaves lines out.
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

// Whether lines belong together.
const (
	alone    = iota
	one      // they do
	likely   // they do, unless a line has the full width by chance
	doubtful // what they say depends on it
)

// together reports whether a row of parts, of which the last has the full width, goes on in
// the next line, and how sure that is: the lines that could not be whole.
func (f *fold) together(row, last, next []byte, in bracketed) (verdict, sure int) {
	text := bytes.TrimLeft(row, " ")
	if len(text) < 4 {
		return doubtful, 0
	}
	cut := 0 // a word that goes on in the next line
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
			cut = manyBroken // which no object has
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

// cutsNumber reports whether a line ends in a number that may go on in the next.
func cutsNumber(line, next []byte) bool {
	isPart := func(c byte) bool { return scan.IsDigit(c) || c == '.' || c == ',' }
	return isPart(line[len(line)-1]) && isPart(next[0])
}

// isJSON reports whether a text begins as JSON does, not as a log whose lines begin with a
// bracket.
func isJSON(text []byte) bool {
	return text[0] == '{' || text[0] == '[' && bytes.IndexByte([]byte(" {[\""), text[1]) >= 0
}

// isObject reports whether a text begins as an object of JSON, or a list of such.
func isObject(text []byte) bool {
	return bytes.HasPrefix(text, []byte(`{"`)) || bytes.HasPrefix(text, []byte(`[{"`))
}

// cellsGoOn reports whether a row of CSV goes on in the next line: as long as it has fewer
// cells than the head. The last cell may go on as well, where the next line has no comma.
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

// head begins a file of CSV if its first row is the names of columns.
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

// countCommas counts the commas between cells.
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

// rowGoesOn reports whether a row of a table goes on in the next line: as long as it has
// fewer marks than the head.
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

// tableLine follows the tables: their heads, and whether a row has as many cells. It
// reports whether a line may be read.
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

// hasDivider reports whether the line below the head is in the same row as a cell.
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

// isMark reports whether a text begins with what is between the cells of a table.
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

// isRule reports whether a text has signs only of which lines are drawn.
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

// isOfRule are the ASCII signs of which lines are drawn.
var isOfRule = [utf8.RuneSelf]bool{'-': true, '=': true, '+': true, '*': true, '#': true, '_': true, '~': true}

// isCorner reports whether a sign ends a line that is drawn.
func isCorner(sign []byte) bool {
	return bytes.Contains([]byte("+┏┓┗┛┌┐└┘├┤┡┩┠┨╔╗╚╝╠╣╭╮╰╯╒╕╞╡╘╛"), sign)
}

// isWordSign reports whether a sign is of a word or a number.
func isWordSign(c byte) bool { return isWord(c) && c != '-' || c == '%' }

func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }

// isNumber reports whether a line is a number, or the end of one.
func isNumber(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) > 0 && len(bytes.Trim(line, "0123456789.")) == 0
}

// isOpenLabel reports whether a line is a label, which has no value yet or one that goes on
// where it ends.
func isOpenLabel(line []byte) bool {
	i := bytes.LastIndexByte(line, ':')
	if i < 3 {
		return false
	}
	value := bytes.TrimLeft(line[i+1:], " ")
	return len(value) == 0 || len(bytes.Trim(value, "0123456789.")) == 0
}
