package live

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
)

// sight is a viewer with one open page, which reports when that page is put.
type sight struct {
	page string
	put  chan struct{}
}

func (s *sight) Open() []string { return []string{s.page} }

func (s *sight) Put(path string, _ []byte) {
	if path == s.page {
		select {
		case s.put <- struct{}{}:
		default:
		}
	}
}

func (s *sight) Settle([]string)  {}
func (s *sight) Changed([]string) {}
func (s *sight) Say(serve.State)  {}

// BenchmarkChange measures the time from a write to a run's file until its open page is made again and passed to the
// viewer, in a site of 1,000 posts and 16,000 runs (goal: a median under 30 ms). The watcher waits for quiet, and
// everything else is written in between. It measures the same for the post that shows the run.
func BenchmarkChange(b *testing.B) {
	const run = "c07/model=m007/run-00007"
	dir := invent.Site(b, 1000, 16000)
	for _, page := range []string{"runs/" + run + ".html", "posts/post-0007/index.html"} {
		b.Run(page[:4], func(b *testing.B) {
			viewer := &sight{page: page, put: make(chan struct{}, 1)}
			ctx, stop := context.WithCancel(context.Background())
			k := New(Options{Site: site.Options{Dir: dir}})
			built, ended := make(chan struct{}, 100), make(chan error)
			go func() {
				ended <- k.Run(ctx, viewer, func(r Report) {
					if r.Written {
						built <- struct{}{}
					}
				})
			}()
			<-built
			var all []time.Duration
			n := 0
			for b.Loop() {
				b.StopTimer()
				time.Sleep(50 * time.Millisecond) // no editor saves a file a hundred times a second
				select {
				case <-viewer.put:
				default:
				}
				b.StartTimer()
				n++
				start := time.Now()
				if err := os.WriteFile(filepath.Join(dir, "runs", run+".log"), []byte(invent.Block(n)), 0o644); err != nil {
					b.Fatal(err)
				}
				<-viewer.put
				all = append(all, time.Since(start))
			}
			stop()
			if err := <-ended; err != nil {
				b.Fatal(err)
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-median")
			b.ReportMetric(float64(all[len(all)*9/10].Microseconds())/1000, "ms-p90")
		})
	}
}

// BenchmarkDay measures the heap after a day of benchmarking: a run that is written in many steps, and then more runs
// beside it, repeatedly.
func BenchmarkDay(b *testing.B) {
	dir := invent.Site(b, 20, 200)
	ctx, stop := context.WithCancel(context.Background())
	session := site.Open(site.Options{Dir: dir, Alive: func(string) bool { return true }})
	defer session.Close()
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1e6
	}
	defer stop()
	if _, ms, err := session.Build(ctx); err != nil {
		b.Fatal(ms, err)
	}
	const steps = 2000
	first := 0.0
	for b.Loop() {
		for n := range steps {
			name := fmt.Sprintf("runs/c00/model=m000/run-%05d.log", 20000+n%50)
			text := invent.Block(n)
			if n%3 > 0 {
				text = "Namespace(backend='vllm', dataset_name='random', model='m', num_prompts=100)\nStarting main benchmark run...\n" +
					fmt.Sprintf("\r %d%%|███  | %d/100 [00:10<00:20,  3.3it/s]", n%100, n%100)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				b.Fatal(err)
			}
			session.Changed([]string{name})
			e, err := session.Read()
			if err != nil {
				b.Fatal(err)
			}
			if n%25 == 0 {
				if _, ms, err := e.Write(ctx); err != nil {
					b.Fatal(ms, err)
				}
			}
			if n == steps/10 {
				first = heap()
			}
		}
	}
	b.ReportMetric(first, "MB-early")
	b.ReportMetric(heap(), "MB-late")
}
