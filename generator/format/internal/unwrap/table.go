package unwrap

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

const (
	maxTableCell  = 200 // bytes of a cell: a table with a longer one is only used for layout
	maxTableCells = 64  // in a row
)

// tables converts HTML tables in the lines to Markdown tables. Each row is in the line of its first cell; the other
// lines become empty. A table whose end has not been read yet waits for it. tables reports whether it changed any line.
func (r *Reader) tables() (changed bool) {
	for from := 0; from < len(r.lines); from++ {
		if countTags(r.lines[from].text, "<table") == 0 {
			continue
		}
		to := from
		for open := 0; to < len(r.lines); to++ {
			open += countTags(r.lines[to].text, "<table") - countTags(r.lines[to].text, "</table")
			if open <= 0 {
				break
			}
		}
		if to == len(r.lines) {
			r.waiting = from
			return changed || from > 0
		}
		changed = rewritten(r.lines[from:to+1]) || changed
		from = to
	}
	return changed
}

// countTags returns the number of tags with the given name, which must be in lower case.
func countTags(text []byte, name string) (n int) {
	for {
		i := bytes.IndexByte(text, '<')
		if i < 0 || len(text)-i < len(name) {
			return n
		}
		text = text[i:]
		if bytes.EqualFold(text[:len(name)], []byte(name)) && (len(text) == len(name) || strings.IndexByte(" >\t", text[len(name)]) >= 0) {
			n++
		}
		text = text[1:]
	}
}

// rewritten converts the tables in the lines to Markdown. It returns false and changes nothing if the page uses a table
// for layout.
func rewritten(lines []line) bool {
	p := tableParser{out: make([][]byte, len(lines)), ended: -1}
	var whole []byte
	for i := range lines {
		whole = append(append(whole, lines[i].text...), '\n')
	}
	tokens := html.NewTokenizer(bytes.NewReader(whole))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			break
		}
		raw := tokens.Raw()
		breaks := bytes.Count(raw, []byte{'\n'})
		if !p.token(kind, tokens, raw) {
			return false
		}
		p.line += breaks
	}
	for i := range lines {
		lines[i].text, lines[i].gone, lines[i].maybe = p.out[i], len(p.out[i]) == 0, 0
	}
	return true
}

// tableParser reads tables from the tokens of an HTML page.
type tableParser struct {
	out    [][]byte // new text of each line
	line   int
	within bool // inside a table
	ended  int  // line in which the last table ended
	rows   []tableRow
	spans  []span // cells above that span rows, by column
	inHead bool
	inCell bool
	cell   []byte
	width  int // columns that the cell spans
	height int // rows that the cell spans
}

// tableRow is a row of an HTML table.
type tableRow struct {
	line  int
	cells []string
	head  bool // it has only heads of columns
}

// span is a cell that continues in rows below it.
type span struct {
	text string
	rows int
}

// token handles the next token. It returns false if a table is not a plain table of short texts.
func (p *tableParser) token(kind html.TokenType, tokens *html.Tokenizer, raw []byte) bool {
	if kind == html.TextToken || kind == html.CommentToken || kind == html.DoctypeToken {
		if kind == html.TextToken && p.inCell {
			p.cell = append(p.cell, tokens.Text()...)
			return len(p.cell) < maxTableCell && !bytes.Contains(p.cell, []byte("```"))
		}
		return p.beside(raw)
	}
	start := kind == html.StartTagToken
	name, more := tokens.TagName()
	switch tag := atom.Lookup(name); tag {
	case atom.Table:
		if start == p.within {
			return false // a table inside another
		}
		if p.within = start; !start {
			p.endCell()
			p.ended = p.line
			return p.endTable()
		}
	case atom.Thead:
		p.inHead = start
	case atom.Tr:
		p.endCell()
		if n := len(p.rows); n > 0 {
			p.above(&p.rows[n-1])
		}
		if start {
			p.rows = append(p.rows, tableRow{line: p.line, head: true})
		}
	case atom.Td, atom.Th:
		p.endCell()
		if !start {
			break
		}
		if len(p.rows) == 0 {
			return false
		}
		row := &p.rows[len(p.rows)-1]
		if len(row.cells) == 0 {
			row.line = p.line
		}
		row.head = row.head && (tag == atom.Th || p.inHead)
		p.inCell, p.width, p.height = true, 1, 1
		for more {
			var key, value []byte
			key, value, more = tokens.TagAttr()
			if n, err := strconv.Atoi(string(value)); err == nil && n > 0 {
				switch string(key) {
				case "colspan":
					p.width = min(n, maxTableCells)
				case "rowspan":
					p.height = n
				}
			}
		}
	case atom.Pre, atom.Textarea, atom.Script, atom.Style:
		return !p.within && p.beside(raw)
	case atom.Br:
		p.cell = append(p.cell, ' ')
		return p.inCell || p.beside(raw)
	default:
		return p.within || p.beside(raw)
	}
	return true
}

// beside keeps text before and after tables. It returns false for text between the cells of a table, because such a
// table is used for layout.
func (p *tableParser) beside(raw []byte) bool {
	if p.within {
		return len(bytes.TrimSpace(raw)) == 0 || raw[0] == '<'
	}
	at := p.line
	for i, part := range bytes.Split(raw, []byte{'\n'}) {
		if i > 0 {
			at++
		}
		switch {
		case at >= len(p.out):
		case at == p.ended && len(p.out[at]) > 0 && len(bytes.TrimSpace(part)) > 0:
			p.out[at] = append(append(p.out[at], '\n'), part...)
			p.ended = -1
		default:
			p.out[at] = append(p.out[at], part...)
		}
	}
	return true
}

func (p *tableParser) endCell() {
	if !p.inCell {
		return
	}
	p.inCell = false
	text := strings.ReplaceAll(strings.Join(strings.Fields(string(p.cell)), " "), "|", "&#124;")
	p.cell = p.cell[:0]
	row := &p.rows[len(p.rows)-1]
	p.above(row)
	for range p.width {
		column := len(row.cells)
		row.cells = append(row.cells, text)
		if p.height > 1 {
			for len(p.spans) <= column {
				p.spans = append(p.spans, span{})
			}
			p.spans[column] = span{text, p.height - 1}
		}
	}
}

// above adds to a row the cells that continue from rows above.
func (p *tableParser) above(row *tableRow) {
	for len(row.cells) < len(p.spans) && p.spans[len(row.cells)].rows > 0 {
		s := &p.spans[len(row.cells)]
		s.rows--
		row.cells = append(row.cells, s.text)
	}
}

// endTable writes the rows of the table. Several rows of heads are joined into one, because a Markdown table has only
// one.
func (p *tableParser) endTable() bool {
	rows := slices.DeleteFunc(p.rows, func(r tableRow) bool { return len(r.cells) == 0 })
	p.rows, p.spans, p.inHead = nil, nil, false
	if len(rows) < 2 {
		return false
	}
	columns := len(rows[0].cells)
	if columns < 2 || columns > maxTableCells {
		return false
	}
	heads := 1
	for heads < len(rows)-1 && rows[0].head && rows[heads].head && len(rows[heads].cells) == columns {
		for i, text := range rows[heads].cells {
			rows[0].cells[i] = below(rows[0].cells[i], text)
		}
		heads++
	}
	p.put(rows[0])
	p.put(tableRow{line: rows[0].line, cells: slices.Repeat([]string{"---"}, columns)})
	for _, row := range rows[heads:] {
		p.put(row)
	}
	return true
}

// below joins the head of a column with the head below it: "TTFT (ms)" and "P99" give "TTFT P99 (ms)".
func below(head, text string) string {
	if text == "" || text == head {
		return head
	}
	name, unit := head, ""
	if i := strings.LastIndexByte(head, '('); i > 0 && strings.HasSuffix(head, ")") {
		name, unit = head[:i], " "+head[i:]
	}
	return strings.TrimSpace(strings.TrimSpace(name)+" "+text) + unit
}

// put appends a row to the text of its line.
func (p *tableParser) put(row tableRow) {
	out := &p.out[row.line]
	if len(*out) > 0 {
		*out = append(*out, '\n')
	}
	*out = append(*out, "| "+strings.Join(row.cells, " | ")+" |"...)
}
