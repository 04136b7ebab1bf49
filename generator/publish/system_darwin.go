package publish

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// canExchange says whether the system can exchange two folders; a file system may still not support it.
const canExchange = true

// exchange exchanges two folders in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

// sameOwner reports whether two folders belong to the same user and group.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Uid == y.Uid && x.Gid == y.Gid
}

// hasAttributes reports whether a folder has an attribute that a new folder does not get.
func hasAttributes(name string) bool {
	n, err := unix.Llistxattr(name, nil)
	return n > 0 || err != nil && !errors.Is(err, unix.ENOTSUP)
}

// syncData flushes staged files to the disk.
func syncData(_ string, changes []change) error { return syncFiles(changes) }
