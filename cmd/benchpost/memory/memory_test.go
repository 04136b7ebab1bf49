package memory

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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

func TestPercentOf(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	for held, want := range map[uint64]int{0: 400, 1 * mb: 400, 24 * mb: 400, 48 * mb: 200, 96 * mb: 100, 192 * mb: 50, 1 << 40: 40} {
		if got := percentOf(held); got != want {
			t.Errorf("%d MB: %d %%, want %d", held/mb, got, want)
		}
	}
}

// However much is held, a collection sets what comes until the next.
func TestPace(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	pace(most)
	held := make([]byte, 128<<20)
	for try := 0; try < 100 && percentNow() == most; try++ {
		runtime.GC()
		runtime.Gosched()
	}
	runtime.KeepAlive(held)
	if got := percentNow(); got >= most {
		t.Errorf("%d %% while 128 MB are held", got)
	}
}

func percentNow() int {
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(percent)
	return int(percent[0].Value.Uint64())
}
