package data

import (
	"slices"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// Names are what a page passes its scripts about results: everything that
// depends on the language or on the site's configuration.
type Names struct {
	Data       []string                     `json:"data"`       // names of the data scripts
	Root       string                       `json:"root"`       // leads to the site's root
	Home       string                       `json:"home"`       // leads to the language's folder
	Paths      map[string]string            `json:"paths"`      // of runs whose id is not their path
	Labels     map[string]string            `json:"labels"`     // titles
	Values     map[string]map[string]string `json:"values"`     // words for values, where they have any
	Orders     map[string][]string          `json:"orders"`     // of values that are not sorted by name
	Styles     map[string]map[string]int    `json:"styles"`     // colours and shapes of values in charts
	Colours    int                          `json:"colours"`    // how many colours series have before shapes distinguish them
	Units      map[string]string            `json:"units"`      // of labels that are figures
	Metrics    map[string]MetricName        `json:"metrics"`    // by name
	Families   map[string]string            `json:"families"`   // names of latencies without a statistic
	Groups     []MetricGroup                `json:"groups"`     // of metrics, in the order in which they are offered
	Columns    []string                     `json:"columns"`    // labels and metrics shown unless the reader chooses
	Settings   []string                     `json:"settings"`   // labels in which runs have to agree to be compared
	Noise      float64                      `json:"noise"`      // relative difference that single runs do not show
	Limits     map[string]string            `json:"limits"`     // of the site's SLO
	Conditions []string                     `json:"conditions"` // labels that distinguish conditions, in their order
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

// NamesOf collects the names of what is in some results. Root and home lead from
// the page to the site's root and to its language's folder.
func NamesOf(results []*result.Result, reader *parts.Reader, root, home string, c Choices) *Names {
	n := &Names{
		Root: root, Home: home, Data: []string{}, Paths: map[string]string{},
		Labels: map[string]string{}, Values: map[string]map[string]string{}, Orders: map[string][]string{}, Units: map[string]string{},
		Styles: orEmpty(c.Styles), Colours: c.Colours, Metrics: map[string]MetricName{}, Families: map[string]string{}, Groups: []MetricGroup{}, Columns: []string{},
		Settings: append([]string{}, c.Settings...), Conditions: parts.Distinguishing, Noise: c.Noise, Limits: orEmpty(c.Limits),
	}
	var all []result.Metric
	for _, g := range Groups(results) {
		n.Data = append(n.Data, Columns(g.Name))
		for _, r := range g.Runs {
			if path := address.FileName(r.ID); path != r.ID {
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
	return n
}

// orEmpty is a map that JSON writes as an object.
func orEmpty[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (n *Names) label(l *parts.Reader, name, value string) {
	if _, known := n.Labels[name]; !known {
		n.Labels[name] = l.Printer.Label(name)
	}
	if title := l.Value(name, value); title != value {
		if n.Values[name] == nil {
			n.Values[name] = map[string]string{}
		}
		n.Values[name][value] = title
	}
	if _, unit, ok := dataset.LabelFigure(name, value); ok && unit != "" {
		n.Units[name] = unit
	}
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
	t := parts.RunTable{Runs: rs, L: l, Figures: 8}
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
		if len(n.Columns) < 4 && name != "scenario" {
			n.Columns = append(n.Columns, name)
		}
	}
	for _, m := range t.Columns() {
		n.Columns = append(n.Columns, m.Name)
	}
}
