package git

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
)

func open(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoGit) {
		t.Errorf("%v", err)
	}
}

func TestNoRepository(t *testing.T) {
	repository.Alone(t)
	need.Command(t, "git")
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoRepository) {
		t.Errorf("%v", err)
	}
	r := repository.New(t)
	if _, err := Open(t.Context(), filepath.Join(r.Dir, ".git")); !errors.Is(err, ErrNoRepository) {
		t.Errorf("the repository's own folder: %v", err)
	}
	bare := r.Clone("--bare")
	if _, err := Open(t.Context(), bare.Dir); !errors.Is(err, ErrNoRepository) {
		t.Errorf("a bare repository: %v", err)
	}
}

func TestOldGit(t *testing.T) {
	var old *OldError
	for said, fits := range map[string]bool{
		"git version 2.24.4\n":                   false,
		"git version 1.99.0":                     false,
		"git version 2.25.0":                     true,
		"git version 2.39.5 (Apple Git-154)":     true,
		"git version 2.47.1.windows.2\n":         true,
		"git version 3.0.0-rc1":                  true,
		"git version 2.100.0.125.gab12cd34ef\n ": true,
	} {
		if err := checkVersion(said, least); (err == nil) != fits || err != nil && !errors.As(err, &old) {
			t.Errorf("%q: %v", said, err)
		}
	}
	if err := checkVersion("no \x1b[31mgit", least); err == nil || strings.Contains(err.Error(), "\x1b") {
		t.Errorf("%q", err)
	}
}

// TestWhereASiteLies checks sites in folders of a repository, and repositories of various layouts.
func TestWhereASiteLies(t *testing.T) {
	r := repository.New(t)
	first := r.Commit("One", map[string]string{"site/runs/a.log": "1", "other": "x"})
	tree := filepath.Join(t.TempDir(), "tree")
	r.Git("worktree", "add", "-q", "--detach", tree)
	super := repository.New(t)
	super.Git("submodule", "--quiet", "add", "file://"+filepath.ToSlash(r.Dir), "modules/bench")
	for name, dir := range map[string]string{
		"the repository": r.Dir, "a work tree": tree, "a submodule": filepath.Join(super.Dir, "modules", "bench"), "a clone of one commit": r.Clone("--depth=1").Dir,
	} {
		in := open(t, filepath.Join(dir, "site"))
		if in.Prefix != "site/" || in.Shallow != strings.Contains(name, "one commit") {
			t.Errorf("%s: %+v", name, in)
		}
		head, ok, err := in.Head(t.Context())
		if err != nil || !ok || head.ID != first {
			t.Errorf("%s: %+v %v %v", name, head, ok, err)
		}
		entries, err := in.Tree(t.Context(), "HEAD")
		if err != nil || len(entries) != 1 || entries[0].Path != "runs/a.log" || entries[0].Size != 1 {
			t.Errorf("%s: %+v %v", name, entries, err)
		}
		if _, err := os.Stat(in.Common); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestInAHook checks that the folder determines the repository, although git sets variables for its own in a hook.
func TestInAHook(t *testing.T) {
	r := repository.New(t)
	head := r.Commit("One", map[string]string{"a": "1"})
	elsewhere := t.TempDir()
	t.Setenv("GIT_DIR", filepath.Join(elsewhere, ".git"))
	t.Setenv("GIT_WORK_TREE", elsewhere)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(elsewhere, "index"))
	if c, ok, err := open(t, r.Dir).Head(t.Context()); err != nil || !ok || c.ID != head {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestHostileConfiguration checks that the configuration of a repository from an untrusted archive runs no programs,
// and does not change what is read.
func TestHostileConfiguration(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{"a.log": "1", ".gitattributes": "*.log diff=evil filter=evil\n"})
	last := r.Commit("Two", map[string]string{"a.log": "2"})
	want, err := open(t, r.Dir).Log(t.Context(), "HEAD", "a.log")
	if err != nil || len(want) != 2 {
		t.Fatalf("%+v, %v", want, err)
	}
	pwned := filepath.Join(t.TempDir(), "pwned")
	evil := "touch " + pwned + "; cat"
	for key, value := range map[string]string{
		"core.fsmonitor": evil, "core.pager": evil, "pager.log": evil, "core.editor": evil, "core.sshCommand": evil, "diff.external": evil, "diff.evil.textconv": evil,
		"diff.evil.command": evil, "filter.evil.smudge": evil, "filter.evil.clean": evil, "gpg.program": evil, "log.showSignature": "true", "credential.helper": "!" + evil,
		"log.showRoot": "false", "diff.renames": "copies", "diff.noprefix": "true", "color.ui": "always", "core.quotePath": "true", "i18n.logOutputEncoding": "UTF-16",
		"log.date": "relative", "log.follow": "true", "core.abbrev": "4", "diff.orderFile": "/dev/null", "log.mailmap": "true", "alias.log": "!" + evil, "alias.rev-parse": "!" + evil,
		"log.diffMerges": "off", "format.pretty": "oneline", "diff.relative": "true", "diff.ignoreSubmodules": "all", "log.decorate": "full",
	} {
		r.Git("config", key, value)
	}
	in := open(t, r.Dir)
	got, err := in.Log(t.Context(), "HEAD", "a.log")
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if done, err := in.Export(t.Context(), last, t.TempDir()); err != nil || done.Files != 2 {
		t.Errorf("%+v, %v", done, err)
	}
	if _, err := os.Stat(pwned); err == nil {
		t.Error("a program was run that the repository names")
	}
}

func TestResolve(t *testing.T) {
	r := repository.New(t)
	in := open(t, r.Dir)
	if _, ok, err := in.Head(t.Context()); ok || err != nil {
		t.Errorf("before the first commit: %v %v", ok, err)
	}
	first := r.Commit("第一次\x1b[31m  of\nall\n\nBody", map[string]string{"a": "1"})
	second := r.Commit("Two", map[string]string{"a": "2"})
	r.Git("tag", "-m", "v1", "v1", first)
	r.Git("branch", "odd;$(touch${IFS}pwned)`id`", second)
	for name, want := range map[string]string{"HEAD": second, "HEAD~1": first, "v1": first, first[:9]: first, "main": second, "odd;$(touch${IFS}pwned)`id`": second, ":/Two": second} {
		if c, err := in.Resolve(t.Context(), name); err != nil || c.ID != want {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	c, _ := in.Resolve(t.Context(), "v1")
	if c.Subject != "第一次[31m  of all" || c.Author != "A U Thor" || !c.Time.Equal(date(1)) || len(c.Parents) != 0 || c.Short() != first[:10] || c.Tree == "" {
		t.Errorf("%+v", c)
	}
	var unknown *UnknownRevisionError
	for _, name := range []string{"", "none", "-n", "--all", "--exec=touch pwned", "HEAD~9", "HEAD:a", "HEAD..v1", "a\nb", "HEAD\x00", strings.Repeat("x", 3000)} {
		if c, err := in.Resolve(t.Context(), name); !errors.As(err, &unknown) {
			t.Errorf("%q: %+v, %v", name, c, err)
		}
	}
	shallow := open(t, r.Clone("--depth=1").Dir)
	if _, err := shallow.Resolve(t.Context(), "HEAD~1"); !shallow.Shallow || err == nil || !strings.Contains(err.Error(), "--unshallow") {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Join(r.Dir, "pwned")); err == nil {
		t.Error("a name was run")
	}
}

// names are valid in git, but would be patterns, options or pathspec magic in a careless call.
var names = []string{
	"runs/plain.log", "runs/with space.log", "runs/模型.log", "runs/a*b.log", "runs/:(exclude)c.log", "runs/-n", "runs/\"quoted\".log", "runs/tab\tline\nend.log",
	"runs/back\\slash.log", "runs/$(touch pwned).log", "runs/\xff\xfe.log", "runs/:100644 100644 0 0 M",
}

func TestTreesAndBlobs(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		names = names[:3] // the system does not allow the others
	}
	r := repository.New(t)
	files := map[string]string{"site.toml": "", "public/index.html": "x"}
	for i, name := range names {
		files[name] = strings.Repeat("x", i*1000) + "\n\x00\xff"
	}
	r.Commit("All", files)
	in := open(t, r.Dir)
	entries, err := in.Tree(t.Context(), "HEAD", "runs", "site.toml", "absent", "run", "public/*")
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	got := map[string]string{}
	for _, e := range entries {
		ids = append(ids, e.ID)
		if int(e.Size) != len(files[e.Path]) || !e.IsFile() {
			t.Errorf("%+v", e)
		}
	}
	n := 0
	err = in.Blobs(t.Context(), ids, func(id string, data []byte) error {
		if id != entries[n].ID {
			t.Errorf("%s out of order", id)
		}
		got[entries[n].Path] = string(data)
		n++
		return nil
	})
	delete(files, "public/index.html")
	if err != nil || !maps.Equal(got, files) {
		t.Errorf("%v: %q", err, slices.Sorted(maps.Keys(got)))
	}
	dst := t.TempDir()
	done, err := in.Export(t.Context(), "HEAD", dst, "runs", "site.toml")
	if err != nil || done.Files != len(files) || done.Unfit != nil {
		t.Errorf("%+v, %v", done, err)
	}
	for name, data := range folder.Read(t, dst) {
		if files[name] != string(data) {
			t.Errorf("%q differs", name)
		}
	}
	// Reading stops at an error, however much is left.
	enough := errors.New("enough")
	if err := in.Blobs(t.Context(), ids, func(string, []byte) error { return enough }); err != enough {
		t.Errorf("%v", err)
	}
	var missing *MissingError
	if err := in.Blobs(t.Context(), []string{strings.Repeat("1", 40)}, nil); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
}

// TestExportOfWhatIsNoFile checks that only files are written, and none outside the folder.
func TestExportOfWhatIsNoFile(t *testing.T) {
	r := repository.New(t)
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("ab", 32) + "\nsize 5\n"
	here := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("cd", 32) + "\nsize 5\n"
	r.Commit("Files", map[string]string{
		"runs/a.log": "a\r\n", "runs/large.log": pointer, "runs/stored.log": here, ".gitattributes": "* text=auto eol=crlf\n",
		".git/lfs/objects/cd/cd/" + strings.Repeat("cd", 32): "12345",
	})
	blob := r.Git("rev-parse", "HEAD:runs/a.log")
	link := r.Feed("/etc/passwd", "hash-object", "-w", "--stdin")
	head := r.Git("rev-parse", "HEAD")
	tree := r.Git("rev-parse", "HEAD:runs")
	// Any program can write a tree with names that lead out of it.
	odd := r.Feed("120000 blob "+link+"\tlink\n160000 commit "+head+"\tmodule\n040000 tree "+tree+"\truns\n100644 blob "+blob+"\t..\n100644 blob "+blob+"\t.GIT\n", "mktree")
	commit := r.Git("commit-tree", "-m", "odd", odd)
	dst := filepath.Join(t.TempDir(), "in")
	if err := os.Mkdir(dst, 0o755); err != nil {
		t.Fatal(err)
	}
	done, err := open(t, r.Dir).Export(t.Context(), commit, dst)
	if err != nil {
		t.Fatal(err)
	}
	if done.Files != 3 || !slices.Equal(done.Links, []string{"link"}) || !slices.Equal(done.Submodules, []string{"module"}) || !slices.Equal(done.Unfit, []string{"..", ".GIT"}) && !slices.Equal(done.Unfit, []string{".GIT", ".."}) || !slices.Equal(done.Pointers, []string{"runs/large.log"}) {
		t.Errorf("%+v", done)
	}
	got := folder.Read(t, filepath.Dir(dst))
	if want := map[string]string{"in/runs/a.log": "a\n", "in/runs/large.log": pointer, "in/runs/stored.log": "12345"}; !maps.EqualFunc(got, want, func(a []byte, b string) bool { return string(a) == b }) {
		t.Errorf("%q", got)
	}
}

func date(day int) time.Time { return time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC) }

// TestLog checks that the log has the changes of files by each commit along first parents.
func TestLog(t *testing.T) {
	r := repository.New(t)
	blob := func(text string) string {
		if text == "" {
			return ""
		}
		return r.Feed(text, "hash-object", "--stdin")
	}
	hostile := "runs/tab\t\":100644 x"
	if runtime.GOOS == "windows" {
		hostile = "runs/plain"
	}
	r.Commit("commit 1\x1f :100644", map[string]string{"site/runs/a.log": "1", "site/" + hostile: "h", "other/x": "1"})
	r.Commit("Elsewhere", map[string]string{"other/x": "2"})
	r.Git("checkout", "-q", "-b", "side")
	r.Commit("On a branch", map[string]string{"site/runs/b.log": "b"})
	r.Commit("Again", map[string]string{"site/runs/b.log": "bb"})
	r.Git("checkout", "-q", "main")
	r.Commit("Meanwhile", map[string]string{"site/runs/a.log": "2"})
	r.Dated("merge", "-q", "--no-ff", "-m", "Merge", "side")
	r.Git("mv", "site/runs/a.log", "site/runs/c.log")
	if runtime.GOOS != "windows" {
		if err := os.Symlink("c.log", filepath.Join(r.Dir, "site/runs/link.log")); err != nil {
			t.Fatal(err)
		}
	}
	last := r.Commit("Moved", nil)
	got, err := open(t, filepath.Join(r.Dir, "site")).Log(t.Context(), "HEAD", "runs", "site.toml")
	if err != nil {
		t.Fatal(err)
	}
	type change struct {
		Subject string
		Files   []FileChange
	}
	var changes []change
	for _, c := range got {
		changes = append(changes, change{c.Subject, slices.DeleteFunc(c.Files, func(f FileChange) bool { return f.Path == "runs/link.log" && f.New == "" })})
	}
	want := []change{
		{"commit 1 :100644", []FileChange{{"runs/a.log", "", blob("1")}, {hostile, "", blob("h")}}},
		{"Meanwhile", []FileChange{{"runs/a.log", blob("1"), blob("2")}}},
		{"Merge", []FileChange{{"runs/b.log", "", blob("bb")}}},
		{"Moved", []FileChange{{"runs/a.log", blob("2"), ""}, {"runs/c.log", "", blob("2")}}},
	}
	if !reflect.DeepEqual(changes, want) {
		t.Errorf("%+v\nwant %+v", changes, want)
	}
	if c := got[len(got)-1]; c.ID != last || !c.Time.Equal(date(7)) {
		t.Errorf("%+v", c.Commit)
	}
	shallow, err := open(t, filepath.Join(r.Clone("--depth=1").Dir, "site")).Log(t.Context(), "HEAD", "runs")
	if err != nil || len(shallow) != 1 || len(shallow[0].Files) < 3 {
		t.Errorf("%+v, %v", shallow, err)
	}
}

func TestEnded(t *testing.T) {
	r := repository.New(t)
	r.Commit("One", map[string]string{"a": "1"})
	in := open(t, r.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := in.Log(ctx, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
