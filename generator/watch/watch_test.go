package watch

import (
	"fmt"
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

	"github.com/benchpost/benchpost/generator/need"
)

// modes lists the ways of watching, which all behave alike. They must find changes without the help of rescans.
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

// granting simulates a system that grants a limited number of watches.
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

// site is a watched folder, with what was reported about it.
type site struct {
	t        testing.TB
	dir      string
	w        *Watcher
	reported map[string]int // path relative to dir → number of batches
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

// put writes a file, and creates the folders above it.
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

// receive receives batches until the condition holds.
func (s *site) receive(what string, holds func() bool) {
	s.t.Helper()
	deadline := time.After(need.Patience)
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

// expect waits until all names are reported.
func (s *site) expect(names ...string) {
	s.t.Helper()
	s.receive(strings.Join(names, ", "), func() bool {
		return !slices.ContainsFunc(names, func(n string) bool { return s.reported[n] == 0 })
	})
}

// settle makes a change and waits for it, so that all changes before it have been processed.
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

// TestEditors imitates how real editors save files.
func TestEditors(t *testing.T) {
	t.Parallel()
	for name, command := range map[string]string{
		"sed": `sed -i s/text/other/ runs/a/1.log && sed -i s/text/other/ site.toml`,
		"vim": `vim -u NONE -es -c 'set backup writebackup backupcopy=no' -c '%s/text/other/' -c wq runs/a/1.log && ` +
			`vim -u NONE -es -c 'set writebackup backupcopy=no' -c '%s/text/other/' -c wq site.toml`,
		"mv": `cp site.toml new && mv new site.toml && cp runs/a/1.log new && mv new runs/a/1.log`,
		"sh": `echo more >> runs/a/1.log; echo more > site.toml`,
	} {
		for _, mode := range modes {
			t.Run(name+" "+mode.name, func(t *testing.T) {
				t.Parallel()
				need.Command(t, "sh")
				need.Command(t, name)
				s := newSite(t)
				s.put("runs/a/1.log")
				s.put("site.toml")
				s.watch(mode.opt, "runs", "site.toml")
				for range need.Times(1, 3) {
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

// TestRoots checks that roots, and the folders above them, need not exist, and that roots may be links.
func TestRoots(t *testing.T) {
	t.Parallel()
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

// TestRelativeRoots checks that roots are reported with the given names.
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
	t.Parallel()
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

// TestNewFoldersLoseNothing checks mkdir -p and writes that race with the watch on the new folder.
func TestNewFoldersLoseNothing(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.mkdir("runs")
			s.watch(mode.opt, "runs")
			var want []string
			for i := range need.Times(100, 400) {
				name := fmt.Sprintf("runs/%d/model/load=%d/%d.log", i%40, i, i)
				s.put(name)
				want = append(want, name)
			}
			s.expect(want...)
		})
	}
}

func TestTenThousandFilesAtOnce(t *testing.T) {
	need.Thorough(t, "TestNewFoldersLoseNothing does it with hundreds")
	for _, mode := range modes[:3] { // the others differ from polling only in name
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

// TestAppendedLog checks that a log that is appended without a pause is reported all the time.
func TestAppendedLog(t *testing.T) {
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t)
			s.put("runs/a/1.log")
			opt := mode.opt
			opt.Quiet, opt.Storm, opt.Longest = time.Hour, time.Hour, 50*time.Millisecond // it is never quiet so long
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

// TestBatchesMerge checks that all changes while nobody receives are one batch.
func TestBatchesMerge(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.put("runs/0.log")
	s.watch(Options{Quiet: time.Millisecond}, "runs")
	for i := range 200 {
		s.put(fmt.Sprintf("runs/%d/1.log", i))
		time.Sleep(time.Millisecond / 4)
	}
	s.remove("runs/0.log")
	// The watcher has processed the folders when it knows the last one.
	need.Until(t, func() bool { return s.w.Mode().Folders >= 201 }, func() string { return "not all folders are seen" })
	s.receive("all", func() bool { return s.reported["runs/199/1.log"] > 0 && s.reported["runs/0.log"] > 0 })
	if s.batches > 3 {
		t.Errorf("%d batches", s.batches)
	}
}

func TestPending(t *testing.T) {
	t.Parallel()
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

// TestLostEventsAreMadeUpFor checks that everything is scanned again when the system reports that events were lost.
func TestLostEventsAreMadeUpFor(t *testing.T) {
	t.Parallel()
	events, overflow := make(chan fsnotify.Event), make(chan error) // no events arrive
	s := newSite(t)
	s.put("runs/a/1.log")
	s.watch(Options{notify: func() (*notifier, error) {
		n, err := newNotifier()
		if err != nil {
			return nil, err
		}
		n.events, n.errors = events, overflow
		return n, nil
	}}, "runs")
	s.put("runs/a/2.log")
	s.remove("runs/a/1.log")
	overflow <- fsnotify.ErrEventOverflow
	s.expect("runs/a/1.log", "runs/a/2.log")
	if s.all == 0 {
		t.Error("events were lost, and no batch says so")
	}
	close(events)
	close(overflow)
}

// TestOverflow checks an overflow of the system's queue, whose events are not read.
func TestOverflow(t *testing.T) {
	need.Thorough(t, "it makes 20,000 files")
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

// TestInboxIsBounded checks that too many paths count as an overflow.
func TestInboxIsBounded(t *testing.T) {
	t.Parallel()
	b := newInbox()
	for i := range inboxLimit + 10 {
		b.put(fsnotify.Event{Name: fmt.Sprint(i), Op: fsnotify.Write})
	}
	if m := b.take(); !m.lost || len(m.ops) > 10 {
		t.Errorf("lost %v, %d paths", m.lost, len(m.ops))
	}
}

// TestRescan checks that a rescan finds changes whose events never arrive.
func TestRescan(t *testing.T) {
	t.Parallel()
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
	t.Parallel()
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

// TestClose checks that Close may be called at any time, and leaves nothing behind.
func TestClose(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, mode := range modes {
		for i := range need.Times(2, 20) {
			s := newSite(t)
			s.put("runs/a/1.log")
			s.watch(mode.opt, "runs")
			stop, written := make(chan struct{}), make(chan struct{})
			var writer sync.WaitGroup
			writer.Go(func() {
				for n := 0; ; n++ {
					if n == 5*i {
						close(written)
					}
					select {
					case <-stop:
						return
					default:
						s.put(fmt.Sprintf("runs/%d/%d.log", n%50, n))
					}
				}
			})
			<-written
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
	need.Until(t, func() bool { return runtime.NumGoroutine() <= before }, func() string {
		stacks := make([]byte, 1<<16)
		return fmt.Sprintf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
	})
}

func TestOpenNeedsRoots(t *testing.T) {
	t.Parallel()
	if _, err := Open(Options{}); err == nil {
		t.Error("nothing to watch, and no error")
	}
}
