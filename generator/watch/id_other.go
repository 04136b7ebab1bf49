//go:build !unix

package watch

import "io/fs"

// idOf returns the zero id: on this system a folder is identified only by its path.
func idOf(fs.FileInfo) id { return id{} }
