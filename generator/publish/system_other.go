//go:build !linux && !darwin

package publish

import (
	"errors"
	"io/fs"
)

// canExchange is whether the system has an exchange of two folders.
const canExchange = false

func exchange(_, _ string) error { return errors.ErrUnsupported }

func sameOwner(_, _ fs.FileInfo) bool { return true }

func hasAttributes(string) bool { return false }

// syncData has the bytes of staged files on the disk.
func syncData(_ string, changes []change) error { return syncFiles(changes) }
