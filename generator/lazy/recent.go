package lazy

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// Recent returns a function that returns what of does, and keeps it for when the same is asked for again: the runs of
// a site name few models and machines, and each of them many times. When it has so many texts, it begins anew. It
// serves several goroutines, if of does.
func Recent[V any](most int, of func(string) V) func(string) V {
	type answer struct {
		text  string
		value V
	}
	var mu sync.RWMutex
	known := map[string]*answer{}
	var latest [64]atomic.Pointer[answer] // by a hash of the text: most are found without a lock
	seed := maphash.MakeSeed()
	return func(text string) V {
		slot := &latest[maphash.String(seed, text)%uint64(len(latest))]
		if a := slot.Load(); a != nil && a.text == text {
			return a.value
		}
		mu.RLock()
		a := known[text]
		mu.RUnlock()
		if a != nil {
			slot.Store(a)
			return a.value
		}
		text = strings.Clone(text)
		a = &answer{text, of(text)}
		mu.Lock()
		defer mu.Unlock()
		if len(known) >= most {
			clear(known)
			for i := range latest {
				latest[i].Store(nil)
			}
		}
		known[text] = a
		slot.Store(a)
		return a.value
	}
}
