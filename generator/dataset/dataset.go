// Package dataset selects, groups and compares results. Every report block uses it.
//
// A Site has what a site declares about its results: titles, order, thresholds, plans. A Selection is a set of
// the site's results with their auxiliary results (warm-ups and superseded copies), past results (from git),
// and unfinished runs. Narrow returns a smaller selection; it filters all four by the same conditions.
//
//	all := &dataset.Selection{Results: results}
//	thor, err := all.Narrow(`{hardware="thor"}`)
//	high, err := thor.Select(`{load="high"}`)
//	for _, g := range thor.Groups(high, []string{"model"}) {
//		if err := dataset.Repeats(g.Runs, g.Values[0]); err != nil {
//			return err // they differ in a setting: no median of them is shown
//		}
//		f, ok := dataset.FigureOf(g.Runs, "output_throughput")
//		fmt.Println(g.Values[0], f.Text(), ok)
//	}
//
// A Field lays out results as variants by loads. An error about a selection is a Problem. It has the key of the
// block or the column of the inline value, and advice. Message converts it to a result.Message.
package dataset

import (
	"slices"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Site is what a site declares about its results: titles, order, thresholds. It is immutable and shared by all
// selections.
type Site struct {
	Titles map[string]map[string]locale.Text // label → value → its title on the site
	Order  map[string][]string               // label → its values in the site's order
	Links  map[string]string                 // model → URL of its page on another site
	When   map[string][]Setting              // label → values set by the site, with their conditions: loads, scenarios
	Plans  []Plan                            // the measurements that the site plans
	Limits map[string]string                 // metric or label → its maximum, or its minimum where more is better
	Rules  Rules                             // thresholds; DefaultRules when zero
	Styles map[string]map[string]int         // label → value → its style in charts, from 1; nil: by position
}

// Setting is a value of a label that a site sets for the runs that meet a condition.
type Setting struct {
	Value string
	When  result.Selector // an empty condition matches no run: run.toml declares the value
}

// Selection is a set of results of a site with everything that belongs to them. It is immutable. Narrow returns
// a smaller one.
type Selection struct {
	Site
	Results    []*result.Result     // sorted by result.Compare
	Auxiliary  []*result.Result     // warm-ups, superseded copies, telemetry without a run
	Past       []*result.Result     // from earlier revisions: only shown in trends
	Unfinished []*result.Unfinished // runs without a result yet; only plans count them
	Accept     []string             // settings in which the author accepts differences

	within string // the selector that narrowed it, or ""
	index  index
}

// index finds results by the value of a label or by a metric. Each label and metric is indexed on first use.
type index struct {
	mu      sync.Mutex
	places  *Places
	metrics map[string][]*result.Result
}

// Places has the indexes of results in a list by the values of their labels. Another list with SameTerms may
// share it. The zero value is ready to use.
type Places struct {
	mu     sync.Mutex
	labels map[string]map[string][]int32
}

// of returns the indexes of the results in which a label has a value.
func (p *Places) of(rs []*result.Result, label, value string) []int32 {
	p.mu.Lock()
	defer p.mu.Unlock()
	values, ok := p.labels[label]
	if !ok {
		values = map[string][]int32{}
		of := result.Labelled(label)
		for i, r := range rs {
			v := of(r)
			values[v] = append(values[v], int32(i))
		}
		if p.labels == nil {
			p.labels = map[string]map[string][]int32{}
		}
		p.labels[label] = values
	}
	return values[value]
}

// Placed makes the selection use an existing index of its results.
func (d *Selection) Placed(p *Places) { d.index.places = p }

// places returns the indexes of the results in which a label has a value.
func (d *Selection) places(label, value string) []int32 {
	d.index.mu.Lock()
	if d.index.places == nil {
		d.index.places = new(Places)
	}
	p := d.index.places
	d.index.mu.Unlock()
	return p.of(d.Results, label, value)
}

// at returns the results at some indexes.
func (d *Selection) at(places []int32) []*result.Result {
	out := make([]*result.Result, len(places))
	for i, at := range places {
		out[i] = d.Results[at]
	}
	return out
}

// With returns the results in which a label has a value, in order.
func (d *Selection) With(label, value string) []*result.Result { return d.at(d.places(label, value)) }

// Measuring returns the results that have a metric, in order.
func (d *Selection) Measuring(metric string) []*result.Result {
	x := &d.index
	x.mu.Lock()
	defer x.mu.Unlock()
	of, ok := x.metrics[metric]
	if !ok {
		for _, r := range d.Results {
			if _, has := r.Metric(metric); has {
				of = append(of, r)
			}
		}
		if x.metrics == nil {
			x.metrics = map[string][]*result.Result{}
		}
		x.metrics[metric] = of
	}
	return of
}

// Matching returns the results that match, in order. It includes auxiliary results if the selector names a
// phase, an id, a tool or a format.
func (d *Selection) Matching(sel result.Selector) []*result.Result {
	candidates, fewest := d.Results, len(d.Results)
	var places []int32
	for _, m := range sel.Matchers {
		if m.Op != "=" {
			continue
		}
		if found := d.places(m.Label, m.Value); len(found) < fewest {
			places, fewest = found, len(found)
		}
	}
	if fewest < len(d.Results) {
		candidates = d.at(places)
	}
	out := matching(candidates, sel)
	if asksAuxiliary(sel) {
		out = append(out, matching(d.Auxiliary, sel)...)
		slices.SortFunc(out, result.Compare)
	}
	return out
}

// asksAuxiliary reports whether a selector also selects auxiliary results.
func asksAuxiliary(sel result.Selector) bool {
	return slices.ContainsFunc(sel.Matchers, func(m result.Matcher) bool {
		return m.Label == "phase" || m.Op == "=" && (m.Label == "id" || m.Label == "tool" || m.Label == "format")
	})
}

// matching returns the results that match.
func matching(rs []*result.Result, sel result.Selector) []*result.Result {
	var out []*result.Result
	for _, r := range rs {
		if sel.Match(r) {
			out = append(out, r)
		}
	}
	return out
}

// Narrow returns the part of a selection that matches a selector: results and everything that belongs to them.
// It returns a problem if nothing is left.
func (d *Selection) Narrow(where string) (*Selection, error) {
	if strings.TrimSpace(where) == "" {
		return d, nil
	}
	sel, err := parse(where)
	if err != nil {
		return nil, About("where", err)
	}
	narrow := &Selection{Site: d.Site, Accept: d.Accept, within: where,
		Results: d.Matching(sel), Auxiliary: matching(d.Auxiliary, sel), Past: matching(d.Past, sel)}
	narrow.Auxiliary = slices.DeleteFunc(narrow.Auxiliary, func(r *result.Result) bool { return slices.Contains(narrow.Results, r) })
	for _, u := range d.Unfinished {
		if r := u.Run(); sel.Match(&r) {
			narrow.Unfinished = append(narrow.Unfinished, u)
		}
	}
	if len(narrow.Results)+len(narrow.Auxiliary)+len(narrow.Unfinished) == 0 {
		return nil, About("where", d.Nothing(sel))
	}
	return narrow, nil
}

// Of returns a selection of only these results, without auxiliary, past and unfinished ones.
func (d *Selection) Of(rs []*result.Result) *Selection {
	return &Selection{Site: d.Site, Accept: d.Accept, within: d.within, Results: rs}
}

// Accepting returns the same selection with settings in which the author accepts that runs differ.
func (d *Selection) Accepting(settings []string) *Selection {
	return &Selection{Site: d.Site, Accept: settings, within: d.within,
		Results: d.Results, Auxiliary: d.Auxiliary, Past: d.Past, Unfinished: d.Unfinished}
}

// parse parses a selector. An invalid selector is a problem.
func parse(where string) (result.Selector, error) {
	sel, err := result.ParseSelector(where)
	if err != nil {
		return sel, wrongSelector(where, err)
	}
	return sel, nil
}

func wrongSelector(where string, err error) error {
	return Wrongf(locale.Textf("selectors are written {label=\"value\", other=~\"a|b\"}"), "the selector %s is wrong: %v", where, err)
}

// Select parses a selector and returns the results that match. It returns a problem with the possible values if
// no result matches.
func (d *Selection) Select(where string) ([]*result.Result, error) {
	rs, err := d.pick(where)
	return rs, About("where", err)
}

func (d *Selection) pick(where string) ([]*result.Result, error) {
	if strings.TrimSpace(where) == "" {
		if len(d.Results) == 0 {
			return nil, Lackf(locale.Textf("put the tools' output below runs/"), "there are no runs")
		}
		return d.Results, nil
	}
	sel, err := parse(where)
	if err != nil {
		return nil, err
	}
	rs := d.Matching(sel)
	if len(rs) == 0 {
		return nil, d.Nothing(sel)
	}
	return rs, nil
}
