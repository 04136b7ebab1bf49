package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"benchpost/generator/live"
	"benchpost/generator/serve"
	"benchpost/generator/site"
)

// usualPort is listened on unless told otherwise; when it is in use, the next ones are
// tried.
const (
	usualPort  = 4000
	portsTried = 20
)

// liveOptions are the flags of commands that watch.
type liveOptions struct {
	watch     bool
	port      int
	host      string
	hosts     listFlag
	poll      pollFlag
	idle      time.Duration
	noBrowser bool
}

var serveCommand = command{
	name:    "serve",
	args:    "[--port N] [--poll[=TIME]] [--drafts] [--no-browser] [--host ADDRESS]",
	summary: "build, show in the browser, and keep up with what changes",
	help: `Builds the site, serves public/site on this machine alone, and watches runs/,
content/, layouts/ and site.toml. What changes appears on open pages at once and in
place: where you read, what you typed, sorted and opened stays. A mistake in a post
or in site.toml is shown over the last good page until it is mended.

A benchmark that is being recorded shows how far it is; a run that finishes and
fails a check is told here and on the page, with the command to run it again.

  --port N       listen on port N (default: 4000, or the next that is free; 0: any)
  --poll[=TIME]  look every TIME (default 1s) instead of waiting for events, for
                 file systems that tell of no changes. Those are told by themselves
                 where they are known
  --drafts       show posts with draft = true
  --idle TIME    a run without a result whose log does not grow for so long has been
                 given up (default 5m)
  --no-browser   do not open the page
  --host ADDRESS listen on another address than 127.0.0.1; the site is then open to
                 all who can reach it
  --allow NAME   a further name by which the server may be called (repeat it)

Examples
  benchpost serve
  benchpost serve --port 8080 --drafts
  ssh -L 4000:127.0.0.1:4000 thor benchpost serve --site bench --no-browser
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.IntVar(&o.live.port, "port", -1, "")
		fs.StringVar(&o.live.host, "host", "", "")
		fs.Var(&o.live.hosts, "allow", "")
		fs.BoolVar(&o.live.noBrowser, "no-browser", false, "")
		fs.BoolVar(&o.drafts, "drafts", false, "")
		o.live.flags(fs)
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		if len(args) > 0 {
			a.say.fault("serve takes no arguments: %s", strings.Join(args, " "))
			a.say.hint("to serve another folder, write --site %s", args[0])
			return Usage
		}
		dir, ok := a.needSite(o)
		if !ok {
			return Usage
		}
		return a.serve(ctx, o, site.Options{Dir: dir, Drafts: o.drafts})
	},
}

// flags are those of watching.
func (l *liveOptions) flags(fs *flag.FlagSet) {
	fs.Var(&l.poll, "poll", "")
	fs.DurationVar(&l.idle, "idle", live.DefaultIdle, "")
}

// pollFlag is --poll, alone or with a time.
type pollFlag time.Duration

func (p *pollFlag) String() string   { return time.Duration(*p).String() }
func (p *pollFlag) IsBoolFlag() bool { return true }

// Set takes "true" of the flag alone.
func (p *pollFlag) Set(s string) error {
	switch s {
	case "true":
		*p = pollFlag(time.Second)
		return nil
	case "false":
		*p = 0
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 10*time.Millisecond {
		return fmt.Errorf("a time is written as 500ms or 2s, not %q", s)
	}
	*p = pollFlag(d)
	return nil
}

// listFlag collects what is given several times.
type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, ",") }

// Set adds one.
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

// serve serves until it is interrupted.
func (a *app) serve(ctx context.Context, o *options, opt site.Options) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	k := live.New(live.Options{Site: opt, Poll: time.Duration(o.live.poll), Idle: o.live.idle})
	server, err := listen(serve.Options{Dir: filepath.Join(opt.Dir, "public", "site"), Host: o.live.host, Hosts: o.live.hosts, Fresh: k.Fresh}, o.live.port)
	if err != nil {
		a.say.fault("%v", err)
		return Usage
	}
	show := newScroll(a.say, opt.Dir, server.Address())
	defer show.end()
	show.line("serving %s", a.say.paint("1", server.Address()))
	if host := o.live.host; host != "" && !isLoopback(host) {
		show.line("%s everybody who can reach %s sees this site", a.say.paint("1;33", "warning:"), host)
	}
	serving, stopServing := context.WithCancel(ctx)
	defer stopServing()
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(serving) }()
	if !o.live.noBrowser && a.say.terminal {
		openBrowser(server.Address())
	}
	kept := make(chan error, 1)
	go func() { kept <- k.Run(ctx, server, show.report) }()
	select {
	case err = <-kept:
	case err = <-ended: // it could not go on
		stop()
		err = errors.Join(err, <-kept)
	}
	stopServing()
	show.end()
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	return Fine
}

// listen listens on a port; below 0 on the usual one or the next that is free.
func listen(opt serve.Options, port int) (*serve.Server, error) {
	if opt.Port = port; port >= 0 {
		return serve.New(opt)
	}
	var first error
	for opt.Port = usualPort; opt.Port < usualPort+portsTried; opt.Port++ {
		server, err := serve.New(opt)
		if err == nil || !errors.Is(err, syscall.EADDRINUSE) {
			return server, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func isLoopback(host string) bool {
	return host == "localhost" || host == "::1" || strings.HasPrefix(host, "127.")
}

// openBrowser opens a page where a person sits at this machine. That it cannot is no
// fault: the address is there to be clicked.
func openBrowser(address string) {
	var c *exec.Cmd
	switch {
	case os.Getenv("SSH_CONNECTION") != "" || os.Getenv("CI") != "":
		return
	case runtime.GOOS == "darwin":
		c = exec.Command("open", address)
	case runtime.GOOS == "windows":
		c = exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	case os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "":
		c = exec.Command("xdg-open", address)
	default:
		return
	}
	if c.Start() == nil {
		go func() { _ = c.Wait() }()
	}
}

// buildWatch builds, and again when something changes.
func (a *app) buildWatch(ctx context.Context, o *options, opt site.Options) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	show := newScroll(a.say, opt.Dir, "")
	defer show.end()
	err := live.New(live.Options{Site: opt, Poll: time.Duration(o.live.poll), Idle: o.live.idle}).Run(ctx, nil, show.report)
	show.end()
	if err != nil {
		a.say.fault("%v", err)
		return Fault
	}
	return Fine
}

// scroll tells of what happens while a site is watched: lines that scroll, and below
// them, on a terminal, one that says how things are.
type scroll struct {
	say     *speaker
	dir     string
	address string // "" without a server

	mu      sync.Mutex
	status  string
	drawn   bool
	started bool
	broken  bool
	waiting []string // what has changed and is not written yet
	seen    time.Duration
	shown   int
	mode    string
}

func newScroll(say *speaker, dir, address string) *scroll {
	return &scroll{say: say, dir: dir, address: address}
}

// line prints a line above the status.
func (s *scroll) line(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.say.info(format, args...)
	s.draw()
}

func (s *scroll) clear() {
	if s.drawn {
		fmt.Fprint(s.say.w, "\r\x1b[K")
		s.drawn = false
	}
}

func (s *scroll) draw() {
	if s.status == "" || !s.say.terminal || s.say.quiet {
		return
	}
	fmt.Fprintf(s.say.w, "\r\x1b[K%s", s.fit(s.status))
	s.drawn = true
}

// fit cuts a text to the width of the terminal: a line that wraps cannot be cleared.
func (s *scroll) fit(text string) string {
	width := terminalWidth(s.say.w)
	if runes := []rune(text); len(runes) >= width {
		return string(runes[:max(0, width-2)]) + "…"
	}
	return text
}

// end takes the status away.
func (s *scroll) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	s.status = ""
}

// report tells of one step.
func (s *scroll) report(r live.Report) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	defer s.draw()
	s.say.messages(seenFrom(s.dir, r.New))
	for _, n := range r.Notices {
		s.say.message(seenFrom(s.dir, append(r.New[:0:0], n.Message))[0])
		if n.Command != "" {
			s.say.info("  %s", s.say.paint("36", "run it again: "+n.Command))
		}
	}
	if mode := r.Mode.String(); r.Mode.Why != "" && mode != s.mode {
		s.say.info("watching by %s", mode)
		s.mode = mode
	}
	s.status = s.state(r)
	switch {
	case r.Err != nil && errors.Is(r.Err, site.ErrConfig):
		s.fault("%s is wrong; what was built before stands", site.ConfigName)
	case r.Err != nil:
		s.fault("%v", r.Err)
	case r.Broken:
		s.fault("not built; what was built before stands")
	case r.Written:
		s.written(r)
	default:
		if len(r.Fresh) > 0 || r.Anything || hasOthers(r.Paths) {
			s.waiting = append(s.waiting, r.Paths...)
			s.seen, s.shown = max(s.seen, r.Seen), s.shown+r.Shown
		}
	}
}

// hasOthers tells whether something else than a run has changed.
func hasOthers(paths []string) bool {
	for _, p := range paths {
		if !strings.HasPrefix(p, "runs/") {
			return true
		}
	}
	return false
}

func (s *scroll) fault(format string, args ...any) {
	s.broken = true
	s.say.fault(format, args...)
}

// written tells what was written, and why. A log that only grows is told below.
func (s *scroll) written(r live.Report) {
	paths, shown, seen := s.waiting, s.shown, s.seen
	s.waiting, s.shown, s.seen = nil, 0, 0
	took := r.Took.Round(time.Millisecond)
	sum := r.Summary
	switch {
	case !s.started:
		s.say.info("built %s, %s, %s: %d files written, %d unchanged, %d removed (%v)", count(sum.Results, "result"), count(sum.Posts, "post"),
			count(sum.Charts, "chart"), sum.Written, sum.Unchanged, sum.Removed, took)
	case s.broken:
		s.say.info("%s mended: %d files written (%v)", now(), sum.Written+sum.Removed, took)
	case len(paths) > 0 || sum.Written+sum.Removed > 0 && s.say.verbose:
		text := now() + " " + some(paths)
		if shown > 0 {
			text += fmt.Sprintf(": %s in sight in %v", count(shown, "page"), seen.Round(time.Millisecond))
		}
		s.say.info("%s, %d files written (%v)", text, sum.Written+sum.Removed, took)
	}
	s.started, s.broken = true, false
}

func now() string { return time.Now().Format(time.TimeOnly) }

// some names a few of many paths.
func some(paths []string) string {
	var names []string
	for _, p := range paths {
		if len(names) == 0 || names[len(names)-1] != p {
			names = append(names, p)
		}
	}
	switch n := len(names); {
	case n == 0:
		return "something changed"
	case n > 3:
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], n-2)
	}
	return strings.Join(names, ", ")
}

// state is the line that says how things are.
func (s *scroll) state(r live.Report) string {
	var parts []string
	if s.address != "" {
		parts = append(parts, s.address)
	} else {
		parts = append(parts, "watching")
	}
	switch n := len(r.Running); {
	case r.Err != nil || r.Broken:
		parts = append(parts, "broken: see above")
	case n == 1:
		parts = append(parts, running(r.Running[0]))
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d running, %s", n, running(r.Running[0])))
	default:
		parts = append(parts, "waiting for changes")
	}
	return strings.Join(parts, " · ") + " · ctrl-C ends"
}

// running is how far a benchmark is.
func running(r serve.Running) string {
	text := r.Title
	if r.Total > 0 {
		text += fmt.Sprintf(" %d/%d", r.Done, r.Total)
	}
	if r.Rate > 0 {
		text += fmt.Sprintf(", %.3g %s", r.Rate, r.Unit)
	}
	if r.Left >= 0 {
		text += fmt.Sprintf(", %v left", r.Left.Round(time.Second))
	}
	return text
}
