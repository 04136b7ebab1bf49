package publish

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// canExchange says whether the system can exchange two folders; a file system may still not support it.
const canExchange = true

// exchange exchanges two folders in one step.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

// sameOwner reports whether two folders belong to the same user and group.
func sameOwner(a, b fs.FileInfo) bool {
	x, ok1 := a.Sys().(*syscall.Stat_t)
	y, ok2 := b.Sys().(*syscall.Stat_t)
	return ok1 && ok2 && x.Uid == y.Uid && x.Gid == y.Gid
}

// hasAttributes reports whether a folder has an access list or another attribute that a new folder does not get. It
// ignores attributes that security modules set on each folder.
func hasAttributes(name string) bool {
	buf := make([]byte, 4<<10)
	n, err := unix.Llistxattr(name, buf)
	if err != nil {
		return !errors.Is(err, unix.ENOTSUP)
	}
	for attribute := range strings.SplitSeq(strings.TrimSuffix(string(buf[:n]), "\x00"), "\x00") {
		if attribute != "" && !strings.HasPrefix(attribute, "security.") {
			return true
		}
	}
	return false
}

// manyFiles is the number of files from which it is faster to sync the whole file system.
const manyFiles = 64

// syncData flushes staged files to the disk.
func syncData(stage string, changes []change) error {
	if len(changes) < manyFiles {
		return syncFiles(changes)
	}
	f, err := os.Open(stage)
	if err != nil {
		return err
	}
	return errors.Join(unix.Syncfs(int(f.Fd())), f.Close())
}
