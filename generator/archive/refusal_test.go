package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
)

// TestRefusals checks that what cannot be archived is refused with advice, and that files, index and branch are
// unchanged.
func TestRefusals(t *testing.T) {
	secret := "token " + token + "\n" + run("m", 1, 2)
	var tgz bytes.Buffer
	z := gzip.NewWriter(&tgz)
	z.Write([]byte(folder.Tar(t, "x/run.log", secret)))
	z.Close()
	packed := tgz.Bytes()
	var gz bytes.Buffer
	z = gzip.NewWriter(&gz)
	z.Write([]byte(secret))
	z.Close()
	damaged := gz.Bytes()
	damaged[len(damaged)-8] ^= 1 // in the checksum behind the content
	conflict := func(r *repository.Repository, with string) {
		r.Git("checkout", "-q", "-b", "other")
		r.Commit("Other", map[string]string{"x": "1\n"})
		r.Git("checkout", "-q", "main")
		r.Commit("Mine", map[string]string{"x": "2\n"})
		r.Try(with, "other")
	}
	for name, c := range map[string]struct {
		more  map[string]string
		with  func(*testing.T, *repository.Repository)
		opt   func(*Options)
		text  string // parts of the refusal, its details and its hint
		usage bool
	}{
		"a merge":       {with: func(t *testing.T, r *repository.Repository) { conflict(r, "merge") }, text: "a merge is under way|git merge --abort", usage: true},
		"a rebase":      {with: func(t *testing.T, r *repository.Repository) { conflict(r, "rebase") }, text: "a rebase is under way|--abort", usage: true},
		"a cherry-pick": {with: func(t *testing.T, r *repository.Repository) { conflict(r, "cherry-pick") }, text: "a cherry-pick is under way", usage: true},
		"a conflict": {with: func(t *testing.T, r *repository.Repository) {
			conflict(r, "merge")
			os.Remove(filepath.Join(r.Dir, ".git", "MERGE_HEAD"))
		}, text: `"x" has conflicts`, usage: true},
		"no branch":                  {with: func(t *testing.T, r *repository.Repository) { r.Git("checkout", "-q", "--detach") }, text: "HEAD is detached|git switch", usage: true},
		"no identity":                {with: func(t *testing.T, r *repository.Repository) { anonymous(t, r) }, text: "does not know who commits|user.email", usage: true},
		"ignored runs":               {more: map[string]string{".gitignore": "*.log\n"}, text: `runs/a/high.log: by "*.log" in .gitignore:1|!/runs/**`, usage: true},
		"ignored public":             {more: map[string]string{".gitignore": "/public\n"}, text: `public/site/index.html: by "/public" in .gitignore:1`, usage: true},
		"sparse":                     {with: sparse, text: "a sparse checkout leaves out|git sparse-checkout add runs/s", usage: true},
		"line ends of runs":          {more: map[string]string{".gitattributes": "/public/** -text\n"}, with: crlf, text: "would not give the runs back|line ends were converted|/runs/** -text"},
		"line ends of pages":         {more: map[string]string{".gitattributes": "/runs/** -text\n"}, with: crlf, text: "would not give public back|public/site/404.html|/public/** -text"},
		"a foreign manifest":         {more: map[string]string{"runs/a/manifest.json": `{"files": []}`}, text: "runs/a/manifest.json was not written by benchpost|rename"},
		"a broken manifest":          {more: map[string]string{"runs/a/manifest.json": `{"schema": "benchpost.manifest/1", "files": [{"name": "../x"}]}`}, text: `"../x" is no name of a file`},
		"a secret in a zip":          {more: map[string]string{"runs/z/all.zip": folder.Zip(t, "x/run.log", secret)}, text: "runs/z/all.zip holds what must not be published|x/run.log:1|into a folder"},
		"a secret in a tar":          {more: map[string]string{"runs/z/all.tar": folder.Tar(t, "x/run.log", secret)}, text: "runs/z/all.tar holds what must not be published|x/run.log:1|into a folder"},
		"a secret in a tgz":          {more: map[string]string{"runs/z/all.tgz": string(packed)}, text: "runs/z/all.tgz holds what must not be published|x/run.log:1|into a folder"},
		"a secret in a damaged gzip": {more: map[string]string{"runs/z/run.log.gz": string(damaged)}, text: "runs/z/run.log.gz holds what must not be published|run.log.gz:1|is damaged: repair it"},
		"a zip that breaks off":      {more: map[string]string{"runs/z/all.zip": folder.Zip(t, "x/run.log", secret)[:300]}, text: "runs/z/all.zip cannot be opened|repair it"},
		"a secret in bzip2":          {more: map[string]string{"runs/z/run.log.bz2": inBzip2(t)}, text: "runs/z/run.log.bz2 holds what must not be published|run.log.bz2:1|bunzip2"},
		"an owner of a tar":          {more: map[string]string{"runs/z/all.tar": folder.Tar(t, "x/run.log", run("m", 1, 2))}, text: "all.tar/x/run.log: |--numeric-owner"},
		"a name in a zip":            {more: map[string]string{"runs/z/all.zip": folder.Zip(t, "x/run.log", run("m", 1, 2), "n/"+token+".png", "\x00")}, text: "runs/z/all.zip/n/redacted-huggingface-token.png: huggingface-token|into a folder"},
		"what a zip hides":           {more: map[string]string{"runs/z/all.zip": folder.Zip(t, "x/run.log", secret, "x/run.log", run("m", 1, 2))}, text: "runs/z/all.zip/x/run.log:1: huggingface-token"},
		"a name of a file":           {more: map[string]string{"runs/z/" + token + ".log": run("m", 1, 2)}, text: "1 file would go into git|runs/z/redacted-huggingface-token.log|rename", usage: false},
		"a name of a folder":         {more: map[string]string{"runs/bob@10.1.2.3/z.log": run("m", 1, 2)}, text: "1 file would go into git|/z.log|rename"},
		"too large":                  {more: map[string]string{"site.toml": siteTOML + "limit = \"300 B\"\n"}, text: "git is to hold no file over 300 B|git lfs install|limit"},
		"names of one case":          {more: map[string]string{"runs/A/high.log": run("m", 1, 3)}, text: "differ in case alone", usage: true},
		"a secret in a post":         {more: map[string]string{"content/posts/x.en.md": "+++\ntitle = \"T\"\ndate = 2026-01-01\n+++\nexport HF_TOKEN=" + token + "\n"}, text: "would be published|content/posts/x.en.md:5:17|[redact] keep"},
		"a post that breaks":         {more: map[string]string{"content/posts/x.en.md": "+++\ntitle = \"T\"\ndate = 2026-01-01\n+++\n`= output_throughput{model=\"none\"}`\n"}, text: "cannot be built from what would be archived|content/posts/x.en.md"},
		"a label that site.toml knows": {more: map[string]string{"site.toml": siteTOML + "[[model]]\nid = \"Mine\"\naliases = [\"/home/alice/models/Mine-8B\"]\n",
			"runs/d/x.log": run("/home/alice/models/Mine-8B", 2, 3)}, text: "would not say the same|d/x|keep"},
		"a run from nowhere": {opt: func(o *Options) { o.From = []Source{{filepath.Join(o.Dir, "nowhere"), "x"}} }, text: "no such file"},
		"an empty folder":    {opt: func(o *Options) { o.From = []Source{{filepath.Join(o.Dir, "empty"), "x"}} }, with: func(t *testing.T, r *repository.Repository) { os.Mkdir(filepath.Join(r.Dir, "empty"), 0o755) }, text: "holds no files", usage: true},
		"LFS that is absent": {more: map[string]string{".gitattributes": "/public/** -text\n/runs/** -text\n*.log filter=lfs\n"}, text: "given to Git LFS by .gitattributes|git lfs install", usage: true},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "no identity" { // that one changes the environment of the process
				t.Parallel()
			}
			if name == "names of one case" {
				need.Granted(t, tellsCase(t.TempDir()))
			}
			more := c.more
			if text, ok := more["site.toml"]; ok && strings.HasSuffix(text, "limit = \"300 B\"\n") {
				more = map[string]string{"site.toml": "title = \"x\"\n[archive]\nlimit = \"300 B\"\n"}
			}
			r := newSite(t, more)
			if c.with != nil {
				c.with(t, r)
			}
			opt := options(t, r.Dir)
			if c.opt != nil {
				c.opt(&opt)
			}
			before, index := snapshot(t, r.Dir), snapshotIndex(r.Dir)
			_, _, err := archive(opt)
			if err == nil {
				t.Fatal("archived")
			}
			var no *Refusal
			if errors.As(err, &no) && no.Usage != c.usage {
				t.Errorf("usage %v", no.Usage)
			}
			said := err.Error() + "\n" + detailsOf(err)
			for part := range strings.SplitSeq(c.text, "|") {
				if !strings.Contains(said, part) {
					t.Errorf("%q is not in\n%s", part, said)
				}
			}
			if strings.Contains(said, token) || strings.Contains(said, "10.1.2.3") || strings.Contains(said, "mallory") {
				t.Error("the refusal tells the secret")
			}
			if !maps.Equal(before, snapshot(t, r.Dir)) || snapshotIndex(r.Dir) != index {
				t.Error("something was changed")
			}
			if _, err := os.Stat(filepath.Join(r.Dir, ".benchpost", workName)); err == nil {
				t.Error("what was staged is left")
			}
		})
	}
}

func anonymous(t *testing.T, r *repository.Repository) {
	for _, name := range []string{"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL", "EMAIL"} {
		t.Setenv(name, "")
		os.Unsetenv(name)
	}
	r.Git("config", "user.useConfigOnly", "true")
}

func sparse(t *testing.T, r *repository.Repository) {
	r.Commit("Runs", map[string]string{"runs/s/x.log": run("m", 1, 2)})
	r.Git("sparse-checkout", "set", "--no-cone", "/*", "!/runs/s/")
}

func crlf(t *testing.T, r *repository.Repository) { r.Git("config", "core.autocrlf", "true") }

// tellsCase returns an error if the file system ignores case.
func tellsCase(dir string) error {
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o644); err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "A")); err == nil {
		return errors.New("case does not count here")
	}
	return nil
}

// TestNamesThatAreNoText checks that names that are not UTF-8 are refused, since a manifest cannot contain them.
func TestNamesThatAreNoText(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	need.Granted(t, os.WriteFile(filepath.Join(r.Dir, "runs", "a", "bad\xff.log"), nil, 0o644))
	if _, _, err := archive(options(t, r.Dir)); err == nil || !strings.Contains(err.Error(), `"runs/a/bad\xff.log" is not UTF-8`) {
		t.Error(err)
	}
}

// TestNoRepository checks that only --no-commit works outside a repository and without git.
func TestNoRepository(t *testing.T) {
	r := newSite(t, nil)
	if err := os.RemoveAll(filepath.Join(r.Dir, ".git")); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, r.Dir)
	var no *Refusal
	if _, _, err := archive(options(t, r.Dir)); !errors.As(err, &no) || !no.Usage || !strings.Contains(no.Hint, "git init") {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, _, err := archive(options(t, r.Dir)); !errors.As(err, &no) || !strings.Contains(no.Text, "there is no program git") {
		t.Error(err)
	}
	if !maps.Equal(before, snapshot(t, r.Dir)) {
		t.Error("something was changed")
	}
	opt := options(t, r.Dir)
	opt.NoCommit = true
	mustArchive(t, opt)
}

// hook writes a hook.
func hook(t *testing.T, r *repository.Repository, name, script string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", "hooks", name), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
}

// TestHooks checks that hooks run as for any commit. They see exactly what is committed, may refuse with their own
// text, and may change the message but not the files.
func TestHooks(t *testing.T) {
	t.Parallel()
	setUp := func(t *testing.T) (*repository.Repository, string) {
		r := newSite(t, map[string]string{"other": "1"})
		r.Write(map[string]string{"other": "2"})
		r.Git("add", "other")
		return r, r.Git("rev-parse", "HEAD")
	}
	refuses := func(t *testing.T, r *repository.Repository, head, by, said string) {
		t.Helper()
		_, _, err := archive(options(t, r.Dir))
		var refused *git.HookError
		if !errors.As(err, &refused) || refused.Hook != by || !strings.Contains(refused.Said, said) {
			t.Errorf("%v: %s", err, detailsOf(err))
		}
		if now := r.Git("rev-parse", "HEAD"); now != head {
			t.Error("there is a commit")
		}
		if staged := r.Git("diff", "--cached", "--name-only"); staged != "other" {
			t.Errorf("staged: %s", staged)
		}
		os.Remove(filepath.Join(r.Dir, ".git", "hooks", by))
		mustArchive(t, options(t, r.Dir))
		isArchivedBeside(t, r)
	}
	t.Run("refuses", func(t *testing.T) {
		t.Parallel()
		r, head := setUp(t)
		hook(t, r, "pre-commit", "echo NOT TODAY; git diff --cached --name-only HEAD | grep -q '^other$' && echo SEES OTHERS\nexit 1")
		refuses(t, r, head, "pre-commit", "NOT TODAY")
	})
	t.Run("sees nothing else", func(t *testing.T) {
		t.Parallel()
		r, _ := setUp(t)
		hook(t, r, "pre-commit", "if git diff --cached --name-only HEAD | grep -q '^other$'; then exit 1; fi\ngit diff --cached --name-only HEAD | grep -q '^runs/a/high.log$'")
		mustArchive(t, options(t, r.Dir))
	})
	t.Run("changes files", func(t *testing.T) {
		t.Parallel()
		r, head := setUp(t)
		hook(t, r, "pre-commit", "echo changed >> runs/a/high.log; git add runs/a/high.log")
		refuses(t, r, head, "pre-commit", "it changed what was to be committed: runs/a/high.log")
	})
	t.Run("refuses the message", func(t *testing.T) {
		t.Parallel()
		r, head := setUp(t)
		hook(t, r, "commit-msg", "grep -q '^JIRA' \"$1\" || { echo no ticket; exit 1; }")
		refuses(t, r, head, "commit-msg", "no ticket")
	})
	t.Run("changes the message", func(t *testing.T) {
		t.Parallel()
		r, _ := setUp(t)
		hook(t, r, "commit-msg", "echo 'Signed-off-by: A <a@example.com>' >> \"$1\"")
		hook(t, r, "post-commit", "echo ran > ../post 2>/dev/null || echo ran > \"$(git rev-parse --git-dir)/post\"; exit 1")
		mustArchive(t, options(t, r.Dir))
		if body := r.Git("log", "-1", "--format=%b"); !strings.HasSuffix(strings.TrimSpace(body), "Signed-off-by: A <a@example.com>") {
			t.Error(body)
		}
	})
	t.Run("in a folder of their own", func(t *testing.T) {
		t.Parallel()
		r, head := setUp(t)
		r.Git("config", "core.hooksPath", "my hooks")
		if err := os.MkdirAll(filepath.Join(r.Dir, "my hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(r.Dir, "my hooks", "pre-commit"), []byte("#!/bin/sh\necho MINE; exit 3\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		_, _, err := archive(options(t, r.Dir))
		var refused *git.HookError
		if !errors.As(err, &refused) || refused.Said != "MINE" || r.Git("rev-parse", "HEAD") != head {
			t.Error(err)
		}
	})
	t.Run("commits", func(t *testing.T) {
		t.Parallel()
		r, _ := setUp(t)
		hook(t, r, "pre-commit", "[ -n \"$INNER\" ] || INNER=1 GIT_INDEX_FILE= env -u GIT_INDEX_FILE git commit -q --allow-empty --no-verify -m Between -- other || true")
		_, _, err := archive(options(t, r.Dir))
		var moved *git.MovedError
		if !errors.As(err, &moved) || r.Git("log", "-1", "--format=%s") != "Between" {
			t.Errorf("%v: %s", err, detailsOf(err))
		}
		os.Remove(filepath.Join(r.Dir, ".git", "hooks", "pre-commit"))
		mustArchive(t, options(t, r.Dir))
		isArchived(t, r, r.Dir)
	})
}

// isArchivedBeside does what isArchived does while another file is staged.
func isArchivedBeside(t *testing.T, r *repository.Repository) {
	t.Helper()
	if status := r.Git("status", "--porcelain"); status != "M  other" {
		t.Errorf("status:\n%s", status)
	}
}

// TestTheIndexIsHeld checks that nothing is committed or lost while another git locks the index.
func TestTheIndexIsHeld(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	lock := filepath.Join(r.Dir, ".git", "index.lock")
	if err := os.WriteFile(lock, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, _, err := archive(options(t, r.Dir))
	var busy *git.BusyError
	if !errors.As(err, &busy) || !strings.Contains(busy.Text, "index.lock") {
		t.Errorf("%v: %s", err, detailsOf(err))
	}
	if err := os.Remove(lock); err != nil {
		t.Fatal(err)
	}
	mustArchive(t, options(t, r.Dir))
	isArchived(t, r, r.Dir)
}

// TestSigning checks that the commit is signed if commits are configured to be.
func TestSigning(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	script := filepath.Join(t.TempDir(), "sign")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncat >/dev/null\nprintf '[GNUPG:] SIG_CREATED \\n' >&2\nprintf -- '-----BEGIN PGP SIGNATURE-----\\n\\nmine\\n-----END PGP SIGNATURE-----\\n'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Git("config", "gpg.program", script)
	r.Git("config", "commit.gpgsign", "true")
	r.Git("config", "user.signingkey", "x")
	mustArchive(t, options(t, r.Dir))
	if raw := r.Git("cat-file", "commit", "HEAD"); !strings.Contains(raw, "gpgsig -----BEGIN PGP SIGNATURE-----") {
		t.Error(raw)
	}
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 2\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.Write(map[string]string{"runs/n.log": run("m", 1, 2)})
	if _, _, err := archive(options(t, r.Dir)); err == nil || !strings.Contains(err.Error(), "failed to sign") {
		t.Error(err)
	}
}

// TestCancelled checks that cancelling before files are moved changes nothing.
func TestCancelled(t *testing.T) {
	t.Parallel()
	r := newSite(t, nil)
	before, index := snapshot(t, r.Dir), snapshotIndex(r.Dir)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := Prepare(ctx, options(t, r.Dir))
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := p.Apply(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.Close()
	if !maps.Equal(before, snapshot(t, r.Dir)) || snapshotIndex(r.Dir) != index {
		t.Error("something was changed")
	}
}

// TestJournalFromElsewhere checks that a journal that came with a site from elsewhere moves nothing.
func TestJournalFromElsewhere(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("ab", 32)
	for what, text := range map[string]string{
		"out of the site":     `{"staged": "new", "steps": [{"to": "../out.log", "new": "` + sum + `"}]}`,
		"out of the runs":     `{"staged": "new", "steps": [{"to": "site.toml", "new": "` + sum + `", "was": "site.toml", "sum": "` + sum + `"}]}`,
		"through the runs":    `{"staged": "new", "steps": [{"was": "runs/../site.toml", "sum": "` + sum + `"}]}`,
		"to an absolute path": `{"staged": "new", "steps": [{"to": "/tmp/out.log", "new": "` + sum + `"}]}`,
		"without a sum":       `{"staged": "new", "steps": [{"was": "runs/a/high.log", "sum": "ab", "keep": true}]}`,
		"from elsewhere":      `{"staged": "../../..", "steps": []}`,
	} {
		r := newSite(t, map[string]string{".benchpost/archive/journal.json": text, ".benchpost/.gitignore": "*\n"})
		before := folder.Read(t, filepath.Join(r.Dir, "runs"))
		_, _, err := archive(options(t, r.Dir))
		if err == nil || !strings.Contains(err.Error(), "journal.json names what no archive moves") {
			t.Errorf("%s: %v", what, err)
		}
		if after := folder.Read(t, filepath.Join(r.Dir, "runs")); !maps.EqualFunc(before, after, bytes.Equal) {
			t.Errorf("%s: runs were changed", what)
		}
	}
}

// inBzip2 returns a line with the token, compressed with bzip2.
func inBzip2(t *testing.T) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString("QlpoOTFBWSZTWW7NfGkAABNfgAAQQAB+ACqqqqCXXdVQIAAjAGmhoAaYmmm02qGMJiaDBGIZGExHostRclfbHePgqJSMJ6WbFNa4PEM/okUjH4u5IpwoSDdmvjSA")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
