package main

import (
	"context"
	"os"
	"os/signal"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

func TestMain(m *testing.M) {
	if signal.Ignored(os.Interrupt) { // as in the background of a script; programs started here must obey it nevertheless
		signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	}
	testscript.Main(m, map[string]func(){
		"benchpost": func() {
			os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
		"vllm": standIn, // for the commands in docs/guide
	})
}

// TestScripts runs whole sites through the command line: testdata/script/*.txt.
func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireUniqueNames:  true,
		RequireExplicitExec: true,
	})
}
