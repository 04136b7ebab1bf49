//go:build unix

package site

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/sitefile"
)

// TestNothingFromOutsideIsPublished tries each way in which a post, a layout or a post's file may lead to a file that
// must not be shown. An error names the place, and nothing of the file is published.
func TestNothingFromOutsideIsPublished(t *testing.T) {
	t.Parallel()
	const secret = "SECRETOUTSIDE"
	top := t.TempDir()
	dir := filepath.Join(top, "site")
	folder.Write(t, top, map[string]string{
		"outside/a.png": secret, "site/.git/config": secret, "site/.benchpost/originals/a.log": secret, "site/content/posts/.hidden.png": secret, "site/content/.d/a.png": secret,
		"site/site.toml": "title = \"" + secret + "\"\nlanguages = [\"en\"]\n", "site/runs/a.log": invent.Block(1), "site/runs/.d/a.log": secret, "site/other/a.png": secret,
	})
	need.Granted(t, syscall.Mkfifo(filepath.Join(dir, "content/pipe"), 0o644))
	listener, err := net.Listen("unix", filepath.Join(dir, "content/s"))
	need.Granted(t, err)
	defer listener.Close()
	link := func(name, target string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	targets := []string{"/proc/self/environ", "/dev/zero", filepath.Join(top, "outside/a.png"), "../../../outside/a.png", "../../.git/config", "../../.benchpost/originals/a.log", "../../site.toml",
		"../../other/a.png", "../pipe", "../s", ".hidden.png", "../.d/a.png", "../../runs/.d/a.log"}
	ways := []string{"![a](%s)", "[a](%s)", "[a][r]\n\n[r]: %s", "- item\n\n  ![a](%s)", "| a |\n|---|\n| ![a](%s) |", "> [![a](%[1]s)](%[1]s)", "Note.[^1]\n\n[^1]: [a](%s)"}
	wrong := map[string]bool{} // files that an error must be about
	for i, target := range targets {
		link(fmt.Sprintf("content/posts/linked%d.png", i), target)
		link(fmt.Sprintf("content/posts/copy%d.en.md", i), target)
		wrong[fmt.Sprintf("content/posts/copy%d.en.md", i)] = true
		link(fmt.Sprintf("layouts/static/l%d.png", i), strings.Replace(target, "../", "../../content/", 1))
		wrong[fmt.Sprintf("layouts/static/l%d.png", i)] = true
		for n, way := range ways {
			addresses := []string{fmt.Sprintf("linked%d.png", i)}
			if !filepath.IsAbs(target) {
				addresses = append(addresses, target, strings.ReplaceAll(target, ".", "%2e"))
			}
			for k, address := range addresses {
				name := fmt.Sprintf("content/posts/p-%d-%d-%d.en.md", i, n, k)
				wrong[name] = true
				folder.Write(t, dir, map[string]string{name: "+++\ntitle = \"A\"\ndate = 2026-01-01\n+++\n" + fmt.Sprintf(way, address) + "\n"})
			}
		}
	}
	s, ms, err := Build(context.Background(), Options{Dir: dir})
	if err != nil || !s.Broken {
		t.Errorf("built: %v, %v", s, err)
	}
	for _, m := range ms {
		if m.Severity != result.Error {
			continue
		}
		if _, expected := wrong[m.Pos.File]; !expected && !strings.HasPrefix(m.Pos.File, "layouts/") {
			t.Errorf("unexpected: %v", m)
		}
		if m.Hint.IsZero() || strings.Contains(locale.English(m.Text), secret) || strings.HasPrefix(m.Pos.File, "content/posts/p-") && m.Pos.Line == 0 {
			t.Errorf("a message without line or hint: %v", m)
		}
		wrong[m.Pos.File] = false
	}
	for name, missing := range wrong {
		if missing {
			t.Errorf("no error is about %s", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "public")); err == nil {
		t.Error("something is published")
	}
}

// TestNoPipeIsWaitedFor checks that a pipe is refused at once in every place where a file is read. No build waits for
// it or treats it as an empty file.
func TestNoPipeIsWaitedFor(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	folder.Write(t, dir, map[string]string{"layouts/custom.css": "a{}", "layouts/post.html": readFile(t, "../page/layouts/post.html"), "layouts/static/a.png": "", "layouts/script/table.js": "",
		"runs/one/config.json": "{}", "runs/one/record.json": "{}", "runs/one/lscpu.txt": lscpu, "runs/one/sweep.toml": ""})
	mustBuildTest(t, dir)
	var names []string
	for name := range folder.Read(t, dir) {
		in, _, _ := strings.Cut(name, "/")
		if in != "public" || filepath.Base(name) == result.OutputList {
			names = append(names, name)
		}
	}
	names = append(names, "content/posts/new.en.md", "layouts/new.html", "layouts/static/new.png", "runs/new.log", "runs/one/run.toml", "runs/run.toml", "runs/sweep.toml")
	slices.Sort(names)
	alike := map[string]bool{}
	for _, name := range slices.Compact(names) {
		kind := name
		if strings.HasPrefix(name, ".benchpost/charts/") || path.Ext(name) == ".log" { // read in the same way
			kind = path.Ext(name) + path.Base(path.Dir(name))[:1]
		}
		if alike[kind] && need.Times(0, 1) == 0 {
			continue
		}
		alike[kind] = true
		file := filepath.Join(dir, filepath.FromSlash(name))
		kept := file + ".kept"
		had := os.Rename(file, kept) == nil
		need.Granted(t, syscall.Mkfifo(file, 0o644))
		same := filepath.Join(t.TempDir(), "pipe") // a build may replace the file
		need.Granted(t, os.Link(file, same))
		for _, memory := range []string{"build.json", "ledger"} { // without these, everything is read
			if path := ".benchpost/" + memory; path != name {
				os.Remove(filepath.Join(dir, path))
			}
		}
		if opened(t, dir, same) {
			t.Errorf("a build waits for the pipe %s", name)
		}
		os.Remove(file)
		if had {
			if err := os.Rename(kept, file); err != nil && !strings.HasPrefix(name, ".benchpost/") {
				t.Fatal(err)
			}
		}
	}
}

// opened builds a site and reports whether the build opened the pipe for reading, which would block. It unblocks each
// reader at once.
func opened(t *testing.T, dir, pipe string) bool {
	t.Helper()
	readers, over := 0, make(chan struct{})
	var ended atomic.Bool
	go func() {
		defer close(over)
		for {
			f, err := os.OpenFile(pipe, os.O_WRONLY, 0) // waits for a reader
			if err != nil {
				return
			}
			f.Close()
			if ended.Load() {
				return
			}
			readers++
		}
	}()
	_, _, _ = Build(context.Background(), Options{Dir: dir})
	ended.Store(true)
	f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	<-over
	f.Close()
	return readers > 0
}

// TestInputsAreNoPlaceForTheOutput checks that an output folder that contains inputs, or the site, is refused, and that
// nothing is changed.
func TestInputsAreNoPlaceForTheOutput(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	before := folder.Read(t, dir)
	for _, out := range []string{"runs", "runs/one", "content", "content/new", "layouts", ".", "..", "/", ".benchpost"} {
		at := filepath.Join(dir, out)
		if out == "/" {
			at = out
		}
		_, _, err := Build(context.Background(), Options{Dir: dir, Out: at})
		var no *sitefile.Refusal
		if !errors.As(err, &no) || no.Hint.IsZero() {
			t.Errorf("--out %s: %v", out, err)
		}
	}
	for name, data := range folder.Read(t, dir) {
		if string(before[name]) != string(data) && !strings.HasPrefix(name, ".benchpost/") {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestAPipeIsNotReadForPrivateNames checks that a path to check may be a pipe, which is not read.
func TestAPipeIsNotReadForPrivateNames(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if ms := PrivateIn(&config.Config{}, t.TempDir(), []string{pipe}); len(ms) != 0 {
		t.Error(ms)
	}
}
