//go:build !unix

package watch

import "io/fs"

// idOf knows none: a folder is known by its path alone.
func idOf(fs.FileInfo) id { return id{} }
