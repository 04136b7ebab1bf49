package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/benchpost/benchpost/generator/audit"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
	"github.com/benchpost/benchpost/generator/settings"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// Thresholds configures when conclusions are drawn; 0 means the default.
type Thresholds struct {
	Noise   float64 // relative difference below which two single runs are not ranked; default 0.03
	Outlier float64 // factor between an outlier and the median of the others; default 3
	Limit   float64 // share of the memory bandwidth at which a variant is at its limit; default 0.85
}

func (t *Thresholds) check(at place) {
	for _, one := range []struct {
		key         string
		value, most float64
	}{{"noise", t.Noise, 1}, {"outlier", t.Outlier, 1000}, {"limit", t.Limit, 1}} {
		if one.value < 0 || one.value > one.most {
			at.at(one.key).wrong(locale.Textf("for example: noise = 0.03, outlier = 3, limit = 0.85"), "the threshold %s is between 0 and %g, not %g", one.key, one.most, one.value)
		}
	}
}

// Diff configures the comparison of two sets of results.
type Diff struct {
	Noise map[string]float64 // metric or latency → relative difference that runs without enough repeats cannot show
}

func (d *Diff) check(at place) {
	for _, name := range slices.Sorted(maps.Keys(d.Noise)) {
		at := at.at("noise", name)
		if _, known := vocabulary.Define(name); !known && !slices.Contains(vocabulary.Families(), name) {
			at.wrong(locale.Textf("for example ttft_p99 = 0.1, or ttft = 0.1 for all its statistics"), "diff.noise: unknown metric %q", name)
		}
		if v := d.Noise[name]; !(v >= 0 && v <= 1) {
			at.wrong(locale.Textf("for example ttft_p99 = 0.1"), "the noise of %s is between 0 and 1, not %g", name, v)
		}
	}
}

// SLO limits metrics and labels: name → maximum, or minimum if higher is better.
type SLO map[string]any

func (s SLO) check(at place) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if _, ok := s[name].(string); ok {
			continue // limit of a label
		}
		if d, known := vocabulary.Define(name); !known || d.Better == result.Neutral {
			hint := locale.Textf(`for example ttft_p99 = 500 or weight_size = "8 G"`)
			if meant := vocabulary.Meant(name); len(meant) > 0 {
				hint = locale.Textf("did you mean %s? %s", meant[0], hint)
			}
			at.at(name).wrong(hint, "slo: %q is not a metric with a better direction", name)
		}
	}
}

// Waiver overrides a check for some runs. The reason is shown wherever the check would be shown.
type Waiver struct {
	Check  string // id of the check, for example "physics.compute-roofline"
	Where  string // selector; "" for all runs
	Reason string

	Runs result.Selector `toml:"-"` // Where, parsed
}

func (w *Waiver) check(at place) {
	if w.Check == "" || w.Reason == "" {
		at.wrong(locale.Textf(`for example check = "physics.compute-roofline", reason = "…"`), "a [[waive]] needs check and reason")
	}
	if known := audit.IDs(); w.Check != "" && !slices.Contains(known, w.Check) {
		at.at("check").wrong(settings.Offer(w.Check, known, locale.Textf("known: %s", locale.Commas(known...))), "waive: unknown check %q", w.Check)
	}
	w.Runs, _ = at.at("where").selector(w.Where, fmt.Sprintf("waive %q", w.Check), `{model="…"}`)
}
