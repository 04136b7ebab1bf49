package rawfile

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// Ending is what the name of a file that Compress wrote ends in.
const Ending = ".zst"

// Compress writes the zstd form of a stream. The same content gives the same bytes on
// every machine: one goroutine, a fixed level, no dictionary.
func Compress(w io.Writer, r io.Reader) error {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithWindowSize(8<<20))
	if err != nil {
		return err
	}
	// In pieces of one size: where blocks end must not depend on how the reader gives them.
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
