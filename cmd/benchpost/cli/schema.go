package cli

import (
	"context"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/schema"
	"github.com/benchpost/benchpost/generator/settings"
)

var schemaCommand = command{
	name:    "schema",
	args:    "[site|run|post|block-KIND]",
	summary: "print JSON Schemas for completion and checks in editors",
	help: `Prints the JSON Schema of site.toml, of run.toml, of the front matter of posts, or
of the body of a kind of report block; without a name, the available names. With
Even Better TOML, the first line of a file names its schema, relative to the file.

Examples
  benchpost schema site > site.schema.json     and in site.toml: #:schema ./site.schema.json
  benchpost schema run > runs/run.schema.json  and in runs/a/run.toml: #:schema ../run.schema.json
`,
	run: func(_ context.Context, a *app, _ *options, args []string) int {
		if len(args) == 0 {
			for _, name := range schema.Names() {
				a.print("%s\n", name)
			}
			return Fine
		}
		text, ok := schema.Of(args[0])
		if !ok || len(args) > 1 {
			a.say.fault("there is no schema of %s", strings.Join(args, " "))
			a.say.hint("%s", settings.Offer(args[0], schema.Names(), locale.Textf("there are: %s", locale.Commas(schema.Names()...))))
			return Usage
		}
		if _, err := a.stdout.Write(text); err != nil {
			return Fault
		}
		return Fine
	},
}
