// Package memory sets how often a command collects garbage, depending on the memory it uses and on that of the machine.
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

// Pace sets how often a command that keeps a whole site in memory collects garbage: rarely while the heap is small, and
// often when it is large. Garbage may take at most most per cent of the live heap. As memory nears half of the
// machine's, the command collects more often. This limit is soft: the command still gets the memory it needs. The
// environment variables GOGC and GOMEMLIMIT override these settings.
func Pace(most int) {
	half := ofMachine(os.DirFS("/")) / 2
	ownPercent, ownLimit := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	if !ownLimit { // GOMEMLIMIT may be off
		most = Lasting
	}
	if ownPercent {
		debug.SetGCPercent(most)
	}
	switch {
	case ownPercent && ownLimit:
		pace(half)
	case ownLimit:
		debug.SetMemoryLimit(half)
	}
}

// Limits of the garbage of a command, in per cent of its live heap.
const (
	Lasting = 250
	Brief   = -1 // only the limit of pace: for a command that reads and writes once and keeps most of what it allocates
)

// Memory may always grow to low. For each live byte beyond little, the limit grows by one and a half bytes, and beyond
// much by two. This includes the overhead of the heap, which is up to two fifths of the objects in it. Without that, a
// command with a live heap of 300 MB collected all the time.
const (
	low    = 250 << 20 // bytes, as below
	little = 156 << 20
	much   = 220 << 20
)

// pace limits memory, and sets the limit again after each collection, depending on the live heap. A limit counts all
// memory that was not returned to the system. A percentage only counts garbage: with it, more than half as much memory
// again was kept.
func pace(half int64) {
	limit := limitOf(0, half)
	debug.SetMemoryLimit(limit)
	var again func(int64)
	again = func(was int64) {
		held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(held)
		now := limitOf(int64(held[0].Value.Uint64()), half)
		if now != was { // setting it stops the program for a moment
			debug.SetMemoryLimit(now)
		}
		runtime.AddCleanup(new([64]byte), again, now)
	}
	runtime.AddCleanup(new([64]byte), again, limit)
}

// limitOf returns how much memory a command with a live heap of held bytes may take, in steps of four megabytes. half
// is half of the machine's memory.
func limitOf(held, half int64) int64 {
	const step = 4 << 20
	return min(low+(max(0, held-little)*3/2+max(0, held-much)/2)/step*step, half)
}

// ofMachine returns the bytes of memory of this machine or container, or math.MaxInt64 if the system does not report
// it.
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
