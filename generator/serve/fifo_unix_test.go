//go:build unix

package serve

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestAPipeInTheSiteIsNoFile(t *testing.T) {
	dir := site(t)
	if err := syscall.Mkfifo(filepath.Join(dir, "raw", "pipe.txt"), 0o644); err != nil {
		t.Fatal(err)
	}
	s := serving(t, Options{Dir: dir})
	if status, _, _ := get(t, s, "/raw/pipe.txt"); status != 404 {
		t.Errorf("%d", status)
	}
}
