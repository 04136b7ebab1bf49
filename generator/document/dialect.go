package document

import (
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdown is the parser of the prose: CommonMark with GFM's tables, strikethrough, autolinks and task lists,
// footnotes, heading attributes and formulas. A tag of an unknown element, as in "vllm serve <model>", is text.
var markdown = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(
			util.Prioritized(parser.NewSetextHeadingParser(parser.WithHeadingAttribute()), 100),
			util.Prioritized(parser.NewThematicBreakParser(), 200),
			util.Prioritized(parser.NewListParser(), 300),
			util.Prioritized(parser.NewListItemParser(), 400),
			util.Prioritized(parser.NewCodeBlockParser(), 500),
			util.Prioritized(parser.NewATXHeadingParser(parser.WithHeadingAttribute()), 600),
			util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
			util.Prioritized(formulaBlockParser{}, 750),
			util.Prioritized(parser.NewBlockquoteParser(), 800),
			util.Prioritized(htmlBlockParser{parser.NewHTMLBlockParser()}, 900),
			util.Prioritized(extension.NewFootnoteBlockParser(), 999),
			util.Prioritized(parser.NewParagraphParser(), 1000),
		),
		parser.WithInlineParsers(
			util.Prioritized(taskParser{extension.NewTaskCheckBoxParser()}, 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(formulaParser{}, 100),
			util.Prioritized(extension.NewFootnoteParser(), 101),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(rawHTMLParser{parser.NewRawHTMLParser()}, 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)
})

// htmlBlockParser does not open a block at a tag of an unknown element.
type htmlBlockParser struct{ parser.BlockParser }

func (p htmlBlockParser) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, _ := reader.PeekLine()
	if pos := pc.BlockOffset(); pos >= 0 && isUnknownTag(line[pos:]) {
		return nil, parser.NoChildren
	}
	return p.BlockParser.Open(parent, reader, pc)
}

// rawHTMLParser treats a tag of an unknown element as text.
type rawHTMLParser struct{ parser.InlineParser }

func (p rawHTMLParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	if line, _ := block.PeekLine(); isUnknownTag(line) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// taskParser recognises [x] as a task only before the text of an item and with a space after it, as GFM and
// kramdown do.
type taskParser struct{ parser.InlineParser }

func (p taskParser) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	line, _ := block.PeekLine()
	if parent.Kind() == ast.KindHeading || len(line) < 4 || line[2] != ']' || !util.IsSpace(line[3]) {
		return nil
	}
	return p.InlineParser.Parse(parent, block, pc)
}

// isUnknownTag reports whether s begins with a tag of an element that HTML, SVG and MathML do not define. A
// name with a hyphen is a custom element, which counts as known.
func isUnknownTag(s []byte) bool {
	if len(s) < 2 || s[0] != '<' {
		return false
	}
	i := 1
	if s[i] == '/' {
		i++
	}
	start := i
	for i < len(s) && (isLetter(s[i]) || i > start && (isDigit(s[i]) || s[i] == '-')) {
		i++
	}
	if i == start || i < len(s) && strings.IndexByte(" \t\n/>", s[i]) < 0 {
		return false
	}
	name := strings.ToLower(string(s[start:i]))
	return !strings.Contains(name, "-") && !elements()[name]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

var elements = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, name := range strings.Fields(`
		a abbr acronym address area article aside audio b base bdi bdo big blockquote body br
		button canvas caption center cite code col colgroup data datalist dd del details dfn dialog
		dir div dl dt em embed fieldset figcaption figure font footer form frame frameset h1 h2 h3
		h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map
		mark menu meta meter nav nobr noscript object ol optgroup option output p param picture pre
		progress q rb rp rt rtc ruby s samp script search section select slot small source span
		strike strong style sub summary sup table tbody td template textarea tfoot th thead time
		title tr track tt u ul var video wbr
		svg animate circle clippath defs desc ellipse filter foreignobject g image line
		lineargradient marker mask path pattern polygon polyline radialgradient rect stop switch
		symbol text textpath tspan use view
		math annotation mfrac mi mn mo mover mroot mrow mspace msqrt mstyle msub msubsup msup mtable
		mtd mtext mtr munder munderover semantics`) {
		m[name] = true
	}
	return m
})
