package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Differing returns the paths at and below some whose files may not be what HEAD has:
// the index shows that by size and time, so that one only touched is among them, and
// nothing is read. Files that HEAD does not have are not among them.
func (r *Repo) Differing(ctx context.Context, paths ...string) ([]string, error) {
	out, err := r.output(ctx, nil, append([]string{"diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all", "--diff-filter=DMT", "HEAD", "--"}, paths...)...)
	if err != nil {
		return nil, err
	}
	var differing []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		if path, inside := strings.CutPrefix(name, r.Prefix); inside && path != "" {
			differing = append(differing, path)
		}
	}
	return differing, nil
}

// HeadFiles returns the files of the repository, there or not, of which one changes
// whenever HEAD becomes another commit or a shallow history gets deeper.
func (r *Repo) HeadFiles() []string {
	head := filepath.Join(r.GitDir, "HEAD")
	files := []string{head, filepath.Join(r.Common, "packed-refs"), filepath.Join(r.Common, "shallow"),
		filepath.Join(r.GitDir, "reftable", "tables.list"), filepath.Join(r.Common, "reftable", "tables.list")}
	if data, err := os.ReadFile(head); err == nil {
		if ref, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "ref: "); ok && filepath.IsLocal(filepath.FromSlash(ref)) {
			files = append(files, filepath.Join(r.GitDir, filepath.FromSlash(ref)), filepath.Join(r.Common, filepath.FromSlash(ref)))
		}
	}
	return files
}

// Large opens the file that a pointer of Git LFS points to, if it is here.
func (r *Repo) Large(oid string, size int64) (*os.File, error) { return r.stored(oid, size) }
