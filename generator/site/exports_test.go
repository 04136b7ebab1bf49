package site

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/datapackage"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/page"
	"github.com/benchpost/benchpost/generator/pieces"
)

// TestExportsOfASession checks that the files of all results equal newly written ones, although a session copies their
// unchanged parts: whatever runs come, change and go, when another session takes over, and after somebody edits a file.
func TestExportsOfASession(t *testing.T) {
	t.Parallel()
	dir, random := t.TempDir(), rand.New(rand.NewPCG(7, 7))
	writeFile(t, filepath.Join(dir, "site.toml"), "title = \"Runs\"\nlanguages = [\"en\"]\n")
	name := func(i int) string { return fmt.Sprintf("runs/c%d/model=m%d/run-%d.log", i/20, i%4, i) }
	const runs = 160
	for i := range runs {
		writeFile(t, filepath.Join(dir, name(i)), invent.Block(i))
	}
	s := Open(Options{Dir: dir})
	defer func() { s.Close() }()
	for step := range 12 {
		var changed []string
		for range min(step, 3) {
			file := name(random.IntN(runs + 20))
			switch random.IntN(4) {
			case 0:
				os.Remove(filepath.Join(dir, file))
			case 1: // a label with its own column
				writeFile(t, filepath.Join(dir, filepath.Dir(file), "run.toml"), fmt.Sprintf("[labels]\nextra_%d = \"%d\"\n", step, step))
				changed = append(changed, filepath.Dir(file))
			default:
				writeFile(t, filepath.Join(dir, file), invent.Block(1000+step))
			}
			changed = append(changed, file)
		}
		out := filepath.Join(dir, "public", "site")
		switch step {
		case 4:
			s.Close()
			s = Open(Options{Dir: dir})
		case 8:
			if err := os.WriteFile(filepath.Join(out, page.ResultsCSV), []byte("edited"), 0o644); err != nil {
				t.Fatal(err)
			}
			s.Doubt()
		}
		s.Changed(changed)
		e, err := s.Read()
		if err != nil || e.Broken {
			t.Fatal(e.Messages, err)
		}
		if _, _, err := e.Write(context.Background()); err != nil {
			t.Fatal(err)
		}
		table := datapackage.Of(e.pages.Results)
		for file, write := range map[string]func(*pieces.Writer) error{
			page.ResultsCSV: table.CSV, page.ResultsParquet: table.Parquet, page.ResultFigures: table.Figures,
		} {
			var want bytes.Buffer
			if err := pieces.Whole(&want, write); err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(out, file)); err != nil || !bytes.Equal(got, want.Bytes()) {
				t.Errorf("step %d, after %v: %s is not what all results give, %v", step, changed, file, err)
			}
		}
	}
}
