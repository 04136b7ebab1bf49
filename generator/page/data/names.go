package data

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/compare"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Names is the data about results that a page passes to its scripts: everything that depends on the language or on the
// site's configuration.
type Names struct {
	Data       []string                     `json:"data"`              // names of the data scripts
	Root       string                       `json:"root"`              // link to the site's root
	Home       string                       `json:"home"`              // link to the language's folder
	Paths      map[string]string            `json:"paths"`             // paths of runs whose id is not their path
	Labels     map[string]string            `json:"labels"`            // titles
	Values     map[string]map[string]string `json:"values"`            // titles of values, if they have any
	Orders     map[string][]string          `json:"orders"`            // order of values that are not sorted by name
	Styles     map[string]map[string]int    `json:"styles"`            // colours and shapes of values in charts
	Colours    int                          `json:"colours"`           // colours for series before shapes distinguish them
	Units      map[string]string            `json:"units"`             // units of numeric labels
	Metrics    map[string]MetricName        `json:"metrics"`           // by name
	Families   map[string]string            `json:"families"`          // names of latencies without a statistic
	Groups     []MetricGroup                `json:"groups"`            // of metrics, in the order of the menu
	Columns    []string                     `json:"columns"`           // labels and metrics shown by default
	Offered    []string                     `json:"offered"`           // labels with several values, in menu order
	Figured    []string                     `json:"figured"`           // offered labels with several numeric values
	Ranges     []Range                      `json:"ranges"`            // latencies with their statistics, for dots
	Usual      Usual                        `json:"usual"`             // the default view of the explorer
	Settings   []string                     `json:"settings"`          // labels in which compared runs must agree
	Noise      float64                      `json:"noise"`             // difference that single runs cannot show, relative
	Limits     map[string]string            `json:"limits"`            // of the site's SLO
	Bases      map[string]string            `json:"bases,omitempty"`   // model → base model, if known
	Workload   []string                     `json:"workload"`          // labels that runs on one frontier share
	Conditions []string                     `json:"conditions"`        // labels that distinguish conditions, in their order
	Compare    *Comparing                   `json:"compare,omitempty"` // only on pages that compare runs

	known map[string]map[string]bool // label → value → whether it is numeric
	first map[*result.Result]bool    // for each metric, the first result with it, which names the metric
}

// Comparing tells the script of a page how to compare runs: the rules of package compare, and the names for its
// sentence.
type Comparing struct {
	compare.Rules
	Inside map[string]string `json:"inside"` // names of metrics and settings inside a sentence
}

// CompareBy sets the options by which the script compares runs.
func (n *Names) CompareBy(o compare.Options, p locale.Printer) {
	c := &Comparing{Rules: compare.RulesOf(o, slices.Sorted(maps.Keys(n.Metrics))), Inside: map[string]string{}}
	for name := range n.Metrics {
		c.Inside[name] = p.Say(locale.Inside(locale.MetricName(name)))
	}
	for _, label := range slices.Concat(c.Settings, c.Also) {
		c.Inside[label] = p.Say(locale.Inside(compare.ChangeName(label)))
	}
	n.Compare = c
}

// Range is a latency with its metrics.
type Range struct {
	Family  string   `json:"family"`
	Metrics []string `json:"metrics"`
}

// Usual is a view of the explorer: the kind of chart, the metrics or labels on its axes, the label that curves run
// along, the label of the series, the label that groups rows, and a latency.
type Usual struct {
	Chart  string `json:"chart"`
	X      string `json:"x"`
	Y      string `json:"y"`
	Along  string `json:"along"` // "" if no label has several figures
	By     string `json:"by"`
	Group  string `json:"group"`
	Family string `json:"family"`
}

// MetricName is the name of a metric, and how it is shown.
type MetricName struct {
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Better string `json:"better,omitempty"`
	// For values that are shown in another unit: the divisor, and the number of decimals.
	Per      float64 `json:"per,omitempty"`
	Decimals int     `json:"decimals,omitempty"`
}

// MetricGroup is a group of metrics with a heading.
type MetricGroup struct {
	Title   string   `json:"title"`
	Metrics []string `json:"metrics"`
}

// Choices are the settings of a site for showing and comparing results. Each may be nil.
type Choices struct {
	Orders   map[string][]string       // order of label values that are not sorted by name
	Styles   map[string]map[string]int // colours and shapes of values in charts
	Settings []string                  // labels in which compared runs must agree
	Colours  int                       // number of colours for series before shapes distinguish them
	Noise    float64                   // relative difference that single runs cannot show
	Limits   map[string]string         // of the site's SLO
}

// On returns the names for a page. root and home are the page's links to the site's root and to its language's folder.
func (n *Names) On(root, home string) *Names {
	own := *n
	own.Root, own.Home, own.Metrics = root, home, maps.Clone(n.Metrics)
	return &own
}

// NamesOf collects the names used in some results, without those that depend on a page. book has the paths of the
// results.
func NamesOf(results []*result.Result, book *address.Book, reader *parts.Reader, c Choices) *Names {
	n := &Names{
		Data: []string{}, Paths: map[string]string{},
		Labels: map[string]string{}, Values: map[string]map[string]string{}, Orders: map[string][]string{}, Units: map[string]string{},
		Styles: orEmpty(c.Styles), Colours: c.Colours, Metrics: map[string]MetricName{}, Families: map[string]string{}, Groups: []MetricGroup{}, Columns: []string{},
		Settings: append([]string{}, c.Settings...), Workload: vocabulary.Workload(), Conditions: slices.Concat(parts.Distinguishing, dataset.Apart(results, append([]string{"model", "load", "campaign"}, parts.Distinguishing...)...)), Noise: c.Noise, Limits: orEmpty(c.Limits),
		Offered: []string{}, Figured: []string{}, Ranges: []Range{}, known: map[string]map[string]bool{}, first: map[*result.Result]bool{},
	}
	var all []result.Metric
	for _, p := range Packs(results) {
		n.Data = append(n.Data, p.Name)
	}
	for _, g := range Groups(results) {
		for _, r := range g.Runs {
			if path := book.FileName(address.Runs, r.ID); path != r.ID {
				n.Paths[r.ID] = path
			}
			for name, value := range r.Labels.Values() {
				n.label(reader, name, value)
			}
			n.label(reader, "tool", r.Label("tool"))
			n.label(reader, "format", r.Format)
			for _, m := range r.Metrics {
				if _, known := n.Metrics[m.Name]; known {
					continue
				}
				shown := parts.Readable(m)
				name := MetricName{Title: reader.Printer.Metric(m.Name), Unit: parts.UnitOf(m), Better: m.Better.String()}
				if shown.Unit != m.Unit {
					name.Per, name.Decimals = m.Value/shown.Value, int(shown.Decimals)
				}
				n.Metrics[m.Name] = name
				n.first[r] = true
				all = append(all, m)
			}
		}
	}
	if n.Labels["weight_size"] == "" { // always a column of the advisor
		n.Labels["weight_size"] = reader.Printer.Label("weight_size")
	}
	for name := range n.Labels {
		if order := c.Orders[name]; len(order) > 0 {
			n.Orders[name] = order
		}
	}
	n.group(reader, all)
	n.usual(reader, results)
	n.offer()
	n.ranges()
	n.view()
	n.sweeps(results)
	n.Bases = audit.Bases(results)
	return n
}

// Holds reports whether the names are valid for other results too. These must be in order and have the same terms
// (dataset.SameTerms) as the results that the names were made from.
func (n *Names) Holds(results []*result.Result) bool {
	for r := range n.first {
		if i, ok := slices.BinarySearchFunc(results, r, result.Compare); !ok || results[i] != r {
			return false
		}
	}
	return true
}

// orEmpty returns an empty map for nil, so that JSON has an object.
func orEmpty[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (n *Names) label(l *parts.Reader, name, value string) {
	if _, known := n.known[name][value]; known {
		return
	}
	if _, known := n.Labels[name]; !known {
		n.Labels[name] = l.Printer.Label(name)
	}
	if title := l.Value(name, value); title != value {
		if n.Values[name] == nil {
			n.Values[name] = map[string]string{}
		}
		n.Values[name][value] = title
	}
	_, unit, ok := dataset.LabelFigure(name, value)
	if ok && unit != "" {
		n.Units[name] = unit
	}
	if value == "" {
		return
	}
	if n.known[name] == nil {
		n.known[name] = map[string]bool{}
	}
	n.known[name][value] = ok
}

// group groups the metrics under the headings of a run's page. Latencies are sorted by family and statistic.
func (n *Names) group(l *parts.Reader, all []result.Metric) {
	latency := MetricGroup{Title: l.Printer.Words("page.group.latency")}
	matrix := parts.LatencyMatrix(all)
	for i := range matrix.Families {
		n.Families[matrix.Families[i]] = l.Printer.Metric(matrix.Families[i])
		for j := range matrix.Stats {
			if m := matrix.At(i, j); m != nil {
				latency.Metrics = append(latency.Metrics, m.Name)
			}
		}
	}
	for _, g := range parts.Groups(all) {
		one := MetricGroup{Title: l.Printer.Words(g.Key)}
		for _, m := range g.Metrics {
			one.Metrics = append(one.Metrics, m.Name)
		}
		n.Groups = append(n.Groups, one)
	}
	if len(latency.Metrics) > 0 {
		n.Groups = slices.Insert(n.Groups, min(1, len(n.Groups)), latency)
	}
}

// usual sets the columns of a table of runs: the labels that distinguish them, and the usual figures.
func (n *Names) usual(l *parts.Reader, rs []*result.Result) {
	t := parts.RunTable{Runs: rs, L: l, Figures: 8, Labels: mostConditions, ShowCampaign: true}
	if len(t.Runs) == 0 {
		return
	}
	c := t.Conditions()
	n.Columns = append(n.Columns, "model")
	if c.Load != "" {
		n.Columns = append(n.Columns, c.Load)
	}
	if slices.Contains(c.Vary, "scenario") {
		n.Columns = append(n.Columns, "scenario")
	}
	for _, name := range c.Vary {
		if len(n.Columns) < 2+mostConditions && name != "scenario" {
			n.Columns = append(n.Columns, name)
		}
	}
	for _, m := range t.Columns() {
		n.Columns = append(n.Columns, m.Name)
	}
}

// mostConditions is the number of labels, besides model and load, that the explorer shows by default, unless more are
// needed to distinguish runs.
const mostConditions = 2

// offer sets the labels that readers choose from: first those that distinguish runs, then the others by title.
func (n *Names) offer() {
	names := []string{"campaign", "model", "load", "scenario"}
	for _, name := range n.Conditions {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	title := func(name string) string { return strings.ToLower(n.Labels[name]) }
	others := slices.SortedFunc(maps.Keys(n.known), func(a, b string) int {
		return cmp.Or(result.NaturalCompare(title(a), title(b)), cmp.Compare(a, b))
	})
	for _, name := range others {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		if len(n.known[name]) < 2 {
			continue
		}
		n.Offered = append(n.Offered, name)
		figures := 0
		for _, figure := range n.known[name] {
			if figure {
				figures++
			}
		}
		if figures > 1 {
			n.Figured = append(n.Figured, name)
		}
	}
}

// ranges sets the latencies with statistics.
func (n *Names) ranges() {
	for _, family := range []string{"ttft", "tpot", "itl", "e2el", "queue"} {
		r := Range{Family: family}
		for _, statistic := range []string{"p50", "mean", "p90", "p95", "p99", "p99_9"} {
			if name := family + "_" + statistic; n.isMetric(name) {
				r.Metrics = append(r.Metrics, name)
			}
		}
		if len(r.Metrics) > 0 {
			n.Ranges = append(n.Ranges, r)
		}
	}
}

// view sets the default view of the explorer: a metric for which higher is better over a latency, both of them columns
// if possible.
func (n *Names) view() {
	var columns []string
	for _, name := range n.Columns {
		if n.isMetric(name) {
			columns = append(columns, name)
		}
	}
	u := Usual{Chart: "scatter", Family: "ttft"}
	u.Y = first(columns, func(name string) bool { return n.Metrics[name].Better == "higher" })
	if u.Y == "" && len(columns) > 0 {
		u.Y = columns[0]
	}
	u.X = cmp.Or(
		first([]string{"ttft_mean", "tpot_mean", "ttft_p50", "tpot_p50", "e2el_mean"}, n.isMetric),
		first(columns, func(name string) bool { return name != u.Y }),
		u.Y)
	several := func(label string) bool { return len(n.known[label]) > 1 }
	u.By = first([]string{"load", "scenario", "max_concurrency"}, several)
	u.Group = first([]string{"campaign"}, several)
	for _, r := range n.Ranges {
		if len(r.Metrics) > 1 && r.Family != "queue" {
			u.Family = r.Family
			break
		}
	}
	n.Usual = u
}

// swept lists labels that are raised in sweeps, the most important first.
var swept = []string{"max_concurrency", "request_rate", "batch_size"}

// fewestSteps is the minimum number of steps of a curve.
const fewestSteps = 3

// sweeps makes curves the default view if most runs belong to sweeps. The usual axes are throughput per accelerator and
// interactivity; curves are joined along the load.
func (n *Names) sweeps(results []*result.Result) {
	figured := func(label string) bool { return slices.Contains(n.Figured, label) }
	n.Usual.Along = cmp.Or(first(swept, figured), first(n.Figured, figured))
	if !slices.Contains(swept, n.Usual.Along) {
		return
	}
	rest := slices.DeleteFunc(slices.Concat([]string{"campaign", "model"}, n.Conditions), func(label string) bool {
		return slices.Contains([]string{n.Usual.Along, "repeat", "phase", "date", "num_prompts"}, label)
	})
	curve, curves := dataset.Alike(results, rest...)
	step, steps := dataset.Alike(results, append(rest, n.Usual.Along)...)
	counted, apart, runs := make([]bool, steps), make([]int, curves), make([]int, curves)
	along := result.Labelled(n.Usual.Along)
	for i, r := range results {
		if along(r) == "" {
			continue
		}
		runs[curve[i]]++
		if !counted[step[i]] {
			counted[step[i]] = true
			apart[curve[i]]++
		}
	}
	joined := 0
	for i, values := range apart {
		if values >= fewestSteps {
			joined += runs[i]
		}
	}
	x := dataset.Commonest(results, vocabulary.Listed(vocabulary.CurveX))
	y := dataset.Commonest(results, vocabulary.Listed(vocabulary.CurveY))
	if 2*joined > len(results) && x != "" && y != "" {
		n.Usual.Chart, n.Usual.X, n.Usual.Y = "curves", x, y
		n.Usual.By = first([]string{"model"}, func(label string) bool { return len(n.known[label]) > 1 })
	}
}

func (n *Names) isMetric(name string) bool {
	_, known := n.Metrics[name]
	return known
}

// first returns the first name that holds, "" if none does.
func first(names []string, holds func(string) bool) string {
	if i := slices.IndexFunc(names, holds); i >= 0 {
		return names[i]
	}
	return ""
}
