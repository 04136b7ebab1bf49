package site

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// smallSite makes a site with everything that depends on something else: loads, a family of models, posts with
// selectors, runs of several dates, and a manual.
func smallSite(t testing.TB) string {
	dir := t.TempDir()
	put := func(name, text string) { writeFile(t, filepath.Join(dir, name), text) }
	put(config.Name, `title = "Small"
[[model]]
id = "a"
quantization = "FP8"
[[model]]
id = "b"
base = "a"
[[load]]
name = "high"
when = '{max_concurrency="8"}'
[pages]
dir = "docs"
language = "en"
`)
	for i := range 6 {
		put(fmt.Sprintf("runs/one/model=%c/run-%d.log", 'a'+i%2, i), invent.Block(i))
		put(fmt.Sprintf("runs/two/model=c/date=2026-01-0%d/run.log", i+1), invent.Block(40*i))
	}
	for _, lang := range []string{"zh-CN", "en"} {
		put("content/posts/narrow."+lang+".md", "+++\ntitle = \"Narrow\"\ndate = 2026-01-01\nruns = '{campaign=\"one\"}'\n+++\n\n"+
			"`= output_throughput{id=\"one/model=b/run-5\"}` [all](all."+lang+".md)\n\n```benchpost chart bar\nkind = \"bars\"\nvalue = \"output_throughput\"\n```\n\n```benchpost raw\nwhere = '{model=\"b\"}'\n```\n")
		put("content/posts/all."+lang+".md", "+++\ntitle = \"All\"\ndate = 2026-01-02\n+++\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\n```\n")
	}
	put("docs/README.md", "# Manual\n\n- [A](a.md)\n- [B](b.md#part)\n")
	put("docs/a.md", "# A\n\nSee [b](b.md) and ![p](p.png).\n\n```benchpost table\n```\n")
	put("docs/b.md", "+++\n+++\n\n# B\n\n## Part\n\n`= output_throughput{id=\"one/model=b/run-5\"}`\n\n```benchpost chart bar\nkind = \"bars\"\nvalue = \"output_throughput\"\nwhere = '{campaign=\"one\"}'\n```\n")
	put("docs/zh/a.md", "# 甲\n\n[b](../b.md) [乙](b.md)\n")
	put("docs/p.png", "picture")
	return dir
}

func writeFile(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestASessionBuildsWhatABuildOfEverythingDoes checks that, whatever changes and whether a session goes on or another
// takes over, output and messages are those of a complete build. Every kind of change is made once, several at a time;
// TestARandomWalk makes them in any order.
func TestASessionBuildsWhatABuildOfEverythingDoes(t *testing.T) {
	w := newWalk(t)
	w.compare("at first", []string{})
	for n := 0; n < len(changeKinds); n += 7 {
		var changed []string
		what := ""
		for i := n; i < min(n+7, len(changeKinds)); i++ {
			paths, _ := changeKinds[i].make(w, 3*n+i, w.run())
			changed, what = append(changed, paths...), what+", "+changeKinds[i].name
		}
		w.compare(what, changed)
	}
	for n := 0; n < len(changeKinds); n += 7 { // by another process each time
		what := ""
		for i := n; i < min(n+7, len(changeKinds)); i++ {
			changeKinds[i].make(w, 3*n+i+1, w.run())
			what += ", " + changeKinds[i].name
		}
		w.compare("another session after"+what, nil)
	}
	// Once more a change that affects no post and no figure, only what a post shows of a file.
	linked := slices.IndexFunc(changeKinds, func(k changeKind) bool { return k.name == "a linked file" })
	changed, _ := changeKinds[linked].make(w, 100, "")
	w.compare("a linked file alone", changed)
	w.compare("another session", nil)
	if w.compared < 5 {
		t.Errorf("only %d of the steps gave a site", w.compared)
	}
}

func TestARandomWalk(t *testing.T) {
	need.Thorough(t, "sixty steps, each with a build of everything")
	w := newWalk(t)
	w.compare("at first", []string{})
	const steps = 60
	for n := range steps {
		kind := changeKinds[w.rng.IntN(len(changeKinds))]
		if changed, ok := kind.make(w, n, w.run()); ok {
			w.compare(fmt.Sprintf("step %d, %s", n, kind.name), changed)
		}
		if n%10 == 9 {
			w.compare(fmt.Sprintf("step %d, another session", n), nil)
		}
	}
	if w.compared < steps*3/4 {
		t.Errorf("only %d of %d steps gave a site", w.compared, steps)
	}
}

// walk is a site that changes, with the session that follows it, and a copy that is built from nothing each time.
type walk struct {
	t        *testing.T
	dir      string
	fresh    string
	rng      *rand.Rand
	repo     *repository.Repository // its past is shown in trends; nil without git
	session  *Session
	compared int // builds that made a site
}

func newWalk(t *testing.T) *walk {
	w := &walk{t: t, dir: smallSite(t), fresh: t.TempDir(), rng: rand.New(rand.NewPCG(3, 5))}
	if _, err := exec.LookPath("git"); err == nil {
		repository.Alone(t)
		w.repo = repository.In(t, w.dir)
		w.repo.Git("init", "-q", "-b", "main")
		w.repo.Commit("One", map[string]string{config.Name: w.read(config.Name) + "[history]\ngit = true\n", ".gitignore": "/public/\n"})
	}
	w.session = Open(Options{Dir: w.dir})
	return w
}

func (w *walk) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(w.dir, name))
	return string(text)
}

func (w *walk) write(name, text string) { writeFile(w.t, filepath.Join(w.dir, name), text) }

func (w *walk) remove(name string) { os.RemoveAll(filepath.Join(w.dir, name)) }

// run chooses a file of runs, which may not exist yet.
func (w *walk) run() string {
	runs := []string{"runs/one/model=a/run-0.log", "runs/one/model=b/run-1.log", "runs/two/model=c/date=2026-01-02/run.log", "runs/one/model=d/new.log", "runs/new/x.log"}
	return runs[w.rng.IntN(len(runs))]
}

// compare builds the site with the session, which receives the changed paths, and builds its copy from nothing. If
// paths is nil, the session ends and another takes over.
func (w *walk) compare(what string, paths []string) {
	t := w.t
	t.Helper()
	if paths != nil {
		w.session.Changed(paths)
	} else {
		w.session.Close()
		w.session = Open(Options{Dir: w.dir})
	}
	summary, got, err := w.session.Build(context.Background())
	if err != nil {
		t.Fatal(what, err)
	}
	for _, name := range []string{".git", "runs", "content", "layouts", "docs", "public", cache.Name + "/build.json", cache.Name + "/ledger"} {
		os.RemoveAll(filepath.Join(w.fresh, name)) // pictures are kept, because drawing them takes most of the time
	}
	for _, folder := range []string{".git", "runs", "content", "layouts", "docs"} {
		if isDir(filepath.Join(w.dir, folder)) {
			if err := os.CopyFS(filepath.Join(w.fresh, folder), os.DirFS(filepath.Join(w.dir, folder))); err != nil {
				t.Fatal(err)
			}
		}
	}
	writeFile(t, filepath.Join(w.fresh, config.Name), w.read(config.Name))
	whole, want, err := Build(context.Background(), Options{Dir: w.fresh})
	if err != nil {
		t.Fatal(what, err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) || summary.Broken != whole.Broken || summary.Charts != whole.Charts && !whole.Broken {
		t.Fatalf("%s: %+v\n%v\nnot %+v\n%v", what, summary, got, whole, want)
	}
	if whole.Broken {
		return
	}
	w.compared++
	if !compareTrees(t, filepath.Join(w.dir, "public"), filepath.Join(w.fresh, "public")) {
		t.Fatal(what)
	}
}

// changeKind is a kind of change of a site. make makes the n-th such change, to the given run if it concerns a run, and
// returns the paths that a watcher would report; ok is false if there is nothing to change.
type changeKind struct {
	name string
	make func(w *walk, n int, run string) (paths []string, ok bool)
}

var changeKinds = []changeKind{
	{"another run", func(w *walk, n int, run string) ([]string, bool) {
		w.write(run, invent.Block(w.rng.IntN(900)))
		return []string{run}, true
	}},
	{"a run removed", func(w *walk, n int, run string) ([]string, bool) {
		w.remove(run)
		return []string{run}, true
	}},
	{"a comment in a run", func(w *walk, n int, run string) ([]string, bool) {
		w.write(run, "# a line of comment\n"+invent.Block(n))
		return []string{run}, true
	}},
	{"a run cut off", func(w *walk, n int, run string) ([]string, bool) {
		w.write(run, invent.Block(n)[:300])
		return []string{run}, true
	}},
	{"labels", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("runs/one/run.toml", fmt.Sprintf("engine = \"e%d\"\nhardware = %q\n", n, []string{"H100", "Thor"}[n%2]))
		return []string{"runs/one/run.toml"}, true
	}},
	{"labels that cannot be read", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("runs/one/run.toml", fmt.Sprintf("engine = \"e%d\"\nhardware = \n", n))
		return []string{"runs/one/run.toml"}, true
	}},
	{"a post", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "content/posts/narrow.en.md"
		w.write(name, w.read(name)+fmt.Sprintf("\nMore %d.\n", n))
		return []string{name}, true
	}},
	{"a link to a post, which may be there", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "content/posts/narrow.en.md"
		w.write(name, w.read(name)+fmt.Sprintf("\n[%d](%s)\n", n, []string{"other.en.md", "othr.en.md", "all.zh-CN.md"}[n%3]))
		return []string{name}, true
	}},
	{"a title", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "content/posts/all.zh-CN.md"
		w.write(name, fmt.Sprintf("+++\ntitle = \"Title %d\"\ndate = 2026-01-0%d\n+++\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"tpot_mean\"]\n```\n", n, 1+n%5))
		return []string{name}, true
	}},
	{"another post", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "content/posts/other.en.md"
		if n%3 == 0 {
			w.remove(name)
		} else {
			w.write(name, fmt.Sprintf("+++\ntitle = \"Other\"\nslug = \"other-%d\"\ndate = 2026-02-01\nruns = '{model=\"c\"}'\n+++\n\n`= ttft_mean{id=~\".*2026-01-06.*\"}` ms, %d times [picture](p.txt)\n", n%4, n))
		}
		return []string{name}, true
	}},
	{"a linked file", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("content/posts/p.txt", fmt.Sprint(n))
		return []string{"content/posts/p.txt"}, true
	}},
	{"a page", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("docs/a.md", fmt.Sprintf("# A%d\n\n## Part %d\n\n[b](b.md#part) [c](c.md) ![p](p.png)\n", n%2, n))
		return []string{"docs/a.md"}, true
	}},
	{"a page with a block", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("docs/b.md", fmt.Sprintf("+++\n+++\n\n# B\n\n## Part\n\n%d\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"output_throughput\"]\n```\n", n))
		return []string{"docs/b.md"}, true
	}},
	{"another page", func(w *walk, n int, _ string) ([]string, bool) {
		names := []string{"docs/c.md", "docs/zh/b.md", "docs/zh/README.md"}
		name := names[n%3]
		if w.read(name) != "" {
			w.remove(name)
		} else {
			w.write(name, fmt.Sprintf("# Page %d\n\n[a](a.md) [site](../site.toml)\n", n))
		}
		return []string{name}, true
	}},
	{"a picture of a page", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("docs/p.png", fmt.Sprint("picture", n))
		return []string{"docs/p.png"}, true
	}},
	{"the configuration", func(w *walk, n int, _ string) ([]string, bool) {
		plans := []string{"", "[[plan]]\nname = \"p\"\n[plan.labels]\nmodel = [\"a\", \"b\"]\nload = [\"high\"]\n"}
		text, _, _ := strings.Cut(w.read(config.Name), "[[plan]]")
		w.write(config.Name, fmt.Sprintf("author = \"A%d\"\n", n)+text[strings.Index(text, "title"):]+plans[n%2])
		return []string{config.Name}, true
	}},
	{"layouts", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("layouts/custom.css", fmt.Sprintf("/* %d */", n))
		if n%2 == 0 {
			w.write("layouts/model.html", fmt.Sprintf("<p>%d {{len .Data.Parts}}</p>", n))
		}
		return []string{"layouts/custom.css", "layouts/model.html"}, true
	}},
	{"a moved folder", func(w *walk, n int, _ string) ([]string, bool) {
		w.remove("runs/moved")
		os.Rename(filepath.Join(w.dir, "runs/new"), filepath.Join(w.dir, "runs/moved"))
		return []string{"runs/new", "runs/moved"}, true
	}},
	{"an unfinished run", func(w *walk, n int, run string) ([]string, bool) {
		w.write(run, fmt.Sprintf("Namespace(backend='vllm', model='a', num_prompts=100)\nStarting main benchmark run...\n  %d%%|███       | %d/100 [00:10<00:40,  1.05it/s]", n, n))
		return []string{run}, true
	}},
	{"a sweep", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "runs/one/sweep.toml"
		if n%3 == 0 {
			w.remove(name)
		} else {
			w.write(name, fmt.Sprintf("[[sweep]]\nname = \"s\"\ncommand = \"x {model}\"\n[sweep.over]\nmodel = [\"a\", \"m%d\"]\n", n))
		}
		return []string{name}, true
	}},
	// Nothing that is read changes, only the text that a post shows.
	{"spaces in a run", func(w *walk, n int, run string) ([]string, bool) {
		text := w.read(run)
		if text == "" {
			return nil, false
		}
		w.write(run, regexp.MustCompile(`generated tokens: +`).ReplaceAllString(text, "generated tokens:"+strings.Repeat(" ", 10+n%20)))
		return []string{run}, true
	}},
	// A change of the machine, or another text with the same content.
	{"a capture", func(w *walk, n int, _ string) ([]string, bool) {
		w.write("runs/two/lscpu.txt", fmt.Sprintf("Architecture:        x86_64\nOn-line CPU(s) list: 0-7\nThread(s) per core:  2\nCPU(s):              %d\nModel name:          AMD EPYC 9354 32-Core Processor\n", 8+n/20)+strings.Repeat("\n", n))
		return []string{"runs/two/lscpu.txt"}, true
	}},
	{"a manifest", func(w *walk, n int, _ string) ([]string, bool) {
		const name = "runs/two/model=c/date=2026-01-03/manifest.json"
		w.write(name, fmt.Sprintf("{\"n\": %d}\n", n))
		return []string{name}, true
	}},
	{"a commit", func(w *walk, n int, _ string) ([]string, bool) {
		if w.repo != nil {
			w.repo.Commit(fmt.Sprintf("Step %d", n), nil)
		}
		return []string{}, w.repo != nil
	}},
	{"a commit of another run", func(w *walk, n int, run string) ([]string, bool) {
		w.write(run, invent.Block(w.rng.IntN(900)))
		if w.repo != nil {
			w.repo.Commit(fmt.Sprintf("Step %d", n), nil)
		}
		return []string{run}, true
	}},
	{"a commit taken back", func(w *walk, n int, _ string) ([]string, bool) {
		if w.repo == nil {
			return nil, false
		}
		_, err := w.repo.Try("reset", "-q", "--soft", "HEAD~1")
		return []string{}, err == nil
	}},
}

// compareTrees reports whether two folders are equal, byte for byte.
func compareTrees(t *testing.T, got, want string) bool {
	t.Helper()
	a, b := folder.Read(t, got), folder.Read(t, want)
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if !bytes.Equal(a[name], b[name]) {
			t.Errorf("%s is not what a build of everything makes:\n%s", name, difference(a[name], b[name]))
			return false
		}
	}
	if len(a) != len(b) {
		t.Errorf("there are %d files, not %d", len(a), len(b))
	}
	return len(a) == len(b)
}

// difference returns the first lines in which two texts differ.
func difference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			at := func(lines []string) string {
				if i >= len(lines) {
					return "(end)"
				}
				return lines[i][:min(len(lines[i]), 600)]
			}
			return fmt.Sprintf("line %d is\n%s\nnot\n%s", i+1, at(a), at(b))
		}
	}
	return ""
}

// TestTextOfARunFollowsItsFile checks that posts and pages that show the text of a run follow its file, even if nothing
// that is read from it has changed.
func TestTextOfARunFollowsItsFile(t *testing.T) {
	t.Parallel()
	dir := smallSite(t)
	s := Open(Options{Dir: dir})
	defer s.Close()
	if _, ms, err := s.Build(context.Background()); err != nil {
		t.Fatal(ms, err)
	}
	const run = "runs/one/model=b/run-1.log"
	text := strings.Replace(invent.Block(1), "generated tokens:          ", "generated tokens:      ", 1)
	writeFile(t, filepath.Join(dir, run), text)
	s.Changed([]string{run})
	e, err := s.Read()
	if err != nil || len(e.Fresh()) != 1 {
		t.Fatalf("%d runs are reported as changed, error %v", len(e.Fresh()), err)
	}
	if _, ms, err := e.Write(context.Background()); err != nil {
		t.Fatal(ms, err)
	}
	for _, page := range []string{"en/posts/narrow/index.html", "en/runs/one/model=b/run-1.html"} {
		data, err := os.ReadFile(filepath.Join(dir, "public", "site", page))
		if err != nil || !strings.Contains(string(data), "generated tokens:"+strings.Repeat(" ", 14)+"12800") {
			t.Errorf("%s shows the old text, error %v", page, err)
		}
	}
}

// TestTelemetryMakesNoRunAnother checks that a run that is assembled again with its telemetry, with the same outcome,
// does not count as changed.
func TestTelemetryMakesNoRunAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, config.Name), "title = \"T\"\n")
	writeFile(t, filepath.Join(dir, "runs/a/run.log"), invent.Block(1))
	samples := "timestamp, power.draw [W]\n"
	for i := range 50 {
		samples += fmt.Sprintf("2026/01/01 10:00:%02d.000, %d.00 W\n", i, 50+i)
	}
	writeFile(t, filepath.Join(dir, "runs/a/power.csv"), samples)
	s := Open(Options{Dir: dir})
	e, err := s.Read()
	if err != nil || len(e.Results()) != 1 || e.Results()[0].Telemetry == nil {
		t.Fatal(e.Messages, err)
	}
	first := e.Results()[0]
	writeFile(t, filepath.Join(dir, "runs/b/run.log"), invent.Block(2))
	s.Changed([]string{"runs/b"})
	if e, err = s.Read(); err != nil || len(e.Results()) != 2 || e.Results()[0] != first || len(e.Fresh()) != 1 {
		t.Errorf("%d results, %d of them fresh, error %v", len(e.Results()), len(e.Fresh()), err)
	}
}
