package cores

import (
	"sync/atomic"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// However many there are and whatever each takes, every number has its one call before Each returns.
func TestEachNumberHasOneCall(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, Count(), Count() + 1, 10_000} {
		calls := make([]atomic.Int32, n)
		Each(n, func(i int) {
			for range i % 7 * 100 {
				_ = i
			}
			calls[i].Add(1)
		})
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("%d of %d: %d calls", i, n, got)
			}
		}
	}
}

// What belongs to a core is used by one call at a time.
func TestACoreMakesOneCallAtATime(t *testing.T) {
	t.Parallel()
	const n = 10_000
	busy, made := make([]atomic.Bool, Count()), make([]int, Count())
	EachOn(n, func(core, _ int) {
		if !busy[core].CompareAndSwap(false, true) {
			t.Errorf("core %d makes two calls", core)
		}
		made[core]++
		busy[core].Store(false)
	})
	sum := 0
	for _, calls := range made {
		sum += calls
	}
	if sum != n {
		t.Errorf("%d calls, want %d", sum, n)
	}
}

// Where one call waits for another, there are several cores.
func TestCallsOverlap(t *testing.T) {
	t.Parallel()
	need.Cores(t)
	met := make(chan bool)
	Each(2, func(i int) {
		if i == 0 {
			met <- true
		} else {
			<-met
		}
	})
}
