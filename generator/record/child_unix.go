//go:build linux || darwin

package record

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
	"golang.org/x/term"
)

// supported is why no command can be recorded here, "" where one can.
const supported = ""

// child is a command that runs as if nothing were between it and the terminal. It
// leads a process group of its own, so that a signal reaches it once: what is
// typed reaches it through its terminal, what is sent to us is sent on.
//
// Where our stdin, stdout or stderr is a terminal, the command's is one too (one
// pty for all of them); what is not one stays apart, and what is read from a file is
// read from that file.
type child struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	log            io.Writer // is given all that is printed, as it comes

	cmd         *exec.Cmd
	master      *os.File // of the pty, nil for none
	masterFd    int      // of it, as asking the file for it would make it block
	terminal    *os.File // ours, which the pty replaces
	input       *os.File // ours that is typed at, nil when that is no terminal
	cooked      *term.State
	keepsOutput bool // another of our streams leads elsewhere: the terminal goes on processing what is printed
	logging     sync.Mutex
	interrupted atomic.Bool // by a key or a signal
}

// ending is how a command came to its end.
type ending struct {
	code        int
	signal      string // that ended it, "" for none
	interrupted bool   // somebody wished it to end
}

// drain is how long the last output is waited for when another process still
// holds the command's streams open.
const drain = time.Second

// handled are the signals that are sent on. One that was ignored when we were
// started stays so, for the command too.
func handled() []os.Signal {
	all := []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT, unix.SIGUSR1, unix.SIGUSR2, unix.SIGTSTP, unix.SIGCONT, unix.SIGWINCH, unix.SIGPIPE}
	kept := all[:0]
	for _, s := range all {
		if !signal.Ignored(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

// stops reports whether a signal asks for the end.
func stops(s os.Signal) bool {
	return s == unix.SIGINT || s == unix.SIGTERM || s == unix.SIGHUP || s == unix.SIGQUIT
}

// run starts the command and waits for its end, sending on the signals that come.
func (c *child) run(path string, words []string, signals <-chan os.Signal) (ending, error) {
	c.cmd = &exec.Cmd{Path: path, Args: words, SysProcAttr: &syscall.SysProcAttr{}}
	started, readers, err := c.connect()
	if err != nil {
		return ending{}, err
	}
	err = c.cmd.Start()
	for _, f := range started {
		f.Close()
	}
	if err != nil {
		for _, r := range readers {
			r.from.Close()
		}
		return ending{}, err
	}
	c.raw()
	wake, stopped := c.handOn()
	var copying sync.WaitGroup
	for _, r := range readers {
		copying.Go(func() { c.copy(r) })
	}
	exited := make(chan error, 1)
	go func() { exited <- c.cmd.Wait() }()
	for {
		select {
		case s := <-signals:
			c.send(s.(syscall.Signal), signals)
			continue
		case err = <-exited:
		}
		break
	}
	for _, r := range readers {
		_ = r.from.SetDeadline(time.Now().Add(drain))
	}
	copying.Wait()
	wake.Close()
	<-stopped
	c.restore()
	for _, r := range readers {
		r.from.Close()
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) && c.cmd.ProcessState == nil {
		return ending{}, err
	}
	e := ending{interrupted: c.interrupted.Load()}
	if status, ok := c.cmd.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		e.code, e.signal = 128+int(status.Signal()), unix.SignalName(status.Signal())
	} else {
		e.code = c.cmd.ProcessState.ExitCode()
	}
	return e, nil
}

// stream leads from the command to where it would have printed.
type stream struct {
	from   *os.File
	to     io.Writer
	logged bool
}

// connect gives the command its streams: what is to be closed here once it has
// them, and what is to be read.
func (c *child) connect() (given []*os.File, readers []stream, err error) {
	in, out, errs := terminalOf(c.stdin), terminalOf(c.stdout), terminalOf(c.stderr)
	fail := func(err error) ([]*os.File, []stream, error) {
		for _, f := range given {
			f.Close()
		}
		for _, r := range readers {
			r.from.Close()
		}
		return nil, nil, err
	}
	c.cmd.Stdin = c.stdin
	if in != nil || out != nil || errs != nil {
		slave, err := c.open()
		if err != nil {
			return fail(err)
		}
		given = append(given, slave)
		readers = append(readers, stream{c.master, nil, true})
		c.cmd.SysProcAttr.Setsid, c.cmd.SysProcAttr.Setctty = true, true
		for i, t := range []*os.File{errs, out, in} {
			if t != nil {
				c.terminal, c.cmd.SysProcAttr.Ctty = t, 2-i
			}
		}
		// What the pty prints is shown where the command's output goes to a
		// terminal; without such it is but the echo of what is typed.
		switch {
		case out != nil:
			readers[0].to = out
		case errs != nil:
			readers[0].to = errs
		default:
			readers[0].to, readers[0].logged = in, false
		}
		c.input = in
		c.keepsOutput = in == nil || out == nil || errs == nil
		c.liken(slave)
		if in != nil {
			c.cmd.Stdin = slave
		}
		if out != nil {
			c.cmd.Stdout = slave
		}
		if errs != nil {
			c.cmd.Stderr = slave
		}
	} else {
		c.cmd.SysProcAttr.Setpgid = true
	}
	pipe := func(to io.Writer) (*os.File, error) {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, err
		}
		given, readers = append(given, w), append(readers, stream{r, to, true})
		return w, nil
	}
	if out == nil {
		if c.cmd.Stdout, err = pipe(c.stdout); err != nil {
			return fail(err)
		}
	}
	if errs == nil {
		if c.cmd.Stderr, err = pipe(c.stderr); err != nil {
			return fail(err)
		}
	}
	return given, readers, nil
}

// open makes the pty. Reading its master can be given up, which the file that the
// library opened cannot.
func (c *child) open() (slave *os.File, err error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer master.Close()
	if c.masterFd, err = unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0); err == nil {
		err = unix.SetNonblock(c.masterFd, true)
	}
	if err != nil {
		slave.Close()
		return nil, err
	}
	c.master = os.NewFile(uintptr(c.masterFd), "pty")
	return slave, nil
}

// terminalOf returns the terminal that a stream is, nil for any other.
func terminalOf(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// liken gives the pty the size and the settings of our terminal. Line ends that
// our terminal goes on adding are not added twice.
func (c *child) liken(slave *os.File) {
	c.resize()
	settings, err := unix.IoctlGetTermios(int(c.terminal.Fd()), getTermios)
	if err != nil {
		return
	}
	if c.keepsOutput {
		settings.Oflag &^= unix.OPOST
	}
	_ = unix.IoctlSetTermios(int(slave.Fd()), setTermios, settings)
}

func (c *child) resize() {
	if c.master == nil {
		return
	}
	if size, err := unix.IoctlGetWinsize(int(c.terminal.Fd()), unix.TIOCGWINSZ); err == nil {
		_ = unix.IoctlSetWinsize(c.masterFd, unix.TIOCSWINSZ, size)
	}
}

// inForeground reports whether our terminal is ours to change and to read from.
func (c *child) inForeground() bool {
	group, err := unix.IoctlGetInt(int(c.input.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// raw hands what is typed on as it is: the pty echoes it and makes signals of it.
func (c *child) raw() {
	if c.input == nil || !c.inForeground() {
		return
	}
	state, err := term.MakeRaw(int(c.input.Fd()))
	if err != nil {
		return
	}
	if c.cooked == nil {
		c.cooked = state
	}
	if c.keepsOutput {
		if settings, err := unix.IoctlGetTermios(int(c.input.Fd()), getTermios); err == nil {
			settings.Oflag |= unix.OPOST
			_ = unix.IoctlSetTermios(int(c.input.Fd()), setTermios, settings)
		}
	}
}

// restore makes our terminal what it was.
func (c *child) restore() {
	if c.cooked != nil && c.inForeground() {
		_ = term.Restore(int(c.input.Fd()), c.cooked)
	}
}

// handOn hands on what is typed until wake is closed; stopped reports that nothing
// more is taken, so that the next key is another program's.
func (c *child) handOn() (wake io.Closer, stopped <-chan struct{}) {
	done := make(chan struct{})
	r, w, err := os.Pipe()
	if err != nil || c.input == nil {
		close(done)
		if err != nil {
			return io.NopCloser(nil), done // what is typed is lost
		}
		r.Close()
		return w, done
	}
	go func() {
		defer close(done)
		defer r.Close()
		keys := make([]byte, 4096)
		in := int(c.input.Fd())
		for {
			ready := []unix.PollFd{{Fd: int32(in), Events: unix.POLLIN}, {Fd: int32(r.Fd()), Events: unix.POLLIN}}
			wait := -1
			if !c.inForeground() {
				ready, wait = ready[1:], 200
			}
			if _, err := unix.Poll(ready, wait); err != nil && !errors.Is(err, unix.EINTR) {
				return
			}
			if ready[len(ready)-1].Revents != 0 {
				return
			}
			if wait > 0 || ready[0].Revents == 0 {
				continue
			}
			n, err := unix.Read(in, keys)
			if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
				continue
			}
			if n <= 0 {
				return
			}
			if c.typed(keys[:n]) != nil {
				return
			}
		}
	}()
	return w, done
}

// typed hands keys on. The key that suspends would mean nothing to the command,
// whose session has no shell: it suspends us, and we the command.
func (c *child) typed(keys []byte) error {
	settings, err := unix.IoctlGetTermios(c.masterFd, getTermios)
	makesSignals := err == nil && settings.Lflag&unix.ISIG != 0
	from := 0
	for i, key := range keys {
		switch {
		case !makesSignals:
		case key == settings.Cc[unix.VINTR], key == settings.Cc[unix.VQUIT]:
			c.interrupted.Store(true)
		case key == settings.Cc[unix.VSUSP]:
			if _, err := c.master.Write(keys[from:i]); err != nil {
				return err
			}
			from = i + 1
			_ = unix.Kill(0, unix.SIGTSTP)
		}
	}
	_, err = c.master.Write(keys[from:])
	return err
}

// send passes a signal on to the command and all it started.
func (c *child) send(s syscall.Signal, signals <-chan os.Signal) {
	group := -c.cmd.Process.Pid
	switch s {
	case unix.SIGWINCH:
		c.resize()
		return // the command learns it from the pty
	case unix.SIGPIPE:
		return // ours: a reader went away, which the command learns from its own pipe
	case unix.SIGTSTP:
		_ = unix.Kill(group, unix.SIGSTOP)
		c.restore()
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		for next := range signals {
			if next == unix.SIGCONT {
				break
			}
			if stops(next) { // it came before we stopped
				_ = unix.Kill(group, next.(syscall.Signal))
			}
		}
		c.raw()
		c.resize()
		_ = unix.Kill(group, unix.SIGCONT)
		return
	}
	if stops(s) {
		c.interrupted.Store(true)
	}
	_ = unix.Kill(group, s)
}

// copy hands on what the command prints, first to where it was to go. When nobody
// reads there any more, neither do we, and the command learns it as it would.
func (c *child) copy(s stream) {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.from.Read(buf)
		if n > 0 {
			_, failed := s.to.Write(buf[:n])
			if s.logged {
				c.logging.Lock()
				_, _ = c.log.Write(buf[:n]) // of a keeper, which takes everything
				c.logging.Unlock()
			}
			if errors.Is(failed, unix.EPIPE) && s.from != c.master {
				s.from.Close()
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// detach gives a helper a process group of its own, so that the keys and signals
// meant for the command pass it by.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// end asks a helper and what it started to end; kill makes them.
func end(cmd *exec.Cmd)  { _ = unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }
func kill(cmd *exec.Cmd) { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
