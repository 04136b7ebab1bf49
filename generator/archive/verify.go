package archive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/cores"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Ids of the messages of Verify.
const (
	VerifyManifest = "verify.manifest" // the manifest is broken
	VerifyMissing  = "verify.missing"
	VerifyCut      = "verify.truncated"
	VerifyChanged  = "verify.changed"
	VerifyPointer  = "verify.pointer"  // a Git LFS pointer whose file was not fetched
	VerifyUnlisted = "verify.unlisted" // a file or a folder that no manifest lists
)

// Verified counts what Verify checked.
type Verified struct{ Manifests, Files int }

// Verify compares the files of a site's runs with their manifests. It checks files at and below the paths, or all if
// there are none. Paths and positions are relative to the site.
func Verify(dir string, paths ...string) (Verified, []result.Message, error) {
	var done Verified
	var ms []result.Message
	if len(paths) == 0 {
		paths = []string{"runs"}
	}
	folders := map[string][]string{} // by folder: its files to check
	whole := map[string]bool{}       // folders whose whole manifest is checked
	gone := map[string]bool{}        // paths that do not exist
	for _, p := range paths {
		err := files(dir, p, func(file string) { folders[path.Dir(file)] = append(folders[path.Dir(file)], path.Base(file)) }, func(folder string) {
			whole[folder] = true
			folders[folder] = slices.Clip(folders[folder]) // list empty folders too
		})
		if errors.Is(err, fs.ErrNotExist) && p == "runs" {
			continue
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, nil, err
		}
		if err != nil {
			gone[p] = true // a manifest may list it
			folders[path.Dir(p)] = append(folders[path.Dir(p)], path.Base(p))
		}
	}
	type job struct {
		folder, file string
		entry        *Entry
	}
	var jobs []job
	for folder, names := range folders {
		at := path.Join(folder, ManifestName)
		m, _, err := readManifest(filepath.Join(dir, filepath.FromSlash(folder)), at)
		var foreign *NotOursError
		var trouble *fs.PathError
		switch {
		case errors.As(err, &foreign): // as if there were no manifest
		case errors.As(err, &trouble):
			return done, nil, err
		case err != nil:
			ms = append(ms, result.Message{Pos: result.Position{File: at}, Severity: result.Error, ID: VerifyManifest,
				Text: locale.Lit(strings.TrimPrefix(err.Error(), at+": ")), Hint: locale.Textf("restore it from git: git checkout -- %s", at)})
			continue
		}
		listed := map[string]bool{ManifestName: true}
		if m != nil {
			for i := range m.Files {
				listed[m.Files[i].Name] = true
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool {
			file := path.Join(folder, name)
			if !gone[file] || listed[name] {
				return false
			}
			ms = append(ms, result.Message{Pos: result.Position{File: file}, Severity: result.Error, ID: VerifyMissing,
				Text: locale.Textf("it does not exist, and no manifest lists it"), Hint: locale.Textf("name a file or folder below runs/ by its archived name")})
			return true
		})
		if m == nil {
			if n := len(names); n > 0 { // an empty folder needs no manifest
				ms = append(ms, result.Message{Pos: result.Position{File: folder}, Severity: result.Warning, ID: VerifyUnlisted,
					Text: locale.Textf("no manifest lists these files (%s)", locale.Plural(n, "1 file", "%d files")), Hint: locale.Textf("benchpost archive writes it")})
			}
			continue
		}
		done.Manifests++
		for i := range m.Files {
			if e := &m.Files[i]; whole[folder] || slices.Contains(names, e.Name) {
				jobs = append(jobs, job{folder, e.Name, e})
			}
		}
		for _, name := range names {
			if !listed[name] {
				ms = append(ms, result.Message{Pos: result.Position{File: path.Join(folder, name)}, Severity: result.Warning, ID: VerifyUnlisted,
					Text: locale.Textf("not in the manifest of its folder"), Hint: locale.Textf("benchpost archive adds it")})
			}
		}
	}
	done.Files = len(jobs)
	found := make([]*result.Message, len(jobs))
	cores.Each(len(jobs), func(i int) {
		j := jobs[i]
		found[i] = j.entry.check(filepath.Join(dir, filepath.FromSlash(j.folder), j.file))
		if found[i] != nil {
			found[i].Pos.File = path.Join(j.folder, j.file)
		}
	})
	for _, m := range found {
		if m != nil {
			ms = append(ms, *m)
		}
	}
	result.SortMessages(ms)
	return done, ms, nil
}

// check compares a file with its entry; it returns nil if they match.
func (e *Entry) check(name string) *result.Message {
	report := func(id string, hint locale.Text, format string, args ...any) *result.Message {
		return &result.Message{Severity: result.Error, ID: id, Text: locale.Textf(format, args...), Hint: hint}
	}
	restore := locale.Textf("git log and git checkout bring back what was archived")
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return report(VerifyMissing, restore, "listed, but missing")
	}
	if err != nil {
		return report(VerifyChanged, locale.Text{}, "cannot be read: %s", result.Reason(err))
	}
	defer f.Close()
	h := sha256.New()
	head := &head{most: 1 << 10}
	size, err := io.Copy(io.MultiWriter(h, head), f)
	switch {
	case err != nil:
		return report(VerifyChanged, locale.Text{}, "cannot be read: %s", result.Reason(err))
	case size == e.Size && hex.EncodeToString(h.Sum(nil)) == e.SHA256:
		return nil
	}
	if oid, _, ok := git.Pointer(head.data); ok && size <= head.most {
		if oid == e.SHA256 {
			return report(VerifyPointer, locale.Textf("git lfs pull"), "a pointer of Git LFS; the file itself was not fetched")
		}
		return report(VerifyPointer, locale.Text{}, "a pointer of Git LFS to another file than the one listed")
	}
	if e.lineEnds(name) {
		return report(VerifyChanged, locale.Textf("put \"/runs/** -text\" into .gitattributes, and check the file out again"), "its line ends were converted, as git does with core.autocrlf")
	}
	if size < e.Size {
		return report(VerifyCut, restore, "cut off: %d of %d bytes", size, e.Size)
	}
	return report(VerifyChanged, restore, "differs from the manifest: %d bytes with SHA-256 %.12s…, listed are %d with %.12s…", size, hex.EncodeToString(h.Sum(nil)), e.Size, e.SHA256)
}

// lineEnds reports whether a file differs from the listed one only in its line ends.
func (e *Entry) lineEnds(name string) bool {
	const most = 64 << 20
	if info, err := os.Stat(name); err != nil || info.Size() > most {
		return false
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	unix := bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	for _, other := range [][]byte{unix, bytes.ReplaceAll(unix, []byte("\n"), []byte("\r\n"))} {
		if sum := sha256.Sum256(other); hex.EncodeToString(sum[:]) == e.SHA256 {
			return true
		}
	}
	return false
}

// head keeps the first bytes that are written to it.
type head struct {
	data []byte
	most int64
}

func (h *head) Write(p []byte) (int, error) {
	h.data = append(h.data, p[:min(len(p), int(h.most)-len(h.data))]...)
	return len(p), nil
}

// files passes on the files at and below a path that manifests list, and the folders that it visits. It skips hidden
// files, links, manifests and folders that benchpost generated.
func files(dir, at string, file, folder func(string)) error {
	top := filepath.Join(dir, filepath.FromSlash(at))
	info, err := os.Lstat(top)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		if info.Mode().IsRegular() {
			file(at)
		}
		return nil
	}
	entries, err := os.ReadDir(top)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == result.OutputList }) {
		return nil
	}
	folder(at)
	for _, e := range entries {
		below := path.Join(at, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
		case e.IsDir():
			if err := files(dir, below, file, folder); err != nil {
				return err
			}
		case e.Type().IsRegular() && e.Name() != ManifestName:
			file(below)
		}
	}
	return nil
}
