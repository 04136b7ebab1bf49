// Package cores does many things that do not depend on each other, on all cores.
//
//	found := make([]finding, len(files))
//	cores.Each(len(files), func(i int) { found[i] = look(files[i]) })
package cores

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do once with each number below n, several at a time, and returns when all calls have returned. A core
// that is done with one takes the next, so calls may take unequal time.
func Each(n int, do func(i int)) {
	EachOn(n, func(_, i int) { do(i) })
}

// EachOn does what [Each] does, and also passes the number of the core that makes the call, which is below
// [Count]. No two calls with the same core overlap, so buffers of a core can be reused from call to call.
func EachOn(n int, do func(core, i int)) {
	var all sync.WaitGroup
	var next atomic.Int64
	for core := range min(n, Count()) {
		all.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(core, i)
			}
		})
	}
	all.Wait()
}

// Count returns how many cores there are to use, at least one.
func Count() int { return runtime.GOMAXPROCS(0) }
