package cache

import (
	"bytes"
	"encoding/gob"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/rundir"
)

// Reader reads raw files, and keeps what large ones held: a small one is read as
// fast as what was kept of it would be.
type Reader struct {
	*Store
	Mask *mask.Masker // what is read is masked; nil for not

	sums *Sums
}

// OpenReader opens what was read of the files of a site. The sums of what it reads are noted.
func OpenReader(home string, sums *Sums) *Reader {
	return &Reader{Store: OpenStore(home, "cache"), sums: sums}
}

// worthKeeping is from how many bytes on a file is slower to read than to recall.
const worthKeeping = 128 << 10

// Read is that of rundir.Options. A file that was changed a moment ago is not kept:
// the next change might have the same time. One that changes while it is read is read again.
func (r *Reader) Read(path, name string) (format.Output, error) {
	const patience = 5
	for try := 1; ; try++ {
		mark := filemark.At(path)
		out, err := r.read(path, name, mark)
		if err != nil || r.sums.note(name, path, mark) || try == patience {
			return out, err
		}
	}
}

// read reads a file that was found with a mark.
func (r *Reader) read(path, name string, mark filemark.Mark) (format.Output, error) {
	if mark.Size < worthKeeping || mark.Fresh(filemark.Settled) {
		return rundir.ReadFile(path, name, r.Mask)
	}
	key := Key(ReadingKey{name, mark, r.Mask.Stamp()})
	if data, ok := r.Get(key[:]); ok {
		if kept, ok := unpackReading(data); ok {
			r.Mask.Recall(path, kept.Masked)
			return kept.Output, nil
		}
	}
	out, err := rundir.ReadFile(path, name, r.Mask)
	if err == nil && filemark.At(path) == mark {
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
