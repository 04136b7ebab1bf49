package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Index is an index that is separate from that of the work tree. A commit is prepared in it, unseen by others.
type Index struct {
	repo *Repo
	file string
}

// NewIndex creates an index in a file. It has the content of a commit, or none for the zero Commit. It starts from a
// copy of the work tree's own index, whose file times save reading files again, but drops what is staged there.
func (r *Repo) NewIndex(ctx context.Context, file string, base Commit) (*Index, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	i := &Index{r, file}
	if base.ID == "" {
		_, err := i.run(ctx, "read-tree", "--empty")
		return i, err
	}
	own, err := r.path(ctx, "index")
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(own)
	var data []byte
	if err == nil {
		data, err = os.ReadFile(own)
	}
	if err == nil {
		err = os.WriteFile(file, data, 0o600)
	}
	if err == nil {
		// A file written in the same second as the index may have changed since. Git reads such a file again if the
		// copy has the index's own time.
		err = os.Chtimes(file, info.ModTime(), info.ModTime())
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	_, err = i.run(ctx, "read-tree", "--reset", base.ID)
	return i, err
}

// Set adds files to the index as git add would, with the applicable filters and attributes. The paths are literal, and
// dir takes the place of the repository's folder. A path that does not exist in dir is removed from the index.
func (i *Index) Set(ctx context.Context, dir string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	root, err := i.repo.root(dir)
	if err != nil {
		return err
	}
	return i.in(ctx, root, i.repo.list(paths), "update-index", "-z", "--add", "--remove", "--replace", "--ignore-skip-worktree-entries", "--stdin")
}

// in runs a command with this index and with root as the top of the work tree.
func (i *Index) in(ctx context.Context, root string, in io.Reader, args ...string) error {
	other := *i.repo
	other.Dir = root
	cmd := other.change(ctx, args...)
	cmd.Env = append(cmd.Env, "GIT_DIR="+i.repo.GitDir, "GIT_WORK_TREE="+root, "GIT_INDEX_FILE="+i.file)
	return finish(ctx, cmd, in)
}

// root returns the folder that represents the top of the work tree if dir represents the repository's folder.
func (r *Repo) root(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for range strings.Count(r.Prefix, "/") {
		dir = filepath.Dir(dir)
	}
	return dir, nil
}

// top returns the repository with the top of its work tree as the folder.
func (r *Repo) top() *Repo {
	t := *r
	t.Dir, t.Prefix = r.Root, ""
	return &t
}

// list returns paths in the form for git's standard input.
func (r *Repo) list(paths []string) io.Reader {
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(r.Prefix + p + "\x00")
	}
	return &in
}

// Tree writes the content of the index as a tree and returns its id.
func (i *Index) Tree(ctx context.Context) (string, error) {
	out, err := i.run(ctx, "write-tree")
	return strings.TrimSpace(string(out)), err
}

// Paths lists the files in the index at and below paths; without paths, all below the folder.
func (i *Index) Paths(ctx context.Context, paths ...string) ([]string, error) {
	out, err := i.run(ctx, append([]string{"ls-files", "-z", "--full-name", "--"}, paths...)...)
	var all []string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name, inside := strings.CutPrefix(line, i.repo.Prefix); inside && name != "" {
			all = append(all, name)
		}
	}
	return all, err
}

// Checkout writes files from the index to dir, which takes the place of the repository's folder. As in a checkout, line
// ends are converted and filters run.
func (i *Index) Checkout(ctx context.Context, dir string, paths []string) error {
	root, err := i.repo.root(dir)
	if err != nil || len(paths) == 0 {
		return err
	}
	// The attributes are those in the index, because dir contains no file with attributes.
	return i.in(ctx, root, i.repo.list(paths), "checkout-index", "-z", "--force", "--stdin")
}

// run runs a command with this index.
func (i *Index) run(ctx context.Context, args ...string) ([]byte, error) {
	cmd := i.repo.change(ctx, args...)
	cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+i.file)
	return result(ctx, cmd)
}

// change prepares a command that writes, or that asks about what is to be written.
func (r *Repo) change(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, append(append([]string{"-C", r.Dir}, always...), args...)...)
	cmd.Env = append(environment(os.Environ()), "GIT_NO_LAZY_FETCH=1")
	cmd.WaitDelay = waitDelay
	return cmd
}

// finish runs a command and discards its output.
func finish(ctx context.Context, cmd *exec.Cmd, in io.Reader) error {
	cmd.Stdin = in
	_, err := result(ctx, cmd)
	return err
}

// result runs a command and returns its output.
func result(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return out.Bytes(), refusal(ctx, verb(cmd.Args), said.String(), err)
	}
	return out.Bytes(), nil
}

// verb returns the command of a call: the first word that is not an option of git itself.
func verb(args []string) string {
	for i := 1; i < len(args); i++ {
		switch {
		case args[i] == "-C" || args[i] == "-c":
			i++
		case !strings.HasPrefix(args[i], "-"):
			return args[i]
		}
	}
	return ""
}

// path returns the path of a file in the repository's git directory.
func (r *Repo) path(ctx context.Context, name string) (string, error) {
	out, err := r.output(ctx, nil, "rev-parse", "--git-path", name)
	p := filepath.FromSlash(strings.TrimSuffix(string(out), "\n"))
	if err == nil && !filepath.IsAbs(p) {
		p = filepath.Join(r.Dir, p)
	}
	return p, err
}

// Sparse returns the files at and below paths that a sparse checkout leaves out of the work tree.
func (r *Repo) Sparse(ctx context.Context, paths ...string) ([]string, error) {
	out, err := r.output(ctx, nil, append([]string{"ls-files", "-z", "-t", "--full-name", "--"}, paths...)...)
	var all []string
	for line := range strings.SplitSeq(string(out), "\x00") {
		if name, ok := strings.CutPrefix(line, "S "+r.Prefix); ok {
			all = append(all, name)
		}
	}
	return all, err
}

// Status is a path that differs from the last commit in the index or in the work tree, with the letters of git status.
type Status struct {
	Path            string
	Index, WorkTree byte
}

// Status returns what differs from the last commit at and below paths, including untracked files.
func (r *Repo) Status(ctx context.Context, paths ...string) ([]Status, error) {
	out, err := r.output(ctx, nil, append([]string{"status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	var all []Status
	for line := range strings.SplitSeq(string(out), "\x00") {
		if len(line) < 4 {
			continue
		}
		if name, inside := strings.CutPrefix(line[3:], r.Prefix); inside {
			all = append(all, Status{name, line[0], line[1]})
		}
	}
	return all, nil
}

// LFS reports whether Git LFS is set up: the program is installed, and git is configured to use it.
func (r *Repo) LFS(ctx context.Context) bool {
	_, err := exec.LookPath("git-lfs")
	filter, ferr := r.Setting(ctx, "filter.lfs.clean")
	return err == nil && ferr == nil && filter != ""
}

// Ignored is a path that the repository ignores, and the line that says so.
type Ignored struct {
	Path, File, Pattern string
	Line                string
}

// Ignored returns those of the paths that the repository ignores.
func (r *Repo) Ignored(ctx context.Context, paths []string) ([]Ignored, error) {
	const here = "./" // so that no path begins with pathspec magic
	var in bytes.Buffer
	for _, p := range paths {
		in.WriteString(here + r.Prefix + p + "\x00")
	}
	cmd := r.top().command(ctx, "check-ignore", "-z", "--verbose", "--stdin")
	cmd.Args = slices.DeleteFunc(cmd.Args, func(arg string) bool { return arg == literal })
	cmd.Stdin = &in
	var list, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &list, &said
	err := cmd.Run()
	if err != nil {
		err = refusal(ctx, "check-ignore", said.String(), err)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 { // no path is ignored
		err = nil
	}
	var all []Ignored
	fields := strings.Split(list.String(), "\x00")
	for ; err == nil && len(fields) >= 4; fields = fields[4:] {
		if !strings.HasPrefix(fields[2], "!") {
			all = append(all, Ignored{strings.TrimPrefix(fields[3], here+r.Prefix), fields[0], fields[2], fields[1]})
		}
	}
	return all, err
}

// Attribute returns the values of an attribute by path. Paths without the attribute are omitted.
func (r *Repo) Attribute(ctx context.Context, name string, paths []string) (map[string]string, error) {
	out, err := r.top().output(ctx, r.list(paths), "check-attr", "-z", "--stdin", name)
	values := map[string]string{}
	fields := strings.Split(string(out), "\x00")
	for ; err == nil && len(fields) >= 3; fields = fields[3:] {
		if fields[2] != "unspecified" {
			values[strings.TrimPrefix(fields[0], r.Prefix)] = fields[2]
		}
	}
	return values, err
}

// Setting returns a value from git's configuration, "" if it is not set.
func (r *Repo) Setting(ctx context.Context, name string) (string, error) {
	out, err := r.output(ctx, nil, "config", "--get", name)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", nil
	}
	return strings.TrimSuffix(string(out), "\n"), err
}

// TreeChange is a file that differs between two trees.
type TreeChange struct {
	Path     string
	Old, New Entry // zero if the file does not exist
}

// Changes returns the files below the folder that differ between two trees. An empty id means the empty tree.
func (r *Repo) Changes(ctx context.Context, from, to string) ([]TreeChange, error) {
	for _, id := range []*string{&from, &to} {
		if *id == "" {
			out, err := result(ctx, r.change(ctx, "mktree"))
			if err != nil {
				return nil, err
			}
			*id = strings.TrimSpace(string(out))
		}
	}
	out, err := r.top().output(ctx, nil, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to)
	if err != nil {
		return nil, err
	}
	var all []TreeChange
	tokens := strings.Split(string(out), "\x00")
	for ; len(tokens) >= 2; tokens = tokens[2:] {
		f := strings.Fields(strings.TrimPrefix(tokens[0], ":"))
		if len(f) != 5 {
			return nil, locale.Errorf("git diff-tree: %q is not understood", tokens[0])
		}
		name, inside := strings.CutPrefix(tokens[1], r.Prefix)
		if !inside {
			continue
		}
		c := TreeChange{Path: name}
		if f[4] != "A" {
			c.Old = Entry{Path: name, Mode: f[0], ID: f[2]}
		}
		if f[4] != "D" {
			c.New = Entry{Path: name, Mode: f[1], ID: f[3]}
		}
		all = append(all, c)
	}
	return all, nil
}
