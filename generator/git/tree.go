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

// Entry is a file, link or submodule in a revision.
type Entry struct {
	Path string
	Mode string // as in git: "100644" for a file, "120000" for a link, "160000" for a submodule
	ID   string
	Size int64 // of a file or link in bytes
}

// IsFile reports whether the entry is a file, not a link or submodule.
func (e Entry) IsFile() bool { return isFile(e.Mode) }

// Tree lists the entries of a revision at and below the paths, or all below the folder without paths, in git's order.
// It ignores paths that do not exist.
func (r *Repo) Tree(ctx context.Context, rev string, paths ...string) ([]Entry, error) {
	c, err := r.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	var out []byte
	if r.Prefix == "" || r.holds(ctx, c.ID) {
		// List the folder's own tree, so that the paths are relative to it.
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

// holds reports whether the folder exists in a commit.
func (r *Repo) holds(ctx context.Context, commit string) bool {
	_, err := r.output(ctx, nil, "rev-parse", "--verify", "--quiet", commit+":"+r.Prefix)
	return err == nil
}

// MissingError reports that the repository refers to an object that it does not have, as in a partial clone.
type MissingError struct{ ID string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("object %s is not here; git fetch --refetch brings what a partial clone left out", e.ID)
}

// Blobs reads the files with the given ids in their order.
func (r *Repo) Blobs(ctx context.Context, ids []string, each func(id string, data []byte) error) error {
	return r.contents(ctx, ids, func(id string, size int64, in io.Reader) error {
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return err
		}
		return each(id, data)
	})
}

// contents streams the files with the given ids in their order, with a single process.
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
			cancel() // git may be waiting to write the rest
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
		if _, err := in.Discard(1); err != nil { // the line end after it
			return err
		}
	}
	return nil
}

// Exported says what Export wrote and what it could not write, by path.
type Exported struct {
	Files      int
	Links      []string // symbolic links: not created, since they may lead anywhere
	Submodules []string
	Pointers   []string // Git LFS pointers, written because the file itself is not here
	Unfit      []string // names that must not or cannot be written to this file system
}

// Export writes the files of a revision at and below the paths to dst as they are stored: it does not convert line ends
// or run filters. It replaces Git LFS pointers by the files in the repository's own LFS store.
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

// fit reports whether a path of a tree may be written. Trees can contain names that git itself refuses to check out.
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

// pointerSize is the greatest size of a Git LFS pointer in bytes.
const pointerSize = 1024

// Pointer parses a Git LFS pointer: the SHA-256 and the size of the file it points to. Source: the Git LFS
// specification, docs/spec.md.
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

// stored opens a file in the repository's LFS store, if it exists there with the given size.
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
