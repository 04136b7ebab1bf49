// Package git speaks with a repository through the git program. What is asked
// is plumbing, whose output is made for programs; names go with -z or on
// standard input and are taken literally; no shell, pager, editor, prompt or
// network is used, and nothing that a repository's own configuration names is
// run by a question.
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

// What Open finds missing, to be asked for with errors.Is.
var (
	ErrNoGit        = locale.Errorf("there is no program git")
	ErrNoRepository = locale.Errorf("the folder is not in a git repository")
)

// least is the oldest git that knows all that is asked here: --pathspec-from-file.
var least = [2]int{2, 25}

// OldError reports that the installed git is too old.
type OldError struct{ Have, Need string }

func (e *OldError) Error() string {
	return fmt.Sprintf("git %s is too old: %s or later is needed", e.Have, e.Need)
}

// CommandError reports that git refused.
type CommandError struct {
	Command string // "log", "commit"
	Said    string // what it wrote to standard error, one line or more; no control characters but line ends
	Err     error  // of the process
}

func (e *CommandError) Error() string {
	if e.Said == "" {
		return fmt.Sprintf("git %s: %v", e.Command, e.Err)
	}
	return fmt.Sprintf("git %s: %s", e.Command, e.Said)
}

func (e *CommandError) Unwrap() error { return e.Err }

// Repo is the repository of a folder. Its methods may be called from several
// goroutines. Paths that go in and out are relative to the folder, with
// slashes, and mean themselves: no pattern, no magic.
type Repo struct {
	Dir     string // the folder, as given
	Root    string // top of the work tree
	Prefix  string // the folder within it: "" or "a/b/"
	GitDir  string // of this work tree
	Common  string // of all work trees
	Shallow bool   // history was cut off when the repository was cloned

	program string
	version string // as git reports it
}

// Open finds git, and the repository that dir lies in.
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

// checkVersion reads what "git version" says.
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

// always are the options of every call. A repository that came in an archive may
// name programs in its configuration: a file-system monitor is one that reading
// the index would run. Replaced objects would show what no clone has.
var always = []string{"--no-pager", "--no-replace-objects", literal, "-c", "core.fsmonitor=false"}

// literal makes of paths no patterns. Commands that take no patterns refuse it.
const literal = "--literal-pathspecs"

// command prepares a call that reads. The environment's own repository, as a
// hook has it, is left out: what counts is where the folder lies.
func (r *Repo) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, r.program, slices.Concat([]string{"-C", r.Dir}, always, args)...)
	cmd.Env = append(environment(os.Environ()), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// own are the variables that would lead git elsewhere or change what it prints.
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

// output runs a command that reads, with in as its standard input, and returns what
// it prints.
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

// refusal words an error of a call.
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

// clean takes out of what git says what a terminal would obey.
func clean(said string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		if c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0) {
			return -1
		}
		return c
	}, said))
}
