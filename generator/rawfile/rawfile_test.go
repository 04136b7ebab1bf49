package rawfile

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipped(text string) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	io.WriteString(z, text)
	z.Close()
	return b.Bytes()
}

func zstded(text string) []byte {
	z, _ := zstd.NewWriter(nil)
	return z.EncodeAll([]byte(text), nil)
}

// zipped makes an archive of "name", "content" pairs.
func zipped(t *testing.T, pairs ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, pairs[i+1])
	}
	z.Close()
	return b.Bytes()
}

func save(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// The first bytes tell, whatever a file is called.
func TestOpen(t *testing.T) {
	for name, data := range map[string][]byte{
		"plain.gz": []byte("text"), "no-ending": gzipped("text"), "log.txt": zstded("text"), "empty": nil,
	} {
		f, err := Open(save(t, name, data))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if want := strings.Repeat("text", min(len(data), 1)); string(got) != want || err != nil || f.Close() != nil {
			t.Errorf("%s: %q, error %v", name, got, err)
		}
		if compressed := KindOf(data) != Plain; (f.Size < 0) != compressed {
			t.Errorf("%s: size %d", name, f.Size)
		}
	}
}

func TestOpenInAnArchive(t *testing.T) {
	path := save(t, "runs.zip", zipped(t, "a/one.log", "first", "a/two.log.gz", string(gzipped("second"))))
	for member, want := range map[string]string{"a/one.log": "first", "a/two.log.gz": "second"} {
		f, err := Open(filepath.Join(path, filepath.FromSlash(member)))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(f); string(got) != want || err != nil || f.Close() != nil {
			t.Errorf("%s: %q, error %v", member, got, err)
		}
	}
	for _, missing := range []string{filepath.Join(path, "a", "three.log"), filepath.Join(t.TempDir(), "x", "y.log")} {
		if _, err := Open(missing); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", missing, err)
		}
	}
}

func TestEach(t *testing.T) {
	path := save(t, "z", zipped(t, "b.log", "2", "folder/", "", "a.log", "1", "../outside.log", "no", `c\d.log`, "no"))
	var got []string
	err := Each(path, func(member string, r io.Reader, err error) {
		data, _ := io.ReadAll(r)
		got = append(got, fmt.Sprintf("%s=%s %v", member, data, err))
	})
	if want := "[a.log=1 <nil> b.log=2 <nil>]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, error %v", got, err)
	}
}

// A few bytes that come to gigabytes are not read to the end.
func TestBombs(t *testing.T) {
	l := &limited{Reader: endless{}, left: 1 << 20}
	if n, err := io.Copy(io.Discard, l); err == nil || n > 1<<20 {
		t.Errorf("%d bytes, error %v", n, err)
	}
	for name, data := range map[string][]byte{"cut.gz": gzipped(strings.Repeat("text", 9999))[:40], "cut.zst": zstded(strings.Repeat("text and more", 99))[:12]} {
		f, err := Open(save(t, name, data))
		if err == nil {
			_, err = io.ReadAll(f)
		}
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
