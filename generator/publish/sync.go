package publish

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// syncFiles flushes staged files to the disk. It flushes several at once, because a disk takes about as long for many
// files as for one.
func syncFiles(changes []change) error {
	const atOnce = 16
	busy := make(chan struct{}, atOnce)
	errs := make([]error, len(changes))
	var wait sync.WaitGroup
	for i, c := range changes {
		if c.from == "" {
			continue
		}
		busy <- struct{}{}
		wait.Go(func() {
			errs[i] = syncFile(c.from)
			<-busy
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

func syncFile(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncFolder flushes renames in a folder to the disk, if the system supports that.
func SyncFolder(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
