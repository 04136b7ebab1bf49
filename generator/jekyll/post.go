// Package jekyll writes Jekyll posts: the file's name, its YAML front matter,
// and the Markdown of tables, raw output and images, so that Jekyll 4.3 and
// 3.10 render them as they were meant.
package jekyll

import (
	"benchpost/generator/document"
	"benchpost/generator/locale"
	"benchpost/generator/report"
)

// Options are what a post takes from the site's [jekyll] table.
type Options struct {
	Layout string // for posts that name none: "single", "post"
}

// Path gives the post's place in a Jekyll site: "_posts/2025-10-12-slug.md".
func Path(d *document.Document) string { return "" }

// Post gives the whole file. Fill renders the blocks as Markdown, by Table,
// Raw and Image.
func Post(d *document.Document, fill document.Fill, opt Options) ([]byte, error) { return nil, nil }

// Table gives a Markdown table with its caption above and its notes below.
func Table(t report.Table, p locale.Printer) string { return "" }

// Raw gives text as a fenced code block that Liquid leaves alone. Info is the
// language of the block, "" for none.
func Raw(text, info string) string { return "" }

// Image gives an image. Address comes from Asset, or is written by the caller.
func Image(alt, address string) string { return "" }

// Asset gives the address of a file below the Jekyll site's root, as
// "assets/benchpost/slug/x.png". An empty prefix lets Jekyll put its baseurl
// before it; otherwise the prefix is put before it.
func Asset(prefix, path string) string { return "" }
