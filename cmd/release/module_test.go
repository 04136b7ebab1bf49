package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/need"
)

// clone makes a clone of HEAD, whose programs Go stamps, and returns its folder.
func clone(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "clone")
	if out, err := exec.Command("git", "clone", "--quiet", "--shared", ".", dir).CombinedOutput(); err != nil {
		t.Fatalf("git clone: %v\n%s", err, out)
	}
	return dir
}

// output runs a program in a folder and returns what it prints.
func output(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestGoInstallTakesAVersion: of a tag and of a commit, by the module path alone. Git is configured so that
// the address of the module is a clone, so that Go makes the module's archive as for everybody.
func TestGoInstallTakesAVersion(t *testing.T) {
	need.Thorough(t, "it compiles the program from a module's archive")
	module := output(t, ".", nil, "go", "list", "-m")
	repository, home := clone(t), t.TempDir()
	output(t, repository, nil, "git", "tag", "v0.0.1")
	commit := output(t, repository, nil, "git", "rev-parse", "HEAD")
	env := []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + repository + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + module,
		"GOPRIVATE=" + module, "GOFLAGS=-modcacherw -trimpath", "GOBIN=" + home, "GOMODCACHE=" + filepath.Join(home, "modules"), "CGO_ENABLED=0",
		"GOPROXY=file://" + filepath.ToSlash(output(t, ".", nil, "go", "env", "GOMODCACHE")) + "/cache/download," + output(t, ".", nil, "go", "env", "GOPROXY"),
	}
	for _, version := range []string{"v0.0.1", commit} {
		output(t, home, env, "go", "install", module+"/cmd/benchpost@"+version)
		want := "benchpost v0.0.1 ("
		if got := output(t, home, nil, filepath.Join(home, "benchpost"), "version"); !strings.HasPrefix(got, want) {
			t.Errorf("@%s: the program says %q, want %q", version, got, want)
		}
	}
	site := filepath.Join(home, "site")
	output(t, home, nil, filepath.Join(home, "benchpost"), "init", site)
	output(t, home, nil, filepath.Join(home, "benchpost"), "build", "--site", site)
}

func TestTheModulePathIsReplacedByOneCommand(t *testing.T) {
	need.Thorough(t, "it compiles all packages under another path")
	repository := clone(t)
	old := output(t, repository, nil, "go", "list", "-m")
	const fork = "example.org/fork/of-benchpost"
	output(t, repository, nil, "./.ci/module", fork)
	if got := output(t, repository, nil, "go", "list", "-m"); got != fork {
		t.Errorf("go.mod says %s", got)
	}
	cmd := exec.Command("git", "grep", "-lF", old, "--", ".", ":!public", ":!runs")
	cmd.Dir = repository
	if left, err := cmd.Output(); err == nil || len(left) > 0 {
		t.Errorf("the old path is left in\n%s", left)
	}
}
