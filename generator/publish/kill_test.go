package publish

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/killer"
	"github.com/benchpost/benchpost/generator/need"
)

// childFolder is the variable with the folder that this test binary writes when it runs as a separate process.
const (
	childFolder = "BENCHPOST_PUBLISH_FOLDER"
	childWork   = "BENCHPOST_PUBLISH_WORK"
)

func TestMain(m *testing.M) {
	dir := os.Getenv(childFolder)
	if dir == "" {
		os.Exit(m.Run())
	}
	if err := writeNext(At(dir, Options{Work: os.Getenv(childWork)})); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// before lists the files in the folder, after those it will have. Files stay, change, come and go; a file becomes a
// folder, and a folder becomes a file.
var (
	before = []string{"a=1", "b=1", "gone/c=1", "d/e=1", "f=1", "g/h=1", "g/i=1"}
	after  = []string{"a=1", "b=2", "d/e=2", "f/x=2", "g=2", "new/folder/j=2"}
)

func writeNext(f *Folder) error {
	o, err := f.Open()
	if err != nil {
		return err
	}
	for _, file := range after {
		path, text, _ := strings.Cut(file, "=")
		if err := o.Put(path, []byte(text)); err != nil {
			return err
		}
	}
	_, err = o.Commit()
	f.Close()
	return err
}

// TestKilledBeforeEveryCall kills a process before each of the calls with which it changes files. The folder then has
// the old or the new files; without an exchange, at the latest when the next process has begun. That process makes the
// new files in any case, and leaves nothing else.
func TestKilledBeforeEveryCall(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []string{"first", "exchange", "exchange with a spare tree", "journal", "repository"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			wanted := files(append([]string{"mine=1"}, after...), way != "first")
			for number := 1; ; number += need.Times(4, 1) {
				parent := t.TempDir()
				dir, work := filepath.Join(parent, "public"), filepath.Join(parent, workName)
				prepare(t, way, dir, work)
				old := held(t, dir)
				if way == "journal" {
					work = ""
				}
				calls, code, out := killer.Run(t, killer.Program{Path: exe, Env: []string{childFolder + "=" + dir, childWork + "=" + work}}, number)
				if code >= 0 {
					if code > 0 || number == 1 {
						t.Fatalf("code %d: %s", code, out)
					}
					if got := held(t, dir); !maps.Equal(got, wanted) {
						t.Fatalf("not killed, there is %v, not %v", got, wanted)
					}
					t.Logf("not killed before call %d", number)
					return
				}
				at := fmt.Sprintf("killed before call %d, %s", number, calls[len(calls)-1])
				f := At(dir, Options{Work: work})
				if way == "journal" || way == "repository" { // the next process completes it
					if o, err := f.Open(); err != nil {
						t.Fatalf("%s: %v", at, err)
					} else if err := o.Discard(); err != nil {
						t.Fatal(err)
					}
				}
				if got := held(t, dir); !maps.Equal(got, old) && !maps.Equal(got, wanted) {
					t.Fatalf("%s: a mixture: %v", at, got)
				}
				if err := writeNext(f); err != nil {
					t.Fatalf("%s: then %v", at, err)
				}
				if got := held(t, dir); !maps.Equal(got, wanted) {
					t.Fatalf("%s: then there is %v, not %v", at, got, wanted)
				}
				entries, err := os.ReadDir(parent)
				if _, inside := os.Lstat(filepath.Join(dir, stageName)); err != nil || len(entries) != 2 || inside == nil {
					t.Fatalf("%s: left %v", at, entries)
				}
				if _, err := os.Lstat(filepath.Join(parent, workName, newName)); err == nil {
					t.Fatalf("%s: the stage is left", at)
				}
			}
		})
	}
}

// prepare makes the folder with the files of before.
func prepare(t *testing.T, way, dir, work string) {
	t.Helper()
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	if way == "first" {
		return
	}
	f := At(dir, Options{Work: work})
	if _, err := commit(t, f, before...); err != nil {
		t.Fatal(err)
	}
	folder.Write(t, dir, map[string]string{"mine": "1"})
	if way == "repository" {
		folder.Write(t, dir, map[string]string{".git/HEAD": "ref"})
	}
	if way == "exchange with a spare tree" {
		if _, err := commit(t, f, append([]string{"z=1"}, before...)...); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

// held returns the files of a folder except those of a repository and of stages; nil if there is no folder.
func held(t *testing.T, dir string) map[string]string {
	t.Helper()
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	got := holds(t, dir)
	for name := range got {
		if strings.HasPrefix(name, ".git/") || strings.HasPrefix(name, stageName) {
			delete(got, name)
		}
	}
	return got
}

// files returns the files of a folder after writing list; mine adds the file of somebody else.
func files(list []string, mine bool) map[string]string {
	got := map[string]string{}
	var names []string
	for _, file := range list {
		path, text, _ := strings.Cut(file, "=")
		if path == "mine" {
			if mine {
				got[path] = text
			}
			continue
		}
		got[path] = text
		names = append(names, path)
	}
	got[listName] = strings.Join(names, "\n") + "\n"
	return got
}
