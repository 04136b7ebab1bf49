package git

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/locale"
)

// Commit is a revision.
type Commit struct {
	ID      string // hexadecimal, full length
	Tree    string
	Parents []string  // none for the first commit, and for one where a shallow clone ends
	Author  string    // without control characters, like Subject
	Time    time.Time // author date, in the author's zone
	Subject string    // first paragraph of the message in one line
}

// Short returns the abbreviated id of the commit.
func (c Commit) Short() string { return c.ID[:min(len(c.ID), 10)] }

// UnknownRevisionError reports that no revision in the repository has the name.
type UnknownRevisionError struct {
	Name    string
	Shallow bool // it may exist in the part of the history that is not here
}

func (e *UnknownRevisionError) Error() string {
	if e.Shallow {
		return fmt.Sprintf("no revision %q here; the clone is shallow: git fetch --unshallow brings the rest", e.Name)
	}
	return fmt.Sprintf("no revision %q", e.Name)
}

// format is the format that header parses; each field ends with NUL.
const (
	format  = "%H%x00%T%x00%P%x00%an%x00%aI%x00%s%x00"
	nfields = 6
)

// header parses the fields of a commit, given without the NULs.
func header(fields []string) (Commit, error) {
	when, err := time.Parse(time.RFC3339, fields[4])
	if err != nil {
		return Commit{}, locale.Errorf("commit %s: %s", fields[0], err)
	}
	return Commit{fields[0], fields[1], strings.Fields(fields[2]), clean(fields[3]), when, clean(fields[5])}, nil
}

// Resolve returns the commit with a name, as understood by git rev-parse: a branch, a tag, HEAD~2, an abbreviated id.
func (r *Repo) Resolve(ctx context.Context, rev string) (Commit, error) {
	unknown := &UnknownRevisionError{rev, r.Shallow}
	if rev == "" || strings.HasPrefix(rev, "-") || strings.ContainsAny(rev, "\x00\n") {
		return Commit{}, unknown
	}
	id := rev
	for _, what := range []string{"", "^{commit}"} { // in two steps, since ":/words" would include what is appended
		out, err := r.output(ctx, nil, "rev-parse", "--verify", "--quiet", id+what)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return Commit{}, unknown
		} else if err != nil {
			return Commit{}, err
		}
		id = strings.TrimSpace(string(out))
	}
	out, err := r.output(ctx, nil, "log", "-1", "--no-show-signature", "--encoding=UTF-8", "--no-patch", "--no-color", "--format="+format, id, "--")
	if err != nil {
		return Commit{}, err
	}
	fields := strings.Split(string(out), "\x00")
	if len(fields) <= nfields {
		return Commit{}, locale.Errorf("git log: commit %s is not understood", id)
	}
	return header(fields)
}

// Head returns the commit that is checked out; ok is false before the first one.
func (r *Repo) Head(ctx context.Context) (c Commit, ok bool, err error) {
	c, err = r.Resolve(ctx, "HEAD")
	var unknown *UnknownRevisionError
	if errors.As(err, &unknown) {
		return Commit{}, false, nil
	}
	return c, err == nil, err
}

// Change is a commit and the files it changed.
type Change struct {
	Commit
	Files []FileChange // in git's order; none for a merge without changes
}

// FileChange is one file before and after a commit.
type FileChange struct {
	Path     string
	Old, New string // ids of the blobs; "" if absent, or a link or submodule
}

// Log returns the commits up to rev that changed any of the paths, oldest first. It follows first parents, so changes
// in a merged branch belong to the merge. A rename is a removal and an addition. In a shallow clone the first commit is
// the oldest available one, which appears to add everything that existed then.
func (r *Repo) Log(ctx context.Context, rev string, paths ...string) ([]Change, error) {
	c, err := r.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	out, err := r.output(ctx, nil, append([]string{"-c", "log.showRoot=true", "log", "--reverse", "--first-parent", "-m", "-z", "--raw", "--no-abbrev", "--no-renames",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--encoding=UTF-8", "--format=" + format, c.ID, "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	return changes(string(out), r.Prefix)
}

// changes parses the log: the fields of a commit, and for each file its modes, ids and status, and its path.
func changes(out, prefix string) ([]Change, error) {
	var all []Change
	tokens := strings.Split(out, "\x00")
	for len(tokens) > 0 {
		token := strings.TrimLeft(tokens[0], "\n")
		switch {
		case token == "":
			tokens = tokens[1:]
		case token[0] == ':':
			f := strings.Fields(token[1:])
			if len(f) != 5 || len(tokens) < 2 || len(all) == 0 {
				return nil, locale.Errorf("git log: %q is not understood", token)
			}
			path, inside := strings.CutPrefix(tokens[1], prefix)
			if inside {
				last := &all[len(all)-1]
				last.Files = append(last.Files, FileChange{path, blob(f[0], f[2]), blob(f[1], f[3])})
			}
			tokens = tokens[2:]
		case len(tokens) > nfields:
			fields := append([]string{token}, tokens[1:nfields]...)
			c, err := header(fields)
			if err != nil {
				return nil, err
			}
			all = append(all, Change{Commit: c})
			tokens = tokens[nfields:]
		default:
			return nil, locale.Errorf("git log: %q is not understood", token)
		}
	}
	return all, nil
}

// blob returns the id of a file, "" for anything else.
func blob(mode, id string) string {
	if !isFile(mode) || strings.Trim(id, "0") == "" {
		return ""
	}
	return id
}

func isFile(mode string) bool { return strings.HasPrefix(mode, "100") }
