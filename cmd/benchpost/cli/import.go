package cli

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/importer"
	"github.com/benchpost/benchpost/generator/mask"
	"github.com/benchpost/benchpost/generator/redact"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/visible"
)

var importCommand = command{
	name:    "import",
	args:    "FILE… [--out DIR] [--label k=v]… [--dry-run]",
	summary: "turn posts, notes and logs with results into run folders",
	help: `Reads texts that contain results under headings, such as posts and notes, and
writes run folders: each block unchanged, and a run.toml with the labels found in
headings, commands and text (model, quantization, load, power mode, clocks,
scenario, lengths, engine version, image). Blocks with the same results are one
run. Unclear information is reported, never guessed. Secrets are masked.

  --out DIR      the folder to write (default: runs/ and the first file's name)
  --label k=v    a label for all runs (repeatable)
  --dry-run      only report what would be written

Examples
  benchpost import post.md
  benchpost import notes/*.md --out runs/orin --label hardware=jetson-agx-orin
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.out, "out", "", "")
		fs.Var(&o.labels, "label", "")
		fs.BoolVar(&o.dryRun, "dry-run", false, "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		if len(args) == 0 {
			a.say.fault("import needs at least one file")
			a.say.hint("benchpost import post.md")
			return Usage
		}
		secrets, err := o.secrets()
		if err != nil {
			a.say.fault("%v", err)
			return Usage
		}
		names := secrets.Names()
		var files []importer.File
		for _, name := range args {
			info, ok := a.say.given("", name)
			if ok && info.IsDir() {
				a.say.fault("%s is a folder, and import reads files", name)
				a.say.hint("name the files in it, as benchpost import %s; a folder of logs becomes a site with benchpost init --from %s", filepath.Join(name, "*.md"), name)
				return Usage
			}
			if !ok {
				return Usage
			}
			data, err := os.ReadFile(name)
			if err != nil {
				a.say.fault("%v", err)
				return Usage
			}
			base := filepath.Base(name)
			names.Add("", []string{base})
			files = append(files, importer.File{Name: names.Published(base), Data: secrets.Text(data)})
		}
		var given result.Labels
		for _, l := range o.labels {
			name, value, _ := strings.Cut(l, "=")
			if slices.Contains([]string{"id", "tool", "format", "status"}, name) {
				a.say.fault("--label %s: %s is stated by the result itself", l, name)
				return Usage
			}
			given.Set(result.Label{Name: name, Value: value, Origin: result.Declared})
		}
		dir := o.out
		if dir == "" {
			root, _ := o.siteDir()
			base := files[0].Name
			dir = filepath.Join(root, "runs", strings.TrimSuffix(base, filepath.Ext(base)))
		}
		plan, ms := importer.Read(files, given)
		faults, _ := a.say.messages(ms)
		var report strings.Builder
		if err := plan.Report(&report); err != nil {
			return a.say.failed(err)
		}
		a.print("%s", painted(visible.Lines(report.String())))
		if len(plan.Runs) == 0 {
			a.say.fault("no result found in %s", result.Count(len(args), "file"))
			return Fault
		}
		if o.dryRun {
			for _, f := range plan.Outputs() {
				a.say.detail("%s", filepath.Join(dir, filepath.FromSlash(f.Name)))
			}
			a.say.info("nothing written: %s would go to %s", result.Count(len(plan.Outputs()), "file"), dir)
			return Fine
		}
		ctx, stop := signal.NotifyContext(ctx, endings()...)
		defer stop()
		written, unchanged, err := plan.Write(ctx, dir)
		switch {
		case errors.Is(err, context.Canceled):
			a.say.fault("interrupted; nothing was written")
			return Fault
		case err != nil:
			return a.say.failed(err)
		}
		a.say.info("%s in %s: %s written, %d unchanged", result.Count(len(plan.Runs), "run"), dir, result.Count(written, "file"), unchanged)
		if faults > 0 {
			return Fault
		}
		return Fine
	},
}

// secrets returns a masker for secrets only. Private names stay, because the files stay on this machine.
func (o *options) secrets() (*mask.Masker, error) {
	dir, isSite := o.siteDir()
	var about config.Config
	if isSite {
		about, _ = config.Read(dir) // a build reports errors in it
	}
	if about.Redact.Mode == config.Off {
		return nil, nil
	}
	opt := about.Redact.Options(nil) // secrets have no pseudonyms
	opt.OnlySecrets = true
	r, err := redact.New(opt)
	return mask.New(r, result.Stamp{}), err
}
