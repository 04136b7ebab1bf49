// Benchpost turns raw LLM-inference benchmark runs into reports that can be
// published, believed and reproduced.
package main

import (
	"context"
	"os"
	"os/signal"

	"benchpost/cmd/benchpost/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
