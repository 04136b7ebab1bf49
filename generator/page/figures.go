package page

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// typical finds a metric by its name, or the mean of a latency, or for want of
// that its median.
func typical(r *result.Result, name string) (result.Metric, bool) {
	for _, suffix := range []string{"", "_mean", "_p50"} {
		if m, ok := r.Metric(name + suffix); ok {
			return m, true
		}
	}
	return result.Metric{}, false
}

// headline gives up to n figures.
func headline(r *result.Result, n int) []result.Metric {
	var ms []result.Metric
	for _, name := range vocabulary.Listed(vocabulary.Headline) {
		if m, ok := typical(r, name); ok && len(ms) < n {
			ms = append(ms, m)
		}
	}
	if len(ms) == 0 {
		ms = r.Metrics[:min(n, len(r.Metrics))]
	}
	return ms
}

// digits gives a figure to be read, with commas between its thousands.
func digits(m result.Metric) string { return locale.Group(readable(m).Digits()) }

// readable gives bytes and rates of operations in the unit that data sheets use:
// as data they are plain numbers of ten and more digits.
func readable(m result.Metric) result.Metric {
	switch m.Unit {
	case "B/s":
		m.Value, m.Unit, m.Decimals = m.Value/1e9, "GB/s", 1
	case "B":
		if m.Name == "memory_used_max" { // what others count in bytes may be small
			m.Value, m.Unit, m.Decimals = m.Value/1e9, "GB", 1
		}
	case "FLOP/s":
		m.Value, m.Unit, m.Decimals = m.Value/1e12, "TFLOP/s", 1
	}
	return m
}

// unitOf is what stands behind a figure: a count has none.
func unitOf(m result.Metric) string {
	if m.Unit == "1" {
		return ""
	}
	return readable(m).Unit
}

// group is a set of metrics that belong together; key names it in the catalogue.
type group struct {
	key     string
	metrics []result.Metric
}

// groups sorts metrics that are no statistic of a latency under headings.
func groups(metrics []result.Metric) []group {
	gs := []group{
		vocabulary.Throughput: {key: "page.group.throughput"}, vocabulary.Requests: {key: "page.group.requests"},
		vocabulary.Device: {key: "page.group.device"}, vocabulary.Server: {key: "page.group.server"},
		vocabulary.Quality: {key: "page.group.quality"}, vocabulary.Other: {key: "page.group.other"},
	}
	for _, m := range metrics {
		if _, _, ok := vocabulary.Statistic(m.Name); ok {
			continue
		}
		i := vocabulary.Other
		if known, ok := vocabulary.Lookup(m.Name); ok {
			i = known.Group
		}
		gs[i].metrics = append(gs[i].metrics, m)
	}
	return slices.DeleteFunc(gs, func(g group) bool { return len(g.metrics) == 0 })
}

// latencies lays the latency metrics out as a matrix of families by
// statistics: mean, median and percentiles upwards, then the rest.
type latencies struct {
	families []string
	stats    []string
	cells    []*result.Metric // row by row; nil where the run has no figure
}

// at gives the figure of a family and a statistic, by their indices.
func (l *latencies) at(family, stat int) *result.Metric { return l.cells[family*len(l.stats)+stat] }

func latencyMatrix(metrics []result.Metric) latencies {
	var l latencies
	for i := range metrics {
		family, stat, ok := vocabulary.Statistic(metrics[i].Name)
		if !ok {
			continue
		}
		if !slices.Contains(l.families, family) {
			l.families = append(l.families, family)
		}
		if !slices.Contains(l.stats, stat) {
			l.stats = append(l.stats, stat)
		}
	}
	slices.SortFunc(l.stats, func(a, b string) int { return cmp.Compare(statRank(a), statRank(b)) })
	l.cells = make([]*result.Metric, len(l.families)*len(l.stats))
	for i := range metrics {
		if family, stat, ok := vocabulary.Statistic(metrics[i].Name); ok {
			cell := &l.cells[slices.Index(l.families, family)*len(l.stats)+slices.Index(l.stats, stat)]
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

// statName heads a column of the matrix: "mean", "P99.9".
func statName(stat string, p locale.Printer) string {
	if key := "page.stat." + stat; p.Has(key) {
		return p.Words(key)
	}
	return "P" + strings.ReplaceAll(strings.TrimPrefix(stat, "p"), "_", ".")
}

// runName is what a run is called in lists: its model, for want of it the end
// of its id.
func runName(r *result.Result) string {
	if m := r.Labels.Get("model"); m != "" {
		return m
	}
	return r.ID[strings.LastIndexByte(r.ID, '/')+1:]
}

// campaign is the group a run is listed under: the label, or the first folder.
func campaign(r *result.Result) string {
	if c := r.Labels.Get("campaign"); c != "" {
		return c
	}
	c, _, _ := strings.Cut(r.ID, "/")
	return c
}

// loadName words what a run was put under: the name of its load or scenario,
// or its concurrency or rate.
func loadName(r *result.Result, l *language) string {
	if label, v := loadLabel(r); v != "" {
		return l.value(label, v)
	}
	if c := r.Labels.Get("max_concurrency"); c != "" {
		return l.printer.Words("page.concurrency", c)
	}
	if c := r.Labels.Get("request_rate"); c != "" {
		return l.printer.Label("request_rate") + " " + c
	}
	return ""
}
