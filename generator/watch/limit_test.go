package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/need"
)

// aged makes folders runs/0, runs/1, …, each changed a minute after the one before.
func (s *site) aged(n int) {
	s.t.Helper()
	began := time.Now().Add(-30 * 24 * time.Hour)
	for i := range n {
		s.put(fmt.Sprintf("runs/%d/1.log", i))
		changed := began.Add(time.Duration(i) * time.Minute)
		s.must(os.Chtimes(s.path(fmt.Sprintf("runs/%d/1.log", i)), changed, changed))
		s.must(os.Chtimes(s.path(fmt.Sprintf("runs/%d", i)), changed, changed))
	}
}

// watched closes the watcher and returns which folders had a watch.
func (s *site) watched() map[string]bool {
	s.t.Helper()
	s.must(s.w.Close())
	names := map[string]bool{}
	for path, f := range s.w.folders {
		rel, err := filepath.Rel(s.dir, path)
		s.must(err)
		names[filepath.ToSlash(rel)] = f.watched
	}
	return names
}

func TestTheMostRecentFoldersAreWatched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.aged(200)
	s.watch(Options{notify: granting(100)}, "runs")
	m := s.w.Mode()
	if m.Kind != Mixed || m.Folders != 201 || m.Watched+m.Polled != 201 || m.Watched < 85 || m.Watched > 93 || m.Every == 0 {
		t.Errorf("mode %+v", m)
	}
	watched := s.watched()
	for i := range 200 {
		if name := fmt.Sprintf("runs/%d", i); i < 100 && watched[name] || i >= 115 && !watched[name] {
			t.Errorf("%s: watched %v", name, watched[name])
		}
	}
}

func TestAFolderThatChangesIsWatched(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.aged(200)
	s.watch(Options{notify: granting(100), Look: time.Millisecond}, "runs")
	for i := range 60 { // more than were kept in reserve
		name := fmt.Sprintf("runs/%d/2.log", i)
		s.put(name)
		s.expect(name)
	}
	for i := range 30 {
		name := fmt.Sprintf("runs/new/%d/1.log", i)
		s.put(name)
		s.expect(name)
	}
	if m := s.w.Mode(); m.Kind != Mixed || m.Watched > 100 {
		t.Errorf("mode %+v", m)
	}
	watched := s.watched()
	for _, name := range []string{"runs/40", "runs/59", "runs/new/29"} {
		if !watched[name] {
			t.Errorf("%s is not watched", name)
		}
	}
}

// TestWatchesAreUsedAgain checks that after most of the watched folders are removed, others get their watches.
func TestWatchesAreUsedAgain(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.aged(200)
	s.watch(Options{notify: granting(100), Rescan: 5 * time.Millisecond}, "runs")
	for i := 101; i < 200; i++ {
		s.remove(fmt.Sprintf("runs/%d", i))
	}
	for i := range 40 {
		s.remove(fmt.Sprintf("runs/%d", i))
	}
	need.Until(t, func() bool { return s.w.Mode().Kind == Events }, func() string { return fmt.Sprintf("mode %+v", s.w.Mode()) })
	s.put("runs/50/2.log")
	s.expect("runs/50/2.log")
}

// TestNoWatchAtAll checks that everything is polled if no watch is granted.
func TestNoWatchAtAll(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.aged(10)
	s.watch(Options{notify: granting(0), Look: time.Millisecond}, "runs")
	if m := s.w.Mode(); m.Kind != Polling || m.Watched != 0 {
		t.Errorf("mode %+v", m)
	}
	s.put("runs/3/2.log")
	s.expect("runs/3/2.log")
}

// TestEventsComeLater checks that events are used when another program ends, if instances were refused before.
func TestEventsComeLater(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.put("runs/a/1.log")
	refusals := 3
	s.watch(Options{Rescan: 5 * time.Millisecond, notify: func() (*notifier, error) {
		if refusals--; refusals >= 0 {
			return nil, syscall.EMFILE
		}
		return newNotifier()
	}}, "runs", "site.toml")
	if m := s.w.Mode(); m.Kind != Polling || m.Why == "" {
		t.Errorf("mode %+v", m)
	}
	need.Until(t, func() bool { return s.w.Mode().Kind == Events }, func() string { return fmt.Sprintf("mode %+v", s.w.Mode()) })
	s.put("runs/b/1.log")
	s.put("site.toml")
	s.expect("runs/b/1.log", "site.toml")
}

// TestModeInWords checks the texts of modes. The interval is a minute, because otherwise the length of a round would
// depend on the machine's speed.
func TestModeInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		opt  Options
		want []string
	}{
		{"events", Options{}, []string{"events of 2 folders"}},
		{"asked for", Options{Poll: time.Minute}, []string{"looking at 2 folders every 1m0s: as asked for"}},
		{"remote", Options{Look: time.Minute, remote: func(string) string { return "NFS" }}, []string{"looking at 2 folders every 1m0s: NFS does not tell of changes made elsewhere"}},
		{"one remote", Options{remote: func(path string) string {
			if filepath.Base(path) == "runs" {
				return "SMB"
			}
			return ""
		}}, []string{"SMB does not tell"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			s.put("runs/a/1.log")
			s.watch(c.opt, "runs")
			for _, want := range c.want {
				if got := s.w.Mode().String(); !strings.Contains(got, want) {
					t.Errorf("%q, want %q", got, want)
				}
			}
		})
	}
}

func TestWhyInWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		l       limit
		folders int
		want    string
	}{
		{limit{setting: "fs.inotify.max_user_watches", value: "8192"}, 1000, "fs.inotify.max_user_watches is 8192; with sudo sysctl fs.inotify.max_user_watches=524288 all can be watched"},
		{limit{setting: "fs.inotify.max_user_watches", value: "524288"}, 600_000, "fs.inotify.max_user_watches is 524288; with sudo sysctl fs.inotify.max_user_watches=2097152 all can be watched"},
		{limit{setting: "fs.inotify.max_user_instances", value: "128"}, 160_000, "fs.inotify.max_user_instances is 128; with sudo sysctl fs.inotify.max_user_instances=1024 all can be watched"},
		{limit{err: syscall.EMFILE}, 10, "the system grants no more watches (too many open files)"},
	} {
		if got := c.l.why(c.folders); got != c.want {
			t.Errorf("%q\nwant %q", got, c.want)
		}
	}
}
