package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/live"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/unread"
	"github.com/benchpost/benchpost/generator/visible"
)

// scroll reports what happens while a site is watched. Each change is one line that scrolls. On a terminal, a status
// line is below them; only this line shows how a log grows.
type scroll struct {
	say     *speaker
	dir     string
	address string // "" without a server
	clock   func() time.Time

	mu     sync.Mutex
	status string
	drawn  int    // columns of the status on the terminal; 0 if it is not shown
	begun  bool   // the site was built at least once
	fault  string // the last reported fault; "" if there is none
	mode   string
	lost   string                   // last reported line about files without a result
	going  map[string]serve.Running // running benchmarks, by file

	changed changed
}

// changed collects changes that are not written yet.
type changed struct {
	any    bool
	fresh  []string // ids of new results
	others []string // files without results, and removed files
	shown  int
	seen   time.Duration
}

func newScroll(say *speaker, dir, address string) *scroll {
	return &scroll{say: say, dir: dir, address: address, clock: time.Now, going: map[string]serve.Running{}}
}

// line prints a line above the status.
func (s *scroll) line(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.say.info(format, args...)
	s.draw()
}

// clear removes the status line. It takes several lines if the window has become narrower.
func (s *scroll) clear() {
	if s.drawn == 0 {
		return
	}
	for range (s.drawn - 1) / max(1, terminalWidth(s.say.w)) {
		fmt.Fprint(s.say.w, "\r\x1b[K\x1b[A")
	}
	fmt.Fprint(s.say.w, "\r\x1b[K")
	s.drawn = 0
}

func (s *scroll) draw() {
	if s.status == "" || !s.say.terminal || s.say.quiet {
		return
	}
	text := cut(visible.Line(s.status), terminalWidth(s.say.w)-1)
	fmt.Fprint(s.say.w, text)
	s.drawn = locale.Width(text)
}

// cut shortens a text to a number of columns: a line that wraps cannot be cleared.
func cut(text string, columns int) string {
	if locale.Width(text) <= columns {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && locale.Width(string(runes)) > columns-1 {
		runes = runes[:len(runes)-1]
	}
	return strings.TrimRight(string(runes), " ·") + "…"
}

// end removes the status line for good.
func (s *scroll) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.status = ""
}

// noticesTold is the largest number of notices reported for one step; pages show more.
const noticesTold = 10

// report prints the report of one step.
func (s *scroll) report(r live.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	defer s.draw()
	s.say.messages(seenFrom(s.dir, r.New))
	for i, n := range r.Notices[:min(noticesTold, len(r.Notices))] {
		s.say.messages(seenFrom(s.dir, []result.Message{n.Message}))
		if last := i+1 == len(r.Notices) || r.Notices[i+1].Run != n.Run; last && n.Command != "" {
			s.say.info("  %s", s.say.paint("36", "run it again: "+strings.ReplaceAll(n.Command, "\n", "\n    ")))
		}
	}
	if more := len(r.Notices) - noticesTold; more > 0 {
		s.say.info("%s more; benchpost check tells all", result.Count(more, "warning"))
	}
	if mode := r.Mode.String(); r.Mode.Why != "" && mode != s.mode {
		s.say.info("watching by %s", mode)
		s.mode = mode
	}
	s.status = s.state(r)
	switch {
	case errors.Is(r.Err, site.ErrConfig):
		s.wrong(r, config.Name+" is wrong; the previous build is kept")
	case r.Err != nil:
		s.wrong(r, r.Err.Error())
	case r.Broken:
		s.wrong(r, "not built; the previous build is kept")
	case r.Written:
		s.written(r)
	default:
		s.note(r)
	}
	s.going = s.runs(r)
}

// wrong reports why nothing is built, once for each reason.
func (s *scroll) wrong(r live.Report, text string) {
	if s.fault != text || slices.ContainsFunc(r.New, func(m result.Message) bool { return m.Severity == result.Error }) {
		s.say.fault("%s", text)
	}
	s.fault = text
}

// runs reports benchmarks that have begun, and those that ended without a result. It returns the running ones.
func (s *scroll) runs(r live.Report) map[string]serve.Running {
	now := map[string]serve.Running{}
	for _, run := range r.Running {
		now[run.File] = run
		if _, known := s.going[run.File]; !known {
			s.say.info("%s %s is running (%s)", s.now(), locale.English(run.Title), s.seen(run.File))
		}
	}
	for _, run := range s.going {
		if _, goes := now[run.File]; !goes && len(r.Fresh) == 0 && s.exists(run.File) {
			s.say.info("%s %s is not written to any more and has no result: %s", s.now(), s.seen(run.File), running(run, false))
		}
	}
	return now
}

// note remembers changes until they are written.
func (s *scroll) note(r live.Report) {
	c := &s.changed
	c.fresh = append(c.fresh, r.Fresh...)
	for _, p := range r.Paths {
		if !strings.HasPrefix(p, "runs/") || !s.exists(p) {
			c.others = append(c.others, p)
		}
	}
	if len(r.Fresh) > 0 || len(c.others) > 0 || r.Anything {
		c.any = true
		c.shown, c.seen = max(c.shown, r.Shown), max(c.seen, r.Seen)
	}
}

// written reports what was written, and why.
func (s *scroll) written(r live.Report) {
	c := s.changed
	s.changed = changed{}
	took := r.Took.Round(time.Millisecond)
	sum := r.Summary
	files := sum.Written + sum.Removed
	switch {
	case !s.begun:
		s.say.info("built %s, %s, %s: %d files written, %d unchanged, %d removed (%v)", result.Count(sum.Results, "result"), result.Count(sum.Posts, "post"),
			result.Count(sum.Charts, "chart"), sum.Written, sum.Unchanged, sum.Removed, took)
	case s.fault != "":
		s.say.info("%s mended: %s written (%v)", s.now(), result.Count(files, "file"), took)
	case c.any && (files > 0 || s.say.verbose):
		text := s.now() + " " + s.what(c)
		if c.shown > 0 {
			text += fmt.Sprintf(": %s in sight in %v", result.Count(c.shown, "page"), c.seen.Round(time.Millisecond))
		}
		s.say.info("%s, %s written (%v)", text, result.Count(files, "file"), took)
	case files > 0:
		s.say.detail("%s %s written (%v)", s.now(), result.Count(files, "file"), took)
	}
	s.begun, s.fault = true, ""
	// Runs without a result are reported when they begin and end. Files of a recording that is still running may yet
	// become results.
	recording := map[string]bool{}
	lost := slices.DeleteFunc(slices.Clone(sum.Unread), func(u unread.File) bool {
		folder := path.Dir(u.Name)
		if _, known := recording[folder]; !known {
			recording[folder] = s.recording(folder)
		}
		return u.Kind == unread.Unfinished || recording[folder]
	})
	if line := unreadLine(lost); line != s.lost {
		s.lost = line
		s.say.unread(lost)
	}
}

// named is the largest number of changes that are listed by name.
const named = 3

// what describes the changes: ids of results, then existing files, or else removed files. Temporary files of editors
// have been created and removed again.
func (s *scroll) what(c changed) string {
	var parts []string
	slices.Sort(c.fresh)
	if fresh := slices.Compact(c.fresh); len(fresh) > named {
		parts = append(parts, result.Count(len(fresh), "result"))
	} else {
		parts = append(parts, fresh...)
	}
	var there, gone []string
	slices.Sort(c.others)
	for _, p := range slices.Compact(c.others) {
		if s.exists(p) {
			there = append(there, s.seen(p))
		} else {
			gone = append(gone, s.seen(p)+" removed")
		}
	}
	if len(parts)+len(there) == 0 {
		there = gone
	}
	if over := len(there) - named; over > 1 {
		there = append(there[:named], fmt.Sprintf("%d more", over))
	}
	parts = append(parts, there...)
	if len(parts) == 0 {
		return "something has changed"
	}
	return strings.Join(parts, ", ")
}

func (s *scroll) exists(p string) bool {
	_, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(p)))
	return err == nil
}

// recording reports whether the command of the recording in this folder is still running.
func (s *scroll) recording(folder string) bool {
	data, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(folder), format.RecordName))
	var r format.Record
	return err == nil && json.Unmarshal(data, &r) == nil && r.Started != "" && r.Ended == ""
}

// seen returns a path in the site relative to the working folder.
func (s *scroll) seen(p string) string {
	return seenFrom(s.dir, []result.Message{{Pos: result.Position{File: p}}})[0].Pos.File
}

func (s *scroll) now() string { return s.clock().Format(time.TimeOnly) }

// state returns the status line.
func (s *scroll) state(r live.Report) string {
	var parts []string
	if s.address != "" {
		parts = append(parts, s.address)
	} else {
		parts = append(parts, "watching")
	}
	wrong := r.Err != nil || r.Broken
	if wrong {
		parts = append(parts, "broken: see above")
	}
	switch n := len(r.Running); {
	case n == 1:
		parts = append(parts, running(r.Running[0], true))
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d running, %s", n, running(r.Running[0], true)))
	case !wrong:
		parts = append(parts, "waiting for changes")
	}
	return strings.Join(parts, " · ") + " · ctrl-C ends"
}

// running returns the progress of a benchmark; on says that it is still running.
func running(r serve.Running, on bool) string {
	text := locale.English(r.Title)
	if r.Total > 0 {
		text += fmt.Sprintf(" %d/%d", r.Done, r.Total)
	}
	if !on {
		return text
	}
	if r.Rate > 0 {
		text += fmt.Sprintf(", %.3g %s", r.Rate, r.Unit)
	}
	if r.Left >= 0 {
		text += fmt.Sprintf(", %v left", r.Left.Round(time.Second))
	}
	return text
}
