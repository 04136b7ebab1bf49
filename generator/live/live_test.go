package live

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

// TestPagesInSightComeFirst checks that a page in sight is shown before everything is written, and that the written
// page is the same.
func TestPagesInSightComeFirst(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}}, runPage, onePage)
	for _, page := range []string{runPage, onePage, allPage} {
		if !strings.Contains(k.page(page), "100.00") {
			t.Fatalf("%s does not show the run", page)
		}
	}
	k.viewer.mu.Lock()
	k.viewer.events = nil
	k.viewer.mu.Unlock()
	put(t, dir, "runs/c/model=A/run.log", log(123.45))
	k.until("all is written", func() bool { return strings.Contains(k.page(allPage), "123.45") })
	k.until("that is reported", func() bool {
		last := k.reported()
		return last[len(last)-1].Written
	})
	events := k.viewer.events
	settled := slices.Index(events, "settle")
	for _, page := range []string{runPage, onePage} {
		shown, announced := slices.Index(events, "put "+page), slices.Index(events, "changed "+page)
		if shown < 0 || announced < shown || settled < announced {
			t.Errorf("%s was not shown and announced before all was written: %q", page, events)
		}
	}
	if at := slices.Index(events, "changed "+allPage); at < settled {
		t.Errorf("the page out of sight was announced before it was written: %q", events)
	}
	i := slices.IndexFunc(k.reported(), func(r Report) bool { return len(r.Fresh) > 0 && len(r.Paths) > 0 })
	if i < 0 || !slices.Equal(k.reported()[i].Fresh, []string{"c/model=A/run"}) || k.reported()[i].Shown == 0 {
		t.Errorf("the result was not reported: %+v", k.reported())
	}
}

// TestAChangeIsShownWhileTheSiteIsWritten checks that a change during writing is shown at once, and written afterwards.
func TestAChangeIsShownWhileTheSiteIsWritten(t *testing.T) {
	t.Parallel()
	dir := written(t)
	writing, goOn := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	k := keep(t, Options{Site: site.Options{Dir: dir, Progress: func(what string) {
		if what == "writing pages" && armed.CompareAndSwap(true, false) {
			close(writing)
			<-goOn
		}
	}}}, runPage, onePage)
	armed.Store(true)
	shown := func(page string) string {
		k.viewer.mu.Lock()
		defer k.viewer.mu.Unlock()
		return k.viewer.put[page]
	}
	put(t, dir, "runs/c/model=A/run.log", log(123.25))
	<-writing
	put(t, dir, "runs/c/model=A/run.log", log(234.25))
	for _, page := range []string{runPage, onePage} {
		k.until(page+" shows it", func() bool { return strings.Contains(shown(page), "234.25") })
	}
	k.rebuilder.Fresh(allPage)
	if !strings.Contains(shown(allPage), "234.25") {
		t.Error("a page that is asked for meanwhile is not the newest")
	}
	if strings.Contains(k.page(runPage), "234.25") {
		t.Error("it was written meanwhile")
	}
	n := len(k.reported())
	close(goOn)
	k.until("the older snapshot is written", func() bool {
		return slices.ContainsFunc(k.reported()[n:], func(r Report) bool { return r.Written })
	})
	if now := shown(runPage); now != "" && !strings.Contains(now, "234.25") {
		t.Error("an older page is shown after the older snapshot was written")
	}
	k.until("the newer one is written", func() bool { return strings.Contains(k.page(allPage), "234.25") })
	k.until("nothing is about to be written", k.rests)
	if left := shown(runPage); left != "" {
		t.Error("the page is kept though the folder has it")
	}
	if err := k.stop(); err != nil {
		t.Error(err)
	}
	plain(t, dir)
}

// TestAPageIsMadeWhenItIsAskedFor checks that a page requested before it is written is the one that will be written.
func TestAPageIsMadeWhenItIsAskedFor(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	put(t, dir, "runs/c/model=A/run.log", log(123.45))
	k.until("it was read", func() bool { return len(k.reported()) > 2 })
	k.rebuilder.Fresh(allPage)
	k.rebuilder.Fresh("no/such/page.html")
	k.viewer.mu.Lock()
	got, ok := k.viewer.put[allPage]
	k.viewer.mu.Unlock()
	if ok && !strings.Contains(got, "123.45") {
		t.Error("the page is an old one")
	}
	k.until("all is written", func() bool { return strings.Contains(k.page(allPage), "123.45") })
	if ok && got != k.page(allPage) {
		t.Error("the page was shown otherwise than it was written")
	}
}

// TestMistakes checks that a mistake is reported with its place and the lines around it, that the last good pages stay,
// and that the report disappears when the mistake is corrected.
func TestMistakes(t *testing.T) {
	t.Parallel()
	const post, layout = "content/posts/one.en.md", "layouts/404.html"
	for _, c := range []struct {
		name, file, text, mended string
		line                     int
		snippet                  string
	}{
		{"in a post", post, "+++\ntitle = \"One\"\ndate = 2026-01-01\n+++\n\nFirst.\n\n`= output_throughput{model=\"Z\"}`\n", "", 8, "`= output_throughput{model=\"Z\"}`"},
		{"in the site's configuration", "site.toml", "title = \"Live\"\ntitel = \"x\"\n", "", 2, "titel = \"x\""},
		{"in a layout", layout, "<!DOCTYPE html>\n<p>\n{{.Nope}}\n", "<!DOCTYPE html>\n<p>mended</p>\n", 3, "{{.Nope}}"},
		{"in the syntax of a layout", layout, "<!DOCTYPE html>\n{{if}}\n", "<!DOCTYPE html>\n<p>mended</p>\n", 2, "{{if}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := written(t)
			if c.mended == "" {
				c.mended = read(dir, c.file)
			}
			k := keep(t, Options{Site: site.Options{Dir: dir}}, onePage)
			before := folder.Read(t, filepath.Join(dir, "public"))
			put(t, dir, c.file, c.text)
			k.until("the mistake is shown", func() bool { return len(k.viewer.shown().Faults) > 0 })
			state := k.viewer.shown()
			f := state.Faults[0]
			at := c.line - f.First
			if !state.Broken || f.Message.Pos.File != c.file || f.Message.Pos.Line != c.line || at < 0 || at >= len(f.Snippet) || f.Snippet[at] != c.snippet {
				t.Errorf("reported as %+v", f)
			}

			// Meanwhile a run changes, and is not written while the mistake is there.
			put(t, dir, "runs/c/model=A/run.log", log(123.45))
			n := len(k.reported())
			k.until("that was read", func() bool { return len(k.reported()) > n })
			k.until("nothing is about to be written", k.rests)
			if len(k.viewer.shown().Faults) == 0 {
				t.Error("the mistake vanished by itself")
			}
			if after := folder.Read(t, filepath.Join(dir, "public")); !maps.EqualFunc(before, after, bytes.Equal) {
				t.Error("the last good pages are gone")
			}

			put(t, dir, c.file, c.mended)
			k.until("all is written", func() bool { return strings.Contains(k.page(allPage), "123.45") })
			k.until("the mistake vanishes", func() bool { s := k.viewer.shown(); return !s.Broken && len(s.Faults) == 0 })
			if err := k.stop(); err != nil {
				t.Error(err)
			}
			plain(t, dir)
		})
	}
}

// TestASiteThatIsWrongFromTheBeginning checks that a site with a mistake at the start is built when the mistake is
// corrected.
func TestASiteThatIsWrongFromTheBeginning(t *testing.T) {
	t.Parallel()
	dir := written(t)
	good := read(dir, config.Name)
	put(t, dir, config.Name, "title = \n")
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	if f := k.viewer.shown().Faults; len(f) != 1 || f[0].Message.Pos.File != config.Name || f[0].Message.Pos.Line != 1 {
		t.Errorf("reported as %+v", f)
	}
	put(t, dir, config.Name, good)
	k.until("it is built", func() bool { return k.page(allPage) != "" && !k.viewer.shown().Broken })
	if err := k.stop(); err != nil {
		t.Error(err)
	}
	plain(t, dir)
}

// TestAMessageIsReportedOnce checks that a message is not repeated with each step, but is reported again when it comes
// back.
func TestAMessageIsReportedOnce(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	times := func() int { return k.times("runs/c/run.toml") }
	for round := 1; round <= 2; round++ {
		put(t, dir, "runs/c/run.toml", "x = \n")
		k.until("the message is reported", func() bool { return times() == round })
		for i := range 3 {
			page := k.page(allPage)
			put(t, dir, "runs/c/model=A/run.log", log(float64(200*round+i)))
			k.until("a change is written", func() bool { return k.page(allPage) != page })
		}
		if times() != round {
			t.Fatalf("reported %d times in round %d", times(), round)
		}
		written := len(k.reported())
		put(t, dir, "runs/c/run.toml", "engine = \"vllm\"\n")
		k.until("it is mended", func() bool {
			return slices.ContainsFunc(k.reported()[written:], func(r Report) bool { return r.Written && len(r.Messages) == 0 })
		})
	}
}

// TestAMessageIsReportedOnceWhileAnOlderSnapshotIsWritten checks that messages of an older snapshot, whose writing ends
// after a newer one was read, do not replace those of the newer one.
func TestAMessageIsReportedOnceWhileAnOlderSnapshotIsWritten(t *testing.T) {
	t.Parallel()
	dir := written(t)
	writing, goOn := make(chan struct{}), make(chan struct{})
	var armed atomic.Bool
	k := keep(t, Options{Site: site.Options{Dir: dir, Progress: func(what string) {
		if what == "writing pages" && armed.CompareAndSwap(true, false) {
			close(writing)
			<-goOn
		}
	}}})
	times := func() int { return k.times("runs/c/run.toml") }
	armed.Store(true)
	put(t, dir, "runs/c/model=A/run.log", log(123.25))
	<-writing
	put(t, dir, "runs/c/run.toml", "x = \n")
	k.until("the message is reported", func() bool { return times() > 0 })
	put(t, dir, "runs/c/model=A/run.log", log(234.25))
	close(goOn)
	k.until("the newest snapshot is written", func() bool { return strings.Contains(k.page(allPage), "234.25") })
	k.until("nothing is about to be written", k.rests)
	if times() != 1 {
		t.Errorf("reported %d times", times())
	}
}

// TestPublicIsRemoved checks that the output folder is made again if somebody removes it.
func TestPublicIsRemoved(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	for range 2 {
		// A write in progress may leave a file behind.
		k.until("it is removed", func() bool { return os.RemoveAll(filepath.Join(dir, "public")) == nil })
		k.until("it is made again", func() bool { return k.page(allPage) != "" && k.page("index.html") != "" })
	}
	if err := k.stop(); err != nil {
		t.Error(err)
	}
	plain(t, dir)
}

// TestARunThatFailsIsNoticed checks that a run that finishes and fails a check is reported once, with its command,
// whatever else becomes known about it, until it is repeated. Runs that existed at the start are not reported.
func TestARunThatFailsIsNoticed(t *testing.T) {
	t.Parallel()
	dir := written(t)
	put(t, dir, "runs/c/model=B/run.log", printed(90, 10, 100))
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	if n := k.viewer.shown().Notices; len(n) > 0 {
		t.Fatalf("an old run is news: %+v", n)
	}
	const id = "c/model=D/again/console"
	folder := "runs/c/model=D/again/"
	put(t, dir, folder+"record.json", `{"schema": "benchpost-record/1", "command": "vllm bench serve \\\n  --max-concurrency 8", "started": "2026-01-01T10:00:00Z"}`)
	put(t, dir, folder+"console.log", printed(95, 5, 100))
	k.until("it is noticed", func() bool { return len(k.viewer.shown().Notices) > 0 })
	// Its record ends later, and its labels are added later: it is still reported once.
	put(t, dir, folder+"record.json", `{"schema": "benchpost-record/1", "command": "vllm bench serve \\\n  --max-concurrency 8", "started": "2026-01-01T10:00:00Z", "ended": "2026-01-01T10:01:00Z", "exit_code": 0}`)
	put(t, dir, folder+"run.toml", "power_mode = \"MAXN\"\n")
	k.until("its labels are read", func() bool { return strings.Contains(k.page("runs/"+id+".html"), "MAXN") })
	notices := k.viewer.shown().Notices
	if len(notices) != 1 || notices[0].Run != id || locale.English(notices[0].Title) != "D · High" || notices[0].Page != "runs/"+id+".html" || !strings.HasPrefix(notices[0].Command, "vllm bench serve") || !strings.Contains(locale.English(notices[0].Message.Text), "5 of 100") {
		t.Errorf("noticed as %+v", notices)
	}
	reported := 0
	for _, r := range k.reported() {
		reported += len(r.Notices)
	}
	if reported != 1 {
		t.Errorf("reported %d times", reported)
	}

	// It fails again in the same way and is reported again; then it succeeds.
	put(t, dir, folder+"console.log", printed(95, 5, 101))
	k.until("the next is noticed", func() bool {
		n := 0
		for _, r := range k.reported() {
			n += len(r.Notices)
		}
		return n == 2
	})
	put(t, dir, folder+"console.log", log(100))
	k.until("it is gone", func() bool { return len(k.viewer.shown().Notices) == 0 })

	put(t, dir, folder+"console.log", printed(95, 5, 102))
	k.until("it is noticed", func() bool { return len(k.viewer.shown().Notices) > 0 })
	if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(folder))); err != nil {
		t.Fatal(err)
	}
	k.until("it is gone with its folder", func() bool { return len(k.viewer.shown().Notices) == 0 })
}

// TestALogThatGrows checks that a growing log is a running benchmark, and in the end a result.
func TestALogThatGrows(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}}, "index.html")
	goOn, _ := began(t, dir, "runs/c/model=D/run.log")
	for n := range requests {
		goOn()
		if n%13 != 0 {
			continue
		}
		k.until(fmt.Sprintf("%d of %d are done", n, requests), func() bool {
			r := k.viewer.shown().Running
			return len(r) == 1 && r[0].File == "runs/c/model=D/run.log" && locale.English(r[0].Title) == "D · High" && r[0].Done == n && r[0].Total == requests
		})
	}
	k.until("pages show it", func() bool { return strings.Contains(k.page("index.html"), "<progress") })
	goOn()
	k.until("it is a result", func() bool {
		return strings.Contains(k.page(allPage), "44.00") && len(k.viewer.shown().Running) == 0
	})
	k.until("no page shows it running", func() bool { return !strings.Contains(k.page("index.html"), "<progress") })
	if err := k.stop(); err != nil {
		t.Error(err)
	}
	plain(t, dir)
}

// TestARunIsGivenUp checks that a run whose writer has ended counts as given up after some time. This is reported once,
// and nothing happens afterwards.
func TestARunIsGivenUp(t *testing.T) {
	t.Parallel()
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}, Idle: time.Second})
	goOn, cmd := began(t, dir, "runs/c/model=D/run.log")
	for range 11 {
		goOn()
	}
	k.until("it runs", func() bool { r := k.viewer.shown().Running; return len(r) == 1 && r[0].Done == 10 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	k.until("it is given up", func() bool { return len(k.viewer.shown().Running) == 0 })
	k.until("its page reports it", func() bool { return strings.Contains(k.page("problems/index.html"), "unfinished: 10 of 40 requests") })
	k.until("nothing is about to be written", k.rests)
	if ended := k.rebuilder.writers.ended(); len(ended) > 0 {
		t.Errorf("it ends again: %v", ended)
	}
	given := 0 // how often it is shown as given up
	for _, r := range k.reported() {
		if len(r.Running) > 0 {
			given = 0
		} else if !r.Written {
			given++
		}
	}
	if given != 1 {
		t.Errorf("it is reported %d times: %+v", given, k.reported())
	}
	plain(t, dir)
}

// TestLogsFromBefore checks that a log that was left long ago is not running, and that one that was just written is.
func TestLogsFromBefore(t *testing.T) {
	t.Parallel()
	dir := written(t)
	begun := "Starting main benchmark run...\nTraffic request rate: inf\nMaximum request concurrency: 8\n 40%|████      | 40/100 [01:23<02:04,  2.07s/it]\n"
	put(t, dir, "runs/c/model=D/old.log", begun)
	put(t, dir, "runs/c/model=D/new.log", begun)
	put(t, dir, "runs/c/model=D/tomorrow.log", begun)
	for name, age := range map[string]time.Duration{"old": time.Hour, "tomorrow": -24 * time.Hour} {
		at := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, "runs/c/model=D", name+".log"), at, at); err != nil {
			t.Fatal(err)
		}
	}
	k := keep(t, Options{Site: site.Options{Dir: dir}})
	var files []string
	for _, r := range k.viewer.shown().Running {
		files = append(files, r.File)
	}
	slices.Sort(files)
	if !slices.Equal(files, []string{"runs/c/model=D/new.log", "runs/c/model=D/tomorrow.log"}) {
		t.Errorf("running: %q", files)
	}
	if err := k.stop(); err != nil {
		t.Error(err)
	}
	plain(t, dir)
}

// TestItEndsAtAnyMoment ends the rebuilder at any time while a benchmark is running. public is then what a build makes,
// or unchanged if nothing had been built yet, and no goroutine is left.
func TestItEndsAtAnyMoment(t *testing.T) {
	need.Thorough(t, "twenty moments; TestItEndsWhileSomethingRuns takes one")
	rng := rand.New(rand.NewPCG(7, 11))
	dir := written(t)
	before := runtime.NumGoroutine()
	built := false
	next := time.NewTicker(20 * time.Millisecond)
	defer next.Stop()
	for n := range 20 {
		put(t, dir, "runs/c/model=D/run.log", "Starting main benchmark run...\nTraffic request rate: inf\nMaximum request concurrency: 8\n\r  1%|  | 1/100 [00:01<01:39, 1.00it/s]")
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(rng.IntN(900))*time.Millisecond)
		writing := make(chan struct{})
		go func() {
			defer close(writing)
			for i := 2; ctx.Err() == nil && i < 100; i++ {
				f, err := os.OpenFile(filepath.Join(dir, "runs/c/model=D/run.log"), os.O_APPEND|os.O_WRONLY, 0)
				if err == nil {
					fmt.Fprintf(f, "\r%3d%%|  | %d/100 [00:01<01:39, 1.00it/s]", i, i)
					f.Close()
				}
				put(t, dir, "runs/c/model=A/run.log", log(float64(1000*n+i)))
				<-next.C
			}
		}()
		err := New(Options{Site: site.Options{Dir: dir}}).Run(ctx, &viewer{open: []string{"index.html", onePage}, put: map[string]string{}}, func(r Report) { built = built || r.Written && !r.Broken && r.Err == nil })
		<-writing
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, "public", ".*")); len(left) > 1 {
			t.Errorf("left behind: %q", left)
		}
		// What was written in the last moment is left to the next build.
		if _, _, err := site.Build(context.Background(), site.Options{Dir: dir}); err != nil {
			t.Fatal(err)
		}
		plain(t, dir)
		if t.Failed() {
			t.Fatalf("at the %d-th time", n)
		}
	}
	if !built {
		t.Error("nothing was ever built")
	}
	for range 200 {
		if runtime.NumGoroutine() <= before {
			return
		}
		<-next.C
	}
	t.Errorf("%d goroutines, %d before", runtime.NumGoroutine(), before)
}

// TestItEndsWhileSomethingRuns checks that at the end, running benchmarks are unfinished, as a build reports them.
func TestItEndsWhileSomethingRuns(t *testing.T) {
	t.Parallel()
	dir := written(t)
	for range 2 {
		os.Remove(filepath.Join(dir, "runs/c/model=D/run.log")) // a benchmark seen to be running must have started now
		k := keep(t, Options{Site: site.Options{Dir: dir}}, "index.html")
		goOn, _ := began(t, dir, "runs/c/model=D/run.log")
		for range 8 {
			goOn()
		}
		k.until("it runs", func() bool { r := k.viewer.shown().Running; return len(r) == 1 && r[0].Done == 7 })
		if err := k.stop(); err != nil {
			t.Fatal(err)
		}
		plain(t, dir)
	}
}

// TestSeveralAtOneSite checks that two rebuilders of a site, and builds of it, take turns.
func TestSeveralAtOneSite(t *testing.T) {
	t.Parallel()
	dir := written(t)
	first := keep(t, Options{Site: site.Options{Dir: dir}}, onePage)
	second := keep(t, Options{Site: site.Options{Dir: dir}}, allPage)
	for i := range 12 {
		value := fmt.Sprintf("%d.25", 200+i)
		put(t, dir, fmt.Sprintf("runs/c/model=%c/run.log", 'A'+i%3), log(200.25+float64(i)))
		if i%3 == 0 {
			if _, _, err := site.Build(context.Background(), site.Options{Dir: dir}); err != nil {
				t.Fatal(err)
			}
		}
		if i%2 == 0 {
			first.until("it is written", func() bool { return strings.Contains(first.page(allPage), value) })
		}
	}
	for _, k := range []*rebuilding{first, second} {
		if err := k.stop(); err != nil {
			t.Error(err)
		}
		for _, r := range k.reported() {
			if r.Err != nil || r.Broken {
				t.Errorf("%+v", r)
			}
		}
	}
	plain(t, dir)
}

// TestManyFilesAtOnce checks that thousands of simultaneous changes are only a few steps.
func TestManyFilesAtOnce(t *testing.T) {
	t.Parallel()
	manyFiles(t, 200)
}

func TestThousandsOfFilesAtOnce(t *testing.T) {
	need.Thorough(t, "3,000 files; TestManyFilesAtOnce writes 200")
	manyFiles(t, 3000)
}

func manyFiles(t *testing.T, many int) {
	dir := written(t)
	k := keep(t, Options{Site: site.Options{Dir: dir}}, "index.html")
	put(t, dir, "content/posts/all.en.md", "+++\ntitle = \"All\"\ndate = 2026-01-02\nruns = '{model=\"B\"}'\n+++\n\n`= output_throughput`\n")
	before := t.TempDir()
	for i := range many {
		put(t, before, fmt.Sprintf("model=M%d/date=2026-01-%02d/run-%d.log", i%20, 1+i%28, i), log(float64(100+i)))
	}
	if err := os.Rename(before, filepath.Join(dir, "runs", "many")); err != nil {
		t.Fatal(err)
	}
	k.until("all are there", func() bool {
		r := k.reported()
		return r[len(r)-1].Written && r[len(r)-1].Summary.Results == many+2
	})
	if n := len(k.reported()); n > 20 {
		t.Errorf("that took %d steps", n)
	}
	if n := k.viewer.shown().Notices; len(n) > mostNotices {
		t.Errorf("%d notices", len(n))
	}
}

// TestWriters checks that a file is given up once, and only if it was reported as being written.
func TestWriters(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) { writersEnd(t, dir) })
}

func writersEnd(t *testing.T, dir string) {
	w := newWriters(dir, 20*time.Millisecond)
	w.wrote([]string{"runs/a.log", "runs/done.json", "content/posts/x.md"})
	if !w.alive("runs/a.log") || w.alive("runs/none.log") {
		t.Error("who writes is not known")
	}
	if ended := w.ended(); len(ended) > 0 {
		t.Errorf("%q ended at once", ended)
	}
	time.Sleep(30 * time.Millisecond)
	if ended := w.ended(); !slices.Equal(ended, []string{"runs/a.log"}) {
		t.Errorf("%q ended", ended)
	}
	if w.alive("runs/a.log") || len(w.ended()) > 0 {
		t.Error("it ended twice")
	}
	w.wrote([]string{"runs/a.log"})
	if !w.alive("runs/a.log") {
		t.Error("it does not go on")
	}
	w.forget()
	if w.alive("runs/a.log") || len(w.ended()) > 0 {
		t.Error("it is not forgotten")
	}
}

// TestSnippet checks that the lines around a mistake stay within the file.
func TestSnippet(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "a.md", "1\r\n2\r\n3\r\n4\r\n5\r\n6")
	k := New(Options{Site: site.Options{Dir: dir}})
	for _, c := range []struct {
		file  string
		line  int
		first int
		want  string
	}{
		{"a.md", 1, 1, "1 2 3"}, {"a.md", 4, 2, "2 3 4 5 6"}, {"a.md", 6, 4, "4 5 6"}, {"a.md", 7, 0, ""}, {"a.md", 0, 0, ""}, {"b.md", 1, 0, ""}, {"", 1, 0, ""},
	} {
		first, lines := k.snippet(result.Position{File: c.file, Line: c.line})
		if first != c.first || strings.Join(lines, " ") != c.want {
			t.Errorf("%s:%d: %d %q", c.file, c.line, first, lines)
		}
	}
}
