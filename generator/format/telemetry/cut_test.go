package telemetry_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/result"
)

// TestCutFilesInventNothing checks files that are cut off anywhere, as when they are still being written. A cut file
// has no samples that the whole file lacks. All of its samples but the last are the same, and the last one's values are
// at most as large.
func TestCutFilesInventNothing(t *testing.T) {
	t.Parallel()
	files := fixture.Own(t)
	if len(files) < 20 {
		t.Fatalf("%d fixtures", len(files))
	}
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			whole := readBytes(t, data)
			for cut := len(data); cut > 0; cut -= 1 + len(data)/120 {
				checkCut(t, cut, readBytes(t, data[:cut]), whole)
			}
		})
	}
}

func readBytes(t *testing.T, data []byte) format.Output {
	t.Helper()
	out, err := format.Read("f", bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// checkCut compares the output for a part of a file with the output for the whole file.
func checkCut(t *testing.T, cut int, part, whole format.Output) {
	t.Helper()
	if len(part.Traces) > len(whole.Traces) {
		t.Fatalf("cut at %d: %d traces, not %d", cut, len(part.Traces), len(whole.Traces))
	}
	for i := range part.Traces {
		got, want := &part.Traces[i], &whole.Traces[i]
		if len(got.Times) > len(want.Times) {
			t.Errorf("cut at %d: %d samples of %d", cut, len(got.Times), len(want.Times))
			continue
		}
		last := len(got.Times) - 1
		for _, c := range got.Channels {
			known := want.Channel(c.Name)
			if known == nil {
				continue // the name of a channel of several rows is only known at the end
			}
			for n, v := range c.Values {
				if w := known.Values[n]; !math.IsNaN(v) && !math.IsNaN(w) && (n < last && v != w || v > w) {
					t.Errorf("cut at %d: sample %d of %s is %v, not %v", cut, n, c.Name, v, w)
				}
			}
		}
	}
	for _, l := range part.Captured {
		name, ok := strings.CutPrefix(l.Name, result.ReadingPrefix)
		if !ok || len(whole.Traces) == 0 || whole.Traces[0].Channel(name) == nil {
			continue
		}
		number, _, _ := strings.Cut(l.Value, " ")
		v, err := strconv.ParseFloat(number, 64)
		if first := whole.Traces[0].Channel(name).Values[0]; err == nil && v > first+1e-6 {
			t.Errorf("cut at %d: %s was %v, not %v", cut, name, v, first)
		}
	}
}
