package cache

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
	"github.com/benchpost/benchpost/generator/result"
)

// readings keeps what was read from small files in one file of the site's .benchpost folder: opening thousands of cache
// files would take longer than reading the raw files. The file begins with a checksum of its bytes and the key of the
// program that wrote it.
type readings struct {
	file    string
	program result.Stamp

	mu    sync.Mutex
	read  bool // what another process saved has been loaded
	lies  int  // number of entries in the file when last seen; -1 before that
	known map[string]kept
	new   map[string]kept
	used  map[string]bool // names that were requested
}

// kept is what was read from a file with a mark.
type kept struct {
	mark filemark.Mark
	mask result.Stamp
	data []byte
}

func openReadings(home string) *readings {
	return &readings{file: filepath.Join(home, Name, "readings"), program: program(), lies: -1, new: map[string]kept{}, used: map[string]bool{}}
}

// get returns what is kept under a key.
func (r *readings) get(k ReadingKey) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load()
	r.used[k.Name] = true
	one, ok := r.new[k.Name]
	if !ok {
		one, ok = r.known[k.Name]
	}
	return one.data, ok && one.mark == k.Mark && one.mask == k.Mask
}

// put keeps what was read from a file.
func (r *readings) put(k ReadingKey, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.new[k.Name] = kept{k.Mark, k.Mask, data}
}

// prepare calls load with the lock.
func (r *readings) prepare() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load()
}

// load reads what the last process saved, once. The caller holds the lock.
func (r *readings) load() {
	if r.read {
		return
	}
	r.read = true
	if _, data, ok := readSum(r.file); ok {
		if known, ok := parseReadings(data, r.program); ok {
			r.known = known
		}
	}
	r.lies = len(r.known)
}

// few limits what is not saved: at most 1/few of the entries may be missing in the file. Reading those again takes less
// time than saving everything.
const few = 64

// save saves what is known for the next process, except for files that no longer exist; path returns the path on disk
// of a name. It frees what only the next process needs. A failure is not an error.
func (r *readings) save(path func(name string) string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.new) > 0 && r.lies < 0 {
		r.load()
	}
	if len(r.new)*few > r.lies {
		r.load()
		all := maps.Clone(r.known)
		if all == nil {
			all = map[string]kept{}
		}
		maps.Copy(all, r.new)
		maps.DeleteFunc(all, func(name string, _ kept) bool {
			if r.used[name] {
				return false
			}
			_, err := os.Lstat(path(name))
			return err != nil
		})
		if write(r.file, func(w io.Writer) error { return writeReadings(w, all, r.program) }) == nil {
			r.new, r.lies = map[string]kept{}, len(all) // a new map, because a cleared one keeps its memory
		}
	}
	r.known, r.read = nil, false
}

// writeReadings writes the entries after a checksum of the rest. It encodes them twice, piece by piece, because all of
// them together would be the largest object in memory.
func writeReadings(w io.Writer, all map[string]kept, program result.Stamp) error {
	names := slices.Sorted(maps.Keys(all))
	each := func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 64<<10)
		out.Write(program[:])
		var head []byte
		for _, name := range names {
			one := all[name]
			head = append(appendMark(head[:0], name, one.mark), one.mask[:]...)
			head = binary.AppendUvarint(head, uint64(len(one.data)))
			out.Write(head)
			out.Write(one.data)
		}
		return out.Flush() // returns the first error of all writes
	}
	var sum check
	if err := each(&sum); err != nil {
		return err
	}
	if _, err := w.Write(sum[:]); err != nil {
		return err
	}
	return each(w)
}

// parseReadings parses what writeReadings wrote after the checksum. ok is false if another program wrote it or it is
// damaged.
func parseReadings(b []byte, program result.Stamp) (all map[string]kept, ok bool) {
	b, ok = bytes.CutPrefix(b, program[:])
	all = map[string]kept{}
	piece := func() []byte {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > uint64(len(b)-size) {
			ok = false
			return nil
		}
		p := b[size : size+int(n)]
		b = b[size+int(n):]
		return p
	}
	for ok && len(b) > 0 {
		name := string(piece())
		var one kept
		if len(b) < filemark.Size+len(one.mask) {
			return nil, false
		}
		one.mark = filemark.In(b)
		copy(one.mask[:], b[filemark.Size:])
		b = b[filemark.Size+len(one.mask):]
		one.data = piece()
		all[name] = one
	}
	return all, ok
}
