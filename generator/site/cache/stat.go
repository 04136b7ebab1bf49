package cache

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
)

// stat adds path, size and time of a file.
func stat(w io.Writer, name string) {
	info, err := os.Stat(name)
	if err != nil {
		fmt.Fprintf(w, "%q -\n", name)
		return
	}
	fmt.Fprintf(w, "%q %d %d\n", name, info.Size(), info.ModTime().UnixNano())
}

// statAll adds path, size and time of many files, which are looked at on all cores.
func statAll(h hash.Hash, names []string) {
	const atOnce = 1024
	chunks := slices.Collect(slices.Chunk(names, atOnce))
	sums := make([][]byte, len(chunks))
	var wg sync.WaitGroup
	busy := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, some := range chunks {
		busy <- struct{}{}
		wg.Go(func() {
			h := sha256.New()
			w := bufio.NewWriter(h)
			for _, name := range some {
				stat(w, name)
			}
			w.Flush()
			sums[i] = h.Sum(nil)
			<-busy
		})
	}
	wg.Wait()
	for _, sum := range sums {
		h.Write(sum)
	}
}
