package config

import (
	"cmp"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
)

// Archive configures how raw files are kept in git.
type Archive struct {
	Compress string // larger raw files are compressed; default "1 MiB", or "never"
	Limit    string // larger files are not put into git unchanged; default "50 MB"

	compress, limit int64
}

// Sizes returns Compress and Limit in bytes. compress is -1 for "never".
func (a Archive) Sizes() (compress, limit int64) {
	return cmp.Or(a.compress, 1<<20), cmp.Or(a.limit, 50e6)
}

func (a *Archive) check(at place) {
	hint := locale.Textf(`sizes are written "1 MiB" or "50 MB"; compress may be "never"`)
	size := func(key, text string) int64 {
		bytes, ok := audit.Quantity(text)
		switch {
		case text == "":
			return 0
		case !ok || bytes < 1 || bytes > 1e18 || !strings.HasSuffix(text, "B"):
			at.at(key).wrong(hint, "archive: %q is not a size of a file", text)
			return 0
		}
		return int64(bytes)
	}
	if a.limit = size("limit", a.Limit); a.Compress == "never" {
		a.compress = -1
	} else {
		a.compress = size("compress", a.Compress)
	}
}
