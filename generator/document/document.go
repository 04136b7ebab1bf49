// Package document reads the source of a post: TOML front matter, prose in
// Markdown, report blocks and inline values, each with its position. From one
// parse it renders HTML and the body of a Jekyll post.
package document

import (
	"io"
	"time"

	"benchpost/generator/bench"
)

// Options are what a document takes from its site.
type Options struct {
	Language string         // of a file whose name says none, as "zh-CN"
	Location *time.Location // of a date without a zone; nil is UTC
}

// Document is one post as its author wrote it. It is not changed by rendering
// and may be rendered concurrently.
type Document struct {
	File     string // the name given to Parse
	Name     string // NAME of NAME.LANG.md: the same for all languages of a post
	Lang     string // language tag, "zh-CN" or "en"
	Slug     string // the front matter's, or NAME
	Front    Front
	Blocks   []*Block
	Values   []*Value
	Links    []*Link
	Headings []Heading
	More     bool // the prose has a <!--more-->
}

// Block is a report block: a fenced code block whose info string begins with
// "benchpost".
type Block struct {
	Kind     string         // the word after it, "table"; "" when there is none
	Args     string         // what follows the kind on the fence's line
	Body     []byte         // TOML
	BodyLine int            // line of the body's first line
	Pos      bench.Position // of the fence
}

// Value is inline code that begins with "=".
type Value struct {
	Expr string         // without the "=", white space trimmed
	Pos  bench.Position // of the expression
}

// Link is the address of a link or an image in the prose.
type Link struct {
	Address string
	Image   bool
	Pos     bench.Position
}

// Heading is an entry of the table of contents.
type Heading struct {
	Level int
	ID    string
	Text  string // inline values in it are left out
	Pos   bench.Position
}

// Fill says what stands in the places a document leaves open. HTML and
// Markdown have a Fill each.
type Fill interface {
	// Block gives the block as HTML or Markdown.
	Block(*Block) []byte
	// Value gives the value as plain text; it is escaped where it is put.
	Value(*Value) string
	// Link gives the address to write. One that differs from l.Address is
	// written as it is, so that it may hold Liquid in Markdown.
	Link(l *Link) string
}

// Front is the front matter.
type Front struct {
	Title       string
	Date        time.Time
	Slug        string
	Categories  List
	Tags        List
	Excerpt     string
	Image       string
	Layout      string
	Description string
	Author      string
	Draft       bool
	Extra       []Field // every other key, in the order of the source
}

// List is a key that may be written as a list or as one string, which Jekyll
// splits at spaces.
type List struct {
	Items []string
	Plain bool // one string
}

// Field is a key with its TOML value: string, int64, float64, bool,
// time.Time, []any or []Field.
type Field struct {
	Key   string
	Value any
}

// Parse reads the source of a post. The document is never nil; when a message
// is an error it is not fit to be rendered.
func Parse(name string, src []byte, opt Options) (*Document, []bench.Message) {
	return &Document{File: name}, nil
}

// HTML writes the body.
func (d *Document) HTML(w io.Writer, fill Fill) error { return nil }

// Excerpt writes as HTML what stands before <!--more-->, or the first
// paragraph when there is no such mark.
func (d *Document) Excerpt(w io.Writer, fill Fill) error { return nil }

// Markdown writes the body of a Jekyll post.
func (d *Document) Markdown(w io.Writer, fill Fill) error { return nil }
