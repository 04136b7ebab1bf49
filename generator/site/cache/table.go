package cache

import (
	"os"

	"github.com/benchpost/benchpost/generator/result"
)

// table is a map that one process leaves to the next: all of it in one file, and what has changed since in a short
// one beside that, as long as it is little. To write down one change costs little then, however large the map is.
type table[V any] struct {
	file string
	of   tableOf

	whole   check           // sum of the file; zero when there is none of use
	size    int             // how many entries are in it
	changed map[string]bool // keys whose entries are not as the file has them
	unsaved bool            // some of them are in neither file
}

// tableOf is what all entries depend on, besides their keys: those of another are of no use.
type tableOf struct {
	Version int
	Mask    result.Stamp
}

// wholeTable and changedTable are the two files.
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

// load returns what the last process left, nil when there is nothing of use.
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

// change notes that the entry of a key is another now, or gone.
func (t *table[V]) change(key string) { t.changed[key], t.unsaved = true, true }

// saving packs all entries, or those that have changed when they are few, and returns what writes them down, if
// anything has changed. That it cannot is not an error: the next process does more.
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
		_ = os.Remove(t.later()) // one of another whole is not believed
	}
}
