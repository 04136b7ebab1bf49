package rundir

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/unread"
)

// unreadFile returns the kind and the reason for a file without a result. They are those found when it was read, except
// for files that plainly hold no result, and those that the author excluded with no_results.
func (l *loader) unreadFile(f *file) unread.File {
	u := unread.File{Name: f.name, Kind: f.out.Kind, Reason: f.out.Reason}
	switch {
	case l.isNoResult(f.rel):
		u.Kind, u.Reason = unread.Other, locale.Textf("named by no_results of site.toml")
	case isPlain(f.rel) && u.Kind != unread.Cut && u.Kind != unread.Unfinished:
		u.Kind, u.Reason = unread.Other, notExpected()
	}
	return u
}

// notExpected is the reason for a file that plainly holds no result.
func notExpected() locale.Text { return locale.Textf("not expected to hold a result") }

// isNoResult reports whether the author declared that a file holds no result: by a pattern of its name, of its path, or
// of a folder above it.
func (l *loader) isNoResult(rel string) bool {
	rel = l.memory.names.Disk(rel)
	return slices.ContainsFunc(l.noResults, func(pattern string) bool {
		if !strings.Contains(pattern, "/") {
			ok, _ := path.Match(pattern, path.Base(rel))
			return ok
		}
		for at := rel; at != "."; at = path.Dir(at) {
			if ok, _ := path.Match(pattern, at); ok {
				return true
			}
		}
		return false
	})
}

// manifestName is the name of the list of a folder's files that archiving writes.
const manifestName = "manifest.json"

// plainNames and plainEndings are names of files that people keep beside runs and that hold no results of a tool:
// documentation, images, programs, settings.
var (
	plainNames   = []string{"readme", "license", "licence", "copying", "notice", "changelog", "makefile", "dockerfile", "containerfile", "requirements.txt"}
	plainEndings = []string{".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico", ".pdf", ".mp4",
		".py", ".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".js", ".ts", ".go", ".c", ".h", ".cc", ".cpp", ".cu", ".rs", ".java", ".lua", ".r",
		".css", ".toml", ".ini", ".cfg", ".conf", ".service", ".j2", ".jinja", ".patch", ".diff", ".lock"}
)

// isPlain reports whether a file's name shows that it holds no result.
func isPlain(rel string) bool {
	name := strings.ToLower(path.Base(rel))
	if slices.Contains(plainEndings, path.Ext(name)) {
		return true
	}
	stem, _, _ := strings.Cut(name, ".")
	return slices.Contains(plainNames, name) || slices.Contains(plainNames, stem) || strings.HasPrefix(name, "readme")
}

// isHousekeeping reports whether a hidden file belongs to the operating system, an editor or a repository. Such files
// are not listed as unread.
func isHousekeeping(name string) bool {
	return strings.HasPrefix(name, ".") && slices.ContainsFunc([]string{".git", ".DS_Store", ".keep", ".ipynb_checkpoints", ".vscode", ".idea", ".benchpost", "._", ".#", ".nfs", ".venv", ".cache",
		".pytest_cache", ".mypy_cache", ".ruff_cache", ".editorconfig", ".dvc", ".lock", ".~", ".hg", ".svn", ".Trash", ".directory", ".stfolder"},
		func(p string) bool { return strings.HasPrefix(name, p) }) || strings.HasSuffix(name, ".swp") || strings.HasSuffix(name, ".swo")
}

// link returns the entry in Unread for a symbolic link below the root. A target inside the root is read at its own
// place, with the labels that apply there, and counts once: the link adds nothing. A target outside is not part of the
// runs.
func (l *loader) link(rel string) unread.File {
	u := unread.File{Name: l.called(rel), Kind: unread.Link}
	written, err := os.Readlink(l.path(rel))
	if err != nil {
		u.Kind, u.Reason = unread.Unreadable, locale.Textf("a symbolic link that cannot be read: %s", result.Reason(err))
		return u
	}
	written = string(l.mask.Text([]byte(written)))
	target, err := filepath.EvalSymlinks(l.path(rel))
	switch {
	case errors.Is(err, syscall.ELOOP) || err != nil && strings.Contains(err.Error(), "too many links"):
		u.Kind, u.Reason = unread.Loop, locale.Textf("a symbolic link in a circle of links")
		return u
	case errors.Is(err, fs.ErrNotExist):
		u.Reason = locale.Textf("a symbolic link to %s, which does not exist", written)
		return u
	case err != nil:
		u.Reason = locale.Textf("a symbolic link to %s: %s", written, result.Reason(err))
		return u
	}
	inside, ok := l.inside(target)
	above, _ := l.inside(filepath.Dir(l.path(rel)))
	switch {
	case !ok:
		u.Reason = locale.Textf("a symbolic link to %s, outside of the runs", written)
	case inside == "." || inside == above || strings.HasPrefix(above, inside+"/"):
		u.Kind, u.Reason = unread.Loop, locale.Textf("a symbolic link to a folder that contains it")
	case slices.ContainsFunc(strings.Split(inside, "/"), func(part string) bool { return strings.HasPrefix(part, ".") }):
		u.Reason = locale.Textf("a symbolic link to %s, which is hidden by a dot", l.called(l.memory.names.Published(inside)))
	default:
		u.Kind, u.Reason = unread.Linked, locale.Textf("the same as %s", l.called(l.memory.names.Published(inside)))
	}
	return u
}

// inside returns the slash path below the root of a place on disk, with all symbolic links resolved; false when it is
// outside the root.
func (l *loader) inside(name string) (string, bool) {
	root, err1 := filepath.EvalSymlinks(l.path(""))
	name, err2 := filepath.EvalSymlinks(name)
	if err1 == nil {
		root, err1 = filepath.Abs(root)
	}
	if err2 == nil {
		name, err2 = filepath.Abs(name)
	}
	if errors.Join(err1, err2) != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

// copied returns the files whose results are all copies of the results of one other file.
func copied(runs []entry) []unread.File {
	if !slices.ContainsFunc(runs, func(r entry) bool { return r.traits.copy }) {
		return nil
	}
	of := map[*file]string{} // the file whose results all results so far repeat; "" for several or none
	var order []*file
	for _, r := range runs {
		original := ""
		if r.traits.copy && r.Label("phase") == superseded {
			phase, _ := r.Labels.Lookup("phase")
			original = phase.Pos.File
		}
		known, seen := of[r.file]
		if !seen {
			of[r.file] = original
			order = append(order, r.file)
		} else if known != original {
			of[r.file] = ""
		}
	}
	var files []unread.File
	for _, f := range order {
		if original := of[f]; original != "" {
			files = append(files, unread.File{Name: f.name, Kind: unread.Copy, Reason: locale.Textf("the same as %s", original)})
		}
	}
	return files
}
