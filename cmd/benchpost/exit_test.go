package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

// TestExitCodes checks the contract of exit codes: 0 fine, 1 a problem was found, 2 wrong usage or configuration.
// Output for people is on stderr, data on stdout.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	benchpost := func(args ...string) (code int, stdout, stderr string) {
		var out, err bytes.Buffer
		code = cli.Run(context.Background(), args, strings.NewReader(""), &out, &err)
		return code, out.String(), err.String()
	}
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	site := func(name string) string {
		dir := filepath.Join(t.TempDir(), name)
		if code, _, stderr := benchpost("init", dir); code != 0 {
			t.Fatal(stderr)
		}
		return dir
	}
	sound, brokenRun, brokenPost, brokenConfig := site("sound"), site("run"), site("post"), site("config")
	write(filepath.Join(brokenRun, "runs", "example", "run.toml"), "x = ")
	write(filepath.Join(brokenPost, "content", "posts", "x.en.md"), "no front matter")
	write(filepath.Join(brokenConfig, "site.toml"), "titel = 'x'")
	for _, c := range []struct {
		args string
		code int
		data bool // something on stdout
		say  bool // something on stderr
	}{
		{"build --site " + sound, 0, false, true},
		{"build --quiet --site " + sound, 0, false, false},
		{"results --site " + sound, 0, true, false},
		{"results --format json " + filepath.Join(sound, "runs"), 0, true, false},
		{"check --site " + sound, 0, false, true},
		{"check --quiet --format json --site " + sound, 0, true, false},
		{"help build", 0, true, false},
		{"version", 0, true, false},

		{"init " + sound, 1, false, true},
		{"build --site " + brokenRun, 1, false, true},
		{"build --quiet --site " + brokenRun, 1, false, true},
		{"check --site " + brokenRun, 1, true, true},
		{"results --site " + brokenRun, 1, true, true},
		{"build --site " + brokenPost, 1, false, true},
		{"check --quiet --site " + brokenPost, 1, true, false},

		{"build --site " + brokenConfig, 2, false, true},
		{"check --site " + brokenConfig, 2, true, true},
		{"results --site " + brokenConfig, 2, false, true},
		{"build --site " + filepath.Join(sound, "nowhere"), 2, false, true},
		{"build --site " + filepath.Join(sound, "runs"), 2, false, true},
		{"build extra", 2, false, true},
		{"results --where {a=b} --site " + sound, 2, false, true},
		{"results --where load --site " + sound, 2, false, true},
		{"results --format xml --site " + sound, 2, false, true},
		{"results " + filepath.Join(sound, "nowhere"), 2, false, true},
		{"import", 2, false, true},
		{"help nothing", 2, false, true},
		{"biuld", 2, false, true},
		{"", 2, false, true},
	} {
		code, stdout, stderr := benchpost(strings.Fields(c.args)...)
		if code != c.code || (stdout != "") != c.data || (stderr != "") != c.say {
			t.Errorf("benchpost %s: exit %d, want %d\nstdout: %s\nstderr: %s", c.args, code, c.code, stdout, stderr)
		}
	}
}
