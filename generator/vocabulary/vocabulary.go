// Package vocabulary is the one table of what benchpost measures: a row a
// metric, with its unit, its better direction, its words in both languages,
// its definition, where it is shown unless somebody asks for something else,
// and the formula it is derived by where no tool reports it.
//
// Everything that lists metrics ranges over it: the views of a site, the
// comparison of two sets, the checks, the methodology page and their tests.
// To add a metric, add its row to metrics.go.
//
// A latency has one row for all of its statistics: ttft means ttft_mean,
// ttft_p99, ttft_p99_9 and so on.
//
//	d, ok := vocabulary.Define("ttft_p99")             // ms, lower is better
//	family, stat, ok := vocabulary.Statistic("ttft_p99") // "ttft", "p99"
//	for _, name := range vocabulary.Listed(vocabulary.Compared) { … }
package vocabulary

import (
	"cmp"
	"slices"
	"strings"
)

// Better is the direction of a metric that is good.
type Better int8

const (
	Neutral Better = iota
	Higher
	Lower
)

// String returns the word of the results document.
func (b Better) String() string {
	return [...]string{"", "higher", "lower"}[b]
}

// Words are a text in both languages. A row that lacks one of them does not
// compile, as literals name no fields.
type Words struct{ English, Chinese string }

// Metric is a row of the table: a metric, or a latency with all its statistics.
type Metric struct {
	Name   string
	Unit   string // "1" for a count; "" where each value has its own
	Better Better
	Family bool  // members carry a statistic as suffix
	Group  Group // heading on the pages of runs
	Speed  bool  // clocks that are held down and other load change it

	Words    Words    // the reader's name
	Means    Words    // the definition
	Formulas []string // how it follows from others, by what is there
	Sources  []string // works that the definition follows, by their keys in the catalogue
	Places   []Place
}

// Group is the heading under which a metric is shown.
type Group int8

const (
	Latency Group = iota
	Throughput
	Requests
	Device
	Server
	Quality
	Other
)

// Place is a rank in a list of metrics that are shown unless others are named.
type Place struct {
	List      List
	Rank      int    // lower is earlier; unique in its list
	Statistic string // of a family; "" for its mean or, failing that, its median
}

// List is a list of metrics that are shown unless others are named.
type List int8

const (
	View     List = iota // tables and charts of an overview: the first few that its runs have
	Compared             // of two sets; p99 means the highest percentile that both sides have
	Headline             // by which a run is summarised: the first that it has
	Column               // of a table of runs
	Console              // of the table on a terminal
	CurveX               // of a trade-off: what one user gets
	CurveY               // and what the machine yields
)

// Definition is unit and direction of a name.
type Definition struct {
	Unit   string
	Better Better
}

// Metrics are the rows: the latencies, then the others in their order.
func Metrics() []Metric { return slices.Clone(metrics) }

// Lookup finds the row of a metric without a statistic, or of a family.
func Lookup(name string) (Metric, bool) {
	i, ok := rows[name]
	if !ok {
		return Metric{}, false
	}
	return metrics[i], true
}

// Define returns unit and direction of a metric, and whether the name is in the
// vocabulary. A family alone is no metric; a standard deviation has no better
// direction.
func Define(name string) (Definition, bool) {
	stat := ""
	if family, s, ok := Statistic(name); ok {
		name, stat = family, s
	}
	m, ok := Lookup(name)
	switch {
	case !ok || m.Family && stat == "":
		return Definition{}, false
	case stat == "std":
		return Definition{m.Unit, Neutral}, true
	}
	return Definition{m.Unit, m.Better}, true
}

// Cost reports whether the unit of a metric has the currency of a price that the site declares.
func Cost(name string) bool {
	return strings.HasPrefix(name, "cost_per_") || name == "output_tokens_per_currency"
}

// Names are the metrics that are no statistic of a latency, sorted.
func Names() []string {
	var names []string
	for i := range metrics {
		if !metrics[i].Family {
			names = append(names, metrics[i].Name)
		}
	}
	slices.Sort(names)
	return names
}

// Families are the latencies, each of which has its statistics.
func Families() []string { return slices.Clone(families) }

// Speeds are the metrics and families that clocks and other load change.
func Speeds() []string {
	var names []string
	for i := range metrics {
		if metrics[i].Speed {
			names = append(names, metrics[i].Name)
		}
	}
	return names
}

// Listed are the metrics of a list in their order: "output_throughput",
// "ttft_p99", or a family where the list has no statistic of it.
func Listed(list List) []string {
	type entry struct {
		rank int
		name string
	}
	var entries []entry
	for i := range metrics {
		for _, p := range metrics[i].Places {
			if p.List != list {
				continue
			}
			name := metrics[i].Name
			if p.Statistic != "" {
				name += "_" + p.Statistic
			}
			entries = append(entries, entry{p.Rank, name})
		}
	}
	slices.SortFunc(entries, func(a, b entry) int { return cmp.Compare(a.rank, b.rank) })
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

// Statistic splits a latency metric into family and statistic:
// "ttft_p99_9" gives "ttft", "p99_9".
func Statistic(name string) (family, stat string, ok bool) {
	if name == "" {
		return "", "", false
	}
	for _, f := range familiesBy[name[0]] {
		if len(name) <= len(f)+1 || name[len(f)] != '_' || name[:len(f)] != f {
			continue
		}
		rest := name[len(f)+1:]
		switch rest {
		case "mean", "std", "min", "max":
			return f, rest, true
		}
		if isPercentile(rest) {
			return f, rest, true
		}
	}
	return "", "", false
}

// isPercentile accepts p50, p99 and p99_9.
func isPercentile(s string) bool {
	digits, ok := strings.CutPrefix(s, "p")
	if !ok {
		return false
	}
	whole, frac, hasFrac := strings.Cut(digits, "_")
	return allDigits(whole) && (!hasFrac || allDigits(frac))
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// rows are the indices of the table by name.
var rows = func() map[string]int {
	index := make(map[string]int, len(metrics))
	for i := range metrics {
		index[metrics[i].Name] = i
	}
	return index
}()

// familiesBy are the families by their first letters.
var familiesBy = func() (by [256][]string) {
	for _, f := range families {
		by[f[0]] = append(by[f[0]], f)
	}
	return by
}()

// families are the names of the latencies, in the order of the table.
var families = func() []string {
	var names []string
	for i := range metrics {
		if metrics[i].Family {
			names = append(names, metrics[i].Name)
		}
	}
	return names
}()
