package cache

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
)

// TestTheLedgerKnowsFilesAsTheyAre checks that the ledger has the current mark of every file, even if a commit has
// changed all marks. So the next process need not read the files.
func TestTheLedgerKnowsFilesAsTheyAre(t *testing.T) {
	t.Parallel()
	need.System(t, "a spare tree needs an exchange of folders", "linux")
	const artifacts = 8
	home := t.TempDir()
	dir := filepath.Join(home, "public")
	work, err := Folder(home, "publish")
	if err != nil {
		t.Fatal(err)
	}
	linked := false
	for round := range 4 { // each round is another process
		l := OpenLedger(home)
		l.Reread()
		folder := publish.At(dir, publish.Options{Work: work})
		out, err := folder.Open()
		if err != nil {
			t.Fatal(err)
		}
		w := l.Write(context.Background(), out, out)
		for i := range artifacts {
			from := result.Stamp{1, byte(i)}
			if i == round {
				from[2] = byte(round)
			}
			name := fmt.Sprint("a", i)
			if _, ok := w.Keeps(name, from); ok {
				continue
			}
			if round > 0 && i != round && i != round-1 {
				t.Errorf("round %d: %s is made again", round, name)
			}
			a := w.Artifact(name, from)
			if err := a.Site(name+"/index.html", fmt.Append(nil, name, from)); err != nil {
				t.Fatal(err)
			}
			a.Done()
		}
		if _, err := out.Commit(); err != nil {
			t.Fatal(err)
		}
		linked = linked || out.Linked()
		w.Settle()
		marks, _ := l.marks()
		if len(marks) != artifacts {
			t.Fatalf("round %d: %d files are known", round, len(marks))
		}
		for name, mark := range marks {
			if now := FileOf(dir, name).Mark; now != mark {
				t.Errorf("round %d: %s has the mark %v, not %v", round, name, now, mark)
			}
		}
		folder.Close()
		l.Saving()()
	}
	if !linked {
		t.Error("no commit has linked the folder anew")
	}
}
