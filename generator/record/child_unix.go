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

// supported is the reason why no command can be recorded on this system; "" if one can.
const supported = ""

// child is a command that runs as if it were connected directly to the terminal. It has a process group of its own, so
// that it gets each signal once: typed keys reach it through its terminal, and signals sent to benchpost are forwarded.
//
// If benchpost's stdin, stdout or stderr is a terminal, so is the command's; all of these share one pty. The other
// streams are kept separate. A stdin that is no terminal is passed on as it is.
type child struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	log            io.Writer // gets everything that is printed, as it comes

	cmd         *exec.Cmd
	master      *os.File // of the pty, nil for none
	masterFd    int      // its descriptor; asking the file for it would make the file blocking
	terminal    *os.File // benchpost's own, which the pty replaces
	input       *os.File // benchpost's stdin, nil if it is no terminal
	cooked      *term.State
	keepsOutput bool // a stream of benchpost is no terminal: the real terminal keeps processing output
	logging     sync.Mutex
	interrupted atomic.Bool // by a key or a signal
}

// ending says how a command ended.
type ending struct {
	code        int
	signal      string // the signal that ended it, "" for none
	interrupted bool   // the user asked it to end
}

// drain is how long to wait for the last output if another process still holds the command's streams open.
const drain = time.Second

// handled returns the signals that are forwarded. A signal that was ignored when benchpost started stays ignored, also
// by the command.
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

// stops reports whether a signal asks a process to end.
func stops(s os.Signal) bool {
	return s == unix.SIGINT || s == unix.SIGTERM || s == unix.SIGHUP || s == unix.SIGQUIT
}

// run starts the command, forwards signals to it, and waits for its end.
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

// stream connects output of the command with its destination.
type stream struct {
	from   *os.File
	to     io.Writer
	logged bool
}

// connect sets the streams of the command. It returns the files to close once the command has started, and the streams
// to read from.
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
		// The pty is shown wherever the command's output goes to a terminal. If neither stdout nor stderr is a
		// terminal, the pty only contains the echo of typed keys.
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

// open opens the pty. Its master is reopened as a non-blocking file, because reading the one that the library opened
// cannot be interrupted.
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

// terminalOf returns a stream if it is a terminal, nil otherwise.
func terminalOf(stream any) *os.File {
	if f, ok := stream.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return f
	}
	return nil
}

// liken gives the pty the size and the settings of the real terminal. If the real terminal keeps processing output, the
// pty does not, so that line ends are not converted twice.
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

// inForeground reports whether benchpost is in the foreground of its terminal, and so may change it and read from it.
func (c *child) inForeground() bool {
	group, err := unix.IoctlGetInt(int(c.input.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}

// raw switches the terminal to raw mode. Typed keys are then passed on unchanged: the pty echoes them and converts some
// into signals.
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

// restore restores the terminal's mode.
func (c *child) restore() {
	if c.cooked != nil && c.inForeground() {
		_ = term.Restore(int(c.input.Fd()), c.cooked)
	}
}

// handOn passes on typed keys until wake is closed. When stopped is closed, it reads no more keys, so that the next key
// goes to another program.
func (c *child) handOn() (wake io.Closer, stopped <-chan struct{}) {
	done := make(chan struct{})
	r, w, err := os.Pipe()
	if err != nil || c.input == nil {
		close(done)
		if err != nil {
			return io.NopCloser(nil), done // typed keys are lost
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

// typed passes on keys. The key that suspends would have no effect on the command, whose session has no shell. It
// suspends benchpost instead, which suspends the command.
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

// send forwards a signal to the command and its process group.
func (c *child) send(s syscall.Signal, signals <-chan os.Signal) {
	group := -c.cmd.Process.Pid
	switch s {
	case unix.SIGWINCH:
		c.resize()
		return // the command learns the size from the pty
	case unix.SIGPIPE:
		return // of benchpost's own output; the command gets one from its own pipe
	case unix.SIGTSTP:
		_ = unix.Kill(group, unix.SIGSTOP)
		c.restore()
		_ = unix.Kill(unix.Getpid(), unix.SIGSTOP)
		for next := range signals {
			if next == unix.SIGCONT {
				break
			}
			if stops(next) { // it came before benchpost was stopped
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

// copy copies what the command prints, first to its destination and then to the log. If the destination is closed, it
// closes the command's pipe too, so that the command notices as it would without benchpost.
func (c *child) copy(s stream) {
	buf := make([]byte, 32<<10)
	for {
		n, err := s.from.Read(buf)
		if n > 0 {
			_, failed := s.to.Write(buf[:n])
			if s.logged {
				c.logging.Lock()
				_, _ = c.log.Write(buf[:n]) // a keeper, which never fails
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

// detach puts a helper into a process group of its own, so that keys and signals for the command do not reach it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// end asks a helper and its children to end; kill forces them.
func end(cmd *exec.Cmd)  { _ = unix.Kill(-cmd.Process.Pid, unix.SIGTERM) }
func kill(cmd *exec.Cmd) { _ = unix.Kill(-cmd.Process.Pid, unix.SIGKILL) }
