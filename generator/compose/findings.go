package compose

import (
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/locale"
)

// conclusions is a findings block about runs that were measured under the same conditions.
type conclusions struct {
	held  locale.Text // the conditions they share; zero if the study has no others
	block blockOf
}

// mostConclusions is the maximum number of sets of conditions for which a study has findings.
const mostConclusions = 3

// findings returns the findings of a study. They draw no conclusion from runs that differ in a condition that
// the findings do not lay out.
func (s *study) findings() []conclusions {
	type attempt struct {
		of   slice
		rows string
		load string
	}
	var attempts []attempt
	if s.variant != "model" && s.variant != "hardware" && len(s.factors()) > 0 && len(s.data.Values(s.runs, "model")) == 1 && len(condition.Of(s.runs, append(s.factors(), s.variant, s.loads)...)) == 0 {
		attempts = append(attempts, attempt{s.all(), "model", s.loads}) // effects of the settings
	}
	for _, of := range s.planes() {
		attempts = append(attempts, attempt{of, s.variant, s.loads})
	}
	for _, over := range s.sweeps {
		if of, ok := s.ramp(over); ok {
			attempts = append(attempts, attempt{of, s.variant, over})
		}
	}
	var out []conclusions
	for _, a := range attempts {
		if len(out) > 0 && a.load != s.loads || len(out) == mostConclusions {
			break // one layout of the runs is enough
		}
		b := blockOf{kind: "findings"}
		b.set("where", where(a.of.matchers))
		if a.rows != "model" {
			b.set("rows", a.rows)
		}
		if a.load != "" && a.load != "load" {
			b.set("load", a.load)
		}
		b.set("baseline", s.baseline())
		shown, ok := s.try(b)
		if !ok {
			continue
		}
		claims := len(shown.Findings.Claims) + len(shown.Findings.Withheld)
		if claims > 0 || len(s.studies) == 1 && len(out) == 0 && len(shown.Findings.Limits) > 0 { // limits of the data are shown beside conclusions
			s.compares(a.of.runs, a.rows, a.load)
			out = append(out, conclusions{a.of.held, b})
			if a.rows != s.variant {
				break
			}
		}
	}
	return out
}
