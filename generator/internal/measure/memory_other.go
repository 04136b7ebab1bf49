//go:build !unix

package main

import "os"

// mostMemory returns 0: the system does not report it.
func mostMemory(*os.ProcessState) int64 { return 0 }
