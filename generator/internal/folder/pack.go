package folder

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"testing"
)

// Zip returns a zip archive of "name", "content" pairs.
func Zip(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		w, err := z.Create(pairs[i])
		if err == nil {
			_, err = w.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Tar returns a tar archive of "name", "content" pairs, with an owner's name.
func Tar(t testing.TB, pairs ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for i := 0; i < len(pairs); i += 2 {
		h := &tar.Header{Name: pairs[i], Mode: 0o644, Size: int64(len(pairs[i+1])), Uname: "mallory", Gname: "mallory"}
		err := w.WriteHeader(h)
		if err == nil {
			_, err = w.Write([]byte(pairs[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
