package cli

import (
	"context"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/config"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/git"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/site"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// diffOptions holds the flags of diff.
type diffOptions struct {
	metrics, by  namesFlag
	failOn, lang string
	all          bool
}

var diffFormats = []string{"text", "markdown", "json", "html"}

var diffCommand = command{
	name:    "diff",
	args:    "[A [B]] [--format text|markdown|json|html] [--fail-on CONDITION]",
	summary: "compare two sets of results",
	help: `Compares B with A and reports what is better and worse, by how much and on what
evidence; what was added and removed; and how else the two differ. A and B are
each a git revision, a folder or file with runs, or a selector of the site's runs.
With only one of them, it is compared with the working tree; without any, HEAD is.
A..B means A B.

Results are matched by what they measured, not by their paths. Repeats are tested
(Mann–Whitney); single runs count as different from a threshold on, 3% unless
site.toml sets another. Figures of excluded runs get no verdict.

  --format F      text (default), markdown for a pull request, json, or html (one file)
  --metric NAME…  compare these metrics; --all compares all
  --where S       only matching results, as '{load="high"}'
  --by LABELS     match by these labels alone, as model,load; others are pooled
  --fail-on C     exit with 1 if a condition is met: regression, regression>5%,
                  removed, uncertain, setting-changed; several with commas
  --lang L        en or zh-CN; English for text by default, the first language of
                  the site for markdown and html
  --verbose       also list figures that show no difference

If a name is both a branch and a folder, write rev:NAME or ./NAME.

Examples
  benchpost diff
  benchpost diff main --fail-on 'regression>5%,removed'
  benchpost diff v1.0..v1.1 --format markdown > comment.md
  benchpost diff ~/old/runs ~/new/runs --by model,load
  benchpost diff '{engine_version="0.9"}' '{engine_version="0.10"}' --format html > diff.html
`,
	flags: func(fs *flag.FlagSet, o *options) {
		fs.StringVar(&o.format, "format", "text", "")
		fs.StringVar(&o.where, "where", "", "")
		fs.Var(&o.diff.metrics, "metric", "")
		fs.Var(&o.diff.by, "by", "")
		fs.BoolVar(&o.diff.all, "all", false, "")
		fs.StringVar(&o.diff.failOn, "fail-on", "", "")
		fs.StringVar(&o.diff.lang, "lang", "", "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		d := differ{app: a, o: o}
		defer d.clean()
		return d.run(ctx, args)
	},
}

// namesFlag collects values that are given separately or separated by commas.
type namesFlag []string

func (l *namesFlag) String() string { return strings.Join(*l, ",") }

// Set adds one or more names.
func (l *namesFlag) Set(s string) error {
	for _, item := range strings.Split(s, ",") {
		if item = strings.TrimSpace(item); item == "" {
			return errors.New("a name is empty")
		}
		*l = append(*l, strings.TrimSpace(item))
	}
	return nil
}

// differ makes one comparison on the command line.
type differ struct {
	*app
	o      *options
	dir    string // folder of the site
	isSite bool
	config config.Config
	where  result.Selector

	repo      *git.Repo
	repoErr   error
	temporary []string
	faults    int // errors in reading B
}

// operand is one side of the comparison as it was named; the zero value is the working tree.
type operand struct {
	path     string
	selector *result.Selector
	commit   *git.Commit
	name     string
}

func (d *differ) clean() {
	for _, dir := range d.temporary {
		os.RemoveAll(dir)
	}
}

func (d *differ) run(ctx context.Context, args []string) int {
	if !slices.Contains(diffFormats, d.o.format) {
		d.say.fault("no format is called %q", d.o.format)
		d.say.hint("there are: %s", strings.Join(diffFormats, ", "))
		return Usage
	}
	var conditions []compare.Condition
	var err error
	if d.o.diff.failOn != "" {
		if conditions, err = compare.Conditions(d.o.diff.failOn); err != nil {
			d.say.fault("--fail-on: %v", err)
			return Usage
		}
	}
	if d.o.where != "" {
		if d.where, err = result.ParseSelector(d.o.where); err != nil {
			d.say.fault("--where %s: %v", d.o.where, err)
			d.say.hint(`selectors are written {label="value", other=~"a|b"}`)
			return Usage
		}
	}
	d.dir, d.isSite = d.o.siteDir()
	if d.isSite {
		var ms []result.Message
		d.config, ms = config.Read(d.dir)
		if faults, _ := d.say.messages(seenFrom(d.dir, ms)); faults > 0 {
			return Usage
		}
	}
	printer, ok := d.printer()
	if !ok {
		d.say.fault("no language is called %q", d.o.diff.lang)
		d.say.hint("there are: %s", strings.Join(locale.Languages, ", "))
		return Usage
	}
	operands, code := d.operands(ctx, args)
	if code != Fine {
		return code
	}
	var sides [2]compare.Side
	for i := range operands {
		if sides[i], code = d.side(ctx, &operands[i], i == 1); code != Fine {
			return code
		}
	}
	options := site.CompareOptions(&d.config)
	options.Metrics, options.All, options.By, options.Chosen = d.o.diff.metrics, d.o.diff.all, d.o.diff.by, chosen(operands)
	if !d.known(sides) {
		return Usage
	}
	c := compare.Sides(sides[0], sides[1], options)
	if err := d.write(c, printer); err != nil {
		return d.say.failed(err)
	}
	if len(c.Pairs) == 0 && len(c.Removed) > 0 && len(c.Added) > 0 {
		d.say.info("nothing matches: no result of the one side measured what one of the other did")
		d.say.hint("--by LABELS matches by the labels that it names, as --by load")
	}
	code = Fine
	if d.faults > 0 {
		code = Fault
	}
	for _, condition := range conditions {
		if n := c.Holds(condition); n > 0 {
			d.say.fault("%s is met: %s", condition, held(condition, n))
			code = Fault
		}
	}
	return code
}

// held returns the number of cases in which a condition is met, in words.
func held(condition compare.Condition, n int) string {
	switch condition.Kind {
	case "regression":
		return result.Count(n, "figure")
	case "removed":
		return result.Count(n, "result")
	case "uncertain":
		return result.Count(n, "verdict")
	}
	return result.Count(n, "pair")
}

// printer returns the printer for the requested language. The default is English for text and JSON, and otherwise the
// first language of the site.
func (d *differ) printer() (locale.Printer, bool) {
	lang := d.o.diff.lang
	switch {
	case lang != "":
	case d.o.format == "text" || d.o.format == "json" || len(d.config.Languages) == 0:
		lang = "en"
	default:
		lang = d.config.Languages[0]
	}
	return locale.For(lang)
}

// operands resolves the arguments to the two sides.
func (d *differ) operands(ctx context.Context, args []string) ([2]operand, int) {
	if len(args) == 1 {
		if a, b, ok := d.parted(args[0]); ok {
			args = []string{a, b}
		}
	}
	if len(args) > 2 {
		d.say.fault("diff takes two sides at the most: %s", strings.Join(args, " "))
		d.say.hint("benchpost help diff")
		return [2]operand{}, Usage
	}
	if len(args) < 2 && !d.isSite {
		d.say.fault("no %s here or in a folder above, so there is no working tree to compare with", config.Name)
		d.say.hint("benchpost diff A B compares any two folders; --site DIR names a site")
		return [2]operand{}, Usage
	}
	if len(args) == 0 {
		args = []string{"rev:HEAD"}
	}
	var out [2]operand
	for i, arg := range args {
		op, code := d.operand(ctx, arg)
		if code != Fine {
			return out, code
		}
		out[i] = op
	}
	return out, Fine
}

// parted splits A..B. It does not split selectors, paths and names of existing files.
func (d *differ) parted(arg string) (a, b string, ok bool) {
	if strings.HasPrefix(arg, "{") || isPath(arg) || exists(arg) {
		return "", "", false
	}
	a, b, ok = strings.Cut(strings.TrimPrefix(arg, "rev:"), "..")
	if !ok || strings.HasPrefix(b, ".") {
		return "", "", false
	}
	named := func(rev string) string {
		if rev == "" {
			rev = "HEAD"
		}
		return "rev:" + rev
	}
	return named(a), named(b), true
}

// isPath reports whether an argument can only be a path.
func isPath(arg string) bool {
	slashed := filepath.ToSlash(arg)
	return slashed == "." || slashed == ".." || strings.HasPrefix(slashed, "./") || strings.HasPrefix(slashed, "../") || filepath.IsAbs(arg)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// operand resolves one side: a selector, rev:NAME, a path, or a name that is either a path or a revision.
func (d *differ) operand(ctx context.Context, arg string) (operand, int) {
	if strings.HasPrefix(strings.TrimSpace(arg), "{") {
		sel, err := result.ParseSelector(arg)
		if err != nil {
			d.say.fault("%s: %v", arg, err)
			d.say.hint(`selectors are written {label="value", other=~"a|b"}`)
			return operand{}, Usage
		}
		if !d.isSite {
			d.say.fault("%s picks among the runs of a site, and there is no %s here or in a folder above", arg, config.Name)
			return operand{}, Usage
		}
		return operand{selector: &sel, name: arg}, Fine
	}
	rev, asRevision := strings.CutPrefix(arg, "rev:")
	if !asRevision && isPath(arg) {
		return d.pathOperand(arg)
	}
	commit, err := d.resolve(ctx, rev)
	switch isThere := !asRevision && exists(arg); {
	case err == nil && isThere:
		d.say.fault("%q is both a revision and a path", arg)
		d.say.hint("write rev:%s or ./%s", arg, arg)
		return operand{}, Usage
	case err == nil:
		return operand{commit: &commit, name: rev}, Fine
	case isThere:
		return d.pathOperand(arg)
	}
	return operand{}, d.unresolved(ctx, arg, rev, asRevision, err)
}

func (d *differ) pathOperand(path string) (operand, int) {
	if _, ok := d.say.given("", path); !ok {
		return operand{}, Usage
	}
	return operand{path: path, name: filepath.ToSlash(filepath.Clean(path))}, Fine
}

// resolve finds a revision in the site's repository.
func (d *differ) resolve(ctx context.Context, rev string) (git.Commit, error) {
	if d.repo == nil && d.repoErr == nil {
		d.repo, d.repoErr = git.Open(ctx, d.dir)
	}
	if d.repoErr != nil {
		return git.Commit{}, d.repoErr
	}
	return d.repo.Resolve(ctx, rev)
}

// unresolved reports why a name is not a revision, and what may be meant.
func (d *differ) unresolved(ctx context.Context, arg, rev string, asRevision bool, err error) int {
	var unknown *git.UnknownRevisionError
	switch {
	case errors.Is(err, git.ErrNoGit), errors.Is(err, git.ErrNoRepository):
		what := "neither a path nor, without a repository, a revision"
		if asRevision {
			what = "a revision, which needs a repository"
		}
		reason := git.ErrNoRepository
		if errors.Is(err, git.ErrNoGit) {
			reason = git.ErrNoGit
		}
		d.say.fault("%q is %s: %v", rev, what, reason)
		d.say.hint("benchpost diff compares folders and selectors without git, too")
		return Usage
	case errors.As(err, &unknown):
		if _, any, headErr := d.repo.Head(ctx); headErr == nil && !any {
			d.say.fault("there is no commit yet to compare with")
			d.say.hint("git add and git commit keep what is there now; benchpost diff A B compares any two folders")
			return Usage
		}
		if strings.Contains(rev, "...") {
			d.say.fault("%s is not understood", rev)
			d.say.hint("write A..B")
			return Usage
		}
		near := ""
		if asRevision {
			d.say.fault("%v", unknown)
		} else {
			d.say.fault("%q is neither a path nor a revision: %v", arg, unknown)
			near = nearPath(arg)
		}
		if near != "" {
			d.say.hint("did you mean %s?", near)
		} else {
			d.say.hint("git branch -a and git log --oneline list the revisions")
		}
		return Usage
	}
	return d.say.failed(err)
}

// chosen returns the labels for which the selectors of the two sides have different conditions.
func chosen(operands [2]operand) []string {
	conditions := func(op *operand) map[string]string {
		of := map[string]string{}
		if op.selector != nil {
			for _, m := range op.selector.Matchers {
				of[m.Label] += m.Op + "\x00" + m.Value + "\x00"
			}
		}
		return of
	}
	a, b := conditions(&operands[0]), conditions(&operands[1])
	all := maps.Clone(a)
	maps.Copy(all, b)
	var labels []string
	for _, label := range slices.Sorted(maps.Keys(all)) {
		if a[label] != b[label] {
			labels = append(labels, label)
		}
	}
	return labels
}

// side reads the results of a side. Of the messages about A it reports only errors: A is usually the past, and only B
// can still be corrected.
func (d *differ) side(ctx context.Context, op *operand, isB bool) (compare.Side, int) {
	s := compare.Side{Name: locale.Lit(op.name)}
	var sel result.Selector
	var set *rundir.Dataset
	code := Fine
	switch {
	case op.path != "":
		set, code = d.load(d.o, []string{op.path}, nil)
	case op.commit != nil:
		set, code = d.revision(ctx, op, &s)
	default:
		set, code = d.load(d.o, nil, nil)
		if op.selector != nil {
			sel = *op.selector
		} else {
			s.Name = locale.T("diff.worktree")
		}
	}
	if code != Fine {
		return s, code
	}
	messages := set.Messages
	if !isB {
		messages = slices.DeleteFunc(messages, func(m result.Message) bool { return m.Severity != result.Error })
	}
	faults, _ := d.say.messages(messages)
	if isB {
		d.faults = faults
		for i := range set.Unfinished {
			if run := set.Unfinished[i].Run(); sel.Match(&run) && d.where.Match(&run) {
				d.say.info("%s: %s", run.Source, set.Unfinished[i].Message().Text)
			}
		}
	}
	for _, r := range site.Counted(&d.config, set.Results, sel) {
		if d.where.Match(r) {
			s.Results = append(s.Results, r)
		}
	}
	if len(s.Results) == 0 {
		which := ""
		if op.selector != nil || d.o.where != "" {
			which = " that match"
		}
		d.say.info("%s: no results%s", locale.English(s.Name), which)
	}
	return s, Fine
}

// revision reads the runs of a commit. It uses the current site.toml, so that both sides have the same names and
// aliases.
func (d *differ) revision(ctx context.Context, op *operand, s *compare.Side) (*rundir.Dataset, int) {
	if !d.isSite {
		d.say.fault("%s names a revision, which needs a site: there is no %s here or in a folder above", op.name, config.Name)
		return nil, Usage
	}
	short := op.commit.Short()
	s.Commit, s.Before = op.commit.ID, short+":"
	if op.name != short && !strings.HasPrefix(op.commit.ID, op.name) {
		s.Name = locale.Lit(op.name + " (" + short + ")")
	}
	tmp, err := os.MkdirTemp("", "benchpost-diff-")
	if err != nil {
		return nil, d.say.failed(err)
	}
	d.temporary = append(d.temporary, tmp)
	done, err := d.repo.Export(ctx, op.commit.ID, tmp, "runs")
	if err != nil {
		return nil, d.say.failed(err)
	}
	for _, left := range []struct {
		what  string
		files []string
	}{{"symbolic link", done.Links}, {"submodule", done.Submodules}, {"file that Git LFS keeps and is not here", done.Pointers}, {"name that cannot be written here", done.Unfit}} {
		if len(left.files) > 0 {
			d.say.info("%s: left out: %s, as %s", op.name, result.Count(len(left.files), left.what), left.files[0])
		}
	}
	masks, _, err := site.Maskers(&d.config, d.dir)
	if err != nil {
		return nil, d.say.failed(err)
	}
	set, err := site.Dataset(tmp, &d.config, masks)
	if err != nil {
		return nil, d.say.failed(err)
	}
	for i := range set.Messages {
		if set.Messages[i].Pos.File != "" && set.Messages[i].Pos.File != config.Name {
			set.Messages[i].Pos.File = s.Before + set.Messages[i].Pos.File
		}
	}
	d.say.detail("%s is read with the %s of the working tree", op.name, config.Name)
	return set, Fine
}

// known reports whether the requested metrics and labels exist. If not, it prints what exists.
func (d *differ) known(sides [2]compare.Side) bool {
	metrics, labels := map[string]bool{}, map[string]bool{"tool": true, "id": true}
	for _, s := range sides {
		for _, r := range s.Results {
			for _, m := range r.Metrics {
				metrics[m.Name] = true
			}
			for name := range r.Labels.Values() {
				labels[name] = true
			}
		}
	}
	for _, name := range d.o.diff.metrics {
		if _, defined := vocabulary.Define(name); !defined && !metrics[name] {
			return d.lacking("--metric", "metric", name, metrics)
		}
	}
	for _, name := range d.o.diff.by {
		if !labels[name] && len(labels) > 2 {
			return d.lacking("--by", "label", name, labels)
		}
	}
	return true
}

func (d *differ) lacking(flag, what, name string, known map[string]bool) bool {
	names := slices.Sorted(maps.Keys(known))
	d.say.fault("%s: no result has a %s called %q", flag, what, name)
	d.say.hint("%s", settings.Offer(name, names, locale.Textf("there are: %s", locale.Commas(names...))))
	return false
}

func (d *differ) write(c *compare.Comparison, p locale.Printer) error {
	switch d.o.format {
	case "markdown":
		_, err := io.WriteString(d.stdout, export.DiffMarkdown(c, p))
		return err
	case "json":
		return export.DiffJSON(d.stdout, c)
	case "html":
		data, err := site.DiffPage(d.dir, &d.config, c, p.Lang())
		if err == nil {
			_, err = d.stdout.Write(data)
		}
		return err
	}
	colour := isTerminal(d.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return export.DiffText(d.stdout, c, p, d.o.verbose, colour)
}
