package rawfile

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/benchpost/benchpost/generator/internal/folder"
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

// tarred returns a tar archive of "name", "content" pairs.
func tarred(t *testing.T, pairs ...string) []byte {
	t.Helper()
	return []byte(folder.Tar(t, pairs...))
}

// tarHead returns the header of a member without its content.
func tarHead(t *testing.T, h *tar.Header) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := tar.NewWriter(&b).WriteHeader(h); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// archives returns an archive of each kind that can be written here.
func archives(t *testing.T, pairs ...string) map[string][]byte {
	t.Helper()
	bundle := folder.Tar(t, pairs...)
	return map[string][]byte{"zip": []byte(folder.Zip(t, pairs...)), "tar": []byte(bundle), "tgz": gzipped(bundle), "tar.zst": zstded(bundle)}
}

// Output of bzip2 in base64: a tar archive of a/one.log, "first", and of a/two.log.gz, "second"; and "text".
const (
	bundleInBzip2 = "QlpoOTFBWSZTWS573g4AAKd/3PvAIEDACf8AAAsEgGOlnpAACAQAAQAAAYBIIACSCVFP0oDQNBkYRgj1D0PUgklE0Y1BkNMg0Gh5Ro0GT9AL7tRMSEjAA6USBbK8YwwWWQKRxKGhhIN7RgUtgyj9viDCuIz633wLRwhHd8xxGBOCTsW3NqbOIUUO1ivuQPGVhfPKP0wzCLgQeDgpJiYszqaAVmpSO3GMauSAwP4u5IpwoSBc97wc"
	textInBzip2   = "QlpoOTFBWSZTWcso0y0AAACBgAIABEAgACGYGYMsLuSKcKEhllGmWg=="
)

func unbase64(t *testing.T, text string) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func save(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOpen checks that the first bytes determine how a file is read, whatever its name.
func TestOpen(t *testing.T) {
	for name, data := range map[string][]byte{
		"plain.gz": []byte("text"), "no-ending": gzipped("text"), "log.txt": zstded("text"), "x": unbase64(t, textInBzip2), "empty": nil,
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
	pairs := []string{"a/one.log", "first", "a/two.log.gz", string(gzipped("second"))}
	all := archives(t, pairs...)
	all["tar.bz2"] = unbase64(t, bundleInBzip2)
	for kind, data := range all {
		path := save(t, "runs", data) // its name says nothing
		for member, want := range map[string]string{"a/one.log": "first", "a/two.log.gz": "second"} {
			f, err := Open(filepath.Join(path, filepath.FromSlash(member)))
			if err != nil {
				t.Fatal(kind, err)
			}
			if got, err := io.ReadAll(f); string(got) != want || err != nil || f.Close() != nil {
				t.Errorf("%s: %s: %q, error %v", kind, member, got, err)
			}
		}
		if _, err := Open(filepath.Join(path, "a", "three.log")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: error %v", kind, err)
		}
	}
	if _, err := Open(filepath.Join(t.TempDir(), "x", "y.log")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

// visited returns what Each visits, sorted.
func visited(path string) ([]string, error) {
	var got []string
	err := Each(path, func(member string, r io.Reader, err error) {
		if err != nil {
			got = append(got, fmt.Sprintf("%s: %v", member, err))
			return
		}
		data, err := io.ReadAll(r)
		got = append(got, fmt.Sprintf("%s=%s %v", member, data, err))
	})
	slices.Sort(got)
	return got, err
}

func TestEach(t *testing.T) {
	for kind, data := range archives(t, "b.log", "2", "folder/", "", "a.log", "old", "../outside.log", "no", "/outside.log", "no",
		"x/../../outside.log", "no", `c\d.log`, "no", "a.log", "1") {
		got, err := visited(save(t, "z", data))
		if want := "[a.log=1 <nil> b.log=2 <nil>]"; err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s: %v, error %v", kind, got, err)
		}
	}
	got, err := visited(save(t, "z", unbase64(t, bundleInBzip2)))
	if err != nil || len(got) != 2 || got[0] != "a/one.log=first <nil>" {
		t.Errorf("bzip2: %q, error %v", got, err)
	}
}

// TestArchivesThatAreRefused checks that an archive with too many files or bytes, or a truncated one, is refused before
// any member is visited, in every kind.
func TestArchivesThatAreRefused(t *testing.T) {
	var many []string
	for i := range MaxMembers + 1 {
		many = append(many, fmt.Sprintf("%d.log", i), "")
	}
	for kind, data := range archives(t, many...) {
		if got, err := visited(save(t, "z", data)); len(got) > 0 || err == nil || err.Error() != "has 20001 files; at most 20000 are read" {
			t.Errorf("%s: %d are visited, error %v", kind, len(got), err)
		}
	}
	for kind, data := range archives(t, "a.log", strings.Repeat("text ", 4000), "b.log", "2") {
		if got, err := visited(save(t, "z", data[:len(data)*2/3])); len(got) > 0 || err == nil {
			t.Errorf("%s, cut off: %q, error %v", kind, got, err)
		}
	}
	huge := tarHead(t, &tar.Header{Name: "a.log", Mode: 0o644, Size: MaxSize - 1})
	for _, h := range []*tar.Header{{Name: "a.log", Mode: 0o644, Size: MaxSize + 1}, {Name: "b.log", Mode: 0o644, Size: 1 << 40}} {
		if got, err := visited(save(t, "z", tarHead(t, h))); len(got) > 0 || err != errTooLarge {
			t.Errorf("%d bytes: %q, error %v", h.Size, got, err)
		}
	}
	if _, err := visited(save(t, "z", huge)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a member that is not there: error %v", err)
	}
}

// TestMembersOfTar checks that only regular files of a tar archive are read, with names of any length.
func TestMembersOfTar(t *testing.T) {
	long := strings.Repeat("folder-of-a-long-name/", 12) + "run.log"
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, h := range []tar.Header{
		{Name: "./", Typeflag: tar.TypeDir}, {Name: "./a.log", Typeflag: tar.TypeReg, Size: 4},
		{Name: long, Typeflag: tar.TypeReg, Size: 4, Format: tar.FormatPAX}, {Name: "gnu/" + long, Typeflag: tar.TypeReg, Size: 4, Format: tar.FormatGNU},
		{Name: "soft.log", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, {Name: "hard.log", Typeflag: tar.TypeLink, Linkname: "a.log"},
		{Name: "null", Typeflag: tar.TypeChar, Devmajor: 1, Devminor: 3}, {Name: "disk", Typeflag: tar.TypeBlock}, {Name: "pipe", Typeflag: tar.TypeFifo},
	} {
		h.Mode = 0o644
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if h.Size > 0 {
			io.WriteString(w, "text")
		}
	}
	w.Close()
	got, err := visited(save(t, "x", b.Bytes()))
	if want := []string{"a.log=text <nil>", long + "=text <nil>", "gnu/" + long + "=text <nil>"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, error %v", got, err)
	}
}

// TestSparseFilesAreNotRead checks that a sparse file, which may be huge, is reported, and that the others are read.
func TestSparseFilesAreNotRead(t *testing.T) {
	sparse := tarHead(t, &tar.Header{Name: "huge.log", Mode: 0o644, Format: tar.FormatGNU})
	sparse[156] = tar.TypeGNUSparse
	copy(sparse[483:], "77777777777\x00") // its size, 8 GB
	copy(sparse[148:], "        ")
	sum := 0
	for _, c := range sparse[:512] {
		sum += int(c)
	}
	copy(sparse[148:], fmt.Sprintf("%06o\x00 ", sum))
	path := save(t, "x", append(sparse[:512:512], tarred(t, "a.log", "1")...))
	got, err := visited(path)
	if want := []string{"a.log=1 <nil>", "huge.log: " + errSparse.Error()}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, error %v", got, err)
	}
	if _, err := Open(filepath.Join(path, "huge.log")); !errors.Is(err, errSparse) {
		t.Errorf("opened with error %v", err)
	}
}

// TestRecognize checks that the bytes of an archive determine its kind, also for the oldest tar format.
func TestRecognize(t *testing.T) {
	old := tarred(t, "a.log", "1")
	clear(old[257:500])
	sum := 8 * int(' ')
	for i, c := range old[:512] {
		if i < 148 || i >= 156 {
			sum += int(c)
		}
	}
	copy(old[148:], fmt.Sprintf("%06o\x00 ", sum))
	type kinds struct{ compression, archive Kind }
	all := archives(t, "a.log", "1")
	for name, c := range map[string]struct {
		data []byte
		want kinds
	}{
		"text": {[]byte(strings.Repeat("a line\n", 100)), kinds{}}, "nothing": {nil, kinds{}}, "zeros": {make([]byte, 2048), kinds{}},
		"gzip": {gzipped("text"), kinds{Gzip, Plain}}, "zstd": {zstded("text"), kinds{Zstd, Plain}}, "bzip2": {unbase64(t, textInBzip2), kinds{Bzip2, Plain}},
		"zip": {all["zip"], kinds{Plain, Zip}}, "tar": {all["tar"], kinds{Plain, Tar}}, "tgz": {all["tgz"], kinds{Gzip, Tar}},
		"tar.zst": {all["tar.zst"], kinds{Zstd, Tar}}, "tar.bz2": {unbase64(t, bundleInBzip2), kinds{Bzip2, Tar}},
		"old": {old, kinds{Plain, Tar}}, "prose": {[]byte("BZhang and others wrote this line"), kinds{}},
	} {
		compression, archive := Recognize(bytes.NewReader(c.data))
		if got := (kinds{compression, archive}); got != c.want || ArchiveAt(save(t, "x", c.data)) != c.want.archive {
			t.Errorf("%s: %v, not %v", name, got, c.want)
		}
	}
}

// TestBombs checks that a few bytes that decompress to gigabytes are not read to the end.
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

// TestTake checks that the content of a small plain file can be taken once, and that other files must be read.
func TestTake(t *testing.T) {
	t.Parallel()
	small, large := "Output token throughput (tok/s): 298.07\n", strings.Repeat("INFO a line\n", 1000)
	for name, test := range map[string]struct {
		content string
		takes   bool
	}{
		"small.log": {small, true}, "empty.log": {"", true}, "just.log": {large[:smallFile], true},
		"more.log": {large[:smallFile+1], false}, "large.log": {large, false}, "small.gz": {string(gzipped(small)), false},
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(test.content), 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if content, ok := f.Take(); ok != test.takes || ok && string(content) != test.content {
			t.Errorf("%s: %d of %d bytes, %t", name, len(content), len(test.content), ok)
		}
		if _, again := f.Take(); again {
			t.Errorf("%s is taken twice", name)
		}
		if err := errors.Join(f.Close(), f.Close()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
