// Package script holds the site's scripts: classic scripts, since a page opened
// from file:// loads no modules. Each is bundled from the ES modules beside this
// file and committed below bundle/, so that building a site bundles nothing.
// After a change to a module, `go generate ./generator/page/script` makes them
// again; a test fails while they are stale.
package script

import "embed"

//go:generate go test -run ^TestBundlesAreUpToDate$ -count=1 . -update

//go:embed bundle/*.js
var bundles embed.FS

// Entries are the scripts of the site, each the module of that name with all
// that it imports.
var Entries = []string{"site", "chart", "results", "compare", "deploy", Find}

// Find is the script of the search, which pages load when a reader first searches.
const Find = "find"

// Live is the script of pages that are served while the site is written. It is no
// part of the site.
const Live = "live"

// Bundle returns the classic script of an entry; the error is that of an unknown
// entry.
func Bundle(entry string) ([]byte, error) {
	return bundles.ReadFile("bundle/" + entry + ".js")
}
