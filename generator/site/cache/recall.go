package cache

import (
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/pack"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// Reader reads raw files and caches what it read: for a large file in a separate file, for all small files together in
// one.
type Reader struct {
	*Store
	Mask *mask.Masker // masks what is read; nil masks nothing

	sums  *Sums
	small *readings
	texts sync.Pool // *pack.Texts
}

// OpenReader opens the cache of what was read from the files of a site. Reader notes the checksums of the files it
// reads in sums.
func OpenReader(home string, sums *Sums) *Reader {
	return &Reader{Store: OpenStore(home, "cache"), sums: sums, small: openReadings(home), texts: sync.Pool{New: func() any { return pack.NewTexts() }}}
}

// large is the size in bytes from which a file has its own cache file.
const large = 128 << 10

// Read implements the function Read of rundir.Options. It does not cache a file that was changed a moment ago, because
// the next change might have the same time. A file that changes while it is read is read again.
func (r *Reader) Read(path, name string, found filemark.Mark) (format.Output, error) {
	const patience = 5
	for try := 1; ; try++ {
		if try > 1 || found == (filemark.Mark{}) {
			found = filemark.At(path)
		}
		out, data, err := r.read(path, name, found)
		if err != nil || r.sums.note(name, path, found, data) || try == patience {
			return out, err
		}
	}
}

// read reads a file that was found with a mark, or returns the cached result. data is the content of a small file on
// the disk; nil if it was not read, or changed meanwhile.
func (r *Reader) read(path, name string, mark filemark.Mark) (out format.Output, data []byte, err error) {
	settled := mark != (filemark.Mark{}) && !mark.Fresh(filemark.Settled)
	key := ReadingKey{name, mark, r.Mask.Stamp()}
	if settled {
		if data, ok := r.kept(key); ok {
			if kept, ok := r.unpack(data); ok {
				r.Mask.Recall(path, mark, kept.Masked)
				return kept.Output, nil, nil
			}
		}
	}
	if mark.Size < large {
		out, data, err = r.whole(path, name, mark)
	} else {
		out, err = rundir.ReadFile(path, name, r.Mask)
	}
	if err == nil && settled && (data != nil || filemark.At(path) == mark) {
		if data, ok := pack.Pack(&reading{out, r.Mask.In(path, mark)}); ok {
			r.keep(key, data)
		}
	}
	return out, data, err
}

// whole reads a small file into memory and parses it.
func (r *Reader) whole(path, name string, mark filemark.Mark) (out format.Output, data []byte, err error) {
	data, info, err := sitefile.ReadNoted(path)
	if err != nil { // ReadFile reports the error
		out, err = rundir.ReadFile(path, name, r.Mask)
		return out, nil, err
	}
	if out, err = rundir.Read(path, name, data, info, r.Mask); filemark.Of(info) != mark || filemark.At(path) != mark {
		data = nil
	}
	return out, data, err
}

func (r *Reader) kept(k ReadingKey) ([]byte, bool) {
	if k.Mark.Size < large {
		return r.small.get(k)
	}
	key := Key(k)
	return r.Get(key[:])
}

func (r *Reader) keep(k ReadingKey, data []byte) {
	if k.Mark.Size < large {
		r.small.put(k, data)
		return
	}
	key := Key(k)
	r.Put(key[:], data)
}

// Prepare loads what the last process saved, before the first file is requested.
func (r *Reader) Prepare() {
	var both sync.WaitGroup
	both.Go(r.small.prepare)
	both.Go(r.sums.prepare)
	both.Wait()
}

// Save saves what was read from small files for the next process. The caller holds the lock.
func (r *Reader) Save() { r.small.save(r.sums.path) }

// reading is what is cached for a file: its contents, and what was masked in them.
type reading struct {
	Output format.Output
	Masked []mask.Found
}

func (r *Reader) unpack(data []byte) (reading, bool) {
	texts := r.texts.Get().(*pack.Texts)
	defer r.texts.Put(texts)
	return pack.Unpack[reading](data, texts)
}
