//go:build linux

// Package killer runs a program and kills it before one of the system calls that change files. Tests use it to
// check what is left. It traces the program as a debugger does, so it stops exactly at the chosen call.
package killer

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/benchpost/benchpost/generator/need"
)

// Program is the program to run.
type Program struct {
	Path string
	Args []string // without the name of the program
	Dir  string
	Env  []string // in addition to that of the test
}

// Run runs a program to its end, or kills it before the call with the given number, counted from 1. With 0 it
// is not killed. Run returns the calls so far that changed files, in order, such as "openat public/a" or
// "renameat2", and the exit code, -1 if the program was killed. output is what it printed. Other programs that
// it starts are not traced or killed.
func Run(t testing.TB, p Program, number int) (calls []string, code int, output string) {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "output")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread that starts the program is its tracer; it ends with this function
		calls, code, err = run(p, number, out)
	}()
	<-done
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSYS) {
		need.Granted(t, fmt.Errorf("tracing: %w", err))
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return calls, code, string(data)
}

func run(p Program, number int, out *os.File) (calls []string, code int, err error) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		return nil, 0, err
	}
	defer null.Close()
	started, err := os.StartProcess(p.Path, append([]string{p.Path}, p.Args...), &os.ProcAttr{
		Dir: p.Dir, Env: append(os.Environ(), p.Env...), Files: []*os.File{null, out, out}, Sys: &syscall.SysProcAttr{Ptrace: true, Setpgid: true}})
	if err != nil {
		return nil, 0, err
	}
	pid := started.Pid
	defer func() { _ = started.Release() }()
	var status unix.WaitStatus
	if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil {
		return nil, 0, err
	}
	const options = unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL
	if err := unix.PtraceSetOptions(pid, options); err != nil {
		return nil, 0, err
	}
	goOn := func(thread, signal int) { _ = unix.PtraceSyscall(thread, signal) } // errors are ignored: the thread may have died
	goOn(pid, 0)
	for {
		thread, err := unix.Wait4(-pid, &status, unix.WALL, nil) // only its process group, because the test may have other child processes
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return calls, code, err
		case status.Exited() || status.Signaled():
			if thread != pid {
				continue
			}
			if status.Signaled() {
				return calls, -1, nil
			}
			return calls, status.ExitStatus(), nil
		case status.StopSignal() == syscall.SIGTRAP|0x80: // a system call begins or ends
			if call := changes(pid, thread); call != "" {
				calls = append(calls, call)
				if len(calls) == number {
					_ = unix.Kill(pid, unix.SIGKILL)
					continue
				}
			}
			goOn(thread, 0)
		case status.StopSignal() == syscall.SIGTRAP || status.StopSignal() == syscall.SIGSTOP: // a thread was created
			goOn(thread, 0)
		default:
			goOn(thread, int(status.StopSignal()))
		}
	}
}

// call is what ptrace reports about a thread that has stopped at a system call.
type call struct {
	Op     uint8
	_      [3]uint8
	Arch   uint32
	_, _   uint64
	Number uint64
	Args   [6]uint64
	_      [4]uint64
}

const (
	ptraceGetSyscallInfo = 0x420e
	entering             = 1
)

// changes returns a description of the call that a thread is about to make if it changes a file, otherwise "".
func changes(pid, thread int) string {
	var c call
	if _, _, e := unix.RawSyscall6(unix.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), unsafe.Sizeof(c), uintptr(unsafe.Pointer(&c)), 0, 0); e != 0 || c.Op != entering {
		return ""
	}
	path := func(address uint64) string {
		buf := make([]byte, 256)
		n, _ := unix.PtracePeekData(thread, uintptr(address), buf)
		text, _, _ := strings.Cut(string(buf[:n]), "\x00")
		return text
	}
	switch c.Number {
	case unix.SYS_OPENAT:
		if c.Args[2]&(unix.O_CREAT|unix.O_TRUNC) != 0 {
			return "openat " + path(c.Args[1])
		}
	case unix.SYS_MKDIRAT:
		return "mkdirat " + path(c.Args[1])
	case unix.SYS_UNLINKAT:
		return "unlinkat " + path(c.Args[1])
	case unix.SYS_SYMLINKAT:
		return "symlinkat " + path(c.Args[2])
	case unix.SYS_LINKAT:
		return "linkat " + path(c.Args[3])
	case unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2:
		return "rename " + path(c.Args[1]) + " " + path(c.Args[3])
	case unix.SYS_FCHMODAT, unix.SYS_UTIMENSAT:
		return "change " + path(c.Args[1])
	case unix.SYS_WRITE, unix.SYS_PWRITE64, unix.SYS_FTRUNCATE, unix.SYS_COPY_FILE_RANGE, unix.SYS_FSYNC, unix.SYS_SYNCFS:
		fd := c.Args[0]
		if c.Number == unix.SYS_COPY_FILE_RANGE {
			fd = c.Args[2]
		}
		if file, err := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", pid, fd)); err == nil && fd > 2 && strings.HasPrefix(file, "/") && !strings.HasPrefix(file, "/dev/") {
			return "write " + file
		}
	}
	return ""
}
