package cache

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a file's size and time do not show is not assumed of another file; and sums are
// not read again where both are the same, by another process either.
func TestSumsAreRemembered(t *testing.T) {
	t.Parallel()
	const name = "runs/a/run.log"
	dir := t.TempDir()
	at := filepath.Join(dir, filepath.FromSlash(name))
	measure := func(s *Sums, text string, changed time.Time) Sum {
		t.Helper()
		writeFile(t, at, text)
		if err := os.Chtimes(at, changed, changed); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(at)
		if err != nil {
			t.Fatal(err)
		}
		sum, err := s.Of(name, info)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	s := OpenSums(dir, dir)
	first := measure(s, "one", old)
	if first.SHA256 != sha256.Sum256([]byte("one")) {
		t.Error("the sum is not that of the file")
	}
	if same := measure(s, "two", old); same.SHA256 != first.SHA256 {
		t.Error("the file was read again")
	}
	s.Save()
	again := OpenSums(dir, dir)
	if same := measure(again, "two", old); same.SHA256 != first.SHA256 {
		t.Error("what was saved is not used")
	}
	other := measure(again, "three", old)
	if other.SHA256 != sha256.Sum256([]byte("three")) {
		t.Error("the sum is not that of the longer file")
	}
	if file := other.File(name); file.SHA256 != fmt.Sprintf("%x", other.SHA256) || file.Size != 5 || file.Path != name {
		t.Errorf("%+v", file)
	}
	// A file changed just now may change again within the resolution of its time.
	now := measure(again, "fresh", time.Now())
	if next := measure(again, "FRESH", time.Now()); next.SHA256 == now.SHA256 {
		t.Error("a file that was changed a moment ago was believed")
	}
}
