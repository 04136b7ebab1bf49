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

// childFolder names the folder that this test binary is to write as a process of its own.
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

// before is what a folder holds, after what it becomes: files stay, change, come and go, and
// one becomes a folder and a folder one.
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

// A process that is killed before any of the calls by which it changes files leaves the old
// files or the new ones; where there is no exchange, at the latest when the next process has
// begun. That one makes the new ones of what it finds, and leaves nothing else.
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
				if way == "journal" || way == "repository" { // whoever comes next completes it
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

// prepare makes the folder as it was before.
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

// held is what a folder holds but for a repository and stages; nil for none.
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

// files is what a folder holds that was written so.
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
