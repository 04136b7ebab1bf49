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

// Alarm is a reason to repeat a run, reported while that is still possible.
type Alarm struct {
	Run     *result.Result
	Check   result.Check
	Title   locale.Text // what was run: model and load
	Page    string      // the run's page in the site
	Command string      // how to run it again; "" when unknown
}

// measuredAtOnce is the largest number of new results that can come from measuring. More than that have been copied in:
// nobody is waiting to repeat one of them, and comparing each with all others would take long.
const measuredAtOnce = 64

// Alarms reports problems of the runs that have finished since the previous reading: checks they fail, settings in
// which they differ from comparable runs, and repeats that scatter.
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

// Fresh returns the results that are new or changed since the previous reading.
func (e *Snapshot) Fresh() []*result.Result { return e.fresh }

// Results returns all results.
func (e *Snapshot) Results() []*result.Result { return e.results }

// Unfinished returns the runs without a result yet.
func (e *Snapshot) Unfinished() []result.Unfinished { return e.dataset.Unfinished }

// besides returns the runs with which a run will be compared: those of the same campaign, hardware, load, scenario and
// tool.
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

// asked lists the settings of the request that must agree in runs shown side by side.
var asked = []string{"num_prompts", "input_len", "output_len", "dataset"}

// unlike reports the settings of asked in which a run differs from most of the others. Runs without a named load or
// scenario are not expected to agree.
func unlike(r *result.Result, beside []*result.Result) []result.Check {
	if r.Label("load") == "" && r.Label("scenario") == "" {
		return nil
	}
	var failed []result.Check
	for _, d := range audit.Differences(append([]*result.Result{r}, beside...), []string{"model", "quantization", "max_concurrency"}) {
		own := slices.IndexFunc(d.Values, func(v audit.Value) bool { return slices.Contains(v.Runs, r) })
		if own <= 0 || !slices.Contains(asked, d.Setting) { // the first value is that of most runs
			continue
		}
		failed = append(failed, result.Check{ID: "compare." + d.Setting, Severity: result.Warning,
			Text: locale.T("alarm.unlike", locale.LabelName(d.Setting), d.Values[own].Text, d.Values[0].Text, len(d.Values[0].Runs)),
			Hint: locale.T("alarm.unlike.hint")})
	}
	return failed
}

// scattered reports a metric whose repeats vary too much to be reported.
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

// isRepeat reports whether two runs have the same settings.
func isRepeat(a, b *result.Result) bool {
	return !slices.ContainsFunc(append(audit.Settings(), "model_raw", "kv_cache_dtype"), func(name string) bool {
		return name != audit.AnswerLength && a.Label(name) != b.Label(name)
	})
}

// titleOf returns the title of a run: its model and load.
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

// TitleOf returns the title of a run without a result yet.
func (e *Snapshot) TitleOf(u *result.Unfinished) locale.Text {
	r := u.Run()
	return e.titleOf(&r)
}

// commandOf returns the command that started a run, ready to be typed again: the recorded one, or else the one in the
// log.
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

// Outputs returns the folders that a build writes. Changes in them come from benchpost itself.
func (s *Session) Outputs() []string {
	dirs := []string{s.opt.Out, filepath.Join(s.opt.Dir, cache.Name)}
	b := builder{opt: s.opt, config: s.config}
	if blog := b.blogDir(); blog != "" {
		dirs = append(dirs, blog)
	}
	return dirs
}
