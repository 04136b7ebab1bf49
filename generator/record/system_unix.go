//go:build linux || darwin

package record

import "golang.org/x/sys/unix"

// system returns the kernel's release and the machine's architecture, as uname does.
func system() (kernel, arch string) {
	var u unix.Utsname
	if unix.Uname(&u) != nil {
		return "", ""
	}
	return unix.ByteSliceToString(u.Release[:]), unix.ByteSliceToString(u.Machine[:])
}
