package result

import "sync"

// Kinds are kinds that follow from something, each made once for all results that have it. The zero value is ready.
type Kinds[From comparable] struct {
	lock  sync.RWMutex
	known map[From]*Kind
}

// mostKinds bounds how many are known: names of a file's own may be in them.
const mostKinds = 4096

// Of returns the kind that follows from something, which is made when it is not known.
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
