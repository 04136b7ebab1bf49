//go:build linux

package killer

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const folder = "BENCHPOST_KILLER_FOLDER"

// TestMain is also the program that is killed: it writes two files.
func TestMain(m *testing.M) {
	dir := os.Getenv(folder)
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

// A program is killed before the call of a number and not after it, and else ends as it does.
func TestRun(t *testing.T) {
	t.Parallel()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for number, want := range [][]string{{"a=a", "b=b"}, {}, {"a="}, {"a=a"}, {"a=a", "b="}, {"a=a", "b=b"}} {
		dir := t.TempDir()
		calls, code, _ := Run(t, Program{Path: exe, Env: []string{folder + "=" + dir}}, number)
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
