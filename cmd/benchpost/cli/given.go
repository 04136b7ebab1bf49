package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/shell"
)

// given checks a path from the command line; flag is the name of its flag with a space, or "". If nothing is there or
// it cannot be read, given reports the reason with a hint and returns false.
func (s *speaker) given(flag, path string) (fs.FileInfo, bool) {
	info, err := os.Stat(path)
	if err == nil && (info.IsDir() || info.Mode().IsRegular()) { // opening a pipe would wait for its writer
		var f *os.File
		if f, err = os.Open(path); err == nil {
			_ = f.Close() // it was only read
		}
	}
	target, linkErr := os.Readlink(path)
	switch {
	case err == nil:
		return info, true
	case errors.Is(err, fs.ErrPermission):
		s.fault("%s%s may not be read", flag, path)
		s.hint("chmod -R u+rX %s gives you the permission; chown, where another user made it", shell.Quote(path))
	case linkErr == nil:
		s.fault("%s%s is a link to %s, which does not exist", flag, path, target)
		s.hint("name the file that is meant, or make the link anew with ln -sf")
	case info != nil: // it exists, but opening it fails
		s.fault("%s%s cannot be read: %s", flag, path, result.Reason(err))
	default:
		s.fault("%s%s does not exist", flag, path)
		s.hint("%s", elsewhere(path))
	}
	return nil, false
}

// givenFolder does what given does for a folder.
func (s *speaker) givenFolder(flag, path string) bool {
	info, ok := s.given(flag, path)
	if ok && !info.IsDir() {
		s.fault("%s%s is no folder", flag, path)
		s.hint("name the folder that it lies in, %s", filepath.Dir(path))
	}
	return ok && info.IsDir()
}

// elsewhere returns a hint about a path that does not exist: a similar name, the working folder for a relative path, or
// the part of the path that exists.
func elsewhere(path string) string {
	if near := nearPath(path); near != "" {
		return "did you mean " + near + "?"
	}
	if here, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
		return "paths begin at the folder you are in, " + here
	}
	for dir := path; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(dir); err == nil {
			return "the part of it that exists is " + dir
		}
	}
}

// nearPath returns a file beside a missing path with a similar name; "" for none.
func nearPath(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if near := settings.Nearest(filepath.Base(name), slices.DeleteFunc(names, func(n string) bool { return n == filepath.Base(name) })); near != "" {
		return filepath.Join(filepath.Dir(name), near)
	}
	return ""
}
