//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// mostMemory returns the peak memory of a finished process in bytes, 0 if the system does not report it.
func mostMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss)
	}
	return int64(usage.Maxrss) << 10
}
