// Package shard writes folders of raw runs as Parquet, and restores the folders. So many machines can read runs, and
// one of them can publish the result.
//
//	to := shard.Source{Root: "runs", Part: "a", Mask: mask, Results: results}
//	err := to.Write(w)                                  // on any machine
//	set, err := shard.Find([]string{"shards/*.parquet"})
//	err = set.Unpack(ctx, "unpacked/runs", "")          // runs/ as it was, except what is not published
//
// A row contains a result in the plain columns of package datapackage, a piece of a file, or both: row n of a file
// contains its piece n, in columns with the prefix raw_, and its result n, as far as there are such. The order of the
// rows, their number in a shard and the number of shards are irrelevant. So a program that reads the columns may
// rewrite them, sorted or partitioned.
//
// Files are stored in their published form: secrets and private names are masked in contents and names. Hidden files
// and links are left out, since only a copy of the site has them. Of a model's weights only the header is stored.
package shard

import (
	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/datapackage"
)

// Form identifies the meaning of a shard's columns. It is in every row, because the metadata of a file are lost when
// other programs rewrite it.
const Form = "benchpost.shard/1"

// pieceSize is the greatest number of bytes of a file in a row. It is part of the form.
const pieceSize = 1 << 20

// groupSize is the number of bytes of files after which a group of rows is written.
const groupSize = 16 << 20

// The columns for files, in this order.
const (
	formColumn  = "raw_form"   // the constant Form
	pathColumn  = "raw_path"   // below runs/, with slashes
	pieceColumn = "raw_piece"  // number of the piece, from 0; null in a row with only a result
	sizeColumn  = "raw_size"   // of the file in bytes
	sumColumn   = "raw_sha256" // of the file, hexadecimal
	bytesColumn = "raw_bytes"  // content of the piece

	// ConditionsColumn contains the labels in which results must agree to be aggregated (dataset.Conditions), as a JSON
	// object of texts; null in a row without a result.
	ConditionsColumn = "raw_conditions"

	// DecimalsColumn contains the number of decimals that the tool printed of each metric, in the unit of the
	// vocabulary, as a JSON object of numbers. Metrics stored with all digits are omitted.
	DecimalsColumn = "raw_decimals"

	resultColumn = "id" // in the results' own columns: null in a row without a result
)

// columns returns the columns for files.
func columns() []datapackage.Column {
	text := parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	return []datapackage.Column{
		{Name: formColumn, Node: text},
		{Name: pathColumn, Node: text},
		{Name: pieceColumn, Node: parquet.Optional(parquet.Int(64))},
		{Name: sizeColumn, Node: parquet.Int(64)},
		{Name: sumColumn, Node: text},
		{Name: bytesColumn, Node: parquet.Optional(parquet.Leaf(parquet.ByteArrayType))},
		{Name: ConditionsColumn, Node: parquet.Optional(text)},
		{Name: DecimalsColumn, Node: parquet.Optional(text)},
	}
}

// pieces returns the number of rows with pieces of a file.
func pieces(size int64) int64 { return max(1, (size+pieceSize-1)/pieceSize) }
