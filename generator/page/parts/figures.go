package parts

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/magnitude"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Typical returns a metric by its name. For a latency it returns the mean, or else the median.
func Typical(r *result.Result, name string) (result.Metric, bool) {
	names, listed := usualNames()[name]
	if !listed {
		names = typicalNames(name)
	}
	for _, name := range names {
		if m, ok := r.Metric(name); ok {
			return m, true
		}
	}
	return result.NoMetric, false
}

// typicalNames returns the names that Typical looks up for a metric.
func typicalNames(name string) [3]string { return [3]string{name, name + "_mean", name + "_p50"} }

// usualNames caches the names for metrics that are looked up in every run.
var usualNames = sync.OnceValue(func() map[string][3]string {
	names := map[string][3]string{}
	for _, name := range slices.Concat(vocabulary.Listed(vocabulary.Headline), vocabulary.Listed(vocabulary.Column)) {
		names[name] = typicalNames(name)
	}
	return names
})

var headline = vocabulary.Listed(vocabulary.Headline)

// Headline returns up to n leading figures.
func Headline(r *result.Result, n int) []result.Metric {
	var ms []result.Metric
	for _, name := range headline {
		if m, ok := Typical(r, name); ok && len(ms) < n {
			ms = append(ms, m)
		}
	}
	if len(ms) == 0 {
		ms = r.Metrics[:min(n, len(r.Metrics))]
	}
	return ms
}

// Digits returns a figure as text, with commas between thousands.
func Digits(m result.Metric) string { return locale.Group(Readable(m).Digits()) }

// Readable converts bytes and operation rates to the unit used in data sheets. As data they are plain numbers with ten
// or more digits.
func Readable(m result.Metric) result.Metric {
	sheet, ok := magnitude.Sheet(m.Unit)
	if !ok || m.Unit == "B" && m.Name != "memory_used_max" { // other metrics in bytes may be small
		return m
	}
	m.Value, m.Kind, m.Decimals = sheet.Of(m.Value), m.With(func(k *result.Kind) { k.Unit = sheet.Name }), 1
	return m
}

// UnitOf returns the unit written after a figure: "" for a count.
func UnitOf(m result.Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return Readable(m).Unit
}

// Group is a group of related metrics. Key is its message key.
type Group struct {
	Key     string
	Metrics []result.Metric
}

// Groups groups metrics under headings. It skips statistics of latencies.
func Groups(metrics []result.Metric) []Group {
	gs := []Group{
		vocabulary.Throughput: {Key: "page.group.throughput"}, vocabulary.Requests: {Key: "page.group.requests"},
		vocabulary.Device: {Key: "page.group.device"}, vocabulary.Server: {Key: "page.group.server"},
		vocabulary.Quality: {Key: "page.group.quality"}, vocabulary.Other: {Key: "page.group.other"},
	}
	for _, m := range metrics {
		if _, _, ok := vocabulary.Statistic(m.Name); ok {
			continue
		}
		i := vocabulary.Other
		if known, ok := vocabulary.Lookup(m.Name); ok {
			i = known.Group
		}
		gs[i].Metrics = append(gs[i].Metrics, m)
	}
	return slices.DeleteFunc(gs, func(g Group) bool { return len(g.Metrics) == 0 })
}

// Latencies is a matrix of the latency metrics: families by statistics. The statistics are the mean, then the median
// and percentiles in ascending order, then the others.
type Latencies struct {
	Families []string
	Stats    []string
	Cells    []*result.Metric // row by row; nil if the run has no figure
}

// At returns the figure of a family and a statistic, by their indices.
func (l *Latencies) At(family, stat int) *result.Metric { return l.Cells[family*len(l.Stats)+stat] }

func LatencyMatrix(metrics []result.Metric) Latencies {
	var l Latencies
	for i := range metrics {
		family, stat, ok := vocabulary.Statistic(metrics[i].Name)
		if !ok {
			continue
		}
		if !slices.Contains(l.Families, family) {
			l.Families = append(l.Families, family)
		}
		if !slices.Contains(l.Stats, stat) {
			l.Stats = append(l.Stats, stat)
		}
	}
	slices.SortFunc(l.Stats, func(a, b string) int { return cmp.Compare(statRank(a), statRank(b)) })
	l.Cells = make([]*result.Metric, len(l.Families)*len(l.Stats))
	for i := range metrics {
		if family, stat, ok := vocabulary.Statistic(metrics[i].Name); ok {
			cell := &l.Cells[slices.Index(l.Families, family)*len(l.Stats)+slices.Index(l.Stats, stat)]
			if *cell == nil {
				*cell = &metrics[i]
			}
		}
	}
	return l
}

// statRank orders statistics: mean, p50, p90, p99, p99_9, min, max, std.
func statRank(stat string) float64 {
	switch stat {
	case "mean":
		return -1
	case "min":
		return 101
	case "max":
		return 102
	case "std":
		return 103
	}
	q, _ := strconv.ParseFloat(strings.ReplaceAll(strings.TrimPrefix(stat, "p"), "_", "."), 64)
	return q
}

// StatName returns the heading of a column of the matrix: "mean", "P99.9".
func StatName(stat string, p locale.Printer) string {
	if key := "page.stat." + stat; p.Has(key) {
		return p.Words(key)
	}
	return "P" + strings.ReplaceAll(strings.TrimPrefix(stat, "p"), "_", ".")
}

// RunName returns the name of a run in lists: its model, or else the end of its id.
func RunName(r *result.Result) string {
	if m := r.Label("model"); m != "" {
		return m
	}
	return r.ID[strings.LastIndexByte(r.ID, '/')+1:]
}

// Campaign returns the group under which a run is listed: the label campaign, or else the first folder of the id.
func Campaign(r *result.Result) string {
	if c := r.Label("campaign"); c != "" {
		return c
	}
	c, _, _ := strings.Cut(r.ID, "/")
	return c
}
