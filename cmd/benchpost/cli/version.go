package cli

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

var versionCommand = command{
	name:    "version",
	summary: "print version, commit and Go version",
	help:    "Prints one line, as: benchpost v1.2.0 (commit 1a2b3c4, go1.26.0)\n",
	run: func(_ context.Context, a *app, _ *options, _ []string) int {
		fmt.Fprintf(a.stdout, "benchpost %s\n", buildVersion())
		return Fine
	},
}

// buildVersion returns the version of this program, its commit and the Go version.
func buildVersion() string {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		modified := ""
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				commit = s.Value[:min(12, len(s.Value))]
			case "vcs.modified":
				if s.Value == "true" {
					modified = ", modified"
				}
			}
		}
		commit += modified
	}
	return fmt.Sprintf("%s (commit %s, %s)", moduleVersion(), commit, runtime.Version())
}

// moduleVersion returns the version that Go embedded in this program: that of a tag, of go install, or a pseudo-version
// of the commit.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "(development)"
}
