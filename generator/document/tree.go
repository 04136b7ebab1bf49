package document

import (
	"sync"
	"weak"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// tree is the parsed prose of a document.
type tree struct {
	*Document
	src      []byte // source of the prose
	lines    *lines // of the file
	root     ast.Node
	more     ast.Node   // the <!--more--> block
	title    ast.Node   // the heading that is the title; nil if there is none
	headings []ast.Node // the nodes of Headings, in the same order
	blocks   map[ast.Node]*Block
	values   map[ast.Node]*Value
	links    map[ast.Node]*Link
	marks    map[ast.Node]string // ids of headings that must be written explicitly
}

func newTree(d *Document) *tree {
	return &tree{Document: d, blocks: map[ast.Node]*Block{}, values: map[ast.Node]*Value{}, links: map[ast.Node]*Link{}, marks: map[ast.Node]string{}}
}

// forest holds the tree of a document weakly: the tree stays while it is used and until the next garbage
// collection. A tree takes ten times the memory of the source, from which it can be made again. A site has a
// thousand documents and renders two at a time.
type forest struct {
	mu   sync.Mutex
	tree weak.Pointer[tree]
}

func (f *forest) keep(t *tree) { f.tree = weak.Make(t) }

// tree returns the tree of the document. Its nodes map to the document's own blocks, values and links. If the
// tree was freed, it is parsed again.
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

// lead maps nodes to the entries that the document had before. again lists the same entries in the same order,
// as found by the new parse.
func lead[T any](nodes map[ast.Node]*T, again, had []*T) {
	place := make(map[*T]*T, len(had))
	for i, one := range again {
		place[one] = had[i]
	}
	for n, one := range nodes {
		nodes[n] = place[one]
	}
}

// grow parses the prose.
func (p *parse) grow() {
	t := p.doc
	t.src = t.whole[t.base:]
	t.root = markdown().Parse(text.NewReader(t.src))
	if t.page {
		p.findTitle()
	}
	p.collect()
}

// findTitle takes the first heading of a page as its title if it has level 1.
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
