package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// cache keeps what took long to make, by a key of all that decides it and by the
// program that made it. It is a folder of .benchpost, safe to delete and to use from
// several processes: what cannot be read or is damaged is made again, and a file
// appears whole.
type cache struct {
	folder  string
	program []byte
	frozen  bool // nothing is written

	mu   sync.Mutex
	used map[string]bool
}

func openCache(dir, name string) *cache {
	c := &cache{folder: filepath.Join(dir, stateFolder, name), used: map[string]bool{}}
	h := sha256.New()
	if exe, err := os.Executable(); err == nil {
		stamp(h, exe)
	}
	c.program = h.Sum(nil)
	return c
}

func (c *cache) name(key []byte) string {
	sum := sha256.Sum256(slices.Concat(c.program, key))
	return hex.EncodeToString(sum[:])
}

// get gives what was kept by a key. It begins with its own sum: what is damaged must
// not be published.
func (c *cache) get(key []byte) ([]byte, bool) {
	name := c.name(key)
	data, err := os.ReadFile(filepath.Join(c.folder, name))
	if err != nil || len(data) < sha256.Size {
		return nil, false
	}
	if sum := sha256.Sum256(data[sha256.Size:]); !bytes.Equal(sum[:], data[:sha256.Size]) {
		return nil, false
	}
	c.use(name)
	return data[sha256.Size:], true
}

// put keeps data by a key. That it cannot is no fault.
func (c *cache) put(key, data []byte) {
	if c.frozen || makeStateFolder(c.folder) != nil {
		return
	}
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return
	}
	sum := sha256.Sum256(data)
	name := c.name(key)
	_, err = f.Write(slices.Concat(sum[:], data))
	if closed := f.Close(); err != nil || closed != nil || os.Rename(f.Name(), filepath.Join(c.folder, name)) != nil {
		os.Remove(f.Name())
		return
	}
	c.use(name)
}

func (c *cache) use(name string) {
	c.mu.Lock()
	c.used[name] = true
	c.mu.Unlock()
}

// mostKept bounds, in bytes, what is kept though it was not used: what was not made
// anew may still want it.
const mostKept = 64 << 20

// prune removes what was not used: all of it when everything was asked for, else the
// oldest beyond a bound.
func (c *cache) prune(all bool) {
	type unused struct {
		name string
		size int64
		time time.Time
	}
	var rest []unused
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		if c.used[e.Name()] {
			continue
		}
		if info, err := e.Info(); err == nil {
			rest = append(rest, unused{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(rest, func(a, b unused) int { return b.time.Compare(a.time) })
	var kept int64
	for _, u := range rest {
		if kept += u.size; all || kept > mostKept {
			os.Remove(filepath.Join(c.folder, u.name))
		}
	}
}
