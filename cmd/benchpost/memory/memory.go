// Package memory decides when a command collects garbage, by the memory it holds and that of the machine.
package memory

import (
	"io/fs"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
)

// Pace has a command that holds a whole site collect garbage by what it holds: seldom while that is little,
// which costs room at most, and often when it is much. As its memory nears half of the machine's, it collects more
// often; that limit is soft: what is needed is taken. GOGC and GOMEMLIMIT choose otherwise.
func Pace() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(ofMachine(os.DirFS("/")) / 2)
	}
	if os.Getenv("GOGC") == "" {
		pace(most)
	}
}

// Garbage may take room beside what is held, at most and at least some per cent of that.
const (
	room  = 96 << 20 // bytes
	most  = 400      // per cent
	least = 40
)

// pace sets how much garbage may be made until the next collection, and after that collection how much
// until the one after it.
func pace(percent int) {
	debug.SetGCPercent(percent)
	var again func(int)
	again = func(was int) {
		held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(held)
		now := percentOf(held[0].Value.Uint64())
		if now != was { // everything waits while it is set
			debug.SetGCPercent(now)
		}
		runtime.AddCleanup(new([64]byte), again, now)
	}
	runtime.AddCleanup(new([64]byte), again, percent)
}

// percentOf returns by how many per cent the memory of a command that holds some bytes may grow, in steps of ten.
func percentOf(held uint64) int {
	return int(min(max(10*room/max(held, 1)*10, least), most))
}

// ofMachine returns how many bytes of memory this machine or container has,
// math.MaxInt64 where the system does not say.
func ofMachine(root fs.FS) int64 {
	least := int64(math.MaxInt64)
	for file, unit := range map[string]int64{"sys/fs/cgroup/memory.max": 1, "proc/meminfo": 1 << 10} {
		data, err := fs.ReadFile(root, file)
		if err != nil {
			continue
		}
		words := strings.Fields(strings.TrimPrefix(string(data), "MemTotal:"))
		if len(words) == 0 {
			continue
		}
		if n, err := strconv.ParseInt(words[0], 10, 64); err == nil && n > 0 && n <= math.MaxInt64/unit {
			least = min(least, n*unit)
		}
	}
	return least
}
