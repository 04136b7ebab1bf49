// Package repository creates git repositories for tests.
package repository

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
)

// Repository is a folder with a git repository.
type Repository struct {
	Dir string

	t   testing.TB
	git string
	day int
	env []string // environment of git, in addition to that of the test
}

// Main runs the tests of a package without the git configuration of the machine and of its user. Git uses an
// author and a committer for tests instead. This also applies to all programs that the tests start. Call it in
// TestMain:
//
//	func TestMain(m *testing.M) { os.Exit(repository.Main(m)) }
func Main(m *testing.M) int {
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	for name, value := range alone(home) {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// Alone does what [Main] does for a single test. The test must not run in parallel.
func Alone(t testing.TB) {
	t.Helper()
	for name, value := range alone(t.TempDir()) {
		t.Setenv(name, value)
	}
}

func alone(home string) map[string]string {
	return map[string]string{
		// No fsync: a test's repository need not survive a power failure.
		"GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "core.fsync", "GIT_CONFIG_VALUE_0": "none", "GIT_CONFIG_KEY_1": "gc.auto", "GIT_CONFIG_VALUE_1": "0",
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": home, "XDG_CONFIG_HOME": "",
		"GIT_AUTHOR_NAME": "A U Thor", "GIT_AUTHOR_EMAIL": "author@example.com", "GIT_COMMITTER_NAME": "C O Mitter", "GIT_COMMITTER_EMAIL": "committer@example.com",
	}
}

// New creates an empty repository with the branch main.
func New(t testing.TB) *Repository {
	t.Helper()
	if os.Getenv("GIT_AUTHOR_EMAIL") != "author@example.com" {
		Alone(t)
	}
	r := In(t, t.TempDir())
	r.Git("init", "-q", "-b", "main")
	return r
}

// In returns the existing repository of a folder.
func In(t testing.TB, dir string) *Repository {
	t.Helper()
	return &Repository{Dir: dir, t: t, git: need.Command(t, "git")}
}

// Git runs git in the folder and returns its output without the final newline.
func (r *Repository) Git(args ...string) string {
	r.t.Helper()
	return r.Feed("", args...)
}

// Try does what [Repository.Git] does, but returns an error if git fails.
func (r *Repository) Try(args ...string) (string, error) { return r.run("", args...) }

// Feed does what [Repository.Git] does, with a standard input.
func (r *Repository) Feed(in string, args ...string) string {
	r.t.Helper()
	out, err := r.run(in, args...)
	if err != nil {
		r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (r *Repository) run(in string, args ...string) (string, error) {
	cmd := exec.Command(r.git, append([]string{"-C", r.Dir, "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Env = append(cmd.Environ(), r.env...)
	cmd.Stdin = strings.NewReader(in)
	out, err := cmd.CombinedOutput()
	return strings.TrimSuffix(string(out), "\n"), err
}

// Write writes files.
func (r *Repository) Write(files map[string]string) {
	r.t.Helper()
	folder.Write(r.t, r.Dir, files)
}

// Commit writes files and commits all changes. Commits are dated one day apart at noon, from 2026-01-01 on. It
// returns the id of the commit.
func (r *Repository) Commit(subject string, files map[string]string) string {
	r.t.Helper()
	r.Write(files)
	r.Git("add", "-A")
	r.Dated("commit", "-q", "--allow-empty", "-m", subject)
	return r.Git("rev-parse", "HEAD")
}

// Dated does what [Repository.Git] does, with dates on the next day.
func (r *Repository) Dated(args ...string) {
	r.t.Helper()
	r.day++
	date := time.Date(2026, 1, r.day, 12, 0, 0, 0, time.UTC).Format(time.RFC3339)
	r.env = []string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}
	defer func() { r.env = nil }()
	r.Git(args...)
}

// Clone clones the repository with additional options.
func (r *Repository) Clone(args ...string) *Repository {
	r.t.Helper()
	dir := filepath.Join(r.t.TempDir(), "clone")
	r.Git(append(append([]string{"clone", "-q"}, args...), "file://"+filepath.ToSlash(r.Dir), dir)...)
	return In(r.t, dir)
}
