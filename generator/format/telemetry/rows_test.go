package telemetry

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/draft"
	"github.com/benchpost/benchpost/generator/format/internal/scan"
)

// TestRowReadsAsLine checks that a table is read the same if its rows are given to Row, as when no other reader takes
// lines, and if they are given to Line with all other lines.
func TestRowReadsAsLine(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "fixtures", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	rows := 0
	for _, format := range Formats().Blocks {
		if _, ok := format.New().(draft.RowReader); !ok {
			continue
		}
		for _, path := range files {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(path, ".want") || !hasMark(data, format.Marks) {
				continue
			}
			slow, _ := readWith(data, format, false)
			fast, taken := readWith(data, format, true)
			rows += taken
			if asText(slow) != asText(fast) {
				t.Errorf("%s of %s:\n%s\nby rows:\n%s", format.Name, filepath.Base(path), asText(slow), asText(fast))
			}
		}
	}
	if rows < 50 {
		t.Errorf("%d rows were taken as such", rows)
	}
}

func hasMark(data []byte, marks []string) bool {
	for _, mark := range marks {
		if bytes.Contains(data, []byte(mark)) {
			return true
		}
	}
	return false
}

// readWith gives a text to one reader as the registry does, and its rows to Row if asRows is set.
func readWith(data []byte, format draft.BlockFormat, asRows bool) (found draft.Found, rows int) {
	in := draft.NewFile()
	in.Open("f")
	r := format.New()
	r.Begin(in)
	awake := false
	for i, text := range bytes.SplitAfter(data, []byte("\n")) {
		if len(text) == 0 {
			continue
		}
		l := scan.Line{Text: bytes.TrimRight(text, " \t\n"), Number: i + 1, Ended: bytes.HasSuffix(text, []byte("\n"))}
		if awake && asRows && r.(draft.RowReader).Row(l) {
			rows++
			continue
		}
		if in.Marked = hasMark(l.Text, format.Marks); in.Marked || awake {
			awake = r.Line(l)
		}
	}
	r.End()
	return in.Out, rows
}

// asText returns what was found as text, in which missing values (NaN) are equal.
func asText(found draft.Found) string {
	var b strings.Builder
	for _, t := range found.Traces {
		fmt.Fprintf(&b, "%v %d %v %v %v\n", t.Source, t.EndLine, t.Start, t.Labels, t.Times)
		for _, c := range t.Channels {
			fmt.Fprintf(&b, "%s %s %s %s %v %v\n", c.Name, c.Unit, c.Field, c.Scope, c.Values, c.Lines)
		}
	}
	fmt.Fprintln(&b, found.Captured, found.Messages, found.Reason)
	return b.String()
}
