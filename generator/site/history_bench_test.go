package site

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/internal/invent"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/site/cache"
)

// nights makes a site in a repository with a number of commits, whose runs were measured again each night. history
// enables trends.
func nights(tb testing.TB, commits, runs int, history bool) *repository.Repository {
	tb.Helper()
	r := repository.New(tb)
	config := "title = \"Nights\"\nlanguages = [\"en\"]\n"
	if history {
		config += "[history]\ngit = true\n"
	}
	var in strings.Builder
	file := func(name, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	for n := range commits {
		at := time.Date(2024, 1, 1+n, 2, 0, 0, 0, time.UTC).Unix()
		subject := fmt.Sprintf("Night %d", n)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter C <c@example.com> %d +0000\ndata %d\n%s\n", at, len(subject), subject)
		if n == 0 {
			file("site.toml", config)
			file(".gitignore", ".benchpost/\npublic/\n")
		}
		for run := range runs {
			file(fmt.Sprintf("runs/nightly/model=m%d/c8.log", run), night(n*runs+run, 1-0.06*float64(n*5/4/commits)))
		}
	}
	r.Feed(in.String(), "fast-import", "--quiet")
	r.Git("reset", "-q", "--hard")
	return r
}

// night returns the output of a benchmark: near a level, and never the same twice.
func night(n int, level float64) string {
	duration := 40/(level*(1+float64(n*7919%101-50)/10000)) + float64(n)/10000
	figures := map[string]float64{"Benchmark duration (s)": duration, "Request throughput (req/s)": 100 / duration, "Output token throughput (tok/s)": 12800 / duration,
		"Total Token throughput (tok/s)": 217600 / duration, "Mean TTFT (ms)": 10 * duration}
	lines := strings.Split(invent.Block(5), "\n")
	for i, line := range lines {
		name, _, _ := strings.Cut(line, ":")
		if v, ok := figures[name]; ok {
			lines[i] = fmt.Sprintf("%s: %.4f", name, v)
		}
	}
	return strings.Join(lines, "\n")
}

// BenchmarkAThousandRevisions measures the cost of a history of a thousand revisions: for the first build, without
// changes, after a change of a post, and after one more commit.
func BenchmarkAThousandRevisions(b *testing.B) {
	for _, history := range []bool{false, true} {
		name := map[bool]string{false: "without", true: "with"}[history]
		r := nights(b, 1000, 1, history)
		build := func(b *testing.B) {
			b.Helper()
			if _, ms, err := Build(context.Background(), Options{Dir: r.Dir}); err != nil || hasErrors(ms) {
				b.Fatal(ms, err)
			}
		}
		b.Run(name+"/first", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				os.RemoveAll(filepath.Join(r.Dir, cache.Name))
				os.RemoveAll(filepath.Join(r.Dir, "public"))
				b.StartTimer()
				build(b)
			}
		})
		b.Run(name+"/nothing", func(b *testing.B) {
			for b.Loop() {
				build(b)
			}
		})
		n := 0
		b.Run(name+"/post", func(b *testing.B) {
			for b.Loop() {
				n++
				r.Write(map[string]string{"content/posts/p.en.md": fmt.Sprintf("+++\ntitle = \"P\"\ndate = 2026-01-01\n+++\n%d\n", n)})
				build(b)
			}
		})
		b.Run(name+"/commit", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				n++
				r.Write(map[string]string{"runs/nightly/model=m0/c8.log": night(5000+n, 1)})
				r.Git("commit", "-qam", "Another")
				b.StartTimer()
				build(b)
			}
		})
	}
}
