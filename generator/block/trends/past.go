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

// now is the date, in a trend, of what is there and has none: after all others.
const now = "now"

// overTime readies the results of a variant for a trend. Where a repository
// remembers earlier ones, what is there now and has no date is the last; else a
// result without date and version has no place.
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

// dated leaves out results that have neither date nor version, in place.
func dated(rs []*result.Result) []*result.Result {
	date, engine := result.Labelled("date"), result.Labelled("engine_version")
	return slices.DeleteFunc(rs, func(r *result.Result) bool { return date(r) == "" && engine(r) == "" })
}

// anchor gives the name of the trend of a variant: the same as long as its model and
// settings are.
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

// Remembered reports whether some of the trend is of the past.
func (t *Trend) Remembered() bool {
	return slices.ContainsFunc(t.d.Results, func(r *result.Result) bool { return r.Revision != nil })
}

// Ended reports whether nothing that is there now is of the trend.
func (t *Trend) Ended() bool {
	return !slices.ContainsFunc(t.d.Results, func(r *result.Result) bool { return r.Revision == nil })
}

// Runs gives the results of the trend, of the past too, in no order that matters.
func (t *Trend) Runs() []*result.Result { return t.d.Results }

// Lately gives the last rows of Points.
func (t *Trend) Lately() *report.Table { return t.points(lately).Shown() }

const (
	lately      = 10 // rows on the page of a run
	subjectSize = 60 // characters of a commit's subject
)

// nameCommits has the rows of a table lead to their commits and report what those say of
// themselves.
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

// commitCell names a commit, where it is shown, and what it says of itself.
func commitCell(v *result.Revision) report.Cell {
	return report.Cell{Text: locale.Lit(strings.TrimSpace(v.Short() + " " + shortened(v.Subject))), URL: v.URL}
}

// shortened cuts a subject to what a table has room for.
func shortened(subject string) string {
	if letters := []rune(subject); len(letters) > subjectSize {
		return string(letters[:subjectSize-1]) + "…"
	}
	return subject
}

// between names the commits that a step lies between, that of the last result before
// it and that of the first after it, and gives the address of the later. It is empty
// where neither is known.
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

// Event is a lasting change of level of one metric, as it is announced.
type Event struct {
	Trend  *Trend
	Metric string
	Anchor string // of its step among the trend's
	Day    string // by the calendar, as 2026-01-31; with the time where a commit has it
	Title  locale.Text
	Detail locale.Text // from what to what, and what changed with it
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

// headline words a step in one line: whose, of what, by how much, since when, and the
// versions of the engine if they changed with it.
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

// detail words what a step rests on.
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

// dayOf gives the earliest time of some results: that of a commit, or the day that
// they report themselves.
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
