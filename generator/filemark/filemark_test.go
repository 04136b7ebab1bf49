package filemark

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

// TestEveryEditShows: any edit that keeps the size and the modification time changes the mark.
func TestEveryEditShows(t *testing.T) {
	need.System(t, "it notes no more than size and time", "linux", "darwin")
	then := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	dir := t.TempDir()
	name := filepath.Join(dir, "a.log")
	write := func(name, text string) error {
		return errors.Join(os.WriteFile(name, []byte(text), 0o644), os.Chtimes(name, then, then))
	}
	if err := write(name, "1 tok/s"); err != nil {
		t.Fatal(err)
	}
	for what, edit := range map[string]func() error{
		"in place": func() error { return write(name, "2 tok/s") },
		"put in its place": func() error {
			other := filepath.Join(dir, "other")
			return errors.Join(write(other, "3 tok/s"), os.Rename(other, name))
		},
		"removed": func() error { return os.Remove(name) },
	} {
		t.Run(what, func(t *testing.T) {
			if err := write(name, "1 tok/s"); err != nil {
				t.Fatal(err)
			}
			before := At(name)
			for !settled(name) {
				runtime.Gosched()
			}
			if err := edit(); err != nil {
				t.Fatal(err)
			}
			if At(name) == before {
				t.Errorf("%+v", before)
			}
		})
	}
}

// settled reports whether the file system's clock has advanced since a file changed.
func settled(name string) bool {
	probe := name + ".probe"
	if err := os.WriteFile(probe, nil, 0o644); err != nil {
		return true
	}
	defer os.Remove(probe)
	return At(probe).Changed != At(name).Changed
}

// TestIsMoved: a file with another name is moved. A file whose contents changed is not.
func TestIsMoved(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	if err := os.WriteFile(name, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := At(name)
	if !before.Fresh(time.Hour) || before.Fresh(0) {
		t.Errorf("%+v is not of this hour", before)
	}
	need.Granted(t, os.Link(name, name+"2"))
	if now := At(name); !now.IsMoved(before) {
		t.Errorf("%+v, before %+v", now, before)
	}
	if err := os.WriteFile(name, []byte("ab"), 0o644); err != nil {
		t.Fatal(err)
	}
	if At(name).IsMoved(before) {
		t.Error("other bytes are taken for another name")
	}
}
