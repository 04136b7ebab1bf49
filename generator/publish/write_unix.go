//go:build unix

package publish

import (
	"errors"
	"io/fs"
	"syscall"
)

// writeNew writes a file that does not exist, with as few system calls as possible: os.File would add five to find out
// whether the file can be polled.
func writeNew(name string, data []byte) error {
	fault := func(op string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }
	fd, err := retry(func() (int, error) {
		return syscall.Open(name, syscall.O_WRONLY|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o666)
	})
	if err != nil {
		return fault("open", err)
	}
	for len(data) > 0 && err == nil {
		var n int
		if n, err = retry(func() (int, error) { return syscall.Write(fd, data[:min(len(data), 1<<30)]) }); n > 0 {
			data = data[n:]
		}
	}
	if err != nil {
		err = fault("write", err)
	}
	if closed := syscall.Close(fd); closed != nil && !errors.Is(closed, syscall.EINTR) {
		err = errors.Join(err, fault("close", closed))
	}
	return err
}

// retry repeats a call that was interrupted by a signal.
func retry(call func() (int, error)) (int, error) {
	for {
		if n, err := call(); !errors.Is(err, syscall.EINTR) {
			return n, err
		}
	}
}
