package cache

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/benchpost/benchpost/generator/filemark"
)

// stat adds path and mark of a file, which it returns.
func stat(w io.Writer, name string) filemark.Mark {
	m := filemark.At(name)
	fmt.Fprintf(w, "%q %v\n", name, m)
	return m
}

// statAll adds path and mark of many files, which are looked at on all cores, and returns when
// the last of them was changed.
func statAll(h hash.Hash, names []string) (youngest int64) {
	const atOnce = 1024
	chunks := slices.Collect(slices.Chunk(names, atOnce))
	sums, last := make([][]byte, len(chunks)), make([]int64, len(chunks))
	var wg sync.WaitGroup
	busy := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, some := range chunks {
		busy <- struct{}{}
		wg.Go(func() {
			h := sha256.New()
			w := bufio.NewWriter(h)
			for _, name := range some {
				m := stat(w, name)
				last[i] = max(last[i], m.Time, m.Changed)
			}
			w.Flush()
			sums[i] = h.Sum(nil)
			<-busy
		})
	}
	wg.Wait()
	for i, sum := range sums {
		h.Write(sum)
		youngest = max(youngest, last[i])
	}
	return youngest
}
