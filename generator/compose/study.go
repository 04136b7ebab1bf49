package compose

import (
	"slices"

	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/block/view"
	"github.com/benchpost/benchpost/generator/dataset"
	"github.com/benchpost/benchpost/generator/vocabulary"
)

// measured returns the metrics that represent a study, the most informative first.
func (s *study) measured(most int) []string {
	of := s.data.Of(s.runs)
	names := view.Measured(of, most)
	for _, list := range []vocabulary.List{vocabulary.Column, vocabulary.Console, vocabulary.Compared} {
		for _, name := range vocabulary.Listed(list) {
			if len(names) < most && !slices.Contains(names, name) && dataset.AnyHas(s.runs, name) && len(view.Measured(of, 1)) == 0 {
				names = append(names, name)
			}
		}
	}
	for _, r := range s.runs { // of telemetry, and of tools that measure other things
		for _, m := range r.Metrics {
			if _, known := vocabulary.Define(m.Name); known && len(names) < min(most, 3) && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		d, _ := vocabulary.Define(name)
		return dataset.OneUnit(s.runs, name) != nil || d.Unit == "B/s" && len(names) > 1 // B/s has ten digits or more
	})
}

// baseline returns the selector of the variant that others are compared with: the model they were made from. It
// returns "" if that is unknown.
func (s *study) baseline() string {
	models := s.data.Values(s.runs, "model")
	if s.variant != "model" || len(models) < 2 {
		return ""
	}
	var bases []string
	for _, r := range s.runs {
		base := r.Label("base_model")
		if base == "" {
			base = r.Label("base")
		}
		if base != "" && slices.Contains(models, base) && !slices.Contains(bases, base) {
			bases = append(bases, base)
		}
	}
	if len(bases) != 1 {
		return ""
	}
	return where([]matcher{{"model", "=", bases[0]}})
}

// factors returns the settings that have a few values, besides the variant and the loads.
func (s *study) factors() []string {
	var out []string
	for _, label := range slices.Concat(condition.Machine, []string{"prefix_caching", "speculative_decoding", "flash_attention"}) {
		if label == s.variant || label == s.loads || slices.Contains(s.sweeps, label) || len(out) == 3 {
			continue
		}
		if n := len(s.data.Values(s.runs, label)); n >= 2 && n <= mostLoads && s.crosses(label, append(out, s.variant)) {
			out = append(out, label)
		}
	}
	return out
}

// crosses reports whether a label varies while each of the others is constant, so that it does not depend on
// one of them.
func (s *study) crosses(label string, others []string) bool {
	return !slices.ContainsFunc(others, func(of string) bool {
		return !slices.ContainsFunc(s.data.Groups(s.runs, []string{of}), func(g dataset.Group) bool { return len(s.data.Values(g.Runs, label)) > 1 })
	})
}

func firstOf(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
