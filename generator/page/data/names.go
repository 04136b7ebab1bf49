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

// Names are what a page passes its scripts about results: everything that
// depends on the language or on the site's configuration.
type Names struct {
	Data       []string                     `json:"data"`              // names of the data scripts
	Root       string                       `json:"root"`              // leads to the site's root
	Home       string                       `json:"home"`              // leads to the language's folder
	Paths      map[string]string            `json:"paths"`             // of runs whose id is not their path
	Labels     map[string]string            `json:"labels"`            // titles
	Values     map[string]map[string]string `json:"values"`            // words for values, where they have any
	Orders     map[string][]string          `json:"orders"`            // of values that are not sorted by name
	Styles     map[string]map[string]int    `json:"styles"`            // colours and shapes of values in charts
	Colours    int                          `json:"colours"`           // how many colours series have before shapes distinguish them
	Units      map[string]string            `json:"units"`             // of labels that are figures
	Metrics    map[string]MetricName        `json:"metrics"`           // by name
	Families   map[string]string            `json:"families"`          // names of latencies without a statistic
	Groups     []MetricGroup                `json:"groups"`            // of metrics, in the order in which they are offered
	Columns    []string                     `json:"columns"`           // labels and metrics shown unless the reader chooses
	Offered    []string                     `json:"offered"`           // labels with several values, in the order in which they are offered
	Figured    []string                     `json:"figured"`           // those of them that hold several figures
	Ranges     []Range                      `json:"ranges"`            // latencies with the statistics that range dots show
	Usual      Usual                        `json:"usual"`             // what the explorer shows before the reader chooses
	Settings   []string                     `json:"settings"`          // labels in which runs have to agree to be compared
	Noise      float64                      `json:"noise"`             // relative difference that single runs do not show
	Limits     map[string]string            `json:"limits"`            // of the site's SLO
	Bases      map[string]string            `json:"bases,omitempty"`   // base models of models, where they are known
	Workload   []string                     `json:"workload"`          // labels that runs on one frontier agree in
	Conditions []string                     `json:"conditions"`        // labels that distinguish conditions, in their order
	Compare    *Comparing                   `json:"compare,omitempty"` // where runs are side by side

	known map[string]map[string]bool // of a label the values, and whether they hold a figure
	first map[*result.Result]bool    // the first results of all metrics, by which these are named
}

// Comparing is how the script of a page compares runs: the rules of package compare, and the names that its
// sentence has.
type Comparing struct {
	compare.Rules
	Inside map[string]string `json:"inside"` // of metrics and settings, inside a sentence
}

// CompareBy has the script compare runs by a site's options.
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

// Range is a latency and the metrics that are its statistics.
type Range struct {
	Family  string   `json:"family"`
	Metrics []string `json:"metrics"`
}

// Usual is a view of the explorer: its kind of chart, the metrics or labels on its axes,
// the label that curves run along, the label that series are made of, the label that rows
// are grouped by, and a latency.
type Usual struct {
	Chart  string `json:"chart"`
	X      string `json:"x"`
	Y      string `json:"y"`
	Along  string `json:"along"` // "" if no label has several figures
	By     string `json:"by"`
	Group  string `json:"group"`
	Family string `json:"family"`
}

// MetricName is what a metric is called, and how it is shown.
type MetricName struct {
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Better string `json:"better,omitempty"`
	// Of values in a unit that is shown as another: what they are divided by,
	// and the decimals shown.
	Per      float64 `json:"per,omitempty"`
	Decimals int     `json:"decimals,omitempty"`
}

// MetricGroup is metrics under a heading.
type MetricGroup struct {
	Title   string   `json:"title"`
	Metrics []string `json:"metrics"`
}

// Choices are what the configuration of a site says of showing and comparing
// results; each may be nil.
type Choices struct {
	Orders   map[string][]string       // of the values of labels that are not sorted by name
	Styles   map[string]map[string]int // colours and shapes of values in charts
	Settings []string                  // labels in which runs have to agree to be compared
	Colours  int                       // how many colours series of charts have before shapes distinguish them
	Noise    float64                   // relative difference that single runs do not show
	Limits   map[string]string         // of the site's SLO
}

// On returns the names as a page has them from which root and home lead to the site's
// root and to its language's folder.
func (n *Names) On(root, home string) *Names {
	own := *n
	own.Root, own.Home, own.Metrics = root, home, maps.Clone(n.Metrics)
	return &own
}

// NamesOf collects the names of what is in some results, of no page yet; the book has the
// paths of the results.
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
	if n.Labels["weight_size"] == "" { // a column of the advisor's, whether runs have it or not
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

// Holds reports whether the names are those of other results, too, which are in order and have the
// dataset.SameTerms as those that the names are of.
func (n *Names) Holds(results []*result.Result) bool {
	for r := range n.first {
		if i, ok := slices.BinarySearchFunc(results, r, result.Compare); !ok || results[i] != r {
			return false
		}
	}
	return true
}

// orEmpty is a map that JSON writes as an object.
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

// group sorts the metrics under the headings of a run's page, latencies by
// family and statistic.
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

// usual are the columns of a table of runs: what distinguishes them, and the
// usual figures.
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

// mostConditions are the labels beside model and load that the explorer shows until the reader
// chooses, unless it takes more to tell runs apart.
const mostConditions = 2

// offer lists the labels that readers choose from: those that tell runs apart
// first, the others by their titles.
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

// ranges finds the latencies of which there are statistics.
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

// view chooses what the explorer shows first: what is better the higher over a
// latency, both of them columns where there are any.
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

// swept are labels that a load is raised along, the most telling first.
var swept = []string{"max_concurrency", "request_rate", "batch_size"}

// fewestSteps make a curve.
const fewestSteps = 3

// sweeps has the explorer begin with curves if most runs belong to sweeps: throughput
// per accelerator against interactivity, joined along the load.
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

// first is the first of some names that holds, "" when none does.
func first(names []string, holds func(string) bool) string {
	if i := slices.IndexFunc(names, holds); i >= 0 {
		return names[i]
	}
	return ""
}
