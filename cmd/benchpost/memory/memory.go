// Package memory says how much memory a command may take before garbage is collected more often.
package memory

import (
	"io/fs"
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Limit has a command that holds a whole site collect garbage more often as
// its memory nears half of the machine's. Below that it is as quick as it can be.
// The limit is soft: what is needed is taken. GOMEMLIMIT chooses another one.
func Limit() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(ofMachine(os.DirFS("/")) / 2)
	}
}

// CollectSeldom has a command that reads, writes and ends collect garbage seldom: what it
// reads is nearly all of its memory, and in use. GOGC chooses otherwise.
func CollectSeldom() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	Limit()
}

// CollectOften has a command that goes on for hours collect garbage often: most of its memory is
// in use for long, and what a change needs beside it is little. GOGC chooses otherwise.
func CollectOften() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
	Limit()
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
