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
// which costs room at most, and often when it is much. Garbage may take at most so many per cent of what is held. As
// memory nears half of the machine's, a command collects more often; that limit is soft: what is needed is taken.
// GOGC and GOMEMLIMIT choose otherwise.
func Pace(most int) {
	half := ofMachine(os.DirFS("/")) / 2
	ownPercent, ownLimit := os.Getenv("GOGC") == "", os.Getenv("GOMEMLIMIT") == ""
	if !ownLimit { // which may be none
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

// How much garbage a command may have, in per cent of what it holds.
const (
	Lasting = 250
	Brief   = -1 // of one that reads and writes once, and holds most of what it makes: as much as brings memory to low
)

// Garbage may in any case take as much as brings memory to low. For each byte that is
// held beyond little, memory may grow by one and a half, and beyond much by two. A part of that is what the heap takes
// beside the objects in it, up to two fifths of them: where it was left out, a command that held 300 MB collected all the
// time.
const (
	low    = 250 << 20 // bytes, as the others
	little = 156 << 20
	much   = 220 << 20
)

// pace limits memory, and after each collection anew by what is then held. A limit counts all memory that is not given
// back to the system; the garbage that a percentage allows does not, and more than half as much again was kept.
func pace(half int64) {
	limit := limitOf(0, half)
	debug.SetMemoryLimit(limit)
	var again func(int64)
	again = func(was int64) {
		held := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(held)
		now := limitOf(int64(held[0].Value.Uint64()), half)
		if now != was { // everything waits while it is set
			debug.SetMemoryLimit(now)
		}
		runtime.AddCleanup(new([64]byte), again, now)
	}
	runtime.AddCleanup(new([64]byte), again, limit)
}

// limitOf returns how much memory a command that holds some bytes may take, in steps of four megabytes; half is that of
// the machine.
func limitOf(held, half int64) int64 {
	const step = 4 << 20
	return min(low+(max(0, held-little)*3/2+max(0, held-much)/2)/step*step, half)
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
