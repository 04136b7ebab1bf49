package compose

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/locale"
	"github.com/benchpost/benchpost/generator/result"
)

// slice is a set of runs of a study with the same settings, and the conditions that select them.
type slice struct {
	matchers []matcher
	runs     []*result.Result
	held     locale.Text // the settings; zero if there are none
}

// all returns all runs of a study.
func (s *study) all() slice { return slice{s.matchers, s.runs, locale.Text{}} }

// at narrows a slice to the combination of settings that has the most values of the label most.
func (s *study) at(of slice, settings []string, most string) (slice, bool) {
	if len(settings) == 0 {
		return of, len(of.runs) > 0
	}
	g, ok := condition.Stratum(s.data, of.runs, settings, most, func(dataset.Group) bool { return true })
	if !ok {
		return slice{}, false
	}
	out := slice{matchers: slices.Clone(of.matchers), runs: g.Runs}
	held := []locale.Text{}
	if !of.held.IsZero() {
		held = append(held, of.held)
	}
	for i, label := range settings {
		out.matchers = add(out.matchers, label, g.Values[i])
		if g.Values[i] != "" {
			held = append(held, s.named(label, g.Values[i]))
		}
	}
	if len(held) > 0 {
		out.held = locale.Join(" · ", held...)
	}
	return out, true
}

// planes returns the slices in which variants are compared.
func (s *study) planes() []slice { return s.flat }

// plane returns the slice that compares the most variants; false if there is none.
func (s *study) plane() (slice, bool) {
	if len(s.flat) == 0 {
		return slice{}, false
	}
	return s.flat[0], true
}

// ramp returns the slice of a sweep; false if there is none.
func (s *study) ramp(over string) (slice, bool) {
	of, ok := s.ramps[over]
	return of, ok
}

// with narrows a slice to a value of a label.
func (s *study) with(of slice, label, value string) slice {
	if label == "" {
		return of
	}
	return slice{add(of.matchers, label, value), dataset.WithLabel(of.runs, label, value), of.held}
}

// findPlanes returns slices in which runs of one variant at one load are repeats and agree in everything else,
// those with the most variants first. Charts of variants and findings use them. If no slice has several
// variants, it returns only the largest slice.
func (s *study) findPlanes() []slice {
	rows, ok := condition.Apart(s.data, s.runs, []string{s.variant}, s.loads)
	if !ok || slices.Contains(rows, "id") { // a single run that no label distinguishes says little
		return nil
	}
	var out []slice
	rest := s.all()
	for len(rest.runs) > 0 {
		of, ok := s.at(rest, rows[1:], s.variant)
		if !ok || len(out) > 0 && len(s.data.Values(of.runs, s.variant)) < 2 {
			break
		}
		out = append(out, of)
		rest.runs = slices.DeleteFunc(slices.Clone(rest.runs), func(r *result.Result) bool { return slices.Contains(of.runs, r) })
	}
	return out
}

// findRamp returns a slice in which runs of one variant at one step are repeats.
func (s *study) findRamp(over string) (slice, bool) {
	of := s.all()
	of.runs = dataset.Having(of.runs, over)
	rows, ok := condition.Apart(s.data, of.runs, []string{s.variant, over}, "")
	if !ok || slices.Contains(rows, "id") {
		return slice{}, false
	}
	out, ok := s.at(of, rows[2:], over)
	return out, ok && s.steps(out.runs, over) >= fewestSteps
}

// crest returns the slice of a sweep over a label, including all configurations in which variants were served
// side by side.
func (s *study) crest(over string) (slice, bool) {
	of := s.all()
	of.runs = dataset.Having(of.runs, over)
	rows, ok := condition.ApartBy(s.data, of.runs, []string{s.variant, over}, "", len(condition.Settings), mostSpots)
	if !ok || slices.Contains(rows, "id") {
		return slice{}, false
	}
	held := slices.DeleteFunc(rows[2:], condition.Configures)
	out, ok := s.at(of, held, over)
	return out, ok && s.steps(out.runs, over) >= fewestSteps
}

// largest returns the largest slice with one value of one label that fits in a table.
func (s *study) largest() slice {
	best := slice{matchers: s.matchers}
	for _, label := range slices.Concat([]string{"campaign"}, condition.Settings, variants) {
		for _, g := range s.data.Groups(s.runs, []string{label}) {
			if len(g.Runs) > len(best.runs) && len(g.Runs) <= view.MostRows && g.Values[0] != "" {
				best = s.with(s.all(), label, g.Values[0])
				best.held = s.named(label, g.Values[0])
			}
		}
	}
	return best
}

// held returns the settings of a slice and one more value.
func (s *study) held(of slice, label, value string) locale.Text {
	more := s.named(label, value)
	if of.held.IsZero() {
		return more
	}
	return locale.Join(" · ", of.held, more)
}

// speaking are the labels whose values are clear without the name of the label.
var speaking = []string{"load", "scenario", "model", "quantization", "engine", "hardware", "power_mode", "gpu", "tool", "dataset", "campaign"}

// named returns a value, with the name of its label if the value alone is not clear: clocks free.
func (s *study) named(label, value string) locale.Text {
	if slices.Contains(speaking, label) {
		return s.data.Title(label, value)
	}
	return locale.T("finding.held", locale.LabelName(label), s.data.Title(label, value))
}
