//go:build !unix

package watch

import "io/fs"

// rightsOf returns the attributes of a file that change without its content.
func rightsOf(info fs.FileInfo) rights { return rights{mode: uint32(info.Mode())} }
