package cli

import (
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// limitMemory has a command that holds a whole site collect garbage more often as
// its memory nears half of the machine's. Below that it is as quick as it can be.
// The limit is soft: what is needed is taken. GOMEMLIMIT chooses another one.
func limitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(machineMemory(os.DirFS("/")) / 2)
	}
}

// collectSeldom has a command that reads, writes and ends collect garbage seldom: what it
// reads is nearly all of its memory, and in use. GOGC chooses otherwise.
func collectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	limitMemory()
}

// collectOften has a command that goes on for hours collect garbage often: most of its memory is
// in use for long, and what a change needs beside it is little. GOGC chooses otherwise.
func collectOften() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	limitMemory()
}

// machineMemory returns how many bytes of memory this machine or container has,
// math.MaxInt64 where the system does not say.
func machineMemory(root fs.FS) int64 {
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
