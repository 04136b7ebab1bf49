// Package shard writes folders of raw runs as Parquet, and lays them out as folders again: what many machines
// have read, one of them publishes.
//
//	to := shard.Source{Root: "runs", Part: "a", Mask: mask, Results: results}
//	err := to.Write(w)                                  // on any machine
//	set, err := shard.Find([]string{"shards/*.parquet"})
//	done, err := set.Unpack(ctx, "unpacked/runs", "")   // runs/ as it was, but for what is not published
//
// A row is a result in the plain columns of package datapackage, a piece of a file, or both: the first
// rows of a file have its pieces, in columns that begin with raw_, and its results, each one. The order of the
// rows, their number in a file and the files they are in mean nothing, so that a program that reads the
// columns may write them anew, sorted or partitioned.
//
// Files are as they are published: secrets and private names are masked in contents and names. What only a copy of
// the site has is left out, as hidden files and links are. Of the weights of a model there is the header alone.
package shard

import (
	"github.com/parquet-go/parquet-go"

	"github.com/benchpost/benchpost/generator/datapackage"
)

// Form names what the columns of a shard mean. Each row has it, as the metadata of a file are lost when other
// programs write it anew.
const Form = "benchpost.shard/1"

// pieceSize is how many bytes of a file a row has at most. It belongs to the form.
const pieceSize = 1 << 20

// groupSize is after how many bytes of files a group of rows leaves memory.
const groupSize = 16 << 20

// The columns of files, in their order.
const (
	formColumn  = "raw_form"   // Form
	pathColumn  = "raw_path"   // below runs/, with slashes
	pieceColumn = "raw_piece"  // the number of the piece, from 0; null for a row that has only a result
	sizeColumn  = "raw_size"   // of the file, in bytes
	sumColumn   = "raw_sha256" // of the file, in hexadecimal digits
	bytesColumn = "raw_bytes"  // of the piece

	// ConditionsColumn has what the result has to have in common with others to be summed up with them
	// (dataset.Conditions), as a JSON object of texts; null for a row without one.
	ConditionsColumn = "raw_conditions"

	// DecimalsColumn has how many digits after the point the tool printed of each metric, in the unit of the
	// vocabulary, as a JSON object of numbers: without those of which it stored all digits.
	DecimalsColumn = "raw_decimals"

	resultColumn = "id" // of the results' own columns: null for a row without one
)

// columns are those of files.
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

// pieces is in how many rows a file is.
func pieces(size int64) int64 { return max(1, (size+pieceSize-1)/pieceSize) }
