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
)

// smallSite is a site with everything that depends on something else: loads, a
// family of models, posts that select, and history.
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

// Whatever changes, and whether a session goes on or another takes over, the output
// is byte for byte that of a build of everything, and so are the messages.
func TestASessionBuildsWhatABuildOfEverythingDoes(t *testing.T) {
	dir := smallSite(t)
	fresh := t.TempDir()
	rng := rand.New(rand.NewPCG(3, 5))
	var repo *repository.Repository // whose past trends show; nil where there is no git
	if _, err := exec.LookPath("git"); err == nil {
		repository.Alone(t)
		repo = repository.In(t, dir)
		repo.Git("init", "-q", "-b", "main")
		text, _ := os.ReadFile(filepath.Join(dir, config.Name))
		repo.Commit("One", map[string]string{config.Name: string(text) + "[history]\ngit = true\n", ".gitignore": "/public/\n"})
	}
	ctx := context.Background()
	s := Open(Options{Dir: dir})
	compared := 0
	compare := func(what string, told []string) {
		t.Helper()
		if told != nil {
			s.Changed(told)
		} else {
			s.Close()
			s = Open(Options{Dir: dir})
		}
		summary, got, err := s.Build(ctx)
		if err != nil {
			t.Fatal(what, err)
		}
		for _, name := range []string{".git", "runs", "content", "layouts", "public", stateFolder + "/build.json", stateFolder + "/ledger"} {
			os.RemoveAll(filepath.Join(fresh, name)) // pictures are kept: drawing them takes the time
		}
		for _, folder := range []string{".git", "runs", "content", "layouts"} {
			if isDir(filepath.Join(dir, folder)) {
				if err := os.CopyFS(filepath.Join(fresh, folder), os.DirFS(filepath.Join(dir, folder))); err != nil {
					t.Fatal(err)
				}
			}
		}
		text, _ := os.ReadFile(filepath.Join(dir, config.Name))
		writeFile(t, filepath.Join(fresh, config.Name), string(text))
		whole, want, err := Build(ctx, Options{Dir: fresh})
		if err != nil {
			t.Fatal(what, err)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || summary.Broken != whole.Broken || summary.Charts != whole.Charts && !whole.Broken {
			t.Fatalf("%s: %+v\n%v\nnot %+v\n%v", what, summary, got, whole, want)
		}
		if whole.Broken {
			return
		}
		compared++
		if !compareTrees(t, filepath.Join(dir, "public"), filepath.Join(fresh, "public")) {
			t.Fatal(what)
		}
	}
	compare("at first", []string{})
	runs := []string{"runs/one/model=a/run-0.log", "runs/one/model=b/run-1.log", "runs/two/model=c/date=2026-01-02/run.log", "runs/one/model=d/new.log", "runs/new/x.log"}
	plans := []string{"", "[[plan]]\nname = \"p\"\n[plan.labels]\nmodel = [\"a\", \"b\"]\nload = [\"high\"]\n"}
	const steps = 60
	for n := range steps {
		run := runs[rng.IntN(len(runs))]
		var told []string
		what := run
		kind := rng.IntN(20)
		if repo == nil && kind > 16 {
			kind = 0
		}
		switch kind {
		default:
			told = append(told, run)
			writeFile(t, filepath.Join(dir, run), invent.Block(rng.IntN(900)))
		case 0:
			what = "removed " + run
			os.Remove(filepath.Join(dir, run))
			told = append(told, run)
		case 1:
			what = "comment in " + run
			writeFile(t, filepath.Join(dir, run), "# a line of comment\n"+invent.Block(n))
			told = append(told, run)
		case 2:
			what = "cut " + run
			writeFile(t, filepath.Join(dir, run), invent.Block(n)[:300])
			told = append(told, run)
		case 3:
			what = "labels"
			writeFile(t, filepath.Join(dir, "runs/one/run.toml"), fmt.Sprintf("engine = \"e%d\"\nhardware = %q\n", n, []string{"H100", "Thor"}[n%2]))
			told = append(told, "runs/one/run.toml")
		case 4:
			what = "post"
			name := "content/posts/narrow.en.md"
			text, _ := os.ReadFile(filepath.Join(dir, name))
			writeFile(t, filepath.Join(dir, name), string(text)+fmt.Sprintf("\nMore %d.\n", n))
			told = append(told, name)
		case 5:
			what = "title"
			name := "content/posts/all.zh-CN.md"
			writeFile(t, filepath.Join(dir, name), fmt.Sprintf("+++\ntitle = \"Title %d\"\ndate = 2026-01-0%d\n+++\n\n```benchpost table\nrows = [\"model\"]\ncolumns = [\"tpot_mean\"]\n```\n", n, 1+n%5))
			told = append(told, name)
		case 13:
			what = "sweep"
			name := "runs/one/sweep.toml"
			if n%3 == 0 {
				os.Remove(filepath.Join(dir, name))
			} else {
				writeFile(t, filepath.Join(dir, name), fmt.Sprintf("[[sweep]]\nname = \"s\"\ncommand = \"x {model}\"\n[sweep.over]\nmodel = [\"a\", \"m%d\"]\n", n))
			}
			told = append(told, name)
		case 6:
			what = "another post"
			name := "content/posts/other.en.md"
			if n%3 == 0 {
				os.Remove(filepath.Join(dir, name))
			} else {
				writeFile(t, filepath.Join(dir, name), fmt.Sprintf("+++\ntitle = \"Other\"\ndate = 2026-02-01\nruns = '{model=\"c\"}'\n+++\n\n`= ttft_mean{id=~\".*2026-01-06.*\"}` ms, %d times [picture](p.txt)\n", n))
			}
			told = append(told, name)
		case 7:
			what = "a linked file"
			writeFile(t, filepath.Join(dir, "content/posts/p.txt"), fmt.Sprint(n))
			told = append(told, "content/posts/p.txt")
		case 8:
			what = "configuration"
			text, _ := os.ReadFile(filepath.Join(dir, config.Name))
			text, _, _ = bytes.Cut(text, []byte("[[plan]]"))
			writeFile(t, filepath.Join(dir, config.Name), fmt.Sprintf("author = \"A%d\"\n", n)+string(text[strings.Index(string(text), "title"):])+plans[n%2])
			told = append(told, config.Name)
		case 9:
			what = "layout"
			writeFile(t, filepath.Join(dir, "layouts/custom.css"), fmt.Sprintf("/* %d */", n))
			if n%2 == 0 {
				writeFile(t, filepath.Join(dir, "layouts/model.html"), fmt.Sprintf("<p>%d {{len .Data.Parts}}</p>", n))
			}
			told = append(told, "layouts/custom.css", "layouts/model.html")
		case 10: // the session ends, and another takes over
			what = "another session, " + run
			writeFile(t, filepath.Join(dir, run), invent.Block(rng.IntN(900)))
			told = nil
		case 14: // nothing that is read changes, only the text that a post shows
			what = "spaces in " + run
			text, err := os.ReadFile(filepath.Join(dir, run))
			if err != nil {
				continue
			}
			spaces := strings.Repeat(" ", 10+n%20)
			writeFile(t, filepath.Join(dir, run), regexp.MustCompile(`generated tokens: +`).ReplaceAllString(string(text), "generated tokens:"+spaces))
			told = append(told, run)
		case 15: // what tells of the machine, or another text that tells the same
			what = "capture"
			name := "runs/two/lscpu.txt"
			writeFile(t, filepath.Join(dir, name), fmt.Sprintf("Architecture:        x86_64\nOn-line CPU(s) list: 0-7\nThread(s) per core:  2\nCPU(s):              %d\nModel name:          AMD EPYC 9354 32-Core Processor\n", 8+n/20)+strings.Repeat("\n", n))
			told = append(told, name)
		case 16:
			what = "manifest"
			name := "runs/two/model=c/date=2026-01-03/manifest.json"
			writeFile(t, filepath.Join(dir, name), fmt.Sprintf("{\"n\": %d}\n", n))
			told = append(told, name)
		case 12:
			what = "going on " + run
			writeFile(t, filepath.Join(dir, run), fmt.Sprintf("Namespace(backend='vllm', model='a', num_prompts=100)\nStarting main benchmark run...\n  %d%%|███       | %d/100 [00:10<00:40,  1.05it/s]", n, n))
			told = append(told, run)
		case 17:
			what = "committed"
			repo.Commit(fmt.Sprintf("Step %d", n), nil)
			told = []string{}
		case 18:
			what = "committed anew, " + run
			writeFile(t, filepath.Join(dir, run), invent.Block(rng.IntN(900)))
			repo.Commit(fmt.Sprintf("Step %d", n), nil)
			told = append(told, run)
		case 19:
			what = "forgotten"
			if _, err := repo.Try("reset", "-q", "--soft", "HEAD~1"); err != nil {
				continue
			}
			told = []string{}
		case 11:
			what = "moved folder"
			os.RemoveAll(filepath.Join(dir, "runs/moved"))
			os.Rename(filepath.Join(dir, "runs/new"), filepath.Join(dir, "runs/moved"))
			told = append(told, "runs/new", "runs/moved")
		}
		compare(fmt.Sprintf("step %d, %s", n, what), told)
	}
	if compared < steps*3/4 {
		t.Errorf("only %d of %d steps gave a site", compared, steps)
	}
}

// compareTrees tells whether two folders hold the same, byte for byte.
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

// difference gives the first lines in which two texts differ.
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

// The text of a run is shown by posts and pages: it follows its file though nothing
// that is read from it has changed.
func TestTextOfARunFollowsItsFile(t *testing.T) {
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
		t.Fatalf("%d runs are told to be others, error %v", len(e.Fresh()), err)
	}
	if _, ms, err := e.Write(context.Background()); err != nil {
		t.Fatal(ms, err)
	}
	for _, page := range []string{"en/posts/narrow/index.html", "en/runs/one/model=b/run-1/index.html"} {
		data, err := os.ReadFile(filepath.Join(dir, "public", "site", page))
		if err != nil || !strings.Contains(string(data), "generated tokens:"+strings.Repeat(" ", 14)+"12800") {
			t.Errorf("%s shows the old text, error %v", page, err)
		}
	}
}

// A run that is put together anew with its telemetry, and is what it was, is no other.
func TestTelemetryMakesNoRunAnother(t *testing.T) {
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
