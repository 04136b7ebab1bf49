package rawfile

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// Ending is the suffix of the names of files that Compress wrote.
const Ending = ".zst"

// Compress compresses a stream with zstd. The same content gives the same bytes on every machine: it uses one
// goroutine, a fixed level, and no dictionary.
func Compress(w io.Writer, r io.Reader) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	// In pieces of fixed size, so that block boundaries do not depend on the reader.
	buf := make([]byte, 1<<20)
	for {
		n, err := io.ReadFull(r, buf)
		if _, err := z.Write(buf[:n]); err != nil {
			return err
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return z.Close()
		}
		if err != nil {
			z.Close()
			return err
		}
	}
}
