package draft

import (
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Formats is the table of the formats that a family of tools writes.
type Formats struct {
	Objects []ObjectFormat
	Blocks  []BlockFormat
	Yaml    []YAMLFormat
}

// ObjectFormat is a format whose unit is a JSON object. A file may be one
// object, several one after the other (JSON lines), or a list of them.
type ObjectFormat struct {
	Name string
	Keys []string                 // an object of this format has one of them at its top
	Is   func(v *scan.Value) bool // and satisfies this; nil when the key is enough
	Read func(*File, *scan.Value)
	// open is for formats in which several objects make one result, in place of
	// read.
	Open func(*File) ObjectReader
}

// ObjectReader is given the objects of a file one after the other, and then
// the end. An object lives until the next.
type ObjectReader interface {
	Object(*scan.Value)
	End()
}

// BlockFormat is a format whose results are lines of a text.
type BlockFormat struct {
	Name  string
	Marks []string
	New   func() LineReader
}

// LineReader finds the blocks of one format in a text. It is used for one file
// after the other.
type LineReader interface {
	// begin is called once for a file, before the first line.
	Begin(*File)
	// line is called with each line that has a mark. As long as it gives true,
	// all lines that follow are handed to it too.
	Line(scan.Line) bool
	// end is called after the last line.
	End()
}

// RowReader is a LineReader of tables with so many rows that it counts what each
// costs. While it alone takes lines, Row is called with each; it takes the line if
// that is a row of its table and nothing else, and no mark is looked for in it.
type RowReader interface {
	LineReader
	Row(scan.Line) bool
}

// Settler is a lineReader that decides once all others have ended what of a file
// is left for it.
type Settler interface {
	LineReader
	Settle()
}

// YAMLFormat is a format that a tool also saves as JSON. It is recognised by the head of
// the file and read as the JSON with the same tree, every value in its own line.
type YAMLFormat struct {
	Name string
	Head func(head []byte) bool
	// passOver reports which block of lines nothing is read from, by its key and how
	// far it is indented.
	PassOver func(key string, indent int) bool
}
