package rawfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"testing"
	"testing/iotest"
)

// logOf returns lines of a benchmark, the same on every machine.
func logOf(lines int) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for i := range lines {
		fmt.Fprintf(&b, "{\"request\": %d, \"ttft\": %.6f, \"itl\": %.6f}\n", i, r.Float64(), r.Float64())
	}
	return b.Bytes()
}

// TestCompress checks that decompressing gives the original, and that the compressed bytes depend only on the content,
// not on the reader or the machine. If a new version of the library changes the checksum, files compressed from then on
// differ, but archived files do not change.
func TestCompress(t *testing.T) {
	const want = "d566ca398f092610ff4dc65f1163e78e5b796224842755ea4c8092327396d64f"
	data := logOf(60_000)
	var sums []string
	for _, in := range []io.Reader{bytes.NewReader(data), iotest.HalfReader(bytes.NewReader(data)), iotest.DataErrReader(bytes.NewReader(data))} {
		var out bytes.Buffer
		if err := Compress(&out, in); err != nil {
			t.Fatal(err)
		}
		if out.Len() > len(data)/2 {
			t.Errorf("%d bytes of %d", out.Len(), len(data))
		}
		f, err := Open(save(t, "x"+Ending, out.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if f.Close(); err != nil || !bytes.Equal(got, data) {
			t.Errorf("reads as %d bytes, error %v", len(got), err)
		}
		sum := sha256.Sum256(out.Bytes())
		sums = append(sums, hex.EncodeToString(sum[:]))
	}
	if sums[0] != sums[1] || sums[0] != sums[2] || sums[0] != want {
		t.Errorf("got %v, want %s", sums, want)
	}
}

func TestCompressTellsOfErrors(t *testing.T) {
	if err := Compress(io.Discard, iotest.ErrReader(os.ErrClosed)); err != os.ErrClosed {
		t.Error(err)
	}
}
