//go:build unix

package sweep

import (
	"errors"
	"os"
	"syscall"

	"github.com/benchpost/benchpost/generator/locale"
)

// Lock keeps a folder's plan for one process: another that works on it would take
// the run under way for one that was cut off. The lock ends with the process.
func Lock(dir string) (unlock func(), err error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, locale.Errorf("another benchpost is running the plan in %s", dir)
		}
		return func() {}, nil // a file system without locks
	}
	return func() { f.Close() }, nil
}
