package site

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/site/cache"
	"github.com/benchpost/benchpost/generator/stats"
)

// Alarm is why a run should be made again while that can still be done.
type Alarm struct {
	Run     *result.Result
	Check   result.Check
	Title   locale.Text // what the run is of
	Page    string      // of the run in the site
	Command string      // how to run it again; "" when unknown
}

// measuredAtOnce is the most results that come at once from being measured. More have
// been copied in: nobody is waiting to run one of those again, and to compare each with all
// others would take long.
const measuredAtOnce = 64

// Alarms reports what is wrong with the runs that have finished since the reading
// before: the checks they fail, what they differ in from the runs they are beside,
// and whether their repeats scatter.
func (e *Snapshot) Alarms() []Alarm {
	var alarms []Alarm
	if len(e.fresh) > measuredAtOnce {
		return nil
	}
	for _, r := range e.fresh {
		if r.Status == result.Partial || r.Label("phase") != "" || r.Telemetry != nil && r.Telemetry.Tool == r.Tool {
			continue
		}
		var failed []result.Check
		for _, c := range r.Checks {
			if c.Severity >= result.Warning && c.Waived == "" {
				failed = append(failed, c)
			}
		}
		beside := e.besides(r)
		failed = append(failed, unlike(r, beside)...)
		failed = append(failed, scattered(r, beside)...)
		for _, c := range failed {
			alarms = append(alarms, Alarm{Run: r, Check: c, Title: e.titleOf(r), Page: e.pages.RunPage(e.config.Languages[0], r.ID), Command: e.commandOf(r)})
		}
	}
	return alarms
}

// Fresh are the results that are new, or another than at the reading before.
func (e *Snapshot) Fresh() []*result.Result { return e.fresh }

// Results are all results.
func (e *Snapshot) Results() []*result.Result { return e.results }

// Unfinished are the runs without a result yet.
func (e *Snapshot) Unfinished() []result.Unfinished { return e.dataset.Unfinished }

// besides are the runs a run is going to be beside: of its campaign, machine, load
// and scenario.
func (e *Snapshot) besides(r *result.Result) []*result.Result {
	var rs []*result.Result
	for _, other := range e.results {
		same := other != r && other.Status == result.Complete && !other.Excluded() && other.Label("phase") == "" && other.Tool == r.Tool
		for _, label := range []string{"campaign", "hardware", "load", "scenario"} {
			same = same && other.Label(label) == r.Label(label)
		}
		if same {
			rs = append(rs, other)
		}
	}
	return rs
}

// asked are the settings of what was asked for, in which runs that are shown side by side
// must agree.
var asked = []string{"num_prompts", "input_len", "output_len", "dataset"}

// unlike reports in which of these a run differs from what most of the others have.
// Without a named load nothing implies that runs should be alike.
func unlike(r *result.Result, beside []*result.Result) []result.Check {
	if r.Label("load") == "" && r.Label("scenario") == "" {
		return nil
	}
	var failed []result.Check
	for _, d := range audit.Differences(append([]*result.Result{r}, beside...), []string{"model", "quantization", "max_concurrency"}) {
		own := slices.IndexFunc(d.Values, func(v audit.Value) bool { return slices.Contains(v.Runs, r) })
		if own <= 0 || !slices.Contains(asked, d.Setting) { // the first is what most have
			continue
		}
		failed = append(failed, result.Check{ID: "compare." + d.Setting, Severity: result.Warning,
			Text: locale.T("alarm.unlike", locale.LabelName(d.Setting), d.Values[own].Text, d.Values[0].Text, len(d.Values[0].Runs)),
			Hint: locale.T("alarm.unlike.hint")})
	}
	return failed
}

// scattered reports whether the repeats of a run scatter more than can be reported.
func scattered(r *result.Result, beside []*result.Result) []result.Check {
	repeats := []*result.Result{r}
	for _, other := range beside {
		if isRepeat(r, other) {
			repeats = append(repeats, other)
		}
	}
	if len(repeats) < 2 {
		return nil
	}
	for _, name := range []string{"output_throughput", "ttft_mean", "tpot_mean"} {
		var values []float64
		for _, other := range repeats {
			if m, ok := other.Metric(name); ok {
				values = append(values, m.Value)
			}
		}
		if s := stats.Summarize(values); s.Stability == stats.Unstable {
			percent := func(share float64) string { return fmt.Sprintf("%.0f%%", 100*share) }
			return []result.Check{{ID: "compare.unstable", Severity: result.Warning,
				Text: locale.T("alarm.unstable", locale.MetricName(name), percent(s.CV), len(values), percent(stats.UnstableCV)),
				Hint: locale.T("alarm.unstable.hint")}}
		}
	}
	return nil
}

// isRepeat reports whether two runs agree in all that they were asked for.
func isRepeat(a, b *result.Result) bool {
	return !slices.ContainsFunc(append(audit.Settings(), "model_raw", "kv_cache_dtype"), func(name string) bool {
		return name != audit.AnswerLength && a.Label(name) != b.Label(name)
	})
}

// titleOf is what a run is called: its model and load.
func (e *Snapshot) titleOf(r *result.Result) locale.Text {
	parts := []locale.Text{locale.Lit(cmp.Or(r.Label("model"), r.ID))}
	for _, label := range []string{"load", "scenario"} {
		if v := r.Label(label); v != "" {
			word, ok := e.pages.Titles[label][v]
			if !ok {
				word = locale.Lit(v)
			}
			parts = append(parts, word)
		}
	}
	return locale.Join(" · ", parts...)
}

// TitleOf is what a run without a result yet is called.
func (e *Snapshot) TitleOf(u *result.Unfinished) locale.Text {
	r := u.Run()
	return e.titleOf(&r)
}

// commandOf is how a run was started, as a command that can be typed again: as it was
// recorded, else as its log has it.
func (e *Snapshot) commandOf(r *result.Result) string {
	if recorded := r.Label("x_command"); recorded != "" {
		return recorded
	}
	raw, err := e.files().source(r)
	if err != nil {
		return ""
	}
	for _, c := range commands(r, raw) {
		if !c.Arguments && c.Text != "" {
			return strings.TrimSpace(c.Text)
		}
	}
	return ""
}

// Outputs are the folders that are written: what changes there is our own doing.
func (s *Session) Outputs() []string {
	dirs := []string{s.opt.Out, filepath.Join(s.opt.Dir, cache.Name)}
	b := builder{opt: s.opt, config: s.config}
	if blog := b.blogDir(); blog != "" {
		dirs = append(dirs, blog)
	}
	return dirs
}
