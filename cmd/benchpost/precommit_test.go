package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// TestPreCommitStopsACommit runs the hooks, as pre-commit installs them from a repository, on a correct site and on one
// with a broken post.
func TestPreCommitStopsACommit(t *testing.T) {
	need.Thorough(t, "pre-commit builds the program")
	need.Command(t, "pre-commit")
	dir := t.TempDir()
	sh := func(script string) (string, error) {
		cmd := exec.Command("bash", "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "PRE_COMMIT_HOME="+filepath.Join(dir, "hooks"), "GIT_CONFIG_NOSYSTEM=1",
			"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
		for _, kept := range []string{"GOMODCACHE", "GOCACHE", "GOFLAGS"} { // else Go downloads and compiles all modules
			value, err := exec.Command("go", "env", kept).Output()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Env = append(cmd.Env, kept+"="+strings.TrimSpace(string(value)))
		}
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	here, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := sh("git clone -q --shared '" + here + "' benchpost && benchpost init site && cd site && benchpost build && git init -q && git add -A"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := sh("cd site && pre-commit try-repo ../benchpost --all-files"); err != nil || strings.Count(out, "Passed") != 2 {
		t.Errorf("a site that is as it should be: %v\n%s", err, out)
	}
	out, err := sh("cd site && echo '`= nothing{model=\"x\"}`' >> content/posts/first-report.en.md && git add -A && pre-commit try-repo ../benchpost --all-files")
	if err == nil || strings.Count(out, "Failed") != 2 || !strings.Contains(out, "content/posts/first-report.en.md:") {
		t.Errorf("a broken post: %v\n%s", err, out)
	}
}
