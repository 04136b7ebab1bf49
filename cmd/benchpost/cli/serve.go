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
	"syscall"
	"time"

	"github.com/benchpost/benchpost/cmd/benchpost/memory"
	"github.com/benchpost/benchpost/generator/live"
	"github.com/benchpost/benchpost/generator/serve"
	"github.com/benchpost/benchpost/generator/site"
)

// usualPort is the default port. If it is in use, the next ones are tried, portsTried in all.
const (
	usualPort  = 4000
	portsTried = 20
)

// liveOptions holds the flags of the commands that watch.
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
	summary: "build, show in the browser, and update on every change",
	help: `Builds the site, serves public/site on this machine only, and watches runs/,
content/, layouts/ and site.toml. Changes appear on open pages at once and in
place: scroll position, input, sorting and open sections stay. A mistake in a post
or in site.toml is shown above the last good page until it is corrected.

A benchmark that is being recorded shows its progress; a run that finishes and
fails a check is reported here and on the page, with the command to run it again.

  --port N       listen on port N (default: 4000, or the next free one; 0: any)
  --poll[=TIME]  check for changes every TIME (default 1s) instead of waiting for
                 events, for file systems that report none. Known ones are
                 detected automatically
  --drafts       show posts with draft = true
  --idle TIME    a run without a result whose log does not grow for this long is
                 unfinished (default 5m)
  --no-browser   do not open the page
  --host ADDRESS listen on another address than 127.0.0.1; the site is then open to
                 everyone who can reach it
  --allow NAME   another name by which the server may be addressed (repeatable)

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
		dir, ok := a.siteOnly(o, "serve", args)
		if !ok {
			return Usage
		}
		memory.Pace(memory.Lasting)
		return a.serve(ctx, o, site.Options{Dir: dir, Drafts: o.drafts})
	},
}

// flags registers the flags for watching.
func (l *liveOptions) flags(fs *flag.FlagSet) {
	fs.Var(&l.poll, "poll", "")
	fs.DurationVar(&l.idle, "idle", live.DefaultIdle, "")
}

// pollFlag is the value of --poll, which may be given without a time.
type pollFlag time.Duration

func (p *pollFlag) String() string   { return time.Duration(*p).String() }
func (p *pollFlag) IsBoolFlag() bool { return true }

// Set sets the time. "true" is the value of the flag alone.
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

// listFlag collects the values of a repeated flag.
type listFlag []string

func (l *listFlag) String() string { return strings.Join(*l, ",") }

// Set adds one value.
func (l *listFlag) Set(s string) error { *l = append(*l, s); return nil }

// serve serves the site until it is interrupted.
func (a *app) serve(ctx context.Context, o *options, opt site.Options) int {
	ctx, stop := untilInterrupted(ctx)
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
	case err = <-ended: // the server failed
		stop()
		err = errors.Join(err, <-kept)
	}
	stopServing()
	show.end()
	if err != nil {
		return a.say.failed(err)
	}
	return Fine
}

// untilInterrupted returns a context that ends with the first ctrl-C. The second one ends the program at once, which
// does not leave incomplete files either.
func untilInterrupted(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, endings()...)
	context.AfterFunc(ctx, stop)
	return ctx, stop
}

// endings returns the signals that ask a program to end: ctrl-C, kill, and a closed terminal unless that signal is
// ignored, as with nohup.
func endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// listen opens a port. If port is below 0, it tries the usual port and those after it.
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

// openBrowser opens a page if a person works at this machine. A failure is not reported: the address is printed as
// well.
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

// buildWatch builds the site, and builds it again when something changes.
func (a *app) buildWatch(ctx context.Context, o *options, opt site.Options) int {
	ctx, stop := untilInterrupted(ctx)
	defer stop()
	show := newScroll(a.say, opt.Dir, "")
	defer show.end()
	err := live.New(live.Options{Site: opt, Poll: time.Duration(o.live.poll), Idle: o.live.idle}).Run(ctx, nil, show.report)
	show.end()
	if err != nil {
		return a.say.failed(err)
	}
	return Fine
}
