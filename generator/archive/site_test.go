package archive

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/internal/folder"
	"github.com/benchpost/benchpost/generator/internal/repository"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site"
)

// token looks like a token but is not one.
const token = "hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345"

// run returns the output of vLLM for a run with consistent figures.
func run(model string, concurrency int, throughput float64) string {
	const tokens = 12419.0 // in 100 requests
	duration := tokens / throughput
	e2el := 0.95 * float64(concurrency) * duration / 100 * 1000
	ttft, tpot := e2el/10, e2el*0.9/(tokens/100-1)
	return fmt.Sprintf(`vllm bench serve --model %s --max-concurrency %d
============ Serving Benchmark Result ============
Successful requests: 100
Maximum request concurrency: %d
Benchmark duration (s): %.2f
Total input tokens: 204169
Total generated tokens: 12419
Request throughput (req/s): %.2f
Output token throughput (tok/s): %.2f
Total Token throughput (tok/s): %.2f
---------------Time to First Token----------------
Mean TTFT (ms): %.2f
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms): %.2f
==================================================
`, model, concurrency, concurrency, duration, 100/duration, throughput, (204169+tokens)/duration, ttft, tpot)
}

const siteTOML = "title = \"Bench\"\nlanguages = [\"en\"]\n[archive]\ncompress = \"4 KiB\"\n[[hardware]]\nid = \"thor\"\ntitle = \"Jetson AGX Thor\"\n"

// sound returns the files of a site that can be archived.
func sound() map[string]string {
	return map[string]string{
		".gitattributes": "/runs/** -text\n/public/** -text\n", "site.toml": siteTOML,
		"runs/a/run.toml":  "model = \"Qwen3-8B\"\nhardware = \"thor\"\n",
		"runs/a/high.log":  run("Qwen/Qwen3-8B", 8, 82.47),
		"runs/a/low.log":   run("Qwen/Qwen3-8B", 1, 12.5),
		"runs/b/large.log": "server at host gpu.example.lan\n" + strings.Repeat("INFO 01-01 00:00:00 a line of a log, as servers write thousands\n", 200) + run("Qwen/Qwen3-8B-FP8", 8, 163.1),
		"runs/c/run.log":   "export HF_TOKEN=" + token + "\n" + run("Qwen/Qwen3-8B-FP4", 8, 167.2),
	}
}

// newSite makes a repository with a site whose runs have not been committed.
func newSite(t testing.TB, more map[string]string) *repository.Repository {
	t.Helper()
	r := repository.New(t)
	all := sound()
	for name, text := range more {
		all[name] = text
	}
	inputs := map[string]string{}
	for name, text := range all {
		if !strings.HasPrefix(name, "runs/") {
			inputs[name] = text
			delete(all, name)
		}
	}
	r.Commit("Site", inputs)
	r.Write(all)
	return r
}

var now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func options(t testing.TB, dir string) Options {
	t.Helper()
	redactor, err := redact.New(redact.Options{Key: []byte("a key of a test")})
	if err != nil {
		t.Fatal(err)
	}
	return Options{Dir: dir, Redactor: redactor, By: "benchpost v1", Now: now}
}

// archive runs Prepare and Apply.
func archive(opt Options) (*Plan, Outcome, error) {
	p, err := Prepare(context.Background(), opt)
	if err != nil {
		return nil, Outcome{}, err
	}
	defer p.Close()
	if opt.DryRun {
		return p, Outcome{}, nil
	}
	out, err := p.Apply(context.Background())
	return p, out, err
}

// mustArchive archives a site and fails the test on an error.
func mustArchive(t testing.TB, opt Options) (*Plan, Outcome) {
	t.Helper()
	p, out, err := archive(opt)
	if err != nil {
		t.Fatalf("%v\n%s", err, detailsOf(err))
	}
	return p, out
}

func detailsOf(err error) string {
	var no *Refusal
	var hook *git.HookError
	switch {
	case errors.As(err, &no):
		return strings.Join(no.Details, "\n") + "\n" + no.Hint
	case errors.As(err, &hook):
		return hook.Said
	}
	return ""
}

// isArchived checks that everything is committed, that the manifests are correct, and that a clone builds the same
// public.
func isArchived(t testing.TB, r *repository.Repository, dir string) {
	t.Helper()
	if status := r.Git("status", "--porcelain", "--", dir); status != "" {
		t.Errorf("not committed:\n%s", status)
	}
	_, ms, err := Verify(dir)
	if err != nil || len(ms) > 0 {
		t.Errorf("verify: %v %v", ms, err)
	}
	rel, err := filepath.Rel(r.Dir, dir)
	if err != nil {
		t.Fatal(err)
	}
	clone := r.Clone()
	if _, ms, err := site.Build(context.Background(), site.Options{Dir: filepath.Join(clone.Dir, rel)}); err != nil {
		t.Error(ms, err)
	}
	if status := clone.Git("status", "--porcelain"); status != "" {
		t.Errorf("a clone builds another public:\n%s", status)
	}
}

// snapshot returns the files in a folder, without those of git and of benchpost's state.
func snapshot(t testing.TB, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".benchpost") {
			return fs.SkipDir
		}
		if d.Type().IsRegular() {
			data, err := os.ReadFile(name)
			all[name] = string(data)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func read(t testing.TB, parts ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

var (
	_ = folder.Read
	_ = result.Error
)
