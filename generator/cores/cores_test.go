package cores

import (
	"sync/atomic"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// TestEachNumberHasOneCall: for any number of calls of any duration, Each calls once for every number before it
// returns.
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

// TestACoreMakesOneCallAtATime: no two calls with the same core overlap.
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

// TestCallsOverlap: several calls run at the same time if there are several cores.
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
