package dataset

import (
	"cmp"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// Rules has the thresholds of reports.
type Rules struct {
	Noise   float64 // relative difference below which two single runs are not ranked
	Outlier float64 // factor to the median of the others from which a value is an outlier
	Limit   float64 // share of the memory bandwidth from which a variant is at the limit of its machine
}

// DefaultRules has the thresholds for sites that set none.
var DefaultRules = Rules{Noise: 0.03, Outlier: 3, Limit: 0.85}

// Field is a set of runs laid out for comparison: variants by loads.
type Field struct {
	Selection *Selection
	Runs      []*result.Result
	Rows      string // label of the variants
	Load      string // label of the loads, "" if the runs have none
	Loads     []string
	Variants  []Group
	Base      int               // index of the baseline among the variants, −1 if there is none
	decides   map[string]string // load → metric; see Decides
}

// Reading is the value of a metric of one variant at one load.
type Reading struct {
	Figure
	Variant int
}

// Lay lays out runs as a field. It returns a problem if the baseline matches no variant or several.
func (d *Selection) Lay(rs []*result.Result, rows, load, baseline string, judge map[string]string) (*Field, error) {
	f := &Field{Selection: d, Runs: rs, Rows: rows, Load: load, Base: -1, decides: map[string]string{}}
	f.Loads = []string{""}
	if load != "" {
		f.Loads = d.Values(rs, load)
	}
	f.Variants = d.Groups(Having(rs, rows), []string{rows})
	for _, l := range slices.Sorted(maps.Keys(judge)) {
		if load == "" || !slices.Contains(f.Loads, l) {
			return nil, About("judge", Lackf(locale.Textf("values of %s: %s", load, locale.Few(f.Loads, 12)), "judge names %q, which no selected run has", l))
		}
		if direction(rs, judge[l]) == result.Neutral {
			if metric, _ := Known(rs, judge[l]); !metric {
				return nil, About("judge", Unknown(rs, judge[l]))
			}
			return nil, About("judge", Wrongf(locale.Textf("for example output_throughput, tpot_mean or ttft_p99"), "%q has no better direction, so it decides nothing", judge[l]))
		}
	}
	for _, l := range f.Loads {
		f.decides[l] = cmp.Or(judge[l], f.usual(l))
		if err := OneUnit(WithLabel(f.Runs, load, l), f.Decides(l)); err != nil {
			return nil, About("judge", err)
		}
	}
	if baseline == "" {
		return f, nil
	}
	sel, err := result.ParseSelector(baseline)
	if err != nil {
		return nil, About("baseline", Wrongf(locale.Textf(`for example baseline = '{model="…"}'`), "the selector %s is wrong: %v", baseline, err))
	}
	for i, g := range f.Variants {
		if !slices.ContainsFunc(g.Runs, sel.Match) {
			continue
		}
		if f.Base >= 0 {
			return nil, About("baseline", Lackf(locale.Textf("it matches %s and %s, perhaps more", f.Variants[f.Base].Values[0], g.Values[0]),
				"the baseline %s is more than one row", baseline))
		}
		f.Base = i
	}
	if f.Base < 0 {
		return nil, About("baseline", Lackf(locale.Textf("the baseline has to be among the selected runs"), "no row matches the baseline %s", baseline))
	}
	return f, nil
}

// Mixed returns an error if a cell of the field has runs that are not repeats of one another.
func (f *Field) Mixed() error {
	for _, g := range f.Variants {
		for _, load := range f.Loads {
			if err := Repeats(f.At(g, load), Place([]string{f.Rows, f.Load}, []string{g.Values[0], load})); err != nil {
				return err
			}
		}
	}
	return nil
}

// At returns the runs of a variant at a load.
func (f *Field) At(g Group, load string) []*result.Result {
	if f.Load == "" {
		return g.Runs
	}
	return WithLabel(g.Runs, f.Load, load)
}

// Name returns the title of a variant for use inside a sentence.
func (f *Field) Name(i int) locale.Text {
	return f.Selection.HeldInside(f.Rows, f.Variants[i].Values[0])
}

// LoadTitle returns the title of a load. A value without a title gets the name of its label: concurrency 8.
func (f *Field) LoadTitle(load string) locale.Text {
	title := f.Selection.Title(f.Load, load)
	if f.Load == "load" || f.Load == "scenario" {
		return title
	}
	return locale.T("finding.held", locale.LabelName(f.Load), title)
}

// LoadName returns the title of a load for use inside a sentence.
func (f *Field) LoadName(load string) locale.Text {
	return locale.Inside(f.LoadTitle(load))
}

// Decides returns the metric that decides at a load: as declared by the author, or else TPOT for a single
// stream and output throughput otherwise. If no run of the load has it, it is the rate of one stream, as
// llama-bench reports it.
func (f *Field) Decides(load string) string { return f.decides[load] }

// usual returns the metric that decides at a load if the author declares none.
func (f *Field) usual(load string) string {
	usual := "output_throughput"
	if f.Alone(load) {
		usual = "tpot_mean"
	}
	for _, m := range []string{usual, "output_throughput", "decode_throughput"} {
		for _, g := range f.Variants {
			if _, ok := FigureOf(f.At(g, load), m); ok {
				return m
			}
		}
	}
	return usual
}

// Alone reports whether every run of a load has one request in flight.
func (f *Field) Alone(load string) bool {
	any := false
	for _, g := range f.Variants {
		for _, r := range f.At(g, load) {
			done, _ := r.Metric("requests_completed")
			if r.Labels.Get("max_concurrency") != "1" && done.Value != 1 {
				return false
			}
			any = true
		}
	}
	return any
}

// Readings returns the values of a metric at a load, in the order of the variants, separated into sound and
// excluded ones.
func (f *Field) Readings(load, metric string) (sound, excluded []Reading) {
	for i, g := range f.Variants {
		v, ok := FigureOf(f.At(g, load), metric)
		if !ok {
			continue
		}
		if s := (Reading{v, i}); v.Excluded() {
			excluded = append(excluded, s)
		} else {
			sound = append(sound, s)
		}
	}
	return sound, excluded
}

// Ranked returns readings sorted from best to worst.
func Ranked(ss []Reading) []Reading {
	out := slices.Clone(ss)
	slices.SortStableFunc(out, func(a, b Reading) int {
		if Better(a.Metric.Better, a.Metric.Value, b.Metric.Value) {
			return -1
		}
		if Better(a.Metric.Better, b.Metric.Value, a.Metric.Value) {
			return 1
		}
		return 0
	})
	return out
}

// Thresholds returns the rules of the site, or DefaultRules.
func (d *Selection) Thresholds() Rules {
	if d.Rules == (Rules{}) {
		return DefaultRules
	}
	return d.Rules
}
