package importer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

const twoModels = `
# Notes
- GPU: RTX "4090" \ modded
- vLLM version: 0.9.1
## Qwen3-8B
### High load
RESULT 10 8
### Low load
RESULT 10 1
## Qwen3-8B-FP8
### High load
RESULT 10 8
`

// tree lists the files below a folder.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			names = append(names, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestWrite(t *testing.T) {
	plan, _ := Read([]File{{"notes.md", []byte(fill(twoModels))}}, nil)
	dir := filepath.Join(t.TempDir(), "runs", "notes")
	if written, unchanged, err := plan.Write(t.Context(), dir); written != 6 || unchanged != 0 || err != nil {
		t.Fatalf("%d written, %d unchanged, %v", written, unchanged, err)
	}
	want := []string{"qwen3-8b/high.log", "qwen3-8b/low.log", "qwen3-8b/run.toml", "qwen3-8b-fp8/high.log", "qwen3-8b-fp8/run.toml", "run.toml"}
	if got := tree(t, dir); !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if written, unchanged, err := plan.Write(t.Context(), dir); written != 0 || unchanged != 6 || err != nil {
		t.Errorf("the second time %d written, %d unchanged, %v", written, unchanged, err)
	}
}

// TestWrittenRunsAreRead checks that package rundir reads the written runs with the same labels.
func TestWrittenRunsAreRead(t *testing.T) {
	t.Run("notes", func(t *testing.T) { writeAndRead(t, []File{{"notes.md", []byte(fill(twoModels))}}) })
	t.Run("posts", func(t *testing.T) { writeAndRead(t, posts(t)) })
}

func writeAndRead(t *testing.T, files []File) {
	plan, _ := Read(files, nil)
	dir := t.TempDir()
	if _, _, err := plan.Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	data, err := rundir.Load(dir, rundir.Options{Name: "runs"})
	if err != nil || len(data.Messages) != 0 || len(data.Results) != len(plan.Runs) {
		t.Fatalf("%d runs, %v, %v", len(data.Results), data.Messages, err)
	}
	for _, run := range plan.Runs {
		i := slices.IndexFunc(data.Results, func(r result.Result) bool { return r.Source.File == "runs/"+run.Path })
		if i < 0 {
			t.Errorf("%s is not found", run.Path)
			continue
		}
		for label, value := range run.Labels.Values() {
			if got := data.Results[i].Label(label); got != value {
				t.Errorf("%s: %s is %q, not %q", run.Path, label, got, value)
			}
		}
	}
}

// TestWritesAllOrNothing checks that an import that fails leaves no files.
func TestWritesAllOrNothing(t *testing.T) {
	plan, _ := Read([]File{{"notes.md", []byte(fill(twoModels))}}, nil)
	for _, there := range []string{"", "mine/x.log"} {
		dir := filepath.Join(t.TempDir(), "runs", "notes")
		if there != "" {
			if err := errors.Join(os.MkdirAll(filepath.Join(dir, "mine"), 0o777), os.WriteFile(filepath.Join(dir, there), nil, 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		ended, end := context.WithCancel(t.Context())
		end()
		if written, _, err := plan.Write(ended, dir); written != 0 || !errors.Is(err, context.Canceled) {
			t.Errorf("%d written, %v", written, err)
		}
		left, err := os.ReadDir(filepath.Dir(dir))
		if err != nil || there == "" && len(left) > 0 || there != "" && (len(left) != 1 || !slices.Equal(tree(t, dir), []string{there})) {
			t.Errorf("left %v, %v", left, err)
		}
	}
}

func TestWriteNeverOverwrites(t *testing.T) {
	plan, _ := Read([]File{{"notes.md", []byte(fill(twoModels))}}, nil)
	dir := t.TempDir()
	mine := filepath.Join(dir, "qwen3-8b", "run.toml")
	if err := os.MkdirAll(filepath.Dir(mine), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine = \"1\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	written, _, err := plan.Write(t.Context(), dir)
	if err == nil || written != 0 || !strings.Contains(err.Error(), mine+": is there already with other content\nnothing was written") {
		t.Errorf("%d written, %v", written, err)
	}
	if got := tree(t, dir); !slices.Equal(got, []string{"qwen3-8b/run.toml"}) {
		t.Errorf("there is %v", got)
	}
	if data, _ := os.ReadFile(mine); string(data) != "mine = \"1\"\n" {
		t.Errorf("it is now %q", data)
	}
}

// TestPaths checks that names of runs contain what differs between them.
func TestPaths(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string
	}{
		{"by concurrency", "## A-8B\nRESULT 10 1\nRESULT 10 16\n", []string{"a-8b/c1.log", "a-8b/c16.log"}},
		{"by nothing", "RESULT\nRESULT\n", []string{"unknown-model/run.log", "unknown-model/run-2.log"}},
		{"by setting", "## A-8B\n### 30W\n- high load\nRESULT\n### MAXN\n- high load\nRESULT\n", []string{"a-8b/high-30w.log", "a-8b/high-maxn.log"}},
		{"by length", "## A-8B\n### input 100\nRESULT 10 4\n### input 99\nRESULT 10 4\n", []string{"a-8b/c4-99.log", "a-8b/c4-100.log"}},
		{"scenario and load", "## A-8B chat, high load\nRESULT\n", []string{"a-8b/chat-high.log"}},
		{"a name that would leave the folder", "- Scenario: ../../etc\nRESULT\n", []string{"unknown-model/etc.log"}},
	} {
		plan, _ := Read([]File{{"notes.md", []byte(fill(test.text))}}, nil)
		var got []string
		for _, r := range plan.Runs {
			got = append(got, r.Path)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
	}
}

func TestSlug(t *testing.T) {
	for name, want := range map[string]string{
		"Qwen3-8B-FP8": "qwen3-8b-fp8", "Llama 3.1 8B": "llama-3.1-8b", "../x": "x", "a//b": "a-b", "高 负载": "高-负载",
		"": "", "...": "", "a\x00b": "a-b", "Q5_K_M": "q5_k_m", strings.Repeat("a", 200): strings.Repeat("a", 80),
	} {
		if got := slug(name); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
}
