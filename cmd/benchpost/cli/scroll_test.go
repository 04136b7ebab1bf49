package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/live"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/publish"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/watch"
)

// scrolled returns the output for reports; on a terminal the status is the last line.
func scrolled(t *testing.T, terminal bool, reports ...live.Report) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"content/posts/a.en.md", "runs/x/console.log", "runs/x/record.json"} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	s := newScroll(&speaker{w: &out, terminal: terminal}, dir, "")
	s.clock = func() time.Time { return time.Date(2026, 1, 15, 14, 2, 3, 0, time.UTC) }
	for _, r := range reports {
		s.report(r)
	}
	return strings.ReplaceAll(onScreen(out.String()), filepath.ToSlash(dir)+"/", "")
}

// onScreen returns what a terminal shows after the given output.
func onScreen(written string) string {
	var lines []string
	for line := range strings.SplitSeq(written, "\n") {
		if i := strings.LastIndex(line, "\x1b[K"); i >= 0 {
			line = line[i+len("\x1b[K"):]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

func wrote(files int) live.Report {
	r := live.Report{Written: true, Took: 31 * time.Millisecond}
	r.Summary = site.Summary{Summary: publish.Summary{Written: files}, Results: 4, Posts: 2}
	return r
}

func going(done int) []serve.Running {
	return []serve.Running{{Title: locale.Lit("Qwen3-8B · 高"), File: "runs/x/console.log", Done: done, Total: 40, Rate: 2.5, Unit: "req/s", Left: 7 * time.Second}}
}

func TestScroll(t *testing.T) {
	const built = "built 4 results, 2 posts, 0 charts: 3 files written, 0 unchanged, 0 removed (31ms)\n"
	notice := serve.Notice{Run: "x/console", Message: result.Message{Pos: result.Position{File: "runs/x/console.log", Line: 7}, Severity: result.Warning, Text: locale.Textf("5 of 40 failed")}, Command: "vllm bench serve \\\n--model Q"}
	broken := result.Message{Pos: result.Position{File: "content/posts/a.en.md", Line: 3}, Severity: result.Error, Text: locale.Textf("no such run")}
	progress := result.Message{Severity: result.Info, Text: locale.Textf("10 of 40")}
	edited := live.Report{Paths: []string{"content/posts/a.en.md", "content/posts/4913"}, Shown: 1, Seen: 6 * time.Millisecond}
	for _, c := range []struct {
		name     string
		reports  []live.Report
		want     string
		terminal bool
	}{
		{name: "the beginning", reports: []live.Report{{Anything: true}, wrote(3)}, want: built},
		{name: "what an editor left on the way is not named", reports: []live.Report{wrote(3), edited, wrote(1)},
			want: built + "14:02:03 content/posts/a.en.md: 1 page in sight in 6ms, 1 file written (31ms)\n"},
		{name: "what is gone", reports: []live.Report{wrote(3), {Paths: []string{"runs/y.log"}}, wrote(1)},
			want: built + "14:02:03 runs/y.log removed, 1 file written (31ms)\n"},
		{name: "what has come and gone", reports: []live.Report{wrote(3), {Paths: []string{"runs/y.tmp"}}, wrote(0)}, want: built},
		{name: "a result, not its files", reports: []live.Report{wrote(3), {Paths: []string{"runs/x/console.log", "runs/x/record.json"}, Fresh: []string{"x/console"}}, {Fresh: []string{"x/console"}}, wrote(9)},
			want: built + "14:02:03 x/console, 9 files written (31ms)\n"},
		{name: "many results", reports: []live.Report{wrote(3), {Fresh: []string{"a", "b", "c", "d"}}, wrote(9)},
			want: built + "14:02:03 4 results, 9 files written (31ms)\n"},
		{name: "a log that grows", reports: []live.Report{wrote(3), {Running: going(1)}, {Running: going(2)}, {Written: true, Running: going(2), Summary: wrote(5).Summary}, {Running: going(3)}},
			want: built + "14:02:03 Qwen3-8B · 高 is running (runs/x/console.log)\n"},
		{name: "on a terminal it is below", terminal: true, reports: []live.Report{wrote(3), {Running: going(1)}, {Running: going(3)}},
			want: built + "14:02:03 Qwen3-8B · 高 is running (runs/x/console.log)\nwatching · Qwen3-8B · 高 3/40, 2.5 req/s, 7s left · ctrl-C ends"},
		{name: "a log that ended without a result", reports: []live.Report{wrote(3), {Running: going(1)}, {}},
			want: built + "14:02:03 Qwen3-8B · 高 is running (runs/x/console.log)\n14:02:03 runs/x/console.log is not written to any more and has no result: Qwen3-8B · 高 1/40\n"},
		{name: "a run that needs attention", reports: []live.Report{wrote(3), {Notices: []serve.Notice{notice, notice}}},
			want: built + strings.Repeat("runs/x/console.log:7: warning: 5 of 40 failed\n", 2) + "  run it again: vllm bench serve \\\n    --model Q\n"},
		{name: "a mistake is reported once, and that it is mended", reports: []live.Report{wrote(3), {Broken: true, New: []result.Message{broken}}, {Broken: true, New: []result.Message{progress}}, {Broken: true, Running: going(1)}, edited, wrote(2)},
			want: built + "content/posts/a.en.md:3: error: no such run\nbenchpost: error: not built; the previous build is kept\n14:02:03 Qwen3-8B · 高 is running (runs/x/console.log)\n" +
				"14:02:03 runs/x/console.log is not written to any more and has no result: Qwen3-8B · 高 1/40\n14:02:03 mended: 2 files written (31ms)\n"},
		{name: "looking instead of events", reports: []live.Report{{Mode: watch.Mode{Kind: watch.Polling, Folders: 3, Polled: 3, Every: time.Second, Why: "as asked for"}}, wrote(3)}, want: "watching by looking at 3 folders every 1s: as asked for\n" + built},
	} {
		if got := scrolled(t, c.terminal, c.reports...); got != c.want {
			t.Errorf("%s:\n%s\nnot\n%s", c.name, got, c.want)
		}
	}
}

// TestCut checks that a line is cut to the width of the terminal, because a line that wraps could not be cleared.
// Chinese characters take two columns.
func TestCut(t *testing.T) {
	for _, c := range []struct {
		text    string
		columns int
		want    string
	}{
		{"watching", 8, "watching"}, {"watching", 7, "watchi…"}, {"高负载", 6, "高负载"}, {"高负载", 5, "高负…"}, {"高负载", 4, "高…"}, {"a · b", 4, "a…"}, {"watching", 1, "…"},
	} {
		if got := cut(c.text, c.columns); got != c.want || locale.Width(got) > c.columns {
			t.Errorf("%q in %d columns is %q, not %q", c.text, c.columns, got, c.want)
		}
	}
}

// TestScrollWaitsForRecordings checks that new files without a result are counted, but not those of a running
// recording, which may yet become results.
func TestScrollWaitsForRecordings(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	record := filepath.Join(dir, "runs", "x", format.RecordName)
	if err := os.MkdirAll(filepath.Dir(record), 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	s := newScroll(&speaker{w: &out}, dir, "")
	for _, c := range []struct {
		record, file string
		counted      bool
	}{
		{`{"started": "2026-01-15T14:02:03Z"}`, "runs/x/console.log", false},
		{`{"started": "2026-01-15T14:02:03Z"}`, "runs/y/console.log", true},
		{`{"started": "2026-01-15T14:02:03Z", "ended": "2026-01-15T14:03:03Z"}`, "runs/x/console.log", true},
		{`{`, "runs/x/console.log", true},
	} {
		if err := os.WriteFile(record, []byte(c.record), 0o644); err != nil {
			t.Fatal(err)
		}
		s.report(wrote(0)) // no file without a result
		out.Reset()
		r := wrote(0)
		r.Summary.Unread = []unread.File{{Name: c.file, Kind: unread.Unknown}}
		s.report(r)
		if got := strings.Contains(out.String(), "1 file holds no known result"); got != c.counted {
			t.Errorf("%s beside %s: %q", c.file, c.record, out.String())
		}
	}
}
