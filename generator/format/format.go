// Package format reads the raw output of benchmark tools. Each file beside
// this one reads one format; this one tells them apart by content, never by
// name, and hands out what they found.
package format

import (
	"io"

	"benchpost/generator/bench"
)

// Output is what one file held.
type Output struct {
	Format   string          // "vllm-serve-text"; "" when no format was recognised
	Results  []bench.Result  // ID is empty, Source.File is the name given; sorted by line
	Messages []bench.Message // what reading found odd or broken, with positions
	Reason   string          // why there is no result: "no known format", "placeholders, not figures"
}

// Read recognises and reads one file. It never fails on content: what is
// wrong with that is a Message. The error is the reader's own.
func Read(name string, r io.Reader) (Output, error) {
	return Output{Reason: "no known format"}, nil
}
