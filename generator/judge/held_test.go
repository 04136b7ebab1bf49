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

// A site holds all its results at once, judged, and each shares its texts with the others: the limit is
// what a log of vLLM takes, rounded up.
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
	held(2) // what the program holds from its first result on
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

// heap returns how many bytes are reachable.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // of what the first one had finalizers run for
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
