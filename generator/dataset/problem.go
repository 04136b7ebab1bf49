package dataset

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// NoData is the id of a message that the runs lack what a block or value needs. A run that could not be read
// may be the cause.
const NoData = "report.no-data"

// Message converts a problem to a message.
func Message(pos result.Position, err error) result.Message {
	m := result.Message{Pos: pos, Severity: result.Error, ID: "report.block", Text: locale.Reason(err)}
	var p *Problem
	if errors.As(err, &p) {
		m.Hint = p.Hint
		if p.Lack {
			m.ID = NoData
		}
	}
	return m
}

// Problem is an error in a block or an inline value.
type Problem struct {
	Key        string // the TOML key in the block that it is about; "" for the whole block
	Column     int    // column in an inline value, counted from 1; 0 for the whole value
	Lack       bool   // the cause may be a run that could not be read rather than the author
	What, Hint locale.Text
}

func (p *Problem) Error() string { return locale.English(p.What) }

// Text returns the problem as a translatable text.
func (p *Problem) Text() locale.Text { return p.What }

// Wrongf returns a problem with how a block or value is written.
func Wrongf(hint locale.Text, format string, args ...any) *Problem {
	return &Problem{What: locale.Textf(format, args...), Hint: hint}
}

// Lackf returns a problem with what the runs have, not with how the post is written.
func Lackf(hint locale.Text, format string, args ...any) *Problem {
	p := Wrongf(hint, format, args...)
	p.Lack = true
	return p
}

// About sets the key of a block that a problem is about, unless it has one.
func About(key string, err error) error {
	if p := AsProblem(err); p != nil && p.Key == "" {
		p.Key = key
	}
	return err
}

// AsProblem returns the problem that an error is or wraps, or nil.
func AsProblem(err error) *Problem {
	var p *Problem
	errors.As(err, &p)
	return p
}

// Nothing explains why a selector matches no result.
func (d *Selection) Nothing(sel result.Selector) *Problem {
	p := Lackf(locale.Text{}, "no run matches %s", sel)
	if len(d.Results) == 0 {
		p.Hint = locale.Textf("there are no runs")
		return p
	}
	if hint := d.copies(sel); !hint.IsZero() {
		p.Hint = hint
		return p
	}
	if d.within != "" {
		defer func() {
			p.Hint = locale.Clauses(p.Hint, locale.Textf("the front matter allows only runs = '%s'", d.within))
		}()
	}
	var counts []locale.Text
	for i := range sel.Matchers {
		m := &sel.Matchers[i]
		n := 0
		for _, r := range d.Results {
			if m.Match(r.Label(m.Label)) {
				n++
			}
		}
		if n == 0 {
			p.Hint = d.offer(m)
			return p
		}
		counts = append(counts, locale.Textf("%d with %s%s%q", n, m.Label, m.Op, m.Value))
	}
	p.Hint = locale.Textf("there are %s, but none with all of these", locale.FewTexts(counts, len(counts)))
	return p
}

// copies names the superseded copies that match a selector although the runs that replace them do not; "" if
// there are none.
func (d *Selection) copies(sel result.Selector) locale.Text {
	var first *result.Result
	n := 0
	for _, r := range matching(d.Auxiliary, sel) {
		if phase, ok := r.Labels.Lookup("phase"); ok && phase.Value == "superseded" && phase.Pos.File != r.Source.File {
			if n++; first == nil {
				first = r
			}
		}
	}
	if n == 0 {
		return locale.Text{}
	}
	phase, _ := first.Labels.Lookup("phase")
	then := locale.Textf("select that run, or remove one of the two, or declare in run.toml what differs")
	if n > 1 {
		return locale.Clauses(locale.Textf("%s and %d more do, but equal %s, which is counted instead", first.Source.File, n-1, phase.Pos.File), then)
	}
	return locale.Clauses(locale.Textf("%s does, but equals %s, which is counted instead", first.Source.File, phase.Pos.File), then)
}

// conditions describes how a site sets a label such as load: its values and their conditions, and the values of
// the runs for the labels in these. It is empty for a label that a site does not set.
func (d *Selection) conditions(label string) locale.Text {
	set := d.When[label]
	if len(set) == 0 {
		if label != "load" && label != "scenario" {
			return locale.Text{}
		}
		return locale.Textf("site.toml has no [[%s]]; one is name = \"high\", when = '{max_concurrency=\"64\"}'", label)
	}
	var parts, had []locale.Text
	var asked []string
	for _, c := range set {
		part := locale.Lit(c.Value)
		if c.When.String() != "" {
			part = locale.Textf("%s where %s", c.Value, c.When)
		}
		parts = append(parts, part)
		for _, m := range c.When.Matchers {
			if !slices.Contains(asked, m.Label) {
				asked = append(asked, m.Label)
			}
		}
	}
	text := locale.Textf("[[%s]] of site.toml has %s", label, locale.FewTexts(parts, len(parts)))
	for _, name := range asked {
		if values := d.Values(d.Results, name); len(values) > 0 {
			had = append(had, locale.Textf("%s %s", name, locale.Few(values, 8)))
		} else {
			had = append(had, locale.Textf("no %s", name))
		}
	}
	if len(had) > 0 {
		text = locale.Clauses(text, locale.Textf("the runs have %s", locale.FewTexts(had, len(had))))
	}
	return text
}

// offer returns suggestions for a matcher that matches nothing.
func (d *Selection) offer(m *result.Matcher) locale.Text {
	values := d.Values(d.Results, m.Label)
	set := d.conditions(m.Label)
	switch {
	case !set.IsZero() && len(values) == 0:
		return locale.Textf("no run has a %s: %s", m.Label, set)
	case len(d.When[m.Label]) > 0:
		return locale.Clauses(meant(m, values), set)
	case len(values) > 0:
		return meant(m, values)
	}
	names := map[string]bool{}
	for _, r := range d.Results {
		for name := range r.Labels.Values() {
			names[name] = true
		}
	}
	all := slices.Sorted(maps.Keys(names))
	near := settings.Nearest(m.Label, all)
	for _, other := range vocabulary.Meant(m.Label) {
		if slices.Contains(all, other) {
			near = other
			break
		}
	}
	if near != "" {
		return locale.Textf("no run has a label %s; did you mean %s?", m.Label, near)
	}
	return locale.Textf("no run has a label %s; there are: %s", m.Label, locale.Few(all, 12))
}

// meant returns the values of a label, and suggests the most similar one, if any.
func meant(m *result.Matcher, values []string) locale.Text {
	text := locale.Textf("values of %s: %s", m.Label, locale.Few(values, 12))
	if near := settings.Nearest(m.Value, values); near != "" {
		return locale.Textf("did you mean %s=%s? %s", m.Label, result.Quote(near), text)
	}
	return text
}

// Known reports whether a name is a metric or a label of the results.
func Known(rs []*result.Result, name string) (metric, label bool) {
	for _, r := range rs {
		if _, ok := r.Metric(name); ok {
			metric = true
		}
		if r.Label(name) != "" {
			label = true
		}
	}
	if !metric && !label {
		_, metric = vocabulary.Define(name)
	}
	return metric, label
}

// origin explains where a label comes from that no tool writes. It is empty for other labels.
func origin(rs []*result.Result, name string) locale.Text {
	table := "model"
	from := locale.Textf("a [[model]] of site.toml gives it to the runs of its id or aliases")
	switch name {
	case "weight_size", "params", "active_params", "quantization", "base_model":
	case "memory", "memory_bandwidth", "compute_peak", "price_per_hour":
		table, from = "hardware", locale.Textf("a [[hardware]] of site.toml gives it to the runs of its id")
	case "load", "scenario":
		return locale.Textf("a [[%s]] of site.toml gives it to the runs that meet its condition, and a run.toml to those below it", name)
	default:
		return locale.Text{}
	}
	var of []string
	for _, r := range rs {
		if v := r.Label(table); v != "" && !slices.Contains(of, v) {
			of = append(of, v)
		}
	}
	if len(of) == 0 {
		return locale.Textf("%s, and these runs do not state theirs: declare %s in a run.toml", from, table)
	}
	return locale.Clauses(from, locale.Textf("these are of %s", locale.Few(of, 6)))
}

// Unknown returns a problem about a name that is neither metric nor label, or a metric instead of a label, or a
// label instead of a metric.
func Unknown(rs []*result.Result, name string) *Problem {
	switch metric, label := Known(rs, name); {
	case metric:
		return Lackf(locale.Text{}, "%q is a metric, but a label is expected", name)
	case label:
		return Lackf(locale.Text{}, "%q is a label, but a metric is expected", name)
	}
	names := map[string]bool{}
	for _, r := range rs {
		for i := range r.Metrics {
			names[r.Metrics[i].Name] = true
		}
		for l := range r.Labels.Values() {
			names[l] = true
		}
	}
	all := slices.Sorted(maps.Keys(names))
	hint := locale.Textf("the selected runs have: %s", locale.Few(all, 40))
	if from := origin(rs, name); !from.IsZero() {
		hint = from
	} else if meant := otherwise(rs, name, all); !meant.IsZero() {
		hint = meant
	} else if near := settings.Nearest(name, all); near != "" {
		hint = locale.Textf("did you mean %s?", near)
	}
	return Lackf(hint, "%q is neither a metric nor a label of the selected runs", name)
}

// otherwise returns a hint for a name that tools use for something with another name here: the metric with that
// name in a run's file, or else the usual meaning. It is empty for other names.
func otherwise(rs []*result.Result, name string, has []string) locale.Text {
	plain := func(s string) string {
		return strings.ToLower(strings.Trim(strings.Map(func(r rune) rune {
			if r == ' ' || r == '-' || r == '(' || r == ')' || r == '/' || r == '_' {
				return -1
			}
			return r
		}, s), "_"))
	}
	for _, r := range rs {
		for i := range r.Metrics {
			if m := &r.Metrics[i]; m.Field != "" && !m.Derived && m.Name != name && plain(m.Field) == plain(name) {
				return locale.Textf("did you mean %s? %s calls it %s", m.Name, r.Source.File, m.Field)
			}
		}
	}
	meant := vocabulary.Meant(name)
	if len(meant) == 0 {
		return locale.Text{}
	}
	for _, other := range meant {
		if slices.Contains(has, other) {
			return locale.Textf("did you mean %s?", other)
		}
	}
	return locale.Textf("it is called %s here, which no selected run has; %s", meant[0], instead(has, meant[0]))
}

// instead lists metrics that may replace a missing one: other statistics of the same latency, or else all.
func instead(has []string, name string) locale.Text {
	if family, _, ok := vocabulary.Statistic(name); ok {
		if members := slices.DeleteFunc(slices.Clone(has), func(other string) bool { return !strings.HasPrefix(other, family+"_") }); len(members) > 0 {
			return locale.Textf("there are %s", locale.Few(members, 12))
		}
	}
	return locale.Textf("there are %s", locale.Few(has, 40))
}

// Lacks returns a problem about a metric, as written by the author, that none of the runs has.
func Lacks(rs []*result.Result, name string) *Problem {
	if _, metric := vocabulary.Define(name); !metric {
		return Unknown(rs, name)
	}
	names := map[string]bool{}
	for _, r := range rs {
		for i := range r.Metrics {
			names[r.Metrics[i].Name] = true
		}
	}
	there := instead(slices.Sorted(maps.Keys(names)), name)
	if len(rs) == 1 {
		return Lackf(locale.Clauses(locale.Textf("it is a known metric, but is not in the run's file"), there),
			"%s has no %s", Place([]string{"run"}, []string{rs[0].ID}), name)
	}
	return Lackf(locale.Clauses(locale.Textf("it is a known metric, but is not in their files"), there), "%d runs have no %s", len(rs), name)
}

// Unaccepted returns a problem if a list of accepted settings has a name that is not a setting, or else nil.
func Unaccepted(names []string) error {
	known := audit.Settings()
	for _, s := range names {
		if slices.Contains(known, s) {
			continue
		}
		hint := settings.Offer(s, known, locale.Textf("there are: %s", locale.Commas(known...)))
		return About("accept", Wrongf(hint, "accept names %q, which is not a setting that runs have to agree in", s))
	}
	return nil
}
