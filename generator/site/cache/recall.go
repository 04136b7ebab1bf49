package cache

import (
	"bytes"
	"encoding/gob"
	"os"
	"time"

	"github.com/benchpost/benchpost/generator/format"
)

// Reader reads raw files, and keeps what large ones held: a small one is read as
// fast as what was kept of it would be.
type Reader struct{ *Store }

// OpenReader opens what was read of the files of a site.
func OpenReader(home string) *Reader { return &Reader{OpenStore(home, "cache")} }

const (
	worthKeeping = 128 << 10 // bytes from which on a file is slower to read than to recall
	settled      = 2 * time.Second
)

// Read is that of rundir.Options. A file that was changed a moment ago is not kept:
// the next change might have the same time.
func (r *Reader) Read(path, name string) (format.Output, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() < worthKeeping || time.Since(info.ModTime()).Abs() < settled {
		return format.ReadFile(path, name)
	}
	key := Key(ReadingKey{name, info.Size(), info.ModTime().UnixNano()})
	if data, ok := r.Get(key[:]); ok {
		if out, ok := unpackOutput(data); ok {
			return out, nil
		}
	}
	out, err := format.ReadFile(path, name)
	if err == nil {
		if data, ok := packOutput(&out); ok {
			r.Put(key[:], data)
		}
	}
	return out, err
}

func packOutput(out *format.Output) ([]byte, bool) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(out)
	return buf.Bytes(), err == nil
}

func unpackOutput(data []byte) (out format.Output, ok bool) {
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&out)
	return out, err == nil
}
