package archive

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/killer"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/rawfile"
	"github.com/benchpost/benchpost/generator/redact"
)

// childSite is the variable with the site that this test binary archives in a process of its own. childStep is the
// number of the step before which that process kills itself, counted from 1; 0 means never.
const (
	childSite = "BENCHPOST_ARCHIVE_SITE"
	childStep = "BENCHPOST_ARCHIVE_STEP"
)

func TestMain(m *testing.M) {
	dir := os.Getenv(childSite)
	if dir == "" {
		os.Exit(repository.Main(m))
	}
	deadly, _ := strconv.Atoi(os.Getenv(childStep))
	n := 0
	at = func(step string) {
		if deadly == 0 {
			fmt.Println("step:", step)
		}
		if n++; n == deadly {
			self, _ := os.FindProcess(os.Getpid())
			_ = self.Kill()
			select {}
		}
	}
	redactor, err := redact.New(redact.Options{Key: []byte("a key of a test")})
	if err == nil {
		_, _, err = archive(Options{Dir: dir, Redactor: redactor, By: "benchpost v1", Now: now})
	}
	if err != nil {
		fmt.Println(err, detailsOf(err))
		os.Exit(1)
	}
}

// child archives a site in a process of its own.
func child(t testing.TB, dir string, step int) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childSite+"="+dir, childStep+"="+strconv.Itoa(step))
	return cmd
}

// small returns the runs of a small site that covers everything done to a file.
func small() map[string]string {
	return map[string]string{
		"runs/a/keep.log":  run("m", 1, 10),
		"runs/a/token.log": "token " + token + "\n" + run("m", 2, 20),
		"runs/b/large.log": "token " + token + "\n" + strings.Repeat("a line of a log\n", 600) + run("m", 4, 40),
		"runs/b/plain.log": strings.Repeat("another line of a log\n", 600) + run("m", 8, 80),
	}
}

func smallSite(t testing.TB) *repository.Repository {
	t.Helper()
	r := repository.New(t)
	r.Commit("Site", map[string]string{"site.toml": siteTOML, ".gitattributes": sound()[".gitattributes"], "other": "1"})
	r.Write(small())
	r.Write(map[string]string{"other": "2"})
	r.Git("add", "other")
	return r
}

// nothingIsLost checks what must hold after a process was killed at any time: each run exists in its old or new form,
// and git is consistent.
func nothingIsLost(t *testing.T, r *repository.Repository, becomes map[string]string) {
	t.Helper()
	for name, text := range small() {
		found := false
		places, err := filepath.Glob(filepath.Join(r.Dir, ".benchpost", "originals", "*", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, place := range append(places, filepath.Join(r.Dir, name)) {
			data, err := os.ReadFile(place)
			found = found || err == nil && string(data) == text
		}
		if f, err := rawfile.Open(filepath.Join(r.Dir, name+rawfile.Ending)); !found && err == nil {
			data, err := io.ReadAll(f)
			f.Close()
			found = err == nil && string(data) == text
		}
		if !found {
			t.Errorf("%s is lost", name)
		}
		if _, err := os.Stat(filepath.Join(r.Dir, name)); err == nil {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(r.Dir, name+rawfile.Ending)); err != nil || string(data) != becomes[name+rawfile.Ending] {
			t.Errorf("neither %s nor its compressed form is in place", name)
		}
	}
	if out, err := r.Try("fsck", "--no-dangling", "--no-progress"); err != nil {
		t.Error(out)
	}
	if staged := r.Git("diff", "--cached", "--name-only", "--", "other"); staged != "other" {
		t.Error("what was staged is not any more")
	}
}

// goesOn archives after a process was killed, and compares the result with that of an undisturbed one.
func goesOn(t *testing.T, r *repository.Repository, tree string) {
	t.Helper()
	opt := options(t, r.Dir)
	_, _, err := archive(opt)
	var moved *git.MovedError
	for range 3 { // a git process may have survived the kill and just finished
		if !errors.As(err, &moved) {
			break
		}
		_, _, err = archive(opt)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, detailsOf(err))
		return
	}
	if got := r.Git("rev-parse", "HEAD^{tree}"); got != tree {
		t.Errorf("the end is another:\n%s", r.Git("diff", "--stat", tree, got))
	}
	if status := r.Git("status", "--porcelain"); status != "M  other" {
		t.Errorf("status\n%s", status)
	}
	if n := r.Git("rev-list", "--count", "HEAD"); n != "2" {
		t.Errorf("%s commits", n)
	}
}

// TestKilled checks that a process killed before one of its steps loses nothing, and that the next one completes its
// work with the same commit.
func TestKilled(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	for _, name := range []string{"before the journal", "step 1", "kept runs/a/token.log", "removed runs/b/large.log", "before the journal goes", "before the commit"} {
		step := slices.Index(m.steps, name) + 1
		if step == 0 {
			t.Fatalf("%s is not among the steps: %q", name, m.steps)
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.killedBefore(t, step)
		})
	}
}

// TestKilledAtAnyPoint does what [TestKilled] does for all steps, and for the calls with which the process itself
// changes files.
func TestKilledAtAnyPoint(t *testing.T) {
	need.Thorough(t, "it starts hundreds of processes")
	m := newMatrix(t)
	for i, name := range m.steps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m.killedBefore(t, i+1)
		})
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	archives := func(t *testing.T, r *repository.Repository, number int) (calls []string, code int) {
		calls, code, _ = killer.Run(t, killer.Program{Path: exe, Env: []string{childSite + "=" + r.Dir, childStep + "=0"}}, number)
		return calls, code
	}
	calls, code := archives(t, m.again(t), 0)
	if code != 0 {
		t.Fatalf("code %d", code)
	}
	for _, number := range killer.Points(calls) {
		t.Run(fmt.Sprint("call ", number), func(t *testing.T) {
			t.Parallel()
			r := m.again(t)
			calls, _ := archives(t, r, number)
			t.Logf("killed before %s", calls[len(calls)-1])
			nothingIsLost(t, r, m.becomes)
			goesOn(t, r, m.tree)
		})
	}
}

// matrix is a site that can be archived repeatedly, and the result of archiving it without a disturbance.
type matrix struct {
	template map[string][]byte // files of the site before
	steps    []string          // names of the steps of archiving
	becomes  map[string]string // files of the site after, by path
	tree     string            // id of the committed tree
}

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	r := smallSite(t)
	m := &matrix{template: folder.Read(t, r.Dir), becomes: map[string]string{}}
	out, err := child(t, r.Dir, 0).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "step: "); ok {
			m.steps = append(m.steps, name)
		}
	}
	if err != nil || len(m.steps) < 20 {
		t.Fatalf("%v: %s", err, out)
	}
	m.tree = r.Git("rev-parse", "HEAD^{tree}")
	for name, data := range folder.Read(t, r.Dir) {
		m.becomes[name] = string(data)
	}
	return m
}

// again creates the site in its initial state.
func (m *matrix) again(t *testing.T) *repository.Repository {
	t.Helper()
	dir := t.TempDir()
	for name, data := range m.template {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, data, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return repository.In(t, dir)
}

// killedBefore kills a process before the step with that number, counted from 1.
func (m *matrix) killedBefore(t *testing.T, step int) {
	t.Helper()
	r := m.again(t)
	if out, err := child(t, r.Dir, step).CombinedOutput(); err == nil {
		t.Fatalf("lived: %s", out)
	}
	nothingIsLost(t, r, m.becomes)
	goesOn(t, r, m.tree)
}

// TestTwoAtOnce checks that the second of two archives waits, and then has nothing to do.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	r := smallSite(t)
	var done [3]bytes.Buffer
	var all []*exec.Cmd
	for i := range done {
		cmd := child(t, r.Dir, 0)
		cmd.Stdout = &done[i]
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all = append(all, cmd)
	}
	for i, cmd := range all {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, done[i].String())
		}
	}
	if n := r.Git("rev-list", "--count", "HEAD"); n != "2" {
		t.Errorf("%s commits", n)
	}
	if status := r.Git("status", "--porcelain"); status != "M  other" {
		t.Errorf("status\n%s", status)
	}
}

// TestChangedMeanwhile checks that a file changed during archiving is not replaced, and that the change is kept.
func TestChangedMeanwhile(t *testing.T) {
	t.Parallel()
	r := smallSite(t)
	p, err := Prepare(context.Background(), options(t, r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	written := small()["runs/a/token.log"] + "more\n"
	r.Write(map[string]string{"runs/a/token.log": written})
	_, err = p.Apply(context.Background())
	p.Close()
	var no *Refusal
	if !errors.As(err, &no) || !slices.Contains(no.Details, "runs/a/token.log was changed meanwhile") {
		t.Errorf("%v %s", err, detailsOf(err))
	}
	if read(t, r.Dir, "runs/a/token.log") != written || r.Git("rev-list", "--count", "HEAD") != "1" {
		t.Error("the file was replaced, or there is a commit")
	}
	mustArchive(t, options(t, r.Dir))
	if text := read(t, r.Dir, "runs/a/token.log"); !strings.HasSuffix(text, "more\n") || strings.Contains(text, token) {
		t.Error(text)
	}
}
