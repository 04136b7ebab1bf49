package cache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAlbumsKeepWhatIsWantedTogether checks that what was put into an album is in it when it is opened again, in one
// file. Entries that were not read are kept as long as more may be needed.
func TestAlbumsKeepWhatIsWantedTogether(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	key := []byte("post")
	open := func() *Album { return OpenStore(dir, "charts").Album(key) }
	files := func() []string {
		names, _ := filepath.Glob(filepath.Join(dir, Name, "charts", "*"))
		return names
	}
	holds := func(want string) {
		t.Helper()
		var got []string
		a := open()
		for _, key := range []string{"a", "b", "c"} {
			if data, ok := a.Get([]byte(key)); ok {
				got = append(got, key+"="+string(data))
			}
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("the album holds %q, want %q", got, want)
		}
	}
	holds("")
	a := open()
	a.Put([]byte("a"), []byte("one"))
	a.Put([]byte("b"), nil)
	if data, ok := a.Get([]byte("a")); !ok || string(data) != "one" {
		t.Errorf("what was put a moment ago is %q, %v", data, ok)
	}
	if len(files()) != 0 {
		t.Error("an open album has a file")
	}
	a.Close(false)
	holds("a=one b=")
	if n := len(files()); n != 1 {
		t.Fatalf("%d files", n)
	}

	a = open()
	a.Put([]byte("c"), []byte("three"))
	a.Close(true)
	holds("a=one b= c=three")
	a = open()
	a.Get([]byte("c"))
	a.Close(false)
	holds("c=three")

	whole, err := os.ReadFile(files()[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files()[0], whole[:len(whole)-1], 0o644); err != nil {
		t.Fatal(err)
	}
	holds("")
}

// TestAnAlbumWithoutChangesIsNotWritten checks that an album whose entries were all read is not written again.
func TestAnAlbumWithoutChangesIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := OpenStore(dir, "charts")
	a := s.Album([]byte("post"))
	a.Put([]byte("a"), []byte("one"))
	a.Close(false)
	a = s.Album([]byte("post"))
	if _, ok := a.Get([]byte("a")); !ok {
		t.Fatal("it is empty")
	}
	if err := os.RemoveAll(s.folder); err != nil {
		t.Fatal(err)
	}
	a.Close(false)
	if _, err := os.Stat(s.folder); err == nil {
		t.Error("the album was written again")
	}
}

// FuzzCut checks that cut rejects pieces that do not fill the data, whatever their lengths are.
func FuzzCut(f *testing.F) {
	f.Add([]byte{1, 'a', 0})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01, 'a'})
	f.Fuzz(func(t *testing.T, b []byte) {
		piece, rest := cut(b)
		if rest != nil && len(piece)+len(rest) >= len(b) {
			t.Errorf("%d and %d bytes of %d", len(piece), len(rest), len(b))
		}
	})
}
