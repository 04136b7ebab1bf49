package sitefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// inputs are the folders of a site that no output may lie in.
var inputs = []string{"runs", "content", "layouts", ".git", ".benchpost"}

// CheckOutput refuses, with a *Refusal, an output folder that is the site in dir or above
// it, or that is, or lies in, a folder of inputs: outputs would be taken for inputs, or
// inputs for what is to be removed. Links are seen through, also where the last folders
// of a path do not exist yet.
func CheckOutput(dir, out string) error {
	refused := func(why string) error {
		return &Refusal{Name: out, Why: why, Hint: "name a folder of its own for the output"}
	}
	top, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(out)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	switch info, err := os.Stat(to); {
	case err == nil && !info.IsDir():
		return refused("is no folder, and the output needs one")
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	for above := range ancestors(existing(top)) {
		if isSame(above, existing(to)) {
			return refused("has the site in it, and is no place for its output")
		}
	}
	for above := range ancestors(existing(to)) {
		for _, folder := range inputs {
			if isSame(above, existing(filepath.Join(top, folder))) {
				return refused("is part of " + folder + "/ of the site, and is no place for its output")
			}
		}
		if isSame(above, top) {
			break
		}
	}
	return nil
}

// ancestors yields a folder and all above it.
func ancestors(dir string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for yield(dir) && dir != filepath.Dir(dir) {
			dir = filepath.Dir(dir)
		}
	}
}

// existing is a path whose links are resolved as far as it exists.
func existing(name string) string {
	for above := range ancestors(name) {
		if real, err := filepath.EvalSymlinks(above); err == nil {
			rel, _ := filepath.Rel(above, name) // above is a part of it
			return filepath.Join(real, rel)
		}
	}
	return name
}

// isSame reports whether two names are of one folder; of those that do not exist, equal
// ones are.
func isSame(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}
