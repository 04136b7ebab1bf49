package format_test

import (
	"bytes"
	"compress/gzip"
	"testing"

	"github.com/benchpost/benchpost/generator/format/internal/fixture"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/unread"
)

// TestPackedFiles checks that archives are marked for callers that read their members, and that an unsupported form of
// packing is named, with advice.
func TestPackedFiles(t *testing.T) {
	bundle := folder.Tar(t, "a/bench.log", fixture.Table)
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(bundle))
	z.Close()
	for text, want := range map[string]string{
		bundle:                              "a tar archive",
		packed.String():                     "a tar archive",
		"\xfd7zXZ\x00\x00\x04\xe6\xd6":      "compressed with xz; unpack it into a folder",
		"BZhang and others wrote this line": "no known format",
	} {
		if out := fixture.Read(t, text); locale.English(out.Reason) != want || out.Kind != unread.Archive && want != "no known format" || out.Archive != (want == "a tar archive") {
			t.Errorf("%.12q: reason %q, kind %q, not %q", text, out.Reason, out.Kind, want)
		}
	}
}
