//go:build linux

package killer_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
	"github.com/benchpost/benchpost/generator/internal/killer"
)

// Environment variables that turn this test into another program: one that writes two files to a folder, or
// benchpost.
const (
	twoFiles    = "BENCHPOST_KILLER_FOLDER"
	asBenchpost = "BENCHPOST_KILLER_BENCHPOST"
)

// TestMain also runs the programs that are killed.
func TestMain(m *testing.M) {
	if os.Getenv(asBenchpost) != "" {
		os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	dir := os.Getenv(twoFiles)
	if dir == "" {
		os.Exit(m.Run())
	}
	for _, name := range []string{"a", "b"} {
		if os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644) != nil {
			os.Exit(2)
		}
	}
	os.Exit(7)
}

// TestRun: a program is killed before the call with the given number, not after it. Without a kill it ends
// normally.
func TestRun(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range [][]string{{"a=a", "b=b"}, {}, {"a="}, {"a=a"}, {"a=a", "b="}, {"a=a", "b=b"}} {
		dir := t.TempDir()
		calls, code, _ := killer.Run(t, killer.Program{Path: exe, Env: []string{twoFiles + "=" + dir}}, number)
		all := []string{"openat " + dir + "/a", "write " + dir + "/a", "openat " + dir + "/b", "write " + dir + "/b"}
		if killed := number > 0 && number <= len(all); killed != (code == -1) || !killed && code != 7 {
			t.Errorf("%d: code %d", number, code)
		} else if killed {
			all = all[:number]
		}
		if !slices.Equal(calls, all) {
			t.Errorf("%d: %q, not %q", number, calls, all)
		}
		got := []string{}
		for _, name := range []string{"a", "b"} {
			if data, err := os.ReadFile(filepath.Join(dir, name)); err == nil {
				got = append(got, name+"="+string(data))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d: there is %q, not %q", number, got, want)
		}
	}
}
