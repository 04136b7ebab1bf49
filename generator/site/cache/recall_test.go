package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/need"
)

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What is recalled of a file is what was read from it, for every real file there is.
func TestWhatIsRecalledIsWhatWasRead(t *testing.T) {
	t.Parallel()
	corpus := filepath.Join("..", "..", "..", "..", "shared", "corpus")
	need.Beside(t, corpus)
	n, kept := 0, 0
	filepath.WalkDir(corpus, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		out, err := format.ReadFile(path, "runs/x")
		if err != nil {
			return nil
		}
		n++
		data, ok := packReading(&reading{Output: out})
		if !ok {
			return nil
		}
		kept++
		recalled, ok := unpackReading(data)
		again := recalled.Output
		if !ok {
			t.Fatalf("%s is not recalled", path)
		}
		if len(again.Results) != len(out.Results) {
			t.Fatalf("%s: %d results, not %d", path, len(again.Results), len(out.Results))
		}
		for i := range out.Results {
			a, b := out.Results[i], again.Results[i]
			a.Seal()
			b.Seal()
			if a.Stamp != b.Stamp {
				t.Errorf("%s: result %d is another:\n%+v\n%+v", path, i+1, a, b)
			}
		}
		if fmt.Sprint(again.Messages, again.Captured, again.Capture, again.Cut, again.Archive, again.Reason, len(again.Traces)) !=
			fmt.Sprint(out.Messages, out.Captured, out.Capture, out.Cut, out.Archive, out.Reason, len(out.Traces)) {
			t.Errorf("%s is recalled as\n%+v\nnot\n%+v", path, again, out)
		}
		if len(again.Traces) > 0 && !reflect.DeepEqual(fmt.Sprint(again.Traces), fmt.Sprint(out.Traces)) {
			t.Errorf("the telemetry of %s is another", path)
		}
		if !reflect.DeepEqual(fmt.Sprint(again.Unfinished), fmt.Sprint(out.Unfinished)) {
			t.Errorf("the unfinished runs of %s are others", path)
		}
		return nil
	})
	if n < 300 || kept < n*9/10 {
		t.Errorf("%d of %d files can be kept", kept, n)
	}
}

// A large file that has not changed is not read again by another session; one that
// has is, and so is one whose record is damaged.
func TestLargeFilesAreRecalled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "big.log")
	put := func(i int) {
		writeFile(t, file, strings.Repeat("(worker) INFO nothing to see here\n", worthKeeping/30)+invent.Block(i))
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(file, old, old.Add(time.Duration(i)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	duration := func() float64 {
		out, err := OpenReader(dir).Read(file, "runs/big.log")
		if err != nil || len(out.Results) != 1 {
			t.Fatal(out, err)
		}
		m, _ := out.Results[0].Metric("duration")
		return m.Value
	}
	put(1)
	first := duration()
	names, _ := filepath.Glob(filepath.Join(dir, Name, "cache", "*"))
	if len(names) != 1 {
		t.Fatalf("%d files are kept", len(names))
	}
	data, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	// That it is recalled is seen by a file that was changed without its size and time.
	info, _ := os.Stat(file)
	text, _ := os.ReadFile(file)
	changed := strings.Replace(string(text), "Failed", "fAILED", 1)
	changed = strings.Replace(changed, fmt.Sprintf("%.2f\nTotal input", 40+1.0/10), "77.77\nTotal input", 1)
	if changed == string(text) || len(changed) != len(text) {
		t.Fatal("the fixture is another")
	}
	writeFile(t, file, changed)
	os.Chtimes(file, info.ModTime(), info.ModTime())
	if got := duration(); got != first {
		t.Errorf("it was read again: %g", got)
	}
	data[len(data)-1] ^= 1
	os.WriteFile(names[0], data, 0o644)
	if got := duration(); got != 77.77 {
		t.Errorf("a damaged record was believed: %g", got)
	}
	put(2)
	if got := duration(); got == first || got == 77.77 {
		t.Errorf("a changed file was recalled: %g", got)
	}
}
