package weights

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"strings"
)

// HeaderSize returns how many bytes of a weights file (safetensors or GGUF) Read needs. If the file is invalid, these
// are the bytes that show it.
func HeaderSize(file string) (int64, error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if strings.HasSuffix(file, ".safetensors") {
		var length [8]byte
		if n, err := io.ReadFull(f, length[:]); err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return int64(n), nil
			}
			return 0, err
		}
		if n := binary.LittleEndian.Uint64(length[:]); n <= maxHeader {
			return 8 + int64(n), nil
		}
		return 8, nil
	}
	in := counted{in: f}
	_, _, _ = gguf(&in, nil) // only the number of bytes read matters
	return in.n, nil
}

// counted counts the bytes read from a stream.
type counted struct {
	in io.Reader
	n  int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.n += int64(n)
	return n, err
}
