package git

import (
	"context"
	"os"
	"path/filepath"
	"strings"
)

// Differing returns the files at and below the paths that may differ from HEAD. It compares sizes and times with the
// index and reads no contents, so the result may include files that were only touched. It never includes files that
// HEAD does not have.
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

// HeadFiles returns files of the git directory, existing or not. At least one of them changes whenever HEAD becomes
// another commit or a shallow history is deepened.
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

// Large opens the file for a Git LFS pointer, if it is here.
func (r *Repo) Large(oid string, size int64) (*os.File, error) { return r.stored(oid, size) }
