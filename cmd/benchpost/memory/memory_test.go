package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"testing/fstest"
)

func TestOfMachine(t *testing.T) {
	t.Parallel()
	const meminfo, cgroup = "proc/meminfo", "sys/fs/cgroup/memory.max"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"unknown":        {nil, math.MaxInt64},
		"machine":        {map[string]string{meminfo: "MemTotal:       16 kB\nMemFree:        8 kB\n"}, 16 << 10},
		"container":      {map[string]string{meminfo: "MemTotal: 16 kB\n", cgroup: "4096\n"}, 4096},
		"open container": {map[string]string{meminfo: "MemTotal: 16 kB\n", cgroup: "max\n"}, 16 << 10},
		"unreadable":     {map[string]string{meminfo: "", cgroup: "-1\n"}, math.MaxInt64},
	} {
		root := fstest.MapFS{}
		for file, text := range c.files {
			root[file] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := ofMachine(root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestLimitOf(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for held, want := range map[int64]int64{0: 250, 156 * mb: 250, 159 * mb: 254, 220 * mb: 346, 240 * mb: 386, 1000 * mb: 1906, 4000 * mb: 4096} {
		if got := limitOf(held, 4096*mb); got != want*mb {
			t.Errorf("%d MB: %d MB, want %d", held/mb, got/mb, want)
		}
	}
}

// TestPace checks that a collection sets the limit for the next one, whatever the size of the live heap.
func TestPace(t *testing.T) {
	const half = 1 << 40
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	pace(half)
	held := make([]byte, 200<<20)
	for try := 0; try < 100 && debug.SetMemoryLimit(-1) < limitOf(int64(len(held)), half); try++ {
		runtime.GC()
		runtime.Gosched()
	}
	if got, want := debug.SetMemoryLimit(-1), limitOf(int64(len(held)), half); got < want {
		t.Errorf("%d MB while 200 are held, want %d", got>>20, want>>20)
	}
	runtime.KeepAlive(held)
}
