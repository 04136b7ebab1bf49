// Benchpost turns the raw output of LLM inference benchmarks into reports that can be published, trusted and
// reproduced.
package main

import (
	"context"
	"os"

	"github.com/benchpost/benchpost/cmd/benchpost/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
