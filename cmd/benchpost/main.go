// Benchpost turns raw LLM-inference benchmark runs into reports that can be
// published, believed and reproduced.
package main

import (
	"context"
	"os"
	"runtime/debug"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

func main() {
	// A build holds all results; collecting a little more often keeps a large
	// site in half the memory at the cost of a fifth of the time.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(25)
	}
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
