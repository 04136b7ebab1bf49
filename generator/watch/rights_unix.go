//go:build unix

package watch

import (
	"io/fs"
	"syscall"
)

// rightsOf returns the attributes of a file that change without its content.
func rightsOf(info fs.FileInfo) rights {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return rights{uint32(st.Mode), st.Uid, st.Gid, uint64(st.Nlink)}
	}
	return rights{mode: uint32(info.Mode())}
}
