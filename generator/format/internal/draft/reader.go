package draft

import (
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// Formats is the table of a family's formats.
type Formats struct {
	Objects []ObjectFormat
	Blocks  []BlockFormat
	Yaml    []YAMLFormat
}

// ObjectFormat is a format whose unit is a JSON object. A file may be one object, several one after the other (JSON
// lines), or a list of them.
type ObjectFormat struct {
	Name string
	Keys []string                 // an object of this format has one of these keys at its top
	Is   func(v *scan.Value) bool // further condition; nil if the key is enough
	Read func(*File, *scan.Value)
	// Open replaces Read for formats in which several objects make one result.
	Open func(*File) ObjectReader
}

// ObjectReader receives the objects of a file one after the other, then End. An object is valid until the next one.
type ObjectReader interface {
	Object(*scan.Value)
	End()
}

// BlockFormat is a format whose results are blocks of lines in a text.
type BlockFormat struct {
	Name  string
	Marks []string
	New   func() LineReader
}

// LineReader finds the blocks of one format in a text. It is reused for each file.
type LineReader interface {
	// Begin is called once per file, before the first line.
	Begin(*File)
	// Line is called with each line that has a mark. While it returns true, it is also called with all lines that
	// follow.
	Line(scan.Line) bool
	// End is called after the last line.
	End()
}

// RowReader is a LineReader for tables with so many rows that the cost of each matters. While it is the only awake
// reader, Row is called with each line. Row returns true if the line is just a row of its table; then the line is not
// searched for marks.
type RowReader interface {
	LineReader
	Row(scan.Line) bool
}

// Settler is a LineReader that makes its final decision after all readers have ended, when it is known which parts of
// the file other readers have read.
type Settler interface {
	LineReader
	Settle()
}

// YAMLFormat is a format that a tool also saves as JSON. It is recognised by the head of the file and read as the JSON
// with the same tree. Each value keeps its line.
type YAMLFormat struct {
	Name string
	Head func(head []byte) bool
	// PassOver reports whether a block of lines is skipped, given its key and the indentation of the key.
	PassOver func(key string, indent int) bool
}
