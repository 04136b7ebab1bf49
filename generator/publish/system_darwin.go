package publish

import (
	"errors"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// canExchange is whether the system has an exchange of two folders; a file system may still not.
const canExchange = true

// exchange has two folders change places in one step.
func exchange(a, b string) error { return unix.RenamexNp(a, b, unix.RENAME_SWAP) }

// sameOwner reports whether two folders belong to the same user and group.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Uid == y.Uid && x.Gid == y.Gid
}

// hasAttributes reports whether somebody gave a folder an attribute that a new folder does not
// get.
func hasAttributes(name string) bool {
	n, err := unix.Llistxattr(name, nil)
	return n > 0 || err != nil && !errors.Is(err, unix.ENOTSUP)
}

// syncData has the bytes of staged files on the disk.
func syncData(_ string, changes []change) error { return syncFiles(changes) }
