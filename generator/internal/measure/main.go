// Command measure times benchpost on typical sites and compares it with other programs.
//
//	go run ./generator/internal/measure                     # 10 and 100 posts
//	go run ./generator/internal/measure -posts 10,100,1000 -o growth
//
// It generates sites with the given numbers of posts, each with sixteen runs and four charts. It measures how
// long the program takes to build them, to build them again after one run changed, after one was added, and after
// nothing changed, to write their results, and to serve them while a run changes. It prints medians as Markdown
// tables: elapsed time, user and system time together, and peak memory. For comparison it writes the files of the site from
// memory, which is a lower bound for every program. If Hugo and gnuplot are installed, they generate as many
// text pages and as many charts. With -alone there are no comparisons. With -o it adds the figures to a site of
// benchpost whose charts show how they grow.
//
// Measure on a quiet machine. Every first build uses a new folder, because file systems create files much more
// slowly in folders from which many were just deleted.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/benchpost/benchpost/generator/internal/invent"
)

func main() {
	posts := flag.String("posts", "10,100", "numbers of posts")
	times := flag.Int("times", 3, "how often each work is done; once on sites of 10,000 posts and more")
	alone := flag.Bool("alone", false, "leave out other programs")
	out := flag.String("o", "", "folder for the figures, as a site of benchpost")
	flag.Parse()
	if err := run(*posts, *times, *alone, *out); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

func run(sizes string, times int, alone bool, out string) error {
	work, err := os.MkdirTemp("", "benchpost-measure-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	m := &meter{work: work, program: filepath.Join(work, "benchpost"), times: times, alone: alone}
	if text, err := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", m.program, "github.com/benchpost/benchpost/cmd/benchpost").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	fmt.Printf("%s, %d cores, medians of %d.\n\n| work | posts | time | user and system | most memory |\n|---|---|---|---|---|\n", runtime.Version(), runtime.NumCPU(), times)
	for size := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(size)
		if err != nil || n < 1 {
			return fmt.Errorf("-posts %s: %q is no number of posts", sizes, size)
		}
		if m.times = times; n >= 10_000 {
			m.times = 1
		}
		if err := m.size(n); err != nil {
			return fmt.Errorf("%d posts: %w", n, err)
		}
	}
	if out == "" {
		return nil
	}
	return m.site(out)
}

// meter measures the work of programs on sites of several sizes.
type meter struct {
	work, program string // temporary folder, and path of benchpost
	times         int
	alone         bool
	figures       []figure
}

// figure contains the measurements of one task: the median of each quantity.
type figure struct {
	Work   string  `json:"work"`
	Posts  int     `json:"posts"`
	Clock  float64 `json:"clock_s"`
	CPU    float64 `json:"cpu_s,omitempty"`
	Memory int64   `json:"memory_bytes,omitempty"`
}

// size measures all tasks on sites of n posts.
func (m *meter) size(n int) error {
	var sites []string
	for i := range m.times {
		site := filepath.Join(m.work, fmt.Sprintf("%d-%d", n, i))
		if err := invent.Campaigns(site, n); err != nil {
			return err
		}
		sites = append(sites, site)
	}
	site := sites[0]
	changed := filepath.Join(site, filepath.FromSlash(invent.Run(n/2, invent.Variant, "high")))
	changes := 0
	change := func() error { changes++; return retime(changed, changed, 1000+float64(changes)) }
	add := func(i int) error {
		added := filepath.Join(site, filepath.FromSlash(invent.Run(n/2, fmt.Sprintf("Added-%d", i), "high")))
		return retime(changed, added, 2000+float64(i))
	}
	steps := []struct {
		name   string
		before func(i int) error
		args   func(i int) []string
	}{
		{"first build", nil, func(i int) []string { return []string{m.program, "build", "--site", sites[i]} }},
		{"nothing changed", nil, func(int) []string { return []string{m.program, "build", "--site", site} }},
		{"one run changed", func(int) error { return change() }, func(int) []string { return []string{m.program, "build", "--site", site} }},
		{"results as CSV", nil, func(int) []string {
			return []string{m.program, "results", "--format", "csv", filepath.Join(site, "runs")}
		}},
		{"results as JSON", nil, func(int) []string {
			return []string{m.program, "results", "--format", "json", filepath.Join(site, "runs")}
		}},
		{"one run added", add, func(int) []string { return []string{m.program, "build", "--site", site} }},
	}
	for _, s := range steps {
		var taken []figure
		for i := range m.times {
			if s.before != nil {
				if err := s.before(i); err != nil {
					return err
				}
			}
			f, err := command(s.args(i)...)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			taken = append(taken, f)
		}
		m.add(s.name, n, taken)
	}
	if err := m.serve(site, n, changed, change); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	if m.alone {
		return nil
	}
	return m.peers(n, filepath.Join(sites[m.times-1], "public"))
}

// add prints and stores the median of several measurements of a task.
func (m *meter) add(work string, posts int, taken []figure) {
	f := figure{Work: work, Posts: posts}
	f.Clock = median(taken, func(f figure) float64 { return f.Clock })
	f.CPU = median(taken, func(f figure) float64 { return f.CPU })
	f.Memory = int64(median(taken, func(f figure) float64 { return float64(f.Memory) }))
	m.figures = append(m.figures, f)
	cpu, memory := "", ""
	if f.CPU > 0 {
		cpu = fmt.Sprintf("%.2f s", f.CPU)
	}
	if f.Memory > 0 {
		memory = fmt.Sprintf("%d MB", f.Memory/1e6)
	}
	fmt.Printf("| %s | %d | %.3f s | %s | %s |\n", f.Work, f.Posts, f.Clock, cpu, memory)
}

func median(taken []figure, of func(figure) float64) float64 {
	values := make([]float64, len(taken))
	for i, f := range taken {
		values[i] = of(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// command runs a program to its end and measures it.
func command(args ...string) (figure, error) {
	c := exec.Command(args[0], args[1:]...)
	var fault strings.Builder
	c.Stdout, c.Stderr = io.Discard, &fault
	start := time.Now()
	err := c.Run()
	f := figure{Clock: time.Since(start).Seconds()}
	if err != nil {
		return f, fmt.Errorf("%w: %s", err, fault.String())
	}
	f.CPU = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	f.Memory = mostMemory(c.ProcessState)
	return f, nil
}

var ttft = regexp.MustCompile(`(Mean TTFT \(ms\): +)[0-9.]+`)

// retime writes a run to a file with another TTFT, in milliseconds. The file may be that of the run itself.
func retime(run, file string, ms float64) error {
	text, err := os.ReadFile(run)
	if err != nil {
		return err
	}
	text = ttft.ReplaceAll(text, fmt.Appendf(nil, "${1}%.2f", ms))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file+".new", text, 0o644)); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// serve measures how long it takes until a changed run appears on the page of its post, and in the file that is
// written last.
func (m *meter) serve(site string, n int, changed string, change func() error) error {
	port, err := freePort()
	if err != nil {
		return err
	}
	c := exec.Command(m.program, "serve", "--no-browser", "--port", strconv.Itoa(port), "--site", site)
	if err := c.Start(); err != nil {
		return err
	}
	defer func() { _ = c.Process.Signal(syscall.SIGTERM); _ = c.Wait() }()
	page := fmt.Sprintf("http://127.0.0.1:%d/posts/post-%05d/index.html", port, n/2)
	if err := shows(page, "</html>"); err != nil {
		return err
	}
	time.Sleep(time.Second + time.Duration(n)*10*time.Millisecond) // until the first snapshot has been written
	everything := filepath.Join(site, "public", "site", "data", "results.csv")
	var shown, written []figure
	for range max(m.times, 5) {
		before, err := os.Stat(everything)
		if err != nil {
			return err
		}
		if err := change(); err != nil {
			return err
		}
		text, err := os.ReadFile(changed)
		if err != nil {
			return err
		}
		fields := strings.Fields(string(ttft.Find(text)))
		start := time.Now()
		if err := shows(page, fields[len(fields)-1]); err != nil {
			return err
		}
		shown = append(shown, figure{Clock: time.Since(start).Seconds(), Memory: resident(c.Process.Pid)})
		if err := waitFor(everything+" to change", func() bool {
			now, err := os.Stat(everything)
			return err == nil && !os.SameFile(before, now)
		}); err != nil {
			return err
		}
		written = append(written, figure{Clock: time.Since(start).Seconds(), Memory: resident(c.Process.Pid)})
		time.Sleep(2 * time.Second)
	}
	m.add("a change shown by serve", n, shown)
	m.add("a change written by serve", n, written)
	return nil
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// shows waits until a page contains a text.
func shows(page, text string) error {
	return waitFor(page+" to show "+text, func() bool {
		answer, err := http.Get(page)
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		return err == nil && strings.Contains(string(body), text)
	})
}

// waitFor polls until something has happened.
func waitFor(what string, happened func() bool) error {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		if happened() {
			return nil
		}
	}
	return fmt.Errorf("waited two minutes for %s", what)
}

// resident returns the memory of a process in bytes, 0 if the system does not report it.
func resident(pid int) int64 {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	if fields := strings.Fields(rest); len(fields) > 0 {
		kB, _ := strconv.ParseInt(fields[0], 10, 64)
		return kB << 10
	}
	return 0
}

// peers measures similar tasks of other programs. public is the output of a site of that size.
func (m *meter) peers(n int, public string) error {
	f, err := copies(public, filepath.Join(m.work, fmt.Sprintf("copy-%d", n)))
	if err != nil {
		return err
	}
	m.add("the same files from memory", n, []figure{f})
	if hugo, err := exec.LookPath("hugo"); err == nil {
		dir := filepath.Join(m.work, fmt.Sprintf("hugo-%d", n))
		if err := pages(dir, 17*n); err != nil {
			return err
		}
		f, err := command(hugo, "--source", dir, "--quiet")
		if err != nil {
			return err
		}
		m.add("Hugo: the pages as text", n, []figure{f})
	}
	if gnuplot, err := exec.LookPath("gnuplot"); err == nil {
		file := filepath.Join(m.work, fmt.Sprintf("charts-%d.gp", n))
		if err := os.WriteFile(file, []byte(charts(filepath.Join(m.work, "chart.png"), 4*n)), 0o644); err != nil {
			return err
		}
		f, err := command(gnuplot, file)
		if err != nil {
			return err
		}
		m.add("gnuplot: as many charts", n, []figure{f})
	}
	return nil
}

// copies reads all files of a folder into memory and measures how long it takes to write them into a new
// folder, with as many goroutines as processors.
func copies(from, to string) (figure, error) {
	type file struct {
		name string
		data []byte
	}
	var files []file
	var folders []string
	if err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		in, err := filepath.Rel(from, name)
		if err != nil || d.IsDir() {
			folders = append(folders, filepath.Join(to, in))
			return err
		}
		data, err := os.ReadFile(name)
		files = append(files, file{filepath.Join(to, in), data})
		return err
	}); err != nil {
		return figure{}, err
	}
	start := time.Now()
	for _, folder := range folders { // parent folders come first
		if err := os.Mkdir(folder, 0o755); err != nil {
			return figure{}, err
		}
	}
	writers := runtime.GOMAXPROCS(0)
	faults := make([]error, writers)
	var wait sync.WaitGroup
	for i := range writers {
		wait.Go(func() {
			for j := i; j < len(files) && faults[i] == nil; j += writers {
				faults[i] = os.WriteFile(files[j].name, files[j].data, 0o644)
			}
		})
	}
	wait.Wait()
	return figure{Clock: time.Since(start).Seconds()}, errors.Join(faults...)
}

// pages writes a Hugo site with n pages of text.
func pages(dir string, n int) error {
	files := map[string]string{
		"hugo.toml":                    "title = \"Pages\"\nbaseURL = \"https://example.org/\"\ndisableKinds = [\"taxonomy\", \"term\", \"RSS\"]\n",
		"layouts/_default/single.html": "<!doctype html><title>{{ .Title }}</title>{{ .Content }}\n",
		"layouts/_default/list.html":   "<!doctype html><title>{{ .Title }}</title>{{ range .Pages }}<a href=\"{{ .RelPermalink }}\">{{ .Title }}</a>{{ end }}\n",
	}
	text := strings.Repeat("Requests wait in a queue until the engine has room. ", 40)
	for i := range n {
		files[fmt.Sprintf("content/posts/p%06d.md", i)] = fmt.Sprintf("+++\ntitle = \"Page %d\"\n+++\n\n%s\n", i, text)
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	return nil
}

// charts returns a gnuplot script that draws n charts of sixteen bars.
func charts(file string, n int) string {
	var b strings.Builder
	b.WriteString("set terminal pngcairo size 1200,700\nset style fill solid\nset boxwidth 0.8\n")
	for range n {
		fmt.Fprintf(&b, "set output %q\nplot '-' using 1:2 with boxes title 'Output throughput'\n", file)
		for i := range 16 {
			fmt.Fprintf(&b, "%d %d\n", i, 40+i*i)
		}
		b.WriteString("e\n")
	}
	return b.String()
}

// site adds the figures to a site of benchpost and builds it.
func (m *meter) site(dir string) error {
	for _, f := range m.figures {
		data, err := json.Marshal(f)
		if err != nil {
			return err
		}
		name := filepath.Join(dir, "runs", fmt.Sprintf("%s %d.json", strings.ReplaceAll(f.Work, ":", ""), f.Posts))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, append(data, '\n'), 0o644)); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{"site.toml": growthSite, "content/posts/growth.en.md": growthPost} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
			return err
		}
	}
	text, err := exec.Command(m.program, "build", "--site", dir).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, text)
	}
	fmt.Fprintf(os.Stderr, "%s", text)
	return nil
}

const growthSite = `title = "How benchpost grows"
languages = ["en"]

[[format]]
name = "measure"
files = "*.json"
[format.columns]
"work" = { label = "work" }
"posts" = { label = "posts" }
"clock_s" = { metric = "duration", unit = "s" }
"cpu_s" = { metric = "x_cpu", unit = "s" }
"memory_bytes" = { metric = "memory_used_max", unit = "B" }
`

const growthPost = `+++
title = "How benchpost grows"
date = 2026-01-01T00:00:00Z
+++

Sites of posts with sixteen runs and four charts each.

` + "```benchpost chart growth\nkind = \"lines\"\nover = \"posts\"\ny = \"duration\"\nseries = \"work\"\nscale = \"log\"\ntitle = \"Time by the number of posts\"\n```\n\n" +
	"```benchpost chart memory\nkind = \"lines\"\nover = \"posts\"\ny = \"memory_used_max\"\nseries = \"work\"\nscale = \"log\"\ntitle = \"Memory by the number of posts\"\n```\n"
