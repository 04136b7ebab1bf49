package mask

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
)

func masker(t *testing.T) (*Masker, *redact.Redactor) {
	t.Helper()
	r, err := redact.New(redact.Options{Key: []byte("a key of the tests")})
	if err != nil {
		t.Fatal(err)
	}
	return New(r, result.Stamp{1}), r
}

// log returns a text of the given size with names. They are far apart, so that a stream has them in several windows.
func log(size int) []byte {
	line := "http://gpubox-7:8000 password=hunter2 " + strings.Repeat("output_throughput 298.07 ", 400) + "\n"
	return []byte(strings.Repeat(line, max(1, size/len(line))))
}

// TestFilesAreMasked checks that the content read and the content published are what the redactor gives, in every
// compression: when the file is searched first, and later with the cached patches.
func TestFilesAreMasked(t *testing.T) {
	t.Parallel()
	for _, size := range []int{1, 100 << 10, 3 << 20} {
		text := log(size)
		var zipped, packed bytes.Buffer
		z := gzip.NewWriter(&zipped)
		z.Write(text)
		z.Close()
		if err := rawfile.Compress(&packed, bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		for _, on := range [][]byte{text, zipped.Bytes(), packed.Bytes()} {
			m, r := masker(t)
			want, found := r.Replace("x", text)
			name := filepath.Join(t.TempDir(), "x.log")
			if err := os.WriteFile(name, on, 0o644); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				f, err := m.Open(name)
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(iotest.HalfReader(f))
				f.Close()
				if err != nil || !bytes.Equal(got, want) {
					t.Fatalf("%d bytes: %d are read, not %d; %v", size, len(got), len(want), err)
				}
			}
			count := 0
			for _, f := range m.Found()[name] {
				count += f.Count
			}
			if count != len(found) || count == 0 {
				t.Errorf("%d are found, not %d", count, len(found))
			}
			public, err := m.Published(name)
			if err != nil || rawfile.KindOf(public) != rawfile.KindOf(on) {
				t.Fatal(err)
			}
			other := filepath.Join(t.TempDir(), "y")
			if err := os.WriteFile(other, public, 0o644); err != nil {
				t.Fatal(err)
			}
			f, err := rawfile.Open(other)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes: other bytes are published; %v", size, err)
			}
			f.Close()
		}
	}
}

// TestWhatIsKnownHoldsForAVersion checks that a changed file is searched again, and that binary and clean files are
// passed through unchanged.
func TestWhatIsKnownHoldsForAVersion(t *testing.T) {
	t.Parallel()
	m, _ := masker(t)
	name := filepath.Join(t.TempDir(), "x.log")
	at := time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)
	for i, text := range []string{"clean\n", "password: hunter2\n", "\x00password: hunter2\n", "clean again\n"} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at.Add(time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
		got, err := m.Published(name)
		if masked := string(got) != text; err != nil || masked != (i == 1) || (len(m.Of(name)) > 0) != masked || (len(m.Found()) > 0) != masked {
			t.Errorf("%q becomes %q, %v", text, got, err)
		}
	}
	var none *Masker
	if got, err := none.Published(name); err != nil || string(got) != "clean again\n" {
		t.Errorf("%q %v", got, err)
	}
}

// TestErrorsPass checks that a read error is returned after the masked text that could be read.
func TestErrorsPass(t *testing.T) {
	t.Parallel()
	m, _ := masker(t)
	for _, size := range []int{1, 100 << 10} {
		in := io.MultiReader(bytes.NewReader(log(size)), iotest.ErrReader(io.ErrUnexpectedEOF))
		got, err := io.ReadAll(m.Through(filepath.Join(t.TempDir(), "gone"), in))
		if err != io.ErrUnexpectedEOF || bytes.Contains(got, []byte("hunter2")) || !bytes.HasSuffix(got, []byte("298.07 \n")) {
			t.Errorf("%d bytes, %v, ends in %q", len(got), err, got[len(got)-60:])
		}
	}
}

// TestADamagedArchiveIsEmpty checks that nothing is published of a zip archive whose list of members is missing.
func TestADamagedArchiveIsEmpty(t *testing.T) {
	t.Parallel()
	m, _ := masker(t)
	whole := folder.Zip(t, "a/x.log", string(log(1)))
	for _, n := range []int{len(whole) - 1, len(whole) - 30, 200} {
		name := filepath.Join(t.TempDir(), "all.zip")
		if err := os.WriteFile(name, []byte(whole[:n]), 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := m.Published(name)
		if err != nil {
			t.Fatal(err)
		}
		if z, err := zip.NewReader(bytes.NewReader(got), int64(len(got))); err != nil || len(z.File) > 0 {
			t.Errorf("of %d bytes of %d: %d members, %v", n, len(whole), len(z.File), err)
		}
	}
}

// TestArchivesAreMasked checks that an archive is published with masked members and without the parts that are not
// read, such as the owners in a tar archive. The result is a valid archive, and the same each time.
func TestArchivesAreMasked(t *testing.T) {
	t.Parallel()
	text := string(log(1))
	pairs := []string{"a/x.log", text, "../y.log", "password=outside1\n", "z.log", "password=replaced1\n", "z.log", "clean\n"}
	bundle := folder.Tar(t, pairs...)
	var gz, zst bytes.Buffer
	z := gzip.NewWriter(&gz)
	z.Write([]byte(bundle))
	z.Close()
	if err := rawfile.Compress(&zst, strings.NewReader(bundle)); err != nil {
		t.Fatal(err)
	}
	for kind, data := range map[string]string{"zip": folder.Zip(t, pairs...), "tar": bundle, "tar.gz": gz.String(), "tar.zst": zst.String()} {
		m, r := masker(t)
		masked, _ := r.Replace("x", []byte(text))
		name := filepath.Join(t.TempDir(), "all")
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, archive := rawfile.Recognize(strings.NewReader(data)); !m.Changes(name, filemark.At(name), archive) {
			t.Errorf("%s: published as it is", kind)
		}
		first, err := m.Published(name)
		if err != nil {
			t.Fatal(kind, err)
		}
		if again, err := m.Published(name); err != nil || !bytes.Equal(first, again) {
			t.Errorf("%s: other bytes the second time, %v", kind, err)
		}
		was, archive := rawfile.Recognize(strings.NewReader(data))
		if is, a := rawfile.Recognize(bytes.NewReader(first)); is != was || a != archive {
			t.Errorf("%s becomes %v %v", kind, is, a)
		}
		public := filepath.Join(t.TempDir(), "all")
		if err := os.WriteFile(public, first, 0o644); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		if err := rawfile.Each(public, func(member string, in io.Reader, err error) {
			text, _ := io.ReadAll(in)
			got[member] = string(text)
		}); err != nil {
			t.Fatal(kind, err)
		}
		if want := map[string]string{"a/x.log": string(masked), "z.log": "clean\n"}; !maps.Equal(got, want) {
			t.Errorf("%s: %q, not %q", kind, got, want)
		}
		var all []byte // including members that Each skips
		if in, err := zip.NewReader(bytes.NewReader(first), int64(len(first))); err == nil {
			for _, member := range in.File {
				f, err := member.Open()
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(f)
				f.Close()
				all = append(append(all, member.Name...), text...)
			}
		} else if f, err := rawfile.Open(public); err == nil {
			all, _ = io.ReadAll(f)
			f.Close()
		}
		if len(all) == 0 {
			t.Errorf("%s: nothing is published", kind)
		}
		for _, private := range []string{"hunter2", "outside1", "replaced1", "mallory"} {
			if bytes.Contains(all, []byte(private)) {
				t.Errorf("%s: %s is published", kind, private)
			}
		}
	}
}
