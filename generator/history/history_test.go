package history

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

func TestMain(m *testing.M) { os.Exit(repository.Main(m)) }

// shelf is a cache in memory that counts its calls.
type shelf struct {
	mu        sync.Mutex
	kept      map[string][]byte
	got, lost int
}

func (s *shelf) Get(key []byte) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	data, ok := s.kept[string(key)]
	if s.lost++; ok {
		s.got++
		s.lost--
	}
	return data, ok
}

func (s *shelf) Put(key, data []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil {
		s.kept = map[string][]byte{}
	}
	s.kept[string(key)] = data
}

// read reads the history of the folder runs in a folder of a repository.
func read(t *testing.T, dir string, cache *shelf) *History {
	t.Helper()
	repo, err := git.Open(t.Context(), filepath.Join(dir, "runs"))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Location: time.UTC}
	if cache != nil {
		opt.Cache = cache
	}
	h, err := Read(t.Context(), repo, opt)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// pastOf formats the past results for comparison: the file, date, model and duration of each, without those that still
// exist.
func pastOf(t *testing.T, dir string, cache *shelf) []string {
	t.Helper()
	set, err := rundir.Load(filepath.Join(dir, "runs"), rundir.Options{Name: "runs"})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range Without(pointers(read(t, dir, cache).Results), pointers(set.Results)) {
		duration, _ := r.Metric("duration")
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(r.Source.File, "runs/"), r.Label("date"), r.Label("model"), duration.Text())))
	}
	return out
}

func pointers(rs []result.Result) []*result.Result {
	var out []*result.Result
	for i := range rs {
		out = append(out, &rs[i])
	}
	return out
}

// lasts returns the output of a benchmark that took 40 s and the given tenths of a second.
func lasts(tenths int) string { return invent.Block(tenths) }

// TestWhatIsOfThePast checks that replaced files are past results with the date of the commit that added them. Files in
// the work tree are not, committed or not.
func TestWhatIsOfThePast(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		history []map[string]string // the commits, one per day
		remove  []string            // files removed in the last one
		now     map[string]string   // uncommitted files
		gone    []string
		want    []string
	}{
		"one run, measured three times": {
			history: []map[string]string{{"runs/a/run.log": lasts(1)}, {"runs/a/run.log": lasts(2)}, {"runs/a/run.log": lasts(3)}},
			want:    []string{"a/run.log 2026-01-01  40.10", "a/run.log 2026-01-02  40.20"},
		},
		"not yet committed": {
			history: []map[string]string{{"runs/a/run.log": lasts(1)}, {"runs/a/run.log": lasts(2)}},
			now:     map[string]string{"runs/a/run.log": lasts(3)},
			want:    []string{"a/run.log 2026-01-01  40.10", "a/run.log 2026-01-02  40.20"},
		},
		"described by the folders of its time": {
			history: []map[string]string{
				{"runs/run.toml": "model = \"first\"\n", "runs/a/run.log": lasts(1)},
				{"runs/run.toml": "model = \"mended\"\n"},
				{"runs/run.toml": "model = \"other\"\n", "runs/a/run.log": lasts(2)}},
			want: []string{"a/run.log 2026-01-01 mended 40.10"},
		},
		"moved, and measured again": {
			history: []map[string]string{{"runs/model=m/run.log": lasts(1)}, {"runs/model=n/run.log": lasts(1)}, {"runs/model=n/run.log": lasts(2)}},
			remove:  []string{"runs/model=m/run.log"},
			want:    []string{"model=n/run.log 2026-01-01 n 40.10"},
		},
		"changed back": {
			history: []map[string]string{{"runs/a/run.log": lasts(1)}, {"runs/a/run.log": lasts(2)}, {"runs/a/run.log": lasts(1)}},
			want:    []string{"a/run.log 2026-01-02  40.20"},
		},
		"the same figures in other words": {
			history: []map[string]string{{"runs/a/run.log": lasts(1)}, {"runs/a/run.log": "# with a remark\n" + lasts(1)}},
		},
		"removed": {
			history: []map[string]string{{"runs/a/run.log": lasts(1), "runs/b/run.log": lasts(5)}, {}},
			remove:  []string{"runs/a/run.log"},
			want:    []string{"a/run.log 2026-01-01  40.10"},
		},
		"removed, and not yet committed": {
			history: []map[string]string{{"runs/a/run.log": lasts(1), "runs/b/run.log": lasts(5)}},
			gone:    []string{"runs/a/run.log"},
			want:    []string{"a/run.log 2026-01-01  40.10"},
		},
		"dated by itself": {
			history: []map[string]string{{"runs/date=2025-11-05/run.log": lasts(1)}, {"runs/date=2025-11-05/run.log": lasts(2)}},
			want:    []string{"date=2025-11-05/run.log 2025-11-05  40.10"},
		},
		"nothing that is a run": {
			history: []map[string]string{{"runs/a/run.log": lasts(1), "runs/a/notes.txt": "one", "runs/.hidden/run.log": lasts(3), "elsewhere/run.log": lasts(7)},
				{"runs/a/notes.txt": "two", "runs/.hidden/run.log": lasts(4), "elsewhere/run.log": lasts(8)}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := repository.New(t)
			for i, files := range c.history {
				if i == len(c.history)-1 {
					for _, file := range c.remove {
						r.Git("rm", "-q", file)
					}
				}
				r.Commit("Night", files)
			}
			r.Write(c.now)
			for _, file := range c.gone {
				if err := os.Remove(filepath.Join(r.Dir, filepath.FromSlash(file))); err != nil {
					t.Fatal(err)
				}
			}
			before := pastOf(t, r.Dir, nil)
			if !slices.Equal(before, c.want) {
				t.Errorf("got %q\nwant %q", before, c.want)
			}
			r.Commit("All that is there", nil)
			if after := pastOf(t, r.Dir, nil); !slices.Equal(after, before) {
				t.Errorf("committed, it is %q\nand was %q", after, before)
			}
		})
	}
}

// TestSeveralCommitsOfADay checks that several commits on a day are several points, in order.
func TestSeveralCommitsOfADay(t *testing.T) {
	for _, name := range []string{"GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"} {
		t.Setenv(name, "2026-01-01T12:00:00Z")
	}
	r := repository.New(t)
	r.Commit("One", map[string]string{"runs/run.log": lasts(1)})
	for i := 2; i < 13; i++ {
		r.Write(map[string]string{"runs/run.log": lasts(i)})
		r.Git("commit", "-qam", "Again")
	}
	got := pastOf(t, r.Dir, nil)
	if len(got) != 11 || got[0] != "run.log 2026-01-01  40.10" || got[1] != "run.log 2026-01-01 (2)  40.20" || got[10] != "run.log 2026-01-01 (11)  41.10" {
		t.Errorf("%q", got)
	}
	if result.NaturalCompare("2026-01-01 (2)", "2026-01-01 (11)") > 0 || result.NaturalCompare("2026-01-01", "2026-01-01 (2)") > 0 || result.NaturalCompare("2026-01-01 (11)", "2026-01-02") > 0 {
		t.Error("their order is not that of the days")
	}
}

// TestTelemetryOfThen checks that files beside a run describe it with their content of that time.
func TestTelemetryOfThen(t *testing.T) {
	t.Parallel()
	samples := func(watts int) string {
		var b strings.Builder
		b.WriteString("timestamp, power.draw [W]\n")
		for i := range 50 {
			fmt.Fprintf(&b, "2026/01/01 10:00:%02d.000, %d.00 W\n", i, watts+i%3)
		}
		return b.String()
	}
	r := repository.New(t)
	r.Commit("One", map[string]string{"runs/a/run.log": lasts(1), "runs/a/power.csv": samples(50), "runs/b/run.log": lasts(9)})
	r.Commit("Two", map[string]string{"runs/a/run.log": lasts(2), "runs/a/power.csv": samples(70)})
	h := read(t, r.Dir, nil)
	if len(h.Results) != 1 {
		t.Fatalf("%+v", h.Results)
	}
	power, ok := h.Results[0].Metric("power_mean")
	if !ok || power.Value < 50 || power.Value > 53 || h.Results[0].Telemetry != nil {
		t.Errorf("power %v %v", power.Value, ok)
	}
	if got := h.Results[0].At(power).File; got != h.Results[0].Revision.Short()+":runs/a/power.csv" {
		t.Errorf("it was read in %s", got)
	}
}

// TestWhereRunsLie checks the history in a work tree, in a submodule, with a detached HEAD, with packed refs, and
// before the first commit.
func TestWhereRunsLie(t *testing.T) {
	t.Parallel()
	r := repository.New(t)
	if err := os.MkdirAll(filepath.Join(r.Dir, "site", "runs"), 0o755); err != nil {
		t.Fatal(err)
	}
	if h := read(t, filepath.Join(r.Dir, "site"), nil); len(h.Results) != 0 {
		t.Errorf("before the first commit: %+v", h)
	}
	first := r.Commit("One", map[string]string{"site/runs/run.log": lasts(1), "site/site.toml": ""})
	r.Commit("Two", map[string]string{"site/runs/run.log": lasts(2)})
	tree := filepath.Join(t.TempDir(), "tree")
	r.Git("worktree", "add", "-q", "--detach", tree)
	super := repository.New(t)
	super.Git("submodule", "--quiet", "add", "file://"+filepath.ToSlash(r.Dir), "modules/bench")
	super.Commit("All", nil)
	r.Git("pack-refs", "--all")
	r.Git("gc", "-q")
	for name, dir := range map[string]string{"the repository": r.Dir, "a work tree": tree, "a submodule": filepath.Join(super.Dir, "modules", "bench")} {
		got := pastOf(t, filepath.Join(dir, "site"), nil)
		if !slices.Equal(got, []string{"run.log 2026-01-01  40.10"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	r.Git("checkout", "-q", "--detach", first)
	if got := pastOf(t, filepath.Join(r.Dir, "site"), nil); len(got) != 0 {
		t.Errorf("at the first commit: %q", got)
	}
}

// TestShallow checks that results from before the beginning of a shallow clone, whose time is unknown, are not
// reported.
func TestShallow(t *testing.T) {
	t.Parallel()
	r := repository.New(t)
	var ids []string
	for i := range 5 {
		ids = append(ids, r.Commit("Night", map[string]string{"runs/run.log": lasts(i)}))
	}
	clone := r.Clone("--depth=3")
	h := read(t, clone.Dir, nil)
	if h.Begins == nil || h.Begins.ID != ids[2] {
		t.Errorf("it begins at %+v", h.Begins)
	}
	cache := &shelf{}
	if got := pastOf(t, clone.Dir, cache); !slices.Equal(got, []string{"run.log 2026-01-04  40.30"}) {
		t.Errorf("%q", got)
	}
	clone.Git("fetch", "-q", "--unshallow")
	if got := pastOf(t, clone.Dir, cache); len(got) != 4 || read(t, clone.Dir, cache).Begins != nil {
		t.Errorf("with the rest: %q", got)
	}
}

// TestMerge checks that merged commits count once, at the time of the merge.
func TestMerge(t *testing.T) {
	t.Parallel()
	r := repository.New(t)
	r.Commit("One", map[string]string{"runs/run.log": lasts(1)})
	r.Git("checkout", "-qb", "side")
	r.Commit("Side", map[string]string{"runs/run.log": lasts(2)})
	r.Commit("Side", map[string]string{"runs/run.log": lasts(3)})
	r.Git("checkout", "-q", "main")
	r.Commit("Main", map[string]string{"other": "x"})
	r.Dated("merge", "-q", "--no-ff", "-m", "Merge", "side")
	r.Commit("Last", map[string]string{"runs/run.log": lasts(4)})
	want := []string{"run.log 2026-01-01  40.10", "run.log 2026-01-05  40.30"}
	if got := pastOf(t, r.Dir, nil); !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
}

// TestWhatIsKept checks that cached values depend on the ids of files, so that they are reused when commits are added
// or the history is rewritten.
func TestWhatIsKept(t *testing.T) {
	t.Parallel()
	r := repository.New(t)
	for i := range 10 {
		r.Commit("Night", map[string]string{"runs/run.log": lasts(i)})
	}
	cache := &shelf{}
	first := pastOf(t, r.Dir, cache)
	cache.got, cache.lost = 0, 0
	if again := pastOf(t, r.Dir, cache); !slices.Equal(again, first) || cache.got != 1 || cache.lost != 0 {
		t.Errorf("%q, with %d from the cache and %d not", again, cache.got, cache.lost)
	}
	r.Commit("Another", map[string]string{"runs/run.log": lasts(11)})
	cache.got, cache.lost = 0, 0
	if more := pastOf(t, r.Dir, cache); len(more) != 10 || !slices.Equal(more[:9], first) || cache.got != 9 || cache.lost != 2 {
		t.Errorf("%q, with %d from the cache and %d not", more, cache.got, cache.lost)
	}
	r.Git("commit", "-q", "--amend", "-m", "In other words")
	cache.got, cache.lost = 0, 0
	if amended := pastOf(t, r.Dir, cache); len(amended) != 10 || cache.got != 10 || cache.lost != 1 {
		t.Errorf("%q, with %d from the cache and %d not", amended, cache.got, cache.lost)
	}
	for key := range cache.kept {
		cache.kept[key] = []byte("damaged")
	}
	if whole := pastOf(t, r.Dir, cache); len(whole) != 10 {
		t.Errorf("from a damaged cache: %q", whole)
	}
}

// TestLargeFiles checks that Git LFS pointers without their file are counted, and read once the file is here.
func TestLargeFiles(t *testing.T) {
	t.Parallel()
	pointer := func(oid string, size int) string {
		return fmt.Sprintf("version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n", oid, size)
	}
	oid := strings.Repeat("ab", 32)
	r := repository.New(t)
	r.Commit("One", map[string]string{"runs/run.log": pointer(oid, len(lasts(1)))})
	r.Commit("Two", map[string]string{"runs/run.log": lasts(2)})
	cache := &shelf{}
	if h := read(t, r.Dir, cache); h.Pointers != 1 || len(h.Results) != 0 {
		t.Errorf("%+v", h)
	}
	folder.Write(t, r.Dir, map[string]string{".git/lfs/objects/ab/ab/" + oid: lasts(1)})
	if h := read(t, r.Dir, cache); h.Pointers != 0 || len(h.Results) != 1 {
		t.Errorf("with its file: %+v", h)
	}
}

// TestHostileNames checks that names and subjects are taken literally.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i, name := range []string{"runs/with space/run.log", "runs/模型.log", "runs/a*b.log", "runs/:(exclude)c.log", "runs/-n", "runs/tab\tline\nend.log",
		"runs/$(touch pwned).log", "runs/\xff\xfe.log", "runs/<img src=x onerror=alert(1)>.log"} {
		files[name] = lasts(i)
	}
	r := repository.New(t)
	r.Commit("<script>alert(1)</script>\x1b[31m", files)
	for name := range files {
		files[name] = "# nothing\n"
	}
	r.Commit("--all", files)
	h := read(t, r.Dir, nil)
	if len(h.Results) != len(files) {
		t.Errorf("%d results of %d files", len(h.Results), len(files))
	}
	for _, result := range h.Results {
		if result.Revision.Subject != "<script>alert(1)</script>[31m" || !strings.Contains(result.ID, "#") {
			t.Errorf("%+v", result.Revision)
		}
	}
}
