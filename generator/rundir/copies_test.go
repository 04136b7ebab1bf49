package rundir

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/unread"
)

// rows are two results of few figures each, as printed by llama-bench.
const rows = `| model | size | params | backend | ngl | test | t/s |
| --- | --- | --- | --- | --- | --- | --- |
| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | pp512 | 2407.24 ± 10.12 |
| llama 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | tg128 | 130.89 ± 0.21 |
`

// TestTheOriginalWithLabelsStays checks that of several copies the one with the most declared labels stays, whatever
// their names and order; the others name it.
func TestTheOriginalWithLabelsStays(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	folders := []string{"a", "b/c", "m", "example/tiny", "z", "zz/y", "0", "Z"}
	names := []string{"high.log", "a.log", "run-1.log", "zz.log"}
	for round := range 60 {
		text := []string{plainRun, rows, plainRun + "\n" + rows}[round%3]
		root := t.TempDir()
		random.Shuffle(len(folders), func(i, j int) { folders[i], folders[j] = folders[j], folders[i] })
		original := folders[0] + "/" + names[random.Intn(len(names))]
		write(t, filepath.Join(root, original), text)
		write(t, filepath.Join(root, folders[0], "run.toml"), "model = \"m\"\nhardware = \"h\"\nquantization = \"FP8\"\n")
		copies := map[string]bool{}
		for _, folder := range folders[1 : 2+random.Intn(4)] {
			name := folder + "/" + names[random.Intn(len(names))]
			write(t, filepath.Join(root, name), text)
			if copies["runs/"+name] = true; random.Intn(3) == 0 { // fewer labels than the original has
				write(t, filepath.Join(root, folder, "run.toml"), "model = \"m\"\n")
			}
		}
		d := load(t, root, "runs")
		for i := range d.Results {
			r := &d.Results[i]
			phase, _ := r.Labels.Lookup("phase")
			if isOriginal := r.Source.File == "runs/"+original; isOriginal != (phase.Value == "") || !isOriginal && phase.Pos.File != "runs/"+original {
				t.Errorf("round %d: original %s: %s has phase %q of %s", round, original, r.Source.File, phase.Value, phase.Pos.File)
			}
		}
		for _, u := range d.Unread {
			if u.Kind != unread.Copy || !copies[u.Name] || locale.English(u.Reason) != "the same as runs/"+original {
				t.Errorf("round %d: %+v", round, u)
			}
			delete(copies, u.Name)
		}
		if len(copies) > 0 {
			t.Errorf("round %d: not reported: %v", round, copies)
		}
	}
}

// TestRunsDeclaredToDifferAllStay checks that none of several runs that are declared to differ is a copy, in any order,
// and that each reports having another's figures.
func TestRunsDeclaredToDifferAllStay(t *testing.T) {
	t.Parallel()
	for round, order := range [][]string{{"a", "b", "c"}, {"c", "a", "b"}, {"b", "c", "a"}} {
		root := t.TempDir()
		for i, folder := range order {
			write(t, filepath.Join(root, folder, "high.log"), plainRun)
			write(t, filepath.Join(root, folder, "run.toml"), fmt.Sprintf("model = \"m%d\"\n", i))
		}
		d := load(t, root, "runs")
		if len(d.Unread) > 0 {
			t.Errorf("round %d: %v", round, d.Unread)
		}
		for i := range d.Results {
			if r := &d.Results[i]; r.Label("phase") != "" || len(r.Checks) == 0 {
				t.Errorf("round %d: %s: phase %q, checks %v", round, r.ID, r.Label("phase"), r.Checks)
			}
		}
	}
}

// TestEveryFileIsAccountedFor checks that every file below runs gives results or labels, or is listed in Unread.
func TestEveryFileIsAccountedFor(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/high.log": block, "a/run.toml": "model = \"m\"\n", "a/README.md": "about", "a/notes.txt": "some notes", "a/empty.log": "",
		"a/.hidden.log": block, "a/.DS_Store": "x", "a/plot.png": "\x89PNG\x00", "a/data.bin": "\x00\x01", "a/cut.json": `{"model_id": "x", "dura`,
		"a/broken.json": `{"a": }`, "a/wide.txt": "\xff\xfe\x00\x00a\x00\x00\x00", "a/start.sh": "vllm serve m", "a/saved.log": plainRun, "b/copy.log": plainRun, "b/made/.benchpost-files": "",
		"c/known.yaml": "a: b", "c/d/e.txt": "free text", "c/two.csv": "a,b\n1,2\n",
	} {
		write(t, filepath.Join(root, filepath.FromSlash(name)), text)
	}
	if err := os.Symlink("high.log", filepath.Join(root, "a", "link.log")); err != nil {
		t.Fatal(err)
	}
	d, err := Load(root, Options{Name: "runs", NoResults: []string{"*.yaml", "c/d"}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]unread.Kind{
		"a/README.md": unread.Other, "a/notes.txt": unread.Unknown, "a/empty.log": unread.Empty, "a/.hidden.log": unread.Hidden, "a/plot.png": unread.Other,
		"a/data.bin": unread.Binary, "a/cut.json": unread.Cut, "a/broken.json": unread.Damaged, "a/wide.txt": unread.Encoding, "a/start.sh": unread.Other,
		"b/copy.log": unread.Copy, "b/made": unread.Generated, "c/known.yaml": unread.Other, "c/d/e.txt": unread.Other, "c/two.csv": unread.Unknown, "a/link.log": unread.Linked,
	}
	for _, u := range d.Unread {
		name := strings.TrimPrefix(u.Name, "runs/")
		if want[name] != u.Kind || u.Reason.IsZero() {
			t.Errorf("%s is %q (%s), want %q", name, u.Kind, u.Reason, want[name])
		}
		delete(want, name)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	if !slices.IsSortedFunc(d.Unread, func(a, b unread.File) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the list is not sorted")
	}
}
