package judge

import (
	"path/filepath"
	"runtime"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// TestWhatAResultHolds limits the memory of a judged result, because a site keeps all its results in memory.
// Results share their texts. The limit is that of a vLLM log, rounded up.
func TestWhatAResultHolds(t *testing.T) {
	need.Allocations(t)
	const limit = 2_000
	held := func(posts int) (bytes, results int) {
		dir := t.TempDir()
		if err := invent.Campaigns(dir, posts); err != nil {
			t.Fatal(err)
		}
		before := heap()
		judged := judgedRuns(t, dir)
		bytes, results = heap()-before, len(judged)
		runtime.KeepAlive(judged)
		return bytes, results
	}
	held(2) // memory that the program keeps from its first result on
	few, fewer := held(5)
	many, more := held(25)
	each := (many - few) / (more - fewer)
	t.Logf("%d bytes", each)
	if each > limit {
		t.Errorf("a result holds %d bytes, more than %d", each, limit)
	}
}

func judgedRuns(t *testing.T, dir string) []*result.Result {
	set, err := rundir.Load(filepath.Join(dir, "runs"), rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	results := make([]*result.Result, len(set.Results))
	for i, r := range set.Results {
		results[i] = &r
	}
	All(&config.Config{}, results)
	return results
}

// heap returns the number of reachable bytes.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // frees what the first one ran finalizers for
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
