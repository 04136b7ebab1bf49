package git

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
)

// Entry is what a revision holds at a path.
type Entry struct {
	Path string
	Mode string // as git writes it: "100644" a file, "120000" a link, "160000" a submodule
	ID   string
	Size int64 // of a file or link
}

// IsFile distinguishes a file from a link and a submodule.
func (e Entry) IsFile() bool { return isFile(e.Mode) }

// Tree lists what a revision holds at and below the paths, all below the
// folder when there are none, in git's order. A path that is not there is no error.
func (r *Repo) Tree(ctx context.Context, rev string, paths ...string) ([]Entry, error) {
	c, err := r.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	var out []byte
	if r.Prefix == "" || r.holds(ctx, c.ID) {
		// The folder's own tree, so that no path is relative to another folder.
		out, err = r.output(ctx, nil, "ls-tree", "-r", "-l", "-z", "--full-tree", c.ID+":"+r.Prefix)
	}
	if err != nil {
		return nil, err
	}
	var entries []Entry
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if line == "" {
			continue
		}
		about, name, _ := strings.Cut(line, "\t")
		f := strings.Fields(about) // mode, type, id, size
		if len(f) != 4 {
			return nil, locale.Errorf("git ls-tree: %q is not understood", line)
		}
		size, _ := strconv.ParseInt(f[3], 10, 64) // "-" for a submodule
		within := func(p string) bool { p = path.Clean(p); return p == "." || name == p || strings.HasPrefix(name, p+"/") }
		if len(paths) == 0 || slices.ContainsFunc(paths, within) {
			entries = append(entries, Entry{name, f[0], f[2], size})
		}
	}
	return entries, nil
}

// holds reports whether a commit has the folder.
func (r *Repo) holds(ctx context.Context, commit string) bool {
	_, err := r.output(ctx, nil, "rev-parse", "--verify", "--quiet", commit+":"+r.Prefix)
	return err == nil
}

// MissingError reports that the repository knows of an object and does not have it, as
// a partial clone.
type MissingError struct{ ID string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("object %s is not here; git fetch --refetch brings what a partial clone left out", e.ID)
}

// Blobs reads the files with the ids, one after the other in their order.
func (r *Repo) Blobs(ctx context.Context, ids []string, each func(id string, data []byte) error) error {
	return r.contents(ctx, ids, func(id string, size int64, in io.Reader) error {
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return err
		}
		return each(id, data)
	})
}

// contents streams the files with the ids, in their order, out of one process.
func (r *Repo) contents(ctx context.Context, ids []string, each func(id string, size int64, in io.Reader) error) (err error) {
	if len(ids) == 0 {
		return nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(strings.Join(ids, "\n") + "\n")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			cancel() // it may wait to write the rest
		}
		if ended := cmd.Wait(); err == nil && ended != nil {
			err = refusal(ctx, "cat-file", said.String(), ended)
		}
	}()
	in := bufio.NewReaderSize(out, 64<<10)
	for _, id := range ids {
		head, err := in.ReadString('\n')
		if err == io.EOF {
			return refusal(ctx, "cat-file", said.String(), io.ErrUnexpectedEOF)
		} else if err != nil {
			return err
		}
		f := strings.Fields(head) // id, type, size
		if len(f) == 2 && f[1] == "missing" {
			return &MissingError{id}
		}
		if len(f) != 3 || f[1] != "blob" {
			return locale.Errorf("git cat-file: %q is not a file", strings.TrimSpace(head))
		}
		size, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			return locale.Errorf("git cat-file: %s", err)
		}
		data := io.LimitReader(in, size)
		if err := each(id, size, data); err != nil {
			return err
		}
		if _, err := io.Copy(io.Discard, data); err != nil {
			return err
		}
		if _, err := in.Discard(1); err != nil { // the line end behind it
			return err
		}
	}
	return nil
}

// Exported is what Export wrote and what it could not, by path.
type Exported struct {
	Files      int
	Links      []string // symbolic links: not made, as they may lead anywhere
	Submodules []string
	Pointers   []string // of Git LFS, whose files are not here; the pointers are written
	Unfit      []string // names that this file system must not or cannot hold
}

// Export writes the files of a revision at and below the paths to dst, as they are
// stored: no line end is converted and no filter run. Large files that git keeps only
// pointers of are taken from the repository's own store of Git LFS.
func (r *Repo) Export(ctx context.Context, rev, dst string, paths ...string) (Exported, error) {
	entries, err := r.Tree(ctx, rev, paths...)
	if err != nil {
		return Exported{}, err
	}
	root, err := os.OpenRoot(dst)
	if err != nil {
		return Exported{}, err
	}
	defer root.Close()
	var done Exported
	var ids []string
	var names []string
	for _, e := range entries {
		switch {
		case e.Mode == "120000":
			done.Links = append(done.Links, e.Path)
		case !e.IsFile():
			done.Submodules = append(done.Submodules, e.Path)
		case !fit(e.Path):
			done.Unfit = append(done.Unfit, e.Path)
		default:
			ids, names = append(ids, e.ID), append(names, e.Path)
		}
	}
	err = r.contents(ctx, ids, func(_ string, size int64, in io.Reader) error {
		name := names[0]
		names = names[1:]
		if err := root.MkdirAll(filepath.FromSlash(path.Dir(name)), 0o755); err != nil {
			return err
		}
		if size <= pointerSize {
			data, err := io.ReadAll(in)
			if err != nil {
				return err
			}
			in = bytes.NewReader(data)
			if oid, length, ok := Pointer(data); ok {
				if stored, err := r.stored(oid, length); err == nil {
					defer stored.Close()
					in = stored
				} else {
					done.Pointers = append(done.Pointers, name)
				}
			}
		}
		f, err := root.Create(filepath.FromSlash(name))
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, in); err != nil {
			f.Close()
			return err
		}
		done.Files++
		return f.Close()
	})
	return done, err
}

// fit reports whether a path of a tree may be written: trees can be made with names
// that git itself refuses to check out.
func fit(name string) bool {
	if !filepath.IsLocal(filepath.FromSlash(name)) || strings.ContainsAny(name, "\x00\\") && filepath.Separator == '\\' {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "" || part == "." || strings.EqualFold(part, ".git") {
			return false
		}
	}
	return true
}

// pointerSize bounds a pointer of Git LFS.
const pointerSize = 1024

// Pointer reads a pointer of Git LFS: the SHA-256 and the size of the file it points to.
// Source: the specification of Git LFS, docs/spec.md.
func Pointer(data []byte) (oid string, size int64, ok bool) {
	if len(data) > pointerSize || !bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/")) {
		return "", 0, false
	}
	for line := range strings.Lines(string(data)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch key {
		case "oid":
			oid = strings.TrimPrefix(value, "sha256:")
		case "size":
			size, _ = strconv.ParseInt(value, 10, 64)
		}
	}
	sum, err := hex.DecodeString(oid)
	return oid, size, err == nil && len(sum) == sha256.Size
}

// stored opens a file in the repository's store of Git LFS, which holds it when it
// has the size.
func (r *Repo) stored(oid string, size int64) (*os.File, error) {
	f, err := os.Open(filepath.Join(r.Common, "lfs", "objects", oid[:2], oid[2:4], oid))
	if err != nil {
		return nil, err
	}
	if info, err := f.Stat(); err != nil || info.Size() != size {
		f.Close()
		return nil, locale.Errorf("the stored file %s is incomplete", oid)
	}
	return f, nil
}
