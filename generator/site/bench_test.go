package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// root is the repository: the sample site.
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

// BenchmarkNothingChanged builds the sample site again and again.
func BenchmarkNothingChanged(b *testing.B) {
	dir := copySite(b)
	mustBuild(b, Options{Dir: dir})
	for b.Loop() {
		if s := mustBuild(b, Options{Dir: dir}); !s.Fresh {
			b.Fatal("it was built again")
		}
	}
}

// BenchmarkLargeSite builds 1,000 posts over 16,000 runs. The figure live-MB
// is what the heap holds when the build is done and its results are kept.
func BenchmarkLargeSite(b *testing.B) {
	dir := largeSite(b, 1000, 16000)
	for b.Loop() {
		b.StopTimer()
		os.RemoveAll(filepath.Join(dir, "public"))
		os.RemoveAll(filepath.Join(dir, stateFolder))
		b.StartTimer()
		mustBuild(b, Options{Dir: dir})
	}
	b.StopTimer()
	var c Config
	set, err := Dataset(dir, &c)
	if err != nil {
		b.Fatal(err)
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "live-MB")
	runtime.KeepAlive(set)
}

// copySite copies the inputs of the sample site into a folder of its own.
func copySite(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := copySiteTo(dir); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func copySiteTo(dir string) error {
	for _, folder := range []string{"runs", "content", "layouts"} {
		if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
			continue
		}
		if err := os.CopyFS(filepath.Join(dir, folder), os.DirFS(filepath.Join(root, folder))); err != nil {
			return err
		}
	}
	data, err := os.ReadFile(filepath.Join(root, ConfigName))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, ConfigName), data, 0o644)
}

// largeSite makes a site of invented runs and posts.
func largeSite(tb testing.TB, posts, runs int) string {
	tb.Helper()
	dir := tb.TempDir()
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	write(ConfigName, "title = \"Large\"\nlanguages = [\"en\"]\n")
	for i := range runs {
		write(fmt.Sprintf("runs/c%02d/model=m%03d/run-%05d.log", i%40, i%1000, i), block(i))
	}
	for i := range posts {
		write(fmt.Sprintf("content/posts/post-%04d.en.md", i), fmt.Sprintf(`+++
title = "Post %d"
date = 2025-01-01T00:00:00Z
runs = '{campaign="c%02d", model="m%03d"}'
+++

The first run gives `+"`= output_throughput{id=~\".*run-%05d\"}`"+` tok/s.

## Table

`+"```benchpost table\nrows = [\"id\"]\ncolumns = [\"output_throughput\", \"ttft_mean\", \"tpot_mean\"]\n```\n", i, i%40, i%1000, i))
	}
	return dir
}

func block(i int) string {
	duration := 40 + float64(i%977)/10
	return fmt.Sprintf(`============ Serving Benchmark Result ============
Successful requests:                     100
Maximum request concurrency:             8
Benchmark duration (s):                  %.2f
Total input tokens:                      204800
Total generated tokens:                  12800
Request throughput (req/s):              %.2f
Output token throughput (tok/s):         %.2f
Total Token throughput (tok/s):          %.2f
---------------Time to First Token----------------
Mean TTFT (ms):                          %.2f
Median TTFT (ms):                        480.11
P99 TTFT (ms):                           1090.45
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          %.2f
Median TPOT (ms):                        22.90
P99 TPOT (ms):                           30.15
---------------Inter-token Latency----------------
Mean ITL (ms):                           22.59
Median ITL (ms):                         17.88
P99 ITL (ms):                            150.30
==================================================
`, duration, 100/duration, 12800/duration, 217600/duration, 400+float64(i%331), 20+float64(i%53)/10)
}

// BenchmarkChangedRun changes one run of 16,000 in a site of 1,000 posts, as often
// as it takes. The figures: ms until the page of the run and that of the post which
// shows it are made, and ms until all that depends on it is written.
func BenchmarkChangedRun(b *testing.B) {
	dir := largeSite(b, 1000, 16000)
	s := Open(Options{Dir: dir})
	defer s.Close()
	ctx := context.Background()
	if summary, ms, err := s.Build(ctx); err != nil || summary.Broken {
		b.Fatal(ms, err)
	}
	const run = "c07/model=m007/run-00007"
	pages := map[string]float64{"runs/" + run + "/index.html": 0, "posts/post-0007/index.html": 0}
	var read, wrote []float64
	n := 0
	for b.Loop() {
		n++
		if err := os.WriteFile(filepath.Join(dir, "runs", run+".log"), []byte(block(n)), 0o644); err != nil {
			b.Fatal(err)
		}
		s.Changed([]string{"runs/" + run + ".log"})
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
