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

// readings keeps what small files held in one file of a site's own folder: to open thousands would take
// longer than to read what they are of. It begins with a sum of its bytes and with the program that wrote it.
type readings struct {
	file    string
	program result.Stamp

	mu    sync.Mutex
	read  bool // what another process left has been taken
	lies  int  // how many lie there, as was last seen; -1 before that
	known map[string]kept
	new   map[string]kept
	used  map[string]bool // names that were asked for
}

// kept is what a file held, found with a mark.
type kept struct {
	mark filemark.Mark
	mask result.Stamp
	data []byte
}

func openReadings(home string) *readings {
	return &readings{file: filepath.Join(home, Name, "readings"), program: program(), lies: -1, new: map[string]kept{}, used: map[string]bool{}}
}

// get returns what is kept by a key.
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

// put keeps what a file held.
func (r *readings) put(k ReadingKey, data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.new[k.Name] = kept{k.Mark, k.Mask, data}
}

// prepare is load for who does not have the lock.
func (r *readings) prepare() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.load()
}

// load takes what the last process left, once.
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

// few is which part of all may be unknown to the next process, as 1/few: to read those again takes less
// than to write all down.
const few = 64

// save leaves what is known to the next process, of the files that are still there: path returns where a
// name lies. It lets go of what only the next process needs. That it cannot write is not an error.
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
			r.new, r.lies = map[string]kept{}, len(all) // one that was cleared keeps its size
		}
	}
	r.known, r.read = nil, false
}

// writeReadings writes them, and before them the sum of what follows: they are put into bytes twice,
// piece by piece, as all of them together would be the largest thing in memory.
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
		return out.Flush() // with the first error of all
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

// parseReadings reads what writeReadings wrote after the sum. Ok is false for what another program wrote.
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
