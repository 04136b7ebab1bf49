package document

import (
	"sync"
	"weak"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// tree is the prose of a document as it was read.
type tree struct {
	*Document
	src      []byte // the prose
	lines    *lines // of the file
	root     ast.Node
	more     ast.Node   // the <!--more--> line
	title    ast.Node   // the heading that is the title; nil for none
	headings []ast.Node // those of Headings
	blocks   map[ast.Node]*Block
	values   map[ast.Node]*Value
	links    map[ast.Node]*Link
	marks    map[ast.Node]string // headings whose id must be written for Jekyll
}

func newTree(d *Document) *tree {
	return &tree{Document: d, blocks: map[ast.Node]*Block{}, values: map[ast.Node]*Value{}, links: map[ast.Node]*Link{}, marks: map[ast.Node]string{}}
}

// forest has the tree of a document as long as someone uses it, and there is memory. It takes ten times
// that of the source, from which it is made again: a site has a thousand documents and renders two at a time.
type forest struct {
	mu   sync.Mutex
	tree weak.Pointer[tree]
}

func (f *forest) keep(t *tree) { f.tree = weak.Make(t) }

// tree returns the tree of the document, whose nodes lead to its blocks, values and links.
func (d *Document) tree() *tree {
	d.trees.mu.Lock()
	defer d.trees.mu.Unlock()
	if t := d.trees.tree.Value(); t != nil {
		return t
	}
	again := &Document{File: d.File, Front: d.Front, Plain: d.Plain, page: d.page, whole: d.whole, base: d.base}
	p := parse{doc: newTree(again)}
	p.doc.lines = newLines(d.File, d.whole)
	p.grow()
	p.doc.Document = d
	lead(p.doc.blocks, again.Blocks, d.Blocks)
	lead(p.doc.values, again.Values, d.Values)
	lead(p.doc.links, again.Links, d.Links)
	d.trees.keep(p.doc)
	return p.doc
}

// lead has nodes lead to what a document has, in the order in which it was found again.
func lead[T any](nodes map[ast.Node]*T, again, had []*T) {
	place := make(map[*T]*T, len(had))
	for i, one := range again {
		place[one] = had[i]
	}
	for n, one := range nodes {
		nodes[n] = place[one]
	}
}

// grow reads the prose.
func (p *parse) grow() {
	t := p.doc
	t.src = t.whole[t.base:]
	t.root = markdown().Parse(text.NewReader(t.src))
	if t.page {
		p.findTitle()
	}
	p.collect()
}

// findTitle takes the first heading of a page, when it is of the first level, for its title.
func (p *parse) findTitle() {
	for n := p.doc.root.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level == 1 {
				p.doc.title = h
			}
			return
		}
	}
}
