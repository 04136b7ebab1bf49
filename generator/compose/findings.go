package compose

import (
	"github.com/benchpost/benchpost/generator/block/condition"
	"github.com/benchpost/benchpost/generator/locale"
)

// conclusions are findings about runs that were measured alike.
type conclusions struct {
	held  locale.Text // what they have in common; zero where the study has nothing else
	block blockOf
}

// mostConclusions are the sets of conditions of a study that findings are made of.
const mostConclusions = 3

// findings are what the runs of a study show: nothing is concluded from runs that differ in a
// condition which the findings do not lay out.
func (s *study) findings() []conclusions {
	type attempt struct {
		of   slice
		rows string
		load string
	}
	var attempts []attempt
	if s.variant != "model" && s.variant != "hardware" && len(s.factors()) > 0 && len(s.data.Values(s.runs, "model")) == 1 && len(condition.Of(s.runs, append(s.factors(), s.variant, s.loads)...)) == 0 {
		attempts = append(attempts, attempt{s.all(), "model", s.loads}) // what the settings do
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
			break // one way to look at the runs is enough
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
		if claims > 0 || len(s.studies) == 1 && len(out) == 0 && len(shown.Findings.Limits) > 0 { // what data cannot say goes with what they say
			s.compares(a.of.runs, a.rows, a.load)
			out = append(out, conclusions{a.of.held, b})
			if a.rows != s.variant {
				break
			}
		}
	}
	return out
}
