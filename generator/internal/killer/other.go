//go:build !linux

// Package killer runs a program and kills it before one of the system calls that change files. It works only on
// Linux.
package killer

import (
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// Program is the program to run.
type Program struct {
	Path string
	Args []string
	Dir  string
	Env  []string
}

// Run skips the test.
func Run(t testing.TB, p Program, number int) (calls []string, code int, output string) {
	t.Helper()
	need.System(t, "programs are traced on Linux alone", "linux")
	return nil, 0, ""
}
