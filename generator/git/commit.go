package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

const (
	waitDelay = 5 * time.Second
	// indexPatience is how long to wait for another git to release the index. Editors lock it for a moment every few
	// seconds.
	indexPatience = 3 * time.Second
)

// BusyError says why no commit can be made at the moment, and what to do.
type BusyError struct{ Text, Hint string }

func (e *BusyError) Error() string { return e.Text }

// HookError reports that a hook of the repository refused, with the hook's output.
type HookError struct{ Hook, Said string }

func (e *HookError) Error() string { return "the hook " + e.Hook + " refused" }

// MovedError reports that somebody else has committed in the meantime.
type MovedError struct{ Said string }

func (e *MovedError) Error() string {
	return "the branch has moved while this was at work: another commit came in between"
}

// Ready reports whether a commit can be made: a branch is checked out, no merge or similar operation is in progress,
// and git knows the author.
func (r *Repo) Ready(ctx context.Context) error {
	for _, p := range []struct{ file, what, end string }{
		{"rebase-merge", "a rebase", "git rebase --continue, or --abort"},
		{"rebase-apply", "a rebase or git am", "git rebase --continue, or --abort; git am --continue, or --abort"},
		{"MERGE_HEAD", "a merge", "git commit ends it, git merge --abort undoes it"},
		{"CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue, or --abort"},
		{"REVERT_HEAD", "a revert", "git revert --continue, or --abort"},
	} {
		at, err := r.path(ctx, p.file)
		if err != nil {
			return err
		}
		if _, err := os.Lstat(at); err == nil {
			return &BusyError{p.what + " is under way in " + r.Root, "end it first: " + p.end}
		}
	}
	unmerged, err := r.top().output(ctx, nil, "ls-files", "--unmerged", "-z")
	if err != nil {
		return err
	}
	if _, name, ok := strings.Cut(string(unmerged), "\t"); ok {
		name, _, _ = strings.Cut(name, "\x00")
		return &BusyError{fmt.Sprintf("%q has conflicts that are not solved", name), "solve them, git add the file, and commit"}
	}
	if _, err := r.output(ctx, nil, "symbolic-ref", "--quiet", "HEAD"); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			return err
		}
		return &BusyError{"no branch is checked out (HEAD is detached): a commit would belong to none and get lost", "git switch BRANCH, or git switch -c NAME for a new one"}
	}
	for _, who := range []string{"GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"} {
		if _, err := result(ctx, r.change(ctx, "var", who)); err != nil {
			if ctx.Err() != nil {
				return err
			}
			return &BusyError{"git does not know who commits", `git config --global user.name "Your Name" and git config --global user.email you@example.com`}
		}
	}
	return nil
}

// NewCommit describes the commit that Commit makes.
type NewCommit struct {
	Index   *Index
	Tree    string // the tree of the index when it was checked
	Parent  Commit // what the branch must be at; the zero value before the first commit
	Message string
	Step    func(string) // called before each step; may be nil
}

// Commit commits a separate index as git commit would: the repository's hooks run and may refuse, and the commit is
// signed if that is configured. Then Commit adds the changes to the work tree's own index, and changes nothing else in
// that. Last it updates the branch, unless that has moved. If the process is killed in between, either benchpost's
// files are staged or nothing has changed.
func (r *Repo) Commit(ctx context.Context, c NewCommit) (id string, err error) {
	if c.Step == nil {
		c.Step = func(string) {}
	}
	if err := r.hook(ctx, c.Index, "pre-commit"); err != nil {
		return "", err
	}
	tree, err := c.Index.Tree(ctx)
	if err != nil {
		return "", err
	}
	if tree != c.Tree {
		changed, err := r.Changes(ctx, c.Tree, tree)
		var names []string
		for _, f := range changed {
			names = append(names, f.Path)
		}
		return "", errors.Join(err, &HookError{"pre-commit", "it changed what was to be committed: " + strings.Join(names, ", ")})
	}
	file := c.Index.file + ".message"
	if err := os.WriteFile(file, []byte(c.Message), 0o600); err != nil {
		return "", err
	}
	defer os.Remove(file)
	for _, name := range []string{"prepare-commit-msg", "commit-msg"} {
		args := []string{file}
		if name == "prepare-commit-msg" {
			args = append(args, "message")
		}
		if err := r.hook(ctx, c.Index, name, args...); err != nil {
			return "", err
		}
	}
	args := []string{"-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-F", file}
	if sign, err := r.output(ctx, nil, "config", "--type=bool", "--get", "commit.gpgsign"); err == nil && strings.TrimSpace(string(sign)) == "true" {
		args = append(args, "-S")
	}
	old := strings.Repeat("0", len(c.Tree))
	if c.Parent.ID != "" {
		args, old = append(args, "-p", c.Parent.ID), c.Parent.ID
	}
	out, err := result(ctx, r.change(ctx, append(args, c.Tree)...))
	if err != nil {
		return "", err
	}
	id = strings.TrimSpace(string(out))
	c.Step("before the index")
	if err := r.follow(ctx, c.Parent.Tree, c.Tree); err != nil {
		return "", err
	}
	subject, _, _ := strings.Cut(c.Message, "\n")
	c.Step("before the branch")
	kind := "commit"
	if c.Parent.ID == "" {
		kind = "commit (initial)"
	}
	if _, err := result(ctx, r.change(ctx, "update-ref", "-m", kind+": "+subject, "HEAD", id, old)); err != nil {
		var refused *CommandError
		if now, _, herr := r.Head(ctx); herr == nil && now.ID != c.Parent.ID && errors.As(err, &refused) {
			return "", &MovedError{refused.Said}
		}
		return "", err
	}
	c.Step("after the commit")
	_ = r.hook(ctx, nil, "post-commit") // git ignores its failure too
	return id, nil
}

// follow adds the differences between two trees to the work tree's own index, in one step. Everything else staged there
// is kept.
func (r *Repo) follow(ctx context.Context, from, to string) error {
	changed, err := r.top().Changes(ctx, from, to)
	if err != nil {
		return err
	}
	var in bytes.Buffer
	for _, c := range changed {
		if c.New.ID == "" {
			fmt.Fprintf(&in, "0 %s\t%s\x00", c.Old.ID, c.Path)
			continue
		}
		fmt.Fprintf(&in, "%s %s\t%s\x00", c.New.Mode, c.New.ID, c.Path)
	}
	for end := time.Now().Add(indexPatience); ; {
		cmd := r.top().change(ctx, "update-index", "-z", "--add", "--remove", "--replace", "--index-info")
		err := finish(ctx, cmd, bytes.NewReader(in.Bytes()))
		var refused *CommandError
		if !errors.As(err, &refused) || !strings.Contains(refused.Said, "index.lock") {
			return err
		}
		if time.Now().After(end) {
			lock, _ := r.path(ctx, "index.lock")
			return &BusyError{"another git holds the index: " + lock, "wait until it ends; if none runs, a git that was killed left the file: remove it"}
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// hook runs a hook of the repository in the same way as git commit.
func (r *Repo) hook(ctx context.Context, i *Index, name string, args ...string) error {
	if checkVersion(r.version, hooksSince) != nil {
		script, err := r.path(ctx, "hooks/"+name)
		if err != nil {
			return err
		}
		if _, err := os.Stat(script); err != nil {
			return nil
		}
		return &OldError{strings.TrimSpace(r.version), fmt.Sprintf("the hook %s is to be run, and %d.%d", name, hooksSince[0], hooksSince[1])}
	}
	cmd := exec.CommandContext(ctx, r.program, append([]string{"-C", r.Root, "--no-pager", "hook", "run", "--ignore-missing", name, "--"}, args...)...)
	cmd.Env = append(without(os.Environ(), own), "GIT_EDITOR=:")
	if i != nil {
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+i.file)
	}
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.WaitDelay = waitDelay
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		words := clean(said.String())
		if words == "" {
			words = err.Error()
		}
		return &HookError{name, words}
	}
	return nil
}

// hooksSince is the first version of git that can run a hook by its name.
var hooksSince = [2]int{2, 36}
