package watch

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// tree makes a folder of folders with files.
func tree(b *testing.B, folders, files int) string {
	b.Helper()
	root := b.TempDir()
	for i := range folders {
		folder := filepath.Join(root, fmt.Sprintf("model-%d", i))
		if err := os.Mkdir(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range files {
			if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("concurrency=%d.log", j)), []byte("text"), 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	return root
}

func open(b *testing.B, opt Options, root string) *Watcher {
	b.Helper()
	opt.Roots = []string{root}
	w, err := Open(opt)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { w.Close() })
	return w
}

// BenchmarkWriteToBatch measures the time from the write of a file to the batch that reports it, among 16,000 files,
// including the quiet time of 8 ms.
func BenchmarkWriteToBatch(b *testing.B) {
	root := tree(b, 800, 20)
	w := open(b, Options{}, root)
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		path := filepath.Join(root, fmt.Sprintf("model-%d", i%800), "concurrency=7.log")
		began := time.Now()
		if err := os.WriteFile(path, []byte(fmt.Sprint(i)), 0o644); err != nil {
			b.Fatal(err)
		}
		for batch := range w.Changes() {
			if slices.Contains(batch.Paths, path) {
				break
			}
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	milliseconds := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(milliseconds(took[len(took)/2]), "ms-median")
	b.ReportMetric(milliseconds(took[len(took)*99/100]), "ms-p99")
}

// BenchmarkScan measures a scan of 16,000 files in 800 folders.
func BenchmarkScan(b *testing.B) {
	w := open(b, Options{Poll: time.Hour}, tree(b, 800, 20))
	w.Close()
	all := slices.Collect(maps.Values(w.folders))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range all {
			if w.scan(f) {
				b.Fatal("a change where there is none")
			}
		}
	}
}

// BenchmarkOpen measures the time and the memory of starting to watch.
func BenchmarkOpen(b *testing.B) {
	for _, size := range []struct{ folders, files int }{{800, 20}, {16_000, 1}} {
		for name, opt := range map[string]Options{"events": {}, "polling": {Poll: time.Hour}} {
			b.Run(fmt.Sprintf("%s/%dx%d", name, size.folders, size.files), func(b *testing.B) {
				root := tree(b, size.folders, size.files)
				var kept uint64
				for b.Loop() {
					before := heap()
					w := open(b, opt, root)
					kept = heap() - before
					w.Close()
				}
				b.ReportMetric(float64(kept)/float64(size.folders), "B/folder")
			})
		}
	}
}

// BenchmarkDay simulates a day: ten logs appended all the time, and runs that come and go. The memory must not grow.
func BenchmarkDay(b *testing.B) {
	root := tree(b, 800, 20)
	w := open(b, Options{Quiet: time.Millisecond}, root)
	go func() {
		for range w.Changes() {
		}
	}()
	var logs []*os.File
	for i := range 10 {
		f, err := os.OpenFile(filepath.Join(root, fmt.Sprintf("model-%d", i), "concurrency=1.log"), os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		logs = append(logs, f)
	}
	day := func(name string, events int) {
		for i := range events / 10 {
			for _, f := range logs[:6] {
				_, _ = f.WriteString("\r 12%")
			}
			folder := filepath.Join(root, fmt.Sprintf("%s-%d", name, i))
			_ = os.Mkdir(folder, 0o755)
			_ = os.WriteFile(filepath.Join(folder, "run.json"), []byte("{}"), 0o644)
			_ = os.RemoveAll(folder)
		}
		time.Sleep(200 * time.Millisecond)
	}
	day("warm", 20_000)
	before := heap()
	n := 0
	for ; b.Loop(); n++ {
		day(fmt.Sprint(n), 300_000)
	}
	after := heap()
	b.ReportMetric(float64(before), "B-before")
	b.ReportMetric(float64(after), "B-after")
	if m := w.Mode(); m.Folders != 801 {
		b.Errorf("%d folders are known", m.Folders)
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
