//go:build linux

package killer_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/killer"
	"github.com/benchpost/benchpost/generator/need"
)

// killed describes a command that is killed before each of its calls that change a file.
type killed struct {
	site    map[string]string // the site at the beginning
	first   []string          // a command that is run first; nil for none
	becomes map[string]string // the site after that command; nil if it does not change
	args    []string
	check   func(t *testing.T, dir string) // called after each kill
	then    []string                       // the command that continues
	end     func(t *testing.T, dir string) // called after that command, and after a run without a kill
}

// run kills the command before every call in the thorough run, otherwise before some calls.
func (k *killed) run(t *testing.T) {
	t.Helper()
	program := program(t)
	template := t.TempDir()
	folder.Write(t, template, k.site)
	if k.first != nil {
		mustRun(t, program, template, k.first...)
		for name := range k.site {
			if err := os.Remove(filepath.Join(template, filepath.FromSlash(name))); err != nil {
				t.Fatal(err)
			}
		}
		folder.Write(t, template, k.becomes)
	}
	again := func() string {
		dir := t.TempDir()
		if out, err := exec.Command("cp", "-a", template+"/.", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return dir
	}
	dir := again()
	calls, code, out := killer.Run(t, killer.Program{Path: program, Args: k.args, Dir: dir, Env: []string{asBenchpost + "=1"}}, 0)
	if code != 0 || len(calls) == 0 {
		t.Fatalf("code %d: %s", code, out)
	}
	k.end(t, dir)
	points := killer.Points(calls)
	every := max(1, len(points)/need.Times(8, len(points)))
	for i := 0; i < len(points); i += every {
		number := points[i]
		t.Run(fmt.Sprint(number), func(t *testing.T) {
			t.Parallel()
			dir := again()
			calls, code, out := killer.Run(t, killer.Program{Path: program, Args: k.args, Dir: dir, Env: []string{asBenchpost + "=1"}}, number)
			if code > 0 {
				t.Fatalf("code %d: %s", code, out)
			}
			t.Logf("killed before %s", calls[len(calls)-1])
			k.check(t, dir)
			mustRun(t, program, dir, k.then...)
			k.end(t, dir)
		})
	}
}

// program returns benchpost as an executable: this test with [asBenchpost] in its environment.
func program(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}

func mustRun(t *testing.T, program, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asBenchpost+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
}

const (
	killedSite = "title = \"Site\"\nlanguages = [\"en\"]\n"
	killedPost = "+++\ntitle = \"Post\"\ndate = 2020-01-01\n+++\n\nIt is `= output_throughput{model=\"M\"}`.\n\n```benchpost chart a\nkind = \"bars\"\nvalue = \"output_throughput\"\n```\n"
)

// killedRun returns a run of a model.
func killedRun(model, rate string) map[string]string {
	return map[string]string{
		"runs/" + model + "/run.toml": "model = \"" + model + "\"\n",
		"runs/" + model + "/run.log": "============ Serving Benchmark Result ============\nSuccessful requests: 10\nOutput token throughput (tok/s): " + rate +
			"\n==================================================\n",
	}
}

// site returns a site with a post about some runs.
func site(runs ...map[string]string) map[string]string {
	all := map[string]string{"site.toml": "title = \"Site\"\nlanguages = [\"en\"]\n", "content/posts/post.en.md": killedPost}
	for _, r := range runs {
		maps.Copy(all, r)
	}
	return all
}

// public returns the output of a clean build of a site.
func public(t *testing.T, site map[string]string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	folder.Write(t, dir, site)
	mustRun(t, program(t), dir, "build")
	return folder.Read(t, filepath.Join(dir, "public"))
}

func same(a, b map[string][]byte) bool { return maps.EqualFunc(a, b, bytes.Equal) }

// onlyHas checks that a folder contains only the given names.
func onlyHas(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) {
			t.Errorf("%s is left", e.Name())
		}
	}
}

// TestBuildKilled: a killed build leaves the old site or the new one, and the next build completes the new one.
func TestBuildKilled(t *testing.T) {
	t.Parallel()
	old, changed := site(killedRun("M", "10.00"), killedRun("gone", "5.00")), site(killedRun("M", "20.00"), killedRun("new", "7.00"))
	was, is := public(t, old), public(t, changed)
	whole := func(t *testing.T, dir string) {
		t.Helper()
		if got := folder.Read(t, filepath.Join(dir, "public")); !same(got, was) && !same(got, is) {
			t.Error("public is a mixture")
		}
		onlyHas(t, dir, "site.toml", "runs", "content", "public", ".benchpost")
	}
	done := func(t *testing.T, dir string) {
		t.Helper()
		if got := folder.Read(t, filepath.Join(dir, "public")); !same(got, is) {
			t.Error("public is not what a clean build makes")
		}
		onlyHas(t, filepath.Join(dir, ".benchpost"), ".gitignore", "build.json", "cache", "charts", "files", "ledger", "lock", "past", "posts", "publish", "readings", "sums")
		onlyHas(t, filepath.Join(dir, ".benchpost", "publish"), "marks", "tree")
	}
	t.Run("first", func(t *testing.T) {
		t.Parallel()
		k := killed{site: changed, args: []string{"build"}, then: []string{"build"}, end: done, check: func(t *testing.T, dir string) {
			if _, err := os.Stat(filepath.Join(dir, "public")); err == nil {
				whole(t, dir)
			}
		}}
		k.run(t)
	})
	t.Run("next", func(t *testing.T) {
		t.Parallel()
		k := killed{site: old, first: []string{"build"}, becomes: changed, args: []string{"build"}, then: []string{"build"}, end: done, check: whole}
		k.run(t)
	})
}

// TestImportKilled: a killed import leaves all of its runs or none, and the next one completes it.
func TestImportKilled(t *testing.T) {
	t.Parallel()
	notes := "# Notes\n"
	for i, model := range []string{"Qwen3-8B", "Qwen3-4B", "Qwen3-32B"} {
		notes += "## " + model + "\n```\n" + killedRun("M", fmt.Sprintf("%d.00", 10+i))["runs/M/run.log"] + "```\n"
	}
	before := map[string]string{"site.toml": killedSite, "notes.md": notes, "runs/own.txt": ""}
	var want map[string][]byte
	k := killed{site: before, args: []string{"import", "notes.md"}, then: []string{"import", "notes.md"}}
	k.end = func(t *testing.T, dir string) {
		t.Helper()
		got := folder.Read(t, filepath.Join(dir, "runs"))
		if want == nil {
			want = got
		}
		if !same(got, want) || len(got) < 5 {
			t.Errorf("there is %v", slices.Sorted(maps.Keys(got)))
		}
	}
	k.check = func(t *testing.T, dir string) {
		t.Helper()
		if _, err := os.Stat(filepath.Join(dir, "runs", "notes")); err == nil && len(folder.Read(t, filepath.Join(dir, "runs", "notes"))) != len(want)-1 {
			t.Error("a part of the runs is there")
		}
	}
	k.run(t)
}

// TestInitKilled: a killed init leaves a whole site or none.
func TestInitKilled(t *testing.T) {
	t.Parallel()
	whole := func(t *testing.T, dir string) {
		t.Helper()
		if _, err := os.Stat(filepath.Join(dir, "site")); err != nil {
			mustRun(t, program(t), dir, "init", "site")
		}
		mustRun(t, program(t), filepath.Join(dir, "site"), "build", "--strict")
		onlyHas(t, dir, "site", ".benchpost-stage-site")
	}
	k := killed{site: map[string]string{}, args: []string{"init", "site"}, then: []string{"version"}, check: whole, end: whole}
	k.run(t)
}

// TestRecordKilled: a killed recording keeps the output so far and leaves no invalid record. The site can still
// be built.
func TestRecordKilled(t *testing.T) {
	t.Parallel()
	log := killedRun("M", "10.00")["runs/M/run.log"]
	k := killed{site: map[string]string{"site.toml": killedSite, "table": log}, then: []string{"build"},
		args: []string{"record", "--telemetry", "none", "--name", "x", "--", "cat", "table"}}
	k.check = func(t *testing.T, dir string) {
		t.Helper()
		files, err := filepath.Glob(filepath.Join(dir, "runs", "*", "*", "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			switch filepath.Base(name) {
			case "record.json":
				if !json.Valid(data) {
					t.Errorf("record.json is %q", data)
				}
			case "console.log":
				if !strings.HasPrefix(log, string(data)) {
					t.Errorf("console.log is %q", data)
				}
			}
		}
	}
	k.end = k.check
	k.run(t)
}
