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
	args:    "[site|run|sweep|post|results|block-KIND]",
	summary: "print JSON Schemas for completion and checks in editors",
	help: `Prints the JSON Schema of site.toml, run.toml or sweep.toml, of the front matter of
posts, of the body of a kind of report block, or of the results document; without a
name, the available names. Each build publishes them all in public/site/schema/. In
a new site, Even Better TOML finds them: the first line of site.toml names its
schema, and .taplo.toml those of run.toml and sweep.toml.

Examples
  benchpost schema site > site.json     and as the first line of site.toml: #:schema ./site.json
  benchpost schema results              of benchpost results --format json
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
