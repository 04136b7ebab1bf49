package result

import "sync"

// Kinds caches kinds that are derived from a key, so that all results with that key share one. The zero value
// is ready to use.
type Kinds[From comparable] struct {
	lock  sync.RWMutex
	known map[From]*Kind
}

// mostKinds limits the size of the cache, because keys may contain names from files.
const mostKinds = 4096

// Of returns the kind for a key. It calls made if the kind is not cached.
func (ks *Kinds[From]) Of(from From, made func(From) Kind) *Kind {
	ks.lock.RLock()
	k := ks.known[from]
	ks.lock.RUnlock()
	if k != nil {
		return k
	}
	own := made(from)
	ks.lock.Lock()
	defer ks.lock.Unlock()
	if ks.known == nil || len(ks.known) == mostKinds {
		ks.known = map[From]*Kind{}
	}
	ks.known[from] = &own
	return &own
}
