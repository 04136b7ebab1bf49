package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/benchpost/benchpost/generator/need"
)

// TestScriptsWithGit runs sites in repositories: testdata/git/*.txt. The git configuration of this machine and user is
// not used.
func TestScriptsWithGit(t *testing.T) {
	t.Parallel()
	need.Command(t, "git")
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/git",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A U Thor", "GIT_AUTHOR_EMAIL=author@example.com",
				"GIT_COMMITTER_NAME=C O Mitter", "GIT_COMMITTER_EMAIL=committer@example.com", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z")
			e.Setenv("ONLY_BENCHPOST", filepath.SplitList(e.Getenv("PATH"))[0])
			return nil
		},
	})
}
