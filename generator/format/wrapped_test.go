package format_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/unread"
)

// What is packed in a way that is not read is named, with what to do.
func TestPackedFiles(t *testing.T) {
	var bundle bytes.Buffer
	w := tar.NewWriter(&bundle)
	if err := w.WriteHeader(&tar.Header{Name: "a/bench.log", Mode: 0o644, Size: int64(len(fixture.Table)), Format: tar.FormatUSTAR}); err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(fixture.Table))
	w.Close()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write(bundle.Bytes())
	z.Close()
	for text, want := range map[string]string{
		bundle.String():                     "a tar archive; unpack it into a folder",
		packed.String():                     "a tar archive; unpack it into a folder",
		"BZh91AY&SY\x00\x01\x02":            "compressed with bzip2; unpack it into a folder",
		"\xfd7zXZ\x00\x00\x04\xe6\xd6":      "compressed with xz; unpack it into a folder",
		"BZhang and others wrote this line": "no known format",
	} {
		if out := fixture.Read(t, text); out.Reason != want || out.Kind != unread.Archive && want != "no known format" {
			t.Errorf("%.12q: reason %q, kind %q, not %q", text, out.Reason, out.Kind, want)
		}
	}
}
