package importer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// FuzzRead checks for any text that each result is a part of it, that each file has a unique path below the folder,
// that every run.toml is valid TOML, and that reading twice gives the same. The seeds are pieces of notes, because
// minimising whole notes byte by byte would take too long.
func FuzzRead(f *testing.F) {
	notes, _ := filepath.Glob("testdata/notes/*")
	for _, name := range notes {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".golden") {
			for piece := range slices.Chunk(slices.Collect(bytes.Lines(data)), 16) {
				f.Add(bytes.Join(piece, nil))
			}
		}
	}
	f.Add([]byte(fill("# A\n**Model**: Qwen3-8B\nRESULT 10 8\n| GPU | a \"b\" \\ |\n1. chat\nvllm serve \\\nRESULT\n- 高负载\n")))
	f.Add([]byte("---\ndate: 2025-01-01\n" + fill("RESULT")))
	f.Fuzz(func(t *testing.T, data []byte) {
		plan, messages := Read([]File{{"notes.md", data}}, nil)
		again, _ := Read([]File{{"notes.md", data}}, nil)
		if describe(plan, messages) != describe(again, messages) {
			t.Error("reading twice gives two plans")
		}
		paths := map[string]bool{}
		for _, r := range plan.Runs {
			if !bytes.Contains(data, r.Raw) || len(r.Raw) == 0 {
				t.Errorf("%s holds %q, which the text does not", r.Path, r.Raw)
			}
		}
		for _, file := range plan.Outputs() {
			if paths[file.Name] || !filepath.IsLocal(filepath.FromSlash(file.Name)) || !utf8.ValidString(file.Name) {
				t.Errorf("the path %q is wrong or there twice", file.Name)
			}
			paths[file.Name] = true
			if filepath.Base(file.Name) == "run.toml" {
				var v map[string]any
				if _, err := toml.Decode(string(file.Data), &v); err != nil {
					t.Errorf("%s: %v\n%s", file.Name, err, file.Data)
				}
			}
		}
	})
}
