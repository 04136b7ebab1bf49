package sitefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
)

// inputs are the folders of a site that must not contain output.
var inputs = []string{"runs", "content", "layouts", ".git", ".benchpost"}

// CheckOutput returns a *Refusal for an output folder that is the site in dir or contains it, or that is in a folder of
// inputs or in one of more. Otherwise a build would read its own output, or remove inputs. Symbolic links are resolved,
// also if the last folders of a path do not exist yet.
func CheckOutput(dir, out string, more ...string) error {
	top, to, err := output(dir, out)
	if err != nil {
		return err
	}
	for above := range ancestors(existing(top)) {
		if isSame(above, existing(to)) {
			return noOutput(out, locale.Textf("contains the site, so it cannot hold its output"))
		}
	}
	return liesIn(top, to, out, more...)
}

// CheckBlog returns a *Refusal for the folder of a blog that is in a folder of inputs or in the site's output, since a
// build removes other files there. The blog may contain the site.
func CheckBlog(dir, blog, out string) error {
	top, to, err := output(dir, blog)
	if err != nil {
		return err
	}
	if err := liesIn(top, to, blog); err != nil {
		return err
	}
	published, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for above := range ancestors(existing(to)) {
		if isSame(above, existing(published)) {
			return noOutput(blog, locale.Textf("is part of the site's output, whose files a build replaces"))
		}
	}
	return nil
}

// output makes the paths of a site and of an output folder absolute. It refuses an output that is not a folder.
func output(dir, out string) (top, to string, err error) {
	top, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(out)
	if err := errors.Join(err1, err2); err != nil {
		return "", "", err
	}
	switch info, err := os.Stat(to); {
	case err == nil && !info.IsDir():
		return "", "", noOutput(out, locale.Textf("is not a folder, but the output needs one"))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return "", "", err
	}
	return top, to, nil
}

// liesIn refuses an output folder that is, or is in, a folder of inputs.
func liesIn(top, to, name string, more ...string) error {
	for above := range ancestors(existing(to)) {
		for _, folder := range slices.Concat(inputs, more) {
			if folder != "" && isSame(above, existing(filepath.Join(top, folder))) {
				return noOutput(name, locale.Textf("is part of %s/ of the site, so it cannot hold its output", folder))
			}
		}
		if isSame(above, top) {
			break
		}
	}
	return nil
}

func noOutput(name string, why locale.Text) error {
	return &Refusal{Name: name, Why: why, Hint: locale.Textf("name a folder of its own for the output")}
}

// ancestors yields a folder and all folders above it.
func ancestors(dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}

// existing resolves the symbolic links in the existing part of a path.
func existing(name string) string {
	for above := range ancestors(name) {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			rel, _ := filepath.Rel(above, name) // cannot fail: above is a prefix of name
			return filepath.Join(real, rel)
		}
	}
	return name
}

// isSame reports whether two names are the same folder. Names of folders that do not exist must be equal.
func isSame(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
