// Package git accesses a repository through the git program. It uses plumbing commands, whose output is made for
// programs. Names are passed with -z or on standard input, and are taken literally. No shell, pager, editor, prompt or
// network is used, and reading commands run nothing that the repository's own configuration names.
package git

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
	"time"

	"github.com/benchpost/benchpost/generator/lazy"
	"github.com/benchpost/benchpost/generator/locale"
)

// Errors of Open, to be tested with errors.Is.
var (
	ErrNoGit        = locale.Errorf("there is no program git")
	ErrNoRepository = locale.Errorf("the folder is not in a git repository")
)

// least is the oldest version of git that supports everything used here, in particular --pathspec-from-file.
var least = [2]int{2, 25}

// OldError reports that the installed git is too old.
type OldError struct{ Have, Need string }

func (e *OldError) Error() string {
	return fmt.Sprintf("git %s is too old: %s or later is needed", e.Have, e.Need)
}

// CommandError reports that a git command failed.
type CommandError struct {
	Command string // "log", "commit"
	Said    string // its standard error, one or more lines, without control characters except line ends
	Err     error  // of the process
}

func (e *CommandError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("git %s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf("git %s: %s", e.Command, e.Said)
}

func (e *CommandError) Unwrap() error { return e.Err }

// Repo is the repository that contains a folder. Its methods may be called concurrently. Paths in arguments and results
// are slash paths relative to the folder. They are taken literally, not as patterns or pathspecs.
type Repo struct {
	Dir     string // the folder, as given
	Root    string // top of the work tree
	Prefix  string // the folder relative to Root: "" or "a/b/"
	GitDir  string // git directory of this work tree
	Common  string // git directory shared by all work trees
	Shallow bool   // the clone does not have the whole history

	program string
	version string // output of git version
}

// Open finds git, and the repository that contains dir.
func Open(ctx context.Context, dir string) (*Repo, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, locale.Errorf("%s: %s", ErrNoGit, err)
	}
	r := &Repo{Dir: dir, program: program}
	out, err := r.output(ctx, nil, "version")
	if err != nil {
		return nil, err
	}
	if err := checkVersion(string(out), least); err != nil {
		return nil, err
	}
	r.version = string(out)
	out, err = r.output(ctx, nil, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository", "--absolute-git-dir", "--git-common-dir", "--show-prefix", "--show-toplevel")
	if err != nil {
		var refused *CommandError
		if errors.As(err, &refused) && (strings.Contains(refused.Said, "not a git repository") || strings.Contains(refused.Said, "must be run in a work tree")) {
			return nil, locale.Errorf("%s: %s", dir, ErrNoRepository)
		}
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != 6 {
		return nil, locale.Errorf("%s: the path of the repository has a line break", dir)
	}
	if lines[0] != "true" {
		return nil, locale.Errorf("%s: %s", dir, ErrNoRepository)
	}
	r.Shallow, r.GitDir, r.Common, r.Prefix, r.Root = lines[1] == "true", filepath.FromSlash(lines[2]), filepath.FromSlash(lines[3]), lines[4], filepath.FromSlash(lines[5])
	if !filepath.IsAbs(r.Common) {
		abs, err := filepath.Abs(filepath.Join(dir, r.Common))
		if err != nil {
			return nil, err
		}
		r.Common = abs
	}
	return r, nil
}

var versionNumber = lazy.Regexp(`(\d+)\.(\d+)`)

// checkVersion parses the output of "git version" and returns an OldError for an old version.
func checkVersion(said string, least [2]int) error {
	m := versionNumber().FindStringSubmatch(said)
	if m == nil {
		return locale.Errorf("git does not report its version: %q", clean(said))
	}
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if slices.Compare([]int{major, minor}, least[:]) < 0 {
		return &OldError{m[0], fmt.Sprintf("%d.%d", least[0], least[1])}
	}
	return nil
}

// always lists options for every call. The configuration of a repository from an untrusted archive may name programs;
// git would run a file system monitor even when it reads the index. Replacement objects are ignored, since no clone has
// them.
var always = []string{"--no-pager", "--no-replace-objects", literal, "-c", "core.fsmonitor=false"}

// literal makes git take paths literally. Commands that accept no patterns reject it.
const literal = "--literal-pathspecs"

// command prepares a reading command. It ignores a repository given by the environment, as in a hook, since the
// folder's own repository is meant.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, slices.Concat([]string{"-C", r.Dir}, always, args)...)
	cmd.Env = append(environment(os.Environ()), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// own lists variables that would make git use another repository or change its output.
var own = []string{
	"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
	"GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_REPLACE_REF_BASE", "GIT_QUARANTINE_PATH",
	"GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_LITERAL_PATHSPECS", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS",
}

func environment(environ []string) []string {
	return append(without(environ, append([]string{"LC_ALL", "LANGUAGE"}, own...)), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0")
}

func without(environ, names []string) []string {
	return slices.DeleteFunc(environ, func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.Contains(names, strings.ToUpper(name))
	})
}

// output runs a reading command, with in as its standard input, and returns its standard output.
func (r *Repo) output(ctx context.Context, in io.Reader, args ...string) ([]byte, error) {
	cmd := r.command(ctx, args...)
	cmd.Stdin = in
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return nil, refusal(ctx, args[0], said.String(), err)
	}
	return out.Bytes(), nil
}

// refusal returns the error for a failed call.
func refusal(ctx context.Context, command, said string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	said = clean(said)
	for _, prefix := range []string{"fatal: ", "error: "} {
		said = strings.TrimPrefix(said, prefix)
	}
	return &CommandError{command, said, err}
}

// clean removes control characters, except newlines, from git's output, since a terminal would obey them.
func clean(said string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0) {
			return -1
		}
		return c
	}, said))
}
