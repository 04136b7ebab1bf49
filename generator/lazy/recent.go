package lazy

import (
	"strings"
	"sync"
)

// Recent returns a function that returns what of does, and keeps it for when the same is asked for again: the runs of
// a site name few models and machines, and each of them many times. When it has so many texts, it begins anew. It
// serves several goroutines, if of does.
func Recent[V any](most int, of func(string) V) func(string) V {
	var mu sync.RWMutex
	known := map[string]V{}
	return func(text string) V {
		mu.RLock()
		v, ok := known[text]
		mu.RUnlock()
		if ok {
			return v
		}
		v = of(text)
		mu.Lock()
		defer mu.Unlock()
		if len(known) >= most {
			clear(known)
		}
		known[strings.Clone(text)] = v
		return v
	}
}
