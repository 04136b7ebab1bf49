package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/format"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/record"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/rundir"
	"github.com/benchpost/benchpost/generator/shell"
	"github.com/benchpost/benchpost/generator/sweep"
	"github.com/benchpost/benchpost/generator/visible"
)

// recordOptions holds the flags of record.
type recordOptions struct {
	name, dir       string
	repeat          int
	coolDown        time.Duration
	keepGoing       bool
	metrics, server string
	telemetry       string
	interval, idle  time.Duration
	sweep           string
	retry           bool
}

var recordCommand = command{
	name:    "record",
	args:    "[flags] -- COMMAND…  |  --sweep FILE",
	summary: "run a benchmark and save everything a report needs",
	help: `Runs the command as if it had been started alone: same terminal, same signals, its
exit code. Its output and the files it writes are kept in a new folder below runs/,
with the command, start and end, the machine, the software, the git revision and
telemetry. Missing information is noted and never an error. Secrets are masked
everywhere except in the log itself.

  --label K=V        a label for run.toml (repeatable)
  --name NAME        the name of the folder; else tool, model and concurrency
  --dir DIR          create the folder in DIR instead of runs/YYYY-MM-DD
  --repeat N         run N times, each in a folder of its own; stops at a failure
  --cool-down 60s    wait between two runs
  --keep-going       continue after a failed run
  --server URL       the measured server, if the command does not name it
  --metrics URL      a page to save before and after, as http://localhost:8000/metrics
  --telemetry T      auto (tegrastats, nvidia-smi, /proc and /sys), none, or a command
  --interval 1s      the time between two samples
  --idle 5s          telemetry before and after the command

  --sweep FILE       run the plan of a sweep.toml; completed runs are skipped, so
                     that it can be interrupted and started again
  --dry-run          show the runs of the plan and their progress
  --retry-failed     repeat failed runs

Examples
  benchpost record -- vllm bench serve --model Qwen/Qwen3-8B --save-result
  benchpost record --label power_mode=MAXN --repeat 3 --cool-down 60s -- ./bench.sh
  benchpost record --sweep runs/thor/sweep.toml --dry-run
`,
	flags: func(fs *flag.FlagSet, o *options) {
		r := &o.record
		fs.Var(&o.labels, "label", "")
		fs.StringVar(&r.name, "name", "", "")
		fs.StringVar(&r.dir, "dir", "", "")
		fs.IntVar(&r.repeat, "repeat", 1, "")
		fs.DurationVar(&r.coolDown, "cool-down", 0, "")
		fs.BoolVar(&r.keepGoing, "keep-going", false, "")
		fs.StringVar(&r.metrics, "metrics", "", "")
		fs.StringVar(&r.server, "server", "", "")
		fs.StringVar(&r.telemetry, "telemetry", "auto", "")
		fs.DurationVar(&r.interval, "interval", time.Second, "")
		fs.DurationVar(&r.idle, "idle", 5*time.Second, "")
		fs.StringVar(&r.sweep, "sweep", "", "")
		fs.BoolVar(&o.dryRun, "dry-run", false, "")
		fs.BoolVar(&r.retry, "retry-failed", false, "")
	},
	run: func(ctx context.Context, a *app, o *options, args []string) int {
		labels, ok := a.recordLabels(o, args)
		switch {
		case !ok:
			return Usage
		case o.record.sweep != "":
			return a.recordSweep(ctx, o, labels)
		}
		return a.recordCommand(ctx, o, labels, args)
	},
}

// recordLabels checks the command line and returns the labels.
func (a *app) recordLabels(o *options, args []string) (labels []record.Label, ok bool) {
	r := &o.record
	wrong := func(hint, format string, values ...any) ([]record.Label, bool) {
		a.say.fault(format, values...)
		if hint != "" {
			a.say.hint("%s", hint)
		}
		return nil, false
	}
	switch {
	case r.sweep == "" && len(args) == 0:
		return wrong("benchpost record -- vllm bench serve …", "no command to run")
	case r.sweep != "" && len(args) > 0:
		return wrong("the commands of a plan are in its file", "--sweep and a command: %s", strings.Join(args, " "))
	case r.sweep != "" && (r.repeat != 1 || r.coolDown != 0 || r.name != "" || r.dir != ""):
		return wrong("repeat, cool_down and name are in the file; its runs go beside it", "--repeat, --cool-down, --name and --dir are not for a plan")
	case r.sweep == "" && (o.dryRun || r.retry):
		return wrong("", "--dry-run and --retry-failed are for --sweep")
	case r.repeat < 1:
		return wrong("", "--repeat is 1 or more, not %d", r.repeat)
	case r.coolDown < 0 || r.idle < 0 || r.interval <= 0:
		return wrong("as --cool-down 60s, --idle 5s, --interval 1s", "times are not less than nothing")
	}
	for _, l := range o.labels {
		name, value, _ := strings.Cut(l, "=")
		if problem, hint := rundir.CheckLabel(name); !problem.IsZero() {
			return wrong(locale.English(hint), "--label %s: %s %s", l, name, locale.English(problem))
		}
		if name == "repeat" && r.repeat > 1 {
			return wrong("leave one of them out", "--label repeat and --repeat")
		}
		labels = append(labels, record.Label{Name: name, Value: value})
	}
	return labels, true
}

// recordCommand records a command, once or several times.
func (a *app) recordCommand(ctx context.Context, o *options, labels []record.Label, words []string) int {
	r := &o.record
	if _, code, err := record.Find(words); err != nil {
		a.say.fault("%v", err)
		return code
	}
	parent := r.parent(o)
	name := record.NameOf(words)
	if r.name != "" {
		if name = record.FolderName(r.name); name == "" {
			a.say.fault("--name %s has no letter", r.name)
			return Usage
		}
	}
	last := Fine
	for n := 1; n <= r.repeat; n++ {
		if n > 1 && !a.say.coolDown(r.coolDown, fmt.Sprintf("run %d of %d", n, r.repeat)) {
			a.say.info("interrupted: %d of %d runs made", n-1, r.repeat)
			return 130
		}
		ls, folder := labels, name
		if r.repeat > 1 {
			folder += "_r" + strconv.Itoa(n)
			ls = append(slices.Clone(labels), record.Label{Name: "repeat", Value: strconv.Itoa(n)})
		}
		dir, err := record.NewFolder(parent, folder)
		if err != nil {
			return a.say.failed(err)
		}
		if r.repeat > 1 {
			a.say.info("run %d of %d", n, r.repeat)
		}
		out, ok := a.record(ctx, o, dir, ls, words)
		if !ok || out.Interrupted || out.Code != 0 && !r.keepGoing {
			if n < r.repeat && out.Code != 0 && !out.Interrupted {
				a.say.info("%d of %d runs made; --keep-going goes on after one that failed", n, r.repeat)
			}
			return out.Code
		}
		last = max(last, out.Code)
	}
	return last
}

// parent returns the folder in which the runs' folders are created.
func (r *recordOptions) parent(o *options) string {
	if r.dir != "" {
		return r.dir
	}
	dir, _ := o.siteDir()
	return filepath.Join(dir, "runs", time.Now().Format(time.DateOnly))
}

// record records one run and reports the outcome. ok is false if the command could not be started.
func (a *app) record(ctx context.Context, o *options, dir string, labels []record.Label, words []string) (record.Outcome, bool) {
	r := &o.record
	a.say.info("recording to %s", dir)
	out, err := record.Run(ctx, record.Options{
		Words: words, Dir: dir, Labels: labels, Telemetry: r.telemetry, Interval: r.interval, Idle: r.idle, Metrics: r.metrics, Server: r.server,
		Stdin: a.stdin, Stdout: a.stdout.w, Stderr: a.stderr, Say: func(text string) { a.say.info("%s", text) },
	})
	if err != nil {
		a.say.fault("%v", err)
	}
	if out.Record.ExitCode == nil {
		if out.Record.Fault != "" {
			a.say.info("%s", out.Record.Fault)
		}
		return out, false
	}
	a.say.recorded(dir, &out)
	for _, lost := range out.Record.Lost {
		a.say.message(result.Message{Pos: result.Position{File: filepath.ToSlash(filepath.Join(dir, lost.File))}, Severity: result.Error,
			Text: locale.Textf("%d bytes were lost: %s; the run is not complete", lost.Bytes, lost.Reason), Hint: locale.Textf("make room on the disk and run it again")})
	}
	for _, place := range out.Secrets {
		a.say.message(result.Message{Pos: result.Position{File: filepath.ToSlash(filepath.Join(dir, place))}, Severity: result.Warning,
			Text: locale.Textf("this looks like a secret"), Hint: locale.Textf("remove it before the runs are published")})
	}
	return out, true
}

// recorded prints a summary of a recording.
func (s *speaker) recorded(dir string, out *record.Outcome) {
	if s.quiet {
		return
	}
	took := ""
	begin, err1 := time.Parse(time.RFC3339, out.Record.Started)
	end, err2 := time.Parse(time.RFC3339, out.Record.Ended)
	if err1 == nil && err2 == nil {
		took = ", " + roughly(end.Sub(begin))
	}
	ended := fmt.Sprintf("exit code %d", out.Code)
	if out.Record.Signal != "" {
		ended = "ended by " + out.Record.Signal
	}
	s.info("%s %s (%s%s)", s.paint("1", "recorded"), dir, ended, took)
	set, err := rundir.Load(dir, rundir.Options{})
	if err != nil {
		s.fault("%v", err)
		return
	}
	results := 0
	for i := range set.Results {
		r := &set.Results[i]
		if r.Auxiliary() {
			continue
		}
		if results++; results <= 5 {
			s.info("  %s: %s", r.Format, headline(r))
		}
	}
	switch {
	case results == 0:
		s.info("  no result was found in what it printed and wrote; benchpost results --verbose %s tells why", shell.Quote(dir))
	case results > 5:
		s.info("  … %d results in all", results)
	}
	if n := len(out.Record.Files); n > 0 {
		names := make([]string, 0, n)
		for _, f := range out.Record.Files[:min(n, 5)] {
			names = append(names, f.To)
		}
		if n > 5 {
			names = append(names, "…")
		}
		s.info("  %s: %s", result.Count(n, "result file"), strings.Join(names, ", "))
	}
	if out.Record.Telemetry != "" {
		joined := "joined to no run"
		for _, b := range set.Beside {
			if len(b.Runs) > 0 && b.Format != format.ServerMetrics {
				joined = "joined to " + result.Count(len(b.Runs), "run")
			}
		}
		s.info("  telemetry by %s, %s", out.Record.Telemetry, joined)
	}
	for _, missing := range out.Record.NotCaptured {
		s.info("  not captured: %s", missing)
	}
	s.messages(set.Messages)
}

// headline returns a result as one line.
func headline(r *result.Result) string {
	var parts []string
	const most = 5
	for _, name := range []string{"output_throughput", "decode_throughput", "prefill_throughput", "ttft_mean", "tpot_mean", "e2el_mean",
		"batch_latency_mean", "power_mean", "total_throughput", "request_throughput"} {
		if m, ok := r.Metric(name); ok && len(parts) < most {
			parts = append(parts, fmt.Sprintf("%s %s %s", name, m.Digits(), m.Unit))
		}
	}
	if done, ok := r.Metric("requests_completed"); ok {
		parts = append(parts, done.Digits()+" requests")
	}
	if failed, ok := r.Metric("requests_failed"); ok && failed.Value > 0 {
		parts = append(parts, failed.Digits()+" failed")
	}
	if r.Status != result.Complete {
		parts = append(parts, r.Status.String())
	}
	if len(parts) == 0 {
		return result.Count(len(r.Metrics), "figure")
	}
	return strings.Join(parts, ", ")
}

// coolDown waits between two runs and counts down on a terminal. It returns false if it was interrupted.
func (s *speaker) coolDown(wait time.Duration, next string) bool {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, endings()...)
	defer signal.Stop(signals)
	shown := s.terminal && !s.quiet && wait > 0
	if wait > 0 && !s.terminal {
		s.info("%v to cool down before %s", wait, next)
	}
	until := time.Now().Add(wait)
	for {
		left := time.Until(until)
		if left <= 0 {
			if shown {
				fmt.Fprint(s.w, "\r\x1b[K")
			}
			return true
		}
		if shown {
			fmt.Fprintf(s.w, "\r\x1b[K%s in %v", visible.Line(next), (left + time.Second - 1).Truncate(time.Second))
		}
		select {
		case <-signals:
			if shown {
				fmt.Fprint(s.w, "\r\x1b[K")
			}
			return false
		case <-time.After(min(left, time.Second)):
		}
	}
}

// roughly returns a duration rounded for people.
func roughly(d time.Duration) string {
	switch {
	case d < time.Minute:
		return d.Round(100 * time.Millisecond).String()
	case d < time.Hour:
		d = d.Round(time.Second)
		return fmt.Sprintf("%d min %d s", d/time.Minute, d%time.Minute/time.Second)
	}
	d = d.Round(time.Minute)
	return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
}

// plan is the state of a sweep file whose runs are being made.
type plan struct {
	dir    string // the file's folder
	runs   []sweep.Run
	states []sweep.State
	took   time.Duration // total time of the runs that have ended
	ended  int
}

// left returns the indices of the runs that are still to be made.
func (p *plan) left(retry bool) []int {
	var left []int
	for i, s := range p.states {
		if s == sweep.Planned || s == sweep.Unfinished || s == sweep.Failed && retry {
			left = append(left, i)
		}
	}
	return left
}

// recordSweep makes the runs planned in a sweep file.
func (a *app) recordSweep(ctx context.Context, o *options, labels []record.Label) int {
	file := o.record.sweep
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, rundir.SweepName)
	}
	if _, ok := a.say.given("", file); !ok {
		return Usage
	}
	sweeps, ms := sweep.Load(file, filepath.ToSlash(file))
	if faults, _ := a.say.messages(ms); faults > 0 {
		return Usage
	}
	p := &plan{dir: filepath.Dir(file), runs: sweep.Runs(sweeps)}
	if !o.dryRun {
		unlock, err := sweep.Lock(p.dir)
		if err != nil {
			return a.say.failed(err)
		}
		defer unlock()
	}
	counts := map[sweep.State]int{}
	for i := range p.runs {
		state, took := sweep.StateOf(p.runs[i].Path(p.dir))
		p.states = append(p.states, state)
		counts[state]++
		if state == sweep.Done {
			p.took, p.ended = p.took+took+p.runs[i].Sweep.CoolDown, p.ended+1
		}
	}
	left := p.left(o.record.retry)
	if o.dryRun {
		for i := range p.runs {
			r := &p.runs[i]
			a.print("%-10s  %s  %s\n", p.states[i], r.Dir, shell.Join(r.Command))
		}
		a.say.info("%s: %d done, %d failed, %d unfinished, %d planned%s", result.Count(len(p.runs), "run"), counts[sweep.Done], counts[sweep.Failed],
			counts[sweep.Unfinished], counts[sweep.Planned], p.estimate(len(left)))
		return Fine
	}
	for i := range p.runs {
		if p.states[i] == sweep.Failed && !o.record.retry {
			a.say.info("%s failed before, see %s", p.runs[i].Title(), p.runs[i].Path(p.dir))
		}
	}
	if counts[sweep.Failed] > 0 && !o.record.retry {
		a.say.info("--retry-failed runs what failed again")
	}
	failed := counts[sweep.Failed]
	if o.record.retry {
		failed = 0
	}
	for n, i := range left {
		r := &p.runs[i]
		if n > 0 && !a.say.coolDown(r.Sweep.CoolDown, r.Title()) {
			return a.stopped(len(left) - n)
		}
		a.say.info("%s %s%s", a.say.paint("1", fmt.Sprintf("%d of %d:", len(p.runs)-len(left)+n+1, len(p.runs))), r.Title(), p.estimate(len(left)-n))
		code, interrupted := a.recordPlanned(ctx, o, p, r, labels)
		if interrupted {
			return a.stopped(len(left) - n)
		}
		if code == Usage || code == 126 || code == 127 {
			return code // every other run would fail in the same way
		}
		state, took := sweep.StateOf(r.Path(p.dir))
		if state == sweep.Done {
			p.took, p.ended = p.took+took+2*o.record.idle+r.Sweep.CoolDown, p.ended+1
		} else {
			failed++
			a.say.info("%s: %s", r.Title(), state)
		}
	}
	if failed > 0 {
		a.say.fault("%d of %s failed", failed, result.Count(len(p.runs), "run"))
		return Fault
	}
	a.say.info("all %s are done", result.Count(len(p.runs), "run"))
	return Fine
}

func (a *app) stopped(left int) int {
	a.say.info("interrupted: %s left; the same command goes on where it stopped", result.Count(left, "run"))
	return 130
}

// estimate returns the estimated remaining time in words, based on the runs so far.
func (p *plan) estimate(left int) string {
	if p.ended == 0 || left == 0 {
		return ""
	}
	return ", about " + roughly(p.took/time.Duration(p.ended)*time.Duration(left)) + " left"
}

// recordPlanned makes one run of a plan. It first moves away what an earlier attempt left, as superseded.
func (a *app) recordPlanned(ctx context.Context, o *options, p *plan, r *sweep.Run, labels []record.Label) (code int, interrupted bool) {
	if _, code, err := record.Find(r.Command); err != nil {
		a.say.fault("%v", err)
		return code, false
	}
	if len(r.Before) > 0 {
		if err := a.before(ctx, r.Before); err != nil {
			a.say.fault("before: %s: %v", shell.Join(r.Before), err)
			return Usage, false
		}
	}
	dir := r.Path(p.dir)
	if err := sweep.PutAside(dir); err != nil {
		a.say.fault("%v", err)
		return Usage, false
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		a.say.fault("%v", err)
		return Usage, false
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		a.say.fault("%v", err)
		return Usage, false
	}
	all := slices.Clone(labels)
	for _, l := range r.Labels() {
		all = append(all, record.Label{Name: l[0], Value: l[1]})
	}
	out, _ := a.record(ctx, o, dir, all, r.Command)
	return out.Code, out.Interrupted
}

// before runs the command that is configured to run before each run, on this terminal.
func (a *app) before(ctx context.Context, words []string) error {
	a.say.info("before: %s", shell.Join(words))
	return record.Before(ctx, words, a.stdin, a.stdout.w, a.stderr)
}
