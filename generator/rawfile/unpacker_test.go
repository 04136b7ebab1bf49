package rawfile

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/folder"
)

// TestUnpackerOpensAsOpenDoes checks that members opened in any order, from several archives at once, are the same as
// with Open. A changed archive is read again, and no temporary files remain.
func TestUnpackerOpensAsOpenDoes(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	dir := t.TempDir()
	var pairs []string
	for i := range 30 {
		pairs = append(pairs, fmt.Sprintf("a/%d.log", i%25), fmt.Sprintf("content %d\n", i))
	}
	var gz bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(folder.Tar(t, pairs...)))
	z.Close()
	folder.Write(t, dir, map[string]string{"x.zip": folder.Zip(t, pairs...), "x.tar": folder.Tar(t, pairs...), "x.tgz": gz.String(), "plain.log": "plain\n"})
	var u Unpacker
	read := func(open func(string) (*File, error), name string) string {
		f, err := open(name)
		if err != nil {
			return "cannot be opened"
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		return fmt.Sprint(string(data), f.Size, err)
	}
	var all sync.WaitGroup
	for _, archive := range []string{"x.zip", "x.tar", "x.tgz"} {
		all.Go(func() {
			for i := range 26 {
				name := filepath.Join(dir, archive, "a", fmt.Sprintf("%d.log", i*7%26))
				if got, want := read(u.Open, name), read(Open, name); got != want {
					t.Errorf("%s: %q, not %q", name, got, want)
				}
			}
		})
	}
	all.Wait()
	if got := read(u.Open, filepath.Join(dir, "plain.log")); got != "plain\n6 <nil>" {
		t.Error(got)
	}
	name := filepath.Join(dir, "x.tar")
	folder.Write(t, dir, map[string]string{"x.tar": folder.Tar(t, "a/1.log", "other\n")})
	if err := os.Chtimes(name, time.Time{}, time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	if got := read(u.Open, filepath.Join(name, "a", "1.log")); got != "other\n6 <nil>" {
		t.Error(got)
	}
	if err := u.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
