package document

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/benchpost/benchpost/generator/result"
)

// lines converts offsets in a file to positions.
type lines struct {
	file   string
	src    []byte
	starts []int // offset of the start of each line
}

func newLines(file string, src []byte) *lines {
	l := &lines{file: file, src: src, starts: make([]int, 1, 1+bytes.Count(src, []byte("\n")))}
	for at := 0; ; {
		n := bytes.IndexByte(src[at:], '\n')
		if n < 0 {
			return l
		}
		at += n + 1
		l.starts = append(l.starts, at)
	}
}

// at returns the position of an offset. Columns count characters.
func (l *lines) at(offset int) result.Position {
	offset = min(offset, len(l.src))
	n := sort.SearchInts(l.starts, offset+1)
	start := l.starts[n-1]
	return result.Position{File: l.file, Line: n, Column: 1 + utf8.RuneCount(l.src[start:offset])}
}
