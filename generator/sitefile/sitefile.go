// Package sitefile opens regular files, and files of a site that may be published. Such a file must not lead out of the
// site, into something hidden there, or to something that is not a regular file, whatever an author links to or a
// commit adds.
//
//	data, err := sitefile.Read("site.toml") // a regular file, never a pipe
//	data, err := sitefile.In(dir, "content", "runs").Read("content/posts/a.png")
//	err := sitefile.In(dir, "content", "runs").Check(name) // without reading the file
//	layouts := sitefile.In(dir, "layouts").FS("layouts")
//
// A *Refusal error says why a file is refused. Other errors are from the system.
package sitefile

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/benchpost/benchpost/generator/locale"
)

// Refusal is the error for a file that exists but must not be read.
type Refusal struct {
	Name   string      // as requested
	Why    locale.Text // follows the name: "is hidden"
	Hint   locale.Text // what to do
	Folder bool        // it is a folder, and nothing else is wrong
}

func (r *Refusal) Error() string { return r.Name + " " + locale.English(r.Why) }

// Text returns the message of the error for any language.
func (r *Refusal) Text() locale.Text { return locale.Textf("%s %s", r.Name, r.Why) }

// Open opens a regular file for reading. It refuses everything else, and does not wait for a pipe. It follows symbolic
// links.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // even opening a device may have effects
		return nil, irregular(name, info.Mode())
	}
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() { // it was replaced in the meantime
		err = irregular(name, info.Mode())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Read reads a file that is opened as Open does.
func Read(name string) ([]byte, error) { return readAll(Open(name)) }

// ReadNoted does what Read does, and returns the file's info from before reading.
func ReadNoted(name string) ([]byte, fs.FileInfo, error) { return readNoted(Open(name)) }

func readAll(f *os.File, err error) ([]byte, error) {
	data, _, err := readNoted(f, err)
	return data, err
}

func readNoted(f *os.File, err error) ([]byte, fs.FileInfo, error) {
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, err
	}
	var data bytes.Buffer
	data.Grow(int(min(info.Size(), 1<<30)) + bytes.MinRead) // avoids growing the buffer
	_, err = data.ReadFrom(f)
	return data.Bytes(), info, err
}

// irregular returns the Refusal for something that is not a regular file.
func irregular(name string, mode fs.FileMode) *Refusal {
	what := locale.Textf("is not a regular file")
	switch {
	case mode.IsDir():
		return &Refusal{name, locale.Textf("is a folder"), locale.Textf("link the files in it one by one"), true}
	case mode&fs.ModeNamedPipe != 0:
		what = locale.Textf("is a pipe")
	case mode&fs.ModeSocket != 0:
		what = locale.Textf("is a socket")
	case mode&fs.ModeDevice != 0:
		what = locale.Textf("is a device")
	}
	return &Refusal{Name: name, Why: what, Hint: locale.Textf("replace it with a file, or remove it")}
}

// Folders are the folders of a site from which files may be read.
type Folders struct {
	dir   string
	top   []string
	moved map[string]string // actual paths of folders outside the site; nil for none
}

// In returns the named folders at the top of the site in dir.
func In(dir string, top ...string) Folders { return Folders{dir: dir, top: top} }

// With returns a copy of s in which one of the folders is at another place.
func (s Folders) With(folder, place string) Folders {
	moved := maps.Clone(s.moved)
	if moved == nil {
		moved = map[string]string{}
	}
	moved[folder] = place
	s.moved = moved
	return s
}

// Open opens a file by its slash path relative to the site. It follows symbolic links that lead to a file in the
// folders. Each path element is opened relative to the one before, and compared with what is there. So a path that is
// changed at the same time cannot lead elsewhere.
func (s Folders) Open(name string) (*os.File, error) {
	f, err := s.walk(name)
	var no *Refusal
	switch {
	case errors.As(err, &no):
		no.Name = name
	case err != nil:
		return nil, &fs.PathError{Op: "open", Path: name, Err: cause(err)}
	}
	return f, err
}

// Read reads a file that is opened as s.Open does.
func (s Folders) Read(name string) ([]byte, error) { return readAll(s.Open(name)) }

// Check returns the error that Open would return.
func (s Folders) Check(name string) error {
	f, err := s.Open(name)
	if err == nil {
		err = f.Close()
	}
	return err
}

// mostLinks is the greatest number of symbolic links that are followed.
const mostLinks = 40

func (s Folders) walk(name string) (*os.File, error) {
	todo := path.Clean(name)
	for range mostLinks {
		if err := s.allowed(todo); err != nil {
			return nil, err
		}
		f, next, err := s.follow(todo)
		if f != nil || err != nil {
			return f, err
		}
		todo = next
	}
	return nil, &Refusal{Why: locale.Textf("is a link that leads to itself"), Hint: locale.Textf("link to a file")}
}

// allowed returns the reason why a path is refused, nil for none. The path contains no known symbolic links.
func (s Folders) allowed(name string) error {
	if !filepath.IsLocal(filepath.FromSlash(name)) || path.IsAbs(name) {
		return &Refusal{Why: locale.Textf("is outside of the site"), Hint: locale.Textf("copy the file into %s", s.words())}
	}
	steps := strings.Split(name, "/")
	for _, step := range steps {
		if step != "." && strings.HasPrefix(step, ".") {
			return &Refusal{Why: locale.Textf("is hidden: a name in its path begins with a dot"), Hint: locale.Textf("hidden files are not published; copy the file to a place that is not hidden")}
		}
	}
	if !slices.Contains(s.top, steps[0]) {
		return &Refusal{Why: locale.Textf("is not in %s", s.words()), Hint: locale.Textf("copy the file into %s", s.words())}
	}
	return nil
}

// words returns the names of the folders for a message.
func (s Folders) words() string {
	names := make([]string, len(s.top))
	for i, t := range s.top {
		names[i] = t + "/"
	}
	return strings.Join(names, " or ")
}

// follow opens a path element by element, up to the file or to the first symbolic link. Next is the path with that link
// replaced by its target.
func (s Folders) follow(name string) (f *os.File, next string, err error) {
	steps := strings.Split(name, "/")
	dir, first := s.dir, 0
	if place, moved := s.moved[steps[0]]; moved && len(steps) > 1 {
		dir, first = place, 1
	}
	at, err := os.OpenRoot(dir)
	if err != nil {
		return nil, "", err
	}
	defer func() { at.Close() }()
	for i := first; i < len(steps); i++ {
		step := steps[i]
		info, err := at.Lstat(step)
		if err != nil {
			return nil, "", err
		}
		rest := path.Join(steps[i+1:]...)
		switch last := i+1 == len(steps); {
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := at.Readlink(step)
			if err != nil {
				return nil, "", err
			}
			return nil, path.Join(s.target(path.Join(steps[:i]...), target), rest), nil
		case !last && !info.IsDir():
			return nil, "", fs.ErrNotExist
		case last && !info.Mode().IsRegular():
			return nil, "", irregular(name, info.Mode())
		case last:
			return same(at.OpenFile(step, os.O_RDONLY|syscall.O_NONBLOCK, 0))(at, step)
		}
		below, err := at.OpenRoot(step)
		if err != nil {
			return nil, "", err
		}
		is, err1 := below.Stat(".")
		now, err2 := at.Lstat(step)
		at.Close()
		at = below
		if err := errors.Join(err1, err2); err != nil {
			return nil, "", err
		}
		if !os.SameFile(is, now) {
			return nil, "", locale.Errorf("%s is being changed", step)
		}
	}
	return nil, "", irregular(name, fs.ModeDir)
}

// same returns an opened file if that is what is at step, and not reached through a link.
func same(f *os.File, err error) func(at *os.Root, step string) (*os.File, string, error) {
	return func(at *os.Root, step string) (*os.File, string, error) {
		if err != nil {
			return nil, "", err
		}
		is, err1 := f.Stat()
		now, err2 := at.Lstat(step)
		err := errors.Join(err1, err2)
		if err == nil && (!now.Mode().IsRegular() || !os.SameFile(is, now)) {
			err = locale.Errorf("%s is being changed", step)
		}
		if err != nil {
			f.Close()
			return nil, "", err
		}
		return f, "", nil
	}
}

// target returns the target of a symbolic link in a folder, as a path relative to the site. A target outside the site
// gives a path that is not local.
func (s Folders) target(folder, link string) string {
	if !filepath.IsAbs(link) {
		return path.Join(folder, filepath.ToSlash(link))
	}
	dir, err := filepath.Abs(s.dir)
	if err != nil {
		return ".."
	}
	for _, dir := range []string{dir, resolved(dir)} {
		if rel, err := filepath.Rel(dir, link); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return ".."
}

func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		return real
	}
	return dir
}

// cause returns an error without the path of a single element.
func cause(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

// FS returns one of the folders as a file system. Refused files give an error, and hidden ones do not exist.
func (s Folders) FS(folder string) fs.FS { return files{s, folder} }

type files struct {
	folders Folders
	folder  string
}

// Open implements fs.FS.
func (f files) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) || hidden(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	file, err := f.folders.Open(path.Join(f.folder, name))
	if err != nil {
		return nil, err
	}
	return file, nil
}

// ReadDir implements fs.ReadDirFS.
func (f files) ReadDir(name string) ([]fs.DirEntry, error) {
	root, err := os.OpenRoot(filepath.Join(f.folders.dir, f.folder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	entries, err := fs.ReadDir(root.FS(), name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return hidden(e.Name()) }), err
}

// Stat implements fs.StatFS, also for folders.
func (f files) Stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(filepath.Join(f.folders.dir, f.folder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return fs.Stat(root.FS(), name)
}

// hidden reports whether a name in a path begins with a dot.
func hidden(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(step string) bool { return step != "." && strings.HasPrefix(step, ".") })
}
