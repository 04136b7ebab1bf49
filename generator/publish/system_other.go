//go:build !linux && !darwin

package publish

import (
	"errors"
	"io/fs"
)

// canExchange says whether the system can exchange two folders.
const canExchange = false

func exchange(_, _ string) error { return errors.ErrUnsupported }

func sameOwner(_, _ fs.FileInfo) bool { return true }

func hasAttributes(string) bool { return false }

// syncData flushes staged files to the disk.
func syncData(_ string, changes []change) error { return syncFiles(changes) }
