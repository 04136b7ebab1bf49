package report

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/stats"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Rules are the thresholds by which something is said.
type Rules struct {
	Noise   float64 // relative difference below which two single runs are not ranked
	Outlier float64 // how many times the median of the others a figure has to be to stand apart
	Limit   float64 // share of the memory bandwidth from which a variant is at the limit of its machine
}

// DefaultRules are the thresholds of a site that sets none.
var DefaultRules = Rules{Noise: 0.03, Outlier: 3, Limit: 0.85}

// field is a set of runs laid out for comparison: variants by loads.
type field struct {
	d        *Data
	runs     []*result.Result
	rows     string // label of the variants
	load     string // label of the loads, "" when the runs have none
	loads    []string
	variants []group
	base     int // index of the baseline among the variants, −1 when none
	judge    map[string]string
}

// reading is the figure of one variant at one load.
type reading struct {
	figure
	variant int
}

// lay makes a field. It is a problem when a baseline matches no variant or
// several.
func (d *Data) lay(rs []*result.Result, rows, load, baseline string, judge map[string]string) (*field, error) {
	f := &field{d: d, runs: rs, rows: rows, load: load, base: -1, judge: judge}
	f.loads = []string{""}
	if load != "" {
		f.loads = d.values(rs, load)
	}
	f.variants = d.groups(having(rs, rows), []string{rows})
	for _, l := range slices.Sorted(maps.Keys(judge)) {
		if load == "" || !slices.Contains(f.loads, l) {
			return nil, about("judge", lack("values of "+load+": "+shorten(f.loads, 12), "judge names %q, which no selected run has", l))
		}
		if direction(rs, judge[l]) == result.Neutral {
			if metric, _ := known(rs, judge[l]); !metric {
				return nil, about("judge", unknownName(rs, judge[l]))
			}
			return nil, about("judge", problem("as output_throughput, tpot_mean or ttft_p99", "%q has no better direction, so that it decides nothing", judge[l]))
		}
	}
	if baseline == "" {
		return f, nil
	}
	sel, err := result.ParseSelector(baseline)
	if err != nil {
		return nil, about("baseline", problem(`as baseline = '{model="…"}'`, "the selector %s is wrong: %v", baseline, err))
	}
	for i, g := range f.variants {
		if !slices.ContainsFunc(g.runs, sel.Match) {
			continue
		}
		if f.base >= 0 {
			return nil, about("baseline", lack("it matches "+f.variants[f.base].values[0]+" and "+g.values[0]+", perhaps more",
				"the baseline %s is more than one row", baseline))
		}
		f.base = i
	}
	if f.base < 0 {
		return nil, about("baseline", lack("the baseline has to be among the selected runs", "no row matches the baseline %s", baseline))
	}
	return f, nil
}

// mixed tells of a cell of the field that holds runs which are no repeats of
// one another, nil when every cell is of one kind.
func (f *field) mixed() error {
	for _, g := range f.variants {
		for _, load := range f.loads {
			if err := repeats(f.at(g, load), place([]string{f.rows, f.load}, []string{g.values[0], load})); err != nil {
				return err
			}
		}
	}
	return nil
}

// at gives the runs of a variant at a load.
func (f *field) at(g group, load string) []*result.Result {
	if f.load == "" {
		return g.runs
	}
	return withLabel(g.runs, f.load, load)
}

func (f *field) name(i int) locale.Text { return f.d.title(f.rows, f.variants[i].values[0]) }

// loadTitle names a load. What no words were given for is named with its label:
// concurrency 8.
func (f *field) loadTitle(load string) locale.Text {
	title := f.d.title(f.load, load)
	if f.load == "load" || f.load == "scenario" {
		return title
	}
	return locale.T("finding.held", locale.LabelName(f.load), title)
}

// loadName is the name of a load inside a sentence.
func (f *field) loadName(load string) locale.Text {
	return locale.Inside(f.loadTitle(load))
}

// decides gives the metric that decides at a load: what the author says, TPOT
// of a single stream, else output throughput; where no run of the load has it,
// the rate of one stream, as llama-bench gives it.
func (f *field) decides(load string) string {
	if m := f.judge[load]; m != "" {
		return m
	}
	usual := "output_throughput"
	if f.alone(load) {
		usual = "tpot_mean"
	}
	for _, m := range []string{usual, "output_throughput", "decode_throughput"} {
		for _, g := range f.variants {
			if _, ok := figureOf(f.at(g, load), m); ok {
				return m
			}
		}
	}
	return usual
}

// direction tells which way a metric is better in the runs that have it.
func direction(rs []*result.Result, metric string) result.Better {
	for _, r := range rs {
		if m, ok := r.Metric(metric); ok {
			return m.Better
		}
	}
	d, _ := vocabulary.Define(metric)
	return d.Better
}

// alone tells whether every run of a load has one request in flight.
func (f *field) alone(load string) bool {
	any := false
	for _, g := range f.variants {
		for _, r := range f.at(g, load) {
			done, _ := r.Metric("requests_completed")
			if r.Labels.Get("max_concurrency") != "1" && done.Value != 1 {
				return false
			}
			any = true
		}
	}
	return any
}

// readings gives the figures of a metric at a load, in the order of the
// variants: those that hold, and those that are set aside.
func (f *field) readings(load, metric string) (sound, aside []reading) {
	for i, g := range f.variants {
		v, ok := figureOf(f.at(g, load), metric)
		if !ok {
			continue
		}
		if s := (reading{v, i}); v.excluded() {
			aside = append(aside, s)
		} else {
			sound = append(sound, s)
		}
	}
	return sound, aside
}

// ranked gives readings from the best to the worst.
func ranked(ss []reading) []reading {
	out := slices.Clone(ss)
	slices.SortStableFunc(out, func(a, b reading) int {
		if better(a.metric.Better, a.metric.Value, b.metric.Value) {
			return -1
		}
		if better(a.metric.Better, b.metric.Value, a.metric.Value) {
			return 1
		}
		return 0
	})
	return out
}

// alike tells whether two figures can not be told apart.
func (d *Data) alike(a, b figure) bool {
	return a.metric.Value == b.metric.Value || stats.Compare(a.values, b.values, d.rules().Noise).Verdict == stats.Same
}

func (d *Data) rules() Rules {
	if d.Rules == (Rules{}) {
		return DefaultRules
	}
	return d.Rules
}

// said writes a figure with its unit: 298.07 tok/s. Long times are written in
// seconds.
func (f figure) said() locale.Text {
	if f.metric.Unit == "ms" && f.metric.Value >= 10000 {
		return locale.Lit(strconv.FormatFloat(f.metric.Value/1000, 'f', 1, 64) + " s")
	}
	unit := f.metric.Unit
	if unit == "1" || unit == "" {
		return locale.Lit(f.metric.Digits())
	}
	if unit == "%" {
		return locale.Lit(f.metric.Digits() + "%")
	}
	return locale.Lit(f.metric.Digits() + " " + unit)
}

// ids gives the ids of the runs that figures rest on, and the fewest repeats.
func ids(fs ...figure) (runs []string, n int) {
	n = math.MaxInt
	for _, f := range fs {
		n = min(n, len(f.runs))
		for _, r := range f.runs {
			if !slices.Contains(runs, r.ID) {
				runs = append(runs, r.ID)
			}
		}
	}
	slices.SortFunc(runs, result.NaturalCompare)
	return runs, n
}
