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

// logOf makes the lines of a benchmark, the same on every machine.
func logOf(lines int) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(1, 2))
	for i := range lines {
		fmt.Fprintf(&b, "{\"request\": %d, \"ttft\": %.6f, \"itl\": %.6f}\n", i, r.Float64(), r.Float64())
	}
	return b.Bytes()
}

// What is compressed is read as it was, and its bytes depend on nothing but the
// content: not on how it is read, and not on the machine. A sum that changes with a
// new version of the library changes files that are compressed from then on, and
// none that is archived.
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
