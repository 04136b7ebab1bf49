package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"slices"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/filemark"
)

// stat adds the path and mark of a file to a hash, and returns the mark.
func stat(h hash.Hash, name string, at func(name string) filemark.Mark) filemark.Mark {
	m := at(name)
	h.Write(appendMark(nil, name, m))
	return m
}

// appendMark appends the path and mark of a file.
func appendMark(b []byte, name string, m filemark.Mark) []byte {
	b = binary.AppendUvarint(b, uint64(len(name)))
	b = append(b, name...)
	return m.Append(b)
}

// statAll adds the paths and marks of many files to a hash, and returns the marks. It works on all cores.
func statAll(h hash.Hash, names []string, at func(name string) filemark.Mark) []filemark.Mark {
	const atOnce = 1024
	chunks := slices.Collect(slices.Chunk(names, atOnce))
	sums, marks := make([][sha256.Size]byte, len(chunks)), make([]filemark.Mark, len(names))
	cores.Each(len(chunks), func(i int) {
		var b []byte
		for n, name := range chunks[i] {
			m := at(name)
			b = appendMark(b, name, m)
			marks[i*atOnce+n] = m
		}
		sums[i] = sha256.Sum256(b)
	})
	for i := range sums {
		h.Write(sums[i][:])
	}
	return marks
}
