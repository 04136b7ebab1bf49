package lazy

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// Recent returns a function that caches the values of of: the runs of a site name few models and machines, each
// of them many times. When most texts are cached, the cache is cleared. The function may be called by several
// goroutines if of may.
func Recent[V any](most int, of func(string) V) func(string) V {
	type answer struct {
		text  string
		value V
	}
	var mu sync.RWMutex
	known := map[string]*answer{}
	var latest [64]atomic.Pointer[answer] // by a hash of the text: finds most texts without a lock
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
