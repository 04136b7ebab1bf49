//go:build unix

package sweep

import (
	"errors"
	"os"
	"syscall"

	"github.com/benchpost/benchpost/generator/locale"
)

// Lock reserves a folder's plan for this process. Another process would mistake the run in progress for an interrupted
// one. The lock ends with the process.
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
		return func() {}, nil // the file system does not support locks
	}
	return func() { f.Close() }, nil
}
