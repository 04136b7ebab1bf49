// Package script holds the site's scripts. They are classic scripts, since a page opened from file:// cannot load
// modules. Each is bundled from the ES modules in this folder and committed below bundle/, so that building a site
// needs no bundler. After a change to a module, `go generate ./generator/page/script` makes the bundles again; a test
// fails while they are outdated.
package script

import "embed"

//go:generate go test -run ^TestBundlesAreUpToDate$ -count=1 . -update

//go:embed bundle/*.js
var bundles embed.FS

// Entries lists the scripts of the site. Each is the module of that name with all modules that it imports.
var Entries = []string{"site", "chart", "results", "compare", "deploy", Find}

// Find is the script of the search. Pages load it when a reader first searches.
const Find = "find"

// Live is the script for pages that are served while the site is written. It is not part of the site.
const Live = "live"

// Bundle returns the classic script of an entry. It returns an error if the entry is unknown.
func Bundle(entry string) ([]byte, error) {
	return bundles.ReadFile("bundle/" + entry + ".js")
}
