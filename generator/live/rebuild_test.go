package live

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
)

// TestMain also makes the test binary act as a benchmark: it writes vLLM's output into a file, or to stdout for "-",
// with one update of its progress bar for each line that it receives.
func TestMain(m *testing.M) {
	if file := os.Getenv("LIVE_TEST_LOG"); file != "" {
		benchmark(file)
		return
	}
	os.Exit(m.Run())
}

const requests = 40

func benchmark(file string) {
	f := os.Stdout
	if file != "-" {
		var err error
		if f, err = os.Create(file); err != nil {
			panic(err)
		}
	}
	fmt.Fprint(f, "Starting main benchmark run...\nTraffic request rate: inf\nMaximum request concurrency: 8\n")
	in := bufio.NewScanner(os.Stdin)
	for n := 0; n <= requests && in.Scan(); n++ {
		fmt.Fprintf(f, "\r%3d%%|%-10s| %d/%d [00:%02d<00:%02d,  1.00it/s]", 100*n/requests, strings.Repeat("█", 10*n/requests), n, requests, n, requests-n)
		if n == requests {
			fmt.Fprint(f, "\n"+printed(requests, 0, 44))
		}
	}
}

// printed returns vLLM's output at the end of a run.
func printed(done, failed int, throughput float64) string {
	return fmt.Sprintf("============ Serving Benchmark Result ============\n"+
		"Successful requests:                     %d\n"+
		"Failed requests:                         %d\n"+
		"Maximum request concurrency:             8\n"+
		"Benchmark duration (s):                  29.06\n"+
		"Output token throughput (tok/s):         %.2f\n"+
		"==================================================\n", done, failed, throughput)
}

// log returns a complete log.
func log(throughput float64) string { return printed(100, 0, throughput) }

// written makes a site with two runs, and posts that show one run and all runs.
func written(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	put(t, dir, "site.toml", "title = \"Live\"\nlanguages = [\"en\"]\n[[load]]\nname = \"high\"\ntitle = \"High\"\nwhen = '{max_concurrency=\"8\"}'\n")
	for _, m := range []string{"A", "B"} {
		put(t, dir, "runs/c/model="+m+"/run.log", log(100))
	}
	put(t, dir, "content/posts/one.en.md", "+++\ntitle = \"One\"\ndate = 2026-01-01\nruns = '{model=\"A\"}'\n+++\n\n`= output_throughput`\n")
	put(t, dir, "content/posts/all.en.md", "+++\ntitle = \"All\"\ndate = 2026-01-02\n+++\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\n```\n")
	return dir
}

func put(t testing.TB, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(dir, name string) string {
	data, _ := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	return string(data)
}

// viewer is a viewer for tests, which records what is shown and in which order.
type viewer struct {
	mu     sync.Mutex
	open   []string
	put    map[string]string
	state  serve.State
	events []string
}

func (s *viewer) Open() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.open
}

func (s *viewer) Put(path string, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put[path] = string(data)
	s.events = append(s.events, "put "+path)
}

func (s *viewer) Settle(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, path := range paths {
		delete(s.put, path)
	}
	s.events = append(s.events, "settle")
}

func (s *viewer) Changed(paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range paths {
		s.events = append(s.events, "changed "+p)
	}
}

func (s *viewer) Say(state serve.State) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state = state
}

func (s *viewer) shown() serve.State {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.state
}

// rebuilding is a running rebuilder.
type rebuilding struct {
	t         testing.TB
	dir       string
	rebuilder *Rebuilder
	viewer    *viewer
	mu        sync.Mutex
	reports   []Report
	news      chan struct{} // signals more reports
	stop      func() error  // ends it, and waits for the end
}

// keep keeps a site up to date. It returns when the site is first written or is broken.
func keep(t testing.TB, opt Options, open ...string) *rebuilding {
	t.Helper()
	started := &rebuilding{t: t, dir: opt.Site.Dir, rebuilder: New(opt), viewer: &viewer{open: open, put: map[string]string{}}, news: make(chan struct{}, 1)}
	started.rebuilder.pace = pace{settling: 20 * time.Millisecond, longest: 200 * time.Millisecond, again: 100 * time.Millisecond, looking: 20 * time.Millisecond, rest: 50 * time.Millisecond}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- started.rebuilder.Run(ctx, started.viewer, func(r Report) {
			started.mu.Lock()
			defer started.mu.Unlock()
			started.reports = append(started.reports, r)
			select {
			case started.news <- struct{}{}:
			default:
			}
		})
	}()
	started.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := started.stop(); err != nil {
			t.Error(err)
		}
	})
	started.until("it was built or is broken", func() bool {
		return slices.ContainsFunc(started.reported(), func(r Report) bool { return r.Written || r.Broken })
	})
	return started
}

func (k *rebuilding) reported() []Report {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.reports)
}

// times returns how often a message about a file was reported as new.
func (k *rebuilding) times(file string) (n int) {
	for _, r := range k.reported() {
		for _, m := range r.New {
			if m.Pos.File == file {
				n++
			}
		}
	}
	return n
}

// until waits for a condition, for as long as a busy machine may take. It checks after each report, and periodically
// for conditions that are not reported.
func (k *rebuilding) until(what string, done func() bool) {
	k.t.Helper()
	patience := time.NewTimer(need.Patience)
	defer patience.Stop()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for !done() {
		select {
		case <-k.news:
		case <-look.C:
		case <-patience.C:
			k.t.Fatalf("waited in vain until %s; the pages say %+v", what, k.viewer.shown())
		}
	}
}

// rests reports whether no write is about to begin.
func (k *rebuilding) rests() bool {
	k.rebuilder.mu.Lock()
	defer k.rebuilder.mu.Unlock()
	return k.rebuilder.writing == nil && k.rebuilder.due() > time.Minute
}

// page returns a written page of the site.
func (k *rebuilding) page(name string) string { return read(k.dir, "public/site/"+name) }

// plain compares public with the output of a plain build of the same inputs.
func plain(t testing.TB, dir string) {
	t.Helper()
	fresh := t.TempDir()
	for _, name := range []string{"runs", "content", "layouts", "docs"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			continue
		}
		if err := os.CopyFS(filepath.Join(fresh, name), os.DirFS(filepath.Join(dir, name))); err != nil {
			t.Fatal(err)
		}
	}
	put(t, fresh, config.Name, read(dir, config.Name))
	s, ms, err := site.Build(context.Background(), site.Options{Dir: fresh})
	if err != nil || s.Broken {
		t.Fatal(err, ms)
	}
	got, want := folder.Read(t, filepath.Join(dir, "public")), folder.Read(t, filepath.Join(fresh, "public"))
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s is not as a build makes it (%d bytes, not %d)", name, len(got[name]), len(want[name]))
		}
		delete(got, name)
	}
	for name := range got {
		t.Errorf("%s is there, which a build does not make", name)
	}
}

const (
	runPage = "runs/c/model=A/run.html"
	onePage = "posts/one/index.html"
	allPage = "posts/all/index.html"
)

// began starts a benchmark that writes a log; each call of goOn makes it update its progress bar once.
func began(t testing.TB, dir, name string) (goOn func(), cmd *exec.Cmd) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command(self)
	cmd.Env = append(os.Environ(), "LIVE_TEST_LOG="+name)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.Close(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return func() { _, _ = io.WriteString(in, "\n") }, cmd
}
