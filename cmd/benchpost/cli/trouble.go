package cli

import (
	"errors"
	"io/fs"
	"syscall"
)

// remedy returns what to do about an error of the machine; "" if there is no general advice.
func remedy(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the disk is full: free some space and run the command again; what was there is unchanged"
	case errors.Is(err, syscall.EDQUOT):
		return "your quota of the disk is used up: free some space and run the command again; what was there is unchanged"
	case errors.Is(err, syscall.EROFS):
		return "the file system is read-only: mount it for writing, or let build write elsewhere with --out DIR"
	case errors.Is(err, fs.ErrPermission):
		return "you may not read or write there: give yourself the permission (chmod u+rwX, or chown if another user made it), or let build write elsewhere with --out DIR"
	case errors.Is(err, syscall.ENOTDIR):
		return "a file is in the place of a folder: move it away and run the command again; nothing was changed"
	case errors.Is(err, syscall.EMFILE):
		return "too many files are open: raise the limit with ulimit -n 4096"
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "a name is longer than the file system allows: shorten the folder or file"
	}
	return ""
}
