package cache

import (
	"bytes"
	"encoding/gob"
	"os"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rundir"
)

// Reader reads raw files, and keeps what large ones held: a small one is read as
// fast as what was kept of it would be.
type Reader struct {
	*Store
	Mask *mask.Masker // what is read is masked; nil for not
}

// OpenReader opens what was read of the files of a site.
func OpenReader(home string) *Reader { return &Reader{Store: OpenStore(home, "cache")} }

const (
	worthKeeping = 128 << 10 // bytes from which on a file is slower to read than to recall
	settled      = 2 * time.Second
)

// Read is that of rundir.Options. A file that was changed a moment ago is not kept:
// the next change might have the same time.
func (r *Reader) Read(path, name string) (format.Output, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() < worthKeeping || time.Since(info.ModTime()).Abs() < settled {
		return rundir.ReadFile(path, name, r.Mask)
	}
	key := Key(ReadingKey{name, info.Size(), info.ModTime().UnixNano(), r.Mask.Stamp()})
	if data, ok := r.Get(key[:]); ok {
		if kept, ok := unpackReading(data); ok {
			r.Mask.Recall(path, kept.Masked)
			return kept.Output, nil
		}
	}
	out, err := rundir.ReadFile(path, name, r.Mask)
	if err == nil {
		if data, ok := packReading(&reading{out, r.Mask.Of(path)}); ok {
			r.Put(key[:], data)
		}
	}
	return out, err
}

// reading is what is kept of a file: what it contained, and what was masked in it.
type reading struct {
	Output format.Output
	Masked []mask.Found
}

func packReading(r *reading) ([]byte, bool) {
	var buf bytes.Buffer
	err := gob.NewEncoder(&buf).Encode(r)
	return buf.Bytes(), err == nil
}

func unpackReading(data []byte) (r reading, ok bool) {
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(&r)
	return r, err == nil
}
