package cache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
)

// TestSumsAreOfTheBytes checks that a checksum is that of the file's bytes, whatever was done to the file, its size and
// its times, in this process and in the next.
func TestSumsAreOfTheBytes(t *testing.T) {
	t.Parallel()
	const name = "runs/a/run.log"
	dir := t.TempDir()
	at := filepath.Join(dir, filepath.FromSlash(name))
	s, rng, last := OpenSums(dir, dir), rand.New(rand.NewPCG(3, 4)), ""
	for range 400 {
		text := fmt.Sprint(rng.IntN(10), last[:min(len(last), rng.IntN(2))])
		to := at
		if rng.IntN(2) == 0 {
			to += ".new"
		}
		writeFile(t, to, text)
		then := time.Date(2001, 2, 3, 4, 5, rng.IntN(2), 0, time.UTC)
		if err := errors.Join(os.Chtimes(to, then, then), os.Rename(to, at)); err != nil {
			t.Fatal(err)
		}
		last = text
		switch rng.IntN(4) {
		case 0:
			s.Save()
			s = OpenSums(dir, dir)
		case 1:
			s.note(name, at, filemark.At(at), [][]byte{nil, []byte(text)}[rng.IntN(2)])
		case 2: // recorded before, but not any more
			s.noted = map[string]bool{}
		}
		if s.noted[name] && !s.note(name, at, filemark.At(at), nil) {
			t.Fatal("a file that nobody changes is changed")
		}
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		one, err := s.Of(name, filemark.Of(info))
		if err != nil || one.SHA256 != sha256.Sum256([]byte(text)) || one.Bytes != int64(len(text)) {
			t.Fatalf("%q: %+v, %v", text, one, err)
		}
		if file := one.File(name); file.SHA256 != fmt.Sprintf("%x", one.SHA256) || file.Size != int64(len(text)) || file.Path != name {
			t.Fatalf("%+v", file)
		}
	}
}

// TestSumsOfChangedFiles checks that a file that changed after it was found has no checksum, that a file that was read
// keeps the checksum of what was read, and that Verify reports whether the file still begins with that.
func TestSumsOfChangedFiles(t *testing.T) {
	t.Parallel()
	const name = "run.log"
	dir := t.TempDir()
	at := filepath.Join(dir, name)
	writeFile(t, at, "one")
	info, err := os.Stat(at)
	if err != nil {
		t.Fatal(err)
	}
	s := OpenSums(dir, dir)
	if !s.note(name, at, filemark.At(at), nil) {
		t.Fatal("it is changed")
	}
	for text, same := range map[string]bool{"one, and more": true, "two": false, "o": false, "two, and more": false} {
		writeFile(t, at, text)
		one, err := s.Of(name, filemark.Of(info))
		if err != nil || one.SHA256 != sha256.Sum256([]byte("one")) {
			t.Errorf("%q: %+v, %v", text, one, err)
		}
		var changed *ChangedError
		if err := s.Verify(name, one); (err == nil) != same || err != nil && !errors.As(err, &changed) {
			t.Errorf("%q: %v", text, err)
		}
		if _, err := OpenSums(dir, dir).Of(name, filemark.Of(info)); !errors.As(err, &changed) || changed.File != name {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSumsAreRemembered checks that an unchanged file is not read again, not even by another process.
func TestSumsAreRemembered(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // its clock is far from the file's time
		const name = "run.log"
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, name), "one")
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		s := OpenSums(dir, dir)
		one, err := s.Of(name, filemark.Of(info))
		if err != nil {
			t.Fatal(err)
		}
		one.SHA256[0] ^= 1 // marks the remembered value
		s.keep(name, one, false)
		s.Save()
		if again, err := OpenSums(dir, dir).Of(name, filemark.Of(info)); err != nil || again != one {
			t.Errorf("%+v, %v", again, err)
		}
	})
}

// TestSumsFollowTheMask checks that with another masker the checksum is that of the other published bytes, within one
// session.
func TestSumsFollowTheMask(t *testing.T) {
	t.Parallel()
	const name = "run.log"
	dir := t.TempDir()
	at := filepath.Join(dir, name)
	writeFile(t, at, "api_key=sk-proj-9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1x\n")
	redactor, err := redact.New(redact.Options{Key: []byte("k")})
	if err != nil {
		t.Fatal(err)
	}
	s := OpenSums(dir, dir)
	for i, m := range []*mask.Masker{nil, mask.New(redactor, result.Stamp{1}), nil} {
		s.Mask = m
		published, err := os.ReadFile(at)
		if err != nil {
			t.Fatal(err)
		}
		if m != nil {
			if published, err = m.Published(at); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			s.note(name, at, filemark.At(at), nil)
			if one, err := s.Of(name, filemark.At(at)); err != nil || one.SHA256 != sha256.Sum256(published) || one.Bytes != int64(len(published)) {
				t.Errorf("mask %d: %+v, %v", i, one, err)
			}
			s.Save()
		}
	}
}

// TestFolderIsIgnored checks that git ignores the folder, even if the process that made it was killed before it had
// written .gitignore.
func TestFolderIsIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := filepath.Join(dir, Name, ".gitignore")
	for _, there := range []bool{false, true} {
		if there {
			writeFile(t, list, "")
		}
		if _, err := Folder(dir, "x"); err != nil {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(list); err != nil || string(data) != "*\n" {
			t.Errorf("%q, %v", data, err)
		}
	}
}
