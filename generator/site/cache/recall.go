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

// Reader reads raw files, and keeps what they held: of a large file in a file of its own, of the
// small ones together.
type Reader struct {
	*Store
	Mask *mask.Masker // what is read is masked; nil for not

	sums  *Sums
	small *readings
	texts sync.Pool // *pack.Texts
}

// OpenReader opens what was read of the files of a site. The sums of what it reads are noted.
func OpenReader(home string, sums *Sums) *Reader {
	return &Reader{Store: OpenStore(home, "cache"), sums: sums, small: openReadings(home), texts: sync.Pool{New: func() any { return pack.NewTexts() }}}
}

// large is from how many bytes on what a file held is kept in a file of its own.
const large = 128 << 10

// Read is that of rundir.Options. A file that was changed a moment ago is not kept:
// the next change might have the same time. One that changes while it is read is read again.
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

// read reads a file that was found with a mark, unless what it held is kept. Of a small one data is what
// lies on the disk, nil where it was not read or changed meanwhile.
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

// whole reads a small file at once.
func (r *Reader) whole(path, name string, mark filemark.Mark) (out format.Output, data []byte, err error) {
	data, info, err := sitefile.ReadNoted(path)
	if err != nil { // which reading it reports
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

// Prepare takes what the last process left, before the first file is asked for.
func (r *Reader) Prepare() {
	var both sync.WaitGroup
	both.Go(r.small.prepare)
	both.Go(r.sums.prepare)
	both.Wait()
}

// Save leaves the next process what the small files held. Who calls it has the lock.
func (r *Reader) Save() { r.small.save(r.sums.path) }

// reading is what is kept of a file: what it contained, and what was masked in it.
type reading struct {
	Output format.Output
	Masked []mask.Found
}

func (r *Reader) unpack(data []byte) (reading, bool) {
	texts := r.texts.Get().(*pack.Texts)
	defer r.texts.Put(texts)
	return pack.Unpack[reading](data, texts)
}
