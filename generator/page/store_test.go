package page

import (
	"errors"
	"iter"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
)

// counting is a store that takes files until it is full, and counts the bytes taken.
type counting struct {
	taken, most int
}

func (c *counting) Kept(string, result.Stamp) ([]DataFile, bool) { return nil, false }

func (c *counting) Put(_ string, _ result.Stamp, files iter.Seq2[string, []byte]) error {
	for _, data := range files {
		c.taken += len(data)
	}
	if c.taken > c.most {
		return errors.New("full")
	}
	return nil
}

// TestFinishedPagesTakeBoundedMemory checks that only some of the pages after a slow one are made, so that finished
// pages take bounded memory, and that nothing waits forever if the store fails.
func TestFinishedPagesTakeBoundedMemory(t *testing.T) {
	t.Parallel()
	const size, pages = 1 << 20, 100
	for _, most := range []int{pages * size, 20 * size, 0} {
		synctest.Test(t, func(t *testing.T) {
			var made atomic.Int64
			slow := make(chan struct{})
			artifacts := func(yield func(artifact) bool) {
				for i := range pages {
					if !yield(artifact{from: func() result.Stamp { return result.Stamp{} }, make: func() ([]file, error) {
						if i == 0 {
							<-slow
						}
						made.Add(size)
						return []file{{data: make([]byte, size)}}, nil
					}}) {
						return
					}
				}
			}
			store := &counting{most: most}
			done := make(chan error)
			go func() { done <- inOrder(artifacts, store, func() func() { return func() {} }) }()
			synctest.Wait()
			if n := made.Load(); n > mostFinished+int64(runtime.GOMAXPROCS(0)+1)*size {
				t.Errorf("%d bytes are made behind a slow page", n)
			}
			close(slow)
			if err := <-done; (err != nil) != (most < pages*size) || err == nil && store.taken != pages*size {
				t.Errorf("%d bytes were taken of %d: %v", store.taken, pages*size, err)
			}
		})
	}
}

// keeper is a store that keeps every second artifact, and records requests and files.
type keeper struct {
	asked atomic.Int64
	given []string
}

func (k *keeper) Kept(name string, from result.Stamp) ([]DataFile, bool) {
	k.asked.Add(1)
	return nil, from[0] == 1
}

func (k *keeper) Put(name string, _ result.Stamp, _ iter.Seq2[string, []byte]) error {
	k.given = append(k.given, name)
	return nil
}

// TestManyArtifactsAreAskedForAtOnce checks that stamps are computed on several processors, each once, and that the
// artifacts that are made are put in order.
func TestManyArtifactsAreAskedForAtOnce(t *testing.T) {
	need.Cores(t)
	const all = 3*mostAsked + 1
	synctest.Test(t, func(t *testing.T) {
		both := make(chan struct{}) // two of them wait for each other
		var wanted []string
		artifacts := func(yield func(artifact) bool) {
			for i := range all {
				from := func() result.Stamp {
					switch i {
					case 0:
						<-both
					case 1:
						close(both)
					}
					return result.Stamp{byte(i % 2)}
				}
				name := strconv.Itoa(i)
				if i%2 == 0 {
					wanted = append(wanted, name)
				}
				if !yield(artifact{name, from, func() ([]file, error) { return nil, nil }}) {
					return
				}
			}
		}
		store := &keeper{}
		if err := inOrder(artifacts, store, func() func() { return func() {} }); err != nil {
			t.Fatal(err)
		}
		if store.asked.Load() != all || !slices.Equal(store.given, wanted) {
			t.Errorf("%d of %d were asked for; made were %v", store.asked.Load(), all, store.given)
		}
	})
}
