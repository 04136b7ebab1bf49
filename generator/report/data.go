package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Data is what a report is made from.
type Data struct {
	Results    []*result.Result                  // sorted by result.Compare
	Apart      []*result.Result                  // warm-ups, runs that others replaced, telemetry of no run: picked only by phase, id, tool or format
	Past       []*result.Result                  // of earlier revisions: only trends show them
	Unfinished []*result.Unfinished              // runs without a result yet, which only plans count
	Titles     map[string]map[string]locale.Text // label → value → the site's words for it
	Order      map[string][]string               // label → its values in the order the site wants
	Links      map[string]string                 // model → the address of its page elsewhere
	Plans      []Plan                            // what the site wants measured
	Limits     map[string]string                 // metric or label → what it may be at the most, or at the least where more is better
	Rules      Rules                             // thresholds; DefaultRules when zero
	Accept     []string                          // settings whose difference the author knows of
	Styles     map[string]map[string]int         // label → value → its style in charts, from 1; by place when nil

	within string // the selector that the results were narrowed by, "" when none
	index  index
}

// index finds results by the value of a label; each label is indexed when it
// is first asked for.
type index struct {
	mu     sync.Mutex
	labels map[string]map[string][]*result.Result
}

// lookup gives the results in which a label has a value, in order.
func (x *index) lookup(rs []*result.Result, label, value string) []*result.Result {
	x.mu.Lock()
	defer x.mu.Unlock()
	values, ok := x.labels[label]
	if !ok {
		values = map[string][]*result.Result{}
		for _, r := range rs {
			v := r.Label(label)
			values[v] = append(values[v], r)
		}
		if x.labels == nil {
			x.labels = map[string]map[string][]*result.Result{}
		}
		x.labels[label] = values
	}
	return values[value]
}

// Problem is what is wrong with a block or an inline value.
type Problem struct {
	Key        string // the block's TOML key it is about; "" for the whole block
	Column     int    // in an inline value, counted from 1; 0 means the whole of it
	Lack       bool   // a run that could not be read may be the cause, not the author
	Text, Hint string
}

func (p *Problem) Error() string { return p.Text }

func problem(hint, format string, args ...any) *Problem {
	return &Problem{Text: fmt.Sprintf(format, args...), Hint: hint}
}

// lack is a problem of what the runs hold, not of how the post is written.
func lack(hint, format string, args ...any) *Problem {
	p := problem(hint, format, args...)
	p.Lack = true
	return p
}

// about says which key of a block a problem is about, unless that is known.
func about(key string, err error) error {
	if p, ok := err.(*Problem); ok && p.Key == "" {
		p.Key = key
	}
	return err
}

// StylesOf numbers the values of the labels that series are drawn by, in the
// order of the site, so that one keeps its colour in all charts.
func (d *Data) StylesOf(labels ...string) map[string]map[string]int {
	numbered := make([]map[string]int, len(labels))
	var wg sync.WaitGroup
	for n, label := range labels {
		wg.Go(func() {
			numbered[n] = map[string]int{}
			for i, v := range d.values(d.Results, label) {
				numbered[n][v] = i + 1
			}
		})
	}
	wg.Wait()
	styles := map[string]map[string]int{}
	for n, label := range labels {
		styles[label] = numbered[n]
	}
	return styles
}

// Matching gives the results that match, in order.
func (d *Data) Matching(sel result.Selector) []*result.Result {
	candidates := d.Results
	for _, m := range sel.Matchers {
		if m.Op != "=" {
			continue
		}
		if found := d.index.lookup(d.Results, m.Label, m.Value); len(found) < len(candidates) {
			candidates = found
		}
	}
	var out []*result.Result
	for _, r := range candidates {
		if sel.Match(r) {
			out = append(out, r)
		}
	}
	if slices.ContainsFunc(sel.Matchers, func(m result.Matcher) bool {
		return m.Label == "phase" || m.Op == "=" && (m.Label == "id" || m.Label == "tool" || m.Label == "format")
	}) {
		for _, r := range d.Apart {
			if sel.Match(r) {
				out = append(out, r)
			}
		}
		slices.SortFunc(out, result.Compare)
	}
	return out
}

// Narrow gives the same data with only the results that a selector picks.
// Picking none is a problem.
func (d *Data) Narrow(where string) (*Data, error) {
	rs, err := d.selectSome(where)
	if err != nil {
		return nil, err
	}
	narrow := d.of(rs)
	narrow.within = where
	return narrow, nil
}

// of gives the same data with only some of the results.
func (d *Data) of(rs []*result.Result) *Data {
	return &Data{Results: rs, Titles: d.Titles, Order: d.Order, Links: d.Links, Limits: d.Limits, Rules: d.Rules, Plans: d.Plans, Accept: d.Accept, Styles: d.Styles}
}

// Accepting gives the same data for an author who knows that runs differ in
// settings.
func (d *Data) Accepting(settings []string) *Data {
	return &Data{Results: d.Results, Apart: d.Apart, Unfinished: d.Unfinished, within: d.within, Titles: d.Titles, Order: d.Order, Links: d.Links, Limits: d.Limits, Rules: d.Rules, Plans: d.Plans, Accept: settings, Styles: d.Styles}
}

// selectSome parses a selector and gives what it picks; picking nothing is a
// problem that says what there is.
func (d *Data) selectSome(where string) ([]*result.Result, error) {
	rs, err := d.pick(where)
	return rs, about("where", err)
}

func (d *Data) pick(where string) ([]*result.Result, error) {
	if strings.TrimSpace(where) == "" {
		if len(d.Results) == 0 {
			return nil, lack("put the tools' output below runs/", "there are no runs")
		}
		return d.Results, nil
	}
	sel, err := result.ParseSelector(where)
	if err != nil {
		return nil, problem("selectors are written {label=\"value\", other=~\"a|b\"}", "the selector %s is wrong: %v", where, err)
	}
	rs := d.Matching(sel)
	if len(rs) == 0 {
		return nil, d.nothing(sel)
	}
	return rs, nil
}

// nothing explains why a selector picks no result.
func (d *Data) nothing(sel result.Selector) *Problem {
	p := lack("", "no run matches %s", sel)
	if len(d.Results) == 0 {
		p.Hint = "there are no runs"
		return p
	}
	if d.within != "" {
		defer func() { p.Hint += "; the front matter allows only runs = '" + d.within + "'" }()
	}
	var counts []string
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
		counts = append(counts, fmt.Sprintf("%d with %s%s%q", n, m.Label, m.Op, m.Value))
	}
	p.Hint = "there are " + strings.Join(counts, ", ") + ", but none with all of these"
	return p
}

// offer lists what a matcher that fits nothing could have said.
func (d *Data) offer(m *result.Matcher) string {
	values := d.values(d.Results, m.Label)
	if len(values) == 0 {
		names := map[string]bool{}
		for _, r := range d.Results {
			for name := range r.Labels.Values() {
				names[name] = true
			}
		}
		all := slices.Sorted(maps.Keys(names))
		if near := settings.Nearest(m.Label, all); near != "" {
			return fmt.Sprintf("no run has a label %s; did you mean %s?", m.Label, near)
		}
		return fmt.Sprintf("no run has a label %s; there are: %s", m.Label, shorten(all, 12))
	}
	hint := ""
	if near := settings.Nearest(m.Value, values); near != "" {
		hint = fmt.Sprintf("did you mean %s=%q? ", m.Label, near)
	}
	return hint + fmt.Sprintf("values of %s: %s", m.Label, shorten(values, 12))
}

func shorten(words []string, most int) string {
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}

// values gives the distinct values of a label in the site's order, then in
// natural order. Absent is no value.
func (d *Data) values(rs []*result.Result, label string) []string {
	seen := map[string]bool{}
	var out []string
	for _, r := range rs {
		if v := r.Label(label); v != "" && !seen[v] {
			seen[v] = true
			out = append(out, v)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return d.compareValues(label, a, b) })
	return out
}

func (d *Data) compareValues(label, a, b string) int {
	if order := d.Order[label]; order != nil {
		return cmp.Or(cmp.Compare(rank(order, a), rank(order, b)), result.NaturalCompare(a, b))
	}
	return result.NaturalCompare(a, b)
}

func rank(order []string, v string) int {
	if i := slices.Index(order, v); i >= 0 {
		return i
	}
	return len(order)
}

// title gives the reader's words for a label's value.
func (d *Data) title(label, value string) locale.Text {
	if t, ok := d.Titles[label][value]; ok {
		return t
	}
	return locale.LabelValue(label, value)
}

// held names a value that a sentence holds for. A bare number is named with its
// label: concurrency 8.
func (d *Data) held(label, value string) locale.Text {
	title := d.title(label, value)
	if _, _, _, number := labelNumber(value); number && locale.English(title) == value {
		return locale.T("finding.held", locale.LabelName(label), title)
	}
	return title
}

// having keeps the runs that have a label: one without has no place in what
// is laid out over its values.
func having(rs []*result.Result, label string) []*result.Result {
	return slices.DeleteFunc(slices.Clone(rs), func(r *result.Result) bool { return r.Label(label) == "" })
}

// known tells whether a name is a metric of the results, a label of them, or
// neither.
func known(rs []*result.Result, name string) (metric, label bool) {
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

// origin tells where a label comes from that no tool writes, "" of all others.
func origin(rs []*result.Result, name string) string {
	table, by := "model", "the runs of its id or aliases"
	switch name {
	case "weight_size", "params", "active_params", "quantization", "base_model":
	case "memory", "memory_bandwidth", "compute_peak", "price_per_hour":
		table, by = "hardware", "the runs of its id"
	case "load", "scenario":
		return fmt.Sprintf("a [[%s]] of site.toml gives it to the runs that meet its condition, and a run.toml to those below it", name)
	default:
		return ""
	}
	var of []string
	for _, r := range rs {
		if v := r.Label(table); v != "" && !slices.Contains(of, v) {
			of = append(of, v)
		}
	}
	if len(of) == 0 {
		return fmt.Sprintf("a [[%s]] of site.toml gives it to %s, and these runs do not tell theirs: declare %s in a run.toml", table, by, table)
	}
	return fmt.Sprintf("a [[%s]] of site.toml gives it to %s; these are of %s", table, by, shorten(of, 6))
}

// unknownName explains a name that is neither metric nor label, or the other
// of the two than what is wanted.
func unknownName(rs []*result.Result, name string) *Problem {
	switch metric, label := known(rs, name); {
	case metric:
		return lack("", "%q is a metric, where a label is wanted", name)
	case label:
		return lack("", "%q is a label, where a metric is wanted", name)
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
	hint := "the selected runs have: " + shorten(all, 40)
	if near := settings.Nearest(name, all); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	if from := origin(rs, name); from != "" {
		hint = from
	}
	return lack(hint, "%q is neither a metric nor a label of the selected runs", name)
}

// labelNumber reads a label such as "8.9 G" as number and unit. The digits
// after the point are kept for display. What follows the number has to look
// like a unit: a date or a version is no figure.
func labelNumber(s string) (value float64, decimals int, unit string, ok bool) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(s)
	}
	number := s[:end]
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, 0, "", false
	}
	if i := strings.IndexByte(number, '.'); i >= 0 {
		decimals = len(number) - i - 1
	}
	unit = strings.TrimSpace(s[end:])
	if strings.ContainsFunc(unit, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune("/%°", r) }) {
		return 0, 0, "", false
	}
	return v, decimals, unit, true
}
