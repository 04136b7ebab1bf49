package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"benchpost": func() {
			os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs whole sites through the command line: testdata/script/*.txt.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	})
}
