package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Formulas are $…$, $$…$$ or \(…\) within a line, or a block $$…$$ all of whose lines are TeX. For dollar signs
// that are not part of a formula see isFormula.

var (
	kindFormula      = ast.NewNodeKind("Formula")
	kindFormulaBlock = ast.NewNodeKind("FormulaBlock")
)

// formula is TeX within a line.
type formula struct {
	ast.BaseInline
	tex string
}

func (*formula) Kind() ast.NodeKind              { return kindFormula }
func (n *formula) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// formulaBlock is a TeX block.
type formulaBlock struct {
	ast.BaseBlock
	tex string
}

func (*formulaBlock) Kind() ast.NodeKind              { return kindFormulaBlock }
func (*formulaBlock) IsRaw() bool                     { return true }
func (n *formulaBlock) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type formulaParser struct{}

func (formulaParser) Trigger() []byte { return []byte{'$', '\\'} }

func (formulaParser) Parse(parent ast.Node, block text.Reader, _ parser.Context) ast.Node {
	before := block.PrecendingCharacter()
	line, _ := block.PeekLine()
	open, end := "$", "$"
	switch {
	case bytes.HasPrefix(line, []byte(`\(`)):
		open, end = `\(`, `\)`
	case bytes.HasPrefix(line, []byte("$$")):
		open, end = "$$", "$$"
	case line[0] != '$':
		return nil
	}
	rest := string(line[len(open):])
	n := closing(rest, end)
	if n < 0 {
		return nil
	}
	tex := rest[:n]
	after, _ := utf8.DecodeRuneInString(rest[n+len(end):])
	if open == "$" && !isFormula(tex, before, after) || strings.TrimSpace(tex) == "" || strings.Contains(tex, "`") {
		return nil
	}
	block.Advance(len(open) + n + len(end))
	for up := parent; up != nil; up = up.Parent() {
		if up.Kind() == extast.KindTableCell { // in a cell a pipe is written \|
			tex = strings.ReplaceAll(tex, `\|`, "|")
		}
	}
	return &formula{tex: strings.TrimSpace(tex)}
}

// closing returns the position of the end of a formula, -1 if there is none. A character after a backslash is
// part of the formula.
func closing(s, end string) int {
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], end):
			return i
		case s[i] == '$':
			return -1
		case s[i] == '\\':
			i++
		}
	}
	return -1
}

// isFormula reports whether the text between two dollar signs is TeX rather than prose between two amounts or
// variables. TeX has no space at its ends, and no letter or digit touches the dollar signs from outside. A text
// with spaces or characters beyond ASCII must contain a character that is typical of TeX.
func isFormula(tex string, before, after rune) bool {
	first, _ := utf8.DecodeRuneInString(tex)
	last, _ := utf8.DecodeLastRuneInString(tex)
	word := func(r rune) bool { return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
	if tex == "" || unicode.IsSpace(first) || unicode.IsSpace(last) || word(before) || before == '$' || word(after) || after == '$' {
		return false
	}
	prose := strings.ContainsFunc(tex, func(r rune) bool { return unicode.IsSpace(r) || r >= utf8.RuneSelf })
	return !prose || strings.ContainsAny(tex, `\^_={}<>+*`)
}

type formulaBlockParser struct{}

func (formulaBlockParser) Trigger() []byte { return []byte{'$'} }

// Open begins a block only if its end comes before the next blank line.
func (formulaBlockParser) Open(_ ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := reader.PeekLine()
	at := pc.BlockOffset()
	if at < 0 || !bytes.HasPrefix(line[at:], []byte("$$")) {
		return nil, parser.NoChildren
	}
	first := bytes.TrimRight(line[at+2:], " \t\n")
	if tex, whole := bytes.CutSuffix(first, []byte("$$")); whole {
		if tex = bytes.TrimSpace(tex); len(tex) == 0 || bytes.Contains(tex, []byte("$$")) {
			return nil, parser.NoChildren
		}
		reader.AdvanceToEOL()
		return &formulaBlock{tex: string(tex)}, parser.NoChildren | parser.Close
	}
	if bytes.Contains(first, []byte("$$")) {
		return nil, parser.NoChildren
	}
	for rest := range bytes.Lines(reader.Source()[segment.Stop:]) {
		rest = bytes.Trim(rest, " \t\n>")
		if len(rest) == 0 {
			break
		}
		if bytes.HasSuffix(rest, []byte("$$")) {
			reader.AdvanceToEOL()
			return &formulaBlock{tex: string(first)}, parser.NoChildren
		}
	}
	return nil, parser.NoChildren
}

func (formulaBlockParser) Continue(n ast.Node, reader text.Reader, _ parser.Context) parser.State {
	line, _ := reader.PeekLine()
	f := n.(*formulaBlock)
	tex, last := bytes.CutSuffix(bytes.TrimSpace(line), []byte("$$"))
	if len(tex) == 0 && !last { // the container has ended
		return parser.Close
	}
	f.tex = strings.TrimSpace(f.tex + "\n" + string(bytes.TrimSpace(tex)))
	reader.AdvanceToEOL()
	if last {
		return parser.Close
	}
	return parser.Continue | parser.NoChildren
}

func (formulaBlockParser) Close(ast.Node, text.Reader, parser.Context) {}

func (formulaBlockParser) CanInterruptParagraph() bool { return true }
func (formulaBlockParser) CanAcceptIndentedLine() bool { return false }

// formulaHTML writes TeX as its author wrote it: pages load no script that could render it.
func (h *htmlWriter) formulaHTML(tex string) {
	h.write(`<code class="math">`)
	h.escaped(tex)
	h.write("</code>")
}
