package format

import (
	"bytes"
	"fmt"
	"testing"
)

// TestMarksAreFound checks that the marks found in the lines of the fixtures are exactly those that the lines contain.
func TestMarksAreFound(t *testing.T) {
	t.Parallel()
	reg := builtin()
	for _, path := range fixtures(t) {
		for n, line := range bytes.Split(fixtureData(t, path), []byte("\n")) {
			got := newSet(len(reg.blockFormats))
			reg.marks.find(line, got)
			for i, f := range reg.blockFormats {
				want := false
				for _, text := range f.Marks {
					want = want || bytes.Contains(line, []byte(text))
				}
				if got.has(i) != want {
					t.Fatalf("%s:%d: %q, found %v, want %v", path, n+1, f.Name, got.has(i), want)
				}
			}
		}
	}
}

// BenchmarkMarks measures the search for all marks in a server's log, whose lines have none, and the time to prepare
// the search.
func BenchmarkMarks(b *testing.B) {
	var lines [][]byte
	size := 0
	for i := range 1000 {
		lines = append(lines, fmt.Appendf(nil, "(APIServer pid=27089) INFO:     127.0.0.1:%d - \"POST /v1/completions HTTP/1.1\" 200 OK", 30000+i))
		size += len(lines[i])
	}
	b.Run("marks", func(b *testing.B) {
		reg := builtin()
		found := newSet(len(reg.blockFormats))
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, line := range lines {
				reg.marks.find(line, found)
			}
		}
	})
	b.Run("marks/build", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			newRegistry(families()...)
		}
	})
}
