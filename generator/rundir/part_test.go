package rundir

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
)

// TestAPartIsReadAsInTheWhole checks that a part gives the same results as when everything is read, with labels from
// the folders above it, and that no other file is opened.
func TestAPartIsReadAsInTheWhole(t *testing.T) {
	t.Parallel()
	const root = "../../runs"
	whole := load(t, root, "runs")
	var parts []string
	if err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if rel, _ := filepath.Rel(root, path); rel != "." && rel != "manifest.json" {
			parts = append(parts, filepath.ToSlash(rel))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	results := 0
	for _, part := range parts {
		of := func(file string) bool {
			rel := strings.TrimPrefix(file, "runs/")
			return rel == part || strings.HasPrefix(rel, part+"/")
		}
		needed := func(file string) bool {
			return of(file) || strings.HasPrefix(part, strings.TrimPrefix(filepath.ToSlash(filepath.Dir(file)), "runs/")+"/")
		}
		got, err := Load(root, Options{Name: "runs", Part: part, Read: func(path, name string, _ filemark.Mark) (format.Output, error) {
			if !needed(name) {
				t.Errorf("%s: %s was read", part, name)
			}
			return format.ReadFile(path, name)
		}})
		if err != nil {
			t.Fatal(err)
		}
		only := func(d *Dataset) string {
			kept := *d
			kept.Results, kept.Unread, kept.Messages = slices.Clone(d.Results), slices.Clone(d.Unread), slices.Clone(d.Messages)
			for i := len(kept.Results) - 1; i >= 0; i-- {
				if !of(kept.Results[i].Source.File) {
					kept.Results = slices.Delete(kept.Results, i, i+1)
				}
			}
			results += len(kept.Results)
			kept.Unread, kept.Messages = nil, nil
			return describe(&kept)
		}
		if g, w := only(got), only(whole); g != w {
			t.Errorf("%s:\n%s\nwhere the whole has\n%s", part, g, w)
		}
	}
	if results == 0 {
		t.Error("no part has a result")
	}
}

// TestAPartHasWhatIsDeclaredAboveIt checks that declarations in the folders above apply to a part, and that rules for
// other files are not reported as unused.
func TestAPartHasWhatIsDeclaredAboveIt(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	const table = "| model | size | params | backend | test | t/s |\n|---|---|---|---|---|---|\n| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | tg128 | 100.00 ± 0.10 |\n"
	write(t, filepath.Join(root, "run.toml"), "hardware = 'board'\n[files.'b/*']\npower_mode = 'MAXN'\n")
	write(t, filepath.Join(root, "a", "x", "bench.md"), table)
	write(t, filepath.Join(root, "a", "run.toml"), "clocks = 'locked'\n")
	write(t, filepath.Join(root, "b", "run.toml"), "this is broken")
	write(t, filepath.Join(root, "b", "bench.md"), table)
	for _, part := range []string{"a", "a/x", "a/x/bench.md"} {
		d, err := Load(root, Options{Name: "runs", Part: part})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Results) != 1 || d.Results[0].Label("hardware") != "board" || d.Results[0].Label("clocks") != "locked" || len(d.Messages) > 0 {
			t.Errorf("%s: %s", part, describe(d))
		}
	}
	if d, _ := Load(root, Options{Name: "runs"}); len(d.Messages) == 0 {
		t.Error("the whole is without the broken file")
	}
}
