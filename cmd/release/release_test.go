package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// The tests work in the root of the repository, as the command does.
func TestMain(m *testing.M) {
	if err := os.Chdir(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

func TestTheDocumentListsEveryLinkedModuleWithItsLicence(t *testing.T) {
	modules, err := linked(platforms)
	if err != nil {
		t.Fatal(err)
	}
	const document = "docs/dependencies.md"
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if want := licenceTable(modules); !strings.Contains(string(text), want) {
		t.Errorf("%s lists other modules: put in what `go run ./cmd/release -licences` prints:\n%s", document, want)
	}
}

func TestEachModuleComesWithTheTextOfItsLicence(t *testing.T) {
	modules, err := linked(platforms[:1])
	if err != nil {
		t.Fatal(err)
	}
	texts, err := notices(modules)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(texts), strings.Repeat("=", 80)+"\n\n")[1:] {
		if len(part) < 200 {
			t.Errorf("a licence without its text: %q", part)
		}
	}
	for _, m := range modules {
		if !bytes.Contains(texts, []byte(m.Path+" "+m.Version+"\n")) {
			t.Errorf("%s is missing", m.Path)
		}
	}
}

func TestAReleaseIsTheSameBytesAgain(t *testing.T) {
	need.Thorough(t, "it compiles the program twice")
	// Go stamps no version into what is built from a worktree.
	clone := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "--quiet", "--shared", ".", clone).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	t.Chdir(clone)
	here := []platform{{runtime.GOOS, runtime.GOARCH}}
	modules, err := linked(here)
	if err != nil {
		t.Fatal(err)
	}
	var made [2]map[string][]byte
	for i := range made {
		out := t.TempDir()
		if err := release(out, here, modules); err != nil {
			t.Fatal(err)
		}
		made[i] = map[string][]byte{}
		files, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if made[i][f.Name()], err = os.ReadFile(filepath.Join(out, f.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(made[0]) != 3 { // archive, bill of materials, sums
		t.Errorf("a release of one platform has %d files", len(made[0]))
	}
	for name, data := range made[0] {
		if !bytes.Equal(data, made[1][name]) {
			t.Errorf("%s differs", name)
		}
	}
}
