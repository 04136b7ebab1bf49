package publish

import (
	"bytes"
	"io"
	"os"
)

// equalFiles compares two files without reading either of them into memory as a whole.
func equalFiles(name, with string) (same, exists bool) {
	info, err := os.Lstat(name)
	if err != nil {
		return false, false
	}
	other, err := os.Stat(with)
	if err != nil || !info.Mode().IsRegular() || info.Size() != other.Size() {
		return false, true
	}
	f, err := os.Open(name)
	if err != nil {
		return false, true
	}
	defer f.Close()
	g, err := os.Open(with)
	if err != nil {
		return false, true
	}
	defer g.Close()
	a, b := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(f, a)
		m, _ := io.ReadFull(g, b)
		if !bytes.Equal(a[:n], b[:m]) {
			return false, true
		}
		if err != nil {
			return err == io.EOF || err == io.ErrUnexpectedEOF, true
		}
	}
}

// equal compares a file with data without reading the whole file into memory.
func equal(name string, data []byte) (same, exists bool) {
	f, err := os.Open(name)
	if err != nil {
		_, err := os.Lstat(name)
		return false, err == nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() != int64(len(data)) {
		return false, true
	}
	buf := make([]byte, min(len(data), 64<<10))
	for len(data) > 0 {
		n, err := io.ReadFull(f, buf[:min(len(buf), len(data))])
		if err != nil || !bytes.Equal(buf[:n], data[:n]) {
			return false, true
		}
		data = data[n:]
	}
	return true, true
}
