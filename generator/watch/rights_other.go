//go:build !unix

package watch

import "io/fs"

// rightsOf returns what of a file changes without its content.
func rightsOf(info fs.FileInfo) rights { return rights{mode: uint32(info.Mode())} }
