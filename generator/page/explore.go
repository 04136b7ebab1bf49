package page

import (
	"slices"
	"strings"

	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/export"
	"github.com/benchpost/benchpost/generator/page/address"
	"github.com/benchpost/benchpost/generator/page/parts"
	"github.com/benchpost/benchpost/generator/result"
)

// What the pages that compare results read: for each campaign its results as
// columns (export.ColumnData), and in the page itself, in its language, the
// names of all that stands in them.

// columnsName is a campaign's data script: the name of its data, and with data/
// before and .js behind its path.
func columnsName(group string) string {
	return "results/" + strings.TrimSuffix(address.JSON(group), ".json")
}

func columnsPath(group string) string { return "data/" + columnsName(group) + ".js" }

// columnScript makes the data script of a campaign.
func (b *builder) columnScript(c runGroup) []file {
	data := export.ColumnData(c.runs, b.apart)
	return []file{{columnsPath(c.name), dataScript(columnsName(c.name), data)}}
}

// apart tells of results that are no measurement of their own.
func (b *builder) apart(r *result.Result) bool { return b.Apart != nil && b.Apart(r) }

// dataGroups divides the results by the document they stand in.
func (b *builder) dataGroups() []runGroup { return runsBy(b.results, dataGroup) }

// names are what a page tells its scripts about results: everything that
// depends on the language or on the site's configuration.
type names struct {
	Data       []string                     `json:"data"`       // names of the data scripts
	Root       string                       `json:"root"`       // leads to the site's root
	Home       string                       `json:"home"`       // leads to the language's folder
	Paths      map[string]string            `json:"paths"`      // of runs whose id is not their path
	Labels     map[string]string            `json:"labels"`     // titles
	Values     map[string]map[string]string `json:"values"`     // words for values, where they have any
	Orders     map[string][]string          `json:"orders"`     // of values that are not sorted by name
	Styles     map[string]map[string]int    `json:"styles"`     // colours and shapes of values in charts
	Colours    int                          `json:"colours"`    // how many colours series have before shapes tell them apart
	Units      map[string]string            `json:"units"`      // of labels that hold figures
	Metrics    map[string]metricName        `json:"metrics"`    // by name
	Families   map[string]string            `json:"families"`   // names of latencies without a statistic
	Groups     []metricGroup                `json:"groups"`     // of metrics, in the order in which they are offered
	Columns    []string                     `json:"columns"`    // labels and metrics shown unless the reader chooses
	Settings   []string                     `json:"settings"`   // labels in which runs have to agree to be compared
	Noise      float64                      `json:"noise"`      // relative difference that single runs do not tell
	Limits     map[string]string            `json:"limits"`     // of the site's SLO
	Conditions []string                     `json:"conditions"` // labels that tell conditions apart, in their order
}

type metricName struct {
	Title  string `json:"title"`
	Unit   string `json:"unit,omitempty"`
	Better string `json:"better,omitempty"`
	// Of values in a unit that is shown as another: what they are divided by,
	// and the decimals shown.
	Per      float64 `json:"per,omitempty"`
	Decimals int     `json:"decimals,omitempty"`
}

type metricGroup struct {
	Title   string   `json:"title"`
	Metrics []string `json:"metrics"`
}

// namesOf collects the names of what stands in some results.
func (v *composer) namesOf() *names {
	n := &names{
		Root: address.Root(v.l.dir + v.pg.path), Home: v.pg.home, Data: []string{}, Paths: map[string]string{},
		Labels: map[string]string{}, Values: map[string]map[string]string{}, Orders: map[string][]string{}, Units: map[string]string{},
		Styles: orEmpty(v.Styles), Colours: v.Colours, Metrics: map[string]metricName{}, Families: map[string]string{}, Groups: []metricGroup{}, Columns: []string{},
		Settings: append([]string{}, v.Settings...), Conditions: parts.Distinguishing, Noise: v.Noise, Limits: orEmpty(v.Limits),
	}
	var all []result.Metric
	for _, g := range v.dataGroups() {
		n.Data = append(n.Data, columnsName(g.name))
		for _, r := range g.runs {
			if path := address.FileName(r.ID); path != r.ID {
				n.Paths[r.ID] = path
			}
			for name, value := range r.Labels.Values() {
				n.label(v.l, name, value)
			}
			n.label(v.l, "tool", r.Label("tool"))
			n.label(v.l, "format", r.Format)
			for _, m := range r.Metrics {
				if _, known := n.Metrics[m.Name]; known {
					continue
				}
				shown := parts.Readable(m)
				name := metricName{Title: v.l.Printer.Metric(m.Name), Unit: parts.UnitOf(m), Better: m.Better.String()}
				if shown.Unit != m.Unit {
					name.Per, name.Decimals = m.Value/shown.Value, int(shown.Decimals)
				}
				n.Metrics[m.Name] = name
				all = append(all, m)
			}
		}
	}
	if n.Labels["weight_size"] == "" { // a column of the advisor's, whether runs tell it or not
		n.Labels["weight_size"] = v.l.Printer.Label("weight_size")
	}
	for name := range n.Labels {
		if order := v.Orders[name]; len(order) > 0 {
			n.Orders[name] = order
		}
	}
	n.group(v.l, all)
	n.usual(v.l, v.results)
	return n
}

// orEmpty is a map that JSON writes as an object.
func orEmpty[K comparable, V any](m map[K]V) map[K]V {
	if m == nil {
		return map[K]V{}
	}
	return m
}

func (n *names) label(l *language, name, value string) {
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
func (n *names) group(l *language, all []result.Metric) {
	latency := metricGroup{Title: l.Printer.Words("page.group.latency")}
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
		one := metricGroup{Title: l.Printer.Words(g.Key)}
		for _, m := range g.Metrics {
			one.Metrics = append(one.Metrics, m.Name)
		}
		n.Groups = append(n.Groups, one)
	}
	if len(latency.Metrics) > 0 {
		n.Groups = slices.Insert(n.Groups, min(1, len(n.Groups)), latency)
	}
}

// usual are the columns of a table of runs: what tells them apart, and the
// usual figures.
func (n *names) usual(l *language, rs []*result.Result) {
	t := parts.RunTable{Runs: rs, L: &l.Reader, Figures: 8}
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
