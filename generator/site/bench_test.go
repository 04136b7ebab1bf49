package site

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// root is the repository, which is the sample site.
const root = "../.."

func mustBuild(b *testing.B, opt Options) Summary {
	b.Helper()
	s, ms, err := Build(context.Background(), opt)
	if err != nil || s.Broken {
		b.Fatalf("%v, %d messages, first: %v", err, len(ms), ms[:min(3, len(ms))])
	}
	return s
}

// BenchmarkSampleSite builds the sample site into an empty folder.
func BenchmarkSampleSite(b *testing.B) {
	dir := copySite(b)
	for b.Loop() {
		b.StopTimer()
		os.RemoveAll(filepath.Join(dir, "public"))
		b.StartTimer()
		mustBuild(b, Options{Dir: dir})
	}
}

// BenchmarkNothingChanged builds a site without changes: the sample, and one of 100 campaigns.
func BenchmarkNothingChanged(b *testing.B) {
	for name, make := range map[string]func(testing.TB) string{
		"sample": copySite,
		"large":  hundredPosts,
	} {
		b.Run(name, func(b *testing.B) {
			dir := make(b)
			mustBuild(b, Options{Dir: dir})
			for b.Loop() {
				if s := mustBuild(b, Options{Dir: dir}); !s.Fresh {
					b.Fatal("it was built again")
				}
			}
		})
	}
}

// hundredPosts makes a site of realistic size: 100 posts, with 1,600 runs and 400 charts.
func hundredPosts(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := invent.Campaigns(dir, 100); err != nil {
		tb.Fatal(err)
	}
	return dir
}

// BenchmarkLargeSite builds 100 campaigns. The metric live-MB is the heap after the build, while its results are kept.
func BenchmarkLargeSite(b *testing.B) {
	dir := hundredPosts(b)
	for b.Loop() {
		b.StopTimer()
		os.RemoveAll(filepath.Join(dir, "public"))
		os.RemoveAll(filepath.Join(dir, cache.Name))
		b.StartTimer()
		mustBuild(b, Options{Dir: dir})
	}
	b.StopTimer()
	var c config.Config
	set, err := Dataset(dir, &c, nil)
	if err != nil {
		b.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "live-MB")
	runtime.KeepAlive(set)
}

// copySite copies the inputs of the sample site into a temporary folder.
func copySite(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := copySiteTo(dir); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func copySiteTo(dir string) error {
	for _, folder := range []string{"runs", "content", "layouts", "docs"} {
		if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(filepath.Join(root, config.Name))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, config.Name), data, 0o644)
}

// BenchmarkAnotherProcess changes one run of 100 campaigns before each build; each build starts without memory of the
// last. The metric posts is the number of posts evaluated.
func BenchmarkAnotherProcess(b *testing.B) {
	dir := hundredPosts(b)
	mustBuild(b, Options{Dir: dir})
	evaluated, n := 0, 0
	for b.Loop() {
		n++
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(invent.Run(7, invent.Variant, "high"))), []byte(invent.Block(n)), 0o644); err != nil {
			b.Fatal(err)
		}
		evaluated += mustBuild(b, Options{Dir: dir}).Evaluated
	}
	b.ReportMetric(float64(evaluated)/float64(n), "posts")
}

// BenchmarkChangedRun changes one run of 100 campaigns repeatedly. The metrics are the milliseconds until the pages of
// the run and of its post are made, and until everything that depends on the run is written.
func BenchmarkChangedRun(b *testing.B) {
	dir := hundredPosts(b)
	s := Open(Options{Dir: dir})
	defer s.Close()
	ctx := context.Background()
	if summary, ms, err := s.Build(ctx); err != nil || summary.Broken {
		b.Fatal(ms, err)
	}
	file := invent.Run(7, invent.Variant, "high")
	pages := map[string]float64{strings.TrimSuffix(file, ".log") + "/index.html": 0, "posts/post-00007/index.html": 0}
	var read, wrote []float64
	n := 0
	for b.Loop() {
		n++
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(file)), []byte(invent.Block(n)), 0o644); err != nil {
			b.Fatal(err)
		}
		s.Changed([]string{file})
		start := time.Now()
		e, err := s.Read()
		if err != nil || e.Broken {
			b.Fatal(e.Messages, err)
		}
		read = append(read, time.Since(start).Seconds())
		for page := range pages {
			start := time.Now()
			if ok, err := e.Page(page, func(string, []byte) error { return nil }); !ok || err != nil {
				b.Fatal(page, ok, err)
			}
			pages[page] += time.Since(start).Seconds()
		}
		start = time.Now()
		if summary, _, err := e.Write(ctx); err != nil || summary.Written == 0 {
			b.Fatal(summary, err)
		}
		wrote = append(wrote, time.Since(start).Seconds())
	}
	median := func(all []float64) float64 { slices.Sort(all); return 1000 * all[len(all)/2] }
	b.ReportMetric(median(read), "ms-read")
	b.ReportMetric(median(wrote), "ms-write")
	for page, total := range pages {
		b.ReportMetric(1000*total/float64(n), "ms-"+page[:4])
	}
}
