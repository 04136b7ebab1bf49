//go:build linux || darwin

package record

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/need"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
)

// recording is a process that records the benchmark.
type recording struct {
	*exec.Cmd
	t      *testing.T
	dir    string
	lock   sync.Mutex
	shown  bytes.Buffer // text shown on its terminal
	master *os.File
	read   chan struct{}
}

func newRecording(t *testing.T, words ...string) *recording {
	t.Helper()
	r := &recording{t: t, dir: t.TempDir(), read: make(chan struct{})}
	r.Cmd = exec.Command(os.Args[0], append([]string{r.dir}, words...)...)
	r.Env = append(os.Environ(), "RECORD_TEST_PART=recorder", "PATH="+t.TempDir())
	t.Cleanup(func() {
		if r.Process != nil {
			_ = r.Process.Kill()
		}
	})
	return r
}

// onTerminal starts the process on a terminal of its own. Streams that are already set are kept.
func (r *recording) onTerminal() *recording {
	r.t.Helper()
	var err error
	if r.master, err = pty.StartWithSize(r.Cmd, &pty.Winsize{Cols: 91, Rows: 33}); err != nil {
		r.t.Fatal(err)
	}
	go func() {
		defer close(r.read)
		buf := make([]byte, 4096)
		for {
			n, err := r.master.Read(buf)
			r.lock.Lock()
			r.shown.Write(buf[:n])
			r.lock.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return r
}

func (r *recording) screen() string {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.shown.String()
}

// see waits until a text is shown on the terminal.
func (r *recording) see(text string) {
	r.t.Helper()
	need.Until(r.t, func() bool { return strings.Contains(r.screen(), text) }, func() string { return "no " + text + " in " + r.screen() })
}

func (r *recording) key(keys string) {
	r.t.Helper()
	if _, err := r.master.WriteString(keys); err != nil {
		r.t.Fatal(err)
	}
}

// code waits for the end and returns the exit code.
func (r *recording) code() int {
	_ = r.Wait()
	if r.master != nil {
		select {
		case <-r.read:
		case <-time.After(need.Patience):
		}
	}
	return r.ProcessState.ExitCode()
}

func (r *recording) log() string { return read(r.t, filepath.Join(r.dir, logName)) }

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (r *recording) record() format.Record {
	r.t.Helper()
	record, err := format.ReadRecord(r.dir)
	if err != nil {
		r.t.Fatal(err)
	}
	return record
}

// TestOnATerminal checks that a command on a terminal gets a terminal of the same size, that typed keys reach it, and
// that its output is recorded byte for byte.
func TestOnATerminal(t *testing.T) {
	r := newRecording(t, "terminals", "line", "progress=20", "table", "exit=3").onTerminal()
	r.see("size 91 33")
	r.key("hello\r")
	if code := r.code(); code != 3 {
		t.Errorf("exit code %d\n%s", code, r.screen())
	}
	for _, want := range []string{"terminals true true true\r\n", `read "hello\n" <nil>`, "\r100%|██████████| 20/20", "P99 TTFT"} {
		if !strings.Contains(r.log(), want) {
			t.Errorf("no %q in %q", want, r.log())
		}
	}
	if r.log() != r.screen() {
		t.Errorf("shown %q\nkept %q", r.screen(), r.log())
	}
	if record := r.record(); record.ExitCode == nil || *record.ExitCode != 3 || record.Ended == "" {
		t.Errorf("%+v", record)
	}
}

// TestTerminalIsRestored checks that the terminal's settings are restored.
func TestTerminalIsRestored(t *testing.T) {
	r := newRecording(t, "line")
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close()
	settings := func() unix.Termios {
		s, err := unix.IoctlGetTermios(int(slave.Fd()), getTermios)
		if err != nil {
			t.Fatal(err)
		}
		return *s
	}
	before := settings()
	r.Stdin, r.Stdout, r.Stderr = slave, slave, slave
	r.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { _, _ = io.Copy(io.Discard, master) }()
	need.Until(t, func() bool { return settings().Lflag&unix.ICANON == 0 }, func() string { return "never raw" })
	if settings().Oflag&unix.OPOST != 0 {
		t.Error("all three are the terminal, and it goes on processing what is printed")
	}
	if _, err := master.WriteString("x\r"); err != nil {
		t.Fatal(err)
	}
	if err := r.Wait(); err != nil {
		t.Error(err)
	}
	if after := settings(); after != before {
		t.Errorf("%+v\n%+v", before, after)
	}
}

// TestOnPipes checks that stdout and stderr stay separate if no stream is a terminal, and that the log has both in
// order.
func TestOnPipes(t *testing.T) {
	r := newRecording(t, "terminals", "line", "line", "wait=50", "err=e1", "wait=50", "out=o2", "wait=50", "err=e3", "progress=5", "exit=4")
	input := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(input, []byte("one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	r.Stdout, r.Stderr = &out, &errs
	f, err := os.Open(input)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r.Stdin = f
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	if code := r.code(); code != 4 {
		t.Errorf("exit code %d: %s", code, errs.String())
	}
	if want := "terminals false false false\nread \"one\\n\" <nil>\nread \"\" EOF\no2\n"; out.String() != want {
		t.Errorf("stdout %q", out.String())
	}
	if !strings.HasPrefix(errs.String(), "e1\ne3\n\r  0%") || !strings.HasSuffix(errs.String(), "5/5 [00:05<00:00]\n") {
		t.Errorf("stderr %q", errs.String())
	}
	log := r.log()
	if i, j, k := strings.Index(log, "e1"), strings.Index(log, "o2"), strings.Index(log, "e3"); i < 0 || j < i || k < j || len(log) != out.Len()+errs.Len() {
		t.Errorf("the log is %q", log)
	}
}

// TestOneStreamElsewhere checks that exactly those streams of the command are terminals that are terminals of
// benchpost.
func TestOneStreamElsewhere(t *testing.T) {
	r := newRecording(t, "terminals", "err=shown", "signals=1")
	var out bytes.Buffer
	r.Stdout = &out
	r.onTerminal()
	r.see("shown\r\n")
	if strings.Contains(r.screen(), "\r\r\n") {
		t.Errorf("line ends are added twice: %q", r.screen())
	}
	need.Until(t, func() bool { return strings.Contains(r.log(), "ready") }, func() string { return r.log() })
	r.key("\x03")
	if code := r.code(); code != 0 || out.String() != "terminals true false true\nready\ngot SIGINT\n" {
		t.Errorf("code %d, %q", code, out.String())
	}
}

// TestInterruptedByKey checks that every ctrl-C reaches the command exactly once, and that the command decides what it
// does.
func TestInterruptedByKey(t *testing.T) {
	r := newRecording(t, "signals=2", "exit=9").onTerminal()
	r.see("ready")
	r.key("\x03")
	r.see("got SIGINT")
	time.Sleep(50 * time.Millisecond)
	r.key("\x03")
	if code := r.code(); code != 9 || strings.Count(r.log(), "got SIGINT") != 2 || strings.Contains(r.log(), "again") {
		t.Errorf("code %d: %q", code, r.log())
	}
}

// TestSignalsAreSentOn checks that a signal sent to benchpost reaches the command once, on pipes and on a terminal.
func TestSignalsAreSentOn(t *testing.T) {
	for _, s := range []syscall.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		for _, terminal := range []bool{false, true} {
			r := newRecording(t, "signals=1", "exit=5")
			if terminal {
				r.onTerminal()
			} else if err := r.Start(); err != nil {
				t.Fatal(err)
			}
			need.Until(t, func() bool { return strings.Contains(r.logIfAny(), "ready") }, func() string { return "not ready" })
			if err := r.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			if code := r.code(); code != 5 || strings.Count(r.log(), "got "+unix.SignalName(s)) != 1 || strings.Contains(r.log(), "again") {
				t.Errorf("%v, terminal %v: code %d: %q", s, terminal, code, r.log())
			}
		}
	}
}

func (r *recording) logIfAny() string {
	data, _ := os.ReadFile(filepath.Join(r.dir, logName))
	return string(data)
}

// TestResize checks that the command's terminal has the size of the real one, also after a change.
func TestResize(t *testing.T) {
	r := newRecording(t, "signals=1").onTerminal()
	r.see("ready")
	if err := pty.Setsize(r.master, &pty.Winsize{Cols: 120, Rows: 40}); err != nil {
		t.Fatal(err)
	}
	r.see("size 120 40")
	if code := r.code(); code != 0 {
		t.Errorf("code %d: %q", code, r.log())
	}
}

// TestSuspend checks that ctrl-Z stops benchpost and the command, and that SIGCONT continues both.
func TestSuspend(t *testing.T) {
	r := newRecording(t, "signals=1", "exit=6").onTerminal()
	r.see("ready")
	r.key("\x1a")
	var status syscall.WaitStatus
	need.Until(t, func() bool {
		pid, err := syscall.Wait4(r.Process.Pid, &status, syscall.WNOHANG|syscall.WUNTRACED, nil)
		return err == nil && pid != 0 && status.Stopped()
	}, func() string { return "not stopped: " + r.screen() })
	if err := r.Process.Signal(unix.SIGCONT); err != nil {
		t.Fatal(err)
	}
	r.key("\x03")
	if code := r.code(); code != 6 || strings.Count(r.log(), "got SIGINT") != 1 {
		t.Errorf("code %d: %q", code, r.log())
	}
}

// TestExitCode checks that the exit code is that of the command, or 128 + n for signal n.
func TestExitCode(t *testing.T) {
	for words, want := range map[string]int{"exit=0": 0, "exit=1": 1, "exit=255": 255, "kill=9": 137, "kill=15": 143} {
		for _, terminal := range []bool{false, true} {
			r := newRecording(t, words)
			if terminal {
				r.onTerminal()
			} else if err := r.Start(); err != nil {
				t.Fatal(err)
			}
			if code := r.code(); code != want {
				t.Errorf("%s, terminal %v: %d, not %d", words, terminal, code, want)
			}
			record := r.record()
			if record.ExitCode == nil || *record.ExitCode != want || (record.Signal != "") != (want > 128 && want < 255) {
				t.Errorf("%s: %+v", words, record)
			}
		}
	}
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, code, err := Find([]string{plain}); code != 126 || err == nil {
		t.Errorf("%d %v", code, err)
	}
	if _, code, err := Find([]string{"no-such-benchmark"}); code != 127 || err == nil {
		t.Errorf("%d %v", code, err)
	}
}

// TestReaderGoesAway checks that the command notices when a reader closes the pipe, and that the log continues.
func TestReaderGoesAway(t *testing.T) {
	r := newRecording(t, "out=first", "wait=200", "out=second", "wait=100", "out=third", "err=last")
	pipe, err := r.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(pipe, make([]byte, 6)); err != nil {
		t.Fatal(err)
	}
	pipe.Close()
	if code := r.code(); code != 128+int(unix.SIGPIPE) {
		t.Errorf("code %d", code)
	}
	if !strings.HasPrefix(r.log(), "first\nsecond\n") {
		t.Errorf("%q", r.log())
	}
}

// TestKilledAtAnyMoment checks that the files are readable whenever benchpost is killed, and that they say that the run
// did not end.
func TestKilledAtAnyMoment(t *testing.T) {
	for range need.Times(2, 12) {
		r := newRecording(t, "progress=20", "table", "progress=500")
		r.Env = append(r.Env, "RECORD_TEST_TELEMETRY=auto")
		if err := r.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(rand.IntN(600)) * time.Millisecond)
		_ = r.Process.Kill()
		_ = r.Wait()
		set, err := rundir.Load(r.dir, rundir.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range set.Messages {
			if m.Severity == result.Error {
				t.Errorf("%v", m)
			}
		}
		if _, err := os.Stat(filepath.Join(r.dir, format.RecordName)); err != nil {
			continue // killed before anything was written
		}
		if record := r.record(); record.Ended != "" || record.ExitCode != nil || record.Started == "" {
			t.Errorf("%+v", record)
		}
		for _, res := range set.Results {
			if res.Label("x_exit_code") != "" {
				t.Errorf("%v", res.Labels)
			}
		}
	}
}

// TestNewFolder checks that concurrent calls get different folders.
func TestNewFolder(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "runs", "2026-11-21")
	var lock sync.Mutex
	dirs := map[string]bool{}
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			dir, err := NewFolder(parent, "vllm")
			lock.Lock()
			defer lock.Unlock()
			if err != nil || dirs[dir] {
				t.Errorf("%s %v", dir, err)
			}
			dirs[dir] = true
		})
	}
	asking.Wait()
	if !dirs[filepath.Join(parent, "vllm")] || !dirs[filepath.Join(parent, "vllm-20")] {
		t.Errorf("%v", dirs)
	}
}

// logged reports whether the command was started.
func (r *recording) logged() bool {
	_, err := os.Stat(filepath.Join(r.dir, logName))
	return err == nil
}
