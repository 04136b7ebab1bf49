package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// initFrom creates a new site from the results in a folder: it copies their files, writes a site.toml that fits, and
// composes the first post.
func (a author) initFrom(dir string, o *options) int {
	if !a.say.givenFolder("--from ", o.from) {
		return Usage
	}
	runs := filepath.Join(dir, "runs")
	inPlace := sameFolder(o.from, runs)
	if _, ok := inside(o.from, dir); ok && !inPlace {
		a.say.fault("the new site would lie within the results of --from %s", o.from)
		a.say.hint("name a folder elsewhere: benchpost init --from %s my-benchmarks", o.from)
		return Usage
	}
	out := a.newSiteAt(dir)
	if out == nil {
		return Fault
	}
	text, code := a.fitting(o.from, filepath.Base(dir))
	if code != Fine {
		if err := out.Discard(); err != nil {
			a.say.fault("%v", err)
		}
		return code
	}
	n, err := copyRuns(o.from, out, inPlace)
	if err == nil {
		err = putNew(out, config.Name, text)
	}
	for _, name := range []string{".gitignore", ".gitattributes", ".taplo.toml"} {
		var data []byte
		if err == nil {
			data, err = newSite.ReadFile("newsite/" + name)
		}
		if err == nil {
			err = putNew(out, name, data)
		}
	}
	if err != nil {
		a.say.fault("%v", errors.Join(err, out.Discard()))
		return Fault
	}
	if _, err := out.Commit(); err != nil {
		return a.say.failed(err)
	}
	a.say.info("a new site in %s (%s of results)", dir, result.Count(n, "file"))
	return a.newPost(dir, "", &options{})
}

// sameFolder reports whether two names refer to the same folder.
func sameFolder(x, y string) bool {
	a, err1 := os.Stat(x)
	b, err2 := os.Stat(y)
	return err1 == nil && err2 == nil && os.SameFile(a, b)
}

// fitting returns a site.toml for the results in a folder.
func (a author) fitting(folder, name string) ([]byte, int) {
	temporary, err := os.MkdirTemp("", "benchpost-init-")
	if err != nil {
		return nil, a.say.failed(err)
	}
	defer os.RemoveAll(temporary)
	if _, err := lend(temporary, folder, "", false); err != nil {
		return nil, a.say.failed(err)
	}
	if name == "." || name == string(filepath.Separator) {
		if wd, err := os.Getwd(); err == nil {
			name = filepath.Base(wd)
		}
	}
	e, code := a.snapshotOf(temporary, func([]result.Message) {})
	if code != Fine {
		return nil, code
	}
	if e.Runs() == 0 {
		a.say.fault("there are no results in %s", folder)
		a.say.hint("benchpost results --verbose %s says what each file is; benchpost init --bare makes a site without any", folder)
		return nil, Fault
	}
	return e.SiteFile(name), Fine
}

// copyRuns copies the files of results into runs/ of a new site and returns their number. With inPlace it only counts
// them. It skips hidden files and everything that is not a regular file.
func copyRuns(folder string, out *publish.Output, inPlace bool) (n int, err error) {
	err = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != folder && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		n++
		if inPlace {
			return nil
		}
		rel, err := filepath.Rel(folder, name)
		if err != nil {
			return err
		}
		data, err := sitefile.Read(name)
		if err != nil {
			return err
		}
		return putNew(out, "runs/"+filepath.ToSlash(rel), data)
	})
	return n, err
}

// putNew writes a file unless it exists.
func putNew(out *publish.Output, name string, data []byte) error {
	if _, err := os.Lstat(out.Path(name)); err == nil {
		return nil
	}
	return out.Put(name, data)
}
