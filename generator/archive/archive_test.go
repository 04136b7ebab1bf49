package archive

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/site"
)

// TestArchive checks that finished runs are committed without changing their results: redacted, compressed, listed, and
// with the public that a clone builds. A second call has nothing to do.
func TestArchive(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	p, out := mustArchive(t, options(t, r.Dir))
	isArchived(t, r, r.Dir)
	if head := r.Git("rev-parse", "HEAD"); out.Commit != head || out.Ahead {
		t.Errorf("HEAD is %s, %+v", head, out)
	}
	if got := r.Git("log", "-1", "--format=%s%n%an"); got != "Archive 4 runs: Qwen3-8B, Qwen3-8B-FP4, Qwen3-8B-FP8\nA U Thor" { // only one of three folders names its machine
		t.Error(got)
	}
	body := r.Git("log", "-1", "--format=%b")
	for _, line := range []string{"- Qwen3-8B: 2 runs; best output 82.47 tok/s, TPOT 68.96 ms, TTFT 943.84 ms", "- redacted: ", "- compressed: 1 file, ", "Written by benchpost v1."} {
		if !strings.Contains(body, line) {
			t.Errorf("%q is not in\n%s", line, body)
		}
	}
	if text := read(t, r.Dir, "runs/c/run.log"); strings.Contains(text, token) || !strings.Contains(text, "redacted-huggingface-token") {
		t.Error(text)
	}
	if log := r.Git("log", "--all", "-p", "-S"+token); log != "" {
		t.Error("the token is in git")
	}
	for _, f := range p.Files {
		if len(f.Findings) == 0 {
			continue
		}
		kept, err := filepath.Glob(filepath.Join(r.Dir, ".benchpost", "originals", "*", filepath.FromSlash(f.Was)))
		if err != nil || len(kept) != 1 || read(t, kept[0]) != sound()[f.Was] {
			t.Errorf("the original of %s is not kept: %v", f.Was, kept)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "runs/b/large.log")); err == nil {
		t.Error("large.log stands beside its compressed form")
	}
	for _, name := range []string{"read", "benchpost v1", "2026-03-01"} {
		for file, data := range folder.Read(t, filepath.Join(r.Dir, "public")) {
			if name != "read" && strings.Contains(string(data), name) {
				t.Errorf("%s tells %q", file, name)
			}
		}
	}

	before := snapshot(t, r.Dir)
	opt := options(t, r.Dir)
	opt.Now = now.AddDate(0, 1, 0)
	if _, out := mustArchive(t, opt); !out.Nothing || out.Commit != "" || r.Git("rev-list", "--count", "HEAD") != "2" {
		t.Errorf("again: %+v", out)
	}
	if !maps.Equal(before, snapshot(t, r.Dir)) {
		t.Error("the second archive changed something")
	}
}

// TestArchiveFollowsWhatChanges checks that later archives keep when a file was first read and what was redacted then.
// A changed file is reported and archived again, and a deleted one is removed.
func TestArchiveFollowsWhatChanges(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	mustArchive(t, options(t, r.Dir))
	manifest := func() string { return read(t, r.Dir, "runs/a/manifest.json") }
	first := manifest()

	r.Write(map[string]string{"runs/a/low.log": run("Qwen/Qwen3-8B", 1, 13.5)})
	if err := os.Remove(filepath.Join(r.Dir, "runs/c/run.log")); err != nil {
		t.Fatal(err)
	}
	opt := options(t, r.Dir)
	opt.Now, opt.By = now.AddDate(0, 0, 7), "benchpost v2"
	p, _ := mustArchive(t, opt)
	isArchived(t, r, r.Dir)
	if !slices.Equal(p.Altered, []string{"runs/a/low.log"}) || !slices.Equal(p.Gone, []string{"runs/c/run.log"}) {
		t.Errorf("altered %v, gone %v", p.Altered, p.Gone)
	}
	for i, line := range strings.Split(manifest(), "\n") {
		changed := strings.Contains(line, "low.log")
		if old := strings.Split(first, "\n")[i]; (line == old) == changed {
			t.Errorf("the line was\n%s\nand is\n%s", old, line)
		}
		if changed != strings.Contains(line, "2026-03-08T12:00:00Z") || changed != strings.Contains(line, "benchpost v2") {
			t.Error(line)
		}
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "runs/c/manifest.json")); err == nil {
		t.Error("a manifest of nothing stands there")
	}
	if files := r.Git("ls-files", "runs/c"); files != "" {
		t.Error(files)
	}
}

// TestUnfinishedRunsAreLeft checks that unfinished runs are left and reported, and are not part of the archive's
// public.
func TestUnfinishedRunsAreLeft(t *testing.T) {
	t.Parallel()
	r := newSite(t, map[string]string{
		"runs/going/console.log": "Starting main benchmark run...\nTraffic request rate: inf\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]",
		"runs/rec/record.json":   `{"schema": "benchpost-record/1", "command": "vllm bench serve", "started": "2026-01-01T00:00:00Z"}`,
		"runs/rec/console.log":   run("m", 1, 5),
	})
	p, out := mustArchive(t, options(t, r.Dir))
	var left []string
	for _, l := range p.Left {
		left = append(left, l.Path)
	}
	if want := []string{"runs/going/console.log", "runs/rec/console.log", "runs/rec/record.json"}; !slices.Equal(left, want) || !out.Ahead {
		t.Errorf("left %v, %+v", p.Left, out)
	}
	if files := r.Git("ls-files", "runs/going", "runs/rec"); files != "" {
		t.Error(files)
	}
	clone := r.Clone()
	mustArchive(t, options(t, clone.Dir))
	if status := clone.Git("status", "--porcelain"); status != "" {
		t.Errorf("public is not what the archived runs give:\n%s", status)
	}
	r.Write(map[string]string{"runs/rec/record.json": `{"schema": "benchpost-record/1", "command": "vllm bench serve", "started": "2026-01-01T00:00:00Z", "ended": "2026-01-01T00:10:00Z", "exit_code": 0}`})
	if p, _ := mustArchive(t, options(t, r.Dir)); len(p.Left) != 1 || r.Git("ls-files", "runs/rec/console.log") == "" {
		t.Errorf("left %v", p.Left)
	}
}

// TestOtherStagedFilesStay checks that other staged files, also in runs, stay staged and are not committed.
func TestOtherStagedFilesStay(t *testing.T) {
	t.Parallel()
	r := newSite(t, map[string]string{"kept": "1\n", "both": "1\n"})
	r.Write(map[string]string{"kept": "2\n", "both": "2\n", "new": "x\n", "runs/other/run.log": run("m", 1, 4)})
	r.Git("add", "kept", "both", "new", "runs/other", "runs/a")
	r.Write(map[string]string{"both": "3\n"})
	r.Git("rm", "-q", "--cached", ".gitattributes")
	opt := options(t, r.Dir)
	opt.Paths = []string{"runs/a", "runs/b"}
	staged := func() string {
		return r.Git("diff", "--cached", "--raw", "--abbrev=40", "--", "kept", "both", "new", "runs/other", ".gitattributes")
	}
	before := staged()
	mustArchive(t, opt)
	if after := staged(); after != before {
		t.Errorf("staged were\n%s\nand are\n%s", before, after)
	}
	if files := r.Git("show", "--name-only", "--format=", "HEAD", "--", ":!public"); files != "runs/a/high.log\nruns/a/low.log\nruns/a/manifest.json\nruns/a/run.toml\nruns/b/large.log.zst\nruns/b/manifest.json" {
		t.Errorf("committed:\n%s", files)
	}
}

// TestFromElsewhere checks that runs elsewhere are copied, and that the originals are unchanged.
func TestFromElsewhere(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	elsewhere := t.TempDir()
	folder.Write(t, elsewhere, map[string]string{"sweep/c1.log": "token " + token + "\n" + run("m", 1, 4), "sweep/x/c2.log": run("m", 2, 8), "sweep/manifest.json": "{}", "sweep/.hidden": "x"})
	before := snapshot(t, elsewhere)
	opt := options(t, r.Dir)
	opt.From = []Source{{filepath.Join(elsewhere, "sweep"), "thor/sweep"}}
	mustArchive(t, opt)
	if files := r.Git("ls-files", "runs"); files != "runs/thor/sweep/c1.log\nruns/thor/sweep/manifest.json\nruns/thor/sweep/x/c2.log\nruns/thor/sweep/x/manifest.json" {
		t.Error(files)
	}
	if !maps.Equal(before, snapshot(t, elsewhere)) || strings.Contains(read(t, r.Dir, "runs/thor/sweep/c1.log"), token) {
		t.Error("the source was changed, or the copy was not")
	}
	if _, out := mustArchive(t, opt); out.Commit != "" {
		t.Errorf("again: %+v", out)
	}
	opt.From = []Source{{filepath.Join(elsewhere, "sweep", "c1.log"), "a/high.log"}}
	if _, _, err := archive(opt); err == nil || !strings.Contains(err.Error(), "runs/a/high.log exists and is another file") {
		t.Error(err)
	}
	opt.From = []Source{{filepath.Join(elsewhere, "sweep", "c1.log"), "one.log"}}
	mustArchive(t, opt)
	if r.Git("ls-files", "runs/one.log") == "" {
		t.Error("a single file was not copied")
	}
}

// TestDryRun checks that a dry run reports everything and writes nothing, also in a read-only folder.
func TestDryRun(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	before := folder.Read(t, r.Dir)
	readOnly(t, r.Dir)
	opt := options(t, r.Dir)
	opt.DryRun = true
	p, _ := mustArchive(t, opt)
	if len(p.Redacted()) == 0 || len(p.Manifests) != 3 || !strings.HasPrefix(p.Message, "Archive 4 runs") || len(p.Changed) != 8 {
		t.Errorf("%+v", p)
	}
	if after := folder.Read(t, r.Dir); !maps.EqualFunc(before, after, slices.Equal) {
		t.Error("the dry run wrote something")
	}
	stage := p.stage
	p.Close()
	if _, err := os.Stat(stage); err == nil {
		t.Error("what was staged is left")
	}
}

// readOnly makes everything below a folder read-only until the test ends. Root can still write.
func readOnly(t *testing.T, dir string) {
	t.Helper()
	mode := func(m os.FileMode) {
		err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				err = os.Chmod(name, m)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	mode(0o555)
	t.Cleanup(func() { mode(0o755) })
}

// TestWithoutCommit checks that files are converted without a commit and git is unchanged, and that this works without
// git too.
func TestWithoutCommit(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{"a repository": newSite(t, nil).Dir, "no repository": t.TempDir()} {
		folder.Write(t, dir, sound())
		index := snapshotIndex(dir)
		opt := options(t, dir)
		opt.NoCommit = true
		_, out := mustArchive(t, opt)
		if out.Commit != "" || snapshotIndex(dir) != index {
			t.Errorf("%s: %+v", name, out)
		}
		if done, ms, err := Verify(dir); err != nil || len(ms) > 0 || done.Files != 5 {
			t.Errorf("%s: %+v %v %v", name, done, ms, err)
		}
		if _, err := os.Stat(filepath.Join(dir, "public", "site", "index.html")); err != nil {
			t.Error(err)
		}
	}
}

func snapshotIndex(dir string) string {
	data, _ := os.ReadFile(filepath.Join(dir, ".git", "index"))
	head, _ := os.ReadFile(filepath.Join(dir, ".git", "logs", "HEAD"))
	return string(data) + string(head)
}

// TestWhereASiteLies checks archiving in a folder of a repository, in a work tree, in a submodule, in a shallow clone,
// as the first commit, and with SHA-256 hashes.
func TestWhereASiteLies(t *testing.T) {
	t.Parallel()
	t.Run("in a folder", func(t *testing.T) {
		t.Parallel()
		r := repository.New(t)
		r.Commit("One", map[string]string{"x": "1", "site/site.toml": siteTOML, ".gitattributes": "site/runs/** -text\nsite/public/** -text\n"})
		dir := filepath.Join(r.Dir, "site")
		folder.Write(t, dir, map[string]string{"runs/a.log": run("m", 1, 4)})
		mustArchive(t, options(t, dir))
		isArchived(t, r, dir)
		if files := r.Git("show", "--name-only", "--format=", "HEAD", "--", "site/runs"); files != "site/runs/a.log\nsite/runs/manifest.json" {
			t.Error(files)
		}
	})
	t.Run("in a work tree", func(t *testing.T) {
		t.Parallel()
		r := newSite(t, nil)
		tree := filepath.Join(t.TempDir(), "tree")
		r.Git("worktree", "add", "-q", "-b", "other", tree)
		folder.Write(t, tree, map[string]string{"runs/a.log": run("m", 1, 4)})
		mustArchive(t, options(t, tree))
		isArchived(t, repository.In(t, tree), tree)
		if r.Git("log", "-1", "--format=%s", "other") == r.Git("log", "-1", "--format=%s", "main") {
			t.Error("the commit is not on the branch of the work tree")
		}
	})
	t.Run("in a submodule", func(t *testing.T) {
		t.Parallel()
		r, super := newSite(t, nil), repository.New(t)
		super.Git("submodule", "--quiet", "add", "file://"+filepath.ToSlash(r.Dir), "bench")
		dir := filepath.Join(super.Dir, "bench")
		folder.Write(t, dir, map[string]string{"runs/a.log": run("m", 1, 4)})
		mustArchive(t, options(t, dir))
		isArchived(t, repository.In(t, dir), dir)
	})
	t.Run("in a shallow clone", func(t *testing.T) {
		t.Parallel()
		r := newSite(t, nil)
		r.Commit("More", map[string]string{"x": "1"})
		clone := r.Clone("--depth=1")
		folder.Write(t, clone.Dir, map[string]string{"runs/x.log": run("m", 1, 4)})
		mustArchive(t, options(t, clone.Dir))
		isArchived(t, clone, clone.Dir)
	})
	for name, args := range map[string][]string{"as the first commit": nil, "with SHA-256": {"--object-format=sha256"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := repository.In(t, t.TempDir())
			if out, err := r.Try(append([]string{"init", "-q", "-b", "main"}, args...)...); err != nil {
				t.Fatal(out)
			}
			r.Write(sound())
			mustArchive(t, options(t, r.Dir)) // including site.toml, which is new to git
			isArchived(t, r, r.Dir)
		})
	}
}

// TestOddNames checks that any name is taken literally.
func TestOddNames(t *testing.T) {
	t.Parallel()
	odd := []string{"-rf.log", ":(top)x.log", "a b.log", "*.log", "quote\".log", "new\nline.log", "功耗 模式.log", "$(touch x).log", "[1].log", "!x.log", "#x.log", "tab\t.log", "x.log "}
	more := map[string]string{}
	for i, name := range odd {
		more["runs/odd/"+name] = run("m", i+1, float64(i+1))
	}
	more["runs/odd/-large.log"] = strings.Repeat("a line of a log\n", 1000) + run("m", 99, 99)
	more["runs/:(exclude)a/run.log"] = run("m", 50, 50)
	r := newSite(t, more)
	mustArchive(t, options(t, r.Dir))
	isArchived(t, r, r.Dir)
	files := strings.Split(r.Git("ls-files", "-z", "runs"), "\x00")
	for _, name := range odd {
		if !slices.Contains(files, "runs/odd/"+name) {
			t.Errorf("%q is not committed", name)
		}
	}
}

// TestNights checks that a run that is measured every night into the same file is archived every night. The committed
// public shows the history from git in its trends, like a build of the site itself.
func TestNights(t *testing.T) {
	t.Parallel()
	r := newSite(t, map[string]string{"site.toml": siteTOML + "[history]\ngit = true\n"})
	for night := range 4 {
		r.Write(map[string]string{"runs/a/high.log": run("Qwen/Qwen3-8B", 8, 80+float64(night))})
		mustArchive(t, options(t, r.Dir))
		isArchived(t, r, r.Dir)
		if drift, err := site.Drift(t.Context(), r.Dir); err != nil || len(drift) > 0 {
			t.Fatalf("night %d: %v, %v", night, drift, err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(r.Dir, "public", "site", "history", "trend-*.html"))
	if err != nil || len(pages) != 1 {
		t.Fatal(pages, err)
	}
	page, err := os.ReadFile(pages[0])
	if err != nil {
		t.Fatal(err)
	}
	for night := range 4 {
		if want := fmt.Sprintf("%.2f", 80+float64(night)); !strings.Contains(string(page), want) {
			t.Errorf("the history lacks the %s tok/s of night %d", want, night)
		}
	}
}
