// Package vocabulary is the table of everything benchpost measures. Each metric has a row with its unit, its
// better direction, its words in both languages, its definition, the lists that show it by default, and the
// formula that derives it when no tool reports it.
//
// All code that lists metrics uses this table: the views of a site, the comparison of two sets, the checks, the
// methodology page and their tests. To add a metric, add its row to metrics.go.
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

// Better is the better direction of a metric.
type Better int8

const (
	Neutral Better = iota
	Higher
	Lower
)

// String returns the word that the results document uses.
func (b Better) String() string {
	return [...]string{"", "higher", "lower"}[b]
}

// Words is a text in both languages. Literals omit the field names, so a row that lacks one language does not
// compile.
type Words struct{ English, Chinese string }

// Metric is a row of the table: a metric, or a latency with all its statistics.
type Metric struct {
	Name   string
	Unit   string // "1" for a count; "" if each value has its own unit
	Better Better
	Family bool  // a latency: its metrics have a statistic as suffix
	Group  Group // heading on pages of runs
	Speed  bool  // depends on clocks and on other load

	Words    Words    // displayed name
	Means    Words    // definition
	Formulas []string // formulas that derive it; which one applies depends on the metrics that are known
	Sources  []string // works that the definition follows, as keys of the catalogue
	Places   []Place
}

// Group is the heading under which a metric is displayed.
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

// Place is the rank of a metric in a list.
type Place struct {
	List      List
	Rank      int    // lower comes first; unique in its list
	Statistic string // for a family; "" means its mean or, if there is none, its median
}

// List is a list of metrics that are shown by default.
type List int8

const (
	View     List = iota // tables and charts of an overview: the first few that its runs have
	Compared             // the comparison of two sets; p99 means the highest percentile that both sets have
	Headline             // the summary of a run: the first that it has
	Column               // columns of a table of runs
	Console              // columns of the table on a terminal
	CurveX               // x axis of a trade-off: performance for one user
	CurveY               // y axis of a trade-off: performance of the machine
)

// Definition is the unit and the better direction of a metric.
type Definition struct {
	Unit   string
	Better Better
}

// Metrics returns the rows of the table: the latencies, then the other metrics in their order.
func Metrics() []Metric { return slices.Clone(metrics) }

// Lookup returns the row of a family, or of a metric that is not a statistic.
func Lookup(name string) (Metric, bool) {
	i, ok := rows[name]
	if !ok {
		return Metric{}, false
	}
	return metrics[i], true
}

// Define returns the unit and better direction of a metric, and whether the vocabulary has it. A family without
// a statistic is not a metric. A standard deviation has no better direction.
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

// Cost reports whether the unit of a metric contains the currency of the price that the site declares.
func Cost(name string) bool {
	return strings.HasPrefix(name, "cost_per_") || name == "output_tokens_per_currency"
}

// Names returns the metrics that are not statistics of a latency, sorted.
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

// Families returns the names of the latencies.
func Families() []string { return slices.Clone(families) }

// Speeds returns the metrics and families that depend on clocks and other load.
func Speeds() []string {
	var names []string
	for i := range metrics {
		if metrics[i].Speed {
			names = append(names, metrics[i].Name)
		}
	}
	return names
}

// Listed returns the metrics of a list in order. An entry is a metric such as "output_throughput" or
// "ttft_p99", or a family if the list names no statistic.
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

// isPercentile reports whether s is a percentile such as p50, p99 or p99_9.
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

// rows maps names to indices of the table.
var rows = func() map[string]int {
	index := make(map[string]int, len(metrics))
	for i := range metrics {
		index[metrics[i].Name] = i
	}
	return index
}()

// familiesBy lists the families by their first letter.
var familiesBy = func() (by [256][]string) {
	for _, f := range families {
		by[f[0]] = append(by[f[0]], f)
	}
	return by
}()

// families lists the names of the latencies in the order of the table.
var families = func() []string {
	var names []string
	for i := range metrics {
		if metrics[i].Family {
			names = append(names, metrics[i].Name)
		}
	}
	return names
}()
