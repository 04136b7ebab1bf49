package sitefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
)

// TestCheckOutput checks which folders are allowed for the output of a site.
func TestCheckOutput(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "site")
	folder.Write(t, top, map[string]string{"site/runs/a/b.log": "", "site/content/posts/a.md": "", "site/layouts/x": "", "site/.git/config": "", "site/public/x": "", "other/x": "", "file": ""})
	for name, target := range map[string]string{"site/linked": "runs/a", "site/up": "..", "out": "site/content", "good": "other"} {
		need.Granted(t, os.Symlink(target, filepath.Join(top, name)))
	}
	for out, want := range map[string]bool{
		"site/public": true, "site/public/deep/er": true, "site/new": true, "other": true, "other/new": true, "new": true, "good": true, "good/new": true, "site/runs-of-mine": true, "site/contents": true,
		"site": false, "site/.": false, "site/runs": false, "site/runs/": false, "site/runs/a": false, "site/runs/new/er": false, "site/content": false, "site/content/posts": false, "site/layouts": false, "site/layouts/static": false,
		"site/.git": false, "site/.git/new": false, "site/.benchpost": false, "site/.benchpost/new": false, ".": false, "..": false, "/": false, "site/linked": false, "site/linked/new": false, "site/up": false, "out": false, "out/new": false,
		"site/public/../runs": false, "site/public/../../other": true, "file": false, "file/x": false,
	} {
		at := out
		if out != "/" {
			at = top + "/" + out // not cleaned
		}
		err := CheckOutput(dir, at)
		var no *Refusal
		if (err == nil) != want || err != nil && out != "file/x" && (!errors.As(err, &no) || no.Hint.IsZero()) {
			t.Errorf("%s: %v", out, err)
		}
	}
	if err := CheckOutput(top+"/none", top+"/none/public"); err != nil {
		t.Error(err)
	}
}

// TestCheckBlog checks that a blog may contain the site, and that folders of inputs and the site's output are refused.
func TestCheckBlog(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	dir := filepath.Join(top, "site")
	folder.Write(t, top, map[string]string{"site/runs/a/b.log": "", "site/content/posts/a.md": "", "site/public/site/x": "", "blog/_config.yml": "", "file": ""})
	need.Granted(t, os.Symlink("public", filepath.Join(dir, "up-to-date")))
	for blog, want := range map[string]bool{
		"blog": true, "blog/sub/new": true, ".": true, "site": true, "site/blog": true, "site/../blog": true,
		"site/public": false, "site/public/jekyll": false, "site/up-to-date/blog": false, "site/runs": false, "site/content/blog": false, "site/.git/x": false, "file": false,
	} {
		err := CheckBlog(dir, top+"/"+blog, dir+"/public")
		var no *Refusal
		if (err == nil) != want || err != nil && !errors.As(err, &no) {
			t.Errorf("%s: %v", blog, err)
		}
	}
}

// TestFoldersThatLieElsewhere checks that a folder at another place is read there, and that hidden files and links out
// of it are still refused.
func TestFoldersThatLieElsewhere(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	folder.Write(t, top, map[string]string{"site/runs/a": "of the site", "site/content/c": "of the site", "away/a": "elsewhere", "away/b/c": "elsewhere", "away/.d": "hidden", "secret": "secret"})
	need.Granted(t, os.Symlink("../secret", filepath.Join(top, "away/link")))
	in := In(filepath.Join(top, "site"), "content", "runs").With("runs", filepath.Join(top, "away"))
	for name, want := range map[string]string{"runs/a": "elsewhere", "runs/b/c": "elsewhere", "content/c": "of the site", "runs/.d": "", "runs/link": "", "runs/none": "", "runs": ""} {
		if data, err := in.Read(name); string(data) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", name, data, err)
		}
	}
}
