//go:build unix

package sitefile

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
)

const secret, public = "secret", "public"

// site makes a site with public files, with secrets around them, and with a folder outside.
func site(t *testing.T) (dir, outside string) {
	t.Helper()
	top := t.TempDir()
	dir, outside = filepath.Join(top, "site"), filepath.Join(top, "outside")
	folder.Write(t, top, map[string]string{
		"outside/a": secret, "site/.git/config": secret, "site/.benchpost/originals/a.log": secret, "site/site.toml": secret, "site/layouts/a": secret, "site/other/a": secret,
		"site/content/.hidden": secret, "site/content/.d/a": secret, "site/content/a": public, "site/content/posts/b": public, "site/runs/c/a": public, "site/runs/.d/a": secret,
	})
	return dir, outside
}

func mkfifo(t *testing.T, name string) { need.Granted(t, syscall.Mkfifo(name, 0o644)) }

// TestOnlyFilesOfTheFoldersAreRead tries each way to reach a file with each kind of target: only public files are read,
// and no call blocks.
func TestOnlyFilesOfTheFoldersAreRead(t *testing.T) {
	t.Parallel()
	dir, outside := site(t)
	at := func(names ...string) string { return filepath.Join(append([]string{dir}, names...)...) }
	mkfifo(t, at("content", "pipe"))
	listener, err := net.Listen("unix", at("content", "s"))
	need.Granted(t, err)
	defer listener.Close()
	targets := map[string]string{ // relative to the site, or absolute
		"a file": "content/a", "a file below": "content/posts/b", "a run": "runs/c/a",
		"nothing": "content/none", "a folder": "content/posts", "a pipe": "content/pipe", "a socket": "content/s", "a device": "/dev/zero", "the environment": "/proc/self/environ",
		"a hidden file": "content/.hidden", "a file of a hidden folder": "content/.d/a", "a hidden run": "runs/.d/a", "git": ".git/config", "originals": ".benchpost/originals/a.log",
		"the configuration": "site.toml", "another folder": "other/a", "a layout": "layouts/a", "a file outside": outside + "/a", "a file outside, by dots": "../outside/a",
	}
	link := func(name, target string) string {
		if err := os.Symlink(target, at(filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		return name
	}
	n := 0
	fresh := func() string { n++; return "content/posts/l" + string(rune('a'+n/26)) + string(rune('a'+n%26)) }
	from := func(target string) string { // relative to content/posts
		if filepath.IsAbs(target) {
			return target
		}
		return "../../" + target
	}
	ways := map[string]func(target string) string{
		"by name": func(target string) string { return target },
		"by a name of dots": func(target string) string {
			if filepath.IsAbs(target) {
				return "content/posts/" + strings.Repeat("../", 40) + target
			}
			return "content/posts/" + from(target)
		},
		"by a link":          func(target string) string { return link(fresh(), from(target)) },
		"by an absolute one": func(target string) string { return link(fresh(), at(target)) },
		"by two links":       func(target string) string { return link(fresh(), filepath.Base(link(fresh(), from(target)))) },
		"by a linked folder": func(target string) string {
			return link(fresh(), from(filepath.Dir(target))) + "/" + filepath.Base(target)
		},
	}
	read := 0
	for what, target := range targets {
		for way, lead := range ways {
			if way == "by an absolute one" && filepath.IsAbs(target) {
				continue
			}
			data, err := In(dir, "content", "runs").Read(lead(target))
			var no *Refusal
			switch want := slices.Contains([]string{"a file", "a file below", "a run"}, what); {
			case want && (err != nil || string(data) != public):
				t.Errorf("%s %s: %q, %v", what, way, data, err)
			case !want && err == nil:
				t.Errorf("%s %s is read: %q", what, way, data)
			case !want && what != "nothing" && (!errors.As(err, &no) || no.Hint.IsZero() || no.Why.IsZero()):
				t.Errorf("%s %s: no reason is given: %v", what, way, err)
			case what == "nothing" && !errors.Is(err, fs.ErrNotExist):
				t.Errorf("nothing %s: %v", way, err)
			}
			read++
		}
	}
	if _, err := In(dir, "content").Read(link(fresh(), "lxx")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	link("content/loop", "loop")
	var no *Refusal
	if _, err := In(dir, "content").Read("content/loop"); !errors.As(err, &no) {
		t.Errorf("a link to itself: %v", err)
	}
	t.Logf("%d combinations", read)
}

// TestNothingIsFollowedWhileItIsExchanged checks that files replaced during opening cannot lead out of the site.
func TestNothingIsFollowedWhileItIsExchanged(t *testing.T) {
	t.Parallel()
	dir, outside := site(t)
	folder.Write(t, dir, map[string]string{"content/x/a": public, "content/y": public})
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		x, y := filepath.Join(dir, "content/x"), filepath.Join(dir, "content/y")
		for {
			select {
			case <-stop:
				return
			default:
			}
			_ = os.Rename(x, x+".kept")
			_ = os.Symlink(outside, x)
			_ = os.Remove(x)
			_ = os.Symlink("../.git", x)
			_ = os.Remove(x)
			_ = os.Rename(x+".kept", x)
			_ = os.Rename(y, y+".kept")
			_ = os.Symlink("../.git/config", y)
			_ = os.Remove(y)
			_ = os.Rename(y+".kept", y)
		}
	}()
	got := 0
	for range need.Times(2000, 200_000) {
		for _, name := range []string{"content/x/a", "content/x/config", "content/y"} {
			data, err := In(dir, "content").Read(name)
			if err == nil && string(data) != public {
				t.Fatalf("%s gave %q", name, data)
			}
			if err == nil {
				got++
			}
		}
	}
	close(stop)
	<-done
	if got == 0 {
		t.Error("nothing was ever read")
	}
}

// TestFS checks the layouts of a site as a file system, without hidden files.
func TestFS(t *testing.T) {
	t.Parallel()
	dir, outside := site(t)
	folder.Write(t, dir, map[string]string{"layouts/static/a/b.png": public, "layouts/static/.DS_Store": secret})
	for name, target := range map[string]string{"out": outside + "/a", "in": "a/b.png"} {
		if err := os.Symlink(target, filepath.Join(dir, "layouts/static", name)); err != nil {
			t.Fatal(err)
		}
	}
	mkfifo(t, filepath.Join(dir, "layouts/pipe"))
	fsys := In(dir, "layouts").FS("layouts")
	var walked []string
	err := fs.WalkDir(fsys, "static", func(name string, d fs.DirEntry, err error) error {
		walked = append(walked, name)
		return err
	})
	if want := "static static/a static/a/b.png static/in static/out"; err != nil || strings.Join(walked, " ") != want {
		t.Errorf("%q, %v", walked, err)
	}
	for name, want := range map[string]string{"static/a/b.png": public, "static/in": public, "static/out": "", "static/.DS_Store": "", "pipe": "", "../site.toml": "", "none": ""} {
		data, err := fs.ReadFile(fsys, name)
		if string(data) != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v", name, data, err)
		}
		if missing := name == "none" || strings.Contains(name, "."+"DS") || strings.HasPrefix(name, ".."); missing != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestOpen checks that everything except regular files is refused at once, also through links.
func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	folder.Write(t, dir, map[string]string{"a": public})
	mkfifo(t, filepath.Join(dir, "pipe"))
	for name, target := range map[string]string{"good": "a", "zero": "/dev/zero", "piped": "pipe", "gone": "none"} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, why := range map[string]string{"a": "", "good": "", "pipe": "is a pipe", "piped": "is a pipe", "zero": "is a device", ".": "is a folder", "gone": "no such file", "none": "no such file"} {
		data, err := Read(filepath.Join(dir, name))
		if (err == nil) != (why == "") || err == nil && string(data) != public || err != nil && !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}
