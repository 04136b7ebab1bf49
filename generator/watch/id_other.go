//go:build !unix

package watch

import "io/fs"

// idOf knows none: a folder is told by its path alone.
func idOf(fs.FileInfo) id { return id{} }
