package rundir

import (
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/rawfile"
)

// TestACompressedFileIsWhatItWas checks that a run keeps its id and labels when its file is compressed, including
// labels that run.toml gives it by name, and those stated in the name.
func TestACompressedFileIsWhatItWas(t *testing.T) {
	t.Parallel()
	read := func(ending string) *Dataset {
		root := t.TempDir()
		write(t, filepath.Join(root, "a", "run.toml"), "[files.\"high.log\"]\nload = \"high\"\n[files.\"b/*.log\"]\nload = \"low\"\n")
		for _, name := range []string{"a/high.log", "a/b/c8.log", "a/high-warmup.log", "SERVE--x=1-BENCH--max_concurrency=2/run=3.json"} {
			write(t, filepath.Join(root, filepath.FromSlash(name)+ending), block)
		}
		return load(t, root, "runs")
	}
	plain, compressed := read(""), read(rawfile.Ending)
	if len(plain.Results) != 4 || len(compressed.Results) != 4 || len(compressed.Messages) > len(plain.Messages) {
		t.Fatalf("%d and %d results, %v", len(plain.Results), len(compressed.Results), compressed.Messages)
	}
	told := 0
	for i := range plain.Results {
		p, c := &plain.Results[i], &compressed.Results[i]
		if p.ID != c.ID {
			t.Errorf("%s is %s", p.ID, c.ID)
		}
		for _, name := range []string{"load", "phase", "repeat"} {
			if p.Label(name) != c.Label(name) {
				t.Errorf("%s: %s is %q, and was %q", p.ID, name, c.Label(name), p.Label(name))
			}
			if p.Label(name) != "" {
				told++
			}
		}
	}
	if told < 4 {
		t.Errorf("%d labels are given by the names", told)
	}
}
