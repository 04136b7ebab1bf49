package trends

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/benchpost/benchpost/generator/block/builder"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/report"
	"github.com/benchpost/benchpost/generator/result"
)

// now is the date given to present results without a date. It comes after all others.
const now = "now"

// overTime prepares the results of a variant for a trend. If some results are past, present results without a date get
// the date now. Otherwise, results without date and version are left out.
func overTime(rs []*result.Result) []*result.Result {
	if !slices.ContainsFunc(rs, func(r *result.Result) bool { return r.Revision != nil }) {
		return dated(rs)
	}
	out := make([]*result.Result, len(rs))
	for i, r := range rs {
		if out[i] = r; r.Label("date") != "" {
			continue
		}
		dated := *r
		dated.Labels = slices.Clone(r.Labels)
		dated.Labels.Set(result.Label{Name: "date", Value: now, Origin: result.Derived})
		out[i] = &dated
	}
	return out
}

// dated removes results that have neither date nor version, in place.
func dated(rs []*result.Result) []*result.Result {
	date, engine := result.Labelled("date"), result.Labelled("engine_version")
	return slices.DeleteFunc(rs, func(r *result.Result) bool { return date(r) == "" && engine(r) == "" })
}

// anchor returns the anchor of a variant's trend. It depends only on the model and the settings.
func anchor(d *dataset.Selection, variant []string) string {
	var s strings.Builder
	for _, name := range variant {
		if v := d.Results[0].Label(name); v != "" {
			s.WriteString(name + "\x00" + v + "\x00")
		}
	}
	return "trend-" + digest(s.String())
}

func (t *Trend) stepAnchor(period int) string {
	return "step-" + digest(t.Anchor+"\x00"+t.periods[period])
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:5])
}

// Remembered reports whether some results of the trend are past.
func (t *Trend) Remembered() bool {
	return slices.ContainsFunc(t.d.Results, func(r *result.Result) bool { return r.Revision != nil })
}

// Ended reports whether the trend has no present results.
func (t *Trend) Ended() bool {
	return !slices.ContainsFunc(t.d.Results, func(r *result.Result) bool { return r.Revision == nil })
}

// Runs returns the results of the trend, past ones included, in no particular order.
func (t *Trend) Runs() []*result.Result { return t.d.Results }

// Lately returns the last rows of Points.
func (t *Trend) Lately() *report.Table { return t.points(lately).Shown() }

const (
	lately      = 10 // rows on the page of a run
	subjectSize = 60 // characters of a commit's subject
)

// nameCommits replaces the commits in a column of a table by their subjects and links.
func (t *Trend) nameCommits(table *builder.Table, column int) {
	commits := map[string]*result.Revision{}
	for _, r := range t.d.Results {
		if r.Revision != nil {
			commits[r.Revision.Short()] = r.Revision
		}
	}
	table.Columns[column].Title = locale.T("past.commit")
	for i := range table.Rows {
		c := &table.Rows[i].Cells[column]
		if v := commits[locale.English(c.Text)]; v != nil {
			*c = commitCell(v)
		}
	}
}

// commitCell returns the cell of a commit: its id, its subject and its link.
func commitCell(v *result.Revision) report.Cell {
	return report.Cell{Text: locale.Lit(strings.TrimSpace(v.Short() + " " + shortened(v.Subject))), URL: v.URL}
}

// shortened cuts a subject to the width of a table.
func shortened(subject string) string {
	if letters := []rune(subject); len(letters) > subjectSize {
		return string(letters[:subjectSize-1]) + "…"
	}
	return subject
}

// between names the commits between which a step happened: the commit of the last result before it and of the first
// after it. It also returns the address of the later one. Both are empty if no commit is known.
func between(before, after []*result.Result) (words locale.Text, address string) {
	first := func(rs []*result.Result) *result.Revision {
		if len(rs) == 0 {
			return nil
		}
		return rs[0].Revision
	}
	from, to := first(before), first(after)
	switch {
	case from != nil && to != nil:
		return locale.T("steps.between", from.Short(), to.Short()), to.URL
	case from != nil:
		return locale.T("steps.after", from.Short()), from.URL
	case to != nil:
		return locale.T("steps.until", to.Short()), to.URL
	}
	return locale.Text{}, ""
}

// Event is an announced lasting change of level of one metric.
type Event struct {
	Trend  *Trend
	Metric string
	Anchor string // anchor of its step on the trend's page
	Day    string // calendar day such as 2026-01-31; with the time if a commit has it
	Title  locale.Text
	Detail locale.Text // the values before and after, and what else changed
}

// Events returns the improvements and regressions of the trend whose day is known.
func (t *Trend) Events() []Event {
	if !t.Changed {
		return nil
	}
	var out []Event
	for i, name := range t.metrics {
		line := t.line(i)
		for _, s := range t.levels[i] {
			day, known := dayOf(line.sound[s.Index].Runs)
			if v := s.verdict(); v != report.Regression && v != report.Improvement || !known {
				continue
			}
			out = append(out, Event{Trend: t, Metric: name, Anchor: t.stepAnchor(s.Index), Day: day,
				Title:  t.headline(name, s, line),
				Detail: t.detail(s, line)})
		}
	}
	return out
}

// headline describes a step in one line: the model and machine, the metric, the change, the period, and the versions of
// the engine if they changed.
func (t *Trend) headline(metric string, s level, line historyLine) locale.Text {
	before, after := line.around(s)
	whose := t.d.Title("model", t.Model)
	if machine := after[0].Label("hardware"); machine != "" {
		whose = locale.T("event.on", whose, t.d.Title("hardware", machine))
	}
	since := t.d.Title(t.Over, t.periods[s.Index])
	text := locale.T("event.title", whose, locale.Inside(locale.MetricName(metric)), s.percent(), since)
	if was, is := version(before), version(after); t.Over != "engine_version" && was != is && was != "" && is != "" {
		text = locale.T("report.with-unit", text, locale.Lit(was+" → "+is))
	}
	return text
}

func version(rs []*result.Result) string {
	if vs := dataset.LabelValues(rs, "engine_version"); len(vs) == 1 {
		return vs[0]
	}
	return ""
}

// detail describes the evidence of a step and what else changed.
func (t *Trend) detail(s level, line historyLine) locale.Text {
	parts := []locale.Text{locale.T("history."+string(s.verdict()), locale.Lit(s.span())), s.evidence()}
	if locale.English(t.Conditions) != "" {
		parts = append(parts, t.Conditions)
	}
	before, after := line.around(s)
	if commits, _ := between(before, after); !commits.IsZero() {
		parts = append(parts, commits)
	}
	return locale.Join(" · ", append(parts, changed(t.d, line.changes(s)))...)
}

// dayOf returns the earliest time of some results: that of their commit, or the day that they report.
func dayOf(rs []*result.Result) (string, bool) {
	best := ""
	for _, r := range rs {
		day := dataset.Period(r.Label("date"))
		if _, err := time.Parse(time.DateOnly, day[:min(len(day), len(time.DateOnly))]); err != nil {
			continue
		}
		if r.Revision != nil && strings.HasPrefix(day, r.Revision.Time.Format(time.DateOnly)) {
			day = r.Revision.Time.Format(time.RFC3339)
		}
		if best == "" || day < best {
			best = day
		}
	}
	return best, best != ""
}
