package cache

import (
	"os"

	"github.com/benchpost/benchpost/generator/result"
)

// table is a map that one process saves for the next. One file has all entries. While the changes since then are few,
// they are in a second, short file. So saving one change is cheap, however large the map is.
type table[V any] struct {
	file string
	of   tableOf

	whole   check           // checksum of the whole file; zero if there is no usable file
	size    int             // number of entries in the whole file
	changed map[string]bool // keys whose entries differ from the whole file
	unsaved bool            // some of these are in neither file
}

// tableOf is what all entries depend on, besides their keys. A file with another tableOf is not used.
type tableOf struct {
	Version int
	Mask    result.Stamp
}

// wholeTable and changedTable are the contents of the two files.
type wholeTable[V any] struct {
	Of      tableOf
	Entries map[string]V
}

type changedTable[V any] struct {
	Since   check
	Entries map[string]V
	Gone    []string
}

func openTable[V any](file string, version int) table[V] {
	return table[V]{file: file, of: tableOf{Version: version}, changed: map[string]bool{}}
}

func (t *table[V]) later() string { return t.file + ".changed" }

// load returns what the last process saved; nil if there is nothing usable.
func (t *table[V]) load() map[string]V {
	t.whole, t.size, t.unsaved = check{}, 0, false
	clear(t.changed)
	sum, whole, ok := readSummed[wholeTable[V]](t.file)
	if !ok || whole.Of != t.of || whole.Entries == nil {
		return nil
	}
	t.whole, t.size = sum, len(whole.Entries)
	if _, later, ok := readSummed[changedTable[V]](t.later()); ok && later.Since == sum {
		for key, v := range later.Entries {
			whole.Entries[key], t.changed[key] = v, true
		}
		for _, key := range later.Gone {
			delete(whole.Entries, key)
			t.changed[key] = true
		}
	}
	return whole.Entries
}

// change records that the entry of a key has changed or is gone.
func (t *table[V]) change(key string) { t.changed[key], t.unsaved = true, true }

// saving packs all entries, or only the changed ones if they are few, and returns a function that writes them if
// anything has changed. A failure is not an error: the next process does more work.
func (t *table[V]) saving(all map[string]V) (save func()) {
	if !t.unsaved {
		return func() {}
	}
	if t.size == 0 || len(t.changed) > t.size/few {
		return t.savingWhole(all)
	}
	later := changedTable[V]{Since: t.whole, Entries: make(map[string]V, len(t.changed))}
	for key := range t.changed {
		if v, ok := all[key]; ok {
			later.Entries[key] = v
		} else {
			later.Gone = append(later.Gone, key)
		}
	}
	_, write := summed(t.later(), later)
	return func() { t.unsaved = write() != nil }
}

func (t *table[V]) savingWhole(all map[string]V) (save func()) {
	sum, write := summed(t.file, wholeTable[V]{t.of, all})
	return func() {
		if write() != nil {
			return
		}
		t.whole, t.size, t.unsaved = sum, len(all), false
		clear(t.changed)
		_ = os.Remove(t.later()) // a file with changes to another whole is ignored
	}
}
