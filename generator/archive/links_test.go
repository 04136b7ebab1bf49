package archive

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
)

// TestLinksDoNotStopAnArchive checks that symbolic links and hidden files below runs/ are not archived, and that a
// rebuild from the archive gives the same public as the site with them.
func TestLinksDoNotStopAnArchive(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	folder.Write(t, r.Dir, sound())
	outside := t.TempDir()
	runs := filepath.Join(r.Dir, "runs")
	entries, err := os.ReadDir(runs)
	if err != nil || len(entries) == 0 {
		t.Fatal(err, entries)
	}
	for name, target := range map[string]string{"latest": entries[0].Name(), "elsewhere": outside, "gone": "nowhere", "loop": "."} {
		if err := os.Symlink(target, filepath.Join(runs, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(runs, ".kept.log"), []byte("hidden"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, out := mustArchive(t, options(t, r.Dir)); out.Commit == "" && !out.Nothing {
		t.Errorf("%+v", out)
	}
}
