package watch

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"benchpost/generator/internal/need"
)

// patience is how long a test waits for what is to come. None measures time.
const patience = 60 * time.Second

// modes are the ways of watching that all behave alike. What rescans would find
// is to be found without them.
var modes = []struct {
	name string
	opt  Options
}{
	{"events", Options{}},
	{"polling", Options{Poll: 5 * time.Millisecond}},
	{"limited", Options{Look: 5 * time.Millisecond, notify: granting(3)}},
	{"remote", Options{Look: 5 * time.Millisecond, remote: func(string) string { return "NFS" }}},
	{"no instances", Options{Look: 5 * time.Millisecond, notify: func() (*notifier, error) { return nil, syscall.EMFILE }}},
}

// granting is a system that grants so many watches.
func granting(limit int) func() (*notifier, error) {
	return func() (*notifier, error) {
		n, err := newNotifier()
		if err != nil {
			return nil, err
		}
		granted := map[string]bool{}
		add, remove := n.add, n.remove
		n.add = func(path string) error {
			if !granted[path] && len(granted) >= limit {
				return fmt.Errorf("add %s: %w", path, syscall.ENOSPC)
			}
			err := add(path)
			granted[path] = granted[path] || err == nil
			return err
		}
		n.remove = func(path string) error {
			delete(granted, path)
			return remove(path)
		}
		return n, nil
	}
}

// site is a folder that is watched, and what was reported of it.
type site struct {
	t        testing.TB
	dir      string
	w        *Watcher
	reported map[string]int // by path relative to dir: in how many batches
	all      int
	batches  int
}

func newSite(t testing.TB) *site {
	return &site{t: t, dir: t.TempDir(), reported: map[string]int{}}
}

// watch watches the roots, relative to the site.
func (s *site) watch(opt Options, roots ...string) {
	s.t.Helper()
	if opt.Rescan == 0 {
		opt.Rescan = time.Hour
	}
	for _, r := range roots {
		opt.Roots = append(opt.Roots, s.path(r))
	}
	w, err := Open(opt)
	if err != nil {
		s.t.Fatal(err)
	}
	s.w = w
	s.t.Cleanup(func() { w.Close() })
}

func (s *site) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *site) write(name, text string) {
	s.t.Helper()
	s.must(os.WriteFile(s.path(name), []byte(text), 0o644))
}

func (s *site) mkdir(name string) {
	s.t.Helper()
	s.must(os.MkdirAll(s.path(name), 0o755))
}

// put writes a file and the folders it needs.
func (s *site) put(name string) {
	s.t.Helper()
	s.mkdir(filepath.Dir(name))
	s.write(name, "text of "+name)
}

func (s *site) move(from, to string) {
	s.t.Helper()
	s.must(os.Rename(s.path(from), s.path(to)))
}

func (s *site) remove(name string) {
	s.t.Helper()
	s.must(os.RemoveAll(s.path(name)))
}

func (s *site) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// receive takes batches until the condition holds.
func (s *site) receive(what string, holds func() bool) {
	s.t.Helper()
	deadline := time.After(patience)
	for !holds() {
		select {
		case b, open := <-s.w.Changes():
			if !open {
				s.t.Fatalf("closed while waiting for %s", what)
			}
			s.note(b)
		case <-deadline:
			s.t.Fatalf("waited for %s in vain; reported: %v; mode: %v", what, s.names(), s.w.Mode())
		}
	}
}

func (s *site) note(b Batch) {
	s.t.Helper()
	s.batches++
	if b.All {
		s.all++
	} else if len(b.Paths) == 0 {
		s.t.Error("an empty batch")
	}
	if !slices.IsSorted(b.Paths) || len(slices.Compact(slices.Clone(b.Paths))) != len(b.Paths) {
		s.t.Errorf("not sorted, or twice: %v", b.Paths)
	}
	for _, p := range b.Paths {
		rel, err := filepath.Rel(s.dir, p)
		if err != nil {
			s.t.Error(err)
		}
		s.reported[filepath.ToSlash(rel)]++
	}
}

// expect waits until all these are reported.
func (s *site) expect(names ...string) {
	s.t.Helper()
	s.receive(strings.Join(names, ", "), func() bool {
		return !slices.ContainsFunc(names, func(n string) bool { return s.reported[n] == 0 })
	})
}

// settle makes a change and waits for it, so that all before it is known.
func (s *site) settle(name string) {
	s.t.Helper()
	s.write(name, "settled")
	s.expect(name)
	delete(s.reported, name)
}

func (s *site) names() []string {
	var names []string
	for n := range s.reported {
		names = append(names, n)
	}
	slices.Sort(names)
	if len(names) > 40 {
		names = append(names[:40], "…")
	}
	return names
}

// cases are what happens to a site with the roots runs and site.toml, in which
// there is runs/a/1.log, site.toml, and elsewhere/b/2.log outside of them.
var cases = []struct {
	name  string
	act   func(s *site)
	want  []string // reported
	never []string // not reported
	all   bool
}{
	{
		name: "a file written",
		act:  func(s *site) { s.write("runs/a/1.log", "more than before") },
		want: []string{"runs/a/1.log"}, never: []string{"runs", "runs/a"},
	}, {
		name: "a file created",
		act:  func(s *site) { s.put("runs/a/2.log") },
		want: []string{"runs/a/2.log"}, never: []string{"runs/a/1.log"},
	}, {
		name: "a file removed",
		act:  func(s *site) { s.remove("runs/a/1.log") },
		want: []string{"runs/a/1.log"},
	}, {
		name: "a file renamed",
		act:  func(s *site) { s.move("runs/a/1.log", "runs/a/one.log") },
		want: []string{"runs/a/1.log", "runs/a/one.log"},
	}, {
		name: "a file moved in",
		act:  func(s *site) { s.move("elsewhere/b/2.log", "runs/a/2.log") },
		want: []string{"runs/a/2.log"}, never: []string{"elsewhere/b/2.log"},
	}, {
		name: "a file moved out",
		act:  func(s *site) { s.move("runs/a/1.log", "elsewhere/1.log") },
		want: []string{"runs/a/1.log"}, never: []string{"elsewhere/1.log"},
	}, {
		name: "a time changed",
		act: func(s *site) {
			s.must(os.Chtimes(s.path("runs/a/1.log"), time.Time{}, time.Unix(1e9, 0))) // back, as after a clock jump
		},
		want: []string{"runs/a/1.log"},
	}, {
		name:  "rights changed",
		act:   func(s *site) { s.must(os.Chmod(s.path("runs/a/1.log"), 0o600)) },
		never: []string{"runs/a/1.log"},
	}, {
		name: "folders made and a file put into them",
		act:  func(s *site) { s.put("runs/x/y/z/1.log") },
		want: []string{"runs/x", "runs/x/y", "runs/x/y/z", "runs/x/y/z/1.log"},
	}, {
		name: "a folder of folders moved in, and then changed",
		act: func(s *site) {
			s.move("elsewhere", "runs/e")
			s.expect("runs/e", "runs/e/b", "runs/e/b/2.log")
			s.put("runs/e/b/3.log")
		},
		want: []string{"runs/e/b/3.log"},
	}, {
		name: "a folder moved out, and then changed",
		act: func(s *site) {
			s.move("runs/a", "elsewhere/a")
			s.expect("runs/a", "runs/a/1.log")
			s.put("elsewhere/a/2.log")
		},
		never: []string{"runs/a/2.log", "elsewhere/a/2.log"},
	}, {
		name: "a folder renamed, and then changed",
		act: func(s *site) {
			s.put("runs/a/deep/2.log")
			s.expect("runs/a/deep/2.log")
			s.move("runs/a", "runs/z")
			s.expect("runs/a", "runs/a/1.log", "runs/a/deep", "runs/z", "runs/z/1.log", "runs/z/deep/2.log")
			s.put("runs/z/3.log")
			s.put("runs/z/deep/3.log")
		},
		want: []string{"runs/z/3.log", "runs/z/deep/3.log"}, never: []string{"runs/a/3.log"},
	}, {
		name: "a folder renamed to one that stands before it, and then changed",
		act: func(s *site) {
			s.put("runs/b/deep/2.log")
			s.expect("runs/b/deep/2.log")
			s.move("runs/b", "runs/B")
			s.put("runs/B/3.log")
			s.put("runs/B/deep/3.log")
			s.expect("runs/B/3.log", "runs/B/deep/3.log")
			s.put("runs/B/deep/4.log")
		},
		want: []string{"runs/B/deep/4.log", "runs/b/deep/2.log"},
	}, {
		name: "a folder renamed and renamed back, and then changed",
		act: func(s *site) {
			s.move("runs/a", "runs/z")
			s.move("runs/z", "runs/a")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"},
	}, {
		name: "two folders exchanged, and then changed",
		act: func(s *site) {
			s.put("runs/b/2.log")
			s.expect("runs/b/2.log")
			s.move("runs/a", "runs/c")
			s.move("runs/b", "runs/a")
			s.move("runs/c", "runs/b")
			s.expect("runs/a/2.log", "runs/b/1.log")
			s.put("runs/a/3.log")
			s.put("runs/b/4.log")
		},
		want: []string{"runs/a/3.log", "runs/b/4.log"},
	}, {
		name: "a folder removed and made again, and then changed",
		act: func(s *site) {
			s.remove("runs/a")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log", "runs/a/1.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"},
	}, {
		name: "a folder replaced by a file and the file by a folder",
		act: func(s *site) {
			s.remove("runs/a")
			s.write("runs/a", "a file")
			s.expect("runs/a", "runs/a/1.log")
			s.remove("runs/a")
			s.put("runs/a/2.log")
		},
		want: []string{"runs/a/2.log"},
	}, {
		name: "the root removed and made again",
		act: func(s *site) {
			s.remove("runs")
			s.expect("runs", "runs/a", "runs/a/1.log")
			s.put("runs/a/2.log")
			s.expect("runs/a/2.log")
			s.put("runs/a/3.log")
		},
		want: []string{"runs/a/3.log"}, all: true,
	}, {
		name: "the root moved away and another put in its place",
		act: func(s *site) {
			s.move("runs", "old")
			s.move("elsewhere", "runs")
			s.expect("runs/a/1.log", "runs/b/2.log")
			s.put("runs/b/3.log")
		},
		want: []string{"runs/b/3.log"}, all: true,
	}, {
		name:  "a file beside the roots",
		act:   func(s *site) { s.write("README.md", "none of ours"); s.mkdir("public/site") },
		never: []string{"README.md", "public", "public/site"},
	}, {
		name: "a single file written",
		act:  func(s *site) { s.write("site.toml", "title = 'other'") },
		want: []string{"site.toml"}, never: []string{"runs"},
	}, {
		name: "a single file saved by writing another and renaming it",
		act: func(s *site) {
			for i := range 3 { // as the second save is where a watch on the file is lost
				delete(s.reported, "site.toml")
				s.write("site.toml.new", strings.Repeat("x", i))
				s.move("site.toml.new", "site.toml")
				s.expect("site.toml")
			}
		},
		want: []string{"site.toml"}, never: []string{"site.toml.new"},
	}, {
		name: "a single file removed and made again",
		act: func(s *site) {
			s.remove("site.toml")
			s.expect("site.toml")
			delete(s.reported, "site.toml")
			s.write("site.toml", "again")
		},
		want: []string{"site.toml"},
	}, {
		name: "saved as by vim, with a backup and a probe",
		act: func(s *site) {
			s.write("runs/a/.1.log.swp", "swap")
			s.write("runs/a/4913", "")
			s.remove("runs/a/4913")
			s.move("runs/a/1.log", "runs/a/1.log~")
			s.write("runs/a/1.log", "saved")
			s.remove("runs/a/1.log~")
			s.remove("runs/a/.1.log.swp")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/4913", "runs/a/1.log~", "runs/a/.1.log.swp"},
	}, {
		name: "saved as by JetBrains",
		act: func(s *site) {
			s.write("runs/a/1.log___jb_tmp___", "saved")
			s.move("runs/a/1.log", "runs/a/1.log___jb_old___")
			s.move("runs/a/1.log___jb_tmp___", "runs/a/1.log")
			s.remove("runs/a/1.log___jb_old___")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/1.log___jb_tmp___", "runs/a/1.log___jb_old___"},
	}, {
		name: "saved as by Emacs",
		act: func(s *site) {
			s.must(os.Symlink("me@host.1", s.path("runs/a/.#1.log")))
			s.write("runs/a/#1.log#", "saved by itself")
			s.move("runs/a/1.log", "runs/a/1.log~")
			s.write("runs/a/1.log", "saved")
			s.remove("runs/a/#1.log#")
			s.remove("runs/a/.#1.log")
		},
		want: []string{"runs/a/1.log"}, never: []string{"runs/a/.#1.log", "runs/a/#1.log#", "runs/a/1.log~"},
	}, {
		name: "saved as by VS Code: emptied and written",
		act: func(s *site) {
			f, err := os.OpenFile(s.path("runs/a/1.log"), os.O_WRONLY|os.O_TRUNC, 0)
			s.must(err)
			_, err = f.WriteString("saved")
			s.must(err)
			s.must(f.Close())
		},
		want: []string{"runs/a/1.log"},
	}, {
		name:  "hidden files and folders",
		act:   func(s *site) { s.put("runs/.git/index"); s.put("runs/a/.DS_Store"); s.put("runs/a/uv.lock") },
		never: []string{"runs/.git", "runs/.git/index", "runs/a/.DS_Store", "runs/a/uv.lock"},
	}, {
		name: "links that lead in circles, and out",
		act: func(s *site) {
			s.must(os.Symlink("..", s.path("runs/a/up")))
			s.must(os.Symlink(".", s.path("runs/a/self")))
			s.must(os.Symlink("loop", s.path("runs/a/loop")))
			s.must(os.Symlink(s.path("elsewhere"), s.path("runs/a/out")))
			s.expect("runs/a/up", "runs/a/self", "runs/a/loop", "runs/a/out")
			s.put("elsewhere/b/3.log")
			s.put("runs/a/2.log")
		},
		want:  []string{"runs/a/2.log"},
		never: []string{"runs/a/up/a", "runs/a/self/2.log", "runs/a/out/b", "runs/a/out/b/3.log", "elsewhere/b/3.log"},
	},
}

func TestChanges(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					s := newSite(t)
					s.put("runs/a/1.log")
					s.put("elsewhere/b/2.log")
					s.put("site.toml")
					s.watch(mode.opt, "runs", "site.toml")
					c.act(s)
					s.expect(c.want...)
					s.mkdir("runs")
					s.settle("runs/settled")
					for _, name := range c.never {
						if s.reported[name] > 0 {
							t.Errorf("%s was reported", name)
						}
					}
					if (s.all > 0) != c.all {
						t.Errorf("%d batches with All, want some: %v", s.all, c.all)
					}
				})
			}
		})
	}
}

// Real editors save as they do.
func TestEditors(t *testing.T) {
	for name, command := range map[string]string{
		"sed": `sed -i s/text/other/ runs/a/1.log && sed -i s/text/other/ site.toml`,
		"vim": `vim -u NONE -es -c 'set backup writebackup backupcopy=no' -c '%s/text/other/' -c wq runs/a/1.log && ` +
			`vim -u NONE -es -c 'set writebackup backupcopy=no' -c '%s/text/other/' -c wq site.toml`,
		"mv": `cp site.toml new && mv new site.toml && cp runs/a/1.log new && mv new runs/a/1.log`,
		"sh": `echo more >> runs/a/1.log; echo more > site.toml`,
	} {
		for _, mode := range modes {
			t.Run(name+" "+mode.name, func(t *testing.T) {
				if runtime.GOOS == "windows" {
					t.Skip("no shell")
				}
				need.Command(t, name)
				s := newSite(t)
				s.put("runs/a/1.log")
				s.put("site.toml")
				s.watch(mode.opt, "runs", "site.toml")
				for range 3 {
					clear(s.reported)
					s.write("runs/a/1.log", "text")
					s.write("site.toml", "text")
					s.expect("runs/a/1.log", "site.toml")
					clear(s.reported)
					shell := exec.Command("sh", "-c", command)
					shell.Dir = s.dir
					if out, err := shell.CombinedOutput(); err != nil {
						t.Fatalf("%v\n%s", err, out)
					}
					s.expect("runs/a/1.log", "site.toml")
				}
			})
		}
	}
}

// Roots need not exist, nor the folders above them, and may be links.
func TestRoots(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			t.Run("none of it exists", func(t *testing.T) {
				s := newSite(t)
				s.watch(mode.opt, "deep/er/runs", "deep/site.toml")
				s.put("deep/site.toml")
				s.expect("deep/site.toml")
				s.put("deep/er/runs/1.log")
				s.expect("deep/er/runs", "deep/er/runs/1.log")
				s.remove("deep")
				clear(s.reported)
				s.expect("deep/er/runs", "deep/er/runs/1.log", "deep/site.toml")
				s.put("deep/er/runs/2.log")
				s.expect("deep/er/runs/2.log")
				s.put("deep/er/runs/3.log")
				s.expect("deep/er/runs/3.log")
				for name := range s.reported {
					if name == "deep" || name == "deep/er" {
						t.Errorf("%s is no root and was reported", name)
					}
				}
			})
			t.Run("a link to a folder, which is led elsewhere", func(t *testing.T) {
				s := newSite(t)
				s.put("v1/1.log")
				s.put("v2/2.log")
				s.must(os.Symlink("v1", s.path("runs")))
				s.watch(mode.opt, "runs")
				s.write("v1/1.log", "longer than before")
				s.expect("runs/1.log")
				s.must(os.Symlink("v2", s.path("new")))
				s.move("new", "runs")
				s.expect("runs", "runs/1.log", "runs/2.log")
				if s.all == 0 {
					t.Error("another root, and not All")
				}
				s.put("v2/3.log")
				s.expect("runs/3.log")
			})
			t.Run("a link to a file", func(t *testing.T) {
				s := newSite(t)
				s.put("shared/site.toml")
				s.put("other/site.toml")
				s.must(os.Symlink("shared/site.toml", s.path("site.toml")))
				s.watch(mode.opt, "site.toml")
				for _, text := range []string{"a", "bb"} {
					clear(s.reported)
					s.write("shared/new", text)
					s.move("shared/new", "shared/site.toml")
					s.expect("site.toml")
				}
				clear(s.reported)
				s.must(os.Symlink("other/site.toml", s.path("new")))
				s.move("new", "site.toml")
				s.expect("site.toml")
				clear(s.reported)
				s.write("other/site.toml", "other")
				s.expect("site.toml")
			})
			t.Run("one folder under several names", func(t *testing.T) {
				s := newSite(t)
				s.put("runs/a/1.log")
				s.must(os.Symlink("runs/a", s.path("link")))
				s.watch(mode.opt, "runs", "link", "runs/a", "runs/a/1.log")
				s.write("runs/a/1.log", "longer than before")
				s.expect("runs/a/1.log", "link/1.log")
			})
			t.Run("a hidden one", func(t *testing.T) {
				s := newSite(t)
				s.put(".cache/runs/1.log")
				s.watch(mode.opt, ".cache/runs", ".env")
				s.write(".cache/runs/1.log", "longer than before")
				s.put(".env")
				s.expect(".cache/runs/1.log", ".env")
			})
		})
	}
}

// Roots are named as they were given.
func TestRelativeRoots(t *testing.T) {
	s := newSite(t)
	s.put("runs/a/1.log")
	t.Chdir(s.dir)
	w, err := Open(Options{Roots: []string{"./runs/", "site.toml"}})
	s.must(err)
	defer w.Close()
	s.write("runs/a/1.log", "longer than before")
	s.write("site.toml", "new")
	got := map[string]bool{}
	for len(got) < 2 {
		for _, p := range (<-w.Changes()).Paths {
			got[p] = true
		}
	}
	if !got[filepath.Join("runs", "a", "1.log")] || !got["site.toml"] {
		t.Errorf("got %v", got)
	}
}

func TestIgnore(t *testing.T) {
	for _, mode := range modes {
		s := newSite(t)
		s.put("content/public/index.html")
		opt := mode.opt
		opt.Ignore = func(path string) bool { return path == s.path("content/public") }
		s.watch(opt, "content")
		s.put("content/public/new/index.html")
		s.remove("content/public")
		s.put("content/public/index.html")
		s.settle("content/settled")
		if names := s.names(); len(names) > 0 {
			t.Errorf("%s: reported %v", mode.name, names)
		}
	}
}

// mkdir -p and a write race with the watch on the new folder.
func TestNewFoldersLoseNothing(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.mkdir("runs")
			s.watch(mode.opt, "runs")
			var want []string
			for i := range 400 {
				name := fmt.Sprintf("runs/%d/model/load=%d/%d.log", i%40, i, i)
				s.put(name)
				want = append(want, name)
			}
			s.expect(want...)
		})
	}
}

func TestTenThousandFilesAtOnce(t *testing.T) {
	for _, mode := range modes[:3] { // the others differ from polling in name
		t.Run(mode.name, func(t *testing.T) {
			s := newSite(t)
			s.mkdir("runs")
			s.watch(mode.opt, "runs")
			var want []string
			for i := range 10_000 {
				name := fmt.Sprintf("runs/%d/%d.log", i/100, i)
				s.put(name)
				want = append(want, name)
			}
			s.expect(want...)
			t.Logf("%d batches, %d with All", s.batches, s.all)
		})
	}
}

// mirror follows batches alone: it looks at what is reported and at nothing else.
type mirror struct {
	root string
	// deep looks below a folder that is reported, too. What polls is followed path
	// by path: between two of its looks more comes and goes than it can tell of.
	deep  bool
	files map[string]string // path → text; folders end in a slash
}

func (m *mirror) follow(b Batch) {
	looked := map[string]bool{}
	for _, path := range b.Paths {
		if looked[path] = path != m.root; !looked[path] {
			continue
		}
		above := filepath.Dir(path)
		for above != m.root && !(m.deep && looked[above]) {
			above = filepath.Dir(above)
		}
		if above == m.root { // otherwise it was looked at with that folder
			m.look(path)
		}
	}
}

func (m *mirror) look(path string) {
	maps.DeleteFunc(m.files, func(p, _ string) bool {
		return p == path || p == path+"/" || m.deep && strings.HasPrefix(p, path+"/")
	})
	_ = filepath.WalkDir(path, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == m.root:
		case d.IsDir():
			m.files[path+"/"] = ""
			if !m.deep {
				return fs.SkipDir
			}
		default:
			text, _ := os.ReadFile(path)
			m.files[path] = string(text)
		}
		return nil
	})
}

// difference tells how the mirror differs from the disk, "" for not at all.
func (m *mirror) difference() string {
	now := mirror{root: m.root, deep: true, files: map[string]string{}}
	now.look(m.root)
	for path, text := range now.files {
		if was, ok := m.files[path]; !ok {
			return path + " is not known"
		} else if was != text {
			return path + " is known with an old text"
		}
	}
	for path := range m.files {
		if _, ok := now.files[path]; !ok {
			return path + " is gone, and that is not known"
		}
	}
	return ""
}

// Whatever is done, who follows the batches knows in the end what there is.
func TestFollowingTheBatchesIsEnough(t *testing.T) {
	for _, mode := range modes {
		for seed := range uint64(4) {
			t.Run(fmt.Sprintf("%s %d", mode.name, seed), func(t *testing.T) {
				t.Parallel()
				s := newSite(t)
				s.mkdir("runs")
				s.watch(mode.opt, "runs")
				m := &mirror{root: s.path("runs"), deep: mode.name == "events", files: map[string]string{}}
				done := make(chan struct{})
				go func() {
					defer close(done)
					anything(s.path("runs"), rand.New(rand.NewPCG(seed, 7)), mode.name != "events")
				}()
				deadline := time.After(patience)
				ended := false
				for diff := "not looked"; diff != ""; {
					select {
					case b := <-s.w.Changes():
						m.follow(b)
						if ended {
							diff = m.difference()
						}
					case <-done:
						ended, done = true, nil
						diff = m.difference()
					case <-deadline:
						t.Fatalf("%s; mode: %v", m.difference(), s.w.Mode())
					}
				}
			})
		}
	}
}

// anything does what comes to the mind of somebody in a hurry; errors, as of a
// folder moved into itself, are part of it. With new names none is used twice:
// what looks from time to time cannot tell of one that went, came and went.
func anything(root string, r *rand.Rand, newNames bool) {
	inside := func(path string) []os.DirEntry {
		entries, _ := os.ReadDir(path)
		return entries
	}
	existing := func() string {
		path := root
		for range 1 + r.IntN(3) {
			if entries := inside(path); len(entries) > 0 {
				path = filepath.Join(path, entries[r.IntN(len(entries))].Name())
			}
		}
		return path
	}
	for i := range 3000 {
		name := string(rune('a' + r.IntN(4)))
		if newNames {
			name = fmt.Sprint(name, i)
		}
		path := existing()
		made := filepath.Join(path, name)
		if info, err := os.Stat(path); err != nil || !info.IsDir() || len(made) > len(root)+20 {
			made = filepath.Join(root, name)
		}
		switch r.IntN(10) {
		case 0, 1:
			_ = os.Mkdir(made, 0o755)
		case 2, 3:
			_ = os.WriteFile(made, []byte(fmt.Sprint(i)), 0o644)
		case 4, 5:
			_ = os.WriteFile(path, []byte(fmt.Sprint(i)), 0o644)
		case 6, 7:
			if path != root {
				_ = os.Rename(path, made)
			}
		default:
			if path != root && len(inside(root)) > 2 {
				_ = os.RemoveAll(path)
			}
		}
		if r.IntN(200) == 0 {
			time.Sleep(time.Duration(r.IntN(20)) * time.Millisecond)
		}
	}
}

// A log appended without a pause is reported all the while.
func TestAppendedLog(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.put("runs/a/1.log")
			opt := mode.opt
			opt.Quiet, opt.Storm, opt.Longest = time.Hour, time.Hour, 50*time.Millisecond // quiet never comes
			s.watch(opt, "runs")
			f, err := os.OpenFile(s.path("runs/a/1.log"), os.O_WRONLY|os.O_APPEND, 0)
			s.must(err)
			stop := make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				defer f.Close()
				for {
					select {
					case <-stop:
						return
					default:
						_, _ = f.WriteString("\rTraffic request rate: 12%")
						time.Sleep(time.Millisecond)
					}
				}
			})
			s.receive("ten batches", func() bool { return s.reported["runs/a/1.log"] >= 10 })
			close(stop)
			writer.Wait()
		})
	}
}

// What changes while nobody receives is one batch.
func TestBatchesMerge(t *testing.T) {
	s := newSite(t)
	s.put("runs/0.log")
	s.watch(Options{Quiet: time.Millisecond}, "runs")
	for i := range 200 {
		s.put(fmt.Sprintf("runs/%d/1.log", i))
		time.Sleep(time.Millisecond / 4)
	}
	s.remove("runs/0.log")
	// It is through with the folders when it knows the last.
	for deadline := time.Now().Add(patience); s.w.Mode().Folders < 201; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("not all folders are seen")
		}
	}
	s.receive("all", func() bool { return s.reported["runs/199/1.log"] > 0 && s.reported["runs/0.log"] > 0 })
	if s.batches > 3 {
		t.Errorf("%d batches", s.batches)
	}
}

func TestPending(t *testing.T) {
	opt := Options{Roots: []string{"."}}.withDefaults()
	p := pending{opt: opt, paths: map[string]bool{}}
	if _, waiting := p.due(); waiting {
		t.Error("nothing has changed")
	}
	p.add("b")
	first := p.first
	if due, _ := p.due(); due.Sub(p.last) != opt.Quiet {
		t.Errorf("a single change waits %v", due.Sub(p.last))
	}
	for range 1000 {
		p.add("a")
	}
	if due, _ := p.due(); due.Sub(p.last) != opt.Storm {
		t.Errorf("a storm waits %v", due.Sub(p.last))
	}
	p.last = first.Add(time.Minute)
	if due, _ := p.due(); due.Sub(first) != opt.Longest {
		t.Errorf("a change waits %v", due.Sub(first))
	}
	if b := p.batch(); !slices.Equal(b.Paths, []string{"a", "b"}) || b.All {
		t.Errorf("%v", b)
	}
	p.clear()
	if _, waiting := p.due(); waiting {
		t.Error("handed over, and waiting")
	}
}

// The queue of the system overflows when its events are not read.
func TestOverflow(t *testing.T) {
	read := make(chan struct{})
	s := newSite(t)
	s.put("runs/old/1.log")
	s.watch(Options{notify: func() (*notifier, error) {
		n, err := newNotifier()
		if err != nil {
			return nil, err
		}
		events := n.events
		late := make(chan fsnotify.Event)
		n.events = late
		go func() {
			defer close(late)
			<-read
			for e := range events {
				late <- e
			}
		}()
		return n, nil
	}}, "runs")
	var want []string
	for i := range 20_000 { // the queue holds 16,384 by default, fsnotify and the channel some more
		name := fmt.Sprintf("runs/old/new%d.log", i)
		s.put(name)
		want = append(want, name)
	}
	s.put("runs/new/1.log")
	s.remove("runs/old/1.log")
	close(read)
	s.expect(append(want, "runs/new/1.log", "runs/old/1.log")...)
	if runtime.GOOS == "linux" && s.all == 0 {
		t.Error("events were lost, and no batch says so")
	}
	s.put("runs/new/2.log")
	s.expect("runs/new/2.log")
}

// More paths than are worth remembering are an overflow too.
func TestInboxIsBounded(t *testing.T) {
	b := newInbox()
	for i := range inboxLimit + 10 {
		b.put(fsnotify.Event{Name: fmt.Sprint(i), Op: fsnotify.Write})
	}
	if m := b.take(); !m.lost || len(m.ops) > 10 {
		t.Errorf("lost %v, %d paths", m.lost, len(m.ops))
	}
}

// Events that never come are made up for by a rescan.
func TestRescan(t *testing.T) {
	s := newSite(t)
	s.put("runs/a/1.log")
	s.watch(Options{Rescan: 10 * time.Millisecond, notify: func() (*notifier, error) {
		n, err := newNotifier()
		if err == nil {
			events := n.events
			deaf := make(chan fsnotify.Event)
			n.events = deaf
			go func() {
				defer close(deaf)
				for range events {
				}
			}()
		}
		return n, err
	}}, "runs", "site.toml")
	s.write("runs/a/1.log", "longer than before")
	s.expect("runs/a/1.log")
	s.put("runs/b/c/2.log")
	s.expect("runs/b/c/2.log")
	s.remove("runs/b")
	clear(s.reported)
	s.expect("runs/b", "runs/b/c", "runs/b/c/2.log")
	s.put("site.toml")
	s.expect("site.toml")
}

func TestTemporary(t *testing.T) {
	for _, name := range []string{".git", ".x.swp", "x.swp", "x~", "#x#", ".#x", "4913", "x.toml___jb_tmp___", "x___jb_old___", "x.tmp", "x.vsctmp", "~$x.csv", "x.lock"} {
		if !isTemporary(name) {
			t.Errorf("%s is one", name)
		}
	}
	for _, name := range []string{"x", "site.toml", "x.log", "4914", "4913.log", "#1", "tmp", "x.swept", "load=4913"} {
		if isTemporary(name) {
			t.Errorf("%s is none", name)
		}
	}
}

// Close may come at any time, and leaves nothing behind.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, mode := range modes {
		for i := range 20 {
			s := newSite(t)
			s.put("runs/a/1.log")
			s.watch(mode.opt, "runs")
			stop := make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				for n := 0; ; n++ {
					select {
					case <-stop:
						return
					default:
						s.put(fmt.Sprintf("runs/%d/%d.log", n%50, n))
					}
				}
			})
			time.Sleep(time.Duration(i) * time.Millisecond)
			var closers sync.WaitGroup
			for range 2 {
				closers.Go(func() { s.must(s.w.Close()) })
			}
			closers.Wait()
			close(stop)
			writer.Wait()
			if _, open := <-s.w.Changes(); open {
				t.Error("a batch after Close")
			}
		}
	}
	for deadline := time.Now().Add(patience); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			stacks := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestOpenNeedsRoots(t *testing.T) {
	if _, err := Open(Options{}); err == nil {
		t.Error("nothing to watch, and no error")
	}
}
