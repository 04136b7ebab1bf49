//go:build !linux

// Package killer runs a program and kills it before one of the calls by which it changes
// files. It can do so on Linux alone.
package killer

import (
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// Program is what is run.
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
